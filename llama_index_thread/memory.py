"""The steps of a person's walks as a block of LlamaIndex's memory."""

from __future__ import annotations

from typing import Any

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import BaseMemoryBlock
from llama_index.core.utils import get_tokenizer
from pydantic import Field, PrivateAttr

from llama_index_thread.convert import to_messages
from llama_index_thread.models import Models
from llama_index_thread.retriever import ThreadRetriever, library_of
from thread_core.plan import in_a_thread
from thread_core.store.library import Library
from thread_core.walk.memory import (
    RECALLED,
    Recalled,
    Snippet,
    StepMemory,
    render,
    snippets_of,
    snippets_of_talk,
    walk_of,
)
from thread_core.walk.state import SessionState


class StepMemoryBlock(BaseMemoryBlock[str]):
    """Recalls earlier steps in situations like that of the newest message.

    A `Memory` passes nothing to its blocks before its messages exceed the token limit, so call
    `remember(session.state)` after each turn. Messages beyond the limit are remembered too. Use one block per person,
    because anything in it may be recalled.

    `model_dump_json()` has what is remembered. To continue in another process, validate it with a retriever.

    Example:
        steps = StepMemoryBlock(retriever=retriever)
        memory = Memory.from_defaults(session_id="ann", memory_blocks=[steps])
        session.start("The disk of a node is full, what do I do?")
        steps.remember(session.state)
        messages = await memory.aget("It is still full")  # with <memory><steps>...

        saved = json.loads(steps.model_dump_json())
        steps = StepMemoryBlock.model_validate({**saved, "retriever": retriever})
    """

    name: str = Field(default="steps", description="The name of the memory block.")
    description: str | None = "Earlier steps in situations like this one, with their outcomes."
    retriever: ThreadRetriever = Field(exclude=True, description="Compares situations with its embedding.")
    llm: Models | None = Field(
        default=None, exclude=True, description="Explains why the steps followed, in at most one call."
    )
    k: int = Field(
        default=RECALLED, ge=1, description="How many steps to recall from this walk, and from earlier ones."
    )
    state: SessionState | None = Field(default=None, description="The current walk.")
    snippets: list[Snippet] = Field(default_factory=list, description="Earlier walks, oldest first.")

    _memory: StepMemory = PrivateAttr()

    @classmethod
    def class_name(cls) -> str:
        """The class's name, as LlamaIndex's parts have it."""
        return "StepMemoryBlock"

    def model_post_init(self, _context: Any) -> None:
        """Take in what was remembered in another process."""
        self._memory = StepMemory(self.snippets, k=self.k)

    def remember(self, state: SessionState) -> None:
        """Take in where a walk stands; of another walk than before, what that one was is kept."""
        if self.state is not None and walk_of(self.state) != walk_of(state):
            self._keep(snippets_of(self.state))
        self.state = state

    def _keep(self, snippets: tuple[Snippet, ...]) -> None:
        self.snippets = [*self.snippets, *snippets]
        self._memory = StepMemory(self.snippets, k=self.k)

    async def _aput(self, messages: list[ChatMessage]) -> None:
        self._keep(snippets_of_talk(to_messages(messages)))

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        newest = next((one.text for one in reversed(to_messages(messages or [])) if one.role == "user"), "")
        plan = self._memory.recall(self.state, newest) if self.state else self._memory.recall_talk(newest, ())
        library = await in_a_thread(self._library)
        recalled: Recalled = await library.arun(plan)
        return render(recalled.snippets, recalled.walk)

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """The newest of the steps that were recalled, as many as there is room for; None where there is none."""
        steps = content.split("\n\n")
        count = get_tokenizer()
        size = len(count(content)) - tokens_to_truncate
        while steps and len(count("\n\n".join(steps))) > size:
            del steps[0]
        return "\n\n".join(steps) or None

    def _library(self) -> Library:
        return library_of(self.retriever, self.llm)
