"""What the terminal shows. Document text is untrusted: it passes `clean`, and nothing in it is read as markup.

Text of a document is printed as it stands, with colours for headings and code and no character dropped or
added, because people copy commands from it.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar
from rich.segment import Segment, Segments
from rich.text import Text

from thread_core.documents import markup
from thread_core.documents.blocks.fences import Fence
from thread_core.documents.leaning import OPPOSITE
from thread_core.documents.printed import PRINTED, Printed, cited, printed_at
from thread_core.errors import BadDocument
from thread_core.extraction.fidelity import Decisions, Report, unlinked
from thread_core.ingest import Failure, IngestReport, Progress
from thread_core.linking import LinkState
from thread_core.models import Document, Link, LogicUnit, Model
from thread_core.ports import Usage
from thread_core.shelf import Destination, Shelf
from thread_core.text.safe import clean, json_line, one_line
from thread_core.text.scripts import is_spaceless
from thread_core.walk.actions import action_of
from thread_core.walk.options import line_after, screen_at
from thread_core.walk.rendering import Turn
from thread_core.walk.state import SessionState
from thread_core.walk.states import Status
from thread_rag.reflowing import reflowed
from thread_rag.showing import in_words, lines_of

if TYPE_CHECKING:
    from thread_core.llm.costs import Price
    from thread_rag.extracting import Estimate

WORST = 3
"""Documents that are named for conditions that were not understood, and drawings that lead nobody."""
LISTED = 10
"""Broken links, problems and documents left that are printed one by one."""

_DUMB = ("dumb", "unknown")
"""Terminals that rich takes for ones of 80 columns."""
_STATES = {
    LinkState.FOUND: "resolved",
    LinkState.MOVED: "moved",
    LinkState.DANGLING: "dangling",
    LinkState.AMBIGUOUS: "ambiguous",
    LinkState.OUTSIDE: "outside",
}
_WORDS = re.compile(r"\s*\S+\s*")
_NEWLINE = re.compile(r"\r\n|\r|\n")
_VERBATIM = re.compile(r" {4}|\t|\s*\|")
_MARKER = re.compile(r"\s*(?:(?:[-*+•]|\d+[.)]|>)\s+)+")
"""What stands before an item or a quote, whose lines are all as far in as its first word."""
_HEADING = re.compile(r"#{1,6}\s")
_INLINE = ((re.compile(r"`[^`]+`"), "cyan"), (re.compile(r"\*\*[^*]+\*\*"), "bold"))


Rows = list[tuple[str, str]]


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to who knows how a command ends (`ending`)."""
        raise BrokenPipeError(errno.EPIPE, "nobody reads any more")


def a_console(*, stderr: bool = False) -> Console:
    """A console that takes every text literally."""
    columns, lines = shutil.get_terminal_size()
    is_dumb = os.environ.get("TERM", "").lower() in _DUMB
    size: dict[str, int] = {"width": columns, "height": lines} if is_dumb else {}
    return _Console(markup=False, emoji=False, highlight=False, stderr=stderr, **size)  # type: ignore[arg-type]


@contextmanager
def a_bar(console: Console, total: int, price: Price | None = None) -> Iterator[Callable[[Progress], None]]:
    """A bar over documents that are done, with what has come of them, where there is a terminal to show it."""
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
    """Which documents are there no longer."""
    say(console, f"Their files are gone: {_some(gone, 'document')}", "yellow")


