"""A question and the conversation so far -> the whole plan, with its sources."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Annotated, Any, NamedTuple, cast

from langchain_core.documents import Document
from langchain_core.messages import MessageLikeRepresentation
from langchain_core.runnables import AddableDict, Runnable, RunnableGenerator, RunnableLambda, RunnableSequence
from langchain_core.tools import InjectedToolArg
from pydantic import BaseModel

from langchain_thread.convert import is_unit, to_messages, to_unit
from langchain_thread.models import Models, to_access
from langchain_thread.prerequisites import PrerequisiteFilter
from langchain_thread.prompts import Templates, to_prompts
from langchain_thread.retriever import Retriever, ThreadRetriever, hearing, thread_retriever_in
from thread_core import LogicUnit, layout
from thread_core.answering.answer import Answer, answer, answer_question, render
from thread_core.answering.followup import standalone
from thread_core.errors import full_name, kind_of
from thread_core.llm.access import ModelAccess
from thread_core.llm.prompting import Prompt
from thread_core.plan import Plan, in_a_thread
from thread_core.store.requests import Embed
from thread_core.walk.memory import StepMemory

Inputs = dict[str, Any]
_NAME = "howto"
"""Of the chain, in traces."""


class HowToQuestion(BaseModel):
    """What a chain takes; its schema is made of this."""

    question: str
    chat_history: Annotated[Sequence[MessageLikeRepresentation], InjectedToolArg()] = ()
    """Where the chain is a tool, no model is asked for it."""


def create_howto_chain(
    retriever: Retriever,
    llm: Models | None = None,
    *,
    memory: StepMemory | None = None,
    prompts: Templates | None = None,
) -> Runnable[Inputs, Inputs]:
    """Build a chain that answers with a whole plan and citations, with or without a model.

    It takes {"question", "chat_history"}. The optional history (messages, (role, text) pairs, or texts of the person)
    rules out units by their prerequisites and completes a follow-up ("And on Windows?"). It returns {"question",
    "context", "steps", "answer", "instructions"}: the completed question, the documents used, the steps as
    dictionaries, the text, and a flat list of what to do, as in `thread_core.answering.instructions.Instruction`.

    Without a model, the steps are verbatim. A stream gives the context first, then each step with its part of the text,
    then the instructions. With a model, it chooses units and writes the answer: a stream gives the text as it is
    written, then the rest, with {"outcomes", "questions", "warnings", "model", "usage"} as in
    `thread_core.answering.answer.Answer`. If the model fails, the text says so and has the verbatim steps.

    As an agent's tool: `chain.pick("answer").as_tool(name=..., description=...)`.

    Args:
        retriever: A `ThreadRetriever`, also inside `with_config`, `bind` and similar, or another retriever that returns
            the splitter's documents.
        llm: A chat model, or one per role (query generator, selector, generator).
        memory: Selects what the models see of this conversation and earlier ones, instead of the newest messages.
        prompts: Your own prompts instead of the package's: `follow_up`, `select`, `answer`, `rationale`.

    Raises:
        TypeError: It is not a LangChain retriever, or a memory is given without a `ThreadRetriever`.
        ValueError: There is no prompt with that name.
    """
    if not isinstance(retriever, Runnable):
        raise TypeError(
            f"found {kind_of(retriever)}, expected a LangChain retriever; make one with"
            f" {full_name(ThreadRetriever)}(vectorstore=...)"
        )
    embedding = thread_retriever_in(retriever)
    if memory is not None and embedding is None:
        raise TypeError(
            "a memory needs the embedding of a ThreadRetriever, found"
            f" {kind_of(retriever)}; pass a ThreadRetriever, or no memory"
        )
    if llm is not None:
        speaking = _Speaking(retriever, embedding, to_access(llm), memory, to_prompts(prompts))
        return _typed(RunnableGenerator(speaking.stream, speaking.astream, name=_NAME))

    unspoken = _Unspoken(retriever)
    finding = RunnableLambda(unspoken.find, unspoken.afind, name="find_units")
    return _typed(RunnableSequence(finding, RunnableGenerator(_speak, _aspeak, name="answer"), name=_NAME))


def _typed(chain: Runnable[Inputs, Inputs]) -> Runnable[Inputs, Inputs]:
    """The chain with the schema of what it takes, which LangChain cannot tell from its functions."""
    return chain.with_types(input_type=cast(type[Inputs], HowToQuestion))


class _Found(NamedTuple):
    """What was looked for, and what there is to answer from."""

    question: str
    documents: list[Document]


@dataclass(frozen=True, slots=True)
class _Unspoken:
    """The chain without a model; no function within another, which could not go to another process."""

    retriever: Retriever

    def find(self, inputs: Inputs) -> _Found:
        asked, history = _read(inputs)
        question = standalone(asked, to_messages(history))
        found = hearing(self.retriever, history).invoke(question)
        return _Found(question, _admitted(found, question, history))

    async def afind(self, inputs: Inputs) -> _Found:
        asked, history = _read(inputs)
        question = standalone(asked, to_messages(history))
        found = await hearing(self.retriever, history).ainvoke(question)
        return _Found(question, _admitted(found, question, history))


@dataclass(frozen=True, slots=True)
class _Search:
    """What the retriever gives for some words -> list[Document]."""

    words: str


@dataclass(frozen=True, slots=True)
class _Speaking:
    """The chain with a model: the plan of an answer, its requests answered by the retriever and the models."""

    retriever: Retriever
    embedding: ThreadRetriever | None
    models: ModelAccess
    memory: StepMemory | None
    prompts: Mapping[str, Prompt]

    def stream(self, given: Iterator[Inputs]) -> Iterator[Inputs]:
        for inputs in given:
            question, history = _read(inputs)
            retriever = hearing(self.retriever, history)

            def find(request: _Search | Embed, retriever: Retriever = retriever) -> Any:
                if isinstance(request, Embed):
                    return self._embed(request)
                return retriever.invoke(request.words)

            yield from map(_told, self.models.tell(self._plan(question, history), find))

    async def astream(self, given: AsyncIterator[Inputs]) -> AsyncIterator[Inputs]:
        async for inputs in given:
            question, history = _read(inputs)
            retriever = hearing(self.retriever, history)

            async def find(request: _Search | Embed, retriever: Retriever = retriever) -> Any:
                if isinstance(request, Embed):
                    return await in_a_thread(self._embed, request)
                return await retriever.ainvoke(request.words)

            async for piece in self.models.atell(self._plan(question, history), find):
                yield _told(piece)

    def _embed(self, request: Embed) -> Any:
        """What a memory compares; it comes with a `ThreadRetriever` alone."""
        return cast(ThreadRetriever, self.embedding).library.answer(request)

    def _plan(self, question: str, history: Sequence[MessageLikeRepresentation]) -> Plan[tuple[Answer, list[Document]]]:
        found: dict[str, Document] = {}

        def find(words: str) -> Plan[list[LogicUnit]]:
            documents: list[Document] = yield _Search(words)
            units = [document for document in _admitted(documents, words, history) if is_unit(document)]
            found.update((to_unit(document).id, document) for document in units)
            return list(map(to_unit, units))

        given = yield from answer_question(
            question, history=to_messages(history), find=find, memory=self.memory, prompts=self.prompts
        )
        return given, [found[unit_id] for unit_id in given.unit_ids]


def _told(piece: str | tuple[Answer, list[Document]]) -> Inputs:
    """A piece of the text, or what else there is to the answer."""
    if isinstance(piece, str):
        return AddableDict(answer=piece)
    given, documents = piece
    return AddableDict(context=documents, **given.model_dump(mode="json", exclude={"text"}))


def _read(inputs: Inputs) -> tuple[str, Sequence[MessageLikeRepresentation]]:
    if not isinstance(inputs, dict) or not isinstance(inputs.get("question"), str):
        raise ValueError(f'the chain takes {{"question": "...", "chat_history": [...]}}, got {inputs!r}')
    return inputs["question"], inputs.get("chat_history") or ()


def _admitted(
    documents: Sequence[Document], question: str, history: Sequence[MessageLikeRepresentation]
) -> list[Document]:
    return list(PrerequisiteFilter(history=history).compress_documents(_once(documents), question))


def _once(documents: Sequence[Document]) -> list[Document]:
    """Each unit where it comes first: of retrievers that were merged, two may have found it."""
    first: dict[str | int, Document] = {}
    for number, document in enumerate(documents):
        first.setdefault(document.metadata.get(layout.PLACE) or document.id or number, document)
    return list(first.values())


def _speak(found: Iterator[_Found]) -> Iterator[Inputs]:
    for one in found:
        yield from _pieces(one)


async def _aspeak(found: AsyncIterator[_Found]) -> AsyncIterator[Inputs]:
    async for one in found:
        for piece in _pieces(one):
            yield piece


def _pieces(found: _Found) -> Iterator[Inputs]:
    """What adds up to the output; the pieces of the text that are no steps come last, then the instructions."""
    yield AddableDict(question=found.question, context=found.documents, steps=[], answer="")
    units = [to_unit(document) for document in found.documents if is_unit(document)]
    whole = answer(units, question=found.question)
    for text, step in zip_longest(render(whole.steps, whole.outcomes, whole.terms), whole.steps):
        yield AddableDict(answer=text, steps=[step.model_dump(mode="json")] if step else [])
    yield AddableDict(answer="", steps=[], instructions=[one.model_dump(mode="json") for one in whole.instructions])
