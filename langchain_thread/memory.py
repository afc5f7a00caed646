"""What a person's walks were, kept in a LangGraph store, so that later threads recall it."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from langchain_core.runnables import RunnableConfig
from langgraph.store.base import BaseStore, Item, PutOp
from pydantic import ValidationError

from thread_core.walk.journal import Journal
from thread_core.walk.memory import RECALLED, Snippet, StepMemory, snippets_of, walk_of
from thread_core.walk.state import SessionState

NAMESPACE = "thread_steps"
"""The first label of what is kept; the second is the person."""
USER = "user_id"
"""What the config of a run, or its context, calls the person."""
CONVERSATIONS = 50
"""The newest ones, which are recalled from; others are kept no longer."""
PAGE = 100
"""Conversations that are read at once."""

_logger = logging.getLogger(__name__)


class StoredStepMemory:
    """Keeps the steps of one person's walks in a LangGraph store, one item per walk. Other people's are never read.

    Steps are matched as in `StepMemory`, so the store needs no vector index. The newest 50 walks are kept.

    Example:
        steps = StoredStepMemory(InMemoryStore(), user_id="ann@example.com")
        session = HowToSession(retriever, llm, memory=steps.load())
        session.start("The disk of a node is full, what do I do?")
        steps.keep(session.state)  # after each turn; in a node of a graph: `await steps.akeep(state)`
    """

    def __init__(self, store: BaseStore, user_id: str, *, k: int = RECALLED) -> None:
        """Remember what one person did.

        Args:
            store: In a node of a graph, `runtime.store`.
            user_id: The person; any text that names nobody else.
            k: How many steps are recalled of the ongoing conversation, and of earlier ones.

        Raises:
            ValueError: `user_id` is empty.
        """
        if not user_id:
            raise ValueError("user_id is empty; pass something that identifies this person")
        self._store = store
        self._k = k
        self._namespace = (NAMESPACE, quote(user_id, safe="").replace(".", "%2E"))  # a label holds no period

    def load(self, besides: SessionState | None = None) -> StepMemory:
        """What the person did up to now, besides a walk. Walks that are too old to be recalled ever again go."""
        items: list[Item] = []
        while page := self._store.search(self._namespace, limit=PAGE, offset=len(items)):
            items += page
        newest, forgotten = self._newest(items, besides)
        if forgotten:
            self._store.batch(forgotten)
        return self._memory(newest)

    async def aload(self, besides: SessionState | None = None) -> StepMemory:
        """`load`, for callers with an event loop."""
        items: list[Item] = []
        while page := await self._store.asearch(self._namespace, limit=PAGE, offset=len(items)):
            items += page
        newest, forgotten = self._newest(items, besides)
        if forgotten:
            await self._store.abatch(forgotten)
        return self._memory(newest)

    def keep(self, state: SessionState) -> None:
        """Keep the steps of a walk, in the place of what was kept of it before."""
        self._store.put(self._namespace, walk_of(state), _value(state), index=False)

    async def akeep(self, state: SessionState) -> None:
        """`keep`, for callers with an event loop."""
        await self._store.aput(self._namespace, walk_of(state), _value(state), index=False)

    def _newest(self, items: Sequence[Item], besides: SessionState | None) -> tuple[list[Item], list[PutOp]]:
        """The person's walks to recall from, the newest last; and what deletes those that are older."""
        theirs = walk_of(besides) if besides else None
        kept = (item for item in items if item.namespace == self._namespace and item.key != theirs)
        mine = sorted(kept, key=lambda item: item.updated_at)
        return mine[-CONVERSATIONS:], [PutOp(one.namespace, one.key, None) for one in mine[:-CONVERSATIONS]]

    def _memory(self, items: Sequence[Item]) -> StepMemory:
        return StepMemory([one for item in items for one in _snippets(item)], k=self._k)


def steps_of(store: BaseStore | None, config: RunnableConfig, context: Any = None) -> StoredStepMemory | None:
    """The steps of the person whom a run names; None where it names nobody, or there is no store."""
    user_id = user_of(config, context)
    return None if store is None or not user_id else StoredStepMemory(store, user_id)


def user_of(config: RunnableConfig, context: Any = None) -> str:
    """The person whom a run's config names, or else its context; empty where neither does."""
    named = config.get("configurable", {}).get(USER)
    if named in (None, ""):
        named = context.get(USER) if isinstance(context, Mapping) else getattr(context, USER, None)
    return "" if named is None else str(named)


def noting(journal: Journal, config: RunnableConfig, context: Any = None) -> Journal:
    """A journal that says in each line who moves the walk, and in whose thread, as a run names them."""
    named = config.get("configurable", {})
    about = {"thread_id": named["thread_id"]} if "thread_id" in named else None
    return journal.noting(by=user_of(config, context), about=about)


def _value(state: SessionState) -> dict[str, Any]:
    return {"steps": [snippet.model_dump(mode="json") for snippet in snippets_of(state)]}


def _snippets(item: Item) -> list[Snippet]:
    """What was kept of a walk; nothing where it cannot be read, for a memory is no reason to stop."""
    try:
        return [Snippet.model_validate(one) for one in item.value["steps"]]
    except (KeyError, TypeError, ValidationError) as error:
        _logger.warning("skipped the steps of walk %s: %s", item.key, error)
        return []
