"""`thread-rag view`: guides in a browser, as they were read, with a walk; and what is approved or corrected there."""

from __future__ import annotations

import socket
import threading
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from thread_rag.ending import errors_in_one_line
from thread_rag.options import STORE, ServerOption, StoreOption

if TYPE_CHECKING:
    from thread_chroma import ChromaUnitStore
    from thread_core.shelf import Shelf
    from thread_rag.place import Place
    from thread_view.findings import Finding
    from thread_view.pages import Pages

    MakePages = Callable[[Shelf, Sequence[Finding]], Pages]

HOST = "127.0.0.1"
EXAMPLES = (
    "Example: thread-rag view. As files: thread-rag view --static pages. What a model reads otherwise than the rules:"
    " thread-rag ingest guides --store by-model --model gpt-4.1-mini, then thread-rag view --compare by-model"
)


def view(
    store: StoreOption = STORE,
    server: ServerOption = "",
    compare: Annotated[
        Path | None,
        typer.Option("--compare", metavar="DIR", help="Another store of the same guides, to be shown beside this one."),
    ] = None,
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65535, help="The server's port; 0 takes a free one.")
    ] = 0,
    static: Annotated[
        Path | None, typer.Option("--static", metavar="DIR", help="Write the pages as files here, and serve nothing.")
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Open no browser; the address is printed.")] = False,
) -> None:
    """Look at guides in a browser, and correct where links lead.

    A guide is a map of its steps: conditions on the arrows, ends, doors to other guides, and links that lead nowhere. A
    step is shown with its lines as they stand in the document, what it needs first, and what is warned of. A walk shows
    the way taken on the map.

    Where the documents' files are at hand, a link may be approved or corrected. That is kept in a file beside the
    document, disk-full.md.thread.toml, with who said it and when, and every ingest applies it. The link is known there
    by the words that state it: an edit that moves lines keeps it, and one that changes the words is reported.

    The server answers to this machine alone, until it is stopped with Ctrl-C. Pages written with --static are without
    walks and corrections; they open from the disk, and on any server.
    """
    with errors_in_one_line():
        import starlette  # noqa: F401  (where it is missing, it names the extra; Jinja is also in another one)

        from thread_rag import opening
        from thread_rag.place import Place

        place = Place(store, server)
        units = place.units()
        other = _shelf(Place(compare), Place(compare).units()) if compare is not None else None
        other_name = str(compare or "")
        if static is not None:
            from thread_view import static as pages_as_files

            shelf = _shelf(place, units)
            written = pages_as_files.write(static, shelf, findings=_findings(shelf), other=other, other_name=other_name)
            typer.echo(f"Wrote {written:,} pages; open {static / 'index.html'}")
            return
        from thread_core.walk.session import HowToSession
        from thread_rag.correcting import BesideDocuments
        from thread_view.addresses import Served
        from thread_view.pages import Pages
        from thread_view.server import app

        library = opening.library(place, "", "", units)

        def pages(shelf: Shelf, findings: Sequence[Finding]) -> Pages:
            return Pages(shelf, Served(), findings=findings, other=other, other_name=other_name)

        current = _Current(lambda: (units.version(), *place.written()), lambda: _shelf(place, units), pages)
        _serve(app(current, lambda: HowToSession(library), BesideDocuments(place, units)), port, browse=not no_browser)


def _shelf(place: Place, units: ChromaUnitStore) -> Shelf:
    from thread_core.shelf import Shelf
    from thread_rag import opening

    return opening.with_words(place, lambda words: Shelf.of_store(units, words))


def _findings(shelf: Shelf) -> Sequence[Finding]:
    """What a check of the guides has found, where its extra is installed."""
    try:
        from thread_lint import check

        return check(shelf)
    except ModuleNotFoundError:
        return ()


class _Current:
    """The pages as the store is now; what a check finds takes longer, and comes to them when it is there."""

    def __init__(self, moment: Callable[[], object], shelf: Callable[[], Shelf], pages: MakePages) -> None:
        self._moment = moment
        self._shelf = shelf
        self._pages = pages
        self._alone = threading.Lock()
        self._of: object = None
        self._held: Pages | None = None
        self._found: Sequence[Finding] = ()

    def __call__(self) -> Pages:
        """The pages, made anew where the store has changed or an ingest was at work on it."""
        with self._alone:
            now = self._moment()
            if self._held is None or now != self._of:
                shelf = self._shelf()
                self._of, self._held = now, self._pages(shelf, self._found)
                threading.Thread(target=self._look, args=(now, shelf), daemon=True).start()
            return self._held

    def _look(self, moment: object, shelf: Shelf) -> None:
        found = _findings(shelf)
        with self._alone:
            if moment == self._of:
                self._found, self._held = found, self._pages(shelf, found)


def _serve(served: object, port: int, *, browse: bool) -> None:
    """Answer until somebody stops it."""
    import uvicorn

    from thread_core.errors import BadFile

    try:
        listening = socket.create_server((HOST, port))
    except OSError as error:
        raise BadFile(f"port {port} cannot be used ({error.strerror}); name another one with --port") from error
    with listening:
        address = f"http://{HOST}:{listening.getsockname()[1]}/"
        typer.echo(f"Guides: {address} (stop with Ctrl-C)")
        if browse:
            webbrowser.open(address)
        config = uvicorn.Config(served, log_level="warning", server_header=False, lifespan="off")  # type: ignore[arg-type]
        uvicorn.Server(config).run(sockets=[listening])
