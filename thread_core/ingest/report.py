"""What an ingest has done: while it runs, and at its end as one value that people read and programs keep."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from thread_core.errors import BadDocument
from thread_core.fidelity import MergeReport, Report
from thread_core.linking import BrokenLink, LinkState
from thread_core.models import Model
from thread_core.ports import Usage


class Failure(Model):
    """A document that was not taken in; the store holds what it held of it."""

    document_id: str
    reason: str

    @classmethod
    def of(cls, error: BadDocument) -> Failure:
        """The same as a value."""
        return cls(document_id=error.document_id, reason=error.reason)

    def __str__(self) -> str:
        """One line for a person."""
        return f"{self.document_id}: {self.reason}"


class Progress(Model):
    """How far a run has come. All counts are of this run, and none goes back."""

    documents: int = 0
    """Documents that are dealt with: taken in, unchanged or failed."""
    units: int = 0
    """Units of the documents that were taken apart."""
    written: int = 0
    """Units that were added, moved or removed in the store."""
    usage: Usage = Usage()
    """What models cost."""


class IngestReport(Model):
    """What a run took in, and what it changed. JSON both ways: `model_dump_json`, `model_validate_json`."""

    reports: tuple[Report, ...] = ()
    """One for each document that was taken apart; those that were known to be unchanged have none."""
    unchanged: int = 0
    """Documents that were not taken apart again, because the store holds them as they are."""
    units: Mapping[str, int] = Field(default_factory=dict)
    """Units of the documents that were taken apart, by type."""
    links: Mapping[LinkState, int] = Field(default_factory=dict)
    """Links of these documents to other documents, by what became of them."""
    broken: tuple[BrokenLink, ...] = ()
    """The dangling, the ambiguous and the moved ones."""
    newly_dangling: tuple[BrokenLink, ...] = ()
    """Links of other documents that led to what this run has changed or removed, and lead nowhere now."""
    added: int = 0
    moved: int = 0
    """Units that say the same and whose lines or links' targets are others now."""
    removed: int = 0
    embedded: int = 0
    """Headers that the embedding was asked for."""
    pruned: tuple[str, ...] = ()
    """Documents that were removed because they are no longer there."""
    recovered: tuple[str, ...] = ()
    """What a run that was cut short had begun and this one finished or undid, one line each."""
    failures: tuple[Failure, ...] = ()
    left: tuple[str, ...] = ()
    """Documents whose turn did not come, and"""
    stopped: str = ""
    """why."""
    merges: tuple[MergeReport, ...] = ()
    """Chains of these documents, and units that say the same as those of others since this run."""
    usage: Usage = Usage()
    """What models cost."""
    seconds: Mapping[str, float] = Field(default_factory=dict)
    """By the clock, of each stage: read, extract, compare, embed, write."""

    @property
    def changed(self) -> bool:
        """Whether the store is another one than before."""
        return bool(self.added or self.moved or self.removed)

    @property
    def coverage(self) -> float:
        """Share of the lines of the documents taken apart that are in some unit, 0 to 1."""
        lines = sum(report.lines for report in self.reports)
        return sum(report.lines_kept for report in self.reports) / lines if lines else 1.0
