"""A model that says what it was told to say, and refuses to be surprised."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence

from thread_core.ports import Form, Message, Reply


class ScriptedModel:
    """Replies in the order of its script; each reply goes with words that the last message must hold.

    A reply is a text, a `Reply`, or an error that is raised. Streamed, a reply comes word by word.

    Example:
        model = ScriptedModel(("Which unit", "unit 3"), ("", ModelBusy("come back later")))
        model.complete([Message("user", "Which unit fits?")]).text  # "unit 3"
        model.finished()
    """

    def __init__(
        self, *script: tuple[str, str | Reply | Exception], name: str = "scripted", context_window: int | None = None
    ) -> None:
        self._script = list(script)
        self.name = name
        self.settings = ""
        self.context_window = context_window
        self.seen: list[tuple[Message, ...]] = []
        """Every conversation that it was asked about."""
        self.schemas: list[type[Form] | None] = []
        """The schema that came with each."""
        self.limits: list[int | None] = []
        """The limit that came with each."""

    def complete(
        self, messages: Sequence[Message], schema: type[Form] | None = None, limit: int | None = None
    ) -> Reply:
        """The next reply.

        Raises:
            AssertionError: the script has ended, or its next question was another one.
        """
        self.seen.append(tuple(messages))
        self.schemas.append(schema)
        self.limits.append(limit)
        asked = messages[-1].text if messages else ""
        if not self._script:
            raise AssertionError(f"the script has ended, and the model was asked: {asked!r}")
        wanted, reply = self._script.pop(0)
        if wanted not in asked:
            raise AssertionError(f"the script expects a question with {wanted!r}, and the model was asked: {asked!r}")
        if isinstance(reply, Exception):
            raise reply
        return reply if isinstance(reply, Reply) else Reply(text=reply)

    async def acomplete(
        self, messages: Sequence[Message], schema: type[Form] | None = None, limit: int | None = None
    ) -> Reply:
        """The next reply."""
        return self.complete(messages, schema, limit)

    def stream(self, messages: Sequence[Message], limit: int | None = None) -> Iterator[Reply]:
        """The next reply, word by word."""
        reply = self.complete(messages, limit=limit)
        *words, last = reply.text.split(" ")
        for word in words:
            yield Reply(text=f"{word} ", end="")
        yield reply.model_copy(update={"text": last})

    async def astream(self, messages: Sequence[Message], limit: int | None = None) -> AsyncIterator[Reply]:
        """The next reply, word by word."""
        for piece in self.stream(messages, limit):
            yield piece

    def finished(self) -> None:
        """Raise AssertionError where some of the script was never asked for."""
        if self._script:
            raise AssertionError(f"never asked for: {[wanted for wanted, _ in self._script]}")
