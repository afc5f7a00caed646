"""LangChain tools as what a step calls."""

from __future__ import annotations

import pytest
from langchain_core.tools import ToolException, tool

from tests.thread_core.actions import action
from thread_core.executors import CallableExecutor
from thread_core.walking.execution import Outcome, OutcomeKind


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


def test_what_a_tool_raises_is_raised() -> None:
    with pytest.raises(ToolException, match="it does not start"):
        EXECUTOR.run(action("restart broken"))
