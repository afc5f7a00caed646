"""Does a how-to question get all of its steps, in little text, and does an outcome get the right branch?

python benchmarks/quality.py [--documents FOLDER --gold FILE] [--embedding default] [--units FILE]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from _gold import arguments_for, embedding, load, units_for
from _table import share, show

from thread_eval import macro, micro
from thread_eval.aggregates import column
from thread_eval.datasets.gold import Task
from thread_eval.metrics.retrieval import BUDGETS, score_retrieval
from thread_eval.metrics.walks import TRUST, score_walk
from thread_eval.scores import Score
from thread_eval.system import System
from thread_eval.systems import SYSTEMS, Setup
from thread_eval.walking import explore

Scores = Sequence[Mapping[str, Score]]
"""A task each."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Print one table, a system a row."""
    given = arguments_for(__doc__ or "").parse_args(arguments)
    tasks, documents = load(given.gold, given.documents)
    units = units_for(documents, given.units)
    branches = sum(len(task.branches) for task in tasks)
    print(f"{len(tasks)} tasks, {branches} branches, {len(documents)} documents, embedding: {given.embedding}\n")
    setup = Setup(documents, units, embedding(given.embedding))
    show([measure(offer.make(setup), tasks) for offer in SYSTEMS.values() if offer.is_usual and not offer.plans])


def measure(system: System, tasks: Sequence[Task]) -> dict[str, str]:
    """All scores of one system, as they are printed."""
    return row(system.name, retrievals(system, tasks), walks(system, tasks))


def retrievals(system: System, tasks: Sequence[Task]) -> Scores:
    """What one question gives, before anything is said."""
    return [score_retrieval(system.retrieve(task.question), task.step_quotes) for task in tasks]


def walks(system: System, tasks: Sequence[Task]) -> Scores:
    """What walks show, and where outcomes lead."""
    return [score_walk(explore(system, task), task) for task in tasks]


def row(name: str, found: Scores, walked: Scores) -> dict[str, str]:
    """One line of the table."""
    return {
        "": name,
        **{f"recall@{budget}": share(macro(column(found, f"recall@{budget}"))) for budget in BUDGETS},
        f"complete@{BUDGETS[-1]}": share(macro(column(found, f"complete@{BUDGETS[-1]}"))),
        "tokens/unit": f"{micro(column(found, 'unit_tokens')) or 0:.0f}",
        "walk recall": share(macro(column(walked, "walk_recall"))),
        "walk tokens": f"{macro(column(walked, 'walk_tokens')):.0f}",
        "needs": share(micro(column(walked, "prerequisites"))),
        **branches(walked),
    }


def branches(walked: Scores) -> dict[str, str]:
    """Where outcomes lead: the columns that other tables have too."""
    endings = column(walked, "endings")
    count = sum(score.of for score in endings)
    return {
        "branch": share(micro(column(walked, "branch"))),
        "strict": share(micro(column(walked, "branch_strict"))),
        "first": share(micro(column(walked, "branch_first"))),
        "endings": f"{(micro(endings) or 0) * count:.0f}/{count}",
        **trust(walked),
    }


def trust(walked: Scores) -> dict[str, str]:
    """Of the outcomes whose step was shown, what became of them."""
    return {end: share(micro(column(walked, end))) for end in TRUST}


if __name__ == "__main__":
    main()