def show_summary(console: Console, summary: IngestReport) -> None:
    """What was taken in, what changed, and what a person may want to mend."""
    _list(console, [f"recovered: {line}" for line in summary.recovered], "documents")
    if summary.reports or summary.unchanged:
        _show(console, _rows(summary))
        console.print(_changes(summary))
        _list(console, [f"{broken.state.value}: {broken}" for broken in summary.broken], "links")
        _list(console, [f"newly dangling: {broken}" for broken in summary.newly_dangling], "links")
        _list(console, [f"note: {problem}" for problem in _problems(summary)], "notes")
        by_rules = (report for report in summary.reports if report.extractor == "rules")
        if other := [report.document_id for report in by_rules if not report.english]:
            say(console, f"note: {_some(other, 'document')} not English: read by structure only", "yellow")
    if summary.vanished:
        files = _some(summary.vanished, "document")
        say(console, f"note: the files of {files} are gone; --prune removes them from the store", "yellow")
    if summary.empty:
        say(console, f"note: nothing was taken in of {_some(summary.empty, 'empty document')}", "yellow")
    if summary.other_files:
        counted = sorted(summary.other_files.items(), key=lambda one: (-one[1], one[0]))
        kinds = ", ".join(f"{one_line(ending) or 'no ending'} {count:,}" for ending, count in counted[:LISTED])
        say(console, f"note: files of other kinds were not read: {kinds}", "yellow")
        markups = (markup.by_ending(f"guide{ending}") for ending, _ in counted)
        for kind in dict.fromkeys(filter(None, markups)):
            say(console, f"note: make Markdown of {kind.name}, {kind.mend}", "yellow")
    show_failures(console, summary.failures)
    if summary.stopped:
        console.print(Text(f"stopped: {one_line(summary.stopped)}", style="red"), soft_wrap=True)
        _list(console, [f"left: {document_id}" for document_id in summary.left], "documents")


def show_spending(console: Console, usage: Usage, price: Price | None) -> None:
    """What a run has cost."""
    rows: Rows = []
    rows.append(("Calls", f"{usage.calls}, and {usage.recalled} replies that were kept from earlier"))
    rows.append(("Tokens", f"{usage.prompt_tokens:,} in, {usage.completion_tokens:,} out"))
    if price:
        rows.append(("Cost", f"{price.of(usage):.4f}"))
    _show(console, rows)


def show_estimate(console: Console, estimate: Estimate, price: Price | None) -> None:
    """What a run would cost."""
    rows: Rows = []
    usage = estimate.usage
    rows.append(("Documents", f"{estimate.documents}, of which {estimate.unasked} need no call"))
    rows.append(("Calls", f"{usage.calls}"))
    rows.append(("Tokens", f"about {usage.prompt_tokens:,} in, at most about {usage.completion_tokens:,} out"))
    if price:
        rows.append(("Cost", f"at most about {price.of(usage):.4f}"))
    _show(console, rows)
    console.print("Nothing was asked and nothing was written.")
    show_failures(console, estimate.failures)


def show_failures(console: Console, failures: Iterable[BadDocument | Failure]) -> None:
    """Documents that were not taken in, with reasons."""
    for failure in failures:
        console.print(Text(f"failed: {one_line(str(failure))}", style="red"), soft_wrap=True)


def show_turn(console: Console, turn: Turn) -> None:
    """A step with its citation and its numbered outcomes, or what else a session says."""
    # A step's first line is its header.
    told = turn.plain
    header, break_, rest = told.partition("\n")
    is_step = bool(turn.unit_ids and break_) and turn.status is not Status.ASKING
    text = rest if is_step else told
    console.print()
    if is_step:
        say(console, header, "bold")
    if turn.citations:
        say(console, f"{one_line(cited(turn.citations[0], turn.printed))}\n", "dim")
    show_document_text(console, _cropped(text, console.width) if turn.lists_options and console.is_terminal else text)
    if turn.options and not turn.lists_options:
        console.print()
    for number, option in enumerate(() if turn.lists_options else turn.options, start=1):
        numbered = f"  {number}  "
        _print(console, Text.assemble((numbered, "bold green"), one_line(option)), indent=len(numbered))
    for note in turn.notes:
        say(console, f"\nnote: {note}", "yellow")


def _cropped(text: str, width: int) -> str:
    """A menu whose quotes have a line each, so that all of its options are seen at once."""
    lines = [Text(line) for line in text.split("\n")]
    for line in lines:
        if line.plain.startswith("   > "):
            line.truncate(width, overflow="ellipsis")
    return "\n".join(line.plain for line in lines)


def say(console: Console, text: str, style: str = "") -> None:
    """A text that holds no code, wrapped in a terminal."""
    _print(console, Text(clean(text), style=style))


