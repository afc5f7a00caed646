"""A walk as a chat engine: each message is an answer to what was shown before it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, NoReturn, Self

from llama_index.core import Settings
from llama_index.core.base.llms.types import ChatMessage, ChatResponse, MessageRole
from llama_index.core.callbacks import CallbackManager, trace_method
from llama_index.core.chat_engine.types import AgentChatResponse, BaseChatEngine, StreamingAgentChatResponse
from llama_index.core.memory import BaseMemory, ChatMemoryBuffer
from llama_index.core.schema import NodeWithScore

from llama_index_thread.convert import to_retrieved
from llama_index_thread.models import Models
from llama_index_thread.prompts import Templates
from llama_index_thread.retriever import ThreadRetriever, library_of
from llama_index_thread.session import HowToSession
from thread_core.errors import IllegalStep
from thread_core.plan import in_a_thread
from thread_core.retrieval.prerequisites import Policy
from thread_core.walk.execution import Executor
from thread_core.walk.journal import Journal
from thread_core.walk.memory import StepMemory
from thread_core.walk.rendering import Turn
from thread_core.walk.reply import parse
from thread_core.walk.state import SessionState
from thread_core.walk.states import ENDED, Event, Status

SESSION = "thread_session"
"""Under which a reply's message keeps where the walk stood, as JSON, in its `additional_kwargs`."""


@dataclass
class ThreadStreamingResponse(StreamingAgentChatResponse):
    """A reply in pieces. It is complete, and in the memory, before the first piece is read."""

    metadata: dict[str, Any] = field(default_factory=dict)
    """As of `AgentChatResponse`."""


