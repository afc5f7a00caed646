"""What `thread-rag ingest` prints: its progress, what was ingested, and what a person may want to fix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar
from rich.text import Text

from thread_core.documents import markup
from thread_core.errors import BadDocument
from thread_core.extraction.fidelity import Decisions, Report
from thread_core.ingest import Failure, IngestReport, Progress
from thread_core.linking import LinkState
from thread_core.ports import Usage
from thread_core.text.safe import one_line
from thread_rag.rendering import LISTED, list_some, print_text, say

if TYPE_CHECKING:
    from thread_core.llm.costs import Price
    from thread_rag.extracting import Estimate

WORST = 3
"""How many documents with unlinked conditions, and how many unread drawings, are named."""

_STATES = {
    LinkState.FOUND: "resolved",
    LinkState.MOVED: "moved",
    LinkState.DANGLING: "dangling",
    LinkState.AMBIGUOUS: "ambiguous",
    LinkState.OUTSIDE: "outside",
}

Rows = list[tuple[str, str]]


@contextmanager
def a_bar(console: Console, total: int, price: Price | None = None) -> Iterator[Callable[[Progress], None]]:
    """Show a progress bar of the documents, if the output is a terminal."""
    columns = (
        BarColumn(bar_width=None),
        TextColumn("{task.completed:,.0f}/{task.total:,.0f} documents{task.fields[counts]}", markup=False),
        TimeElapsedColumn(),
    )
    with Bar(*columns, console=console, transient=True, expand=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=total, counts="")

        def show(progress: Progress) -> None:
            bar.update(task, completed=progress.documents, counts=_counts(progress, price))

        yield show


def show_vanished(console: Console, gone: Sequence[str]) -> None:
    """List documents whose files are gone."""
    say(console, f"The files of {_some(gone, 'document')} are gone.", "yellow")


def show_summary(console: Console, summary: IngestReport) -> None:
    """Print what was ingested, what changed, and what a person may want to fix."""
    list_some(console, [f"recovered: {line}" for line in summary.recovered], "documents")
    if summary.reports or summary.unchanged:
        _show(console, _rows(summary))
        console.print(_changes(summary))
        list_some(console, [f"{broken.state.value}: {broken}" for broken in summary.broken], "links")
        list_some(console, [f"newly dangling: {broken}" for broken in summary.newly_dangling], "links")
        list_some(console, [f"note: {problem}" for problem in _problems(summary)], "notes")
        by_rules = (report for report in summary.reports if report.extractor == "rules")
        if other := [report.document_id for report in by_rules if not report.english]:
            say(console, f"note: {_some(other, 'document')} not in English: only the structure was read", "yellow")
    if summary.vanished:
        files = _some(summary.vanished, "document")
        say(console, f"note: the files of {files} are gone; --prune removes the documents from the store", "yellow")
    if summary.empty:
        say(console, f"note: skipped {_some(summary.empty, 'empty document')}", "yellow")
    if summary.other_files:
        counted = sorted(summary.other_files.items(), key=lambda one: (-one[1], one[0]))
        kinds = ", ".join(f"{one_line(ending) or 'no ending'} {count:,}" for ending, count in counted[:LISTED])
        say(console, f"note: skipped files of other kinds: {kinds}", "yellow")
        markups = (markup.by_ending(f"guide{ending}") for ending, _ in counted)
        for kind in dict.fromkeys(filter(None, markups)):
            say(console, f"note: convert {kind.name} to Markdown, {kind.mend}", "yellow")
    show_failures(console, summary.failures)
    if summary.stopped:
        console.print(Text(f"stopped: {one_line(summary.stopped)}", style="red"), soft_wrap=True)
        list_some(console, [f"not reached: {document_id}" for document_id in summary.left], "documents")


def show_spending(console: Console, usage: Usage, price: Price | None) -> None:
    """Print what a run has cost."""
    rows: Rows = []
    rows.append(("Calls", f"{usage.calls:,}, and {usage.recalled:,} replies from the cache"))
    rows.append(("Tokens", f"{usage.prompt_tokens:,} in, {usage.completion_tokens:,} out"))
    if price:
        rows.append(("Cost", f"{price.of(usage):.4f}"))
    _show(console, rows)


def show_estimate(console: Console, estimate: Estimate, price: Price | None) -> None:
    """Print what a run would cost."""
    rows: Rows = []
    usage = estimate.usage
    rows.append(("Documents", f"{estimate.documents:,}, {estimate.unasked:,} of them without a call"))
    rows.append(("Calls", f"{usage.calls}"))
    rows.append(("Tokens", f"about {usage.prompt_tokens:,} in, at most about {usage.completion_tokens:,} out"))
    if price:
        rows.append(("Cost", f"at most about {price.of(usage):.4f}"))
    _show(console, rows)
    console.print("Nothing was asked and nothing was written.")
    show_failures(console, estimate.failures)


def show_failures(console: Console, failures: Iterable[BadDocument | Failure]) -> None:
    """Print the documents that failed, with the reasons."""
    for failure in failures:
        console.print(Text(f"failed: {one_line(str(failure))}", style="red"), soft_wrap=True)


def _problems(summary: IngestReport) -> list[str]:
    """Return the problems of documents that were ingested, each once; first those of documents read by rules."""
    reports = sorted(summary.reports, key=lambda report: report.extractor != "rules")
    documents: dict[str, list[str]] = {}
    for report in reports:
        for problem in report.problems:
            documents.setdefault(problem, []).append(report.document_id)
    return [
        f"{first}{f' and {len(others):,} more' if others else ''}: {problem}"
        for problem, (first, *others) in documents.items()
    ]


def _show(console: Console, rows: Rows) -> None:
    """Print names and values side by side. In a pipe, each is one line."""
    width = len("Lines covered")
    for name, said in rows:
        print_text(console, Text(f"{name:<{width}}  {said}"), indent=width + 2)


def _rows(summary: IngestReport) -> Rows:
    rows: Rows = []
    rows.append(("Documents", summary.documents_in_words))
    if summary.units:
        types = ", ".join(f"{one_line(name)} {count:,}" for name, count in Counter(summary.units).most_common())
        rows.append(("Units", f"{sum(summary.units.values()):,} ({types})"))
    if lines := sum(report.lines for report in summary.reports):
        kept = sum(report.code_blocks_kept for report in summary.reports)
        rows.append(("Lines covered", f"{summary.coverage:.1%} of {lines:,}"))
        rows.append(("Code blocks", f"{kept:,} of {sum(report.code_blocks for report in summary.reports):,} whole"))
    if unread := [str(span) for report in summary.reports for span in report.unread]:
        others = f" and {len(unread) - WORST:,} more" if len(unread) > WORST else ""
        rows.append(
            ("Drawings", f"{len(unread):,} not read as a procedure: {', '.join(map(one_line, unread[:WORST]))}{others}")
        )
    if read := [report.decisions for report in summary.reports if report.decisions.found]:
        rows.append(("Decisions", _decisions(read)))
    if any(report.conditions for report in summary.reports):
        rows.append(("Conditions", _conditions(summary.reports)))
    links = ", ".join(f"{summary.links.get(state, 0):,} {word}" for state, word in _STATES.items())
    newly = f", {len(summary.newly_dangling):,} newly dangling" if summary.newly_dangling else ""
    rows.append(("Links", f"{links}{newly}"))
    if too_large := [span for report in summary.reports for span in report.too_large]:
        lines = sum(span.start == span.end for span in too_large)
        rows.append(
            (
                "Oversized",
                f"{len(too_large) - lines:,} split into several units, {lines:,} of one line kept whole",
            )
        )
    if summary.merges:
        units = sum(len(merge.units) for merge in summary.merges)
        rows.append(("Merged", f"{units:,} units shown as {len(summary.merges):,}"))
    if summary.embedded:
        rows.append(("Embedded", f"{summary.embedded:,} headers"))
    rows.append(("Seconds", ", ".join(f"{stage} {took:.1f}" for stage, took in summary.seconds.items())))
    return rows


def _decisions(read: Sequence[Decisions]) -> str:
    """Say how many outcomes were read, and where they lead."""
    counts = {
        "lead to another step": sum(one.onward for one in read),
        "say what to do": sum(one.here for one in read),
        "end the guide": sum(one.ending for one in read),
        "lead nowhere": sum(one.lost for one in read),
    }
    told = ", ".join(f"{count:,} {what}" for what, count in counts.items() if count)
    return f"{sum(counts.values()):,} outcomes: {told}"


def _conditions(reports: Sequence[Report]) -> str:
    """Say how many conditions lead somewhere, and in which documents the fewest do."""
    linked, stated = sum(one.conditions_linked for one in reports), sum(one.conditions for one in reports)
    by_model = sum(one.conditions_linked_by_model for one in reports)
    worst = sorted(reports, key=lambda report: len(report.unlinked), reverse=True)[:WORST]
    fewest = [
        f"{one_line(one.document_id)} ({one.conditions_linked} of {one.conditions})" for one in worst if one.unlinked
    ]
    whose = f", {by_model:,} of them by the model" if by_model else ""
    return f"{linked:,} of {stated:,} linked{whose}{'; fewest in ' if fewest else ''}{', '.join(fewest)}"


def _changes(summary: IngestReport) -> str:
    if not summary.changed:
        held = "these" if summary.ok else f"{summary.unchanged:,} of these"
        return f"Nothing changed: the store already has {held} documents."
    return f"Units: {summary.changes_in_words}."


def _counts(progress: Progress, price: Price | None) -> str:
    counts = [f"{progress.units:,} units", f"{progress.written:,} written"]
    if tokens := progress.usage.prompt_tokens + progress.usage.completion_tokens:
        counts.append(f"{tokens:,} tokens")
    if price:
        counts.append(f"cost {price.of(progress.usage):.4f}")
    return "".join(f", {count}" for count in counts)


def _some(document_ids: Sequence[str], kind: str) -> str:
    """Return how many there are, with the names of the first ones."""
    count = len(document_ids)
    named = ", ".join(map(one_line, document_ids[:LISTED]))
    return f"{count:,} {kind}{'s' * (count > 1)} ({named}{f' and {count - LISTED:,} more' if count > LISTED else ''})"
