"""A `HowToSession` of either framework as a system."""

from __future__ import annotations

import copy
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Self

from thread_core.walk.rendering import Turn
from thread_core.walk.session import HowToSession
from thread_core.walk.state import SessionState
from thread_eval.system import Answer, Reply, Status

COSINE: Any = {"hnsw": {"space": "cosine"}}
"""How Chroma compares headers."""
_STATUS: dict[str, Status] = {
    "awaiting": "going",
    "asking": "asking",
    "resolved": "resolved",
    "escalated": "escalate",
    "unknown": "unknown",
}


class Walking(ABC):
    """A session for each question."""

    def __init__(self, documents: Mapping[str, str]) -> None:
        self._documents = documents

    @abstractmethod
    def session(self, state: SessionState) -> HowToSession:
        """One that stands where `state` says."""

    def start(self, question: str) -> Reply:
        """The first turn of a new walk."""
        self._session = self.session(SessionState())
        return self._reply(self._session.start(question))

    def respond(self, said: str) -> Reply:
        """The next turn."""
        return self._reply(self._session.respond(said))

    def fork(self) -> Self:
        """Another walk that stands where this one does."""
        other = copy.copy(self)
        other._session = self.session(self._session.state)
        return other

    def _reply(self, turn: Turn) -> Reply:
        place = f"{turn.citations[0].document_id}:{turn.unit_ids[0]}" if turn.citations and turn.unit_ids else ""
        return Reply(turn.text, _STATUS[turn.status.value], self._first_cited(turn), turn.options, place)

    def _first_cited(self, turn: Turn) -> str:
        if not turn.citations:
            return ""
        span = turn.citations[0]
        lines = re.split(r"\r\n|\n|\r", self._documents[span.document_id])
        return "\n".join(lines[span.start - 1 : span.end])


def answer_of(text: str, contexts: list[str], said: Mapping[str, Any]) -> Answer:
    """An answer of Thread's: with what it says besides the text, as both frameworks give it."""
    return Answer(text, tuple(contexts), tuple(one["text"] for one in said["instructions"]))
