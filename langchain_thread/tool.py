"""A walk as a tool of an agent: a call gives a step. The session lives in the agent's own thread of messages."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool, StructuredTool, ToolException
from langgraph.prebuilt import ToolRuntime
from langgraph.types import interrupt
from pydantic import Field

from langchain_thread.graph import check_checkpointer
from langchain_thread.memory import StoredStepMemory, steps_of
from langchain_thread.models import Models, to_access
from langchain_thread.prompts import Templates
from langchain_thread.retriever import ThreadRetriever
from langchain_thread.session import HowToSession
from thread_core.errors import AnsweredAlready, IllegalStep
from thread_core.models import NAMESPACE
from thread_core.retrieval.prerequisites import Policy
from thread_core.walking import agents
from thread_core.walking.execution import Executor
from thread_core.walking.journal import Journal
from thread_core.walking.memory import StepMemory
from thread_core.walking.trail import Asked, SessionState, loaded
from thread_core.walking.turns import Turn

_APPROVAL = 'Whether this may be run is for the person to say: call again with the outcome "ask", and they are asked.'

Question = Annotated[str, Field(description=agents.QUESTION)]
Outcome = Annotated[str, Field(description=agents.OUTCOME)]
Runtime = ToolRuntime[Any, Any]
_NONE: Any = None
"""Outside an agent there is no runtime; an optional one would not be filled in."""


def create_howto_tool(
    retriever: ThreadRetriever,
    llm: Models | None = None,
    executor: Executor | None = None,
    *,
    journal: Journal | None = None,
    memory: StepMemory | None = None,
    policy: Policy = Policy.ASK,
    prompts: Templates | None = None,
    name: str = agents.NAME,
    description: str = agents.DESCRIPTION,
) -> BaseTool:
    """A tool for `create_agent` which gives one step of a procedure a call, with its known outcomes.

    A call's message has the step as its content, and as its artifact, which no model sees, {"session", "turn"}: with a
    checkpointer the walk goes on in later turns of the agent and in other processes, and each fork of the thread has
    its own. Where messages are removed from the thread, keep the tool's last one. What cannot be done is told to the
    model, as any tool's error is. Where an executor wants an approval, the agent pauses, and
    `Command(resume="Run it")`, or other words, is the person's answer: the model cannot give it.

    Where `llm` is given, the agent has a `store`, and its config names a `user_id` beside the thread, what that person
    did in other threads is recalled, and what is done in this one is kept, as in `StoredStepMemory`.

    Args:
        retriever: Its library is shared.
        llm: As in `HowToSession`; it need not be the agent's.
        executor: Carries out steps where it may, before the agent is given one.
        journal: As in `create_howto_graph`.
        memory: As in `create_howto_graph`.
        policy: As in `create_howto_graph`.
        prompts: As in `HowToSession`.
        name: Of the tool. A thread's session is found by it.
        description: What the agent is told of it.

    Raises:
        ValueError: there is no prompt of such a name.

    Example:
        agent = create_agent(model, [create_howto_tool(retriever)], checkpointer=InMemorySaver())
    """
    models = None if llm is None else to_access(llm)
    options: dict[str, Any] = {"journal": journal or Journal(), "prompts": prompts}
    HowToSession(retriever, models, executor, **options)  # what is wrong with the prompts is said now

    def heard(question: str, outcome: str, runtime: Runtime | None) -> tuple[SessionState, str]:
        """Where the session stands, and what is said to it."""
        if bool(question) == bool(outcome):
            raise ToolException(agents.EITHER)
        state, said = (SessionState(policy=policy), question) if question else _heard(outcome, name, runtime)
        return state.but(id=_id(state, runtime)), said

    def opened(state: SessionState, memory: StepMemory | None) -> HowToSession:
        return HowToSession.resume(state, retriever, models, executor, memory=memory, **options)

    def kept(runtime: Runtime | None) -> StoredStepMemory | None:
        if runtime is None or models is None or memory is not None:
            return None
        return steps_of(runtime.store, runtime.config)

    def howto(question: Question = "", outcome: Outcome = "", runtime: Runtime = _NONE) -> tuple[str, dict[str, Any]]:
        state, said = heard(question, outcome, runtime)
        steps = kept(runtime)
        session = opened(state, steps.load(besides=_begun(state)) if steps else memory)
        with _told_to_the_model(IllegalStep, AnsweredAlready):
            shown = session.start(said) if question else session.respond(said)
        if steps:
            steps.keep(_begun(session.state))
        return _message(shown, session)

    async def ahowto(
        question: Question = "", outcome: Outcome = "", runtime: Runtime = _NONE
    ) -> tuple[str, dict[str, Any]]:
        state, said = heard(question, outcome, runtime)
        steps = kept(runtime)
        session = opened(state, await steps.aload(besides=_begun(state)) if steps else memory)
        with _told_to_the_model(IllegalStep, AnsweredAlready):
            shown = await (session.astart(said) if question else session.arespond(said))
        if steps:
            await steps.akeep(_begun(session.state))
        return _message(shown, session)

    return StructuredTool.from_function(
        howto,
        ahowto,
        name=name,
        description=description,
        response_format="content_and_artifact",
        handle_tool_error=True,
    )


def _heard(outcome: str, name: str, runtime: Runtime | None) -> tuple[SessionState, str]:
    """The session as the tool's last message in the thread has it, and what is said to it: by the model, or the person.

    A model allows nothing to be run: the person is asked, and LangGraph pauses for them. One call asks once.
    """
    for message in reversed(runtime.state["messages"] if runtime else []):
        if isinstance(message, ToolMessage) and message.name == name and message.artifact:
            with _told_to_the_model(ValueError):
                state = loaded(message.artifact["session"])
            if not state.asks(Asked.APPROVAL):
                return state, outcome
            check_checkpointer()
            return state, interrupt(message.artifact["turn"], response_schema=str)
    raise ToolException("No procedure is under way in this conversation: give the question first.")


def _id(state: SessionState, runtime: Runtime | None) -> str:
    """The name of the message that began the session, and after it the one of the message that calls.

    A call that is made again after a crash is then the same turn, and does nothing twice; of two calls in one message
    the second is told; and a fork of the thread does not meet the answers of the other branch.
    """
    if runtime is None:
        return state.id
    thread = runtime.config.get("configurable", {}).get("thread_id", "")
    calling = uuid.uuid5(NAMESPACE, f"{thread}/{runtime.state['messages'][-1].id}").hex
    return f"{_begun(state).id}/{calling}" if state.turn else calling


def _begun(state: SessionState) -> SessionState:
    """A session under the name that it began with, which all its calls share."""
    return state.but(id=state.id.partition("/")[0])


@contextmanager
def _told_to_the_model(*errors: type[Exception]) -> Iterator[None]:
    try:
        yield
    except errors as error:
        raise ToolException(str(error)) from error


def _message(shown: Turn, session: HowToSession) -> tuple[str, dict[str, Any]]:
    """What the model reads, and what is kept."""
    content = agents.told(shown, _APPROVAL if session.state.asks(Asked.APPROVAL) else "")
    return content, {"session": session.state.model_dump(mode="json"), "turn": shown.model_dump(mode="json")}
