"""`thread-rag eval`: from guides, gold and data sets to a table, JSON and a page."""

from __future__ import annotations

import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from tests.scripted import Request, ScriptedServer
from tests.thread_rag.test_cli import call
from thread_eval.runs import ANSWERS, SCORES

KEY = "sk-test-0123456789abcdef"
HOSTILE = """# <script>alert(1)</script> "Pump" & {{ 7 * 7 }}

1. Look at <img src=x onerror=alert(2)> the fuse.
   - If it is <b onclick="x">black</b>, go to step 2.
2. Pull it out </pre></details><style>*{display:none}</style> gently.
3. Be careful whenever <img src=x onerror=alert(3)> is shown.
"""


def evaluate(*words: str | Path | int) -> Result:
    return call("eval", *words, "--system", "thread", "--system", "headers")


def scores_of(*words: str | Path | int) -> Any:
    result = evaluate(*words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


# -- guides --------------------------------------------------------------------------------------------------------


def test_guides_alone_are_measured_beside_a_splitter(guides: Path) -> None:
    result = evaluate(guides)
    assert result.exit_code == 0
    assert "That flatters every system." in result.stdout
    table = [line.split() for line in result.stdout.splitlines()]
    assert ["2", "cases", "entry", "branch", "right", "menu", "stuck", "wrong", "tokens"] in table
    assert [line[0] for line in table if line[:1] in (["thread"], ["headers"])] == ["thread", "headers"]


def test_json_has_every_figure_with_its_interval_and_each_case(guides: Path) -> None:
    (guides / "fan.md").write_text("# Fan\n\n1. Look at the fan.\n")
    told = scores_of(guides)
    assert told["baseline"] == "headers"
    right = told["systems"]["thread"]["summaries"]["right"]
    assert {"value", "low", "high", "counted"} <= right.keys()
    assert {"difference", "p", "wins"} <= told["systems"]["thread"]["against"]["right"].keys()
    assert [*told["cases"]] == ["disk.md:7", "fan.md:3", "volume.md:3"]
    assert told["flaws"] == [{"kind": "dead end", "where": "fan.md:3", "text": "1. Look at the fan."}]


def test_a_limit_draws_by_the_seed_and_a_larger_one_adds(guides: Path) -> None:
    one, two = (scores_of(guides, "--limit", count, "--seed", 3)["cases"] for count in (1, 9))
    assert len(one) == 1 and len(two) == 2 and set(one) < set(two)


def test_a_figure_that_is_too_low_decides_the_exit_code(guides: Path) -> None:
    assert evaluate(guides, "--min", "entry_right=0.1").exit_code == 0
    low = evaluate(guides, "--min", "entry_right=1.1")
    assert low.exit_code == 5
    assert "thread: entry_right is 1.0, wanted 1.1" in low.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "name your guides, or a data set"),
        (["GUIDES", "--dataset", "gold"], "name no guides"),
        (["GUIDES", "--min", "rigth=1"], "there is no rigth here; there are entry_right"),
        (["GUIDES", "--min", "right=much"], "expected a number after it"),
        (["--dataset", "mind2web"], "is not answered from documents"),
        (["GUIDES", "--system", "none"], "there is no none; there are thread"),
    ],
)
def test_what_does_not_go_together_is_said(guides: Path, words: list[str], said: str) -> None:
    result = evaluate(*[str(guides) if word == "GUIDES" else word for word in words])
    assert result.exit_code == 2
    assert said in " ".join(re.sub(r"[│╭╮╰╯─]", " ", result.stderr).split())


# -- gold and data sets --------------------------------------------------------------------------------------------


