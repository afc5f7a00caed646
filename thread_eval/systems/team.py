"""Thread as a team of agents: what both frameworks' teams share as systems."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Self

from thread_core.errors import kind_of
from thread_core.ports import Usage
from thread_core.walk.rendering import Turn
from thread_eval.system import Reply


class Team(ABC):
    """Walks by agents; where a walk stands is a value, so that a report can be tried aside."""

    _reply: Callable[[Turn], Reply]
    """Of the framework's session."""

    def __init__(self) -> None:
        self._turns: list[Turn] = []
        """Also those of walks aside."""

    @property
    def usage(self) -> Usage:
        """What its agents have taken so far, as their service counts."""
        return sum((turn.usage for turn in self._turns if turn.usage), Usage())

    @abstractmethod
    def said(self, line: str, at: Any) -> tuple[Any, Turn]:
        """What comes of a line, said where a walk stands (None before it), and where it stands then."""

    def start(self, question: str) -> Reply:
        """The first turn of a new walk."""
        self._at = None
        return self.respond(question)

    def respond(self, said: str) -> Reply:
        """The next turn."""
        self._at, turn = self.said(said, self._at)
        self._turns.append(turn)
        return self._reply(turn)

    def fork(self) -> Self:
        """Another walk that stands where this one does."""
        return copy.copy(self)


def expected(model: Any, kind: type, words: str) -> Any:
    """A model of a framework.

    Raises:
        TypeError: it is none.
    """
    if not isinstance(model, kind):
        raise TypeError(f"found {kind_of(model)}, expected {words} that calls tools")
    return model