class ThreadChatEngine(BaseChatEngine):
    """Walks a person through a guide in a chat, one step per reply, with or without a model.

    The first message starts a walk, and each other one answers what was shown: an option's number, its words, "done",
    what they see, "back", "skip", "why?", "start over". After the end, a message that ends with a question mark starts
    another walk, and any other message reopens it. After `reset`, the next message starts again.

    The replies in the memory contain the state of the walk. A memory that outlives the process, or a `chat_history`
    that you pass, therefore continues the walk; if it has no reply of this engine, a walk starts. If you cut the
    history, the walk continues from there.

    Use one engine per conversation, one message at a time. A stateless server can make one per request, which costs
    almost nothing, and keep its `chat_history` for the next one; they share the retriever.

    Example:
        engine = ThreadChatEngine(retriever)
        print(engine.chat("The disk of a node is full, what do I do?"))
        print(engine.chat("the journal is larger than 2 GB").metadata["options"])
    """

    def __init__(
        self,
        retriever: ThreadRetriever,
        llm: Models | None = None,
        executor: Executor | None = None,
        *,
        memory: BaseMemory | None = None,
        steps: StepMemory | None = None,
        journal: Journal | None = None,
        policy: Policy = Policy.ASK,
        prompts: Templates | None = None,
        callback_manager: CallbackManager | None = None,
    ) -> None:
        """Chat over a retriever's store.

        Args:
            retriever: Its library is shared.
            llm: As in `HowToSession`.
            executor: As in `HowToSession`.
            memory: Of the conversation; one in this process when None, and without a database to be closed.
            steps: `HowToSession`'s memory: tells the models the steps that matter.
            journal: As in `HowToSession`.
            policy: As in `HowToSession`.
            prompts: As in `HowToSession`.
            callback_manager: As in any engine.

        Raises:
            TypeError: the retriever is no `ThreadRetriever`.
            ValueError: there is no prompt of such a name.
        """
        self._library = library_of(retriever)
        self._fresh: Callable[[], HowToSession] = lambda: HowToSession(
            retriever, llm, executor, journal=journal, memory=steps, policy=policy, prompts=prompts
        )
        self._resumed: Callable[[str], HowToSession] = lambda state: HowToSession.resume(
            state, retriever, llm, executor, journal=journal, memory=steps, prompts=prompts
        )
        self._fresh()  # finds a prompt of a wrong name now
        self._session: HowToSession | None = None
        self._is_replying = Lock()
        self._memory = memory or ChatMemoryBuffer.from_defaults()
        self.callback_manager = callback_manager or CallbackManager([])

    @classmethod
    def from_defaults(
        cls,
        retriever: ThreadRetriever,
        llm: Models | None = None,
        executor: Executor | None = None,
        chat_history: list[ChatMessage] | None = None,
        memory: BaseMemory | None = None,
        steps: StepMemory | None = None,
        journal: Journal | None = None,
        policy: Policy = Policy.ASK,
        prompts: Templates | None = None,
        callback_manager: CallbackManager | None = None,
    ) -> Self:
        """An engine with a conversation before it, if any. Without `llm` there is no model, whatever `Settings` say."""
        return cls(
            retriever,
            llm,
            executor,
            memory=memory or ChatMemoryBuffer.from_defaults(chat_history=chat_history),
            steps=steps,
            journal=journal,
            policy=policy,
            prompts=prompts,
            callback_manager=callback_manager or Settings.callback_manager,
        )

    @classmethod
    def resume(
        cls,
        state: SessionState | str,
        retriever: ThreadRetriever,
        llm: Models | None = None,
        executor: Executor | None = None,
        *,
        memory: BaseMemory | None = None,
        steps: StepMemory | None = None,
        journal: Journal | None = None,
        prompts: Templates | None = None,
        callback_manager: CallbackManager | None = None,
    ) -> Self:
        """Go on where a walk stood, whatever the memory says: `state` is an engine's or a session's, or its JSON.

        Raises:
            ValueError: it is not the state of a session, or one of another version.
        """
        engine = cls(
            retriever,
            llm,
            executor,
            memory=memory,
            steps=steps,
            journal=journal,
            prompts=prompts,
            callback_manager=callback_manager,
        )
        engine._session = engine._resumed(state if isinstance(state, str) else state.model_dump_json())
        return engine

    def __reduce__(self) -> NoReturn:
        """Stay in this process.

        Raises:
            TypeError: it is to be pickled, or copied.
        """
        raise TypeError(
            "an engine cannot be pickled or copied; send engine.state.model_dump_json(), and continue with"
            " ThreadChatEngine.resume(state, retriever)"
        )

    @property
    def state(self) -> SessionState:
        """Where the walk stands: JSON both ways."""
        return self._current().state

    @property
    def chat_history(self) -> list[ChatMessage]:
        """The conversation so far."""
        return self._memory.get_all()

    def reset(self) -> None:
        """Forget the conversation: the next message begins a walk."""
        self._memory.reset()
        self._session = self._fresh()

    @trace_method("chat")
    def chat(self, message: str, chat_history: list[ChatMessage] | None = None) -> AgentChatResponse:
        """Answer a message; with a history, as the next one of that conversation.

        Raises:
            AnsweredAlready: this turn has another answer; nothing was remembered.
            IllegalStep: the engine is at another message; nothing was remembered.
            ValueError: the history holds a walk of another version.
        """
        shown, nodes = self._reply(message, chat_history)
        return AgentChatResponse(response=str(shown), source_nodes=nodes, metadata=_metadata(shown))

    @trace_method("chat")
    def stream_chat(self, message: str, chat_history: list[ChatMessage] | None = None) -> ThreadStreamingResponse:
        """`chat`, line by line: a walk shows what documents say, which is there at once."""
        return _streamed(*self._reply(message, chat_history))

    @trace_method("chat")
    async def achat(self, message: str, chat_history: list[ChatMessage] | None = None) -> AgentChatResponse:
        """`chat`, for callers with an event loop."""
        shown, nodes = await self._areply(message, chat_history)
        return AgentChatResponse(response=str(shown), source_nodes=nodes, metadata=_metadata(shown))

    @trace_method("chat")
    async def astream_chat(
        self, message: str, chat_history: list[ChatMessage] | None = None
    ) -> ThreadStreamingResponse:
        """`stream_chat`, for callers with an event loop."""
        return _streamed(*await self._areply(message, chat_history))

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if not self._is_replying.acquire(blocking=False):
            advice = "wait for its reply, or use one engine per conversation"
            raise IllegalStep("answer", "at another message", advice)
        try:
            yield
        finally:
            self._is_replying.release()

    def _reply(self, message: str, chat_history: list[ChatMessage] | None) -> tuple[Turn, list[NodeWithScore]]:
        with self._alone():
            return self._replied(message, chat_history)

    async def _areply(self, message: str, chat_history: list[ChatMessage] | None) -> tuple[Turn, list[NodeWithScore]]:
        with self._alone():
            return await self._areplied(message, chat_history)

    def _replied(self, message: str, chat_history: list[ChatMessage] | None) -> tuple[Turn, list[NodeWithScore]]:
        if chat_history is not None:
            self._memory.set(list(chat_history))
            self._session = None
        session = self._current()
        shown = session.start(message) if _begins(message, session.state) else session.respond(message)
        for said in _exchange(message, shown, session.state):
            self._memory.put(said)
        return shown, self._nodes(shown)

    async def _areplied(self, message: str, chat_history: list[ChatMessage] | None) -> tuple[Turn, list[NodeWithScore]]:
        if chat_history is not None:
            await self._memory.aset(list(chat_history))
            self._session = None
        session = self._session = self._session or self._opened(await self._memory.aget_all())
        begins = _begins(message, session.state)
        shown = await (session.astart(message) if begins else session.arespond(message))
        for said in _exchange(message, shown, session.state):
            await self._memory.aput(said)
        return shown, await in_a_thread(self._nodes, shown)

    def _current(self) -> HowToSession:
        self._session = self._session or self._opened(self._memory.get_all())
        return self._session

    def _opened(self, history: Sequence[ChatMessage]) -> HowToSession:
        """The walk as the last reply of ours in a history left it, else a new one."""
        for message in reversed(history):
            if SESSION in message.additional_kwargs:
                return self._resumed(message.additional_kwargs[SESSION])
        return self._fresh()

    def _nodes(self, shown: Turn) -> list[NodeWithScore]:
        return [NodeWithScore(node=to_retrieved(unit)) for unit in self._library.store.get(shown.unit_ids)]


