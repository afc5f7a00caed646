"""A run goes on where it was, asks nobody twice, and loses nothing for one that fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.programs import Programs
from tests.thread_eval import lamps
from thread_core.errors import ModelError
from thread_core.llm.access import ModelAccess
from thread_core.testing.model import ScriptedModel
from thread_eval import runs
from thread_eval.datasets import load
from thread_eval.kinds import cases_of
from thread_eval.kinds.answers import Answers
from thread_eval.kinds.kind import Case
from thread_eval.kinds.walks import Walks
from thread_eval.models import BadModel, WatchedAccess, load_model
from thread_eval.runs import BadRun, Run
from thread_eval.systems import Setup, units_of


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(runs, "SYSTEMS", lamps.offers(tmp_path / "notes"))
    return tmp_path / "notes"


def test_a_run_that_was_killed_asks_only_for_what_is_not_there(notes: Path, tmp_path: Path, programs: Programs) -> None:
    assert programs.run("-m", "tests.thread_eval.lamps", str(tmp_path)).returncode == -9
    answers = tmp_path / "run" / runs.ANSWERS
    assert len(answers.read_bytes().splitlines()) == 4
    with answers.open("a") as file:
        file.write('{"case": "1", "sys')  # a line that was being written
    notes.unlink()
    run = Run(tmp_path / "run", lamps.CONFIG)
    assert run.left(lamps.cases(3)) == 2
    assert run.ask(Walks(), lamps.cases(3), lamps.setup) == ""
    assert notes.read_text().split("\n") == ["lamp 1", "lamp 2", ""]
    scores = run.score(Walks(), lamps.cases(3))
    assert [one.summaries["walk_recall"].counted for one in scores.systems.values()] == [3, 3]
    assert (scores.baseline, scores.systems["ours"].against["walk_recall"].ties) == ("theirs", 3)
    assert [json.loads(line)["case"] for line in answers.read_text().splitlines()] == ["0", "1", "2", "0", "1", "2"]


def test_a_case_that_fails_fails_alone_and_is_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def on(question: str) -> None:
        if question == "lamp 1":
            raise OSError("no route to the store")

    monkeypatch.setattr(runs, "SYSTEMS", lamps.offers(tmp_path / "notes", on))
    run = Run(tmp_path / "run", lamps.CONFIG)
    run.ask(Walks(), lamps.cases(3), lamps.setup)
    scores = run.score(Walks(), lamps.cases(3))
    assert scores.systems["ours"].errors == {"1": "OSError: no route to the store"}
    summary = scores.systems["ours"].summaries["walk_recall"]
    assert (summary.value, summary.counted, summary.failed) == (1, 2, 1)
    monkeypatch.setattr(runs, "SYSTEMS", lamps.offers(tmp_path / "notes"))
    again = Run(tmp_path / "run", lamps.CONFIG)
    assert again.left(lamps.cases(3)) == 2
    again.ask(Walks(), lamps.cases(3), lamps.setup)
    assert again.score(Walks(), lamps.cases(3)).systems["ours"].errors == {}


def test_two_runs_are_not_mixed(tmp_path: Path) -> None:
    Run(tmp_path, lamps.CONFIG)
    with pytest.raises(BadRun, match="seed: found 0, expected 1"):
        Run(tmp_path, lamps.CONFIG | {"seed": 1})


def test_a_judge_is_not_asked_twice(notes: Path, tmp_path: Path) -> None:
    kind, cases = cases_of("inscoqa", load("inscoqa"))
    run = Run(tmp_path / "run", {"systems": ["ours"]})
    run.ask(kind, cases, lamps.setup)
    rated, covered = json.dumps({"reason": "Short.", "rating": 3}), json.dumps({"covered": [1]})
    first = run.score(kind, cases, ModelAccess(ScriptedModel(("", rated), ("", covered)), cache=run.replies()))
    assert first.systems["ours"].summaries["rating"].value == 3
    again = run.score(kind, cases, ModelAccess(ScriptedModel(), cache=run.replies()))
    assert (again.judging.calls, again.judging.recalled, again.cases) == (0, 2, first.cases)


def test_a_judge_at_its_cap_is_a_failure_and_the_other_scores_stand(notes: Path, tmp_path: Path) -> None:
    kind, cases = cases_of("inscoqa", [*load("inscoqa"), *load("inscoqa")])
    run = Run(tmp_path / "run", {"systems": ["ours"]})
    run.ask(kind, cases, lamps.setup)
    rated, covered = json.dumps({"reason": "Short.", "rating": 3}), json.dumps({"covered": [1]})
    judge = WatchedAccess(ScriptedModel(("", rated), ("", covered)), max_tokens=1200)
    scores = run.score(kind, cases, judge)
    assert "raise --max-tokens" in scores.stopped
    summaries = scores.systems["ours"].summaries
    assert (summaries["rating"].counted, summaries["rating"].failed) == (1, 1)
    assert summaries["word_rouge_l"].counted == 2


# -- models --------------------------------------------------------------------------------------------------------


def asked(folder: Path, access: WatchedAccess) -> Run:
    """Two how-to tasks that Thread is asked with a model."""
    run = Run(folder, {"systems": ["thread"]})
    run.stopped = run.ask(Answers(), how_to(), lambda documents: Setup(documents, units_of(documents), models=access))
    return run


def how_to() -> list[Case]:
    return cases_of("how-to", load("how-to"))[1]


def test_a_run_ends_at_its_cap_and_no_walk_goes_on_without_its_model(tmp_path: Path) -> None:
    run = asked(tmp_path, WatchedAccess(ScriptedModel(), max_tokens=10))
    assert "of 10 are left; raise --max-tokens" in run.stopped
    assert run.left(how_to()) == 2


def test_an_answer_without_the_model_that_did_not_reply_is_none(tmp_path: Path) -> None:
    model = ScriptedModel(("", ModelError("no such model")), ("", ModelError("no such model")), ("", "{}"), ("", "{}"))
    run = asked(tmp_path, WatchedAccess(model))
    first = run.given("how-to 1", "thread")
    assert first and (first.said, first.error) == (None, "the model did not reply: no such model")


@pytest.mark.parametrize("name", ["json", "json:nothing", "no_such_module:model", "json:dumps"])
def test_what_is_no_model_is_named(name: str) -> None:
    with pytest.raises(BadModel, match=r"expected module:name|cannot be loaded"):
        load_model(name)
