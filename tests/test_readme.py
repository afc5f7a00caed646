"""What the README shows runs as it stands."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import pytest

from tests.programs import Programs
from tests.scripted import ScriptedServer
from tests.scripted.calls import calling
from thread_core import Document, RuleExtractor, layout

ROOT = Path(__file__).parents[1]
BLOCKS = re.findall(
    r"```(python|bash|console|text)\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL
)
PYTHON = [code for language, code in BLOCKS if language == "python"]


def the_one_with(words: str) -> str:
    """The only block of Python in which some words stand."""
    (found,) = (code for code in PYTHON if words in code)
    return found


LANGCHAIN, LLAMA_INDEX, KEEPING_WORDS, UPDATING, PLANNING, WITH_A_MODEL = PYTHON[:6]
REMEMBERING = the_one_with("StepMemory(")
LLAMA_INDEX_WORKFLOW = the_one_with("HowToWorkflow(")
DURABLE = the_one_with("SqliteSaver")
TEAMS = {"langchain": "answering, create_howto_team", "llama_index": "TurnEvent, create_howto_team"}
COMMANDS = [
    line.split("#")[0].strip()
    for language, code in BLOCKS
    if language == "bash"
    for line in code.splitlines()
    if line.startswith("thread-rag")
]
(WALK,) = [text.splitlines() for language, text in BLOCKS if language == "console"]
"""What is typed begins with "$" or ">"; dots stand for what is left out."""


Printed = Callable[..., str]


@pytest.fixture(scope="module")
def printed(programs: Programs) -> Printed:
    """What a program prints."""
    return partial(_printed, programs)


@pytest.fixture(scope="module")
def printed_once(printed: Printed) -> Printed:
    """What a program prints that prints the same again."""
    return cache(printed)


@pytest.mark.slow
@pytest.mark.parametrize("code", [LANGCHAIN, LLAMA_INDEX], ids=["langchain", "llama_index"])
def test_a_swap_walks_to_the_branch_that_the_outcome_selects(code: str, printed_once: Printed) -> None:
    assert "If the queue is stable" in printed_once(code)


@pytest.mark.slow
def test_the_words_are_kept_in_a_file(tmp_path: Path, printed: Printed) -> None:
    words = tmp_path / "words.sqlite3"
    after_the_swap = LANGCHAIN + KEEPING_WORDS.replace("words.sqlite3", str(words))
    assert "If the queue is shrinking" in printed(after_the_swap)
    kept = words.read_bytes()
    assert printed(after_the_swap) and words.read_bytes() == kept


@pytest.mark.slow
def test_an_ingest_goes_on_where_the_splitter_left_off(tmp_path: Path, printed: Printed) -> None:
    after_the_swap = LANGCHAIN + UPDATING.replace("guides.ledger", str(tmp_path / "guides.ledger"))
    assert printed(after_the_swap).splitlines()[-1] == "0 added, 0 removed, 0 embedded"


@pytest.mark.slow
def test_a_plan_is_a_text_and_a_list_and_a_follow_up_is_completed(printed: Printed) -> None:
    lines = printed(LANGCHAIN + PLANNING).splitlines()
    assert lines[-1] == "why does that happen? (The queue keeps growing, what do I do?)"
    assert any(re.match(r"1 \{'document_id': 'queue-backlog.md', 'start': \d+", line) for line in lines)


@pytest.mark.slow
def test_a_model_divides_answers_and_chooses(server: ScriptedServer, tmp_path: Path, printed: Printed) -> None:
    server.reply((ROOT / "tests/replies/grounded/queue-backlog.json").read_text(encoding="utf-8"), to="You divide")
    server.reply('{"prerequisites": [], "units": ["1"], "query": []}', to="You choose", times=None)
    server.reply("Look at the number of consumers first [1].", to="You answer")
    code = LANGCHAIN + WITH_A_MODEL.replace("replies.sqlite3", str(tmp_path / "replies.sqlite3"))
    text = printed(code, OPENAI_API_KEY="none", OPENAI_BASE_URL=server.url)
    assert "Look at the number of consumers first [1].\n\nSources:\n[1] queue-backlog.md:" in text
    assert text.splitlines()[-1].startswith(f"calls={len(server.requests)} ")


@pytest.mark.slow
def test_what_a_person_did_is_remembered(printed: Printed) -> None:
    assert printed(f"{LANGCHAIN}\nmodels = None\n{REMEMBERING}").splitlines()[-1].startswith("Message queue backlog:")


@pytest.mark.slow
def test_a_workflow_goes_on_in_another_process(printed: Printed) -> None:
    walk = LLAMA_INDEX[: LLAMA_INDEX.index("session = ")] + LLAMA_INDEX_WORKFLOW
    first, _, second = printed(walk).partition("If the queue is stable")
    assert "'the queue is stable'" in first
    assert "'it is below 15 minutes'" in second


@pytest.mark.slow
def test_a_walk_goes_on_in_another_process(tmp_path: Path, printed: Printed, printed_once: Printed) -> None:
    durable = LANGCHAIN + DURABLE.replace("journal.jsonl", f"{tmp_path}/journal").replace("walks", f"{tmp_path}/walks")
    begun, _, answered = durable.rpartition("shown = ")
    opened = begun.rpartition("shown = ")[0]
    printed(begun)
    assert printed(opened + "shown = " + answered).splitlines()[-1] == printed_once(LANGCHAIN).splitlines()[-1]


@pytest.mark.slow
@pytest.mark.parametrize("framework", ["langchain", "llama_index"])
def test_a_team_walks(framework: str, server: ScriptedServer, printed: Printed) -> None:
    go_on = {"to_agent": "planner", "reason": "opened"}
    server.reply(to="You are the selector", fault=calling(("open_guide", {"number": "1"}), ("handoff", go_on)))
    server.reply(to="You are the planner", fault=calling(("go_to", {"number": "2"})))
    swap = LANGCHAIN if framework == "langchain" else LLAMA_INDEX
    code = swap[: swap.index("session = ")] + the_one_with(f"from {framework}_thread import " + TEAMS[framework])
    text = printed(code, OPENAI_API_KEY="none", OPENAI_BASE_URL=server.url, OPENAI_API_BASE=server.url)
    assert text.startswith("Message queue backlog: Getting an impression\n")
    assert "\nMessage queue backlog: Getting an impression: If the queue is stable\n" in text


@pytest.mark.slow
def test_the_commands_run_in_this_order(tmp_path: Path, programs: Programs) -> None:
    names = "ingest ask ask resume ask show show show text ingest export import ingest"
    assert [command.split()[1] for command in COMMANDS] == names.split()
    for command in COMMANDS:
        typed = command.partition(" < ")[0]  # what is typed below stands for the file
        words = _words(typed.replace("guides", f"{tmp_path}/guides").replace("incident", f"{tmp_path}/incident"))[1:]
        done = programs.run("-m", "thread_rag", *words, said="quit\n")
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_the_walk_that_is_shown_is_a_real_one(tmp_path: Path, programs: Programs) -> None:
    guides = str(tmp_path)
    assert programs.run("-m", "thread_rag", "ingest", "examples/documents", "--store", guides).returncode == 0
    said = "".join(f"{line.removeprefix('> ')}\n" for line in WALK if line.startswith("> "))
    command = _words(WALK[0].replace("guides", guides))[2:]
    printed = iter(programs.run("-m", "thread_rag", *command, said=said).stdout.splitlines())
    assert [line for line in WALK[1:] if line not in ("", "...") and line not in printed] == []


def test_the_unit_that_is_shown_is_a_real_one() -> None:
    (shown,) = (text.splitlines() for language, text in BLOCKS if language == "text")
    guide = ROOT / "examples" / "documents" / "service-connection.md"
    units = RuleExtractor().extract(Document(guide.name, guide.read_text(encoding="utf-8"))).units
    rendered = [[line for line in layout.row_text(unit).splitlines() if not line.startswith("```")] for unit in units]
    assert shown in rendered


def test_the_two_commands_are_targets_of_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in ("demo", "test"):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def _printed(programs: Programs, code: str, **environment: str) -> str:
    done = programs.run("-c", code, **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _words(command: str) -> list[str]:
    return [word.strip('"') for word in re.findall(r'"[^"]*"|\S+', command)]
