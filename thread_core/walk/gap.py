"""What a turn notes where its reply finds the guide wanting; `gaps` says when, and collects it over many walks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from pydantic import NonNegativeInt

from thread_core.models import Model


class GapKind(StrEnum):
    """In what way a reply found a guide wanting."""

    NOT_COVERED = "not covered"
    """Nothing in the guides speaks of what was reported."""
    NONE = "none of these"
    """No outcome of the step, or none of what a menu offered, was the case."""
    SKIPPED = "skipped"
    """The person went past the step without doing it."""
    HANDED_OVER = "handed over"
    """The person gave it up there."""
    ASKED = "asked"
    """They asked something back, and were answered from the guides."""
    NOT_ANSWERED = "not answered"
    """They asked something back, and nothing answers it."""
    NO_GUIDE = "no guide"
    """Nothing fits the question with which they began."""


class Gap(Model):
    """Where a reply found a guide wanting."""

    kind: GapKind
    said: str = ""
    """In the person's words; empty where they said nothing but that."""
    document_id: str = ""
    unit_id: str = ""
    header: str = ""
    """Of the step at hand; all three are empty where there was none."""
    first: NonNegativeInt = 0
    last: NonNegativeInt = 0
    """The lines of its body that were shown, 1-based, both included."""
    start: NonNegativeInt = 0
    end: NonNegativeInt = 0
    """The same as lines of the document, as it was then."""
    known: tuple[str, ...] = ()
    """The conditions of the outcomes that it knew."""


@dataclass(frozen=True, slots=True)
class NoteGap:
    """That the reply at hand finds the guide wanting -> None."""

    kind: GapKind
