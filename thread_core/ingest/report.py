"""What an ingest does: its progress while it runs, and its report at the end."""

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
    """A document that was not ingested. The store keeps its old units."""

    document_id: str
    reason: str

    @classmethod
    def of(cls, error: BadDocument) -> Failure:
        """Return an error as a value."""
        return cls(document_id=encodable(error.document_id), reason=encodable(error.reason))

    def __str__(self) -> str:
        """Return one line for a person."""
        return f"{self.document_id}: {self.reason}"


class Progress(Model):
    """How far a run is. All counts are of this run, and only grow."""

    documents: int = 0
    """Documents that are finished: ingested, unchanged, empty or failed."""
    units: int = 0
    """Units of the documents that were split."""
    written: int = 0
    """Units that were added, moved or removed in the store."""
    usage: Usage = Usage()
    """What models cost."""


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


class IngestReport(Model):
    """What a run ingested and changed. As JSON: `model_dump_json`, `model_validate_json`."""

    at: str = Field(default_factory=_now)
    """When the run ended, in UTC: 2026-11-23T01:00:07Z."""
    store: str = ""
    """Where the units are, as the command was told."""
    ok: bool = False
    """Whether the run finished and every document was ingested, apart from empty ones."""
    reports: tuple[Report, ...] = ()
    """One for each document that was split; unchanged documents have none."""
    unchanged: int = 0
    """Documents that were not split again, because the store has them already."""
    empty: tuple[str, ...] = ()
    """Documents without text that the store has no units of."""
    units: Mapping[str, int] = Field(default_factory=dict)
    """Units of the documents that were split, by type."""
    links: Mapping[LinkState, int] = Field(default_factory=dict)
    """Links of these documents to other documents, and to missing sections of their own, by state."""
    broken: tuple[BrokenLink, ...] = ()
    """The dangling, ambiguous and moved links."""
    newly_dangling: tuple[BrokenLink, ...] = ()
    """Links of other documents that lead nowhere since this run changed or removed their targets."""
    added: int = 0
    moved: int = 0
    """Units with the same text whose lines or links' targets have changed."""
    removed: int = 0
    embedded: int = 0
    """Headers that were embedded."""
    vanished: tuple[str, ...] = ()
    """Documents of the same source that were not in this run; the store still has them."""
    other_files: Mapping[str, int] = Field(default_factory=dict)
    """Files that were skipped because of their kind, by extension, if the reader of the files says so."""
    pruned: tuple[str, ...] = ()
    """Documents that were removed, because they had vanished or were named."""
    recovered: tuple[str, ...] = ()
    """What an interrupted run had begun and this one finished or undid, one line each."""
    failures: tuple[Failure, ...] = ()
    left: tuple[str, ...] = ()
    """Documents that were not reached."""
    stopped: str = ""
    """Why the run stopped; empty if it finished."""
    merges: tuple[MergeReport, ...] = ()
    """Chains that were merged in these documents, and units that this run merged with similar ones."""
    usage: Usage = Usage()
    """What models cost."""
    seconds: Mapping[str, float] = Field(default_factory=dict)
    """Wall-clock seconds of each stage: read, extract, compare, embed, write; with several writers, their sum."""

    @property
    def changed(self) -> bool:
        """Whether the run changed the store."""
        return bool(self.added or self.moved or self.removed)

    @property
    def documents_in_words(self) -> str:
        """How many documents were ingested, and what became of the others, in words."""
        by_model = sum(report.extractor not in _BY_NO_MODEL for report in self.reports)
        counts = {
            "unchanged": self.unchanged,
            "empty": len(self.empty),
            "failed": len(self.failures),
            "not reached": len(self.left),
            "removed": len(self.pruned),
        }
        taken = f"{len(self.reports):,} ingested{f' ({by_model:,} by the model)' if by_model else ''}"
        return ", ".join([taken, *(f"{count:,} {what}" for what, count in counts.items() if count)])

    @property
    def changes_in_words(self) -> str:
        """How many units were added, moved and removed, in words."""
        return f"{self.added:,} added, {self.moved:,} moved, {self.removed:,} removed"

    def __str__(self) -> str:
        """Return a line for a log, and a line for each failure."""
        failed = [f"failed: {failure}" for failure in self.failures]
        stopped = [f"stopped: {self.stopped}"] if self.stopped else []
        return "\n".join([f"documents: {self.documents_in_words}; units: {self.changes_in_words}", *failed, *stopped])

    @property
    def coverage(self) -> float:
        """Share of the lines of the split documents that are in a unit, 0 to 1."""
        lines = sum(report.lines for report in self.reports)
        return sum(report.lines_kept for report in self.reports) / lines if lines else 1.0


class Tally:
    """Counts what a run does, and reports progress."""

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
        """A document was not ingested."""
        self.failures.append(Failure.of(error))
        self._tell()

    def took(self, extraction: Extraction) -> None:
        """A document was split."""
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
        """Add the counts of a part of the run that was done elsewhere."""
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
        """Measure the time of a stage, without that of stages within it."""
        self._lap()
        self._stages.append(stage)
        try:
            yield
        finally:
            self._lap()
            self._stages.pop()

    def report(self, *, left: tuple[str, ...] = (), stopped: str = "", **at_the_end: Any) -> IngestReport:
        """Return the report, with the fields that are only known at the end."""
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
