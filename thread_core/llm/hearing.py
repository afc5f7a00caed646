"""What has come of a reply: what of it is said aloud, what it cost, and whether it is one."""

from __future__ import annotations

from thread_core.errors import ModelError
from thread_core.llm.asking import Ask, Speak
from thread_core.llm.costs import counted
from thread_core.llm.thoughts import Aloud
from thread_core.ports import Reply, Usage

_ENDED = {
    "length": "was cut off at the longest that the model writes or the budget leaves",
    "refused": "was refused",
    "": "broke off",
}


class Heard:
    """The pieces of a reply so far; a whole reply is one piece."""

    def __init__(self, request: Ask | Speak, *, ends_bare: bool) -> None:
        self._request = request
        self._aloud = Aloud(ends_bare=ends_bare)
        self.pieces: list[Reply] = []
        self.said = ""
        """What was said aloud of it."""

    def take(self, piece: Reply) -> str:
        """What is said aloud of it now that another piece is here."""
        self.pieces.append(piece)
        return self._say(self._aloud.take(piece.text))

    def rest(self) -> str:
        """What else is said aloud of it, at its end."""
        return self._say(self._aloud.rest())

    def _say(self, text: str) -> str:
        self.said += text
        return text

    @property
    def usage(self) -> Usage:
        """What it cost, also where the rest was not waited for."""
        return counted(self._request, self.pieces)

    @property
    def is_something(self) -> bool:
        """Whether it has words, or says how it ended."""
        return any(piece.text or piece.end for piece in self.pieces)

    def check(self, said: str) -> None:
        """Raise ModelError where what was said is no answer, or did not come to its end."""
        end = next((piece.end for piece in reversed(self.pieces) if piece.end), "")
        if end != "complete":
            raise ModelError(f"the model's answer {_ENDED[end]}", said=said)
        if not said.strip():
            raise ModelError("the model's answer is empty", said=said)
