"""One document as two stores have it: where their units begin and end, and where their links lead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from thread_view.guide import Guide, Option, Step

Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class ComparedLink:
    """A link, in words."""

    words: str
    is_shared: bool


@dataclass(frozen=True, slots=True)
class ComparedUnit:
    """A unit of one side."""

    lines: str
    kind: str
    words: str
    is_shared: bool
    """Whether the other side has a unit of the same lines."""
    links: Sequence[ComparedLink]


@dataclass(frozen=True, slots=True)
class Row:
    """What begins at a line."""

    line: int
    left: Sequence[ComparedUnit]
    right: Sequence[ComparedUnit]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two readings of a document, by lines."""

    rows: Sequence[Row]
    same_units: int
    left_units: int
    right_units: int
    same_links: int
    left_links: int
    right_links: int


def compare(left: Guide, right: Guide) -> Comparison:
    """Hold two readings against each other.

    Units are the same where their bodies are the same lines; links where they say the same of the same line and lead
    to the same lines, document or end. The links to the next step in order are left out: they follow from the units.
    """
    units = [{_spans(step) for step in guide.steps} for guide in (left, right)]
    links = [{link for step in guide.steps for _, link in _links(guide, step)} for guide in (left, right)]
    by_line: dict[int, tuple[list[ComparedUnit], list[ComparedUnit]]] = {}
    for side, guide in enumerate((left, right)):
        for step in guide.steps:
            row = by_line.setdefault(step.unit.start, ([], []))
            row[side].append(_compared(guide, step, units[1 - side], links[1 - side]))
    return Comparison(
        [Row(line, *by_line[line]) for line in sorted(by_line)],
        len(units[0] & units[1]),
        len(units[0] - units[1]),
        len(units[1] - units[0]),
        len(links[0] & links[1]),
        len(links[0] - links[1]),
        len(links[1] - links[0]),
    )


Said = tuple[str, str, str]
"""A link's condition, line, and where it leads."""


def _compared(guide: Guide, step: Step, others: set[Spans], links: set[Said]) -> ComparedUnit:
    return ComparedUnit(
        step.lines,
        step.kind,
        step.words,
        _spans(step) in others,
        [ComparedLink(f"{option.label} → {option.goal}", link in links) for option, link in _links(guide, step)],
    )


def _spans(step: Step) -> Spans:
    return tuple((span.start, span.end) for span in step.unit.body_spans)


def _links(guide: Guide, step: Step) -> Iterable[tuple[Option, Said]]:
    starts = {one.number: str(one.unit.start) for one in guide.steps}
    for option in step.options:
        if not option.is_next:
            goal = starts[option.step] if option.step else f"{option.leads} {option.ending} {option.goal}"
            yield option, (option.condition, option.lines, goal)
