"""A walk as an object: the plain-Python front over the turns of `walk`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from thread_core.library import Library
from thread_core.prompting import Prompt
from thread_core.replies import plain, read_event
from thread_core.states import Event
from thread_core.trail import VERSION, SessionState
from thread_core.turns import Turn
from thread_core.walk import turn


class HowToSession:
    """The plain-Python front of a walk. Adapters subclass it: they turn a retriever into a `Library`.

    Example:
        session = HowToSession(library)
        print(session.start("The disk of a node is full, what do I do?").text)
        print(session.respond("the journal is larger than 2 GB").text)
        saved = session.state.model_dump_json()
    """

    def __init__(self, library: Library, *, prompts: Mapping[str, Prompt] | None = None) -> None:
        """Walk over a library; where it has models, they choose the first step and tell what an outcome means.

        Args:
            library: The store, and the models if any.
            prompts: The user's own prompts instead of the package's: `select`, `next`.
        """
        self._library = library
        self._prompts = prompts
        self._state = SessionState()

    @property
    def state(self) -> SessionState:
        """JSON both ways; hand it to `resume` in another process."""
        return self._state

    def _resumed(self, state: SessionState | str) -> Self:
        loaded = SessionState.model_validate_json(state) if isinstance(state, str) else state
        if loaded.version != VERSION:
            raise ValueError(
                f"a session of version {loaded.version} cannot be resumed by version {VERSION}; start it again"
            )
        self._state = loaded
        return self

    def start(self, question: str) -> Turn:
        """Begin, or begin again, with a question."""
        return self._run(Event.START, question)

    def respond(self, text: str) -> Turn:
        """Report an outcome: an option's number, its words, "done", or what you see."""
        return self._run(read_event(text), plain(text))

    def back(self) -> Turn:
        """Undo the last step shown."""
        return self._run(Event.BACK)

    async def astart(self, question: str) -> Turn:
        """`start`, for callers with an event loop."""
        return await self._arun(Event.START, question)

    async def arespond(self, text: str) -> Turn:
        """`respond`, for callers with an event loop."""
        return await self._arun(read_event(text), plain(text))

    async def aback(self) -> Turn:
        """`back`, for callers with an event loop."""
        return await self._arun(Event.BACK)

    def why(self) -> str:
        """Why the current step was shown; nothing is read for it, so it has no async twin."""
        if self._state.pending is not None:
            why = f"{self._state.pending.why}; it is asked because it decides whether the step applies"
        else:
            why = self._state.trail[-1].why if self._state.trail else "no step was shown yet"
        return "; ".join((why, *self._state.notes))

    def _run(self, event: Event, text: str = "") -> Turn:
        self._state, shown = self._library.run(turn(self._state, event, text, prompts=self._prompts))
        return shown

    async def _arun(self, event: Event, text: str = "") -> Turn:
        self._state, shown = await self._library.arun(turn(self._state, event, text, prompts=self._prompts))
        return shown
