"""Data sets, a form a file: read from your files, from a hub, or a small sample that was written for this package.

None of the samples holds anything of the data set whose form it has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

from thread_eval.datasets.flows import read_flows
from thread_eval.datasets.gold import Task
from thread_eval.datasets.how_to import HowToTask
from thread_eval.datasets.inscoqa import Conversation
from thread_eval.datasets.mind2web import WebTask
from thread_eval.datasets.mt_mind2web import WebConversation
from thread_eval.datasets.reading import BadDataset, read_files, read_hub
from thread_eval.datasets.two_wiki import MultiHopQuestion


@dataclass(frozen=True, slots=True)
class Dataset:
    """One data set."""

    read: Callable[[Path], Sequence[Any]]
    """Reads a file, or all files of a folder."""
    sample: str
    """The name of its sample."""
    source: str
    """Where the real one is to be had."""
    from_hub: Callable[[str], Sequence[Any]] | None = None
    """Reads a split from a hub, where it lies on one."""


def _dataset(form: type[Any], sample: str, source: str, hub: str = "") -> Dataset:
    from_hub = partial(read_hub, hub, form=form, source=source) if hub else None
    return Dataset(partial(read_files, form=form), sample, source, from_hub)


DATASETS = {
    "gold": _dataset(Task, "gold.jsonl", "your own documents; docs/evaluation.md describes the format"),
    "mind2web": _dataset(WebTask, "mind2web.json", "github.com/OSU-NLP-Group/Mind2Web", "osunlp/Mind2Web"),
    "mt-mind2web": _dataset(WebConversation, "mt_mind2web.json", "github.com/magicgh/Self-MAP", "magicgh/MT-Mind2Web"),
    "how-to": _dataset(HowToTask, "how_to.jsonl", "your own questions; docs/evaluation.md describes the format"),
    "inscoqa": _dataset(Conversation, "inscoqa.jsonl", "its authors: it has not been published"),
    "2wiki": _dataset(MultiHopQuestion, "two_wiki.json", "github.com/Alab-NII/2wikimultihop", "xanhho/2WikiMultihopQA"),
    "flows": Dataset(
        read_flows, "flows", "github.com/guille-gil/DiagFlowBench; docs/evaluation.md describes the format"
    ),
}
"""By name."""


def load(name: str, path: Path | None = None) -> Sequence[Any]:
    """The records of a data set.

    Args:
        name: One of `DATASETS`.
        path: Its file, or a folder of them; without one, the sample that comes with this package.

    Raises:
        ValueError: there is no data set of that name.
        BadDataset: a record does not have the form; the message names file, line and field.
        OSError: a file cannot be read.

    Example:
        load("how-to")[0].question
    """
    dataset = _named(name)
    return dataset.read(path or Path(str(files("thread_eval.datasets").joinpath("samples", dataset.sample))))


def load_from_hub(name: str, split: str) -> Sequence[Any]:
    """The records of a split of a data set, by the package `datasets`, which none of the extras brings: it is heavy.

    Raises:
        ValueError: there is no data set of that name, or it lies on no hub.
        ModuleNotFoundError: `datasets` is not installed.
        BadDataset: the hub does not give it, or a record does not have the form.
    """
    dataset = _named(name)
    if dataset.from_hub is None:
        raise ValueError(
            f"{name} is not on a hub; get it from {dataset.source}, and pass the path of its files to load"
        )
    return dataset.from_hub(split)


def _named(name: str) -> Dataset:
    if name not in DATASETS:
        raise ValueError(f"there is no data set {name!r}; expected one of {', '.join(DATASETS)}")
    return DATASETS[name]


__all__ = ["DATASETS", "BadDataset", "Dataset", "load", "load_from_hub"]
