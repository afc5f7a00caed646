"""The command line: arguments and exit codes. What the commands do is in the modules beside this one.

Everything heavy is imported inside the commands, so that `--help` answers at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from thread_rag.safe_text import one_line

if TYPE_CHECKING:
    from thread_core.lexical import SqliteLexicalIndex
    from thread_core.library import Library

ADVICE = 'is missing; install the command with: pip install "thread-rag[cli]"'

try:
    import typer
except ModuleNotFoundError as error:
    raise SystemExit(f"error: {error.name} {ADVICE}") from error

EXTRA = ("chromadb", "rich")
"""What else the extra brings, imported late."""
SOME_FAILED = 3
"""Exit code when some documents were taken in and others failed."""
NOTHING_FITS = 2
"""Exit code when a question finds nothing and nobody is there to put it in other words."""

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Turn how-to documents into logic units, and walk through them one step at a time.",
    epilog='Example: thread-rag ingest guides, then thread-rag ask "The disk is full, what now?"',
)

StoreOption = Annotated[Path, typer.Option("--store", metavar="DIR", help="Directory that keeps the units.")]
STORE = Path(".thread")
WORDS = "words.sqlite3"
"""The file in a store's directory that keeps the words and the documents' names."""


@app.command(epilog="Example: thread-rag ingest guides notes/disk-full.md --store .thread")
def ingest(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH", help="Documents, and folders of them.")],
    store: StoreOption = STORE,
) -> None:
    """Take documents in.

    Files that end in .md, .mdx, .markdown or .txt, and folders with all of them that are below.
    A document is known by its path below the folder that you name, so name the same folder each time; what has not
    changed since is not written again. Exits with 3 when some documents failed, with 1 when nothing was taken in.
    """
    with _errors_in_one_line():
        from thread_chroma import open_store
        from thread_core import default_embedding
        from thread_rag import reading, rendering
        from thread_rag.ingesting import ingest as take_in

        console = rendering.a_console()
        documents, unread = reading.read(paths)
        if not documents:
            rendering.show_failures(console, unread)
            raise typer.Exit(1)
        opened = open_store(store, create=True)
        progress = rendering.with_progress(console, documents)
        summary = take_in(progress, opened, _words(store), default_embedding())
        failures = [*unread, *summary.failures]
        rendering.show_summary(console, summary, failures)
        if failures:
            raise typer.Exit(SOME_FAILED if summary.reports else 1)


@app.command(epilog='Example: thread-rag ask "The disk of a node is full, what do I do?"')
def ask(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="What you want to do, or what is wrong.")],
    store: StoreOption = STORE,
) -> None:
    """Walk through a procedure, step by step.

    Each step comes with its lines in the document and the outcomes that the document knows. Answer with a number, with
    what you see, or with Enter for the next step; `back` undoes a step, `why` says what led to it, `quit` leaves.
    Answers may be piped in, one a line; then the exit code is 2 when nothing fits the question.
    """
    with _errors_in_one_line():
        from thread_core.session import HowToSession
        from thread_rag import rendering, walking

        console = rendering.a_console()
        session = HowToSession(_library(store))
        interactive = walking.stdin_is_terminal()
        answers = walking.a_person(console) if interactive else walking.piped_lines(console)
        if not walking.walk(session, question, console, answers) and not interactive:
            raise typer.Exit(NOTHING_FITS)


@app.command(epilog="Example: thread-rag show disk-full.md")
def show(
    document: Annotated[str, typer.Argument(metavar="DOC", help="A document's id, or an end of it: disk-full.md")],
    store: StoreOption = STORE,
    as_json: Annotated[bool, typer.Option("--json", help="Print the units as JSON, one a line.")] = False,
) -> None:
    """Show a document's units.

    Of each its type, its lines, what it needs first, and where each outcome leads.
    """
    with _errors_in_one_line():
        from thread_chroma import open_store
        from thread_rag import rendering
        from thread_rag.showing import Shelf

        shelf = Shelf(open_store(store), _words(store))
        units = shelf.units(shelf.find(document))
        console = rendering.a_console()
        if as_json:
            rendering.show_json(console, units)
        else:
            rendering.show_units(console, units, shelf)


def main() -> None:
    """Run the command."""
    app()


def _library(store: Path) -> Library:
    """What a store holds, ready for questions; refused if it was written with another embedding."""
    from thread_chroma import open_store
    from thread_core import default_embedding
    from thread_core.errors import BadStore
    from thread_core.library import Library

    library = Library(open_store(store), default_embedding(), _words(store))
    library.refresh()
    if complaint := library.complaint():
        raise BadStore(complaint)
    return library


def _words(store: Path) -> SqliteLexicalIndex:
    """The words of a store, in a file beside it."""
    from thread_core.lexical import SqliteLexicalIndex

    return SqliteLexicalIndex(store / WORDS)


@contextmanager
def _errors_in_one_line() -> Iterator[None]:
    """Say what went wrong on stderr and exit with 1; a person needs no traceback for what is not a bug."""
    from thread_core.errors import ThreadError

    try:
        yield
    except ThreadError as error:
        message = str(error)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in EXTRA:
            raise
        message = f"{missing} {ADVICE}"
    else:
        return
    typer.secho(f"error: {one_line(message)}", fg=typer.colors.RED, err=True)
    raise typer.Exit(1)
