"""What a check of guides has found, as it is shown: whoever checks gives values of this shape."""

from __future__ import annotations

from typing import Protocol


class Finding(Protocol):
    """One thing that somebody may want to mend in a document."""

    @property
    def rule(self) -> str:
        """The rule's short name, as T101."""

    @property
    def name(self) -> str:
        """The rule's name in words, with hyphens."""

    @property
    def severity(self) -> str:
        """How bad it is."""

    @property
    def document_id(self) -> str:
        """Of which document it is."""

    @property
    def first(self) -> int:
        """The first line, 1-based."""

    @property
    def last(self) -> int:
        """The last line, included."""

    @property
    def message(self) -> str:
        """What was found, in a sentence."""

    @property
    def unit_id(self) -> str | None:
        """The unit to which it belongs."""
