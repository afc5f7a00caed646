"""Measures how-to question answering: metrics of the papers, data sets, judges, and evaluators for both frameworks."""

from thread_eval.aggregates import compare, macro, micro, summarise
from thread_eval.datasets import DATASETS, BadDataset, load, load_from_hub
from thread_eval.scores import Score

__all__ = ["DATASETS", "BadDataset", "Score", "compare", "load", "load_from_hub", "macro", "micro", "summarise"]
