"""What docs/operations.md shows runs as it stands, and what it says is so."""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

import grpc
import pytest
from langchain_chroma import Chroma
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import EmptyInputError
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceResponse
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2_grpc import (
    MetricsServiceServicer,
    add_MetricsServiceServicer_to_server,
)

from langchain_thread import (
    HowToSession,
    ThreadRetriever,
    answering,
    create_howto_graph,
)
from thread_core.errors import BadStore

TEXT = (Path(__file__).parents[2] / "docs" / "operations.md").read_text("utf-8")
TROUBLE, WHERE, LOGGING, METRICS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
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
    assert trouble(ThreadRetriever(vectorstore=make_store([]))) == "the collection has no logic units"
    monkeypatch.setattr(type(retriever.library.store), "version", fails)
    assert trouble(retriever) == "the Chroma server cannot be reached"


class _Collector(MetricsServiceServicer):
    """Takes what is sent, as a collector does."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def Export(self, request: Any, context: Any) -> ExportMetricsServiceResponse:
        metrics = (
            one for resource in request.resource_metrics for scope in resource.scope_metrics for one in scope.metrics
        )
        self.names.update(one.name for one in metrics)
        return ExportMetricsServiceResponse()


def test_metrics_reach_a_collector(retriever: ThreadRetriever, monkeypatch: pytest.MonkeyPatch) -> None:
    collector, server = _Collector(), grpc.server(ThreadPoolExecutor(1))
    add_MetricsServiceServicer_to_server(collector, server)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}")
    server.start()
    made: dict[str, Any] = {}
    exec(METRICS, made)
    try:
        session = HowToSession(retriever)
        session.start(QUESTION)
        session.respond("I give up")
    finally:
        made["stop"]()
        made["provider"].shutdown()
        server.stop(None)
    named = set(re.findall(r"\| `(thread_rag\.[\w.]+)` \|", TEXT))
    assert {"thread_rag.turns", "thread_rag.walk.turns"} < collector.names < named and len(named) == 7


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
    assert (told.name, "has no logic units" in told.getMessage()) == ("py.warnings", True)


def test_the_loggers_are_there() -> None:
    table = TEXT.partition("## Logs")[2].partition("## Metrics")[0]
    listed = re.findall(r"`([\w.]+)`", "".join(re.findall(r"^\| (`[a-z_]+\..*?) \|", table, re.MULTILINE)))
    assert len(listed) == 7
    import_module("llama_index_thread")
    assert {*listed} - {"py.warnings"} <= logging.root.manager.loggerDict.keys()


def fails(store: Any) -> str:
    raise BadStore("the Chroma server cannot be reached")
