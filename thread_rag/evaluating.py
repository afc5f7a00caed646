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

from thread_rag.ending import errors_in_one_line, told_when_stopped

if TYPE_CHECKING:
    from rich.console import Console

    from thread_core.llm.access import ModelAccess
    from thread_eval.measuring import Case
    from thread_eval.runs import Run, Scores
    from thread_eval.systems import Offer
    from thread_rag.measured import Measured

TOO_LOW = 5
"""Exit code where a figure is below what --min wants."""
TOKENS = 2300
"""Of a call about, prompt and reply, as benchmarks/with_model.py counts them."""


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
        str, typer.Option("--dataset", metavar="NAME", help="Instead of guides: gold, flows, how-to, inscoqa or 2wiki.")
    ] = "",
    data: Annotated[
        Path | None,
        typer.Option("--data", metavar="PATH", exists=True, help="Its files; without them, a small sample of our own."),
    ] = None,
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

    With --gold, questions, steps and outcomes come from a file of yours. With --dataset, from the files of a data set
    (--data), each measured as fits it; web data sets are not answered from documents.

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
        from thread_rag.cli import SOME_FAILED
        from thread_rag.measured import digest, in_other_words, measured, some

        logging.getLogger(failing.__name__).addHandler(logging.NullHandler())  # the run says it, case by case
        console = rendering.a_console(stderr=as_json)
        offers = _chosen(console, system or [], framework)
        chosen = measured(paths or [], gold, dataset, data)
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
                return Setup(documents, units_of(documents), models=models, chat=chat)

            with _bar(console, run.left(cases)) as advance:
                stopped = run.ask(chosen.kind, cases, setup, max_tokens=max_tokens, advance=advance)
            scores = run.score(chosen.kind, cases, judges, seed=seed, stopped=stopped)
            _tell(console, chosen, run, cases, scores, note, as_json=as_json, html=html)
        if not _reaches(console, scores, wanted):
            raise typer.Exit(TOO_LOW)
        if run.left(cases):
            raise typer.Exit(SOME_FAILED)


# -- what measures it ----------------------------------------------------------------------------------------------


def _chosen(console: Console, names: Sequence[str], framework: str) -> dict[str, Offer]:
    """The systems that were named, or the usual ones of a framework."""
    from thread_eval.systems import SYSTEMS
    from thread_rag.rendering import say

    if "help" in names:
        for name, offer in SYSTEMS.items():
            say(console, f"{name:<20} {offer.framework}{'' if offer.is_usual else ', only where it is named'}")
        raise typer.Exit
    if strange := [name for name in names if name not in SYSTEMS]:
        raise typer.BadParameter(f"there is no {strange[0]}; there are {', '.join(SYSTEMS)}", param_hint="--system")
    if names:
        return {name: SYSTEMS[name] for name in names}
    return {name: one for name, one in SYSTEMS.items() if one.is_usual and framework in (one.framework, "both")}


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
    ours, others, judged = measured.kind.calls
    asked = [ours if offer.is_ours else others for offer in offers.values()]
    share = run.left(cases) / max(1, len(cases) * len(offers))
    calls = share * len(cases) * sum(asked) if models else 0.0
    calls += len(cases) * len(offers) * judged if judges else 0.0
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
    from thread_eval import report
    from thread_rag import files
    from thread_rag.figures import show

    first = run.systems[0]
    notes = [one for one in (note, scores.stopped) if one]
    if as_json:
        flaws = [flaw.model_dump(mode="json") for flaw in measured.flaws]
        told = scores.model_dump(mode="json") | {"notes": notes, "flaws": flaws}
        files.write(files.PIPE, [json.dumps(told, ensure_ascii=False)])
    else:
        show(console, scores, measured.kind, notes, measured.flaws)
    if html is not None:
        page = report.html(
            scores,
            measured.kind,
            title=f"How good is it? {measured.name}, {len(cases)} cases",
            notes=notes,
            bad=report.worst(measured.kind, run, scores, cases, first),
            flaws=measured.flaws,
        )
        try:
            with files.replacing(html) as file:
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
