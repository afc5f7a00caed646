"""What a person reads in one turn, and where it stands in the documents."""

from __future__ import annotations

from collections.abc import Sequence

from thread_core import layout, prerequisites
from thread_core.markdown import Source
from thread_core.models import Link, LogicUnit, Model, Place, Span
from thread_core.outcomes import Candidate
from thread_core.ports import Usage
from thread_core.states import Status

OPTIONS = 6
"""Outcomes that are listed."""
OPTION_WORDS = 14
OTHERS = 2
"""Other ways on that are shown below a step."""
LONG = 1600
"""Characters; a reply is not made longer than this by other ways."""
SHORT = 600
"""Characters; of a unit's end shorter than this the next one is shown too."""


class Turn(Model):
    """One reply of a session."""

    text: str
    """What the person reads."""
    status: Status
    unit_ids: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    """The known outcomes: answer with a number (1-based), in these words, or in words of your own."""
    citations: tuple[Span, ...] = ()
    """Where it stands: the shown lines first."""
    notes: tuple[str, ...] = ()
    """Where a model was to be asked and was done without, and why."""
    usage: Usage = Usage()
    """What the turn cost."""


def shown_from(unit: LogicUnit, line: int, units: Sequence[LogicUnit]) -> list[LogicUnit]:
    """What a turn shows: a unit from a line on, and the step after it where that leaves only the unit's end."""
    follower = _adjoining(unit, units) if line > unit.start and len(body_from(unit, line)) < SHORT else None
    return [unit] if follower is None else [unit, follower]


def step_turn(shown: Sequence[LogicUnit], line: int) -> Turn:
    """The turn that shows some units, the first from a line on: header, what must hold, bodies."""
    first = shown[0]
    parts = [layout.heading(first)]
    parts += [f"Before you start: {text}" for text in first.prerequisites if not prerequisites.decidable(text)]
    parts += [body_from(first, line), *(unit.body for unit in shown[1:])]
    return Turn(
        text="\n".join(parts),
        status=Status.AWAITING,
        unit_ids=tuple(unit.id for unit in shown),
        options=tuple(map(label, offered(shown[-1]))),
        citations=_citations(shown, line),
    )


def quoting(shown: Turn, choice: Candidate) -> Turn:
    """A step with the sentence that sent the reader there below its heading, as a Markdown quote."""
    if shown.status is not Status.AWAITING or choice.link is None or choice.link.evidence is None:
        return shown
    evidence = choice.link.evidence
    said = _said(choice.unit, choice.link, evidence)
    if not said or len(said) > SHORT or said in shown.text:
        return shown
    heading, _, step = shown.text.partition("\n")
    quoted = "\n".join(f"> {line.strip()}" for line in said.splitlines())
    text = f"{heading}\n{quoted}\n\n{step}"
    return shown.model_copy(update={"text": text, "citations": (*shown.citations, evidence)})


def _said(unit: LogicUnit, link: Link, evidence: Span) -> str:
    """What a link says: in the words of the body, or where those are no longer the document's, its own."""
    if unit.rewritten:
        return f"If {link.condition}, then {link.query}" if link.condition else ""
    return body_from(unit, evidence.start, evidence.end).strip()


def hedged(shown: Turn, others: Sequence[Candidate]) -> Turn:
    """A step with other ways on below it, the likeliest first: the person sees which one it is."""
    if shown.status is not Status.AWAITING:
        return shown
    text, cited = shown.text, list(shown.citations)
    for other in others:
        span = Span(other.unit.document_id, other.line, other.end)
        passage = body_from(other.unit, other.line, other.end)
        added = f"\n\nOr, if it is rather this ({layout.heading(other.unit)}):\n{passage}"
        is_new = not any(_overlap(span, seen) for seen in (shown.citations[0], *cited[len(shown.citations) :]))
        if passage and is_new and len(text) + len(added) <= LONG:
            text += added
            cited.append(span)
        if len(cited) == len(shown.citations) + OTHERS:
            break
    return shown.model_copy(update={"text": text, "citations": tuple(cited)})


def _overlap(one: Span, other: Span) -> bool:
    return one.document_id == other.document_id and one.start <= other.end and other.start <= one.end


def offered(unit: LogicUnit) -> list[Link]:
    """The outcomes that are listed, each condition once."""
    by_condition = {link.condition: link for link in unit.links if link.condition}
    return list(by_condition.values())[:OPTIONS]


def label(link: Link) -> str:
    """A link's condition, short enough for a list."""
    words = link.condition.split()
    return " ".join(words[:OPTION_WORDS]) + (" ..." if len(words) > OPTION_WORDS else "")


def body_from(unit: LogicUnit, line: int, end: int | None = None) -> str:
    """The body from a line of the document on, to its end or another line; all of it when the line is not in it.

    A rewritten body is not taken apart: a part of its lines alone gives nothing.
    """
    if unit.rewritten:
        whole = end is None or (line <= unit.start and end >= unit.body_spans[-1].end)
        return unit.body if whole else ""
    source = Source(unit.body)
    before = 0
    for span in unit.body_spans:
        if span.start <= line <= span.end:
            last = len(source) if end is None else before + min(end, span.end) - span.start + 1
            return source.slice(before + line - span.start + 1, last)
        before += span.end - span.start + 1
    return unit.body if end is None else ""


def _adjoining(unit: LogicUnit, units: Sequence[LogicUnit]) -> LogicUnit | None:
    """The next unit of the same section, where it continues the same run of steps."""
    place = Place(unit.place.anchor, unit.place.number + 1)
    return next((other for other in units if other.place == place and other.type == unit.type), None)


def _citations(shown: Sequence[LogicUnit], line: int) -> tuple[Span, ...]:
    """The lines that are shown, as one span where they adjoin, then all others of the units."""
    first = shown[0]
    line = first.start if first.rewritten else line
    cited = [Span(first.document_id, max(span.start, line), span.end) for span in first.body_spans if span.end >= line]
    if len(shown) > 1 and cited:
        cited = [Span(first.document_id, cited[0].start, shown[-1].body_spans[-1].end)]
    rest = [span for unit in shown for span in unit.spans if span not in cited]
    return (*cited, *rest)
