"""`thread-rag show` and `thread-rag text`: what a store holds of a document, and the text that citations point into."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from thread_rag.ending import errors_in_one_line
from thread_rag.options import STORE, ServerOption, StoreOption

SHOW_EXAMPLE = "Example: thread-rag show disk-full.md"
TEXT_EXAMPLE = "Example: thread-rag text manual.html"


def show(
    document: Annotated[
        str | None,
        typer.Argument(metavar="DOC", help="A document's id, or an end of it: disk-full.md; all are listed without."),
    ] = None,
    store: StoreOption = STORE,
    server: ServerOption = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print the units as JSON, one a line.")] = False,
    commands: Annotated[bool, typer.Option("--commands", help="Tell what an executor would be given to run.")] = False,
) -> None:
    """Show a document's units, or which documents there are.

    Of each unit its type, its lines, what it needs first, where each outcome leads, and the lines that state a
    condition under which nothing leads on. Without a document, the ids of all that the store holds, one a line.
    """
    if as_json and document is None:
        raise typer.BadParameter("name a document; `thread-rag export -` prints all units", param_hint="DOC")
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
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A document, as `ingest` reads it.")],
) -> None:
    """Print the text that citations point into, with line numbers.

    HTML, reStructuredText, Word, PDF, tables and notebooks become Markdown before they are divided, and a citation such
    as manual.pdf:12-15 counts the lines of that; beside them stands on which page or in which paragraph of the file
    they are. Other documents are shown as they stand.
    """
    with errors_in_one_line():
        from thread_rag import reading, rendering

        rendering.show_numbered(rendering.a_console(), reading.document(file))
