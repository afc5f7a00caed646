"""What the README shows runs as it stands, and it can be read away from the repository."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tests.pages import ROOT, blocks, page
from tests.programs import Programs
from tests.scripted import ScriptedServer
from tests.scripted.calls import calling

sys.path.append(str(ROOT / "tools"))

import pictures

LANGCHAIN, LLAMA_INDEX, WALK, LANGCHAIN_AGENT, LLAMA_INDEX_AGENT = blocks("README.md")
REPOSITORY, SITE = "https://github.com/thread-rag/thread-rag", "https://thread-rag.readthedocs.io/"
RAW = "https://raw.githubusercontent.com/thread-rag/thread-rag/main/"


def test_it_takes_three_screens() -> None:
    assert len(page("README.md").splitlines()) <= 160


def test_each_link_leads_where_something_is() -> None:
    text = re.sub(r"```.*?```", "", page("README.md"), flags=re.DOTALL)
    leads = re.findall(r"\]\(([^)]*)\)", text)
    assert len(leads) > 10
    for link in leads:
        if link.startswith(SITE):
            name = link.removeprefix(SITE).partition("#")[0].strip("/")
            assert not name or list((ROOT / "docs").glob(f"{name}.md")), link
        elif link != REPOSITORY:
            base = next((base for base in (f"{REPOSITORY}/blob/main/", RAW) if link.startswith(base)), None)
            assert base, f"{link} is neither absolute nor of the project"
            assert (ROOT / link.removeprefix(base)).is_file(), link


def test_the_two_commands_are_targets_of_the_makefile() -> None:
    shown = re.findall(r"^make (\w+)", page("README.md"), re.MULTILINE)
    assert shown == ["demo", "test"]
    assert all(re.search(rf"^{target}:", page("Makefile"), re.MULTILINE) for target in shown)


@pytest.mark.slow
@pytest.mark.parametrize("swap", [LANGCHAIN, LLAMA_INDEX], ids=["langchain", "llama_index"])
def test_a_swap_finds_and_walks(swap: str, programs: Programs) -> None:
    walk = WALK if swap is LANGCHAIN else WALK.replace("langchain_thread", "llama_index_thread")
    lines = printed(programs, swap + walk).splitlines()
    assert "Message queue backlog: Getting an impression" in lines[0]
    assert "Message queue backlog: Getting an impression: If the queue is stable" in lines
    assert "Message queue backlog: The message that cannot be read" in lines


@pytest.mark.slow
@pytest.mark.parametrize(
    "code", [LANGCHAIN + LANGCHAIN_AGENT, LLAMA_INDEX + LLAMA_INDEX_AGENT], ids=["langchain", "llama_index"]
)
def test_an_agent_walks(code: str, server: ScriptedServer, programs: Programs) -> None:
    server.reply(to="If the queue is stable", text="Look at the age of the oldest message.")
    server.reply(to="Getting an impression", text="Watch the queue.")
    server.reply(fault=calling(("howto", {"question": "Messages pile up in a queue, what do I do?"})))
    server.reply(fault=calling(("howto", {"outcome": "the queue is stable"})))
    unstreamed = code.replace("FunctionAgent(", "FunctionAgent(streaming=False, ")  # a scripted call comes at once
    text = printed(programs, unstreamed, OPENAI_API_KEY="none", OPENAI_BASE_URL=server.url, OPENAI_API_BASE=server.url)
    assert text.splitlines()[-2:] == ["Watch the queue.", "Look at the age of the oldest message."]


@pytest.mark.slow
def test_the_walk_that_is_drawn_is_a_real_one(tmp_path: Path) -> None:
    drawn = pictures.PICTURE.read_text(encoding="utf-8")
    assert without_marks(drawn) == without_marks(pictures.draw(pictures.walk()))


def without_marks(svg: str) -> list[str]:
    """The texts of a drawing; how they are placed is rich's."""
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)


def printed(programs: Programs, code: str, **environment: str) -> str:
    done = programs.run("-c", code, **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout
