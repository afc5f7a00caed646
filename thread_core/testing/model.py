"""A model that says what it was told to say, and refuses to be surprised."""

from __future__ import annotations

from collections.abc import Sequence

from thread_core.ports import Message


class ScriptedModel:
    """Replies in the order of its script; each reply goes with words that the question must hold.

    Example:
        model = ScriptedModel(("Which unit", "unit 3"))
        model.complete([Message("user", "Which unit fits?")])  # "unit 3"
        model.finished()
    """

    def __init__(self, *script: tuple[str, str]) -> None:
        self._script = list(script)
        self.seen: list[tuple[Message, ...]] = []
        """Every conversation that it was asked about."""

    def complete(self, messages: Sequence[Message]) -> str:
        """The next reply.

        Raises:
            AssertionError: the script has ended, or its next question was another one.
        """
        self.seen.append(tuple(messages))
        asked = messages[-1].text if messages else ""
        if not self._script:
            raise AssertionError(f"the script has ended, and the model was asked: {asked!r}")
        wanted, reply = self._script.pop(0)
        if wanted not in asked:
            raise AssertionError(f"the script expects a question with {wanted!r}, and the model was asked: {asked!r}")
        return reply

    def finished(self) -> None:
        """Raise AssertionError where some of the script was never asked for."""
        if self._script:
            raise AssertionError(f"never asked for: {[wanted for wanted, _ in self._script]}")
