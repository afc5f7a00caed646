"""`thread-rag view`: guides as maps in a browser, walks through them, and corrections of links."""

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
EXAMPLES = """\
thread-rag view
thread-rag view --static pages
thread-rag ingest guides --store by-model --model gpt-4.1-mini
thread-rag view --compare by-model"""


def view(
    store: StoreOption = STORE,
    server: ServerOption = "",
    compare: Annotated[
        Path | None,
        typer.Option("--compare", metavar="DIR", help="Show another store of the same guides beside this one."),
    ] = None,
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65535, help="The server's port; 0 chooses a free one.")
    ] = 0,
    static: Annotated[
        Path | None,
        typer.Option(
            "--static", metavar="DIR", help="Write the pages as files into this folder instead of serving them."
        ),
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the address.")] = False,
) -> None:
    """View guides as maps in a browser, and correct their links.

    A map shows the steps of a guide, the conditions on its arrows, where it ends, the other guides that it leads to,
    and links that lead nowhere. Select a step to see its lines, prerequisites and warnings. A walk shows its path
    on the map.

    If the documents' files are at hand, you can approve or correct a link. The correction is saved in a file beside the
    document, such as disk-full.md.thread.toml, and every ingest applies it. It holds as long as the document has the
    words that state the link; if they change, ingest reports it.

    The server accepts connections from this machine only. Pages written with --static have no walks and no corrections.
    They open from disk or from any server.
    """
    with errors_in_one_line():
        import starlette  # noqa: F401  (if it is missing, its error names the extra; Jinja is also in another extra)

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
            typer.echo(f"Wrote {written:,} pages. Open {static / 'index.html'}")
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
    """Return what lint finds in the guides, if its extra is installed."""
    try:
        from thread_lint import check

        return check(shelf)
    except ModuleNotFoundError:
        return ()


class _Current:
    """The pages of the store as it is now. Findings of lint are added when they are ready."""

    def __init__(self, moment: Callable[[], object], shelf: Callable[[], Shelf], pages: MakePages) -> None:
        self._moment = moment
        self._shelf = shelf
        self._pages = pages
        self._alone = threading.Lock()
        self._of: object = None
        self._held: Pages | None = None
        self._found: Sequence[Finding] = ()

    def __call__(self) -> Pages:
        """Return the pages, made again if the store has changed or an ingest has worked on it."""
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
    """Serve until the person stops it."""
    import uvicorn

    from thread_core.errors import BadFile

    try:
        listening = socket.create_server((HOST, port))
    except OSError as error:
        raise BadFile(f"port {port} cannot be used ({error.strerror}); choose another with --port") from error
    with listening:
        address = f"http://{HOST}:{listening.getsockname()[1]}/"
        typer.echo(f"Guides: {address} (Ctrl-C to stop)")
        if browse:
            webbrowser.open(address)
        config = uvicorn.Config(served, log_level="warning", server_header=False, lifespan="off")  # type: ignore[arg-type]
        uvicorn.Server(config).run(sockets=[listening])
