"""Measures how-to question answering: metrics of the papers, data sets, judges, and evaluators for both frameworks."""

from thread_core.errors import missing

try:
    from thread_eval.aggregates import compare, macro, micro, summarise
    from thread_eval.datasets import DATASETS, BadDataset, load, load_from_hub
    from thread_eval.scores import Score
except ModuleNotFoundError as error:
    raise missing(error, "eval") from error

__all__ = ["DATASETS", "BadDataset", "Score", "compare", "load", "load_from_hub", "macro", "micro", "summarise"]