def show_document_text(console: Console, text: str) -> None:
    """Markdown as it stands; in a terminal prose is wrapped anew, code and tables never are."""
    for line, is_code in reflowed(_marked(text)) if console.is_terminal else _marked(text):
        if is_code or _VERBATIM.match(line):
            # A Text would turn the tabs of a command into spaces.
            verbatim = Segment(f"{clean(line)}\n", console.get_style("cyan" if is_code else "none"))
            console.print(Segments([verbatim]), soft_wrap=True)
            continue
        prose = Text(clean(line), style="bold" if _HEADING.match(line) else "")
        for pattern, style in _INLINE:
            prose.highlight_regex(pattern, style)
        marker = _MARKER.match(line)
        _print(console, prose, indent=marker.end() if marker else 0)


def show_numbered(console: Console, document: Document) -> None:
    """A text as it stands, with the numbers of its lines, and the pages or paragraphs of its file that they are of."""
    written = _NEWLINE.split(document.text)
    if len(written) > 1 and not written[-1]:
        written.pop()
    lines = list(enumerate(written, start=1))
    printed = Printed.read(document.metadata.get(PRINTED))
    places = [f"{printed.unit} {printed.at(number)}" if printed and line.strip() else "" for number, line in lines]
    width, wide = len(str(len(lines))), max(map(len, places))
    told = ""
    for (number, line), place in zip(lines, places, strict=True):
        beside = f"{place if place != told else '':{wide}}  " if printed else ""
        told = place or told
        shown = (Segment(f"{number:>{width}}  {beside}", console.get_style("dim")), Segment(f"{clean(line)}\n"))
        console.print(Segments(shown), soft_wrap=True)


def show_units(console: Console, units: Sequence[LogicUnit], shelf: Shelf, *, commands: bool = False) -> None:
    """A document's units: what each needs, where each outcome leads, and which conditions no outcome has.

    With `commands`, also what an executor would be given.
    """
    first = units[0]
    lines = dict(unlinked(units))
    heading = f"{first.title}: " if first.title else ""
    counted = "1 unit" if len(units) == 1 else f"{len(units)} units"
    say(console, f"{heading}{first.document_id}, {counted}", "bold")
    for unit in units:
        console.print()
        _print(console, Text.assemble((f"{one_line(str(unit.type))}  ", "green"), (one_line(unit.header), "bold")))
        printed = f", {one_line(printed_at(unit))}" if printed_at(unit) else ""
        say(console, f"  lines {', '.join(map(lines_of, unit.spans))}{printed}", "dim")
        for prerequisite in unit.prerequisites:
            say(console, f"  needs: {one_line(prerequisite)}")
        for link in unit.links:
            _print(console, _link(unit, link, shelf.destination(unit, link)))
        for number in (number for span in unit.body_spans for number in range(span.start, span.end + 1)):
            if number in lines:
                say(console, f"  line {number}, not linked: {one_line(lines[number])}", "yellow")
        if commands:
            _show_commands(console, unit)


def _show_commands(console: Console, unit: LogicUnit) -> None:
    """What a unit says to run, screen by screen, and why no more of it is."""
    line = 1
    while line:
        at = screen_at(unit, line)
        action = action_of(at, state=SessionState())
        for command in action.commands:
            say(console, f"  to run: {one_line(command)}")
        if action.reason:
            say(console, f"  left to the person, as {one_line(action.reason)}")
        line = line_after(unit, at.last)


def show_json(console: Console, values: Iterable[Model]) -> None:
    """Values as JSON lines: escapes keep the text whole and the terminal safe."""
    is_ascii = not console.encoding.startswith("utf")
    for value in values:
        line = json.dumps(value.model_dump(mode="json"), ensure_ascii=is_ascii)
        console.print(Text(json_line(line)), soft_wrap=True)


def _print(console: Console, text: Text, *, indent: int = 0) -> None:
    # A paragraph without spaces would begin a new line after "1. "; the terminal itself ends lines anywhere.
    if not console.is_terminal or is_spaceless(text.plain):
        console.print(text, soft_wrap=True)
        return
    # So it does within a word that is longer than a line, such as an address, which is copied whole then.
    for line in text.split(allow_blank=True):
        for number, part in enumerate(line.divide(_ends_of_lines(line.plain, console.width, indent))):
            part.rstrip()
            console.print(Text.assemble(" " * indent if number else "", part), soft_wrap=True)


def _ends_of_lines(text: str, width: int, indent: int) -> Iterator[int]:
    """Where lines of a width in cells end: before the word that does not fit. All but the first are indented."""
    column = 0
    for word in _WORDS.finditer(text):
        taken = cell_len(word[0].rstrip())
        if column > indent and column + taken > width:
            yield word.start()
            column = indent
        column += cell_len(word[0])


