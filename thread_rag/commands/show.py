"""`thread-rag show` and `thread-rag text`: a document's units, and the lines that citations count."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from thread_rag.ending import errors_in_one_line
from thread_rag.options import STORE, ServerOption, StoreOption

SHOW_EXAMPLES = """\
thread-rag show
thread-rag show disk-full.md --commands"""
TEXT_EXAMPLES = "thread-rag text manual.pdf"


def show(
    document: Annotated[
        str | None,
        typer.Argument(
            metavar="DOC", help="A document's id or the end of it, such as disk-full.md. Default: list all documents."
        ),
    ] = None,
    store: StoreOption = STORE,
    server: ServerOption = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print the units as JSON, one per line.")] = False,
    commands: Annotated[bool, typer.Option("--commands", help="Also show what an executor would run.")] = False,
) -> None:
    """Show the units of a document, or list all documents.

    For each unit: its type, header and lines, its prerequisites, where each outcome leads, and the lines whose
    condition leads nowhere.
    """
    if as_json and document is None:
        raise typer.BadParameter(
            "found --json without a document; name one, or use `thread-rag export -` for all units", param_hint="DOC"
        )
    with errors_in_one_line():
        from thread_core.shelf import Shelf
        from thread_core.text.safe import one_line
        from thread_rag import opening, rendering
        from thread_rag.place import Place

        place = Place(store, server)
        units_there = place.units()
        shelf = opening.with_words(place, lambda words: Shelf.of_store(units_there, words))
        console = rendering.a_console()
        if document is None:
            for document_id in shelf.ids:
                rendering.say(console, one_line(document_id))
            return
        units = shelf.units(shelf.find(document))
        if as_json:
            rendering.show_json(console, units)
        else:
            rendering.show_units(console, units, shelf, commands=commands)


def text(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A document of any kind that `ingest` reads.")],
) -> None:
    """Print a document with the line numbers that citations count.

    HTML, reStructuredText, Word, PDF, spreadsheets and notebooks are converted to Markdown first, and a citation such
    as manual.pdf:12-15 counts the lines of that. Beside them stands the page or paragraph of the file. Other documents
    are printed as they are.
    """
    with errors_in_one_line():
        from thread_rag import reading, rendering

        rendering.show_numbered(rendering.a_console(), reading.document(file))
