"""A document's units as its page shows them: steps in sections, each with its lines and where its options lead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from thread_core.documents.blocks.fences import Fence
from thread_core.layout import is_next
from thread_core.models import LinkAction, LogicUnit, Span
from thread_core.places import text_at
from thread_core.retrieval.above import needed
from thread_core.shelf import Destination, Leads, Shelf, Way
from thread_core.text import header
from thread_core.text.scripts import beginning
from thread_view.findings import Finding

WORDS = 14
"""Words of a step that its node shows."""


class Row(NamedTuple):
    """A line of a step as it stands in the document."""

    number: int
    """1-based; 0 where the body was written anew and has no lines of its own."""
    text: str
    is_code: bool


class Option(NamedTuple):
    """A link of a step."""

    name: str
    """Tells it from the others of its document: "12-0"."""
    condition: str
    """Empty where the link holds in any case."""
    words: str
    """What the document says of where to go."""
    is_next: bool
    """Whether no line says so: it is only what comes next."""
    leads: Leads
    ending: str
    """Of an end, which one: resolved or escalate."""
    step: int | None
    """The number of the step to which it leads in this guide."""
    document_id: str
    """The other guide to which it leads, and"""
    goal: str
    """what that or the step is called."""
    place: str
    """The anchor's name on the page of that guide."""
    url: str
    """Of a page outside, where it is one of the web."""
    lines: str

    @property
    def label(self) -> str:
        """What the edge says."""
        return self.condition or ("next" if self.is_next else "in any case")


class Warned(NamedTuple):
    """A warning that holds for a step."""

    text: str
    lines: str
    is_elsewhere: bool


@dataclass(frozen=True, slots=True)
class Step:
    """A unit."""

    number: int
    """1-based in the guide. No person sees it: a document numbers its steps itself, see `called`."""
    unit: LogicUnit
    words: str
    lines: str
    rows: Sequence[Row]
    needs: Sequence[str]
    warnings: Sequence[Warned]
    options: Sequence[Option]
    findings: Sequence[Finding]

    @property
    def kind(self) -> str:
        """What the unit is for."""
        return str(self.unit.type)

    @property
    def called(self) -> str:
        """The numbers of its steps in the document: 4, or 1–3."""
        return _numbers(self.unit)

    @property
    def part(self) -> str:
        """The heading right above it, where that is not its section's."""
        above = self.unit.section[-1] if len(self.unit.section) > 1 else ""
        return "" if above == self.words else above

    @property
    def inside(self) -> int:
        """How many of its outcomes lead nowhere else."""
        return sum(option.leads is Leads.INSIDE for option in self.options)

    @property
    def name(self) -> str:
        """Its anchor on the page."""
        return f"step-{self.number}"


@dataclass(frozen=True, slots=True)
class Section:
    """The steps under one heading."""

    number: int
    name: str
    steps: Sequence[Step]


@dataclass(frozen=True, slots=True)
class Guide:
    """A document."""

    document_id: str
    title: str
    sections: Sequence[Section]
    findings: Sequence[Finding]
    """Those of no step."""

    @property
    def steps(self) -> Iterator[Step]:
        """All steps in reading order."""
        return (step for section in self.sections for step in section.steps)

    def numbers(self) -> Mapping[str, int]:
        """The steps' numbers by the ids of their units."""
        return {step.unit.id: step.number for step in self.steps}


def guide_of(shelf: Shelf, document_id: str, findings: Iterable[Finding] = ()) -> Guide:
    """What the page of a document shows."""
    units = shelf.units(document_id)
    numbers = {unit.id: number for number, unit in enumerate(units, 1)}
    found = [one for one in findings if one.document_id == document_id]
    ways: dict[str, list[Way]] = {}
    for way in shelf.ways(document_id):
        ways.setdefault(way.unit.id, []).append(way)
    steps = [
        Step(
            number,
            unit,
            beginning(" ".join(_lead(unit).split()), WORDS),
            lines_of(unit),
            tuple(rows(unit)),
            tuple(dict.fromkeys((*unit.prerequisites, *needed(unit, units)))),
            tuple(_warned(unit, units)),
            tuple(_options(shelf, number, ways.get(unit.id, ()), numbers)),
            [one for one in found if _is_of(one, unit)],
        )
        for number, unit in enumerate(units, 1)
    ]
    placed = {id(one) for step in steps for one in step.findings}
    title = units[0].title if units and units[0].title else document_id
    return Guide(document_id, title, tuple(_sections(steps)), [one for one in found if id(one) not in placed])


