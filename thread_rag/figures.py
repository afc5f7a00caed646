"""Scores in a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from thread_eval.aggregates import Comparison, Summary
from thread_eval.datasets.own import Flaw
from thread_eval.measuring import Kind
from thread_eval.report import CHANCE, number, rows_of
from thread_eval.runs import Scores
from thread_rag.rendering import say
from thread_rag.safe_text import one_line


def show(console: Console, scores: Scores, kind: Kind, notes: Sequence[str], flaws: Sequence[Flaw]) -> None:
    """A table of the main metrics, a system a row; then what went wrong, and where guides lead nobody on."""
    for note in notes:
        say(console, f"{note}\n", "yellow")
    metrics = {name: told for name, told in kind.brief.items() if rows_of(scores, name)}
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column(f"{len(scores.cases)} cases", overflow="fold")
    for told in metrics.values():
        table.add_column(told, justify="right", no_wrap=True)
    for name, one in scores.systems.items():
        table.add_row(name, *(_cell(one.summaries[metric], one.against.get(metric)) for metric in metrics))
    console.print(table)
    if scores.baseline:
        say(console, f"* differs from {scores.baseline} by more than chance: p below {CHANCE}", "dim")
    for name, one in scores.systems.items():
        for case, error in one.errors.items():
            say(console, f"failed: {name}, {one_line(case)}: {one_line(error)}", "red")
    if flaws:
        counted = Counter(flaw.kind for flaw in flaws)
        places = ", ".join(f"{count:,} {kind}" for kind, count in counted.items())
        say(console, f"\nPlaces in the guides to look at: {places}; --html and --json list them.")


def _cell(one: Summary, against: Comparison | None) -> str:
    """A value above its interval."""
    if one.value is None or one.low is None or one.high is None:
        return "-"
    star = "*" if against is not None and against.p < CHANCE else ""
    return f"{number(one.value)}{star}\n{_short(one.low)}-{_short(one.high)}"


def _short(value: float) -> str:
    return f"{value:.0f}" if value in (0, 1) else number(value).removeprefix("0")
