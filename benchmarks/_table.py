"""One table for a reader and for a page of documentation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def show(rows: Sequence[Mapping[str, str]]) -> None:
    """Print rows with the same keys as a Markdown table; the first column is text, the others are figures."""
    names = list(rows[0])
    widths = [max(len(name), *(len(row[name]) for row in rows)) for name in names]
    rule = [f"{'-' * width}" if not index else f"{'-' * (width - 1)}:" for index, width in enumerate(widths)]
    for cells in (names, rule, *([row[name] for name in names] for row in rows)):
        padded = [c.rjust(w) if index else c.ljust(w) for index, (c, w) in enumerate(zip(cells, widths, strict=True))]
        print(f"| {' | '.join(padded)} |", flush=True)


def share(value: float | None) -> str:
    """A share of 1; a dash where there is nothing to take a share of."""
    return "-" if value is None else f"{value:.2f}"
