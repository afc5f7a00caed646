"""docs/mcp.md names every tool and nothing else, and what it shows fits the command and the clients."""

from __future__ import annotations

import json
import re
from typing import Any

import typer

from tests.pages import blocks, page, words
from thread_mcp.tools import OFFERS
from thread_rag.cli import app


def test_the_table_has_every_tool() -> None:
    rows = re.findall(r"^\| `(\w+)` \|.*\| (.*) \|$", page("docs/mcp.md"), re.MULTILINE)
    assert [name for name, _ in rows] == [*OFFERS]
    assert {name for name, changes in rows if changes == "nothing"} == {
        name for name, one in OFFERS.items() if one.reads
    }


def test_its_configurations_are_json_and_its_commands_have_these_options() -> None:
    local, remote = (json.loads(text)["mcpServers"]["guides"] for text in blocks("docs/mcp.md", "json"))
    assert remote["url"].endswith("/mcp")
    group: Any = typer.main.get_command(app)
    known = {name for option in group.commands["mcp"].params for name in option.opts}
    shown = [line for text in blocks("docs/mcp.md", "text") for line in text.splitlines()]
    calls = [words(line)[1:] for line in shown if line.startswith("thread-rag mcp ")]
    assert len(calls) == 3
    for call in (local["args"], *calls):
        assert call[0] == "mcp" and {word for word in call if word.startswith("--")} <= known
