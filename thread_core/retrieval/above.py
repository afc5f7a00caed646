"""What a document says elsewhere to whoever begins at one of its units: before its first step, and in warnings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from thread_core.documents.boxes import boxes
from thread_core.models import LogicUnit
from thread_core.places import first_step, is_around, text_at
from thread_core.retrieval.prerequisites import decidable
from thread_core.text import sentences
from thread_core.text.words import content_words


def above(unit: LogicUnit, units: Sequence[LogicUnit]) -> tuple[str, ...]:
    """What is to be told to a reader who begins at a unit, besides what it says and needs itself."""
    elsewhere = (span for span in unit.warnings if unit.line_in_body(span.start) is None)
    warned = (box.text for span in elsewhere for box in boxes(text_at(span, units)))
    told = dict.fromkeys((*needed(unit, units), *warned))
    return tuple(text for text in told if text not in unit.prerequisites)


def needed(unit: LogicUnit, units: Sequence[LogicUnit]) -> tuple[str, ...]:
    """What a document says before its first step to whoever begins it, for a reader who begins at a later one.

    Returns:
        Those prerequisites of the first step that stand in no step: in an introduction, or in a section for them, and
        of these what holds for the section of the unit too. Empty where the unit is the first step, and of what
        excludes readers none: that is a prerequisite of each step for itself.
    """
    first = first_step(units)
    if first is None or first.position >= unit.position or not first.prerequisites:
        return ()
    said = [content_words(one.body) for one in units if one.position < first.position and is_around(one, unit)]
    return tuple(text for text in first.prerequisites if not decidable(text) and _stands_in(text, said))


def _stands_in(text: str, said: Iterable[set[str]]) -> bool:
    words = content_words(text.removeprefix(f"{sentences.WARNING} "))
    return any(words <= one for one in said)
