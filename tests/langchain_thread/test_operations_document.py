"""What docs/operations.md shows runs as it stands, and what it says is so."""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from langchain_chroma import Chroma
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import EmptyInputError

from langchain_thread import (
    HowToSession,
    ThreadRetriever,
    answering,
    create_howto_graph,
)
from thread_core.errors import BadStore

TEXT = (Path(__file__).parents[2] / "docs" / "operations.md").read_text("utf-8")
TROUBLE, WHERE, LOGGING = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
QUESTION = "What to do when a disk is full?"
WALK: Any = {"configurable": {"thread_id": "1"}}


@pytest.fixture
def names() -> dict[str, Any]:
    made: dict[str, Any] = {}
    exec(TROUBLE + WHERE, made)
    return made


@pytest.fixture
def retriever(store: Chroma) -> ThreadRetriever:
    return ThreadRetriever(vectorstore=store)


@pytest.fixture
def captured() -> Iterator[None]:
    yield
    logging.captureWarnings(False)


def test_a_store_is_well_or_empty_or_gone(
    names: dict[str, Any],
    retriever: ThreadRetriever,
    make_store: Callable[..., Chroma],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trouble = names["trouble"]
    assert trouble(retriever) == ""
    assert trouble(ThreadRetriever(vectorstore=make_store([]))) == "the collection holds no logic units"
    monkeypatch.setattr(type(retriever.library.store), "version", fails)
    assert trouble(retriever) == "the Chroma server cannot be reached"


def test_a_page_that_is_loaded_anew_shows_the_open_step(
    names: dict[str, Any], retriever: ThreadRetriever, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = names["where"]
    app = create_howto_graph(retriever).compile(checkpointer=InMemorySaver())
    with pytest.raises(EmptyInputError):
        where(app, WALK)
    shown = app.invoke({"question": QUESTION}, WALK)["turn"]
    written = len(list(app.get_state_history(WALK)))
    assert where(app, WALK)["text"] == shown["text"]
    with monkeypatch.context() as down, pytest.raises(BadStore):
        down.setattr(type(retriever.library.store), "version", fails)
        app.invoke(answering(app, WALK, "done"), WALK)
    assert where(app, WALK)
    assert len(list(app.get_state_history(WALK))) == written
    second = app.invoke(answering(app, WALK, "skip"), WALK)["turn"]
    assert where(app, WALK)["text"] == second["text"] != shown["text"]
    app.invoke(answering(app, WALK, "I give up"), WALK)
    assert where(app, WALK) is None


def test_a_session_stands_where_it_stood_when_the_store_is_back(
    retriever: ThreadRetriever, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = HowToSession(retriever)
    first = session.start(QUESTION)
    with monkeypatch.context() as down, pytest.raises(BadStore):
        down.setattr(type(retriever.library.store), "version", fails)
        session.respond("done")
    assert session.show().text == first.text
    assert session.respond("done").text != first.text


def test_what_python_warns_of_comes_into_the_log(
    captured: None, make_store: Callable[..., Chroma], caplog: pytest.LogCaptureFixture
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        exec(LOGGING, {})
        ThreadRetriever(vectorstore=make_store([])).invoke(QUESTION)
    [told] = caplog.records
    assert (told.name, "holds no logic units" in told.getMessage()) == ("py.warnings", True)


def test_the_loggers_are_there() -> None:
    listed = re.findall(r"`([\w.]+)`", "".join(re.findall(r"^\| (`[a-z_]+\..*?) \|", TEXT, re.MULTILINE)))
    assert len(listed) == 6
    import_module("llama_index_thread")
    assert {*listed} - {"py.warnings"} <= logging.root.manager.loggerDict.keys()


def fails(store: Any) -> str:
    raise BadStore("the Chroma server cannot be reached")
