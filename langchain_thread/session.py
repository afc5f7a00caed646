"""A walk through a procedure over a LangChain retriever."""

from __future__ import annotations

from typing import Self

from langchain_thread.retriever import ThreadRetriever
from thread_core import session
from thread_core.trail import SessionState


class HowToSession(session.HowToSession):
    """One step at a time: `start(question)`, then `respond(what happened)`, each giving a `Turn`.

    Example:
        session = HowToSession(ThreadRetriever(vectorstore=store))
        print(session.start("The disk of a node is full, what do I do?").text)
        print(session.respond("the journal is larger than 2 GB").text)
        saved = session.state.model_dump_json()
    """

    def __init__(self, retriever: ThreadRetriever) -> None:
        super().__init__(retriever.library)

    @classmethod
    def resume(cls, state: SessionState | str, retriever: ThreadRetriever) -> Self:
        """Go on where a session stood, in this process or in another, from its state or the state's JSON.

        Raises:
            ValueError: it is not the state of a session, or one of another version.
        """
        return cls(retriever)._resumed(state)
