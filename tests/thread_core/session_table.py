"""Writes docs/sessions.md from the table of the session: `python -m tests.thread_core.session_table`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from thread_core import Document, RuleExtractor, default_embedding
from thread_core.store.library import Library
from thread_core.testing.store import MemoryStore
from thread_core.walking.states import ENDED, TABLE, Event, Status

PAGE = Path(__file__).parents[2] / "docs" / "sessions.md"

INTRODUCTION = """\
# Sessions

A session is a table and a small JSON value. The table below says what a person can see (a *status*), what can happen
(an *event*), and where each leads; an event that has no row is refused (`IllegalStep`) and leaves the session as it
was. Once a walk has begun, nothing that a person says is refused: where there is nothing to go back to or to skip, the
turn says so and shows what is there. This page is made from `thread_core/walking/states.py` by `make docs`.

The value (`session.state`) holds addresses and hashes of the steps shown, what the person said and what they were
asked. It holds no text of the documents but headers and conditions, nothing that an executor has seen, of what was run
digests alone, and no secret of yours unless the person said one; a graph's checkpoints hold what its executor has seen
last. A turn is made from it and the store, so it can be shown again in another process (`session.show()`). Where a step
was edited since it was shown, the person sees it as it is now before their answer counts.

A turn's `text` is Markdown, the document's own words. `turn.plain` is for a chat: boxes that only a site's generator
understands are labelled paragraphs, tabs are labels, links to places that no chat can open are words, and escaped signs
(`setup\\_v2`) the signs; code is kept byte for byte. LlamaIndex's chat engine, the agents' tools and the command show
that.

A turn says what it asks (`turn.asked`: an approval may well look another way than a choice) and what may be said
besides (`turn.also`), in a pause of LangGraph and an event of LlamaIndex too.

A warning holds wherever a person comes in: what a document warns of above its numbered steps, above those of a section,
at the top of a step or behind its tabs or cases stands above the first step on the screen for which it holds, once.

What a person reports that a condition of a warning names ("i smell gas", of "If you smell gas, ...") is answered by
that warning before anything else, whatever else fits: alone, in the words of the document, wherever it stands in the
guide at hand, and for a question in the guides that it has led to. Nothing is run meanwhile. It stands, whatever they
say ("we are outside"), until they go on or hand it over: "next" leads back to what was on the screen, which is the
person's to do then, and so does an outcome of that in its own words.

What a person writes is read as chats are written: without apostrophes ("doesnt", "its gone"), with "k", "pls", "idk", a
thumb up or down, laughter and thanks around it. What is kept and what a model is given are their own words; quotes,
code and the words of the documents are read as they stand.

That something works, or is solved, ends a walk where it is said of the problem or of what the question is about: "it
works now", "the internet is back", not "my phone works". So does that something is done which the question or the title
misses: "it turns on now" for a tablet that won't, unless the step at hand says what follows then. That something is
gone ends it where that is bad: "the error is gone", not "my internet is gone". What was so yesterday, or is hoped, ends
nothing. Who says that it works is not handed over, and thanks after the end leave it ended.

