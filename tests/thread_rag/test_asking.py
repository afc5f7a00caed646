"""Walks with a model by the command: real HTTP, the real client, a real store."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.scripted import ScriptedServer
from tests.scripted.faults import UNAUTHORIZED
from tests.thread_rag.test_cli import call

KEY = "sk-test-0123456789abcdef"
GUIDE = """# Pump is silent

1. Look at the lamp. If it is dark, go to step 3.
2. Press the green button.
3. Replace the fuse.
"""
SELECTING, MATCHING = "You choose, from how-to guides", "say where what they report leads"
FIRST = json.dumps({"prerequisites": [], "units": ["1"], "query": []})


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    (tmp_path / "pump.md").write_text(GUIDE)
    store = tmp_path / "store"
    assert call("ingest", tmp_path / "pump.md", "--store", store).exit_code == 0
    return store


def test_a_model_tells_what_an_outcome_means(store: Path, server: ScriptedServer) -> None:
    server.reply(FIRST, to=SELECTING)
    server.reply(lambda request: json.dumps({"way": way(request.text, "Replace the fuse")}), to=MATCHING)
    walk = call(
        *("ask", "The pump says nothing, what now?", "--store", store, "--model", "m", "--base-url", server.url),
        said="no light at all\nquit\n",
    )
    assert walk.exit_code == 0, walk.output
    shown = walk.output.split("> no light at all")[1]
    assert "Replace the fuse." in shown
    assert "green button" not in shown  # what reading on would show
    assert "note:" not in walk.output


def test_a_model_that_fails_is_done_without_and_the_person_is_told(store: Path, server: ScriptedServer) -> None:
    server.reply("", fault=UNAUTHORIZED, times=None)
    walk = call(
        "ask", "The pump says nothing", "--store", store, "--model", "m", "--base-url", server.url, said="quit\n"
    )
    assert "Look at the lamp" in walk.output
    assert "note: decided without the model: the service refused the key (HTTP 401)" in " ".join(walk.output.split())
    assert KEY not in walk.output


def test_a_service_without_a_model_is_refused(store: Path) -> None:
    refused = call("ask", "The pump says nothing", "--store", store, "--base-url", "http://127.0.0.1:1")
    assert refused.exit_code == 2
    assert "without a model" in refused.output


def way(prompt: str, passage: str) -> str:
    """The number of the passage with some words."""
    return next(number for number, text in re.findall(r"^\[([\d.]+)\] \|(.*)", prompt, re.MULTILINE) if passage in text)
