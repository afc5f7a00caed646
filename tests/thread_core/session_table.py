"""Writes docs/sessions.md from the table of the session: `python -m tests.thread_core.session_table`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from thread_core.walk.states import ENDED, TABLE, Event, Status

PAGE = Path(__file__).parents[2] / "docs" / "sessions.md"

INTRODUCTION = """\
# Sessions

A session is a state machine with a small JSON state. The tables below list what a person can see (a *status*), what can
happen (an *event*), and where each event leads. An event without a row raises `IllegalStep` and leaves the session
unchanged. Once a walk has begun, nothing that a person says is refused: if there is nothing to go back to or to skip,
the turn says so and shows the current step. `make docs` generates this page from `thread_core/walk/states.py`.

`session.state` holds addresses and hashes of the steps shown, what the person said, and what they were asked. It has no
document text except headers, conditions and the first words of listed items. It has no executor output, and only
digests of what was run. It holds a secret only if the person typed one. (A graph's checkpoints also hold the executor's
last output.) A turn is computed from the state and the store, so any process can show it again (`session.show()`). If a
step was edited after it was shown, the person sees the new version before their answer counts.

A turn's `text` is the document's own Markdown. `turn.plain` is for chats: boxes of site generators become labelled
paragraphs, tabs become labels, links that a chat cannot open become words, and escapes are removed (`setup\\_v2`). Code
stays byte for byte. The command shows `turn.plain`. `print(turn)`, LlamaIndex's chat engine and the agents' tools add
the numbered options below. `turn.asked` is what the turn asks, so that you can style an approval differently from a
choice, and `turn.also` what else may be said. Both are also in LangGraph's interrupts and LlamaIndex's events.

## What is shown

A turn shows the lines of one step up to its first decision, with its prerequisites and the guide's warnings, each shown
once. Its options are the outcomes in these lines, in the guide's words, plus one for everything else if the guide has
none. What follows a decision is shown after the decision. Steps that belong to one outcome are never shown for another.

## What is said

Each line is read once: as one of the events below, by a table of complete phrases (`thread_core/walk/replies.toml`), as
a question, or as a report of what was seen.

**Choosing.** A decision stays open until the person chooses an option or says "next"; "done", "ok" and questions show
it again. A report chooses an option only if it clearly means that one: by its words, an amount in its range, a code
that only it names, or a yes or no to its question. An uncertain or ambiguous report gets a menu (`asking`), nearest
options first, "none of these" last. A reranker of your framework (`matcher=`) may sort it. If the guides say nothing
about the report, the turn says so and the step stays. A command that deletes is never offered as a way out.

**With a model**, reports that are not an option by their form, and questions, are first read by the model, with the
guide. It may name the place to go to, quote an answer, offer places or other guides in a menu, or return to the calling
guide.

**Questions, "stop" and "back".** A question ("what is a gateway?") is answered from the guide, a glossary or another
guide, with a citation, and the step stays. "Stop" ends nothing and runs nothing. "Back" undoes what was said last,
including its facts.

**The end.** After the last step, the person is asked whether the problem is solved, and other sections are offered by
name. Only parts of one task ("Step 2: ...") continue without asking. A guide that another guide called returns to it.
"The problem is solved" ends a walk at once if nothing is open. Answering reopens a walk that has ended.

**Prerequisites and approvals.** Only a clear yes confirms a prerequisite and only a clear no denies it, or words that
name the version, platform or role. Anything else is asked again. If the person does not know, or says "next", they see
the step with its prerequisite. It is not assumed to hold, and the person runs the commands. Only words of permission
("run it", "yes") approve a command. If nothing in a guide applies to the person, they see what it needs and what they
said.

**An answer counts once.** If a call is cancelled or fails, either the session is unchanged, or the answer counts, and
the next call shows its result before anything else counts. Nothing runs meanwhile. If the process was killed before you
saved `session.state`, the journal has the answer that counts. Any other answer raises `AnsweredAlready`; continue with
`session.respond(error.answer)`, or with `start` if it was the first question. The executor does nothing twice.
"""

HOW = {
    Event.START: "`start(question)`",
    Event.EXECUTED: "an executor has run the step, or declined to",
    Event.CHOOSE: 'an option\'s number, its own words, or "the second one"',
    Event.YES: "an answer to what is asked; if nothing is asked, a report",
    Event.NO: "like a yes",
    Event.DONE: '"done", "ok": the next step, unless something has to be decided first',
    Event.NEXT: '"next": the next step, leaving what is open',
    Event.BACK: '`back()`, or "back": the screen before, and what was known then',
    Event.SKIP: '`skip()`, or "skip": the next step, without doing this one',
    Event.RESTART: '`restart()`, or "start over": the same question; known prerequisites are not asked again',
    Event.WHERE: '`show()`, "where are we?", or an empty line',
    Event.WHY: '`why()`, or "why?"',
    Event.STOP: '"stop", "cancel": the screen stays, and nothing on it is run',
    Event.HAND_OVER: '"I give up", "can I talk to a human": escalated, with what was tried',
    Event.UNSURE: '"I don\'t know", "what now?"',
    Event.SOLVED: '"it is solved", "it works now"',
    Event.NOT_SOLVED: '"it did not help": what the guide says to do then, if it does',
    Event.ASK: "a question",
    Event.REPORT: "what was seen, in any words",
}


def _cell(reached: frozenset[Status]) -> str:
    if reached == frozenset(Status) - {Status.NEW}:
        return "any"
    return ", ".join(sorted(reached)) or "-"


SAYS = {
    Status.NEW: "Nothing yet",
    Status.AWAITING: "A step: do it and report the outcome",
    Status.ASKING: "A question with its answers: which guide, a prerequisite, which outcome, whether it is solved, "
    "whether to go on or round again, permission to run",
    Status.RESOLVED: "The problem is solved",
    Status.ESCALATED: "Handed over, with what was tried",
    Status.UNKNOWN: "Nothing fits, or nothing applies to what they have; the nearest guides are offered",
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
