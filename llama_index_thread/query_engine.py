"""A whole procedure as one response."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Self

from llama_index.core import Settings
from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.base.response.schema import Response
from llama_index.core.callbacks import CallbackManager, CBEventType, EventPayload
from llama_index.core.callbacks.base import EventContext
from llama_index.core.prompts.mixin import PromptMixinType
from llama_index.core.schema import NodeWithScore, QueryBundle

from llama_index_thread.convert import from_node, is_unit
from llama_index_thread.prerequisites import PrerequisitePostprocessor
from thread_core.answering import answer
from thread_core.prerequisites import Policy


class ThreadQueryEngine(BaseQueryEngine):
    """Answers with the steps in order, each with its citation, then the open outcomes; no model is asked.

    `response.metadata` holds the `steps` and `outcomes` as JSON values. Where nothing fits, the response says so.

    Example:
        engine = ThreadQueryEngine(ThreadRetriever(index, embed_model=embed_model))
        print(engine.query("The disk of a node is full, what do I do?"))
    """

    def __init__(
        self,
        retriever: BaseRetriever,
        *,
        prerequisites: PrerequisitePostprocessor | None = None,
        callback_manager: CallbackManager | None = None,
    ) -> None:
        """Answer from what a retriever finds.

        Args:
            retriever: A `ThreadRetriever`, or any other over a store of logic units.
            prerequisites: The gate between retriever and answer; without it, one that knows the question alone
                (and the history of a `ThreadQuery`).
            callback_manager: As in any engine.
        """
        super().__init__(callback_manager=callback_manager)
        self._retriever = retriever
        self._prerequisites = prerequisites or PrerequisitePostprocessor()

    @classmethod
    def from_defaults(
        cls,
        retriever: BaseRetriever,
        facts: Sequence[str] = (),
        policy: Policy = Policy.ASK,
        callback_manager: CallbackManager | None = None,
    ) -> Self:
        """An engine that knows some facts about the person's surroundings; see `PrerequisitePostprocessor`."""
        return cls(
            retriever,
            prerequisites=PrerequisitePostprocessor(facts=facts, policy=policy),
            callback_manager=callback_manager or Settings.callback_manager,
        )

    def retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        """The units that the answer is made of: what was found, without what does not apply."""
        found = self._retriever.retrieve(query_bundle)
        return _units_only(self._prerequisites.postprocess_nodes(found, query_bundle))

    async def aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        """`retrieve`, for callers with an event loop."""
        found = await self._retriever.aretrieve(query_bundle)
        return _units_only(await self._prerequisites.apostprocess_nodes(found, query_bundle))

    def _query(self, query_bundle: QueryBundle) -> Response:
        with self._query_event(query_bundle) as event:
            response = _respond(self.retrieve(query_bundle))
            event.on_end(payload={EventPayload.RESPONSE: response})
        return response

    async def _aquery(self, query_bundle: QueryBundle) -> Response:
        with self._query_event(query_bundle) as event:
            response = _respond(await self.aretrieve(query_bundle))
            event.on_end(payload={EventPayload.RESPONSE: response})
        return response

    def _query_event(self, query: QueryBundle) -> AbstractContextManager[EventContext]:
        return self.callback_manager.event(CBEventType.QUERY, payload={EventPayload.QUERY_STR: query.query_str})

    def _get_prompt_modules(self) -> PromptMixinType:
        return {}


def _units_only(found: list[NodeWithScore]) -> list[NodeWithScore]:
    return [one for one in found if is_unit(one.node)]


def _respond(found: list[NodeWithScore]) -> Response:
    given = answer([from_node(one.node) for one in found])
    metadata = given.model_dump(mode="json", include={"steps", "outcomes"})
    return Response(response=given.text, source_nodes=found, metadata=metadata)
