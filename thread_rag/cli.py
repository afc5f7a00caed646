"""The command line: arguments and exit codes. What the commands do is in the modules beside this one.

Everything heavy is imported inside the commands, so that `--help` answers at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from thread_rag.safe_text import one_line

if TYPE_CHECKING:
    from thread_core.access import Price
    from thread_core.lexical import SqliteLexicalIndex
    from thread_core.library import Library
    from thread_core.session import HowToSession
    from thread_core.turns import Turn
    from thread_rag.saving import SessionFile

ADVICE = '{} is missing; install the command with: pip install "thread-rag[{}]"'

try:
    import typer
except ModuleNotFoundError as error:
    raise SystemExit(f"error: {ADVICE.format(error.name, 'cli')}") from error

EXTRAS = {
    "cli": ("chromadb", "pathspec", "rich"),
    "cli,langchain,openai": ("langchain_chroma", "langchain_core", "langchain_openai", "langchain_text_splitters"),
}
"""What else the extras bring, imported late."""
SOME_FAILED = 3
"""Exit code when some documents were taken in and others failed, or did not have their turn."""
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
BaseUrlOption = Annotated[
    str, typer.Option("--base-url", metavar="URL", help="Another service that speaks OpenAI's protocol.")
]
ModelOption = Annotated[
    str, typer.Option("--model", metavar="NAME", help="Match outcomes with this model; its key is in OPENAI_API_KEY.")
]
STORE = Path(".thread")
WORDS = "words.sqlite3"
"""The file in a store's directory that keeps the words and the documents' names."""


@app.command(
    epilog="Example: thread-rag ingest guides notes/disk-full.md --store .thread, or, to see what a model would cost,"
    " thread-rag ingest guides --model gpt-4.1-mini --price 0.40,1.60 --dry-run"
)
def ingest(
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH", help="Documents, folders of them, patterns such as 'docs/**/*.md'.")
    ],
    store: StoreOption = STORE,
    model: Annotated[
        str, typer.Option("--model", metavar="NAME", help="Extract with this model; its key is in OPENAI_API_KEY.")
    ] = "",
    base_url: BaseUrlOption = "",
    reformulate: Annotated[
        bool, typer.Option("--reformulate", help="Have the model write the documents anew first, as the paper does.")
    ] = False,
    max_tokens: Annotated[
        int | None, typer.Option("--max-tokens", metavar="N", min=0, help="Tokens of this run at most, in and out.")
    ] = None,
    max_cost: Annotated[
        float | None, typer.Option("--max-cost", metavar="X", min=0, help="Cost of this run at most; needs --price.")
    ] = None,
    price: Annotated[
        str, typer.Option("--price", metavar="P,C", help="What a million tokens cost, in and out: 0.40,1.60")
    ] = "",
    concurrency: Annotated[
        int, typer.Option("--concurrency", metavar="N", min=1, help="Documents that the model is asked about at once.")
    ] = 4,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what the model would cost; ask nothing and write nothing.")
    ] = False,
    merge_chains: Annotated[
        int,
        typer.Option(
            "--merge-chains", metavar="N", min=0, help="Merge steps that only lead on to the next, up to N tokens."
        ),
    ] = 0,
    merge_similar: Annotated[
        bool,
        typer.Option(
            "--merge-similar",
            help="Show what several documents say alike once, with all sources; a model tells where words differ.",
        ),
    ] = False,
) -> None:
    """Take documents in.

    Files that end in .md, .mdx, .markdown, .txt, .rst, .html or .htm, and folders with all of them that are below,
    but for hidden ones and what a .gitignore leaves out. HTML and reStructuredText need the extra thread-rag[html].
    A document is known by its path below the folder that you name, so name the same folder each time; what has not
    changed since is not written again. Exits with 3 when some documents failed, with 1 when nothing was taken in.

    With --model a language model divides the documents; their text stays as it is, unless --reformulate has it written
    anew. Good replies are kept in the store's directory: an unchanged document costs nothing, and a run that stopped
    goes on where it was. A document for which the model gives none keeps its old units and counts as failed; so do,
    when the budget ends, those that are left. Name the model each time: without it the rules make the units again.
    """
    if not model and (base_url or reformulate or price or dry_run or max_tokens is not None or max_cost is not None):
        raise typer.BadParameter("name a model; the other options say how it is used", param_hint="--model")
    prices = _prices(price)
    if max_cost is not None and not prices:
        raise typer.BadParameter("say what tokens cost with --price", param_hint="--max-cost")
    with _errors_in_one_line():
        from thread_core.errors import BadDocument
        from thread_core.ingest import ThreadIngest
        from thread_core.models import Document
        from thread_rag import reading, rendering, sources

        console = rendering.a_console()
        taken = list(reading.read(file for root in sources.find(paths) for file in root.files))
        documents = [one for one in taken if isinstance(one, Document)]
        unread = [one for one in taken if isinstance(one, BadDocument)]
        if not documents:
            rendering.show_failures(console, unread)
            raise typer.Exit(1)
        if model:
            from thread_rag import extracting, models

            llm = models.open_model(model, base_url, asked=not dry_run)
        if dry_run:
            estimate = extracting.estimate(documents, llm, store, reformulate=reformulate)
            rendering.show_estimate(console, len(documents), estimate, prices)
            rendering.show_failures(console, unread)
            return

        from thread_chroma import open_store
        from thread_core import default_embedding
        from thread_core.extraction import LLMExtractor

        access = extractor = None
        if model:
            access = extracting.open_access(llm, store, max_tokens, max_cost, prices)
            extractor = LLMExtractor(access, reformulate=reformulate)
        ingest = ThreadIngest(
            open_store(store, create=True),
            default_embedding(),
            words=_words(store),
            extractor=extractor,
            concurrency=concurrency,
            merge_chains=merge_chains,
            merge_similar=merge_similar,
            models=access,
        )
        with rendering.a_bar(console, len(documents) + len(unread)) as shown:
            report = ingest.run([*unread, *documents], progress=shown)
        rendering.show_summary(console, report)
        if access is not None:
            rendering.show_spending(console, access.usage, prices)
        if report.failures or report.left:
            raise typer.Exit(SOME_FAILED if report.reports else 1)


@app.command(epilog='Example: thread-rag ask "The disk of a node is full, what do I do?" --session incident.json')
def ask(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="What you want to do, or what is wrong.")],
    store: StoreOption = STORE,
    model: ModelOption = "",
    base_url: BaseUrlOption = "",
    session: Annotated[
        Path | None, typer.Option("--session", metavar="FILE", help="Keep the walk here, to go on with it later.")
    ] = None,
) -> None:
    """Walk through a procedure, step by step.

    Each step comes with its lines in the document and the outcomes that the document knows. Answer with a number, with
    what you see, or with Enter for the next step; `back` undoes a step, `skip` goes past it, `why` says what led to it,
    `give up` hands over what was tried, `quit` leaves. Answers may be piped in, one a line; then the exit code is 2
    when nothing fits the question.

    With --model a language model chooses the first step and tells what an outcome means. Steps are shown as the
    documents have them in any case; where the model fails, the walk goes on without it and says so.

    With --session the walk survives: leave it at any step and go on with `thread-rag resume FILE`.
    """
    with _errors_in_one_line():
        from thread_core.session import HowToSession
        from thread_rag.saving import SessionFile

        kept = SessionFile(session) if session is not None else None
        if kept is not None:
            kept.is_new()
        walked = HowToSession(_asking(store, model, base_url), journal=kept.journal() if kept else None)
        _walk(walked, walked.start(question), kept)


@app.command(epilog="Example: thread-rag resume incident.json")
def resume(
    session: Annotated[Path, typer.Argument(metavar="FILE", help="What `thread-rag ask --session` has written.")],
    store: StoreOption = STORE,
    model: ModelOption = "",
    base_url: BaseUrlOption = "",
) -> None:
    """Go on with a walk where it was left.

    The step at hand is shown again, as the documents have it now. Where somebody else has answered it meanwhile, you
    are told so.
    """
    with _errors_in_one_line():
        from thread_core.session import HowToSession
        from thread_rag.saving import SessionFile

        kept = SessionFile(session)
        state = kept.read()
        walked = HowToSession(_asking(store, model, base_url), journal=kept.journal()).resumed(state)
        _walk(walked, walked.show(), kept)


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


def _walk(session: HowToSession, first: Turn, kept: SessionFile | None) -> None:
    """Go on from a turn, with a person or with lines that are piped in."""
    from thread_rag import rendering, walking

    console = rendering.a_console()
    interactive = walking.stdin_is_terminal()
    answers = walking.a_person(console) if interactive else walking.piped_lines(console)
    keep = kept.write if kept is not None else lambda state: None
    if not walking.walk(session, first, console, answers, keep) and not interactive:
        raise typer.Exit(NOTHING_FITS)


def _asking(store: Path, model: str, base_url: str) -> Library:
    """What a store holds, with a model where one is named."""
    if base_url and not model:
        raise typer.BadParameter("name a model; the other option says where it is", param_hint="--model")
    library = _library(store)
    if not model:
        return library
    from thread_core.access import ModelAccess
    from thread_rag.models import open_model

    return library.with_models(ModelAccess(open_model(model, base_url)))


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


def _prices(said: str) -> Price | None:
    """What a million tokens cost, in and out, as the option says it."""
    from thread_core.access import Price

    try:
        prompt, completion = map(float, said.split(",")) if said else (0.0, 0.0)
    except ValueError:
        prompt = completion = -1.0
    if not (0 <= prompt < math.inf and 0 <= completion < math.inf):
        raise typer.BadParameter("two numbers with a comma between them, as in 0.40,1.60", param_hint="--price")
    return Price(prompt, completion) if said else None


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
        extra = next((extra for extra, brought in EXTRAS.items() if missing in brought), None)
        if extra is None:
            raise
        message = ADVICE.format(missing, extra)
    else:
        return
    typer.secho(f"error: {one_line(message)}", fg=typer.colors.RED, err=True)
    raise typer.Exit(1)
