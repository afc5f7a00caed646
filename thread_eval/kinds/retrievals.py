"""Questions with supporting facts: how many of them are retrieved, in how much text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from thread_core.plan import Plan
from thread_eval.datasets.two_wiki import MultiHopQuestion
from thread_eval.kinds.kind import Case, Given, Kind, Shown, named
from thread_eval.metrics.retrieval import score_retrieval
from thread_eval.scores import Score
from thread_eval.shown import shows
from thread_eval.system import AnsweringSystem

BUDGETS = (50, 100, 200, 400)
"""Tokens that are looked at: the passages of one question have some 1,000."""


class Retrievals(Kind):
    """Questions with supporting facts: how many of them are retrieved, in how much text."""

    metrics = (
        *(f"recall@{tokens}" for tokens in BUDGETS),
        f"complete@{BUDGETS[-1]}",
        "unit_tokens",
        "retrieved_tokens",
    )
    brief: ClassVar[Mapping[str, str]] = {
        **{f"recall@{tokens}": f"{tokens}" for tokens in BUDGETS},
        "retrieved_tokens": "tokens",
    }
    good = (f"recall@{BUDGETS[-1]}", f"recall@{BUDGETS[0]}")
    pooled = frozenset(("unit_tokens",))

    def calls(self, case: Case, *, is_ours: bool) -> float:
        """None but for what is made of the documents."""
        return 0

    def ask(self, system: AnsweringSystem, case: Case) -> Given:
        """What the question gives."""
        return {"retrieved": system.retrieve(case.record.question)}

    def score(self, case: Case, given: Given, *, judged: bool) -> Plan[dict[str, Score]]:
        """By quotes: no judge is asked."""
        yield from ()
        return score_retrieval(given["retrieved"], _facts(case.record), BUDGETS)

    def shown(self, case: Case, given: Given) -> Iterator[Shown]:
        """The facts, and what was retrieved."""
        facts, found = _facts(case.record), "\n\n".join(given["retrieved"])
        is_right = all(shows(found, fact) for fact in facts)
        yield Shown("Question", case.record.question, "\n".join(facts), found, is_right)


def two_wiki_cases(records: Sequence[MultiHopQuestion]) -> list[Case]:
    """Each is answered from its own paragraphs, a sentence a line."""
    return [
        Case(
            one.id,
            one,
            named((title, "\n".join((f"# {title}", "", *map(_line, lines), ""))) for title, lines in one.context),
        )
        for one in records
    ]


def _facts(record: MultiHopQuestion) -> list[str]:
    """The sentences that matter, of those that are there."""
    pages = dict(record.context)
    found = ((pages.get(title, ()), at) for title, at in record.supporting_facts)
    return [lines[at] for lines, at in found if 0 <= at < len(lines)]


def _line(text: str) -> str:
    return " ".join(text.split())
