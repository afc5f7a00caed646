"""LangChain tools as what a step calls."""

from __future__ import annotations

from typing import Annotated

import pytest
from langchain_core.tools import InjectedToolArg, InjectedToolCallId, ToolException, tool

from tests.thread_core.actions import action
from thread_core.executors import CallableExecutor
from thread_core.walk.execution import Outcome, OutcomeKind


@tool
def restart(service: str, wait: int = 5) -> str:
    """Restart a service."""
    if service == "broken":
        raise ToolException("it does not start")
    return f"{service} is up after {wait}"


@tool
async def look(lamp: int) -> str:
    """Look at a lamp."""
    return f"lamp {lamp} is green"


EXECUTOR = CallableExecutor({"restart": restart, "look": look})


async def test_a_tool_is_called_with_the_arguments_of_the_code() -> None:
    seen = Outcome(kind=OutcomeKind.OBSERVED, text="db is up after 7")
    assert EXECUTOR.run(action("restart db --wait 7")) == seen
    assert await EXECUTOR.arun(action("restart(service='db', wait=7)")) == seen
    assert (await EXECUTOR.arun(action("look 3"))).text == "lamp 3 is green"


def test_arguments_are_held_against_its_schema() -> None:
    for command, reason in (
        ("restart", "restart needs the argument service, which nobody has said"),
        ("restart db --when now", "restart takes no argument when"),
        ("restart db soon", "the argument wait of restart does not fit: Input should be a valid integer"),
    ):
        assert EXECUTOR.run(action(command)).text.startswith(f"Not run: {reason}")


def test_arguments_that_no_model_may_set_no_document_sets() -> None:
    @tool
    def drop(service: str, user: Annotated[str, InjectedToolArg] = "nobody") -> str:
        """Drop a service for a user."""
        return f"{service} by {user}"

    executor = CallableExecutor({"drop": drop})
    refused = executor.run(action("drop db --user root"))
    assert refused == Outcome(kind=OutcomeKind.HANDED, text="Not run: drop takes no argument user.")
    assert executor.run(action("drop db", parameters={"<user>": "root"})).text == "db by nobody"


def test_a_tool_that_needs_what_only_langgraph_injects_is_named() -> None:
    @tool
    def drop(service: str, call: Annotated[str, InjectedToolCallId]) -> None:
        """Drop a service."""

    with pytest.raises(TypeError, match="drop needs the argument call, which is injected; give a function"):
        CallableExecutor({"drop": drop})


def test_a_tool_that_raises_has_failed() -> None:
    outcome = EXECUTOR.run(action("restart broken"))
    assert (outcome.kind, outcome.text) == (OutcomeKind.FAILED, "ToolException: it does not start")
