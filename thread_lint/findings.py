"""What a rule says of some lines of a document."""

from __future__ import annotations

from enum import StrEnum

from thread_core.models import Line, Model


class Severity(StrEnum):
    """How sure it is that a reader is harmed; the names are those of SARIF's levels."""

    ERROR = "error"
    """A reader cannot go on, or does what cannot be undone."""
    WARNING = "warning"
    """A reader has to guess."""
    NOTE = "note"
    """It could be written better."""


class Finding(Model):
    """A place of a document at which a rule is broken."""

    rule: str
    """The rule's code, such as `TR201`; a code that is gone is never given to another rule."""
    name: str
    """The rule's readable name, such as `dangling-link`."""
    severity: Severity
    document_id: str
    first: Line
    """Of the lines of the document; 1-based."""
    last: Line
    """Included."""
    message: str
    """One line in plain words: what was found, and what to do."""
    unit_id: str = ""
    """The logic unit that holds the lines; empty where none does."""
    fingerprint: str = ""
    """Stays as it is when lines above come and go: of the rule, the document and the words of the lines."""

    def __str__(self) -> str:
        """`disk.md:12: TR201 dangling-link: ...`."""
        return f"{self.document_id}:{self.first}: {self.rule} {self.name}: {self.message}"
