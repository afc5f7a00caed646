"""Writes docs/sessions.md from the table of the session: `python -m tests.thread_core.session_table`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from thread_core.walk.states import ENDED, TABLE, Event, Status

PAGE = Path(__file__).parents[2] / "docs" / "sessions.md"

INTRODUCTION = """\
# Sessions

A session is a table and a small JSON value. The table below says what a person can see (a *status*), what can happen
(an *event*), and where each leads; an event that has no row is refused (`IllegalStep`) and leaves the session as it
was. Once a walk has begun, nothing that a person says is refused: where there is nothing to go back to or to skip, the
turn says so and shows what is there. This page is made from `thread_core/walk/states.py` by `make docs`.

The value (`session.state`) holds addresses and hashes of the steps shown, what the person said and what they were
asked. It holds no text of the documents but headers, conditions and the first words of what was listed, nothing that an
executor has seen, of what was run digests alone, and no secret of yours unless the person said one; a graph's
checkpoints hold what its executor has seen last. A turn is made from it and the store, so it can be shown again in
another process (`session.show()`). Where a step was edited since it was shown, the person sees it as it is now before
their answer counts.

A turn's `text` is Markdown, the document's own words. `turn.plain` is for a chat: boxes that only a site's generator
understands are labelled paragraphs, tabs are labels, links to places that no chat can open are words, and escaped
signs (`setup\\_v2`) the signs; code is kept byte for byte. The command shows that; `print(turn)`, LlamaIndex's chat
engine and the agents' tools put the options below it, by their numbers. A turn says what it asks (`turn.asked`: an
approval may well look another way than a choice) and what may be said besides (`turn.also`), in a pause of LangGraph
and an event of LlamaIndex too.

## What is shown

A screen is the lines of one step up to the first decision there, with what must hold for it and what the guide warns of
elsewhere, each told once. Its options are the outcomes that these lines state, in the guide's words, and one for all
the rest unless an outcome says that. What stands below a decision is seen when it was taken. What only one outcome
leads to is not read on to from another.

## What is said

A line is read once: as one of the events below by a table of whole forms (`thread_core/walk/replies.toml`), as a
question back, or as a report of what was seen.

A decision stays open until an option of it or "next" is chosen: "done", "ok" and a question show it again. A report
chooses an option only where it means that one beyond doubt: by its words, an amount in its range, a code that it alone
names, a yes or no to what it asks. What is hedged, or may mean several things, is answered with a menu (`asking`), the
nearest ways first (a reranker of your framework, `matcher=`, may order them) and "none of these" last; where nothing in
the guides speaks of it, that is said, and the step stands. A command that deletes is never offered as a way out.

With a model, a report that is no option by its form, and a question back, are read by it in the guide first: it may
name the place to go to, quote what answers, offer places or other guides in a menu, or return to the guide that called.

A question back ("what is a gateway?") is answered from the guide, a glossary or another guide, with where that stands;
the step stays. "Stop" ends nothing and runs nothing. "Back" undoes what was said last, facts and all.

Where what was asked for is done, it is asked whether it is solved, and the other sections are offered by name; only
parts of one task ("Step 2: ...") are read on to. A guide that another one has called returns to it. "It is solved" ends
a walk at once where nothing is open. A walk that has ended is reopened by answering it.

At a prerequisite's question only a clear yes confirms and only a clear no denies, or words that name the version, the
platform or the role; anything else is asked again. Who does not know, or says next, is shown the step with what it
needs: nothing is taken to hold, and what it says to run is left to the person. An approval is given by words of leave
and nothing else ("run it", "yes"). Where nothing of a guide is for the person, they read what it needs and what they
said.

An answer counts once. Where a call is cancelled or fails, the session stands where it stood, or the answer counts, and
the next call shows what came of it before anything else that is said counts; nothing is run meanwhile. Where a process
was killed before `session.state` was saved, the journal has the answer that counts: any other is refused
(`AnsweredAlready`), and `session.respond(error.answer)`, or `start` where it was a question, goes on with it. What an
executor did is not done again.
"""

HOW = {
    Event.START: "`start(question)`",
    Event.EXECUTED: "an executor has had the step",
    Event.CHOOSE: 'an option\'s number, its own words, or "the second one"',
    Event.YES: "an answer to what is asked; where nothing is, a report",
    Event.NO: "as a yes",
    Event.DONE: '"done", "ok": on, unless something is to be decided first',
    Event.NEXT: '"next": on, past what is open',
    Event.BACK: '`back()`, or "back": the screen before, with what was known then',
    Event.SKIP: '`skip()`, or "skip": on without doing it',
    Event.RESTART: '`restart()`, or "start over": the same question; what holds for the person is not asked again',
    Event.WHERE: '`show()`, "where are we?", or nothing',
    Event.WHY: '`why()`, or "why?"',
    Event.STOP: '"stop", "cancel": what is on the screen stays, and nothing of it is run',
    Event.HAND_OVER: '"I give up", "can I talk to a human": escalated, with what was tried',
    Event.UNSURE: '"I don\'t know", "what now?"',
    Event.SOLVED: '"it is solved", "it works now"',
    Event.NOT_SOLVED: '"it did not help": where the guide says what to do then, that',
    Event.ASK: "a question back",
    Event.REPORT: "what was seen, in any words",
}


def _cell(reached: frozenset[Status]) -> str:
    if reached == frozenset(Status) - {Status.NEW}:
        return "any"
    return ", ".join(sorted(reached)) or "-"


SAYS = {
    Status.NEW: "Nothing yet",
    Status.AWAITING: "A step: do it and report what came of it",
    Status.ASKING: "A question with its answers: which guide, a prerequisite, which outcome is meant, whether it is "
    "solved, whether to go on or round, leave to run",
    Status.RESOLVED: "It is solved",
    Status.ESCALATED: "It is handed over, with what was tried",
    Status.UNKNOWN: "Nothing fits, or is for what they have; the nearest guides are offered",
}


def diagram() -> Iterator[str]:
    """The table as lines of a Mermaid state diagram: what is open and what has ended, and the events in between."""
    groups = {
        "new": [Status.NEW],
        "open": [s for s in Status if s not in ENDED and s is not Status.NEW],
        "ended": [s for s in Status if s in ENDED],
    }
    yield "stateDiagram-v2"
    yield "    [*] --> new"
    for name, inside in groups.items():
        if len(inside) > 1:
            yield f'    state "{", ".join(inside)}" as {name}'
    for name, inside in groups.items():
        for other, beyond in groups.items():
            events = [e for e in Event if any(set(TABLE.get((s, e), ())) & set(beyond) for s in inside)]
            if events:
                yield f"    {name} --> {other}: {', '.join(events)}"
    yield "    ended --> [*]"


def page() -> str:
    """The whole page."""
    statuses = "\n".join(f"| `{status}` | {SAYS[status]} |" for status in Status)
    events = "\n".join(f"| {event} | {HOW[event]} |" for event in Event)
    drawn = "\n".join(diagram())
    return f"""\
{INTRODUCTION}
## The table

| Status | What the person sees |
|---|---|
{statuses}

| Event | How it happens |
|---|---|
{events}

```mermaid
{drawn}
```

| | {" | ".join(Status)} |
|---|{"---|" * len(Status)}
{_rows()}
"""


def _rows() -> str:
    lines = []
    for event in Event:
        cells = (_cell(TABLE.get((status, event), frozenset())) for status in Status)
        lines.append(f"| **{event}** | {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page())
