"""A whole procedure as one response."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, aclosing, closing
from dataclasses import dataclass, replace
from typing import Any, cast

from llama_index.core import Settings
from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.base.response.schema import AsyncStreamingResponse, Response, StreamingResponse
from llama_index.core.callbacks import CallbackManager, CBEventType, EventPayload
from llama_index.core.callbacks.base import EventContext
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.prompts import BasePromptTemplate
from llama_index.core.prompts.mixin import PromptDictType, PromptMixinType
from llama_index.core.schema import NodeWithScore, QueryBundle

from llama_index_thread.convert import from_node, is_unit, to_messages
from llama_index_thread.models import Models, to_access
from llama_index_thread.prerequisites import PrerequisitePostprocessor, ThreadQuery
from llama_index_thread.prompts import default_prompts, to_prompts
from llama_index_thread.retriever import ThreadRetriever
from thread_core import LogicUnit
from thread_core.answering.answer import Answer, answer, answer_question, render
from thread_core.answering.followup import standalone
from thread_core.errors import full_name, kind_of
from thread_core.llm.access import ModelAccess
from thread_core.llm.asking import Say
from thread_core.plan import Plan, in_a_thread
from thread_core.store.requests import Embed
from thread_core.walk.memory import StepMemory

PROMPTS = ("follow_up", "select", "answer")
"""What the engine asks a model with."""
RATIONALE = "rationale"
"""What a memory asks one with."""


@dataclass(frozen=True, slots=True)
class _Search:
    """What the retriever gives for some words, without what does not apply -> list[NodeWithScore]."""

    query: QueryBundle


@dataclass(frozen=True, slots=True)
class _Told:
    """An answer, and the nodes that it is made of."""

    answer: Answer
    nodes: list[NodeWithScore]


class ThreadQueryEngine(BaseQueryEngine):
    """Answers with a whole plan and citations, then the open outcomes, with or without a model.

    Without a model, the steps are verbatim. With one, it chooses units and writes the answer; if it fails, the response
    says so and has the verbatim steps. `response.metadata` has `steps`, `outcomes`, `instructions` (a flat list of what
    to do) and the rest of `thread_core.answering.answer.Answer` as JSON values. A follow-up ("And on Windows?") is
    completed from the history of a `ThreadQuery`; `question` is the completed question. If nothing fits, the response
    says so.

    Example:
        engine = ThreadQueryEngine(ThreadRetriever(index), llm, streaming=True)
        engine.query("The disk of a node is full, what do I do?").print_response_stream()
    """

    def __init__(
        self,
        retriever: BaseRetriever,
        llm: Models | None = None,
        *,
        node_postprocessors: Sequence[BaseNodePostprocessor] = (),
        memory: StepMemory | None = None,
        streaming: bool = False,
        callback_manager: CallbackManager | None = None,
    ) -> None:
        """Answer from what a retriever finds.

        Args:
            retriever: A `ThreadRetriever`, or any other over a store of logic units.
            llm: A model, or one for each role (query generator, selector, generator). `get_prompts` and
                `update_prompts` show and replace what it is asked with.
            node_postprocessors: Rerankers, cutoffs and others, one after the other. They say which units stay; these
                keep the retriever's order, in which they are read. A `PrerequisitePostprocessor` among them knows what
                you tell it; without one, units are judged by the question (and the history of a `ThreadQuery`) first.
            memory: Tells the models what matters of the conversation, and of earlier ones, instead of its newest
                messages.
            streaming: Whether a response comes as it is spoken, or step by step where no model speaks. Its source nodes
                and the steps in its metadata are there at once, the rest of the metadata when it has ended.
            callback_manager: As in any engine; LlamaIndex's `Settings` have the default.

        Raises:
            TypeError: it is no retriever, or no `ThreadRetriever` where a memory is given.
        """
        super().__init__(callback_manager=callback_manager or Settings.callback_manager)
        if not isinstance(retriever, BaseRetriever):
            raise TypeError(
                f"found {kind_of(retriever)}, expected a LlamaIndex retriever; make one with"
                f" {full_name(ThreadRetriever)}(index)"
            )
        if memory is not None and not isinstance(retriever, ThreadRetriever):
            raise TypeError(
                "a memory needs the embedding of a ThreadRetriever, found"
                f" {kind_of(retriever)}; pass a ThreadRetriever, or no memory"
            )
        self._retriever = retriever
        self._models = None if llm is None else to_access(llm)
        gates = [one for one in node_postprocessors if isinstance(one, PrerequisitePostprocessor)]
        self._prerequisites = gates[0] if gates else PrerequisitePostprocessor()
        self._postprocessors = [*node_postprocessors] if gates else [self._prerequisites, *node_postprocessors]
        self._memory = memory
        self._streaming = streaming
        self._templates: dict[str, BasePromptTemplate] = {}

    def retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        """The units that the answer is made of: what was found, without what does not apply."""
        return self._retrieve(_standing_alone(query_bundle))

    async def aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        """`retrieve`, for callers with an event loop."""
        return await self._aretrieve(_standing_alone(query_bundle))

    def _retrieve(self, query: QueryBundle) -> list[NodeWithScore]:
        found = kept = self._retriever.retrieve(query)
        for one in self._postprocessors:
            kept = one.postprocess_nodes(kept, query)
        return _in_order(kept, found)

    async def _aretrieve(self, query: QueryBundle) -> list[NodeWithScore]:
        found = kept = await self._retriever.aretrieve(query)
        for one in self._postprocessors:
            kept = await one.apostprocess_nodes(kept, query)
        return _in_order(kept, found)

    def _query(self, query_bundle: QueryBundle) -> Response | StreamingResponse:
        with self._query_event(query_bundle) as event:
            response: Response | StreamingResponse
            if self._models is None:
                query = _standing_alone(query_bundle)
                told = _unspoken(query.query_str, self._retrieve(query))
                response = _in_pieces(told) if self._streaming else _response(told)
            elif not self._streaming:
                response = _response(self._models.run(self._plan(query_bundle), self._find))
            else:
                response = self._streamed(query_bundle, self._models)
            event.on_end(payload={EventPayload.RESPONSE: response})
        return response

    async def _aquery(self, query_bundle: QueryBundle) -> Response | AsyncStreamingResponse:
        with self._query_event(query_bundle) as event:
            response: Response | AsyncStreamingResponse
            if self._models is None:
                query = _standing_alone(query_bundle)
                told = _unspoken(query.query_str, await self._aretrieve(query))
                response = _ain_pieces(told) if self._streaming else _response(told)
            elif not self._streaming:
                response = _response(await self._models.arun(self._plan(query_bundle), self._afind))
            else:
                response = await self._astreamed(query_bundle, self._models)
            event.on_end(payload={EventPayload.RESPONSE: response})
        return response

    def _streamed(self, query: QueryBundle, models: ModelAccess) -> StreamingResponse:
        announced: list[_Told] = []
        told = models.tell(self._plan(query, announced), self._find)
        next(told)

        def pieces() -> Generator[str, None, None]:
            with closing(told):
                for piece in told:
                    if isinstance(piece, str):
                        yield piece
                    else:
                        response.source_nodes, response.metadata = piece.nodes, _metadata(piece.answer)

        response = StreamingResponse(pieces(), announced[0].nodes, _metadata(announced[0].answer))
        return response

    async def _astreamed(self, query: QueryBundle, models: ModelAccess) -> AsyncStreamingResponse:
        announced: list[_Told] = []
        told = models.atell(self._plan(query, announced), self._afind)
        await anext(told)

        async def pieces() -> AsyncGenerator[str, None]:
            async with aclosing(told):
                async for piece in told:
                    if isinstance(piece, str):
                        yield piece
                    else:
                        response.source_nodes, response.metadata = piece.nodes, _metadata(piece.answer)

        response = AsyncStreamingResponse(pieces(), announced[0].nodes, _metadata(announced[0].answer))
        return response

    def _plan(self, query: QueryBundle, announced: list[_Told] | None = None) -> Plan[_Told]:
        """An answer; what it is made of comes to `announced` first, and an empty piece says so to who streams."""
        found: dict[str, NodeWithScore] = {}

        def of_nodes(given: Answer) -> _Told:
            return _Told(given, [found[unit_id] for unit_id in given.unit_ids])

        def announce(given: Answer) -> Plan[None]:
            if announced is not None:
                announced.append(of_nodes(given))
                yield Say("")

        def find(words: str) -> Plan[list[LogicUnit]]:
            nodes: list[NodeWithScore] = yield _Search(_asking(query, words))
            found.update((one.node.node_id, one) for one in nodes)
            return [from_node(one.node) for one in nodes]

        history = query.history if isinstance(query, ThreadQuery) else ()
        given = yield from answer_question(
            query.query_str,
            history=to_messages(history),
            find=find,
            known=self._prerequisites.known(query),
            memory=self._memory,
            prompts=to_prompts(self._templates),
            announce=announce,
        )
        return of_nodes(given)

    def _find(self, request: _Search | Embed) -> Any:
        return self._embed(request) if isinstance(request, Embed) else self._retrieve(request.query)

    async def _afind(self, request: _Search | Embed) -> Any:
        if isinstance(request, Embed):
            return await in_a_thread(self._embed, request)
        return await self._aretrieve(request.query)

    def _embed(self, request: Embed) -> Any:
        """What a memory compares; it comes with a `ThreadRetriever` alone."""
        return cast(ThreadRetriever, self._retriever).library.answer(request)

    def _query_event(self, query: QueryBundle) -> AbstractContextManager[EventContext]:
        return self.callback_manager.event(CBEventType.QUERY, payload={EventPayload.QUERY_STR: query.query_str})

    def _get_prompts(self) -> PromptDictType:
        if self._models is None:
            return {}
        return default_prompts(PROMPTS if self._memory is None else (*PROMPTS, RATIONALE)) | self._templates

    def _update_prompts(self, prompts_dict: PromptDictType) -> None:
        own = {name: template for name, template in prompts_dict.items() if ":" not in name}
        to_prompts(own)
        self._templates |= own

    def _get_prompt_modules(self) -> PromptMixinType:
        return {}


def _in_order(kept: Sequence[NodeWithScore], found: Sequence[NodeWithScore]) -> list[NodeWithScore]:
    """The units that were kept, as they were found: by similarity step 3 would come before step 1."""
    places = {one.node.node_id: place for place, one in enumerate(found)}
    units = [one for one in kept if is_unit(one.node)]
    return sorted(units, key=lambda one: places.get(one.node.node_id, len(places)))


def _standing_alone(query: QueryBundle) -> QueryBundle:
    """A query with what it leans on in its history."""
    if not isinstance(query, ThreadQuery):
        return query
    return _asking(query, standalone(query.query_str, to_messages(query.history)))


def _asking(query: QueryBundle, words: str) -> QueryBundle:
    """A query that asks for some words; what was embedded for others does not stand for them."""
    if words == query.query_str:
        return query
    return replace(query, query_str=words, embedding=None, custom_embedding_strs=None)


def _unspoken(question: str, found: list[NodeWithScore]) -> _Told:
    return _Told(answer([from_node(one.node) for one in found], question=question), found)


def _response(told: _Told) -> Response:
    return Response(response=told.answer.text, source_nodes=told.nodes, metadata=_metadata(told.answer))


def _in_pieces(told: _Told) -> StreamingResponse:
    def pieces() -> Generator[str, None, None]:
        yield from _rendered(told.answer)

    return StreamingResponse(pieces(), told.nodes, _metadata(told.answer))


def _ain_pieces(told: _Told) -> AsyncStreamingResponse:
    async def pieces() -> AsyncGenerator[str, None]:
        for piece in _rendered(told.answer):
            yield piece

    return AsyncStreamingResponse(pieces(), told.nodes, _metadata(told.answer))


def _rendered(given: Answer) -> Iterator[str]:
    return render(given.steps, given.outcomes, given.terms)


def _metadata(given: Answer) -> dict[str, Any]:
    asked = given.usage.calls > 0
    return (
        given.model_dump(mode="json", exclude={"text"})
        if asked
        else given.model_dump(mode="json", include={"question", "steps", "outcomes", "instructions"})
    )
