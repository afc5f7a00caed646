"""The plain-Python front of a walk, over a LlamaIndex retriever."""

from __future__ import annotations

from typing import Self

from llama_index_thread.retriever import ThreadRetriever
from thread_core import session
from thread_core.trail import SessionState


class HowToSession(session.HowToSession):
    """Walks a person through a procedure, one step at a time, taking the branch that the outcome selects.

    Example:
        session = HowToSession(ThreadRetriever(index, embed_model=embed_model))
        print(session.start("The disk of a node is full, what do I do?").text)
        print(session.respond("1").text)
    """

    def __init__(self, retriever: ThreadRetriever) -> None:
        super().__init__(retriever.library)

    @classmethod
    def resume(cls, state: SessionState | str, retriever: ThreadRetriever) -> Self:
        """Go on where a session stood: `state` is its `state`, or that as JSON, from whichever process.

        Raises:
            ValueError: it is not the state of a session, or one of another version.
        """
        return cls(retriever)._resumed(state)
