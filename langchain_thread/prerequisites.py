"""The prerequisite gate over retrieved documents: unmet ones go, undecided ones are marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.callbacks import Callbacks
from langchain_core.documents import BaseDocumentCompressor, Document
from langchain_core.messages import MessageLikeRepresentation
from langchain_core.runnables import Runnable, RunnableLambda
from pydantic import ConfigDict

from langchain_thread.convert import is_unit, said_by_person, to_unit
from thread_core.layout import ASK
from thread_core.retrieval.prerequisites import Known, Policy, PolicyOrName, admit


class PrerequisiteFilter(BaseDocumentCompressor):
    r"""Drops logic units whose prerequisites do not hold, judging by the question, the facts and the chat history.

    Undecided units are kept, with a question for the person in `lu_ask`; with `policy` you can keep them unmarked, or
    drop them. Documents that are not logic units pass. Your documents are never changed.

    Example:
        >>> from langchain_thread import LogicUnitTextSplitter
        >>> page = "# Agent\n\n## Agent 2.3 and later\n\nRun `ping`.\n\n## Before Agent 2.3\n\nRun `status`."
        >>> units = LogicUnitTextSplitter().create_documents([page])
        >>> kept = PrerequisiteFilter(facts=["agent 2.1"]).compress_documents(units, "Agent is silent")
        >>> [unit.metadata["prerequisite"] for unit in kept]
        ['Before Agent 2.3']
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    facts: Sequence[str] = ()
    """What is known about the person's surroundings, as a person would say it: "Windows 11", "agent 2.1"."""
    history: Sequence[MessageLikeRepresentation] = ()
    """The conversation so far, oldest first; only what the person said counts."""
    policy: PolicyOrName = Policy.ASK
    """What becomes of a unit whose prerequisites are undecided."""

    def compress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Callbacks | None = None
    ) -> Sequence[Document]:
        """The documents that apply, in order."""
        known = Known(said=(*self.facts, *said_by_person(self.history), query))
        return [kept for document in documents if (kept := self._admit(document, known)) is not None]

    def as_runnable(self) -> Runnable[dict[str, Any], list[Document]]:
        """For a chain: {"question", "chat_history", "documents"} -> documents; the history may be absent."""

        def filter_documents(inputs: dict[str, Any]) -> list[Document]:
            history = (*self.history, *(inputs.get("chat_history") or ()))
            gate = self.model_copy(update={"history": history})
            return list(gate.compress_documents(inputs["documents"], inputs["question"]))

        return RunnableLambda(filter_documents)

    def _admit(self, document: Document, known: Known) -> Document | None:
        if not is_unit(document):
            return document
        stays, judgement = admit(to_unit(document).prerequisites, known, Policy(self.policy))
        return _marked(document, judgement.question) if stays else None


def _marked(document: Document, question: str) -> Document:
    """A copy that carries the question to put, and none that was put before."""
    if document.metadata.get(ASK, "") == question:
        return document
    metadata = {key: value for key, value in document.metadata.items() if key != ASK}
    return document.model_copy(update={"metadata": metadata | ({ASK: question} if question else {})})
