"""LlamaIndex tools as what a step calls."""

from __future__ import annotations

from typing import Any

from llama_index.core.tools import BaseTool, FunctionTool, ToolMetadata, ToolOutput
from pydantic import BaseModel

from tests.thread_core.actions import action
from thread_core.executors import CallableExecutor
from thread_core.walk.execution import Outcome, OutcomeKind


def restart(service: str, wait: int = 5) -> str:
    return f"{service} is up after {wait}"


async def look(lamp: int) -> str:
    return f"lamp {lamp} is green"


class Nothing(BaseModel):
    """Takes nothing."""


class Broken(BaseTool):
    @property
    def metadata(self) -> ToolMetadata:
        return ToolMetadata(description="Breaks.", name="broken", fn_schema=Nothing)

    def call(self) -> ToolOutput:
        return self()

    def __call__(self, input: Any = None) -> ToolOutput:
        return ToolOutput(content="it does not start", tool_name="broken", raw_input={}, raw_output=None, is_error=True)


EXECUTOR = CallableExecutor(
    {
        "restart": FunctionTool.from_defaults(restart),
        "look": FunctionTool.from_defaults(async_fn=look),
        "broken": Broken(),
    }
)


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


async def test_an_output_that_is_an_error_is_a_failure() -> None:
    failed = Outcome(kind=OutcomeKind.FAILED, text="it does not start")
    assert EXECUTOR.run(action("broken")) == failed
    assert await EXECUTOR.arun(action("broken")) == failed
