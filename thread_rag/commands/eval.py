"""`thread-rag eval`: how good it is on your guides, on gold or on a data set, compared with the usual splitters."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from thread_rag.ending import SOME_FAILED, errors_in_one_line, told_when_stopped
from thread_rag.options import MODEL

if TYPE_CHECKING:
    from rich.console import Console

    from thread_core.llm.access import ModelAccess
    from thread_eval.kinds.kind import Case
    from thread_eval.runs import Run, Scores
    from thread_eval.systems import Offer
    from thread_rag.measured import Measured

EXAMPLES = """\
thread-rag eval guides --html report.html
thread-rag eval guides --gold gold.jsonl --min right=0.4    # in CI
thread-rag eval --dataset how-to --out run \\
    --model langchain_openai:ChatOpenAI --judge mine:judge"""

TOO_LOW = 5
"""Exit code if a figure is below `--min`."""
TOKENS = 2300
"""Tokens of an average call, prompt and reply, as benchmarks/with_model.py counts them."""
PIECE = 2000
"""Characters of a document that a model reads at once, roughly."""


def evaluate(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="PATH", help="Your guides, as for `ingest`.", show_default=False),
    ] = None,
    gold: Annotated[
        Path | None,
        typer.Option(
            "--gold",
            metavar="FILE",
            exists=True,
            dir_okay=False,
            help="Questions about your guides with the right answers, one JSON line each.",
        ),
    ] = None,
    dataset: Annotated[
        str,
        typer.Option(
            "--dataset",
            metavar="FORM:PATH",
            help="A data set: how-to, inscoqa, 2wiki, flows, mind2web or mt-mind2web. Without PATH, or as gold, a small"
            " sample of our own.",
        ),
    ] = "",
    system: Annotated[
        list[str] | None,
        typer.Option("--system", metavar="NAME", help="Measure this system; repeat it for more. `help` lists them."),
    ] = None,
    framework: Annotated[
        Literal["langchain", "llama-index", "both"],
        typer.Option("--framework", help="Whose systems to measure if --system names none."),
    ] = "langchain",
    model: Annotated[
        str,
        typer.Option("--model", metavar="MODULE:NAME", rich_help_panel=MODEL, help="The model that the systems use."),
    ] = "",
    judge: Annotated[
        str,
        typer.Option(
            "--judge",
            metavar="MODULE:NAME",
            rich_help_panel=MODEL,
            help="A model that judges answers and rephrases questions.",
        ),
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FOLDER", help="Save the run in this folder, to continue it or score it again."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print only the scores, as JSON.")] = False,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write a report for a browser, as one file.")
    ] = None,
    least: Annotated[
        list[str] | None,
        typer.Option("--min", metavar="METRIC=X", help="Exit with 5 if the first system scores less: right=0.8"),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Seed for --limit and the intervals.")] = 0,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=1, help="Measure at most N cases, chosen by --seed.")
    ] = None,
    max_tokens: Annotated[
        int | None,
        typer.Option(
            "--max-tokens", metavar="N", min=0, rich_help_panel=MODEL, help="Limit of each model's tokens, in and out."
        ),
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", rich_help_panel=MODEL, help="Do not ask before models are used.")
    ] = False,
) -> None:
    """Measure how well questions about your guides are answered.

    The usual splitters are measured on the same questions, for comparison.

    With guides alone, no model and no gold is needed. Questions are made from the names of steps and decisions, and
    outcomes from the conditions of links. Reported are whether a question leads to the right guide (entry); whether an
    outcome leads to the right next step directly (right) or by an option shown (menu), nowhere (stuck) or elsewhere
    (wrong); and places in the guides that lead nowhere. Use this to compare systems and to fix guides. It does not
    predict how people fare, because they use other words.

    With --gold, questions, steps and outcomes come from your own file. With --dataset, they come from a data set, each
    with its own metrics, such as `--dataset 2wiki:dev.json --system relations+chunks`. Data sets of web pages need
    --model, which chooses the next action. If you also name guides, it sees what each system retrieves from them.

    Figures have a 95 % bootstrap interval over cases. A star marks those that differ from the first splitter's
    significantly (p < 0.05 in a paired sign test).

    --model and --judge are `module:name` of a LangChain or LlamaIndex chat model, or of a function that makes one. The
    current folder is searched too. The cost is estimated first, and in a terminal you are asked. With --out, a run that
    was stopped continues where it was, and a finished one is scored again without calls.

    Exits with 3 if some cases failed or were not reached: run it again with the same --out.
    """
    with errors_in_one_line(), told_when_stopped():
        from thread_core.llm import failing
        from thread_eval.models import load_model, open_access
        from thread_eval.runs import Run
        from thread_eval.systems import Setup, units_of
        from thread_rag import rendering
        from thread_rag.measured import digest, in_other_words, measured, some

        logging.getLogger(failing.__name__).addHandler(logging.NullHandler())  # the run says it, case by case
        console = rendering.a_console(stderr=as_json)
        if "help" in (system or []):
            return _tell_systems(console)
        chosen = measured(paths or [], gold, dataset)
        offers = _chosen(system or [], framework, chosen, has_model=bool(model))
        wanted = dict(_minimum(said, chosen.kind.metrics) for said in least or [])
        cases = some(chosen.cases, limit, seed)
        chat, judging = (load_model(name) if name else None for name in (model, judge))
        config: dict[str, Any] = {
            **{"data": chosen.name, "digest": digest(chosen.cases), "seed": seed, "systems": [*offers]},
            **{"embedding": "default", "model": _named(model, chat)},
        }
        if chosen.is_own:
            config["reworded by"] = _named(judge or model, judging or chat)
        with _folder(out) as folder:
            run = Run(folder, config)
            replies = run.replies() if model or judge else None
            models, judges = (
                None if one is None else open_access(one, max_tokens=max_tokens, cache=replies)
                for one in (chat, judging)
            )
            _agreed(console, _estimate(chosen, run, cases, offers, models, judges), yes=yes)
            note = chosen.note
            if chosen.is_own and (rewording := judges or models):
                cases, note = in_other_words(cases, rewording)

            def setup(documents: Mapping[str, str]) -> Setup:
                records = [case.record for case in cases]
                return Setup(documents, units_of(documents), models=models, chat=chat, records=records, seed=seed)

            with _bar(console, run.left(cases)) as advance:
                stopped = run.ask(chosen.kind, cases, setup, max_tokens=max_tokens, advance=advance)
            scores = run.score(chosen.kind, cases, judges, seed=seed, stopped=stopped)
            _tell(console, chosen, run, cases, scores, note, as_json=as_json, html=html)
        if not _reaches(console, scores, wanted):
            raise typer.Exit(TOO_LOW)
        if run.left(cases) or scores.stopped:
            raise typer.Exit(SOME_FAILED)


# -- what measures it ----------------------------------------------------------------------------------------------


def _tell_systems(console: Console) -> None:
    from thread_eval.systems import SYSTEMS
    from thread_rag.rendering import say

    for name, offer in SYSTEMS.items():
        told = {
            offer.framework or "no framework": True,
            "plans on web pages": offer.plans,
            "needs --model": offer.needs_model,
            "--model reads all documents first": offer.reads_all,
            "only if named": not offer.is_usual,
        }
        say(console, f"{name:<20} {', '.join(words for words, holds in told.items() if holds)}")


def _chosen(names: Sequence[str], framework: str, measured: Measured, *, has_model: bool) -> dict[str, Offer]:
    """Return the named systems, or the usual ones of a framework that fit what is measured."""
    from thread_eval.systems import SYSTEMS

    if strange := [name for name in names if name not in SYSTEMS]:
        raise typer.BadParameter(f"found {strange[0]}, expected one of {', '.join(SYSTEMS)}", param_hint="--system")
    is_web, has_guides = measured.kind.plans, bool(measured.cases[0].documents)
    fit = {name: one for name, one in SYSTEMS.items() if (one.plans and is_web) or (not one.plans and has_guides)}
    if unfit := [name for name in names if name not in fit]:
        why = (
            "retrieves from guides; name some in addition to the data set"
            if is_web
            else "only plans actions on web pages"
        )
        raise typer.BadParameter(f"{unfit[0]} {why}", param_hint="--system")
    frameworks = (None, "langchain", "llama-index") if framework == "both" else (None, framework)
    usual = [name for name, one in fit.items() if one.is_usual and one.framework in frameworks]
    chosen = {name: SYSTEMS[name] for name in names or usual}
    if not has_model and (needy := [name for name, one in chosen.items() if one.needs_model or is_web]):
        raise typer.BadParameter(f"{', '.join(needy)} needs a model; name one with --model", param_hint="--model")
    return chosen


def _named(name: str, model: Any) -> dict[str, str] | None:
    """Describe a model for the run's configuration: its settings as a digest, without a key."""
    from thread_core.llm.asking import Role
    from thread_eval.models import open_access

    if model is None:
        return None
    access = open_access(model)
    return {"object": name, "name": access.name(Role.GENERATOR) or "", "settings": access.settings(Role.GENERATOR)}


