"""A question and the conversation so far -> the whole plan, with its sources."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from itertools import zip_longest
from typing import Any

from langchain_core.documents import Document
from langchain_core.messages import MessageLikeRepresentation
from langchain_core.runnables import AddableDict, Runnable, RunnableGenerator, RunnableLambda

from langchain_thread.convert import is_unit, to_unit
from langchain_thread.prerequisites import PrerequisiteFilter
from langchain_thread.retriever import ThreadRetriever
from thread_core.answering import answer, render

Inputs = dict[str, Any]


def create_howto_chain(retriever: Runnable[str, list[Document]]) -> Runnable[Inputs, Inputs]:
    """A chain that answers with numbered steps and citations, and needs no model.

    Takes {"question", "chat_history"}; the history (messages, (role, text) pairs, or strings for what the person
    said) may be absent. Units whose prerequisites it rules out are dropped. Gives {"context", "steps", "answer"}:
    the documents, the steps as plain dictionaries, and the text. Streamed, the context comes first, then the steps
    one by one, each with its part of the text.

    Args:
        retriever: A `ThreadRetriever`, or anything else that gives the splitter's documents for a question.
    """

    def find(inputs: Inputs) -> list[Document]:
        question, history = _read(inputs)
        found = retriever.invoke(question, **_for_this_call(retriever, history))
        return _admitted(found, question, history)

    async def afind(inputs: Inputs) -> list[Document]:
        question, history = _read(inputs)
        found = await retriever.ainvoke(question, **_for_this_call(retriever, history))
        return _admitted(found, question, history)

    return RunnableLambda(find, afind, name="find_units") | RunnableGenerator(_speak, _aspeak, name="answer")


def _read(inputs: Inputs) -> tuple[str, Sequence[MessageLikeRepresentation]]:
    if not isinstance(inputs, dict) or "question" not in inputs:
        raise ValueError(f'the chain takes {{"question": ..., "chat_history": [...]}}, got {inputs!r}')
    return inputs["question"], inputs.get("chat_history") or ()


def _for_this_call(
    retriever: Runnable[str, list[Document]], history: Sequence[MessageLikeRepresentation]
) -> dict[str, Any]:
    """Other retrievers do not know the history, and some refuse what they do not know."""
    return {"chat_history": history} if isinstance(retriever, ThreadRetriever) else {}


def _admitted(
    documents: Sequence[Document], question: str, history: Sequence[MessageLikeRepresentation]
) -> list[Document]:
    return list(PrerequisiteFilter(history=history).compress_documents(documents, question))


def _speak(found: Iterator[list[Document]]) -> Iterator[Inputs]:
    for documents in found:
        yield from _pieces(documents)


async def _aspeak(found: AsyncIterator[list[Document]]) -> AsyncIterator[Inputs]:
    async for documents in found:
        for piece in _pieces(documents):
            yield piece


def _pieces(documents: Sequence[Document]) -> Iterator[Inputs]:
    """What adds up to the output; the pieces of the text that are no steps come last."""
    yield AddableDict(context=list(documents), steps=[], answer="")
    whole = answer([to_unit(document) for document in documents if is_unit(document)])
    for text, step in zip_longest(render(whole.steps, whole.outcomes), whole.steps):
        yield AddableDict(answer=text, steps=[step.model_dump(mode="json")] if step else [])