def rows(unit: LogicUnit) -> Iterator[Row]:
    """The lines of a unit's body by their numbers; those of one that was written anew have none."""
    fence = Fence()
    numbers = iter(()) if unit.rewritten else unit.numbers
    for line in unit.body.split("\n"):
        yield Row(next(numbers, 0), line, fence.reads(line))


def lines_of(unit: LogicUnit) -> str:
    """`4–9`, or `4` for a single line: those that are a unit's own."""
    span = unit.body_spans[0 if unit.rewritten else -1]
    return between(span)


def between(span: Span) -> str:
    """`4–9`, or `4` for a single line."""
    return f"{span.start}–{span.end}" if span.end > span.start else f"{span.start}"


def _lead(unit: LogicUnit) -> str:
    """What a unit is for, without the sections that stand above it on the page."""
    above = header.compose(unit.title, unit.section)
    if unit.header == above or not unit.header.startswith(above):
        return unit.section[-1] if unit.section else unit.title or unit.header
    return unit.header.removeprefix(f"{above}: ")


def _sections(steps: Sequence[Step]) -> Iterator[Section]:
    runs = groupby(steps, lambda step: step.unit.section[:1])
    for number, (path, own) in enumerate(runs, 1):
        yield Section(number, path[0] if path else "", tuple(own))


def _is_of(finding: Finding, unit: LogicUnit) -> bool:
    if finding.unit_id:
        return finding.unit_id == unit.id
    return any(span.start <= finding.first <= span.end for span in unit.spans)


def _warned(unit: LogicUnit, units: Sequence[LogicUnit]) -> Iterator[Warned]:
    for span in unit.warnings:
        if text := text_at(span, units):
            yield Warned(text, between(span), unit.line_in_body(span.start) is None)


def _options(shelf: Shelf, number: int, ways: Iterable[Way], numbers: Mapping[str, int]) -> Iterator[Option]:
    for nth, way in enumerate(ways):
        goal, link = way.destination, way.link
        is_here = goal.unit is not None and goal.document_id == way.unit.document_id
        yield Option(
            name=f"{number}-{nth}",
            condition=link.condition,
            words="" if is_next(link) else link.query,
            is_next=is_next(link),
            leads=goal.leads,
            ending=link.action.value.lower() if link.action.ends else "",
            step=numbers.get(goal.unit.id) if is_here and goal.unit and goal.leads is Leads.STEP else None,
            document_id="" if is_here or goal.unit is None else goal.document_id,
            goal=_called(way, goal, numbers),
            place="" if is_here or goal.unit is None else _place(shelf, goal.unit),
            url=_url(link.target.document if link.target else ""),
            lines=between(link.evidence) if link.evidence else "",
        )


def _called(way: Way, goal: Destination, numbers: Mapping[str, int]) -> str:
    """Where a link leads, for a person."""
    name = way.link.target.document if way.link.target else ""
    match goal.leads:
        case Leads.STEP if goal.unit is not None:
            if goal.unit.id in numbers:
                words, first = beginning(_lead(goal.unit), WORDS), min(goal.unit.steps, default=0)
                return f"step {first}: {words}" if first else f"{words}, line {goal.unit.start}"
            return header.compose(goal.unit.title, goal.unit.section)
        case Leads.END:
            return "the problem is solved" if way.link.action is LinkAction.RESOLVED else "hand it over"
        case Leads.INSIDE:
            return "stays in this step"
        case Leads.SEARCH:
            return f"whatever fits “{way.link.query}”"
        case Leads.OUTSIDE:
            return name
        case Leads.AMBIGUOUS:
            return f"{name} may mean {len(goal.candidates)} guides"
    return (
        f"{goal.document_id} has no such section or step"
        if goal.document_id
        else f"{name} is not a guide in this store"
    )


def _numbers(unit: LogicUnit) -> str:
    first, last = min(unit.steps, default=0), max(unit.steps, default=0)
    return str(first or "") if first == last else f"{first}–{last}"


def _place(shelf: Shelf, unit: LogicUnit) -> str:
    units = shelf.units(unit.document_id)
    return f"step-{next((at for at, one in enumerate(units, 1) if one.id == unit.id), 1)}"


def _url(name: str) -> str:
    """An address that a browser may be sent to; of anything else, nothing."""
    return name if name.lower().startswith(("https://", "http://")) else ""
