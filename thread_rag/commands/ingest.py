"""`thread-rag ingest`: documents into a store."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from thread_rag.ending import SOME_FAILED, errors_in_one_line, failure_reported, told_when_stopped
from thread_rag.options import STORE, BaseUrlOption, ServerOption, StoreOption, WaitOption, price_of

if TYPE_CHECKING:
    from rich.console import Console

EXAMPLES = (
    "Example: thread-rag ingest guides notes/disk-full.md. From cron: thread-rag ingest /srv/guides --store"
    " /var/lib/guides --prune --wait 600 --report last.json. What a model would cost: thread-rag ingest guides --model"
    " gpt-4.1-mini --price 0.40,1.60 --dry-run"
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
    if not model and (base_url or llm_for != "all" or reformulate or price or dry_run or max_tokens or max_cost):
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
            asking.llm()  # without a key nothing is made

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
            still_gone = ingesting.vanished(sources.find(paths), ledger)  # somebody has thought about it meanwhile
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
    """Say how many documents are about to go, and ask where somebody is there who can say no."""
    from thread_rag import summary, walking

    summary.show_vanished(console, gone)
    return yes or not walking.stdin_is_terminal() or typer.confirm("Remove them from the store?", err=console.stderr)
