"""The tools of both frameworks as what a step calls."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from langchain_core.tools import InjectedToolArg, InjectedToolCallId, ToolException, tool
from llama_index.core.tools import BaseTool, FunctionTool, ToolMetadata, ToolOutput
from pydantic import BaseModel

from tests.thread_core.actions import action
from thread_core.executors import CallableExecutor
from thread_core.walk.execution import Outcome, OutcomeKind


def restart(service: str, wait: int = 5) -> str:
    """Restart a service."""
    return f"{service} is up after {wait}"


async def look(lamp: int) -> str:
    """Look at a lamp."""
    return f"lamp {lamp} is green"


@tool
def raising() -> str:
    """Break."""
    raise ToolException("it does not start")


class Nothing(BaseModel):
    """Takes nothing."""


class Failing(BaseTool):
    @property
    def metadata(self) -> ToolMetadata:
        return ToolMetadata(description="Breaks.", name="broken", fn_schema=Nothing)

    def call(self) -> ToolOutput:
        return self()

    def __call__(self, input: Any = None) -> ToolOutput:
        return ToolOutput(content="it does not start", tool_name="broken", raw_input={}, raw_output=None, is_error=True)


LANGCHAIN = CallableExecutor({"restart": tool(restart), "look": tool(look), "broken": raising})
LLAMA_INDEX = CallableExecutor(
    {
        "restart": FunctionTool.from_defaults(restart),
        "look": FunctionTool.from_defaults(async_fn=look),
        "broken": Failing(),
    }
)
EACH = pytest.mark.parametrize("executor", [LANGCHAIN, LLAMA_INDEX], ids=["langchain", "llama_index"])


@EACH
async def test_a_tool_is_called_with_the_arguments_of_the_code(executor: CallableExecutor) -> None:
    seen = Outcome(kind=OutcomeKind.OBSERVED, text="db is up after 7")
    assert executor.run(action("restart db --wait 7")) == seen
    assert await executor.arun(action("restart(service='db', wait=7)")) == seen
    assert (await executor.arun(action("look 3"))).text == "lamp 3 is green"


@EACH
def test_arguments_are_held_against_its_schema(executor: CallableExecutor) -> None:
    for command, reason in (
        ("restart", "restart needs the argument service, whose value is not known"),
        ("restart db --when now", "restart takes no argument when"),
        ("restart db soon", "the argument wait of restart does not fit: Input should be a valid integer"),
    ):
        assert executor.run(action(command)).text.startswith(f"Not run: {reason}")


@EACH
async def test_a_tool_that_raises_or_says_that_it_failed_has_failed(executor: CallableExecutor) -> None:
    for outcome in (executor.run(action("broken")), await executor.arun(action("broken"))):
        assert outcome.kind is OutcomeKind.FAILED
        assert outcome.text.removeprefix("ToolException: ") == "it does not start"


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

    with pytest.raises(TypeError, match="drop needs the argument call, which is injected; pass a function"):
        CallableExecutor({"drop": drop})
