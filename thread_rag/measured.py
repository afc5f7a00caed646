"""What `thread-rag eval` measures: one's own guides, gold over them, or a data set."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from random import Random

import typer

from thread_core.errors import BadDocument, BadReply, ModelError, NothingFound
from thread_core.llm.access import ModelAccess
from thread_eval.datasets import load
from thread_eval.datasets.gold import problems, read_documents, read_tasks
from thread_eval.datasets.own import Flaw, flaws_of, reworded, tasks_from
from thread_eval.datasets.reading import BadDataset
from thread_eval.kinds import cases_of
from thread_eval.kinds.kind import Case, Kind
from thread_eval.kinds.walks import Walks, task_cases
from thread_eval.systems import units_of
from thread_rag import reading, rendering, sources, summary

OWN_WORDS = (
    "Questions and outcomes are made from the guides' own words, reordered and without punctuation. That flatters every"
    " system. What counts as right is what Thread's rules read in the guides. That flatters Thread: their misreadings"
    " do not show. --judge lets a model rephrase questions and outcomes. --gold FILE measures what people ask, with the"
    " right answers."
)
REWORDED = (
    "Questions and outcomes are made from the guides' own words and rephrased by a model: no person asked them. What"
    " counts as right is what Thread's rules read in the guides. That flatters Thread: their misreadings do not show."
    " --gold FILE measures what people ask, with the right answers."
)
A_SAMPLE = "This small sample of our own shows the format and proves nothing. --dataset {0}:PATH reads the real data."
A_GOLD_SAMPLE = "This small sample of our own shows the format and proves nothing. --gold FILE reads yours."


@dataclass(frozen=True, slots=True)
class Measured:
    """What is measured, and how."""

    name: str
    kind: Kind
    cases: list[Case]
    note: str = ""
    flaws: tuple[Flaw, ...] = ()
    is_own: bool = False


def measured(paths: Sequence[Path], gold: Path | None, dataset: str) -> Measured:
    """What the command's arguments name.

    Raises:
        typer.BadParameter: they do not go together.
        BadDataset, NothingFound: what they name cannot be read, or there is nothing to measure in it.
    """
    if dataset:
        if gold:
            raise typer.BadParameter("found both --gold and --dataset; choose one", param_hint="--dataset")
        return _of_dataset(dataset, paths)
    if not paths:
        raise typer.BadParameter("found none; name your guides, or a data set with --dataset", param_hint="PATH")
    documents = _documents(paths)
    return _on_guides(documents) if gold is None else _on_gold(gold, documents, str(gold))


def _of_dataset(given: str, paths: Sequence[Path]) -> Measured:
    """What `FORM:PATH` names, or the sample of a form."""
    name, _, place = given.partition(":")
    data = Path(place) if place else None
    if name == "gold":
        if paths or data is not None:
            raise typer.BadParameter(
                "found gold together with guides; for your own gold, use --gold FILE", param_hint="--dataset"
            )
        samples = Path(str(files("thread_eval.datasets").joinpath("samples")))
        gold = _on_gold(samples / "gold.jsonl", read_documents(samples / "documents"), "gold")
        return replace(gold, note=A_GOLD_SAMPLE)
    try:
        kind, cases = cases_of(name, load(name, data))
    except OSError as error:
        raise BadDataset(f"{data} cannot be read ({error.strerror}); expected a file or a folder of files") from error
    except ValueError as error:
        if type(error) is not ValueError:
            raise
        raise typer.BadParameter(str(error), param_hint="--dataset") from error
    if paths:
        if not kind.plans:
            raise typer.BadParameter(
                "this data set has its own documents; leave out the guides", param_hint="--dataset"
            )
        documents = _documents(paths)
        cases = [replace(case, documents=documents) for case in cases]
    return Measured(name, kind, cases, "" if data else A_SAMPLE.format(name))


def _on_guides(documents: Mapping[str, str]) -> Measured:
    units = units_of(documents)
    cases = task_cases(tasks_from(units), documents)
    if not cases:
        raise NothingFound("found no steps in these guides, expected procedures; `thread-rag show` shows what is read")
    return Measured("guides", Walks(), cases, OWN_WORDS, tuple(flaws_of(units)), is_own=True)


def _on_gold(file: Path, documents: Mapping[str, str], name: str) -> Measured:
    tasks = read_tasks(file)
    if found := list(problems(tasks, documents)):
        more = f" (and {len(found) - 3} more)" if len(found) > 3 else ""
        raise BadDataset(f"{file} does not match these guides: {'; '.join(found[:3])}{more}")
    return Measured(name, Walks(), task_cases(tasks, documents))


def _documents(paths: Sequence[Path]) -> dict[str, str]:
    """The guides that can be read; those that cannot are named."""
    given = list(reading.read(file for root in sources.find(paths) for file in root.files))
    summary.show_failures(rendering.a_console(stderr=True), [one for one in given if isinstance(one, BadDocument)])
    documents = {one.id: one.text for one in given if not isinstance(one, BadDocument)}
    if not documents:
        raise NothingFound("none of these guides can be read; fix one, or name others")
    return documents


def some(cases: Sequence[Case], limit: int | None, seed: int) -> list[Case]:
    """The first cases of a drawn order, in their own: a larger limit adds to a smaller one's."""
    drawn = Random(seed).sample(range(len(cases)), len(cases))[:limit]
    return [cases[at] for at in sorted(drawn)]


def in_other_words(cases: Sequence[Case], access: ModelAccess) -> tuple[list[Case], str]:
    """Cases of one's own guides as a model puts them, as they were where it gives no usable reply; and a note of it."""
    told = []
    for case in cases:
        try:
            told.append(replace(case, record=access.run(reworded(case.record))))
        except (BadReply, ModelError):  # its own words stay
            told.append(case)
    same = sum(one is case for one, case in zip(told, cases, strict=True))
    return (
        told,
        f"{REWORDED} {same} of {len(cases)} were not rephrased, because the model gave no usable reply."
        if same
        else REWORDED,
    )


def digest(cases: Sequence[Case]) -> str:
    """What tells the same data from others: the cases and their documents."""
    documents = {id(case.documents): case.documents for case in cases}
    parts = [*(case.record.model_dump_json() for case in cases), *(json.dumps(dict(one)) for one in documents.values())]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
