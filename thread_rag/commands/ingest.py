"""`thread-rag ingest`: documents into a store."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from thread_rag.ending import SOME_FAILED, errors_in_one_line, failure_reported, told_when_stopped
from thread_rag.options import (
    MODEL,
    PROCESSES,
    SERVICE,
    STORE,
    BaseUrlOption,
    ServerOption,
    StoreOption,
    WaitOption,
    price_of,
)

if TYPE_CHECKING:
    from rich.console import Console

EXAMPLES = """\
thread-rag ingest guides notes/disk-full.md
thread-rag ingest guides --store /var/lib/guides --prune --wait 600 \\
    --report last.json    # from cron
thread-rag ingest guides --model gpt-4.1-mini --price 0.40,1.60 --dry-run"""


def ingest(
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH", help="Documents, folders, or patterns such as 'docs/**/*.md'.")
    ],
    store: StoreOption = STORE,
    server: ServerOption = "",
    prune: Annotated[
        bool, typer.Option("--prune", help="Remove documents whose files are gone. Asks first in a terminal.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before --prune removes documents.")] = False,
    merge_chains: Annotated[
        int,
        typer.Option(
            "--merge-chains",
            metavar="N",
            min=0,
            help="Join steps that only lead to the next one, into units of up to N tokens.",
        ),
    ] = 0,
    merge_similar: Annotated[
        bool,
        typer.Option(
            "--merge-similar",
            help="Show once what several documents say alike, with the lines of each. With --model, the model decides"
            " what is alike if the words differ.",
        ),
    ] = False,
    wait: WaitOption = 0,
    report_to: Annotated[
        Path | None,
        typer.Option(
            "--report",
            metavar="FILE",
            rich_help_panel=SERVICE,
            help="Write the report as JSON, also if the run fails; - prints only the report.",
        ),
    ] = None,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            rich_help_panel=SERVICE,
            help="Also exit with 3 if a link leads to a document or section that does not exist.",
        ),
    ] = False,
    model: Annotated[
        str,
        typer.Option(
            "--model",
            metavar="NAME",
            rich_help_panel=MODEL,
            help="Split documents with this model. Its key is read from OPENAI_API_KEY.",
        ),
    ] = "",
    base_url: BaseUrlOption = "",
    llm_for: Annotated[
        Literal["all", "auto"],
        typer.Option(
            "--llm-for",
            rich_help_panel=MODEL,
            help="all: ask the model about every document. auto: only where the rules leave a condition without a link,"
            " or the document is not in English.",
        ),
    ] = "all",
    reformulate: Annotated[
        bool,
        typer.Option(
            "--reformulate", rich_help_panel=MODEL, help="Let the model rewrite documents first, as in the paper."
        ),
    ] = False,
    max_tokens: Annotated[
        int | None,
        typer.Option(
            "--max-tokens", metavar="N", min=0, rich_help_panel=MODEL, help="Limit of this run's tokens, in and out."
        ),
    ] = None,
    max_cost: Annotated[
        float | None,
        typer.Option(
            "--max-cost", metavar="X", min=0, rich_help_panel=MODEL, help="Limit of this run's cost; needs --price."
        ),
    ] = None,
    price: Annotated[
        str,
        typer.Option(
            "--price",
            metavar="IN,OUT",
            rich_help_panel=MODEL,
            help="The price of a million input tokens and of a million output tokens: 0.40,1.60",
        ),
    ] = "",
    concurrency: Annotated[
        int,
        typer.Option(
            "--concurrency", metavar="N", min=1, rich_help_panel=MODEL, help="How many documents to ask about at once."
        ),
    ] = 4,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", rich_help_panel=MODEL, help="Estimate what the model would cost; ask and write nothing."
        ),
    ] = False,
    workers: Annotated[
        int,
        typer.Option(
            "--workers",
            metavar="N",
            min=1,
            rich_help_panel=PROCESSES,
            help="Processes that split documents. Below 400 kB of text, one does it all.",
        ),
    ] = 2,
    ray: Annotated[
        str,
        typer.Option(
            "--ray",
            metavar="ADDRESS",
            rich_help_panel=PROCESSES,
            help="Write with several processes on the Ray cluster at this address; `local` starts one.",
        ),
    ] = "",
    shards: Annotated[
        int | None,
        typer.Option(
            "--shards",
            metavar="N",
            min=1,
            rich_help_panel=PROCESSES,
            help="Writers on Ray, with a processor each. Default: 2.",
        ),
    ] = None,
) -> None:
    """Split documents into logic units and store them.

    Files end in .md, .mdx, .markdown, .txt, .rst, .html, .htm, .docx, .pdf, .xlsx, .csv or .ipynb, or are drawings
    (.mmd, .mermaid, .dot, .gv). Folders are read recursively, without hidden files, files that a .gitignore excludes,
    and .csv. Some formats need an extra: thread-rag[html] for HTML and .rst, thread-rag[office] for .docx, .pdf, .xlsx,
    .csv and .ipynb, thread-rag[drawings] for DOT.

    Run it again at any time, and stop it whenever you like: the next run writes only what has changed, and finishes
    what was started. Readers see each document as it was or as it is.

    A document is identified by its path below the folder that you name, so name the same folder each time. You may
    move or rename the folder. Documents whose files are gone stay in the store until you use --prune.

    With --model, a language model names the lines of each unit, and the text is still cut from the document. Usable
    replies are cached in the store's directory, so an unchanged document costs nothing. If the model fails, or the
    budget ends, a document keeps its old units and counts as failed. Name the model in every run: without it, the rules
    split the documents again.

    With --ray, several processes write in parallel. They need --server and the extra thread-rag[ray], and run on this
    machine, because they share the files of --store.

    Exits with 1 if no document was ingested, and with 3 if some failed.
    """
    if not model and (base_url or llm_for != "all" or reformulate or price or dry_run or max_tokens or max_cost):
        raise typer.BadParameter("found options for a model without one; name it with --model", param_hint="--model")
    if ray and not server:
        raise typer.BadParameter(
            "found --ray without --server; several processes need a Chroma server, so name one", param_hint="--ray"
        )
    if shards and not ray:
        raise typer.BadParameter("found --shards without --ray; say where the writers run", param_hint="--shards")
    prices = price_of(price)
    if max_cost is not None and not prices:
        raise typer.BadParameter("found --max-cost without a price; give one with --price", param_hint="--max-cost")
    to_report = None if dry_run else report_to
    where = server or str(store)
    with errors_in_one_line(), told_when_stopped(), failure_reported(to_report, where):
        from thread_core import default_embedding
        from thread_core.ingest import Failure, IngestReport, ThreadIngest
        from thread_core.linking import LinkState
        from thread_rag import files, ingesting, reading, rendering, sources, summary
        from thread_rag.place import Place

        console = rendering.a_console(stderr=report_to == files.PIPE)
        roots = sources.find(paths)
        try:
            given = ingesting.at_least_one(reading.read(file for root in roots for file in root.files))
        except ingesting.NothingRead as nothing:
            summary.show_failures(console, nothing.failed)
            if to_report is not None:
                failures = tuple(map(Failure.of, nothing.failed))
                files.write(to_report, [IngestReport(store=where, failures=failures).model_dump_json()])
            raise typer.Exit(1) from None
        asking = None
        if model:
            from thread_rag.extracting import Asking

            asking = Asking(model, base_url, llm_for, reformulate, max_tokens, max_cost, prices)
            if dry_run:
                summary.show_estimate(console, asking.estimate(given, store), prices)
                return
            asking.llm()  # without a key, fail before anything is written

        place = Place(store, server)
        place.make()
        ledger = place.ledger()
        ingesting.wait_for(ledger, wait, lambda said: rendering.say(console, said, "yellow"))
        extractor = runner = None
        if ray:
            from thread_rag import on_ray

            runner = on_ray.runner(
                ray, shards or 2, place, merge_chains=merge_chains, merge_similar=merge_similar, asking=asking
            )
        elif asking:
            extractor = asking.extractor(store)
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
            models=extractor.models if extractor else None,
            patience=wait,
            runner=runner,
        )
        ingesting.follow(roots, ledger)
        with summary.a_bar(console, sum(len(root.files) for root in roots), prices) as shown:
            report = ingest.run(given, source=ingesting.source_of(roots), progress=shown)
        gone = () if report.stopped else ingesting.vanished(roots, ledger)
        if prune and gone and _may_remove(gone, console, yes=yes):
            still_gone = ingesting.vanished(sources.find(paths), ledger)  # the person may have answered much later
            report = ingesting.pruned(ingest, report, [one for one in gone if one in still_gone])
        else:
            report = report.model_copy(update={"vanished": gone})
        report = report.model_copy(update={"other_files": sources.of_other_kinds(roots)})
        summary.show_summary(console, report)
        if model:
            summary.show_spending(console, extractor.models.usage if extractor else report.usage, prices)
        if to_report is not None:
            files.write(to_report, [report.model_copy(update={"store": where}).model_dump_json()])
        if report.failures or report.left:
            raise typer.Exit(SOME_FAILED if report.reports or report.unchanged else 1)
        if strict and (report.newly_dangling or report.links.get(LinkState.DANGLING)):
            raise typer.Exit(SOME_FAILED)


def _may_remove(gone: Sequence[str], console: Console, *, yes: bool) -> bool:
    """Say which documents would be removed, and ask if a person is there to answer."""
    from thread_rag import summary, walking

    summary.show_vanished(console, gone)
    return yes or not walking.stdin_is_terminal() or typer.confirm("Remove them from the store?", err=console.stderr)
