"""The other forms of a guide: JSON, a program of LangGraph, the folder of a skill."""

import json
import re
from pathlib import PurePosixPath

import jsonschema
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from tests.thread_export.guides import EXAMPLES, HOSTILE, a_shelf, examples
from thread_core.shelf import Shelf
from thread_export import guide_json, langgraph_code, skills
from thread_export.names import LONGEST, names

SHELF = examples()
NAMES = [path.name for path in EXAMPLES]


def test_the_published_schema_is_that_of_today() -> None:
    told = "run python -m thread_export.guide_json; where a field comes or goes, raise its FORM"
    assert json.loads(guide_json.SCHEMA.read_text(encoding="utf-8")) == guide_json.schema(), told


@pytest.mark.parametrize("name", NAMES)
def test_a_guide_as_json_has_the_form_of_its_schema(name: str) -> None:
    guide = json.loads(guide_json.write(SHELF, name))
    jsonschema.validate(guide, guide_json.schema())
    assert [unit["body"] for unit in guide["units"]] == [unit.body for unit in SHELF.units(name)]
    outcomes = [outcome for unit in guide["units"] for outcome in unit["outcomes"]]
    assert [one["condition"] for one in outcomes] == [way.link.condition for way in SHELF.ways(name)]


# -- LangGraph -----------------------------------------------------------------------------------------------------


def graph_of(shelf: Shelf, name: str):
    program: dict[str, object] = {}
    exec(compile(langgraph_code.write(shelf, name), name, "exec"), program)
    return program["builder"].compile(checkpointer=InMemorySaver())


@pytest.mark.parametrize("name", NAMES)
def test_every_guide_is_a_graph(name: str) -> None:
    app = graph_of(SHELF, name)
    shown = app.invoke({}, {"configurable": {"thread_id": "a"}})["__interrupt__"][0].value
    assert shown["where"].startswith(name) and shown["text"]


def test_answers_lead_through_the_graph_and_no_text_is_run() -> None:
    app, walk = graph_of(a_shelf({"pump.md": HOSTILE}), "pump.md"), {"configurable": {"thread_id": "a"}}
    shown = app.invoke({}, walk)["__interrupt__"][0].value
    assert '100 % %% <b>bold</b> --> end; #quot; &amp; \\n".' in shown["text"]
    chosen = next(at for at, said in enumerate(shown["outcomes"], 1) if "red" in said)
    assert "number from 1" in app.invoke(Command(resume="x"), walk)["__interrupt__"][0].value["text"]
    after = app.invoke(Command(resume=chosen), walk)["__interrupt__"][0].value
    assert "raise SystemExit(1) #" in after["text"]


# -- skills --------------------------------------------------------------------------------------------------------


def parted(text: str) -> tuple[dict[str, str], str]:
    _, front, body = text.split("---\n", 2)
    return yaml.safe_load(front), body


@pytest.mark.parametrize("name", NAMES)
def test_a_skill_has_its_form_and_the_whole_guide(name: str) -> None:
    called = names(SHELF.ids)
    files = skills.write(SHELF, name, called)
    front, _ = parted(files["SKILL.md"])
    assert front["name"] == called[name] and front["metadata"] == {"source": name}
    assert 0 < len(front["description"]) <= skills.DESCRIPTION and not re.search("[<>]", front["description"])
    whole = "\n".join(files.values())
    assert all(unit.body in whole for unit in SHELF.units(name))
    assert_links_lead(files, called)


def assert_links_lead(files: dict[str, str], called: dict[str, str]) -> None:
    """Every link between parts and to other skills leads somewhere."""
    for file, text in files.items():
        for href in re.findall(r"\[Part \d+\]\(([^)]*)\)", text):
            path, _, anchor = href.partition("#")
            goal = str(PurePosixPath(file).parent / path) if path else file
            goal = goal.removeprefix("references/../")
            assert f"## {anchor.replace('part-', 'Part ')}\n" in files[goal]
        for href in re.findall(r"another skill, \[[^\n]*\]\(([^)]*)\)", text):
            assert href.count("../") == file.count("/") + 1
            assert href.removeprefix("../").removeprefix("../").removesuffix("/SKILL.md") in called.values()


def test_a_long_guide_is_parted_and_nothing_is_lost() -> None:
    steps = "".join(
        f"## Part of work {at}\n\n1. {'Turn the valve. ' * 60}\n2. If it leaks, go to step 1.\n\n" for at in range(60)
    )
    shelf = a_shelf({"long.md": f"# Long\n\n{steps}"})
    files = skills.write(shelf, "long.md", {"long.md": "long"})
    assert len(files) > 2 and all(
        file == "SKILL.md" or re.fullmatch(r"references/part-\d+\.md", file) for file in files
    )
    assert all(text.count("\n") <= skills.LINES for text in files.values())
    whole = "\n".join(files.values())
    assert all(whole.count(f"Part of work {at}:") for at in range(60))
    assert all(unit.body in whole for unit in shelf.units("long.md"))
    assert_links_lead(files, {})
    for file in files.keys() - {"SKILL.md"}:
        assert f"({file}#" in files["SKILL.md"]


def test_text_of_a_document_is_no_mark_in_what_we_say() -> None:
    shelf = a_shelf(
        {"a.md": "# <script>x</script>\n\n## [b](javascript:c)\n\n1. Look. If it is <img src=x>, go to step 1.\n"}
    )
    _front, body = parted(skills.write(shelf, "a.md", {"a.md": "a"})["SKILL.md"])
    ours = body.replace(shelf.units("a.md")[0].body, "")
    assert "<script>" not in ours and "[b](" not in ours and "<img" not in ours


# -- names ---------------------------------------------------------------------------------------------------------


@given(st.sets(st.text(min_size=1), max_size=8))
def test_names_are_safe_and_no_two_are_the_same(ids: set[str]) -> None:
    called = names(sorted(ids))
    assert len(set(called.values())) == len(ids)
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) and len(name) <= LONGEST for name in called.values())


def test_what_looks_like_a_name_that_was_told_apart_is_told_apart_too() -> None:
    first = names(["a/b.md", "a-b.md"])
    assert set(first.values()).isdisjoint({"a-b"})
    assert len(set(names(["a/b.md", "a-b.md", f"{first['a/b.md']}.md"]).values())) == 3
