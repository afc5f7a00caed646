"""What a call of an agent's tool knows of the thread in which it is made."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Self

from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import ToolException
from langgraph.prebuilt import ToolRuntime

from langchain_thread.keeping import KeptWalk
from thread_core.models import NAMESPACE
from thread_core.walk import agents

Runtime = ToolRuntime[Any, Any]


@dataclass(frozen=True, slots=True)
class Call:
    """One call, and the messages before it."""

    tool: str
    """Its name: a thread's walk is found by it."""
    name: str
    """Of the call: the same when it is made again after a crash. One without a thread is nobody else's."""
    forks: bool
    """Whether it is said in a branch of its own: its run names a checkpoint of the history, or none is kept."""
    messages: Sequence[Any] = ()
    kept: KeptWalk | None = None
    """None where the walk is in the messages alone: no thread is kept."""

    @classmethod
    def of(cls, runtime: Runtime | None, tool: str) -> Self:
        """A call within an agent, or outside of one.

        Raises:
            ToolException: its message calls the tool more than once, and this is not the first of these calls.
        """
        messages, calling = _called_in(runtime) if runtime else ((), None)
        if runtime is None or calling is None:
            return cls(tool, uuid.uuid4().hex, True)
        first = next((one["id"] for one in calling.tool_calls if one["name"] == tool), runtime.tool_call_id)
        if first != runtime.tool_call_id:
            raise ToolException(agents.ONE_AT_A_TIME)
        kept = KeptWalk.of(runtime.config, tool)
        name = uuid.uuid4()
        if kept and calling.id:
            name = uuid.uuid5(NAMESPACE, f"{kept.thread}/{calling.id}/{first}")
        names_checkpoint = "checkpoint_id" in runtime.config.get("metadata", {})
        return cls(tool, name.hex, names_checkpoint or kept is None, messages, kept)

    def last(self) -> dict[str, Any] | None:
        """What the tool kept with its last message; None where there is none."""
        for message in reversed(self.messages):
            if isinstance(message, ToolMessage) and message.name == self.tool and _is_ours(message.artifact):
                kept: dict[str, Any] = message.artifact
                return kept
        return None


def _called_in(runtime: Runtime) -> tuple[Sequence[Any], AIMessage | None]:
    """The messages among which one makes the call, whatever the graph calls them and keeps them in; and that one."""
    for values in _values(runtime.state):
        for message in reversed(values if isinstance(values, list | tuple) else ()):
            if isinstance(message, AIMessage) and any(one["id"] == runtime.tool_call_id for one in message.tool_calls):
                return values, message
    return (), None


def _values(state: Any) -> Iterable[Any]:
    """What a state holds: a dict, a model, a dataclass, or the messages alone."""
    if isinstance(state, list):
        return [state]
    if is_dataclass(state):
        return [getattr(state, field.name) for field in fields(state)]
    return dict(state).values()


def _is_ours(artifact: Any) -> bool:
    """Another tool may have had the name before."""
    return isinstance(artifact, dict) and "turn" in artifact and isinstance(artifact.get("session"), dict)
