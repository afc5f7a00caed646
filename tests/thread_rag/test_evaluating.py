"""`thread-rag eval`: from guides, gold and data sets to a table, JSON and a page."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from tests.thread_rag.test_cli import call

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
    assert "thread: entry_right is 1.0, expected at least 1.1" in low.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "name your guides, or a data set"),
        (["GUIDES", "--dataset", "gold"], "for your own gold, use --gold"),
        (["GUIDES", "--dataset", "2wiki"], "leave out the guides"),
        (["GUIDES", "--min", "rigth=1"], "found rigth, expected one of entry_right"),
        (["GUIDES", "--min", "right=much"], "expected a metric and a number"),
        (["--dataset", "mind2web"], "thread retrieves from guides"),
        (["GUIDES", "--dataset", "mind2web"], "thread, headers needs a model"),
        (["GUIDES", "--system", "car"], "car only plans actions on web pages"),
        (["GUIDES", "--system", "graph"], "graph needs a model"),
        (["--dataset", "tea:leaves"], "there is no data set 'tea'"),
        (["GUIDES", "--system", "none"], "found none, expected one of thread"),
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
    assert "does not match these guides: full: not in disk.md: Format the disk." in result.stderr
    gold.write_text(gold.read_text().replace("Format the disk.", "Look at the disk:"))
    assert [*scores_of(guides, "--gold", gold)["cases"]] == ["full"]


@pytest.mark.parametrize("name", ["gold", "flows", "how-to", "inscoqa", "2wiki"])
def test_a_sample_is_measured_and_is_no_measurement(name: str) -> None:
    told = scores_of("--dataset", name)
    assert told["notes"] == [note for note in told["notes"] if note.startswith("This small sample of our own")]
    assert told["notes"] and told["cases"]
    assert not told["systems"]["thread"]["errors"]


# -- the page ------------------------------------------------------------------------------------------------------


class Tags(HTMLParser):
    """The tags of a page, and its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.targets: set[str] = set()
        self.ids: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.targets |= {value or "" for name, value in attrs if name == "href"}
        self.ids |= {value or "" for name, value in attrs if name == "id"}


def test_nothing_of_a_document_becomes_part_of_the_page(tmp_path: Path) -> None:
    (tmp_path / "pump.md").write_text(HOSTILE)
    page = tmp_path / "report.html"
    assert evaluate(tmp_path / "pump.md", "--html", page).exit_code == 0
    text = page.read_text(encoding="utf-8")
    found = Tags(text)
    assert not found.tags & {"script", "img", "b onclick", "iframe", "link"}
    assert not {name for name in found.attributes if name.startswith("on")} | found.attributes & {"src"}
    assert found.targets and all(re.fullmatch(r"#g\d+-\d+", target) for target in found.targets)
    assert {target[1:] for target in found.targets} <= found.ids
    assert text.count("<style>") == 1
    assert "&lt;img src=x onerror=alert(3)&gt;" in text
    assert "default-src &#39;none&#39;" in text or "default-src 'none'" in text
