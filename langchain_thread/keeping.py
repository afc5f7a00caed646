"""Where an agent's thread keeps a walk: with the agent's own checkpointer, beside the messages.

Messages are summed up, trimmed, removed, and sent to whoever shows them, all of them in each checkpoint again. So they
say which walk they are of, and the walk itself is kept once a turn, under a namespace of its own in the same thread,
as LangGraph keeps the state of a subgraph.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    empty_checkpoint,
)

CHANNEL = "walk"
NAMESPACE = "thread_walk_{}"


@dataclass(frozen=True, slots=True)
class KeptWalk:
    """The walk of the tool of a name in one thread."""

    saver: BaseCheckpointSaver[Any]
    thread: str
    tool: str

    @classmethod
    def of(cls, config: RunnableConfig, tool: str) -> Self | None:
        """As a run's config says; None where no thread is kept."""
        given = config.get("configurable", {})
        saver, thread = given.get("__pregel_checkpointer"), given.get("thread_id")
        return cls(saver, str(thread), tool) if isinstance(saver, BaseCheckpointSaver) and thread else None

    def load(self, at: str | None) -> dict[str, Any] | None:
        """What was kept under an id, or last where that is gone or there is none; None where nothing was."""
        found = self.saver.get_tuple(self._config(at)) if at else None
        return _value(found or self.saver.get_tuple(self._config()))

    async def aload(self, at: str | None) -> dict[str, Any] | None:
        """`load`, for callers with an event loop."""
        found = await self.saver.aget_tuple(self._config(at)) if at else None
        return _value(found or await self.saver.aget_tuple(self._config()))

    def keep(self, walk: dict[str, Any], turn: int) -> str:
        """Keep where a walk stands at a turn -> the id under which it is found."""
        put = self._put(walk, turn)
        self.saver.put(*put)
        return put[1]["id"]

    async def akeep(self, walk: dict[str, Any], turn: int) -> str:
        """`keep`, for callers with an event loop."""
        put = self._put(walk, turn)
        await self.saver.aput(*put)
        return put[1]["id"]

    def _config(self, at: str | None = None) -> RunnableConfig:
        named = {"thread_id": self.thread, "checkpoint_ns": NAMESPACE.format(self.tool)}
        return {"configurable": named | ({"checkpoint_id": at} if at else {})}

    def _put(
        self, walk: dict[str, Any], turn: int
    ) -> tuple[RunnableConfig, Checkpoint, CheckpointMetadata, dict[str, Any]]:
        versions = {CHANNEL: self.saver.get_next_version(turn, None)}
        checkpoint = empty_checkpoint()
        checkpoint |= {"channel_values": {CHANNEL: walk}, "channel_versions": versions}
        return self._config(), checkpoint, {"source": "loop", "step": turn, "parents": {}}, versions


def _value(found: CheckpointTuple | None) -> dict[str, Any] | None:
    return found.checkpoint["channel_values"].get(CHANNEL) if found else None