def _estimate(
    measured: Measured,
    run: Run,
    cases: Sequence[Case],
    offers: Mapping[str, Offer],
    models: ModelAccess | None,
    judges: ModelAccess | None,
) -> int:
    """Estimate how many calls to models a run needs."""
    kind = measured.kind
    texts = {id(case.documents): case.documents for case in cases}.values()
    pieces = sum(1 + len(text) // PIECE for documents in texts for text in documents.values())
    share = run.left(cases) / max(1, len(cases) * len(offers))
    asked = sum(kind.calls(case, is_ours=one.is_ours) for case in cases for one in offers.values())
    asked += sum(pieces + len(cases) for one in offers.values() if one.reads_all)
    calls = share * asked if models else 0.0
    calls += len(cases) * len(offers) * kind.judgements if judges else 0.0
    calls += len(cases) if measured.is_own and (judges or models) else 0
    return round(calls)


def _agreed(console: Console, calls: int, *, yes: bool) -> None:
    """Say what the models will cost, and ask if a person is there to answer."""
    from thread_rag import rendering, walking

    if not calls:
        return
    rendering.say(console, f"About {calls:,} calls to models, {calls * TOKENS:,} tokens, minus what is cached.")
    if not yes and walking.stdin_is_terminal():
        typer.confirm("Continue?", abort=True, err=console.stderr)


@contextmanager
def _folder(out: Path | None) -> Iterator[Path]:
    """Yield the folder of the run: a temporary one if none was named."""
    if out is not None:
        yield out
        return
    with TemporaryDirectory(prefix="thread-eval-") as folder:
        yield Path(folder)


@contextmanager
def _bar(console: Console, total: int) -> Iterator[Any]:
    """Show a progress bar of the answers."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn

    columns = (BarColumn(bar_width=None), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, expand=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=total)
        yield lambda more: bar.advance(task, more)


# -- what is told --------------------------------------------------------------------------------------------------


def _tell(
    console: Console,
    measured: Measured,
    run: Run,
    cases: Sequence[Case],
    scores: Scores,
    note: str,
    *,
    as_json: bool,
    html: Path | None,
) -> None:
    """Print the table or the JSON, and write the HTML report."""
    from thread_core.errors import BadFile
    from thread_core.store.replacing import replacing
    from thread_eval import looking, report
    from thread_rag import files
    from thread_rag.figures import show

    look = looking.look(measured.kind, run, scores, cases, run.systems[0], measured.flaws)
    notes = [one for one in (note, scores.stopped) if one]
    if as_json:
        flaws = [flaw.model_dump(mode="json") for flaw in measured.flaws]
        told = scores.model_dump(mode="json") | {"notes": notes, "flaws": flaws}
        files.write(files.PIPE, [json.dumps(told, ensure_ascii=False)])
    else:
        show(console, scores, measured.kind, notes, look)
    if html is not None:
        title = f"How good is it? {measured.name}, {len(cases)} cases"
        page = report.html(scores, measured.kind, look, title=title, notes=notes)
        try:
            with replacing(html) as file:
                file.write(page)
        except OSError as error:
            raise BadFile(f"{html} cannot be written ({error.strerror}); choose another file") from error


def _minimum(said: str, metrics: Sequence[str]) -> tuple[str, float]:
    name, _, value = said.partition("=")
    if name not in metrics:
        raise typer.BadParameter(f"found {name}, expected one of {', '.join(metrics)}", param_hint="--min")
    try:
        return name, float(value)
    except ValueError:
        raise typer.BadParameter(
            f"found {said!r}, expected a metric and a number: right=0.8", param_hint="--min"
        ) from None


def _reaches(console: Console, scores: Scores, wanted: Mapping[str, float]) -> bool:
    """Whether the first system reaches every minimum. A metric without a value does not."""
    from thread_rag.rendering import say

    name, first = next(iter(scores.systems.items()))
    low = []
    for metric, least in wanted.items():
        value = first.summaries[metric].value if metric in first.summaries else None
        if value is None or value < least:
            low.append(
                f"{name}: {metric} is {'not measured' if value is None else round(value, 3)}, expected at least {least}"
            )
    for line in low:
        say(console, line, "red")
    return not low
