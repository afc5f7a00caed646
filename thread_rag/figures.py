"""Scores in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import shorten

from rich.console import Console
from rich.table import Table

from thread_core.text.safe import one_line
from thread_eval.aggregates import Comparison, Summary
from thread_eval.figures import CHANCE, number, rows_of
from thread_eval.kinds.kind import Kind
from thread_eval.looking import ADVICE, Look
from thread_eval.runs import Scores
from thread_rag.rendering import say

LISTED = 5
"""Bad cases, and places of the guides, that are listed; a report has more."""
SAID = 100
"""Characters of what is said in them."""


def show(console: Console, scores: Scores, kind: Kind, notes: Sequence[str], look: Look) -> None:
    """A table of the main metrics, a system a row; then what went wrong, and what to do about it."""
    for note in notes:
        say(console, f"{note}\n", "yellow")
    metrics = {name: told for name, told in kind.brief.items() if rows_of(scores, name)}
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column(f"{len(scores.cases)} case{'s' * (len(scores.cases) != 1)}", overflow="fold")
    for told in metrics.values():
        table.add_column(told, justify="right", no_wrap=True)
    for name, one in scores.systems.items():
        table.add_row(name, *(_cell(one.summaries[metric], one.against.get(metric)) for metric in metrics))
    console.print(table)
    sure = [row for metric in metrics for row in rows_of(scores, metric) if row.is_sure]
    if scores.baseline:
        beside = f"differs significantly from {scores.baseline}"
        say(console, f"* {beside} (p < {CHANCE})" if sure else f"nothing here {beside}", "dim")
    for name, one in scores.systems.items():
        for case, error in one.errors.items():
            say(console, f"failed: {name}, {one_line(case)}: {one_line(error)}", "red")
    for metric in metrics:
        for row in rows_of(scores, metric):
            if row.summary.failed > len(scores.systems[row.system].errors):
                say(
                    console,
                    f"{row.system}, {metric}: {row.lacking}; {one_line(_why(scores, row.system, metric))}",
                    "red",
                )
    for line in _to_do(look):
        say(console, one_line(line))


def _to_do(look: Look) -> Iterator[str]:
    """What to look at, a line each: a place, what is there, and what to do."""
    if look.told:
        yield f"{look.system}, {look.told}"
    bad = [one for one in look.bad if one.worst.came in ADVICE]
    for one in bad[:LISTED]:
        shown = one.worst
        yield f"{shown.place or one.case}: “{_short(shown.said)}” {shown.came}. {ADVICE[shown.came]}"
    for flaw in look.flaws[:LISTED]:
        yield f"{flaw.where}: “{_short(flaw.text)}” {flaw.kind}. {ADVICE[flaw.kind]}"
    if more := max(0, len(bad) - LISTED) + max(0, len(look.flaws) - LISTED):
        yield f"and {more} more; --html FILE shows all of them, with the guides' lines"


def _short(text: str) -> str:
    return shorten(text, SAID, placeholder=" …")


def _why(scores: Scores, system: str, metric: str) -> str:
    """Why a metric could not be taken, in the first case of it."""
    return next(one[system][metric].reason for one in scores.cases.values() if one[system][metric].failed)


def _cell(one: Summary, against: Comparison | None) -> str:
    """A value above its interval."""
    if one.value is None or one.low is None or one.high is None:
        return "-"
    star = "*" if against is not None and against.p < CHANCE else ""
    return f"{number(one.value)}{star}\n{_edge(one.low)}-{_edge(one.high)}"


def _edge(value: float) -> str:
    return f"{value:.0f}" if value in (0, 1) else number(value).removeprefix("0")
