"""Units -> a flat list of what stands in them to be done, in order: the second form of an answer beside its text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from thread_core.documents.applicability.gates import gate_of
from thread_core.documents.cases import heading_condition
from thread_core.models import LogicUnit, LogicUnitType, Model, Passage, Span
from thread_core.text.header import unnumbered

_NO_STEPS = (LogicUnitType.BACKGROUND, LogicUnitType.TERMINOLOGY, LogicUnitType.APPENDIX)
_MARKER = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?")


class Instruction(Model):
    """One thing to do: a paragraph, an item with all that stands inside it, or a table."""

    text: str
    """As the document has it, without the mark of the item."""
    when: str = ""
    """The condition, version or platform that headings state, and which guide must be meant where it is another than
    the one that fits best; empty where it is always due."""
    citations: tuple[Span, ...]
    """The lines that say so."""


def instructions(units: Iterable[LogicUnit], plan: frozenset[str] | None = None) -> Iterator[Instruction]:
    """What stands in some units, in their order; what units say in the background is left out.

    Args:
        units: What is told.
        plan: The documents whose steps are due; without it, all. What the others tell is due where they are meant.
    """
    for unit in units:
        if unit.type in _NO_STEPS:
            continue
        is_due = plan is None or unit.document_id in plan
        headings = [unnumbered(heading) for heading in unit.section]
        stated = (heading_condition(said) or gate_of(said) for said in headings)
        guide = "" if is_due else f"the guide that fits is “{unit.title}”"
        when = "; ".join(filter(None, (guide, *stated)))
        lines = unit.body.split("\n")
        for first, last in _told(unit.passages):
            text = _MARKER.sub("", "\n".join(lines[first - 1 : last]), count=1)
            yield Instruction(text=text, when=when, citations=(unit.lines_of(first, last),))


def _told(passages: Iterable[Passage]) -> Iterator[tuple[int, int]]:
    """Lines that are told together: what stands inside of an item goes with it, and rows with each other."""
    begun: Passage | None = None
    for one in passages:
        is_inside = begun is not None and begun.kind == "item" and one.indent > begun.indent
        if begun is not None and (is_inside or one.kind == begun.kind == "row"):
            begun = begun._replace(last=one.last)
            continue
        if begun is not None:
            yield begun.first, begun.last
        begun = one
    if begun is not None:
        yield begun.first, begun.last
