"""`thread-rag eval`: how good it is on one's own guides, on gold, or on a data set, beside the usual splitters."""

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

if TYPE_CHECKING:
    from rich.console import Console

    from thread_core.llm.access import ModelAccess
    from thread_eval.kinds.kind import Case
    from thread_eval.runs import Run, Scores
    from thread_eval.systems import Offer
    from thread_rag.measured import Measured

EXAMPLES = (
    "Example: thread-rag eval guides --html report.html. In CI: thread-rag eval guides --gold gold.jsonl --min"
    " right=0.4. With models: thread-rag eval --dataset how-to --model langchain_openai:ChatOpenAI --judge mine:judge"
    " --out run"
)

TOO_LOW = 5
"""Exit code where a figure is below what --min wants."""
TOKENS = 2300
"""Of a call about, prompt and reply, as benchmarks/with_model.py counts them."""
PIECE = 2000
"""Characters of a document about that a model reads at once."""


def evaluate(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="PATH", help="Your guides, as `ingest` takes them.", show_default=False),
    ] = None,
    gold: Annotated[
        Path | None,
        typer.Option(
            "--gold", metavar="FILE", exists=True, dir_okay=False, help="Questions over them, with what is right."
        ),
    ] = None,
    dataset: Annotated[
        str,
        typer.Option(
            "--dataset",
            metavar="FORM:PATH",
            help="A data set's files: how-to, inscoqa, 2wiki, flows, mind2web or mt-mind2web. Without PATH, and with"
            " gold, a small sample of our own.",
        ),
    ] = "",
    system: Annotated[
        list[str] | None,
        typer.Option("--system", metavar="NAME", help="What is measured, once for each; `help` lists them."),
    ] = None,
    framework: Annotated[
        Literal["langchain", "llama-index", "both"],
        typer.Option("--framework", help="Whose systems are measured where none is named."),
    ] = "langchain",
    model: Annotated[str, typer.Option("--model", metavar="MODULE:NAME", help="A model that the systems use.")] = "",
    judge: Annotated[
        str,
        typer.Option(
            "--judge", metavar="MODULE:NAME", help="A model that judges answers, and puts questions in other words."
        ),
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FOLDER", help="Keep the run here, to go on with it or score it again."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print all scores as JSON, and nothing else.")] = False,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write a report: one file, for any browser.")
    ] = None,
    least: Annotated[
        list[str] | None,
        typer.Option("--min", metavar="METRIC=X", help="Exit with 5 where the first system has less: right=0.8"),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Of the choice of cases and of the intervals.")] = 0,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=1, help="Cases at most, chosen by --seed.")
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option("--max-tokens", metavar="N", min=0, help="Tokens of each model at most, in and out.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Ask models without being asked first.")] = False,
) -> None:
    """Measure how good it is on your guides, beside the usual splitters.

    With guides alone, questions are made of what their steps and decisions are called, and outcomes of the conditions
    of their links. Reported is whether a question leads into the right guide (entry), and whether an outcome leads to
    the right next step at once (right), by an option shown (menu), nowhere (stuck) or elsewhere (wrong); and which
    places of the guides lead nobody on. That takes no model and no gold, and compares systems; it does not tell how
    people would fare, who use other words.

    With --gold, questions, steps and outcomes come from a file of yours. With --dataset, from the files of a data set,
    each measured as fits it, such as `--dataset 2wiki:dev.json --system relations+chunks --system recursive-300`. In
    those of web pages a model chooses the next action; of guides that are named besides, what a system retrieves is
    shown to it: `thread-rag eval tutorials --dataset mind2web:test.json --system thread --system mindact`.

    Figures stand with the interval that holds 95 % of a bootstrap over cases; a star marks those that differ from the
    first splitter's by more than chance (p below 0.05 in a paired sign test). All of it is in --json and --html.

    --model and --judge name a Python object: `module:name` of a chat model of LangChain or LlamaIndex, or of what makes
    one without arguments; the current folder is looked in, too. What it will about cost is said first, and in a
    terminal you are asked. With --out, a run that was stopped or killed goes on where it was, and a second run of the
    same command asks nothing and scores what is there.

    Exits with 3 when some cases failed or did not have their turn: the same command with the same --out asks for these.
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
            "only where it is named": not offer.is_usual,
        }
        say(console, f"{name:<20} {', '.join(words for words, holds in told.items() if holds)}")


def _chosen(names: Sequence[str], framework: str, measured: Measured, *, has_model: bool) -> dict[str, Offer]:
    """The systems that were named, or the usual ones of a framework that fit what is measured."""
    from thread_eval.systems import SYSTEMS

    if strange := [name for name in names if name not in SYSTEMS]:
        raise typer.BadParameter(f"there is no {strange[0]}; there are {', '.join(SYSTEMS)}", param_hint="--system")
    is_web, has_guides = measured.kind.plans, bool(measured.cases[0].documents)
    fit = {name: one for name, one in SYSTEMS.items() if (one.plans and is_web) or (not one.plans and has_guides)}
    if unfit := [name for name in names if name not in fit]:
        why = "retrieves from guides; name some beside the data set" if is_web else "plans actions on web pages alone"
        raise typer.BadParameter(f"{unfit[0]} {why}", param_hint="--system")
    frameworks = (None, "langchain", "llama-index") if framework == "both" else (None, framework)
    usual = [name for name, one in fit.items() if one.is_usual and one.framework in frameworks]
    chosen = {name: SYSTEMS[name] for name in names or usual}
    if not has_model and (needy := [name for name, one in chosen.items() if one.needs_model or is_web]):
        raise typer.BadParameter(f"{', '.join(needy)} asks a model; name one", param_hint="--model")
    return chosen


def _named(name: str, model: Any) -> dict[str, str] | None:
    """A model as the run remembers it: its settings as a digest, which has no key in it."""
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
    """About how many calls models will be asked for."""
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
    """Say what it will cost, and ask where somebody is there who can say no."""
    from thread_rag import rendering, walking

    if not calls:
        return
    rendering.say(
        console, f"Models are asked about {calls:,} times, for about {calls * TOKENS:,} tokens, less what is kept."
    )
    if not yes and walking.stdin_is_terminal():
        typer.confirm("Go on?", abort=True, err=console.stderr)


@contextmanager
def _folder(out: Path | None) -> Iterator[Path]:
    """Where the run is kept; nowhere for long, unless that was named."""
    if out is not None:
        yield out
        return
    with TemporaryDirectory(prefix="thread-eval-") as folder:
        yield Path(folder)


@contextmanager
def _bar(console: Console, total: int) -> Iterator[Any]:
    """A bar over the answers that are had."""
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
    """The table or the JSON, and the page."""
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
            raise BadFile(f"{html} cannot be written ({error.strerror}); name another file") from error


def _minimum(said: str, metrics: Sequence[str]) -> tuple[str, float]:
    name, _, value = said.partition("=")
    if name not in metrics:
        raise typer.BadParameter(f"there is no {name} here; there are {', '.join(metrics)}", param_hint="--min")
    try:
        return name, float(value)
    except ValueError:
        raise typer.BadParameter(f"found {said!r}, expected a number after it: right=0.8", param_hint="--min") from None


def _reaches(console: Console, scores: Scores, wanted: Mapping[str, float]) -> bool:
    """Whether the first system has what is wanted of it; what has no value has not."""
    from thread_rag.rendering import say

    name, first = next(iter(scores.systems.items()))
    low = []
    for metric, least in wanted.items():
        value = first.summaries[metric].value if metric in first.summaries else None
        if value is None or value < least:
            low.append(f"{name}: {metric} is {'not measured' if value is None else round(value, 3)}, wanted {least}")
    for line in low:
        say(console, line, "red")
    return not low