def _marked(text: str) -> Iterator[tuple[str, bool]]:
    """Lines, and whether each belongs to a fenced code block."""
    fence = Fence()
    for line in _NEWLINE.split(text):
        yield line, fence.reads(line)


def _list(console: Console, lines: Sequence[str], kind: str) -> None:
    for line in islice(lines, LISTED):
        console.print(Text(one_line(line), style="yellow"), soft_wrap=True)
    if len(lines) > LISTED:
        console.print(f"and {len(lines) - LISTED} more {kind}")


def _problems(summary: IngestReport) -> list[str]:
    """What went wrong with documents that were taken in all the same, each once; first what the rules had to read."""
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
    """Names and what is said of them, beside each other; what is piped is cut nowhere and a line for each."""
    width = len("Lines covered")
    for name, said in rows:
        _print(console, Text(f"{name:<{width}}  {said}"), indent=width + 2)


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
        rows.append(("Drawings", f"{len(unread):,} not walked: {', '.join(map(one_line, unread[:WORST]))}{others}"))
    if read := [report.decisions for report in summary.reports if report.decisions.found]:
        rows.append(("Decisions", _decisions(read)))
    if any(report.conditions for report in summary.reports):
        rows.append(("Conditions", _conditions(summary.reports)))
    links = ", ".join(f"{summary.links.get(state, 0):,} {word}" for state, word in _STATES.items())
    newly = f", {len(summary.newly_dangling):,} newly dangling" if summary.newly_dangling else ""
    rows.append(("Links", f"{links}{newly}"))
    if too_large := [span for report in summary.reports for span in report.too_large]:
        lines = sum(span.start == span.end for span in too_large)
        rows.append(("Oversized", f"{len(too_large) - lines:,} cut into several units, {lines:,} of a line left whole"))
    if summary.merges:
        units = sum(len(merge.units) for merge in summary.merges)
        rows.append(("Merged", f"{units:,} units shown as {len(summary.merges):,}"))
    if summary.embedded:
        rows.append(("Embedded", f"{summary.embedded:,} headers"))
    rows.append(("Seconds", ", ".join(f"{stage} {took:.1f}" for stage, took in summary.seconds.items())))
    return rows


def _decisions(read: Sequence[Decisions]) -> str:
    """How many outcomes were read, and where they lead."""
    counts = {
        "lead on": sum(one.onward for one in read),
        "say what to do": sum(one.here for one in read),
        "end it": sum(one.ending for one in read),
        "lead to what is not there": sum(one.lost for one in read),
    }
    told = ", ".join(f"{count:,} {what}" for what, count in counts.items() if count)
    return f"{sum(counts.values()):,} outcomes: {told}"


def _conditions(reports: Sequence[Report]) -> str:
    """How many of the conditions that documents state select what comes next, and where most do not."""
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
        return f"Nothing changed: the store holds {held} documents as they are."
    return f"Changed units: {summary.changes_in_words}."


def _counts(progress: Progress, price: Price | None) -> str:
    counts = [f"{progress.units:,} units", f"{progress.written:,} written"]
    if tokens := progress.usage.prompt_tokens + progress.usage.completion_tokens:
        counts.append(f"{tokens:,} tokens")
    if price:
        counts.append(f"cost {price.of(progress.usage):.4f}")
    return "".join(f", {count}" for count in counts)


def _some(document_ids: Sequence[str], kind: str) -> str:
    """How many there are, and the first by name."""
    count = len(document_ids)
    named = ", ".join(map(one_line, document_ids[:LISTED]))
    return f"{count:,} {kind}{'s' * (count > 1)} ({named}{f' and {count - LISTED:,} more' if count > LISTED else ''})"


def _link(unit: LogicUnit, link: Link, goal: Destination) -> Text:
    stated = one_line(link.condition.removeprefix(OPPOSITE))
    said = f"{'unless' if link.condition.startswith(OPPOSITE) else 'if'} {stated}: " if link.condition else "then: "
    return Text.assemble("  ", said, (one_line(in_words(unit, link, goal)), "red" if goal.is_broken else "cyan"))