def test_gold_that_does_not_fit_the_guides_is_refused(guides: Path, tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    steps = [{"document": "disk.md", "quote": "Format the disk."}]
    gold.write_text(json.dumps({"id": "full", "question": "My disk is full", "steps": steps}) + "\n")
    result = evaluate(guides, "--gold", gold)
    assert result.exit_code == 1
    assert "does not fit these guides: full: not in disk.md: Format the disk." in result.stderr
    gold.write_text(gold.read_text().replace("Format the disk.", "Look at the disk:"))
    assert [*scores_of(guides, "--gold", gold)["cases"]] == ["full"]


@pytest.mark.parametrize("name", ["gold", "flows", "how-to", "inscoqa", "2wiki"])
def test_a_sample_is_measured_and_is_no_measurement(name: str) -> None:
    told = scores_of("--dataset", name)
    assert told["notes"] == [note for note in told["notes"] if note.startswith("A sample of our own, no measurement")]
    assert told["notes"] and told["cases"]
    assert not told["systems"]["thread"]["errors"]


# -- the page ------------------------------------------------------------------------------------------------------


class Tags(HTMLParser):
    """The tags of a page, and its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


def test_nothing_of_a_document_becomes_part_of_the_page(tmp_path: Path) -> None:
    (tmp_path / "pump.md").write_text(HOSTILE)
    page = tmp_path / "report.html"
    assert evaluate(tmp_path / "pump.md", "--html", page).exit_code == 0
    text = page.read_text(encoding="utf-8")
    found = Tags(text)
    assert not found.tags & {"script", "img", "b onclick", "iframe", "link"}
    assert not {name for name in found.attributes if name.startswith("on")} | found.attributes & {"src", "href"}
    assert text.count("<style>") == 1
    assert "&lt;img src=x onerror=alert(3)&gt;" in text
    assert "default-src &#39;none&#39;" in text or "default-src 'none'" in text


# -- models over HTTP: a scripted server, which shows that it works and measures nothing ---------------------------


@pytest.fixture
def model(tmp_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module with a model at the scripted server, in the current folder."""
    (tmp_path / "scripted_model.py").write_text(
        "from langchain_openai import ChatOpenAI\n\ndef model():\n"
        f"    return ChatOpenAI(model='scripted', base_url={server.url!r}, api_key={KEY!r}, max_retries=0)\n"
    )
    monkeypatch.delitem(sys.modules, "scripted_model", raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return "scripted_model:model"


def script(server: ScriptedServer) -> None:
    """A strong model's part: chooses the first guide, answers, and judges all to be well."""

    def items(request: Request) -> str:
        lines = request.text.rsplit("\n| ", request.text.count("\n| "))[1:]
        return json.dumps({"items": [{"action": "do", "element": line[:20]} for line in lines]})

    server.reply('{"units": ["1"], "prerequisites": []}', to="You choose, from how-to guides", times=None)
    server.reply("1. Do it. [1]", to="from numbered units of documents", times=None)
    server.reply("1. Do it.", to="from passages of documents", times=None)
    server.reply('{"reason": "All there.", "solved": true}', to="solves the task completely", times=None)
    server.reply(items, to="as action items", times=None)
    server.reply('{"matches": [{"proposed": 1, "right": 1}]}', to="action items of the right plan", times=None)


def test_a_run_with_models_is_kept_and_scored_again_without_a_call(
    model: str, server: ScriptedServer, tmp_path: Path
) -> None:
    script(server)
    words = ("--dataset", "how-to", "--model", model, "--out", tmp_path / "run")
    asked = evaluate(*words)
    assert "Models are asked about 6 times, for about 13,800 tokens" in asked.stdout
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
    assert told["notes"][0].startswith("Questions and outcomes are the guides' own, put in other words by a model")
    assert "stayed as they were" not in told["notes"][0]


def test_in_a_terminal_a_person_who_says_no_has_nothing_asked(
    model: str, server: ScriptedServer, guides: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thread_rag.walking.stdin_is_terminal", lambda: True)
    result = call("eval", guides, "--judge", model, "--system", "thread", said="n\n")
    assert result.exit_code == 1
    assert "Models are asked about 2 times" in result.stdout
    assert server.requests == []
