"""Gold tasks: what a how-to question should lead to, as quotes from the documents. docs/benchmarks.md has the format.

python benchmarks/_gold.py FILE FOLDER      checks that every quote stands in its document
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from thread_core import Document, LogicUnit, RuleExtractor
from thread_core.errors import BadFile
from thread_core.extraction.unit_lines import from_lines

HERE = Path(__file__).parent
OWN_GOLD = HERE / "gold.jsonl"
OWN_DOCUMENTS = HERE.parent / "examples" / "documents"

_MARKS = re.compile(r"(?m)^[ \t]*(?:>[ \t]?)*(?:(?:[-*+]|\d+[.)])[ \t]+)?")


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Quote(_Strict):
    """Words of a document, as they stand there."""

    document: str = Field(min_length=1)
    """Path relative to the folder of the documents."""
    quote: str = Field(min_length=1)


class Branch(_Strict):
    """What comes next when a person reports an outcome."""

    after_step: int = Field(ge=0)
    """Position in the task's steps, from 0."""
    outcome: str = Field(min_length=1)
    next: Quote | Literal["resolved", "escalate"]


class Task(_Strict):
    """A question and everything that a good answer shows."""

    id: str = Field(min_length=1)
    question: str = Field(min_length=1)
    steps: tuple[Quote, ...] = Field(min_length=1)
    prerequisites: tuple[Quote, ...] = ()
    branches: tuple[Branch, ...] = ()


class BadGold(ValueError):
    """A gold file that cannot be read; the message names the line."""


def read_tasks(path: Path) -> list[Task]:
    """The tasks of a gold file, one JSON object a line.

    Raises:
        BadGold: a line is no task.
    """
    tasks = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip():
            try:
                tasks.append(Task.model_validate(json.loads(line)))
            except (json.JSONDecodeError, ValidationError) as error:
                raise BadGold(f"{path}:{number}: {error}") from error
    if not tasks:
        raise BadGold(f"{path}: there is no task in it")
    return tasks


def read_documents(folder: Path) -> dict[str, str]:
    """Every Markdown document below a folder, by its path relative to the folder."""
    paths = sorted(folder.rglob("*.md"))
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8-sig") for path in paths}


def normalised(text: str) -> str:
    """A text without the marks at the beginning of its lines and with single spaces, in lower case."""
    return " ".join(_MARKS.sub("", text).lower().split())


def problems(tasks: Sequence[Task], documents: Mapping[str, str]) -> Iterator[str]:
    """What is wrong with some tasks, one line each; nothing when all is well."""
    texts = {path: normalised(text) for path, text in documents.items()}
    seen: set[str] = set()
    for task in tasks:
        if task.id in seen:
            yield f"{task.id}: another task has this id"
        seen.add(task.id)
        for branch in task.branches:
            if branch.after_step >= len(task.steps):
                yield f"{task.id}: a branch after step {branch.after_step}, and steps 0 to {len(task.steps) - 1}"
        for quote in _quotes(task):
            if quote.document not in texts:
                yield f"{task.id}: there is no document {quote.document}"
            elif normalised(quote.quote) not in texts[quote.document]:
                yield f"{task.id}: not in {quote.document}: {quote.quote}"


def load(gold: Path, folder: Path) -> tuple[list[Task], dict[str, str]]:
    """Tasks and documents that fit each other; ends the program with what is wrong where they do not."""
    try:
        tasks = read_tasks(gold)
    except (OSError, BadGold) as error:
        sys.exit(f"{error}")
    documents = read_documents(folder)
    if found := list(problems(tasks, documents)):
        sys.exit("\n".join(found))
    return tasks, documents


def arguments_for(description: str) -> argparse.ArgumentParser:
    """The options that the benchmarks with a gold file share."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--documents", type=Path, default=OWN_DOCUMENTS, help="a folder of Markdown documents")
    parser.add_argument("--gold", type=Path, default=OWN_GOLD, help="a gold file over them")
    parser.add_argument("--embedding", default="default", help="`default`, or `module:name` of LangChain embeddings")
    parser.add_argument("--units", type=Path, help="units of them from `thread-rag export`, instead of the rules'")
    return parser


def units_for(documents: Mapping[str, str], exported: Path | None) -> list[LogicUnit]:
    """The units that the rules make of some documents, or those that were exported; ends the program if they differ."""
    if exported is None:
        return [
            unit for path, text in documents.items() for unit in RuleExtractor().extract(Document(path, text)).units
        ]
    try:
        with exported.open(encoding="utf-8") as lines:
            units = list(from_lines(lines))
    except (OSError, BadFile) as error:
        sys.exit(f"{error}")
    named, given = {unit.document_id for unit in units}, {path for path, text in documents.items() if text.strip()}
    if named != given:
        others = ", ".join(sorted(named ^ given)[:3])
        sys.exit(
            f"{exported}: units of the documents of --documents and of no others are expected, and only on one side"
            f" are: {others}; export from a store into which that folder alone was ingested"
        )
    return units


def _quotes(task: Task) -> Iterator[Quote]:
    yield from task.steps
    yield from task.prerequisites
    yield from (branch.next for branch in task.branches if isinstance(branch.next, Quote))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Check a gold file against the documents that it quotes.")
    parser.add_argument("file", type=Path)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args(arguments)
    tasks, documents = load(given.file, given.folder)
    branches = sum(len(task.branches) for task in tasks)
    print(f"{len(tasks)} tasks, {branches} branches, {len(documents)} documents: every quote stands in its document")


if __name__ == "__main__":
    main()
