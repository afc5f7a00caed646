"""A run is a folder, which goes on after it was stopped or killed, and is scored again without asking again.

It holds what was measured and how (`config.json`), what each system gave (`answers.jsonl`, a line each), the scores
(`scores.json`) and good replies of models.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import version
from itertools import groupby
from pathlib import Path
from statistics import median
from typing import Any

from thread_core.errors import ThreadError
from thread_core.llm.access import ModelAccess
from thread_core.llm.asking import Role
from thread_core.llm.reply_cache import SqliteReplyCache
from thread_core.models import Model
from thread_core.plan import Plan
from thread_core.ports import Usage
from thread_eval.aggregates import Comparison, Summary, column, compare, summarise
from thread_eval.kinds.kind import Case, Kind
from thread_eval.models import CapReached, WatchedAccess
from thread_eval.scores import Score, failure
from thread_eval.systems import SYSTEMS, Setup

FORM = 2
"""Of the files of a run."""
CONFIG, ANSWERS, SCORES, REPLIES = "config.json", "answers.jsonl", "scores.json", "replies.sqlite3"
PACKAGES = ("thread-rag", "langchain-core", "langchain-text-splitters", "llama-index-core", "chromadb")
"""Their versions are part of what was measured."""

Advance = Callable[[int], None]
"""Is told how many more answers are there."""
Unmade = Callable[[Mapping[str, str]], Setup]
"""Documents -> what systems are made of."""


class BadRun(ThreadError):
    """A folder that is no run, or one of something else."""


class Answered(Model):
    """What one system gave for one case: a line of `answers.jsonl`."""

    case: str
    system: str
    said: dict[str, Any] | None
    """As its kind has it; None where it failed."""
    error: str = ""
    seconds: float
    usage: Usage = Usage()


class SystemScores(Model):
    """One system over all cases."""

    summaries: dict[str, Summary]
    against: dict[str, Comparison]
    """Beside the baseline, metric by metric; empty of the baseline itself."""
    errors: dict[str, str]
    """By case."""
    usage: Usage
    seconds: float | None
    """The median of a case."""


class Scores(Model):
    """What a run has found."""

    form: int = FORM
    config: dict[str, Any]
    baseline: str
    """The first system that is not ours; empty where there is none."""
    systems: dict[str, SystemScores]
    cases: dict[str, dict[str, dict[str, Score]]]
    """By case, system and metric."""
    judge: str = ""
    """The name of the model that judged; empty where none did."""
    judging: Usage = Usage()
    stopped: str = ""
    """Why not all was asked."""


class Run:
    """One folder.

    Example:
        run = Run(Path("last"), {"data": "gold", "systems": ["thread", "headers"], "seed": 0})
        stopped = run.ask(Walks(), cases, lambda documents: Setup(documents, units_of(documents)))
        scores = run.score(Walks(), cases, stopped=stopped)
    """

    def __init__(self, folder: Path, config: Mapping[str, Any]) -> None:
        """Make the folder, or open it to go on.

        Args:
            folder: Where it is kept.
            config: What is measured and how, as JSON, without secrets; `systems` has the names.

        Raises:
            BadRun: there is another run in it, or it cannot be used.
        """
        self.folder = folder
        self.config = {"form": FORM, "versions": _versions(), **json.loads(json.dumps(config))}
        self.systems: list[str] = self.config["systems"]
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if (folder / CONFIG).exists():
                self._check(json.loads((folder / CONFIG).read_text(encoding="utf-8")))
            elif (folder / ANSWERS).exists():
                raise BadRun(f"{folder} has answers but no {CONFIG}; choose another folder")
            else:
                _write(folder / CONFIG, json.dumps(self.config, indent=1))
            self._answers = {(one.case, one.system): one for one in _lines(folder / ANSWERS)}
        except (OSError, ValueError) as error:
            raise BadRun(f"{folder} cannot be used for a run ({error}); choose another folder") from error

    def replies(self) -> SqliteReplyCache:
        """Where good replies of models are kept."""
        return SqliteReplyCache(self.folder / REPLIES)

    def left(self, cases: Sequence[Case]) -> int:
        """How many answers are still to be had; those that failed are asked for again."""
        return sum(self._is_left(case, name) for case in cases for name in self.systems)

    def ask(
        self,
        kind: Kind,
        cases: Sequence[Case],
        setup: Unmade,
        *,
        max_tokens: int | None = None,
        advance: Advance = lambda _: None,
    ) -> str:
        """Ask every system for what is not there yet. One that fails for a case fails for that case alone.

        Args:
            kind: How it is measured.
            cases: What is asked.
            setup: What systems are made of; its models have a cap of their own, see `models.open_access`.
            max_tokens: After so many no case is begun, whoever took them.
            advance: Is told of each answer.

        Returns:
            Why it was stopped before the end; empty where it was not.
        """
        spent = 0
        try:
            with open(self.folder / ANSWERS, "ab", buffering=0) as file:
                for answered in self._asked(kind, cases, setup):
                    spent += answered.usage.prompt_tokens + answered.usage.completion_tokens
                    file.write(f"{answered.model_dump_json()}\n".encode())
                    self._answers[answered.case, answered.system] = answered
                    advance(1)
                    if max_tokens is not None and spent > max_tokens:
                        raise CapReached(
                            f"{spent:,} of {max_tokens:,} tokens are spent; raise --max-tokens to continue"
                        )
        except CapReached as error:
            return str(error)
        return ""

    def score(
        self, kind: Kind, cases: Sequence[Case], judge: ModelAccess | None = None, *, seed: int = 0, stopped: str = ""
    ) -> Scores:
        """Score what is there, and write it down. Only a judge is asked, and of that only what it was not asked before.

        Where its cap is reached, what it was not asked is a failure, and `Scores.stopped` says so.
        """
        found, judging = dict[str, dict[str, dict[str, Score]]](), judge
        for case in cases:
            found[case.id] = {}
            for name in self.systems:
                try:
                    found[case.id][name] = self._scored(kind, case, name, judging)
                except CapReached as error:
                    stopped, judging = f"{stopped} {error}".strip(), None
                    found[case.id][name] = self._scored(kind, case, name, None)
        names = list(dict.fromkeys(metric for case in found.values() for one in case.values() for metric in one))
        filled = {
            case: {name: self._filled(case, name, one, names) for name, one in by_system.items()}
            for case, by_system in found.items()
        }
        baseline = next((name for name in self.systems if not SYSTEMS[name].is_ours), "")
        columns = {
            name: {metric: column([case[name] for case in filled.values()], metric) for metric in names}
            for name in self.systems
        }
        scores = Scores(
            config=self.config,
            baseline=baseline if len(self.systems) > 1 else "",
            systems={
                name: self._over_all(name, cases, kind, columns[name], columns.get(baseline, {}), baseline, seed)
                for name in self.systems
            },
            cases=filled,
            judge=(judge.name(Role.JUDGE) or "") if judge else "",
            judging=judge.usage if judge else Usage(),
            stopped=stopped,
        )
        _write(self.folder / SCORES, scores.model_dump_json(indent=1))
        return scores

    def given(self, case: str, system: str) -> Answered | None:
        """What a system gave for a case, if it was asked."""
        return self._answers.get((case, system))

    def _asked(self, kind: Kind, cases: Sequence[Case], setup: Unmade) -> Iterator[Answered]:
        for _, group in groupby(cases, lambda case: id(case.documents)):
            own = list(group)
            made: Setup | None = None
            for name in self.systems:
                left = [case for case in own if self._is_left(case, name)]
                if not left:
                    continue
                made = made or setup(own[0].documents)
                yield from _answers(name, kind, left, made)

    def _is_left(self, case: Case, system: str) -> bool:
        answered = self.given(case.id, system)
        return answered is None or answered.said is None

    def _scored(self, kind: Kind, case: Case, system: str, judge: ModelAccess | None) -> dict[str, Score]:
        answered = self.given(case.id, system)
        if answered is None or answered.said is None:
            return {}
        plan: Plan[dict[str, Score]] = kind.score(case, answered.said, judged=judge is not None)
        return (judge or ModelAccess({})).run(plan)

    def _filled(self, case: str, system: str, scores: dict[str, Score], names: Sequence[str]) -> dict[str, Score]:
        answered = self.given(case, system)
        lacking = failure(answered.error or "it has no such score" if answered else "it was not asked")
        return {name: scores.get(name, lacking) for name in names}

    def _over_all(
        self,
        name: str,
        cases: Sequence[Case],
        kind: Kind,
        mine: Mapping[str, list[Score]],
        theirs: Mapping[str, list[Score]],
        baseline: str,
        seed: int,
    ) -> SystemScores:
        there = [one for case in cases if (one := self.given(case.id, name))]
        pooled = kind.pooled
        return SystemScores(
            summaries={metric: summarise(scores, pool=metric in pooled, seed=seed) for metric, scores in mine.items()},
            against={
                metric: compare(scores, theirs[metric], pool=metric in pooled, seed=seed)
                for metric, scores in mine.items()
                if theirs and name != baseline
            },
            errors={one.case: one.error for one in there if one.said is None},
            usage=sum((one.usage for one in there), Usage()),
            seconds=median(one.seconds for one in there) if there else None,
        )

    def _check(self, there: Any) -> None:
        """Refuse to mix two runs."""
        if there == self.config:
            return
        keys = [key for key in {**self.config, **there} if there.get(key) != self.config.get(key)]
        told = "; ".join(f"{key}: found {there.get(key)!r}, expected {self.config.get(key)!r}" for key in keys[:3])
        raise BadRun(f"{self.folder} has a different run ({told}); choose another folder, or use the same options")


def _answers(name: str, kind: Kind, cases: Sequence[Case], setup: Setup) -> Iterator[Answered]:
    """What one system gives; where it cannot even be made, that for each case."""
    system: Any = None
    for case in cases:
        began, before = time.perf_counter(), _usage(setup, system)
        said, error = None, ""
        try:
            system = system or kind.make(SYSTEMS[name], setup)
            said = dict(kind.ask(system, case))
        except (CapReached, ModuleNotFoundError):
            raise
        except Exception as failed:  # whatever a framework, a store or a service raises: the others are asked
            error = f"{type(failed).__name__}: {failed}"
        if isinstance(setup.models, WatchedAccess) and (trouble := setup.models.trouble()) and not error:
            said, error = None, f"the model did not reply: {trouble}"
        seconds = round(time.perf_counter() - began, 4)
        usage = _usage(setup, system) - before
        yield Answered(case=case.id, system=name, said=said, error=error, seconds=seconds, usage=usage)


def _usage(setup: Setup, system: Any) -> Usage:
    """What was spent so far; a team's agents are asked past the setup's models."""
    own: Usage = getattr(system, "usage", Usage())
    return own + (setup.models.usage if setup.models else Usage())


def _versions() -> dict[str, str]:
    found = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except ModuleNotFoundError:
            continue
    return found


def _lines(file: Path) -> Iterator[Answered]:
    """The answers that are whole; of one that was being written when a run was killed nothing stays."""
    if not file.exists():
        return
    data = file.read_bytes()
    whole = data.rfind(b"\n") + 1
    if whole < len(data):
        os.truncate(file, whole)
    for line in data[:whole].splitlines():
        yield Answered.model_validate_json(line)


def _write(file: Path, text: str) -> None:
    """Put a text in the place of what a file held, whole or not at all."""
    beside = file.with_name(f"{file.name}.{os.getpid()}.new")
    beside.write_text(f"{text}\n", encoding="utf-8")
    os.replace(beside, file)
