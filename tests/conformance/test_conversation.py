"""A conversation in both adapters: follow-ups are completed, and an answer comes as text and as instructions."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.conformance.modelled import ANSWERING, ASYNC, STREAMED, STREAMED_ASYNC, SYNC, LangChain, LlamaIndex, Said
from tests.scripted import ScriptedServer

TEXTS = {
    "windows.md": """\
# Reset the password on Windows

1. Open the settings of your account.
2. Select **Security**.
3. Press `Ctrl+R` to begin.
4. Enter the code that came by mail.
""",
    "mac.md": """\
# Reset the password on a Mac

1. Open the settings of your account.
2. Select **Security**.
3. Press `Cmd+R` to begin.
4. Enter the code that came by mail.
""",
    "label.md": """\
# Print a label

## On Windows

Start `label.exe`.

## On a Mac

Open Label.app and press `Print`.
""",
}
RESET = "How do I reset the password on Windows?"
LABEL = [("user", "How do I print a label on Windows?"), ("assistant", "1. Start `label.exe`.")]


@pytest.fixture(scope="module")
def langchain() -> LangChain:
    return LangChain(TEXTS)


@pytest.fixture(scope="module")
def llama_index() -> LlamaIndex:
    return LlamaIndex(TEXTS)


@pytest.fixture
def both(langchain: LangChain, llama_index: LlamaIndex) -> tuple[Any, Any]:
    return langchain, llama_index


def unspoken(both: tuple[Any, Any], question: str, history: list[tuple[str, str]]) -> Said:
    """The answer without a model, which is the same in all ways of both."""
    ways = ((both[0], (SYNC, ASYNC, STREAMED, STREAMED_ASYNC)), (both[1], (SYNC, ASYNC)))
    said = [adapter.answer(None, question, way, history=history) for adapter, each in ways for way in each]
    for other in said[1:]:
        assert (other.text, other.sources) == (said[0].text, said[0].sources)
        for key in ("question", "steps", "instructions"):
            assert other.beside[key] == said[0].beside[key]
    return said[0]


def test_a_follow_up_is_looked_for_as_it_stands_alone_and_the_gate_knows_all_that_was_said(both: Any) -> None:
    said = unspoken(both, "And on a Mac?", LABEL)
    assert said.beside["question"] == "How do I print a label on Mac?"
    headers = [step["header"] for step in said.beside["steps"]]
    assert headers[0] == "Print a label: On a Mac: Open Label.app and press Print"
    assert "Print a label: On Windows: Start label.exe" not in headers


def test_a_question_that_stands_alone_is_looked_for_as_it_is(both: Any) -> None:
    assert unspoken(both, RESET, LABEL).beside["question"] == RESET


def test_common_steps_stand_once_in_the_text_and_in_the_instructions(both: Any) -> None:
    said = unspoken(both, RESET, [])
    assert said.text.count("1. Open the settings of your account.") == 1
    assert "(As in windows.md:3-4.)\n3. Press `Cmd+R` to begin.\n(As in windows.md:6.)" in said.text
    listed = {one["text"]: one for one in said.beside["instructions"]}
    assert list(listed)[:4] == [
        "Open the settings of your account.",
        "Select **Security**.",
        "Press `Ctrl+R` to begin.",
        "Enter the code that came by mail.",
    ]
    assert listed["Select **Security**."]["citations"] == [
        {"document_id": "windows.md", "start": 4, "end": 4},
        {"document_id": "mac.md", "start": 4, "end": 4},
    ]
    assert listed["Press `Ctrl+R` to begin."]["alternatives"] == [
        {
            "text": "Press `Cmd+R` to begin.",
            "source": "Reset the password on a Mac",
            "citations": [{"document_id": "mac.md", "start": 5, "end": 5}],
        }
    ]
    assert json.loads(json.dumps(said.beside["instructions"])) == said.beside["instructions"]


@pytest.mark.enable_socket
def test_with_a_model_the_question_is_its_and_the_instructions_are_of_what_it_cites(
    both: Any, server: ScriptedServer
) -> None:
    question = "How do I print a label on a Mac?"
    server.reply(json.dumps({"question": question}), to="You put a person's", times=None)
    server.reply('{"units": [1], "query": ""}', to="You choose", times=None)
    server.reply("Open Label.app and press `Print` [1].", to="You answer", times=None)
    said = [
        adapter.answer(adapter.client(server.url), "And on a Mac?", way, history=LABEL)
        for adapter in both
        for way in ANSWERING
    ]
    assert all(one == said[0] for one in said[1:])
    assert said[0].beside["question"] == question
    assert said[0].beside["usage"]["calls"] == 3
    assert [one["text"] for one in said[0].beside["instructions"]] == ["Open Label.app and press `Print`."]
    assert all(f"| {question}" in request.text for request in server.requests if "You choose" in request.text)
