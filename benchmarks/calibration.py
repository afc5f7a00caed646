"""Where the thresholds of the walk come from: the scores at several values of each, beside the one that is set.

python benchmarks/calibration.py [--documents FOLDER --gold FILE] [--embedding default] [--units FILE]

A threshold is set on one collection and looked at on another: run this on guides and gold of your own.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from unittest.mock import patch

from _gold import arguments_for, embedding, load, units_for
from _table import share, show
from quality import trust, walks

from thread_core.retrieval import retrieve
from thread_core.walk import decide, entry, reporting
from thread_eval import macro
from thread_eval.aggregates import column
from thread_eval.datasets.gold import Task
from thread_eval.metrics.walks import ENTRIES
from thread_eval.system import System
from thread_eval.systems import Setup
from thread_eval.systems.thread_langchain import ThreadOnLangChain

VALUES: Sequence[tuple[ModuleType, str, Sequence[float]]] = (
    (retrieve, "SURE", (0.4, 0.45, 0.5, 0.55, 0.6)),
    (entry, "AHEAD", (0.0, 0.2, 0.35, 0.5)),
    (entry, "OFFERED", (0.25, 0.35, 0.45)),
    (reporting, "COVERED", (0.2, 0.3, 0.4)),
    (decide, "SAID", (0.1, 0.3, 0.5)),
    (decide, "NAMED", (0.3, 0.5, 0.75)),
)
"""The thresholds, and the values that are tried of each."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a row for each value of each threshold; the one that is set is marked."""
    given = arguments_for(__doc__ or "").parse_args(arguments)
    tasks, documents = load(given.gold, given.documents)
    system = ThreadOnLangChain(Setup(documents, units_for(documents, given.units), embedding(given.embedding)))
    rows = []
    for module, name, values in VALUES:
        for value in values:
            mark = " (set)" if getattr(module, name) == value else ""
            with patch.object(module, name, value):
                rows.append(
                    {"": f"{module.__name__.rpartition('.')[2]}.{name} {value}{mark}", **measure(system, tasks)}
                )
    show(rows)


def measure(system: System, tasks: Sequence[Task]) -> dict[str, str]:
    """How walks are entered, and what becomes of the outcomes that are reported in them."""
    walked = walks(system, tasks)
    return {
        **{f"entry {entry}": share(macro(column(walked, f"entry_{entry}"))) for entry in ENTRIES},
        **trust(walked),
        "walk recall": share(macro(column(walked, "walk_recall"))),
    }


if __name__ == "__main__":
    main()
