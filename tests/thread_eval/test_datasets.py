from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

import pytest

from tests.thread_eval.kettle import FIRST, GUIDE, KETTLE, branch, quote
from thread_eval.datasets import DATASETS, BadDataset, load, load_from_hub
from thread_eval.datasets.gold import Quote, Task, problems, read_documents
from thread_eval.datasets.mind2web import Operation

SAMPLES = Path(__import__("thread_eval").__file__).parent / "datasets" / "samples"


@pytest.mark.parametrize("name", DATASETS)
def test_every_form_has_a_sample(name: str) -> None:
    assert load(name)


def test_the_gold_of_the_samples_quotes_their_documents() -> None:
    assert list(problems(load("gold"), read_documents(SAMPLES / "documents"))) == []


def test_a_quote_may_run_over_lines_and_list_marks() -> None:
    task = Task(id="t", question="q", steps=(quote("wall until it clicks. Switch the kettle on."),))
    assert list(problems([task], {"kettle.md": GUIDE})) == []


def test_every_fault_of_a_gold_file_is_named() -> None:
    elsewhere = Quote(document="tea.md", quote="Boil the water")
    wrong = Task(id="t", question="q", steps=(quote("Buy a kettle"), elsewhere), branches=(branch(2, "done", FIRST),))
    assert list(problems([wrong, KETTLE, KETTLE], {"kettle.md": GUIDE})) == [
        "t: found a branch after step 2, expected 0 to 1",
        "t: not in kettle.md: Buy a kettle",
        "t: there is no document tea.md",
        "kettle: another task has this id",
    ]


GOOD = {"question": "Why?", "steps": ["Look."], "documents": [{"title": "Kettle", "text": "Look."}]}


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.jsonl", json.dumps(GOOD) + "\n\n{", ":3: found invalid JSON (column 2"),
        ("a.jsonl", json.dumps(GOOD) + '\n{"question": "Why?"}', ":2: steps: found nothing; Field required; documents"),
        ("a.jsonl", json.dumps(GOOD | {"steps": "Look."}), ':1: steps: found "Look."; Input should be a valid tuple'),
        ("a.json", json.dumps([GOOD, GOOD | {"steps": [3]}], indent=1), ":14: steps.0: found 3; Input should be"),
        ("a.json", "\n [\n", ":3: found invalid JSON"),
        ("a.json", '\n {"question": 1}', ":2: question: found 1;"),
        ("a.json", "[]", ": found no record; expected at least one HowToTask"),
        ("a.json", "[" * 100_000, ":1: found JSON that cannot be read"),
        ("a.json", "9" * 5000, ":1: found JSON that cannot be read"),
    ],
)
def test_a_malformed_record_is_named_by_line_and_field(tmp_path: Path, name: str, text: str, said: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadDataset) as refused:
        load("how-to", path)
    assert str(refused.value).startswith(f"{path}{said}")


def test_a_folder_of_files_is_read_in_the_order_of_their_names(tmp_path: Path) -> None:
    with pytest.raises(BadDataset, match="found no file"):
        load("how-to", tmp_path)
    for name in ("b", "a"):
        (tmp_path / f"{name}.json").write_text(json.dumps(GOOD | {"question": f"{name}\u2028?"}, ensure_ascii=False))
    assert [task.question[0] for task in load("how-to", tmp_path)] == ["a", "b"]


def test_a_line_may_hold_what_else_ends_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(GOOD | {"question": "Why\u2028now?"}, ensure_ascii=False), encoding="utf-8")
    assert load("how-to", path)[0].question == "Why\u2028now?"


@pytest.mark.parametrize(
    ("op", "value", "text"), [("TYPE", "red", "TYPE red"), ("CLICK", "x", "CLICK"), ("TYPE", "", "TYPE")]
)
def test_an_operation_is_scored_with_its_value(op: str, value: str, text: str) -> None:
    assert Operation(op=op, value=value).text == text


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("conversations.jsonl", '"from_node": "n1"', '"from_node": "n9"', "turns.0: found the node n9"),
        ("conversations.jsonl", '"graph": "kettle"', '"graph": "lamp"', "found lamp, expected one of kettle"),
        ("graphs/kettle.json", '"n5": "Done",', "", "kettle: found an edge from n4 to n5"),
    ],
)
def test_a_flow_that_names_what_is_not_there_is_refused(
    tmp_path: Path, file: str, old: str, new: str, said: str
) -> None:
    (tmp_path / "graphs").mkdir()
    for name in ("conversations.jsonl", "graphs/kettle.json"):
        text = (SAMPLES / "flows" / name).read_text(encoding="utf-8")
        assert name != file or old in text
        (tmp_path / name).write_text(text.replace(old, new) if name == file else text, encoding="utf-8")
    with pytest.raises(BadDataset, match=said):
        load("flows", tmp_path)


# -- the hub -------------------------------------------------------------------------------------------------------


def hub(rows: Any) -> ModuleType:
    def load_dataset(name: str, split: str) -> Any:
        if isinstance(rows, Exception):
            raise rows
        return rows

    module = ModuleType("datasets")
    module.load_dataset = load_dataset  # type: ignore[attr-defined]
    return module


def test_a_hub_gives_records_of_the_same_form() -> None:
    rows = json.loads((SAMPLES / "mind2web.json").read_text(encoding="utf-8"))
    with patch.dict(sys.modules, {"datasets": hub(rows)}):
        assert load_from_hub("mind2web", "train") == load("mind2web")
    with (
        patch.dict(sys.modules, {"datasets": hub([*rows, {}])}),
        pytest.raises(BadDataset, match=r"osunlp/Mind2Web\[train\], record 2: annotation_id: found nothing"),
    ):
        load_from_hub("mind2web", "train")


def test_what_a_hub_lacks_is_said_with_where_it_is_to_be_had() -> None:
    with patch.dict(sys.modules, {"datasets": None}), pytest.raises(ModuleNotFoundError, match="pip install datasets"):
        load_from_hub("mt-mind2web", "train")
    down = patch.dict(sys.modules, {"datasets": hub(ConnectionError("no network"))})
    with down, pytest.raises(BadDataset, match=r"no network; get its files from github\.com"):
        load_from_hub("mt-mind2web", "train")
    with pytest.raises(ValueError, match="inscoqa is not on a hub"):
        load_from_hub("inscoqa", "test")
    with pytest.raises(ValueError, match="there is no data set 'tea'"):
        load("tea")