def _begins(message: str, state: SessionState) -> bool:
    """Whether a message is the question of a new walk."""
    asks = parse(message).event is Event.ASK
    return state.status is Status.NEW or (asks and state.status in (*ENDED, Status.UNKNOWN))


def _exchange(message: str, shown: Turn, state: SessionState) -> Iterator[ChatMessage]:
    yield ChatMessage(message, role=MessageRole.USER)
    kept = {SESSION: state.model_dump_json()}
    yield ChatMessage(str(shown), role=MessageRole.ASSISTANT, additional_kwargs=kept)


def _metadata(shown: Turn) -> dict[str, Any]:
    return shown.model_dump(mode="json", exclude={"text"})


def _streamed(shown: Turn, nodes: list[NodeWithScore]) -> ThreadStreamingResponse:
    text = str(shown)

    async def apieces() -> AsyncGenerator[ChatResponse, None]:
        for piece in _pieces(text):
            yield piece

    return ThreadStreamingResponse(
        response=text,
        source_nodes=nodes,
        metadata=_metadata(shown),
        chat_stream=_pieces(text),
        achat_stream=apieces(),
        is_function=False,
        is_writing_to_memory=False,  # the memory has it already, read or not
    )


def _pieces(text: str) -> Generator[ChatResponse, None, None]:
    said = ""
    for line in text.splitlines(keepends=True):
        said += line
        yield ChatResponse(message=ChatMessage(said, role=MessageRole.ASSISTANT), delta=line)
