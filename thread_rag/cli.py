"""The command line: arguments and exit codes. What the commands do is in the modules beside this one.

Everything heavy is imported inside the commands, so that `--help` answers at once.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from thread_rag.ending import ADVICE, errors_in_one_line, failure_reported, told_when_stopped

if TYPE_CHECKING:
    from rich.console import Console

    from thread_core.walk.rendering import Turn
    from thread_core.walk.saving import SessionFile
    from thread_core.walk.session import HowToSession
    from thread_rag.place import Place

try:
    import typer
except ModuleNotFoundError as error:
    raise SystemExit(f"error: {ADVICE.format(error.name, 'cli')}") from error

from thread_rag import viewing
from thread_rag.checking import check
from thread_rag.evaluating import evaluate
from thread_rag.exporting import export
from thread_rag.importing import import_units
from thread_rag.linting import lint
from thread_rag.offering import mcp
from thread_rag.options import (
    STORE,
    BaseUrlOption,
    JsonTurnsOption,
    ModelOption,
    PlainCommand,
    ServerOption,
    StoreOption,
    WaitOption,
    price_of,
)
from thread_rag.recording import record
from thread_rag.reviewing import gaps

SOME_FAILED = 3
"""Exit code when some documents were taken in and others failed, or did not have their turn; or for broken links."""
NOTHING_FITS = 4
"""Exit code when a question finds nothing and nobody is there to put it in other words."""

NARROW = 52
"""Columns of a terminal for which help would be too wide, unless it is told how wide that is."""

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Turn how-to documents into logic units, and walk through them one step at a time.",
    epilog='Example: thread-rag ingest guides, then thread-rag ask "The disk is full, what now?". Exit codes: 0, all is'
    " well; 1, it failed, or nothing was taken in; 2, it was typed wrong; 3, some documents were not taken in, with"
    " --strict links lead nowhere, or lint found something; 4, nothing fits the question; 130 or 143, it was stopped;"
    " 141, nobody reads on.",
)


command = partial(app.command, cls=PlainCommand)


def _tell_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"thread-rag {version('thread-rag')}")
        raise typer.Exit


@app.callback()
def _before(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_tell_version, help="Print the version and exit.")
    ] = False,
) -> None:
    """What holds for all commands."""


@command(
    epilog="Example: thread-rag ingest guides notes/disk-full.md. From cron: thread-rag ingest /srv/guides --store"
    " /var/lib/guides --prune --wait 600 --report last.json. What a model would cost: thread-rag ingest guides --model"
    " gpt-4.1-mini --price 0.40,1.60 --dry-run",
)
def ingest(
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH", help="Documents, folders of them, patterns such as 'docs/**/*.md'.")
    ],
    store: StoreOption = STORE,
    server: ServerOption = "",
    prune: Annotated[
        bool, typer.Option("--prune", help="Remove the documents whose files are gone; says first how many.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Remove them without being asked.")] = False,
    wait: WaitOption = 0,
    workers: Annotated[
        int,
        typer.Option("--workers", metavar="N", min=1, help="Processes that take documents apart; few need none."),
    ] = 2,
    report_to: Annotated[
        Path | None,
        typer.Option(
            "--report", metavar="FILE", help="Write the report as JSON, also of a failure; - prints it alone."
        ),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 3 where links lead nowhere, too: to no document or no section.")
    ] = False,
    model: Annotated[
        str, typer.Option("--model", metavar="NAME", help="Extract with this model; its key is in OPENAI_API_KEY.")
    ] = "",
    base_url: BaseUrlOption = "",
    llm_for: Annotated[
        Literal["all", "auto"],
        typer.Option("--llm-for", help="Ask the model about all documents, or where the rules leave decisions open."),
    ] = "all",
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
    ray: Annotated[
        str,
        typer.Option(
            "--ray",
            metavar="ADDRESS",
            help="Have processes of a Ray cluster do it: of one that is begun for this (local), or at an address.",
        ),
    ] = "",
    shards: Annotated[
        int | None, typer.Option("--shards", metavar="N", min=1, help="Writers on Ray, a processor each; 2 by default.")
    ] = None,
) -> None:
    """Take documents in.

    Files that end in .md, .mdx, .markdown, .txt, .rst, .html, .htm, .docx, .pdf, .xlsx, .csv or .ipynb, drawings in
    Mermaid (.mmd, .mermaid) and DOT (.dot, .gv), and folders with all of them that are below, but for tables in .csv,
    hidden ones and what a .gitignore leaves out; files of other kinds are counted. HTML and reStructuredText need the
    extra thread-rag[html], DOT thread-rag[drawings], and the five from .docx on thread-rag[office]. Of Word and PDF the
    steps keep the numbers that the file shows, and their order: a document in which they would not fails.
    A document is known by its path below the folder that you name, so name the same folder each time; what has not
    changed since is neither read closely nor written again. A folder that was moved or renamed goes on where it was. A
    file is refused whose text differs from that of a file of the same path below another folder, as long as that one
    is there. An empty file is passed over; one that had text before fails, and its units stay. Exits with 3 when some
    documents failed, with 1 when nothing was taken in.

    Stop it whenever you like, or have it killed: readers find each document as it was or as it is, and the same
    command goes on from there. A document whose file is gone stays in the store, and the report says so; --prune
    removes it. A folder that cannot be listed does not count as gone. Of two ingests into one store the second one
    fails at once and says who was first, or waits for it with --wait.

    The report says when and where it was, and whether all is well (at, store, ok). It is written also when a run fails,
    with the reason (stopped), so that the one of an earlier run is not taken for it.

    Documents that are not English are read by their structure alone, and counted in the report; --model reads them all.

    With --model a language model divides the documents; their text stays as it is, unless --reformulate has it written
    anew. With --llm-for auto it is asked only about those in which the rules leave a condition without a way on (the
    report has it under Conditions), or that are not English.

    Good replies are kept in the store's directory: an unchanged document costs nothing, and a run that stopped goes on
    where it was. A document for which the model gives none keeps its old units and counts as failed; so do, when the
    budget ends, those that are left. Name the model each time: without it the rules make the units again.

    With --ray several processes write side by side, into a Chroma server (--server). All of them open the files of
    --store, so the cluster is one of this machine; thread_ray.RayRunner spans several, over PostgreSQL. It needs the
    extra thread-rag[ray].
    """
    about_model = (
        base_url,
        llm_for != "all",
        reformulate,
        price,
        dry_run,
        max_tokens is not None,
        max_cost is not None,
    )
    if not model and any(about_model):
        raise typer.BadParameter("name a model; the other options say how it is used", param_hint="--model")
    if ray and not server:
        raise typer.BadParameter("name a Chroma server with --server: a directory has one process", param_hint="--ray")
    if shards and not ray:
        raise typer.BadParameter("say with --ray where the writers are", param_hint="--shards")
    prices = price_of(price)
    if max_cost is not None and not prices:
        raise typer.BadParameter("say what tokens cost with --price", param_hint="--max-cost")
    to_report = None if dry_run else report_to
    where = server or str(store)
    with errors_in_one_line(), told_when_stopped(), failure_reported(to_report, where):
        from thread_core.ingest import Failure, IngestReport, ThreadIngest
        from thread_core.linking import LinkState
        from thread_rag import files, ingesting, reading, rendering, sources

        console = rendering.a_console(stderr=report_to == files.PIPE)
        roots = sources.find(paths)
        try:
            given = ingesting.at_least_one(reading.read(file for root in roots for file in root.files))
        except ingesting.NothingRead as nothing:
            rendering.show_failures(console, nothing.failed)
            if to_report is not None:
                failures = tuple(map(Failure.of, nothing.failed))
                files.write(to_report, [IngestReport(store=where, failures=failures).model_dump_json()])
            raise typer.Exit(1) from None
        if model:
            from thread_rag import extracting, models

            llm = models.open_model(model, base_url, asked=not dry_run)
        if dry_run:
            estimate = extracting.estimate(given, llm, store, llm_for=llm_for, reformulate=reformulate)
            rendering.show_estimate(console, estimate, prices)
            return

        from thread_core import default_embedding
        from thread_core.extraction.extractor import LLMExtractor

        place = _place(store, server)
        place.make()
        ledger = place.ledger()
        ingesting.wait_for(ledger, wait, lambda said: rendering.say(console, said, "yellow"))
        access = extractor = runner = None
        if ray:
            from thread_rag import on_ray

            asking = (model, base_url, store.absolute(), max_tokens, max_cost, prices, llm_for, reformulate)
            runner = on_ray.runner(
                ray,
                shards or 2,
                place,
                merge_chains=merge_chains,
                merge_similar=merge_similar,
                open_extractor=partial(on_ray.open_extractor, *asking) if model else None,
            )
        elif model:
            access = extracting.open_access(llm, store, max_tokens, max_cost, prices)
            extractor = LLMExtractor(access, llm_for=llm_for, reformulate=reformulate)
        ingest = ThreadIngest(
            place.writable(),
            default_embedding(),
            words=place.words(),
            ledger=ledger,
            extractor=extractor,
            workers=workers,
            concurrency=concurrency,
            merge_chains=merge_chains,
            merge_similar=merge_similar,
            models=access,
            patience=wait,
            runner=runner,
        )
        ingesting.follow(roots, ledger)
        with rendering.a_bar(console, sum(len(root.files) for root in roots), prices) as shown:
            report = ingest.run(given, source=ingesting.source_of(roots), progress=shown)
        gone = () if report.stopped else ingesting.vanished(roots, ledger)
        if prune and gone and _may_remove(gone, console, yes=yes):
            still_gone = ingesting.vanished(sources.find(paths), ledger)  # somebody has thought about it meanwhile
            report = ingesting.pruned(ingest, report, [one for one in gone if one in still_gone])
        else:
            report = report.model_copy(update={"vanished": gone})
        report = report.model_copy(update={"other_files": sources.of_other_kinds(roots)})
        rendering.show_summary(console, report)
        if model:
            rendering.show_spending(console, access.usage if access is not None else report.usage, prices)
        if to_report is not None:
            files.write(to_report, [report.model_copy(update={"store": where}).model_dump_json()])
        if report.failures or report.left:
            raise typer.Exit(SOME_FAILED if report.reports or report.unchanged else 1)
        if strict and (report.newly_dangling or report.links.get(LinkState.DANGLING)):
            raise typer.Exit(SOME_FAILED)


@command(
    epilog='Example: thread-rag ask "The disk of a node is full, what do I do?" --session incident.json',
)
def ask(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="What you want to do, or what is wrong.")],
    store: StoreOption = STORE,
    server: ServerOption = "",
    model: ModelOption = "",
    base_url: BaseUrlOption = "",
    session: Annotated[
        Path | None, typer.Option("--session", metavar="FILE", help="Keep the walk here, to go on with it later.")
    ] = None,
    as_json: JsonTurnsOption = False,
) -> None:
    """Walk through a procedure, step by step.

    Each step comes with its lines in the document and the outcomes that the document knows. Answer with a number, with
    what you see, or next for the next step; `back` undoes a step, `skip` goes past it, `why` says what led to it,
    `give up` hands over what was tried, `quit` leaves. Answers may be piped in, one a line; then the exit code is 4
    when nothing fits the question.

    With --model a language model chooses the first step and tells what an outcome means. Steps are shown as the
    documents have them in any case; where the model fails, the walk goes on without it and says so.

    With --session the walk survives: leave it at any step and go on with `thread-rag resume FILE`.

    With --json each turn is a line of JSON. The last one says how the walk stands by its `status`: awaiting or asking,
    resolved, escalated (given up), unknown (nothing fits).
    """
    with errors_in_one_line():
        from thread_core.walk.saving import SessionFile
        from thread_core.walk.session import HowToSession
        from thread_rag import opening, walking

        kept = SessionFile(session) if session is not None else None
        if kept is not None:
            kept.is_new()
        library = opening.library(_place(store, server), model, base_url)
        walked = HowToSession(library, journal=kept.journal() if kept else None)
        with walking.counted():
            _walk(walked, walked.start(question), kept, as_json=as_json)


@command(epilog="Example: thread-rag resume incident.json")
def resume(
    session: Annotated[Path, typer.Argument(metavar="FILE", help="What `thread-rag ask --session` has written.")],
    store: StoreOption = STORE,
    server: ServerOption = "",
    model: ModelOption = "",
    base_url: BaseUrlOption = "",
    as_json: JsonTurnsOption = False,
) -> None:
    """Go on with a walk where it was left.

    The step at hand is shown again, as the documents have it now. Where somebody else has answered it meanwhile, you
    are told so.
    """
    with errors_in_one_line():
        from thread_core.walk.saving import SessionFile
        from thread_core.walk.session import HowToSession
        from thread_rag import opening, walking

        kept = SessionFile(session)
        state = kept.read()
        library = opening.library(_place(store, server), model, base_url)
        walked = HowToSession(library, journal=kept.journal()).resumed(state)
        with walking.counted():
            _walk(walked, walked.show(), kept, is_resumed=True, as_json=as_json)


@command(epilog="Example: thread-rag show disk-full.md")
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

        place = _place(store, server)
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


@command(epilog="Example: thread-rag text manual.html")
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


command(
    "export",
    epilog="Example: thread-rag export guides.jsonl --store guides, or: thread-rag export - | gzip > guides.jsonl.gz."
    " A drawing of one guide: thread-rag export disk-full.md disk-full.mmd --format mermaid. All guides as skills:"
    " thread-rag export skills --format skills",
)(export)
command(
    "import",
    epilog="Example: thread-rag import guides.jsonl --store copy",
)(import_units)
command("record", epilog="Example: thread-rag record incident.json --out incident.md")(record)
command(
    "gaps",
    epilog="Example: thread-rag gaps incidents. A draft of what is missing: thread-rag gaps incidents"
    " --documents guides --draft missing.diff",
)(gaps)
app.command(
    "eval",
    epilog="Example: thread-rag eval guides --html report.html. In CI: thread-rag eval guides --gold gold.jsonl --min"
    " right=0.4. With models: thread-rag eval --dataset how-to --model langchain_openai:ChatOpenAI --judge mine:judge"
    " --out run",
)(evaluate)
command(
    epilog="Example: thread-rag check --store /var/lib/guides --report last.json --max-age 26",
)(check)
app.command(
    epilog="Example, in an MCP client's configuration: command thread-rag, arguments mcp --store /srv/guides. For a"
    " team: thread-rag mcp --store /srv/guides --http 0.0.0.0:8000 --name guides.example.org --token-file tokens",
)(mcp)
app.command(
    "lint",
    epilog="Example: thread-rag lint guides. In CI: thread-rag lint guides --baseline known.json --format sarif"
    " > lint.sarif. What a rule means: thread-rag lint --explain TR201",
)(lint)

app.command("view", cls=PlainCommand, epilog=viewing.EXAMPLES)(viewing.view)


def main() -> None:
    """Run the command; what the output's encoding lacks, or is no text in the input's, becomes a question mark."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # it was closed: nothing comes from there, and nobody reads it
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            with contextlib.suppress(io.UnsupportedOperation):  # whoever calls this has read from it already
                stream.reconfigure(errors="replace")
    columns = shutil.get_terminal_size().columns
    app(**({"terminal_width": columns - 2} if columns < NARROW else {}))


def _walk(
    session: HowToSession, first: Turn, kept: SessionFile | None, *, is_resumed: bool = False, as_json: bool = False
) -> None:
    """Go on from a turn, with a person or with lines that are piped in."""
    from thread_rag import rendering, walking

    console = rendering.a_console()
    interactive = walking.stdin_is_terminal()
    person = walking.piped_lines if as_json or not interactive else walking.a_person
    keep = kept.write if kept is not None else lambda state: None
    screen = walking.JsonLines(console) if as_json else walking.Screen(console)
    if not walking.walk(session, first, screen, person(screen), keep, is_resumed=is_resumed) and not interactive:
        raise typer.Exit(NOTHING_FITS)


def _place(store: Path, server: str) -> Place:
    """Where the units are."""
    from thread_rag.place import Place

    return Place(store, server)


def _may_remove(gone: Sequence[str], console: Console, *, yes: bool) -> bool:
    """Say how many documents are about to go, and ask where somebody is there who can say no."""
    from thread_rag import rendering, walking

    rendering.show_vanished(console, gone)
    return yes or not walking.stdin_is_terminal() or typer.confirm("Remove them from the store?", err=console.stderr)
