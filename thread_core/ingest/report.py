"""What an ingest has done: while it runs, and at its end as one value that people read and programs keep."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from pydantic import Field

from thread_core.errors import BadDocument
from thread_core.extraction.fidelity import Extraction, MergeReport, Report
from thread_core.extraction.unit_lines import UnitLines
from thread_core.linking import BrokenLink, LinkState
from thread_core.models import Model, encodable
from thread_core.ports import Usage

_BY_NO_MODEL = ("rules", UnitLines.name)


class Failure(Model):
    """A document that was not taken in; the store holds what it held of it."""

    document_id: str
    reason: str

    @classmethod
    def of(cls, error: BadDocument) -> Failure:
        """The same as a value."""
        return cls(document_id=encodable(error.document_id), reason=encodable(error.reason))

    def __str__(self) -> str:
        """One line for a person."""
        return f"{self.document_id}: {self.reason}"


class Progress(Model):
    """How far a run has come. All counts are of this run, and none goes back."""

    documents: int = 0
    """Documents that are dealt with: taken in, unchanged, empty or failed."""
    units: int = 0
    """Units of the documents that were taken apart."""
    written: int = 0
    """Units that were added, moved or removed in the store."""
    usage: Usage = Usage()
    """What models cost."""


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


class IngestReport(Model):
    """What a run took in, and what it changed. JSON both ways: `model_dump_json`, `model_validate_json`."""

    at: str = Field(default_factory=_now)
    """When the run ended, in UTC: 2026-11-23T01:00:07Z."""
    store: str = ""
    """Where the units are, as the command was told."""
    ok: bool = False
    """Whether it came to its end, and every document that it was given was taken in, but for empty ones."""
    reports: tuple[Report, ...] = ()
    """One for each document that was taken apart; those that were known to be unchanged have none."""
    unchanged: int = 0
    """Documents that were not taken apart again, because the store holds them as they are."""
    empty: tuple[str, ...] = ()
    """Documents without text, of which the store holds nothing: there is nothing to take in."""
    units: Mapping[str, int] = Field(default_factory=dict)
    """Units of the documents that were taken apart, by type."""
    links: Mapping[LinkState, int] = Field(default_factory=dict)
    """Links of these documents to other documents, by what became of them; and to own sections that are not there."""
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
    vanished: tuple[str, ...] = ()
    """Documents that came from the same source before, and were not among those of this run; the store holds them."""
    other_files: Mapping[str, int] = Field(default_factory=dict)
    """Files that were not read because of their kind, by the ending of their names, as far as who reads files tells."""
    pruned: tuple[str, ...] = ()
    """Documents that were removed: they had vanished, or their names were given."""
    recovered: tuple[str, ...] = ()
    """What a run that was cut short had begun and this one finished or undid, one line each."""
    failures: tuple[Failure, ...] = ()
    left: tuple[str, ...] = ()
    """Documents whose turn did not come, and"""
    stopped: str = ""
    """why; empty where the run came to its end."""
    merges: tuple[MergeReport, ...] = ()
    """Chains of these documents, and units that say the same as those of others since this run."""
    usage: Usage = Usage()
    """What models cost."""
    seconds: Mapping[str, float] = Field(default_factory=dict)
    """By the clock, of each stage: read, extract, compare, embed, write; of several writers, all together."""

    @property
    def changed(self) -> bool:
        """Whether the store is another one than before."""
        return bool(self.added or self.moved or self.removed)

    @property
    def documents_in_words(self) -> str:
        """How many documents were taken in and what became of the others, in words."""
        by_model = sum(report.extractor not in _BY_NO_MODEL for report in self.reports)
        counts = {
            "unchanged": self.unchanged,
            "empty": len(self.empty),
            "failed": len(self.failures),
            "left": len(self.left),
            "removed": len(self.pruned),
        }
        taken = f"{len(self.reports):,} taken in{f' ({by_model:,} by the model)' if by_model else ''}"
        return ", ".join([taken, *(f"{count:,} {what}" for what, count in counts.items() if count)])

    @property
    def changes_in_words(self) -> str:
        """How many units came, moved and went, in words."""
        return f"{self.added:,} added, {self.moved:,} moved, {self.removed:,} removed"

    def __str__(self) -> str:
        """What a log should have of it: a line, and one for all that failed."""
        failed = [f"failed: {failure}" for failure in self.failures]
        stopped = [f"stopped: {self.stopped}"] if self.stopped else []
        return "\n".join([f"documents: {self.documents_in_words}; units: {self.changes_in_words}", *failed, *stopped])

    @property
    def coverage(self) -> float:
        """Share of the lines of the documents taken apart that are in some unit, 0 to 1."""
        lines = sum(report.lines for report in self.reports)
        return sum(report.lines_kept for report in self.reports) / lines if lines else 1.0


class Tally:
    """Counts what a run does, and tells whoever wants to know."""

    def __init__(self, progress: Callable[[Progress], None] | None = None) -> None:
        self.reports: list[Report] = []
        self.failures: list[Failure] = []
        self.unchanged = 0
        self.left: list[str] = []
        self._empty: list[str] = []
        self.embedded = 0
        self.pruned: list[str] = []
        self.recovered: list[str] = []
        self.merges: list[MergeReport] = []
        self._progress = progress
        self._units: Counter[str] = Counter()
        self._written: Counter[str] = Counter()
        self._usage = Usage()
        self._seconds: dict[str, float] = defaultdict(float)
        self._stages: list[str] = []
        self._since = 0.0

    def passed_over(self) -> None:
        """A document is unchanged."""
        self.unchanged += 1
        self._tell()

    def empty(self, document_id: str) -> None:
        """A document has no text."""
        self._empty.append(document_id)
        self._tell()

    def failed(self, error: BadDocument) -> None:
        """A document was not taken in."""
        self.failures.append(Failure.of(error))
        self._tell()

    def took(self, extraction: Extraction) -> None:
        """A document was taken apart."""
        self.reports.append(extraction.report)
        self.merges += extraction.report.merges
        self._units.update(str(unit.type) for unit in extraction.units)
        self._usage += extraction.report.usage
        self._tell()

    def wrote(self, *, new: int = 0, moved: int = 0, gone: int = 0) -> None:
        """Units were written."""
        self._written.update(new=new, moved=moved, gone=gone)
        self._tell()

    def add(self, report: IngestReport) -> None:
        """Count what a part of the run has done, elsewhere."""
        self.reports += report.reports
        self.failures += report.failures
        self.unchanged += report.unchanged
        self.left += report.left
        self._empty += report.empty
        self.embedded += report.embedded
        self.recovered += report.recovered
        self.merges += report.merges
        self._units.update(report.units)
        self._written.update(new=report.added, moved=report.moved, gone=report.removed)
        self._usage += report.usage
        for stage, seconds in report.seconds.items():
            self._seconds[stage] += seconds
        self._tell()

    @contextmanager
    def clock(self, stage: str) -> Iterator[None]:
        """Count the time of a stage; that of another one within it counts as that one's alone."""
        self._lap()
        self._stages.append(stage)
        try:
            yield
        finally:
            self._lap()
            self._stages.pop()

    def report(self, *, left: tuple[str, ...] = (), stopped: str = "", **at_the_end: Any) -> IngestReport:
        """All of it as a value, with what is known at the end only: fields of the report, by name."""
        return IngestReport(
            ok=not (self.failures or left or stopped),
            reports=tuple(self.reports),
            unchanged=self.unchanged,
            empty=tuple(self._empty),
            units=dict(self._units),
            added=self._written["new"],
            moved=self._written["moved"],
            removed=self._written["gone"],
            embedded=self.embedded,
            pruned=tuple(self.pruned),
            recovered=tuple(self.recovered),
            failures=tuple(self.failures),
            left=left,
            stopped=stopped,
            merges=tuple(self.merges),
            usage=self._usage,
            seconds={stage: round(seconds, 3) for stage, seconds in self._seconds.items()},
            **at_the_end,
        )

    def _lap(self) -> None:
        now = time.perf_counter()
        if self._stages:
            self._seconds[self._stages[-1]] += now - self._since
        self._since = now

    def _tell(self) -> None:
        if self._progress is not None:
            done = len(self.reports) + len(self.failures) + len(self._empty) + self.unchanged
            written = self._written.total()
            self._progress(Progress(documents=done, units=self._units.total(), written=written, usage=self._usage))
