"""Scores as a page: one HTML file that needs no server, no network and no script.

Jinja escapes whatever is put in, so that no document's text becomes part of the page. The plots are a few rectangles
and lines, drawn in the template with the page's own colours: a library for plots weighs more than the page, brings its
own colours for light and dark, and draws text that cannot be read on a phone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from jinja2 import Environment, PackageLoader, StrictUndefined

from thread_eval.figures import MEANINGS, Row, rows_of
from thread_eval.kinds.kind import Kind
from thread_eval.looking import ADVICE, Look, line_of
from thread_eval.runs import Scores

GUIDES, FLAWS = 30, 100
"""Guides, and places of them, that are listed; the others are counted."""
LINES = 10_000
"""Lines of guides that a page shows at most; of guides beyond them places are named and not linked."""

_BREAK = re.compile(r"\r\n|\n|\r")


def html(scores: Scores, kind: Kind, look: Look, *, title: str, notes: Sequence[str]) -> str:
    """The page.

    Args:
        scores: What was found.
        kind: Which metrics are shown.
        look: What to look at of the first system.
        title: What was measured.
        notes: What a reader must know before the figures.
    """
    environment = Environment(
        loader=PackageLoader("thread_eval", "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    metrics = [(name, MEANINGS[name], rows) for name in kind.metrics if (rows := rows_of(scores, name))]
    guides = _quoted(look)
    return environment.get_template("report.html").render(
        scores=scores,
        title=title,
        notes=notes,
        main=[one for one in metrics if one[0] in kind.brief],
        others=[one for one in metrics if one[0] not in kind.brief],
        look=look,
        advice=ADVICE,
        most_guides=GUIDES,
        most_flaws=FLAWS,
        guides=guides,
        link=_linked(guides),
        bar=_bar,
    )


def _quoted(look: Look) -> dict[str, list[str]]:
    """The lines of the guides that something to look at is in."""
    places = [flaw.where for flaw in look.flaws[:FLAWS]] + [one.place for bad in look.bad for one in bad.shown]
    found: dict[str, list[str]] = {}
    left = LINES
    for name in dict.fromkeys(line_of(place)[0] for place in places):
        lines = _BREAK.split(look.documents.get(name, ""))
        if name in look.documents and len(lines) <= left:
            found[name] = lines
            left -= len(lines)
    return found


def _linked(guides: dict[str, list[str]]) -> Callable[[str], str]:
    """What leads from a place to its line on the page; empty where the page does not show it."""
    numbers = {name: number for number, name in enumerate(guides, 1)}

    def link(place: str) -> str:
        name, line = line_of(place)
        return f"#g{numbers[name]}-{line}" if line and name in numbers else ""

    return link


def _bar(rows: Sequence[Row], row: Row) -> dict[str, float] | None:
    """Where a bar and its interval end, in per cent of the plot."""
    one = row.summary
    if one.value is None or one.low is None or one.high is None:
        return None
    most = max(1.0, *(other.summary.high or 0 for other in rows))
    return {
        name: round(100 * value / most, 2)
        for name, value in (("value", one.value), ("low", one.low), ("high", one.high))
    }
