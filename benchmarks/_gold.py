"""The gold tasks, documents and units that benchmarks are given. docs/benchmarks.md has the form of gold tasks.

python benchmarks/_gold.py FILE FOLDER      checks that every quote stands in its document
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path

from langchain_thread.embeddings import CoreEmbedder
from thread_core import LogicUnit, default_embedding
from thread_core.errors import BadFile
from thread_core.extraction.unit_lines import from_lines
from thread_core.ports import Embedder
from thread_eval.datasets.gold import Task, problems, read_documents, read_tasks
from thread_eval.datasets.reading import BadDataset
from thread_eval.systems import units_of

HERE = Path(__file__).parent
OWN_GOLD = HERE / "gold.jsonl"
OWN_DOCUMENTS = HERE.parent / "examples" / "documents"


def load(gold: Path, folder: Path) -> tuple[list[Task], dict[str, str]]:
    """Tasks and documents that fit each other; ends the program with what is wrong where they do not."""
    try:
        tasks = read_tasks(gold)
    except (OSError, BadDataset) as error:
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
        return units_of(documents)
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


def embedding(name: str) -> Embedder:
    """`default`, or `module:name` of LangChain embeddings that are made without arguments."""
    if name == "default":
        return default_embedding()
    module, _, factory = name.partition(":")
    return CoreEmbedder(getattr(import_module(module), factory)())


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
