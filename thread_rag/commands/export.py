"""`thread-rag export`: units as JSON lines, or guides in other programs' formats."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from thread_rag.ending import errors_in_one_line
from thread_rag.options import STORE, ServerOption, StoreOption

if TYPE_CHECKING:
    from thread_core.ports import UnitStore
    from thread_core.shelf import Shelf

EXAMPLES = """\
thread-rag export guides.jsonl
thread-rag export - | gzip > guides.jsonl.gz
thread-rag export disk-full.md disk-full.mmd --format mermaid
thread-rag export skills --format skills"""

Form = Literal["jsonl", "paper", "mermaid", "dot", "json", "skills", "langgraph"]
ENDINGS: Mapping[Form, str] = {"mermaid": ".mmd", "dot": ".dot", "json": ".json", "langgraph": ".py"}
"""Extensions of the formats that have one file per guide."""


def export(
    documents: Annotated[
        list[str] | None,
        typer.Argument(metavar="DOC", help="Documents, as `show` lists them. Default: all.", show_default=False),
    ] = None,
    *,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The file or folder to write; - prints a file.")],
    form: Annotated[Form, typer.Option("--format", metavar="FORMAT", help="One of the formats above.")] = "jsonl",
    store: StoreOption = STORE,
    server: ServerOption = "",
) -> None:
    """Export units, or guides in other programs' formats.

    Into one file, whatever DOC names:

    - jsonl: one JSON line per unit, with all of its fields except vectors, in reading order. Equal stores give equal
      files. `thread-rag import` reads them.
    - paper: a list of units in the JSON of the paper. `thread-rag import` reads it.

    Into a file if DOC names one guide, and otherwise into a folder with one file per guide:

    - mermaid, dot: a drawing with a node for each step and case. `thread-rag ingest` reads it.
    - json: where each outcome leads, with a JSON Schema.
    - langgraph: a Python program to build on. Each step is a node that pauses for the person.

    Into a folder:

    - skills: for each guide a folder with a SKILL.md, for agents.

    Files are replaced. If the export fails, they stay as they were.
    """
    with errors_in_one_line():
        from thread_core.shelf import Shelf
        from thread_rag import opening
        from thread_rag.place import Place

        place = Place(store, server)
        units = place.units()
        if form == "jsonl" and not documents:
            _write_lines(out, units, None)
            return
        shelf = opening.with_words(place, lambda words: Shelf.of_store(units, words))
        chosen = list(dict.fromkeys(map(shelf.find, documents))) if documents else shelf.ids
        if form == "jsonl":
            _write_lines(out, units, chosen)
        elif form == "paper":
            _write_paper(out, shelf, chosen)
        else:
            _write_guides(out, shelf, chosen, form, is_one=len(documents or ()) == 1 and not out.is_dir())


def _write_lines(out: Path, units: UnitStore, documents: Sequence[str] | None) -> None:
    from thread_core.extraction.unit_lines import to_lines
    from thread_rag import files

    written = files.write(out, to_lines(units, documents))
    _tell(out, f"{written - 1} units")


def _write_paper(out: Path, shelf: Shelf, documents: Sequence[str]) -> None:
    from thread_core.extraction.paper_json import write_json
    from thread_rag import files

    units = [unit for document_id in documents for unit in shelf.units(document_id)]
    files.write(out, [write_json(units).rstrip("\n")])
    _tell(out, f"{len(units)} units")


def _write_guides(out: Path, shelf: Shelf, documents: Sequence[str], form: Form, *, is_one: bool) -> None:
    from thread_export.names import names
    from thread_rag import files

    if out == files.PIPE and (form == "skills" or not is_one):
        how = "name a folder" if form == "skills" else "name one guide, or a folder"
        raise typer.BadParameter(f"only one file can be printed; {how}", param_hint="OUT")
    called = names(documents)
    if form == "skills":
        from thread_export import skills

        folders = {called[one]: skills.write(shelf, one, called) for one in documents}
        written = {f"{name}/{file}": text for name, own in folders.items() for file, text in own.items()}
        files.write_all(out, written)
    elif is_one:
        files.write_text(out, _writer(form)(shelf, documents[0]))
    else:
        write = _writer(form)
        files.write_all(out, {f"{called[one]}{ENDINGS[form]}": write(shelf, one) for one in documents})
    _tell(out, "1 guide" if len(documents) == 1 else f"{len(documents)} guides")


def _writer(form: Form) -> Callable[[Shelf, str], str]:
    """Return the function that writes a guide in a format."""
    from thread_export import dot, guide_json, langgraph_code, mermaid
    from thread_export.chart import draw

    match form:
        case "json":
            return guide_json.write
        case "langgraph":
            return langgraph_code.write
        case _:
            write = mermaid.write if form == "mermaid" else dot.write
            return lambda shelf, one: write(draw(shelf, one).chart, shelf.units(one)[0].title)


def _tell(out: Path, what: str) -> None:
    from thread_core.text.safe import one_line
    from thread_rag import files

    if out != files.PIPE:
        typer.echo(f"Exported {what} to {one_line(str(out))}.")
