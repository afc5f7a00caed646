"""`thread-rag import`: exported units, as JSON lines or in the JSON of the paper, into a store."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from thread_rag.ending import errors_in_one_line, told_when_stopped
from thread_rag.options import STORE, ServerOption, StoreOption, WaitOption

if TYPE_CHECKING:
    from thread_core.models import Document, LogicUnit

EXAMPLES = """\
thread-rag import guides.jsonl --store copy
gunzip -c guides.jsonl.gz | thread-rag import -"""


def import_units(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A file written by `thread-rag export`; - reads standard input.")
    ],
    store: StoreOption = STORE,
    server: ServerOption = "",
    wait: WaitOption = 0,
) -> None:
    """Import units from an export.

    FILE is the JSON lines of `thread-rag export`, or a list of units in the JSON of the paper. The file is checked
    first: if a unit is damaged, nothing is written. Documents that are already in the store are replaced; others stay.
    No model is asked.

    An imported document stays until `thread-rag ingest` reads its file. Units in the paper's JSON that name no document
    become a document with the file's name.
    """
    with errors_in_one_line(), told_when_stopped():
        from thread_core import default_embedding
        from thread_core.extraction.unit_lines import UnitLines
        from thread_core.ingest import ThreadIngest
        from thread_rag import files, ingesting, rendering, summary
        from thread_rag.place import Place

        console = rendering.a_console()
        with files.text_of(file) as lines:
            count = sum(1 for _ in _documents(lines, file))
            place = Place(store, server)
            place.make()
            ledger = place.ledger()
            ingesting.wait_for(ledger, wait, lambda said: rendering.say(console, said, "yellow"))
            ingest = ThreadIngest(
                place.writable(),
                default_embedding(),
                words=place.words(),
                ledger=ledger,
                extractor=UnitLines(),
                patience=wait,
            )
            with summary.a_bar(console, count) as shown:
                report = ingest.run(_documents(lines, file), progress=shown)
        summary.show_summary(console, report)


def _documents(lines: IO[str], file: Path) -> Iterator[Document]:
    """Yield a file's documents from its beginning, as `UnitLines` takes them."""
    from thread_core.extraction.unit_lines import as_documents, line_of
    from thread_core.models import Document

    lines.seek(0)
    begin = lines.read(64).lstrip()
    lines.seek(0)
    if not begin.startswith("["):
        yield from as_documents(lines)
        return
    for document_id, units in _of_paper(lines.read(), file):
        yield Document(document_id, "\n".join(map(line_of, units)))


def _of_paper(text: str, file: Path) -> Iterator[tuple[str, Iterable[LogicUnit]]]:
    """Yield the units of a list in the paper's JSON, by document.

    Raises:
        BadFile: It is not a list, or only some of its units name a document.
        BadDocument: A unit is not in this format.
    """
    from thread_core.errors import BadFile
    from thread_core.extraction.paper_json import read_json
    from thread_core.models import Document

    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadFile(f"{file} is not JSON ({error}); expected a file written by `thread-rag export`") from error
    named: dict[str, list[Any]] = {}
    for value in values:
        named.setdefault(_document_of(value), []).append(value)
    if list(named) == [""]:
        yield file.name, read_json(text, Document(file.name, ""))
        return
    if "" in named:
        unnamed = f"{len(named[''])} units name no document under #meta data#, but others do"
        raise BadFile(f"{file}: {unnamed}; name one in every unit, or in none")
    for document_id, own in sorted(named.items()):
        yield document_id, read_json(json.dumps(own), Document(document_id, ""))


def _document_of(value: Any) -> str:
    said = value.get("#meta data#") if isinstance(value, dict) else None
    name = said.get("document") if isinstance(said, dict) else None
    return name if isinstance(name, str) else ""
