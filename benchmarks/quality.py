"""Does a how-to question get all of its steps, in little text, and does an outcome get the right branch?

python benchmarks/quality.py [--documents FOLDER --gold FILE] [--embedding default] [--units FILE]
"""

from __future__ import annotations

from collections.abc import Sequence

from _gold import Task, arguments_for, load, units_for
from _metrics import BUDGETS, TRUST, RetrievalScores, System, WalkScores, score_retrieval, score_walks
from _systems import embedding, systems
from _table import share, show


def main(arguments: Sequence[str] | None = None) -> None:
    """Print one table, a system a row."""
    given = arguments_for(__doc__ or "").parse_args(arguments)
    tasks, documents = load(given.gold, given.documents)
    units = units_for(documents, given.units)
    branches = sum(len(task.branches) for task in tasks)
    print(f"{len(tasks)} tasks, {branches} branches, {len(documents)} documents, embedding: {given.embedding}\n")
    show([measure(system, tasks) for system in systems(documents, units, embedding(given.embedding))])


def measure(system: System, tasks: Sequence[Task]) -> dict[str, str]:
    """All scores of one system, as they are printed."""
    return row(system.name, score_retrieval(system, tasks), score_walks(system, tasks))


def row(name: str, found: RetrievalScores, walked: WalkScores) -> dict[str, str]:
    """One line of the table."""
    return {
        "": name,
        **{f"recall@{budget}": share(found.recall[budget]) for budget in BUDGETS},
        f"complete@{BUDGETS[-1]}": share(found.complete),
        "tokens/unit": f"{found.unit_tokens:.0f}",
        "walk recall": share(walked.recall),
        "walk tokens": f"{walked.tokens:.0f}",
        "needs": share(walked.prerequisites),
        "branch": share(walked.wide),
        "strict": share(walked.narrow),
        "first": share(walked.first),
        "endings": f"{walked.endings[0]}/{walked.endings[1]}",
        **{end: share(walked.trust[end]) for end in TRUST},
    }


if __name__ == "__main__":
    main()
