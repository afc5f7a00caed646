"""Thread as a team of agents over LangGraph."""

from __future__ import annotations

import uuid
from typing import Any

from langchain_core.language_models import BaseChatModel
from langgraph.checkpoint.memory import InMemorySaver

from langchain_thread import answering, create_howto_team
from thread_core.walk.rendering import Turn
from thread_eval.systems import Setup
from thread_eval.systems.team import Team, expected
from thread_eval.systems.thread_langchain import ThreadOnLangChain


class TeamOnLangChain(Team, ThreadOnLangChain):
    """Each walk is a LangGraph thread; a report that is tried aside goes on in a thread of its own."""

    name = "Team, LangChain"

    def __init__(self, setup: Setup) -> None:
        """Have the setup's own model be all agents.

        Raises:
            TypeError: it is no chat model of LangChain.
        """
        ThreadOnLangChain.__init__(self, setup)
        Team.__init__(self)
        model = expected(setup.chat, BaseChatModel, "a chat model of LangChain")
        self._team = create_howto_team(self._retriever, model).compile(checkpointer=InMemorySaver())

    def said(self, line: str, at: Any) -> tuple[Any, Turn]:
        """The checkpoint, and the turn."""
        config: Any = {"configurable": {"thread_id": uuid.uuid4().hex}}
        if at is None:
            given: Any = {"question": line}
        elif self._team.get_state(_thread(at)).config == at:
            config, given = _thread(at), answering(self._team, _thread(at), line)
        else:
            given = {"session": self._team.get_state(at).values["session"], "answer": line}
        seen = self._team.invoke(given, config)
        return self._team.get_state(config).config, Turn.model_validate(seen["turn"])


def _thread(at: Any) -> Any:
    """The thread of a checkpoint, wherever it stands by now."""
    return {"configurable": {"thread_id": at["configurable"]["thread_id"]}}
