"""`thread-rag eval` with models over HTTP: a scripted server, which shows that all is asked and measures nothing."""

from __future__ import annotations

import json
import re
import sys
from importlib.resources import files
from pathlib import Path
from shutil import copy, copytree
from typing import Any

import pytest

from tests.scripted import Request, ScriptedServer
from tests.scripted.calls import calling
from tests.thread_rag.test_cli import call
from tests.thread_rag.test_evaluating import evaluate, scores_of
from thread_eval.datasets import DATASETS
from thread_eval.runs import ANSWERS, SCORES

KEY = "sk-test-0123456789abcdef"
MODELS = """
from langchain_openai import ChatOpenAI
from llama_index.llms.openai_like import OpenAILike


def model():
    return ChatOpenAI(model="scripted", base_url={url!r}, api_key={key!r}, max_retries=0)


def of_llama_index():
    return OpenAILike(
        model="scripted", api_base={url!r}, api_key={key!r}, max_retries=0,
        is_chat_model=True, is_function_calling_model=True,
    )
"""
LED = ("mindact", "fixed", "car", "synapse", "self-map", "thread", "recursive-1000")


@pytest.fixture
def model(tmp_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module with models at the scripted server, in the current folder."""
    (tmp_path / "scripted_model.py").write_text(MODELS.format(url=server.url, key=KEY))
    monkeypatch.delitem(sys.modules, "scripted_model", raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return "scripted_model:model"


def script(server: ScriptedServer) -> None:
    """A strong model's part: chooses the first of everything, answers, and judges all to be well."""

    def items(request: Request) -> str:
        lines = request.text.rsplit("\n| ", request.text.count("\n| "))[1:]
        return json.dumps({"items": [{"action": "do", "element": line[:20]} for line in lines]})

    def facts(request: Request) -> str:
        value = "Ada Orrel" if "Ada Orrel" in request.text.rpartition("Its lines:")[2] else ""
        at = next((row.split("|")[0] for row in request.text.splitlines() if "made by Ada Orrel" in row), "")
        fact = {"line": int(at or 1), "entity": "Tarn kettle", "relation": "maker", "value": value}
        return json.dumps({"facts": [fact] if at else []})

    for to, said in {
        "You choose, from how-to guides": '{"units": ["1"], "prerequisites": []}',
        "from numbered units of documents": "1. Do it. [1]",
        "from passages of documents": "1. Do it.",
        "solves the task completely": '{"reason": "All there.", "solved": true}',
        "as action items": items,
        "action items of the right plan": '{"matches": [{"proposed": 1, "right": 1}]}',
        "You rate an answer": '{"reason": "Short.", "rating": 3}',
        "steps of the right instructions": '{"covered": [1]}',
        "what a person wants on a web page": '{"element": 1, "operation": "CLICK", "value": ""}',
        "understood without the conversation before": '{"question": "Only red kettles."}',
        "why each step of a conversation followed": '{"rationales": ["It was wanted.", "It was next."]}',
        "say where what they report leads": '{"way": "", "done": true}',
        "You list the facts": facts,
        "into propositions": '{"propositions": ["Boil the kettle.", "Rinse the kettle twice."]}',
        "knowledge triplets": "(Kettle, is, cold)\n(Kettle, has, plug)",
        "KEYWORDS:": "Kettle^Plug",
    }.items():
        server.reply(said, to=to, times=None)


# -- every form of data set ----------------------------------------------------------------------------------------

JUDGED = {"how-to": {"solved", "f1"}, "inscoqa": {"rating", "task_completion"}}


@pytest.mark.parametrize(
    ("form", "systems"),
    [
        ("how-to", ["thread", "headers"]),
        ("inscoqa", ["thread", "headers"]),
        ("2wiki", ["relations", "relations+chunks", "recursive-300"]),
        ("flows", ["thread", "headers"]),
        ("mind2web", LED),
        ("mt-mind2web", LED),
    ],
)
def test_each_form_end_to_end(
    form: str, systems: list[str], model: str, server: ScriptedServer, tmp_path: Path, guides: Path
) -> None:
    script(server)
    sample = Path(str(files("thread_eval.datasets").joinpath("samples", DATASETS[form].sample)))
    place = copytree(sample, tmp_path / "flows") if sample.is_dir() else copy(sample, tmp_path)
    named = [word for system in systems for word in ("--system", system)]
    beside = [guides] if "web" in form else []
    words = (*beside, "--dataset", f"{form}:{place}", *named, "--model", model, "--judge", model, "--out", "run")
    first = call("eval", *words, "--json")
    assert first.exit_code == 0, first.output
    told = json.loads(first.stdout)
    assert [*told["systems"]] == [*systems] and not any(one["errors"] for one in told["systems"].values())
    for system, one in told["systems"].items():
        have = {name for name, summary in one["summaries"].items() if summary["value"] is not None}
        assert JUDGED.get(form, set()) <= have
        assert all(one["summaries"][name]["low"] is not None for name in have)
        assert not any(summary["failed"] for summary in one["summaries"].values())
        assert bool(one["against"]) is (system != told["baseline"])
    asked = len(server.requests)
    again = json.loads(call("eval", *words, "--json").stdout)
    assert (len(server.requests), again["cases"]) == (asked, told["cases"])


def test_what_a_web_run_costs_is_known_before(model: str, server: ScriptedServer) -> None:
    script(server)
    told = call("eval", "--dataset", "mind2web", "--model", model, "--system", "mindact", "--max-tokens", 300)
    assert told.exit_code == 3
    assert "About 4 calls to models" in told.stdout
    assert "raise --max-tokens" in " ".join(told.stdout.split())


@pytest.mark.parametrize("name", ["propositions", "graph"])
def test_what_a_model_reads_first_is_asked_for_once(
    name: str, model: str, server: ScriptedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(server)
    words = ("--dataset", "how-to", "--model", model, "--out", tmp_path / "run", "--system", name)
    assert call("eval", *words, "--json").exit_code == 0
    reading = [one for one in server.requests if "triplets" in one.text or "into propositions" in one.text]
    assert len(reading) == len({one.text for one in reading}) == 2
    (given, _) = [json.loads(line) for line in (tmp_path / "run" / ANSWERS).read_text().splitlines()]
    assert given["said"]["contexts"] and given["usage"]["calls"] >= 2
    asked = len(server.requests)
    (tmp_path / "run" / ANSWERS).unlink()
    (tmp_path / "run" / "config.json").unlink()
    assert call("eval", *words, "--json").exit_code == 0
    assert len(server.requests) == asked


@pytest.mark.parametrize(("name", "of"), [("team", "model"), ("team-llama-index", "of_llama_index")])
@pytest.mark.filterwarnings("ignore::pydantic.warnings.PydanticDeprecationWarning")
def test_a_team_of_each_framework_is_measured_with_what_it_takes(
    name: str, of: str, model: str, server: ScriptedServer, guides: Path
) -> None:
    opened = [("open_guide", {"number": "1"}), ("handoff", {"to_agent": "planner", "reason": "opened"})]
    server.reply(to="You are the selector", fault=calling(*opened), times=None)
    server.reply(to="You are the planner", fault=calling(("go_to", {"number": "1"})), times=None)
    gold = guides.parent / "gold.jsonl"
    steps = [{"document": "disk.md", "quote": "Look at the disk:"}]
    branch = {"after_step": 0, "outcome": "the journal is large", "next": {"document": "disk.md", "quote": "Vacuum"}}
    gold.write_text(json.dumps({"id": "1", "question": "full", "steps": steps, "branches": [branch]}))
    where = f"scripted_model:{of}"
    told = call("eval", guides, "--gold", gold, "--model", where, "--system", name, "--json", "--out", "run")
    assert told.exit_code == 0, told.output
    one: Any = json.loads(told.stdout)["systems"][name]
    assert not one["errors"]
    assert one["summaries"]["walk_recall"]["value"] == 1
    assert one["usage"]["prompt_tokens"] == 100 * len(server.requests) > 0


def test_a_judge_that_fails_is_a_failure_that_everybody_sees(
    model: str, server: ScriptedServer, tmp_path: Path
) -> None:
    server.reply("I had rather not say.", to="You rate an answer", times=None)
    server.reply('{"covered": [1]}', to="steps of the right instructions", times=None)
    page = tmp_path / "report.html"
    words = ("--dataset", "inscoqa", "--system", "whole", "--judge", model, "--out", "run")
    told = call("eval", *words, "--html", page).stdout
    assert "whole, rating: 1 failed; the judge failed: BadReply" in " ".join(told.split())
    assert "1 failed" in page.read_text()
    scores = json.loads((tmp_path / "run" / SCORES).read_text())["systems"]["whole"]["summaries"]
    assert (scores["rating"]["value"], scores["rating"]["failed"]) == (None, 1)


# -- runs ----------------------------------------------------------------------------------------------------------


def test_a_run_with_models_is_kept_and_scored_again_without_a_call(
    model: str, server: ScriptedServer, tmp_path: Path
) -> None:
    script(server)
    words = ("--dataset", "how-to", "--model", model, "--out", tmp_path / "run")
    asked = evaluate(*words)
    assert "About 6 calls to models, 13,800 tokens" in asked.stdout
    answering = len(server.requests)
    words = (*words, "--judge", model)
    result = evaluate(*words)
    assert result.exit_code == 0, result.output
    assert not any("from passages of documents" in request.text for request in server.requests[answering:])
    told = json.loads((tmp_path / "run" / SCORES).read_text())
    thread, headers = (told["systems"][name] for name in ("thread", "headers"))
    assert thread["summaries"]["solved"]["value"] == headers["summaries"]["solved"]["value"] == 1
    assert (headers["usage"]["calls"], thread["errors"]) == (2, {})
    calls = len(server.requests)
    again = scores_of(*words)
    assert len(server.requests) == calls
    assert again["cases"] == told["cases"]
    kept = "".join(file.read_text(errors="replace") for file in (tmp_path / "run").iterdir())
    assert KEY not in kept + result.output


def test_a_cap_ends_a_run_which_a_larger_one_goes_on_with(model: str, server: ScriptedServer, tmp_path: Path) -> None:
    script(server)
    words = ("--dataset", "how-to", "--model", model, "--out", tmp_path / "run")
    capped = evaluate(*words, "--max-tokens", 900)
    assert capped.exit_code == 3
    assert "raise --max-tokens" in " ".join(capped.stdout.split())
    answers = tmp_path / "run" / ANSWERS
    before = answers.read_text()
    assert evaluate(*words, "--max-tokens", 100_000).exit_code == 0
    assert answers.read_text().startswith(before)
    assert len(answers.read_text().splitlines()) == 4


def test_a_model_puts_questions_on_guides_in_other_words(model: str, server: ScriptedServer, guides: Path) -> None:
    def reworded(request: Request) -> str:
        texts = re.findall(r"(?m)^\d+\| (.*)$", request.text)
        return json.dumps({"texts": [f"in other words, {text}" for text in texts]})

    server.reply(reworded, to="You put texts in other words", times=None)
    told = scores_of(guides, "--judge", model)
    assert len(server.requests) == len(told["cases"]) == 2
    assert told["notes"][0].startswith(
        "Questions and outcomes are made from the guides' own words and rephrased by a model"
    )
    assert "were not rephrased" not in told["notes"][0]


def test_in_a_terminal_a_person_who_says_no_has_nothing_asked(
    model: str, server: ScriptedServer, guides: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thread_rag.walking.stdin_is_terminal", lambda: True)
    result = call("eval", guides, "--judge", model, "--system", "thread", said="n\n")
    assert result.exit_code == 1
    assert "About 2 calls to models" in result.stdout
    assert server.requests == []
