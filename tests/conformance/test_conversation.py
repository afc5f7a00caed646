"""A conversation in both adapters: follow-ups are completed, and an answer comes as text and as instructions."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest

from langchain_thread import create_howto_chain
from llama_index_thread import ThreadQueryEngine
from tests.conformance.modelled import ANSWERING, ASYNC, STREAMED, STREAMED_ASYNC, SYNC, LangChain, LlamaIndex, Said
from tests.scripted import ScriptedServer
from thread_core.llm.access import ModelAccess
from thread_core.testing.model import ScriptedModel
from thread_core.walk.memory import Snippet, StepMemory

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


def test_an_answer_comes_as_a_list_of_instructions_too_with_lines_and_with_what_they_are_for(both: Any) -> None:
    listed = unspoken(both, RESET, []).beside["instructions"]
    assert [one["text"] for one in listed[:4]] == [
        "Open the settings of your account.",
        "Select **Security**.",
        "Press `Ctrl+R` to begin.",
        "Enter the code that came by mail.",
    ]
    assert [one["when"] for one in listed[:4]] == [""] * 4
    assert listed[1]["citations"] == [{"document_id": "windows.md", "start": 4, "end": 4}]
    others = {one["text"]: one["when"] for one in listed[4:]}
    assert others["Press `Cmd+R` to begin."] == "the guide that fits is “Reset the password on a Mac”"
    assert others["Start `label.exe`."] == "the guide that fits is “Print a label”; On Windows"
    assert json.loads(json.dumps(listed)) == listed


@pytest.mark.slow
@pytest.mark.enable_socket
def test_with_a_model_the_question_is_its_and_the_instructions_are_of_what_it_cites(
    both: Any, server: ScriptedServer
) -> None:
    question = "How do I print a label on a Mac?"
    server.reply(json.dumps({"question": question}), to="You put a person's", times=None)
    server.reply('{"units": ["1"], "query": []}', to="You choose", times=None)
    server.reply("Open Label.app and press `Print` [1].", to="You answer", times=None)
    said = [
        adapter.answer(client, "And on a Mac?", way, history=LABEL)
        for adapter, client in ((adapter, adapter.client(server.url)) for adapter in both)
        for way in ANSWERING
    ]
    assert all(one == said[0] for one in said[1:])
    assert said[0].beside["question"] == question
    assert said[0].beside["usage"]["calls"] == 3
    assert [one["text"] for one in said[0].beside["instructions"]] == ["Open Label.app and press `Print`."]
    assert all(f"| {question}" in request.text for request in server.requests if "You choose" in request.text)


EARLIER = Snippet(walk="monday", question="How do I print a label?", action="Start `label.exe`", outcome="exit code 3")
RECALLED = (
    "Step 1, from earlier: what held then need not hold now:\nThe question:\n| How do I print a label?\nThe step:\n"
    "| Start `label.exe`\nWhy it followed:\n| Labels are its job.\nWhat came of it:\n| exit code 3"
)


@pytest.mark.parametrize("way", ANSWERING)
def test_with_a_memory_the_models_are_told_the_steps_that_matter_and_not_all_that_was_said(both: Any, way: str) -> None:
    question = "How do I print a label on a Mac?"
    noise = "\n".join(f"roller-{number}: aligned" for number in range(40))
    history = [("user", "My labels are blank."), ("assistant", f"{noise}\nThe labels are blank: clean the head.")]
    for adapter in both:
        model = ScriptedModel(
            ("| exit code 3", '{"rationales": ["Labels are its job.", "They are blank."]}'),
            (RECALLED, '{"units": ["1"], "query": []}'),
            (RECALLED, "Open Label.app and press `Print` [1]."),
        )
        memory = StepMemory([EARLIER])
        said = adapter.answer(ModelAccess(model), question, way, history=history, memory=memory)
        assert said.text.startswith("Open Label.app")
        assert said.beside["usage"]["calls"] == 3
        for asked in model.seen[1:]:
            told = asked[-1].text
            assert "The step:\n| The labels are blank: clean the head.\nWhy it followed:\n| They are blank." in told
            assert "roller-7" not in told
            assert "The person:" not in told
        model.finished()


def test_with_an_event_loop_a_memory_compares_off_it(both: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for adapter in both:
        embedder = adapter.retriever.library.embedder
        compared: list[threading.Thread] = []

        def embed(texts: Any, embed: Any = embedder.embed, compared: list[threading.Thread] = compared) -> Any:
            compared.append(threading.current_thread())
            return embed(texts)

        monkeypatch.setattr(embedder, "embed", embed)
        model = ScriptedModel(("", '{"rationales": ["It is its job."]}'), ("", '{"units": ["1"]}'), ("", "Do it [1]."))
        earlier = EARLIER.model_copy(update={"question": f"How does {type(adapter).__name__} print a label?"})
        adapter.answer(ModelAccess(model), RESET, ASYNC, memory=StepMemory([earlier]))
        assert compared
        assert threading.main_thread() not in compared


def test_a_memory_needs_the_embedding_of_our_retriever(both: Any) -> None:
    expected = "a memory needs the embedding of a ThreadRetriever, found .*VectorStoreRetriever"
    with pytest.raises(TypeError, match=expected):
        create_howto_chain(both[0].store.as_retriever(), memory=StepMemory())
    with pytest.raises(TypeError, match=expected.replace("VectorStoreRetriever", "VectorIndexRetriever")):
        ThreadQueryEngine(both[1].index.as_retriever(), memory=StepMemory())


def test_the_prompt_of_a_memory_is_shown_where_there_is_one(both: Any) -> None:
    model = ModelAccess(ScriptedModel())
    assert "rationale" not in ThreadQueryEngine(both[1].retriever, model).get_prompts()
    engine = ThreadQueryEngine(both[1].retriever, model, memory=StepMemory())
    assert "You say why each step" in engine.get_prompts()["rationale"].get_template()
