"""What the pages of the documentation show runs as it stands. Some pages have a file of tests of their own."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.pages import ROOT, blocks, broken_promises, commands, words
from tests.programs import Programs
from tests.scripted import ScriptedServer
from tests.scripted.calls import calling
from thread_core import Document, RuleExtractor, layout

SWAP, WALKING, UPDATING = blocks("docs/tutorial_langchain.md")
LLAMA_INDEX, LLAMA_INDEX_WALKING, LLAMA_INDEX_UPDATING, LLAMA_INDEX_FOLDER = blocks("docs/tutorial_llama_index.md")
KEEPING_WORDS, BOUNDED, CHAINED, ROUTED, PLANNING = blocks("docs/retrieval.md")
WITH_A_MODEL, LOCAL, REMEMBERING = blocks("docs/models.md")
(DURABLE,) = blocks("docs/durable_langgraph.md")
(WORKFLOW,) = blocks("docs/durable_llama_index.md")
TEAMS = dict(zip(("langchain", "llama_index"), blocks("docs/teams.md"), strict=True))
TESTED = dict(zip(("langchain", "llama_index"), blocks("docs/testing_agents.md"), strict=True))
(TYPED,) = [text.splitlines() for text in blocks("docs/tutorial_command.md", "console")]
"""What is typed begins with "$" or ">"; dots stand for what is left out."""
SERVING = ("thread-rag view", "thread-rag mcp")
"""What serves until it is stopped."""

Printed = Callable[..., str]


@pytest.fixture(scope="module")
def printed(programs: Programs) -> Printed:
    """What a program prints."""
    return partial(_printed, programs)


@pytest.mark.slow
@pytest.mark.parametrize(
    "code",
    [SWAP + WALKING + UPDATING, LLAMA_INDEX + LLAMA_INDEX_WALKING + LLAMA_INDEX_UPDATING + LLAMA_INDEX_FOLDER],
    ids=["langchain", "llama_index"],
)
def test_a_tutorial_prints_what_it_promises(code: str, tmp_path: Path, printed: Printed) -> None:
    code = code.replace("guides.ledger", str(tmp_path / "guides.ledger"))
    assert broken_promises(code, printed(code)) == []


@pytest.mark.slow
def test_the_words_are_kept_in_a_file(tmp_path: Path, printed: Printed) -> None:
    kept_words = tmp_path / "words.sqlite3"
    after_the_swap = SWAP + KEEPING_WORDS.replace("words.sqlite3", str(kept_words))
    assert "If the queue is shrinking" in printed(after_the_swap)
    kept = kept_words.read_bytes()
    assert printed(after_the_swap) and kept_words.read_bytes() == kept


@pytest.mark.slow
def test_what_comes_is_bounded(printed: Printed) -> None:
    assert broken_promises(BOUNDED, printed(SWAP + BOUNDED)) == []


@pytest.mark.slow
def test_a_chain_of_ones_own_reads_whole_units(server: ScriptedServer, printed: Printed) -> None:
    server.reply("Watch the queue.", to="Tell these steps")
    assert printed(SWAP + CHAINED, OPENAI_API_KEY="none", OPENAI_BASE_URL=server.url).endswith("Watch the queue.")
    assert "lumenctl queue watch" in str(server.requests[0].body)


@pytest.mark.slow
def test_a_router_chooses_our_engine_which_asks_no_model(server: ScriptedServer, printed: Printed) -> None:
    server.reply('[{"choice": 1, "reason": "steps"}]', to="What things cost")
    text = printed(LLAMA_INDEX + ROUTED, OPENAI_API_KEY="none", OPENAI_API_BASE=server.url)
    assert "1. Message queue backlog: Getting an impression [queue-backlog.md:" in text
    assert len(server.requests) == 1


@pytest.mark.slow
def test_a_plan_is_a_text_and_a_list_and_a_follow_up_is_completed(printed: Printed) -> None:
    lines = printed(SWAP + PLANNING).splitlines()
    assert lines[-1] == "why does that happen? (The queue keeps growing, what do I do?)"
    assert any(re.match(r"1 \{'document_id': 'queue-backlog.md', 'start': \d+", line) for line in lines)


@pytest.mark.slow
def test_a_model_divides_answers_and_chooses(server: ScriptedServer, tmp_path: Path, printed: Printed) -> None:
    server.reply((ROOT / "tests/replies/grounded/queue-backlog.json").read_text(encoding="utf-8"), to="You divide")
    server.reply('{"prerequisites": [], "units": ["1"], "query": []}', to="You choose", times=None)
    server.reply("Look at the number of consumers first [1].", to="You answer")
    code = SWAP + WITH_A_MODEL.replace("replies.sqlite3", str(tmp_path / "replies.sqlite3"))
    text = printed(code, OPENAI_API_KEY="none", OPENAI_BASE_URL=server.url)
    assert "Look at the number of consumers first [1].\n\nSources:\n[1] queue-backlog.md:" in text
    assert text.splitlines()[-1].startswith(f"calls={len(server.requests)} ")


@pytest.mark.slow
def test_a_local_model_is_asked_at_its_address(printed: Printed, server: ScriptedServer) -> None:
    met = '{"number": 1, "verdict": "met", "question": ""}'
    server.reply(f'{{"prerequisites": [{met}], "units": ["1"], "query": []}}', to="You choose")
    text = printed(SWAP + LOCAL.replace("http://localhost:11434/v1", server.url))
    assert "Message queue backlog:" in text
    assert [request.body["model"] for request in server.requests] == ["qwen3:8b"]


@pytest.mark.slow
def test_what_a_person_did_is_remembered(printed: Printed) -> None:
    assert printed(f"{SWAP}\nmodels = None\n{REMEMBERING}").splitlines()[-1].startswith("Message queue backlog:")


@pytest.mark.slow
def test_a_workflow_goes_on_in_another_process(printed: Printed) -> None:
    first, _, second = printed(LLAMA_INDEX + WORKFLOW).rpartition("If the queue is stable")
    assert "'the queue is stable'" in first
    assert "'it is below 15 minutes'" in second


@pytest.mark.slow
def test_a_walk_goes_on_in_another_process(tmp_path: Path, printed: Printed) -> None:
    durable = SWAP + DURABLE.replace("journal.jsonl", f"{tmp_path}/journal").replace("walks", f"{tmp_path}/walks")
    begun, _, answered = durable.rpartition("shown = ")
    opened = begun.rpartition("shown = ")[0]
    printed(begun)
    heading = "Message queue backlog: Getting an impression: If the queue is stable"
    assert heading in printed(opened + "shown = " + answered).splitlines()


@pytest.mark.slow
@pytest.mark.parametrize(("framework", "swap"), [("langchain", SWAP), ("llama_index", LLAMA_INDEX)])
def test_a_team_walks(framework: str, swap: str, server: ScriptedServer, printed: Printed) -> None:
    go_on = {"to_agent": "planner", "reason": "opened"}
    server.reply(to="You are the selector", fault=calling(("open_guide", {"number": "1"}), ("handoff", go_on)))
    server.reply(to="You are the planner", fault=calling(("go_to", {"number": "2"})))
    code = swap + TEAMS[framework]
    lines = printed(code, OPENAI_API_KEY="none", OPENAI_BASE_URL=server.url, OPENAI_API_BASE=server.url).splitlines()
    assert "Message queue backlog: Getting an impression" in lines
    assert "Message queue backlog: Getting an impression: If the queue is stable" in lines


@pytest.mark.slow
@pytest.mark.parametrize(("framework", "swap"), [("langchain", SWAP), ("llama_index", LLAMA_INDEX)])
def test_an_agent_is_tested_without_a_model(framework: str, swap: str, printed: Printed) -> None:
    assert broken_promises(TESTED[framework], printed(swap + TESTED[framework])) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["docs/exports.md", "docs/learning_from_walks.md"])
def test_a_page_prints_what_it_promises(name: str, tmp_path: Path, printed: Printed) -> None:
    (code,) = blocks(name)
    code = code.replace("walks.jsonl", f"{tmp_path}/walks.jsonl")
    assert broken_promises(code, printed(code)) == []


@pytest.mark.slow
def test_the_commands_run_in_this_order(tmp_path: Path, programs: Programs) -> None:
    for name in ("docs/tutorial_command.md", "docs/command.md", "docs/exports.md", "docs/learning_from_walks.md"):
        for command in commands(name):
            typed = command.partition(" < ")[0]  # what is typed below stands for the file
            if typed.startswith(SERVING):
                continue
            for written in ("guides", "incident", "report.html", "missing.diff"):
                typed = typed.replace(written, f"{tmp_path}/{written}")
            said = words(typed)[1:]
            done = programs.run("-m", "thread_rag", *said, said="quit\n")
            assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_the_walk_that_is_shown_is_a_real_one(tmp_path: Path, programs: Programs) -> None:
    guides = str(tmp_path)
    assert programs.run("-m", "thread_rag", "ingest", "examples/documents", "--store", guides).returncode == 0
    said = "".join(f"{line.removeprefix('> ')}\n" for line in TYPED if line.startswith("> "))
    command = words(TYPED[0].replace("guides", guides))[2:]
    printed = iter(programs.run("-m", "thread_rag", *command, said=said).stdout.splitlines())
    assert [line for line in TYPED[1:] if line not in ("", "...") and line not in printed] == []


def test_the_unit_that_is_shown_is_a_real_one() -> None:
    (shown,) = (text.splitlines() for text in blocks("docs/logic_units.md", "text"))
    guide = ROOT / "examples" / "documents" / "service-connection.md"
    units = RuleExtractor().extract(Document(guide.name, guide.read_text(encoding="utf-8"))).units
    rendered = [[line for line in layout.row_text(unit).splitlines() if not line.startswith("```")] for unit in units]
    assert shown in rendered


def _printed(programs: Programs, code: str, **environment: str) -> str:
    done = programs.run("-c", code, **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout
