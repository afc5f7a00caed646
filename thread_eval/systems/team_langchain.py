"""Thread as a team of agents over LangGraph."""

from __future__ import annotations

import copy
import uuid
from typing import Any, Self

from langchain_core.callbacks import UsageMetadataCallbackHandler
from langchain_core.language_models import BaseChatModel
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from langchain_thread import create_howto_team
from thread_core.ports import Usage
from thread_core.walk.rendering import Turn
from thread_eval.system import Reply
from thread_eval.systems import Setup
from thread_eval.systems.thread_langchain import ThreadOnLangChain


class TeamOnLangChain(ThreadOnLangChain):
    """Each thread is a walk, and a report that is tried aside goes on in a thread of its own."""

    name = "Team, LangChain"
    _forked = False

    def __init__(self, setup: Setup) -> None:
        """Have the setup's own model be all agents.

        Raises:
            TypeError: it is no chat model of LangChain.
        """
        if not isinstance(setup.chat, BaseChatModel):
            raise TypeError(f"a team needs a chat model of LangChain that calls tools, got {type(setup.chat).__name__}")
        super().__init__(setup)
        self._counted = UsageMetadataCallbackHandler()
        self._team = create_howto_team(self._retriever, setup.chat).compile(checkpointer=InMemorySaver())

    @property
    def usage(self) -> Usage:
        """What its agents have taken so far, as their service counts."""
        counts = self._counted.usage_metadata.values()
        return Usage(
            prompt_tokens=sum(one["input_tokens"] for one in counts),
            completion_tokens=sum(one["output_tokens"] for one in counts),
        )

    def start(self, question: str) -> Reply:
        """The first turn of a new walk."""
        return self._new({"question": question})

    def respond(self, said: str) -> Reply:
        """The next turn."""
        if self._forked or not self._team.get_state(self._config).next:
            return self._new({"session": self._state, "answer": said})
        return self._invoked(Command(resume=said))

    def fork(self) -> Self:
        """Another walk that stands where this one does."""
        other = copy.copy(self)
        other._forked = True
        return other

    def _new(self, given: Any) -> Reply:
        self._config: Any = {"configurable": {"thread_id": uuid.uuid4().hex}, "callbacks": [self._counted]}
        return self._invoked(given)

    def _invoked(self, given: Any) -> Reply:
        seen = self._team.invoke(given, self._config)
        self._state, self._forked = seen["session"], False
        return self._reply(Turn.model_validate(seen["turn"]))