An answer counts once. Where a call is cancelled or fails, the session stands where it stood, or the answer counts, and
the next call shows what came of it before anything else that is said counts; nothing is run meanwhile. Where a process
was killed before `session.state` was saved, the journal has the answer that counts: any other is refused
(`AnsweredAlready`), and `session.respond(error.answer)`, or `start` where it was a question, goes on with it. What an
executor did is not done again.
"""

HOW = {
    Event.START: "`start(question)`",
    Event.RESTART: '`restart()`, or "start over": the same question; what holds for the person is not asked again',
    Event.NEXT: '"done", "ok", "next", or nothing',
    Event.CHOOSE: 'an option\'s number, or "the second one"; of "both" or "1 and 3" one is asked for',
    Event.REPORT: "an option's words, the answer to a question, or what was seen, in any words",
    Event.EXECUTED: "an executor has had the step",
    Event.SKIP: '`skip()`, or "skip": on without doing it',
    Event.BACK: '`back()`, or "back": the screen before, with what was known then',
    Event.HAND_OVER: '"I give up", "can I talk to a human": escalated, with what was tried. "I have tried everything" '
    "is a report: it leads to whom the guide says to call, or else to what is left of it",
    Event.SHOW: '`show()`, or "where are we?"',
    Event.WHY: '`why()`, or "why?"',
}


def _cell(reached: frozenset[Status]) -> str:
    if reached == frozenset(Status) - {Status.NEW}:
        return "any"
    return ", ".join(sorted(reached)) or "-"


SAYS = {
    Status.NEW: "Nothing yet",
    Status.AWAITING: "A step: do it and report what came of it",
    Status.ASKING: "A question: a prerequisite, which outcome is meant, if it is solved, if to go round, leave to run, "
    "or whether to go on after a warning",
    Status.RESOLVED: "It is solved, or all of the guide was done and nothing else was said of it",
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
At a prerequisite's question only a clear yes confirms and only a clear no denies, or words that name the version, the
platform or the role. Anything else is asked again once. After that, and where somebody does not know or says next, the
step is shown with what it needs; nothing is taken to hold, and what it says to run is left to the person. What was said
meanwhile of the step is kept, and used there where it clearly fits. What an answer leaves open of several things is
asked alone. Where nothing of the guide that fits best is for the person, they read what it needs and what they said:
other words correct that, and what else fits is listed.

Who is led into another section by what they saw is shown it from its beginning, unless nothing is to be done there
before the case that they named. What is hardly like anything there is asked about, also where they have a word in
common. Sections beside the one that an outcome has led into are out, until somebody takes that back ("oops, it was
green"). Who says that they will not do something is asked again, unless a condition speaks of that.

Who says "done" where the outcomes of a step lead to different sections is asked which of them it is, and so where the
next section is one to which a single outcome alone leads. Who says next to that passes all of these sections, or reads
the first where one of them must be the case: tabs, and answers.

A question back ("what is a gateway?") or a request is no outcome, and what is on the screen stays. Above it stands what
the guide says to that, in a section of that name that is no step or as a term, its own or a glossary's. Asked whether
something is so ("can I drive home with it?"), it is quoted with the sentence that says most about it ("Do not drive
..."). Else it is said that no answer is found in the guide. An outcome that is put as a question counts ("blinking
red?", "why is it red?"). What says of a prerequisite on the screen that it holds, or does not, counts for that alone.
What is like no outcome is asked about, and a way that ends the walk has to fit well. It is solved by a step
only where what is said is what the step's own condition says: with "If it rings again, you are done", who says that it
does not ring is shown the steps below it, and who only says what was done is asked. Asked about is also a number that
cannot be read for sure where one is needed, and a word that a condition quotes where something beside it doubts it.
What denies all that a step lists is "anything else".

Who has done a guide to its last step, and said nothing of it but that, has finished it: the walk is `resolved`, also
where an executor has done the steps. Where anything else was said (an outcome; a step was skipped or not run; the guide
before it had not helped), it is asked at the end whether it is solved, or whether the closest other guide is wanted.
A yes, "done" and "ok" end the walk well then; a no, and "next" where nothing is left, hand it over with what was tried.

An approval and the question whether to go round once more stay open until they are answered: what is unclear has them
put again. An approval that is passed by with "next" is told as "not run".

"Stop", "abort", "cancel", "halt", "quit" and "do nothing" choose nothing and end nothing: what is on the screen stays,
nothing of it is run, and at an approval they are a no. Who says "no" twice to which outcome it is is not led anywhere.

Where a message says that one thing is mended and another is not, the other is what is reported, in its own guide where
it has one. What another guide is about besides ("and also my printer ...") is set aside, which is said, and that guide
comes when the one at hand has ended or its problem is solved.

| Status | What the person sees |
|---|---|
{statuses}

| Event | How it happens |
|---|---|
{events}

```mermaid
{drawn}
```

| | {" | ".join(Event)} |
|---|{"---|" * len(Event)}
{_rows()}
"""


def _rows() -> str:
    lines = []
    for status in Status:
        cells = (_cell(TABLE.get((status, event), frozenset())) for event in Event)
        lines.append(f"| **{status}** | {' | '.join(cells)} |")
    return "\n".join(lines)


@cache
def small_library(**texts: str) -> Library:
    """A library over some small guides, by name."""
    store = MemoryStore()
    for name, text in texts.items():
        units = RuleExtractor().extract(Document(f"{name}.md", text)).units
        store.write(units, default_embedding().embed([unit.header for unit in units]))
    return Library(store, default_embedding())


if __name__ == "__main__":
    PAGE.write_text(page())
