"""Scores as a page: one HTML file that needs no server, no network and no script.

Jinja escapes whatever is put in, so that no document's text becomes part of the page. The plots are a few rectangles
and lines, drawn in the template with the page's own colours: a library for plots weighs more than the page, brings its
own colours for light and dark, and draws text that cannot be read on a phone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from jinja2 import Environment, PackageLoader, StrictUndefined

from thread_eval.aggregates import Comparison, Summary
from thread_eval.datasets.own import Flaw
from thread_eval.measuring import Case, Kind, Shown
from thread_eval.runs import Run, Scores
from thread_eval.systems import SYSTEMS

WORST = 10
"""Cases that are shown."""
SAID = 600
"""Characters of what a system said that are shown."""
FLAWS = 100
"""Places of the guides that are listed; the others are counted."""
CHANCE = 0.05
"""Above this `p` a difference may be chance."""

MEANINGS = {
    "entry_right": "the question leads into the right guide at once",
    "entry_menu": "it leads there by one of the options shown",
    "entry_none": "the system says that nothing fits",
    "entry_wrong": "it leads into another guide",
    "right": "an outcome that is reported leads to the right next step at once",
    "menu": "it leads there by one of the options shown",
    "stuck": "it leads nowhere",
    "wrong": "it leads to another step",
    "branch": "the right next step is shown for an outcome, of all outcomes",
    "endings": "the end is announced where there is one, and only there",
    "walk_recall": "steps that somebody sees who says “done” again and again",
    "prerequisites": "prerequisites that are seen in it",
    "recall@250": "steps in the first 250 tokens of what the question retrieves",
    "recall@500": "steps in the first 500",
    "recall@1000": "steps in the first 1,000",
    "recall@2000": "steps in the first 2,000",
    "complete@2000": "questions of which all steps are in the first 2,000",
    "solved": "a judge says that the answer solves the task",
    "f1": "what is to be done, item by item, beside the true steps",
    "precision": "items of the answer that are true ones",
    "recall": "true items that are in the answer",
    "task_completion": "true steps that are in the answer's list",
    "rating": "a judge's rating beside the true answer, 1 to 10",
    "word_rouge_l": "longest common subsequence of words with the true answer",
    "character_rouge_l": "the same of characters",
    "unit_tokens": "tokens of one unit or chunk",
    "retrieved_tokens": "tokens of all that is retrieved",
    "walk_tokens": "tokens of a whole walk",
}
"""The metrics that are shown, in words; docs/evaluation.md defines them."""


@dataclass(frozen=True, slots=True)
class Row:
    """One system in one metric."""

    system: str
    summary: Summary
    against: Comparison | None

    @property
    def figure(self) -> str:
        """The value with its interval."""
        one = self.summary
        if one.value is None or one.low is None or one.high is None:
            return "–"
        return f"{number(one.value)} [{number(one.low)}, {number(one.high)}]"

    @property
    def beside(self) -> str:
        """What it gains over the baseline, with `p`."""
        if self.against is None or self.against.difference is None:
            return ""
        gain = number(self.against.difference)
        sign = "" if gain.startswith("-") else "+"
        p = "< 0.001" if self.against.p < 0.001 else f"{self.against.p:.3f}"
        return f"{sign}{gain}, p {p}"

    @property
    def is_sure(self) -> bool:
        """Whether that is hardly chance."""
        return self.against is not None and self.against.p < CHANCE

    @property
    def is_ours(self) -> bool:
        """Whether it is one of this project's."""
        return SYSTEMS[self.system].is_ours


@dataclass(frozen=True, slots=True)
class Bad:
    """A case that went badly."""

    case: str
    shown: list[Shown]


def rows_of(scores: Scores, metric: str) -> list[Row]:
    """All systems in one metric; none where it has a value for no system."""
    rows = [
        Row(name, one.summaries[metric], one.against.get(metric))
        for name, one in scores.systems.items()
        if metric in one.summaries
    ]
    return rows if any(row.summary.value is not None for row in rows) else []


def worst(kind: Kind, run: Run, scores: Scores, cases: Sequence[Case], system: str) -> list[Bad]:
    """The cases in which a system did worst, the worst first; none that is perfect."""

    def good(case: Case) -> float:
        mine = scores.cases[case.id][system]
        values = [one.value for name in kind.good if (one := mine.get(name)) and one.value is not None]
        return fmean(values) if values else 0.0

    asked = [(good(case), case) for case in cases if run.given(case.id, system)]
    ordered = sorted((pair for pair in asked if pair[0] < 1), key=lambda pair: pair[0])
    return [Bad(case.id, list(_shown(kind, run, case, system))) for _, case in ordered[:WORST]]


def html(
    scores: Scores, kind: Kind, *, title: str, notes: Sequence[str], bad: Sequence[Bad], flaws: Sequence[Flaw] = ()
) -> str:
    """The page.

    Args:
        scores: What was found.
        kind: Which metrics are shown.
        title: What was measured.
        notes: What a reader must know before the figures.
        bad: Cases to look at.
        flaws: Places of the guides to look at.
    """
    environment = Environment(
        loader=PackageLoader("thread_eval", "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    metrics = [(name, MEANINGS[name], rows) for name in kind.metrics if (rows := rows_of(scores, name))]
    return environment.get_template("report.html").render(
        scores=scores,
        title=title,
        notes=notes,
        main=[one for one in metrics if one[0] in kind.brief],
        others=[one for one in metrics if one[0] not in kind.brief],
        bad=bad,
        flaws=flaws,
        most_flaws=FLAWS,
        bar=_bar,
    )


def number(value: float) -> str:
    """A share with two digits, tokens with none."""
    return f"{value:.2f}" if abs(value) <= 10 else f"{value:,.0f}"


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


def _shown(kind: Kind, run: Run, case: Case, system: str) -> Iterator[Shown]:
    answered = run.given(case.id, system)
    if answered is None or answered.said is None:
        yield Shown(case.record.question, "an answer", answered.error if answered else "", False)
        return
    for one in kind.shown(case, answered.said):
        got = one.got if len(one.got) <= SAID else f"{one.got[:SAID]} …"
        yield Shown(one.said, one.wanted, got, one.is_right)
