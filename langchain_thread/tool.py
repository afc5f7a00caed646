"""A walk as a tool of an agent: a call gives a step. The session lives in the agent's own thread."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Annotated, Any, NamedTuple

from langchain_core.tools import BaseTool, StructuredTool, ToolException
from langgraph.types import interrupt
from pydantic import AfterValidator, StrictInt

from langchain_thread.calls import Call, Runtime
from langchain_thread.graph import Reply, check_checkpointer, check_turn
from langchain_thread.keeping import KeptWalk
from langchain_thread.memory import StoredStepMemory, noting, steps_of
from langchain_thread.models import Models, to_access
from langchain_thread.prompts import Templates
from langchain_thread.retriever import ThreadRetriever
from langchain_thread.session import HowToSession
from thread_core.errors import AnsweredAlready, IllegalStep
from thread_core.plan import Plan, arun, run
from thread_core.retrieval.prerequisites import Policy
from thread_core.walk import agents
from thread_core.walk.execution import Executor
from thread_core.walk.journal import Journal
from thread_core.walk.memory import StepMemory
from thread_core.walk.rendering import Turn
from thread_core.walk.state import Asked, SessionState, loaded

_APPROVAL = 'Only the person can approve this: call again with the outcome "ask", and they are asked.'

KEPT = "kept"
"""In an artifact's session: under which id the thread keeps the whole of it."""
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

    A call's message has the step as its content, and as its artifact, which no model sees, {"session", "turn"}. The
    agent's checkpointer keeps the walk beside the messages: it goes on in later turns of the agent, in other processes,
    and when messages are summed up or trimmed. A run that names a checkpoint of the history is a fork with a walk of
    its own. Without a checkpointer the artifact holds the whole session, and the walk lives as long as its messages.
    What cannot be done is told to the model, as any tool's error is.

    Where an executor wants an approval, the agent pauses, and `Command(resume="Run it")`, or other words, is the
    person's answer: the model cannot give it.

    Where `llm` is given, the agent has a `store`, and its config or its context names a `user_id`, what that person
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
    noted = journal or Journal()
    HowToSession(retriever, models, executor, journal=journal, prompts=prompts)  # what is wrong with them is said now

    def kept(runtime: Runtime | None) -> StoredStepMemory | None:
        if runtime is None or models is None or memory is not None:
            return None
        return steps_of(runtime.store, runtime.config, runtime.context)

    def step(question: str, outcome: str, runtime: Runtime | None) -> Plan[tuple[str, dict[str, Any]]]:
        if bool(question) == bool(outcome):
            raise ToolException(agents.EITHER)
        call = Call.of(runtime, name)
        walk = yield from _walk(call)
        answer, above = outcome, ""
        if question:
            former = _former(walk, retriever)
            if (yield _Do(partial(former.is_answer, question), partial(former.ais_answer, question))):
                answer = question
            else:
                above = agents.leaving(former.state, question)
        state, said = _heard(answer, call, walk) if answer else (SessionState(id=call.name, policy=policy), question)
        steps = kept(runtime)
        recalled = memory if steps is None else (yield _Do(partial(steps.load, state), partial(steps.aload, state)))
        mine = noting(noted, runtime.config, runtime.context) if runtime else noted
        session = HowToSession.resume(
            state, retriever, models, executor, journal=mine, memory=recalled, prompts=prompts
        )
        try:
            if answer:
                shown = yield _Do(partial(session.respond, said), partial(session.arespond, said))
            else:
                shown = yield _Do(partial(session.start, said), partial(session.astart, said))
        except IllegalStep as error:
            raise ToolException(str(error)) from error
        except AnsweredAlready as error:
            # What counts is gone on with, so that nobody's thread stands where it cannot go on.
            if error.answer is None:
                raise
            above = agents.FIRST.format(error.answer)
            shown = yield _Do(partial(session.respond, error.answer), partial(session.arespond, error.answer))
        if steps:
            yield _Do(partial(steps.keep, session.state), partial(steps.akeep, session.state))
        return (yield from _message(shown, session, above, call.kept))

    def howto(
        question: agents.Question = "", outcome: agents.Outcome = "", runtime: Runtime = _NONE
    ) -> tuple[str, dict[str, Any]]:
        return run(step(question, outcome, runtime), _now)

    async def ahowto(
        question: agents.Question = "", outcome: agents.Outcome = "", runtime: Runtime = _NONE
    ) -> tuple[str, dict[str, Any]]:
        return await arun(step(question, outcome, runtime), _later)

    return StructuredTool.from_function(
        howto,
        ahowto,
        name=name,
        description=description,
        response_format="content_and_artifact",
        handle_tool_error=True,
    )


class _Do(NamedTuple):
    """What is done without an event loop, and with one."""

    now: Callable[[], Any]
    later: Callable[[], Awaitable[Any]]


def _now(do: _Do) -> Any:
    return do.now()


async def _later(do: _Do) -> Any:
    return await do.later()


def _walk(call: Call) -> Plan[dict[str, Any] | None]:
    """The walk as the thread has it, with its turn; None where there is none."""
    walk = call.last()
    at = walk["session"].get(KEPT) if walk else None
    if call.kept and (at or not walk):
        found: dict[str, Any] | None = yield _Do(partial(call.kept.load, at), partial(call.kept.aload, at))
        return found
    return None if at else walk  # with an id, its thread is kept elsewhere


def _former(walk: dict[str, Any] | None, retriever: ThreadRetriever) -> HowToSession:
    """The walk to which a question may belong; one that has not begun, where none can be gone on with."""
    session = HowToSession(retriever)
    with suppress(ValueError):
        return session.resumed(loaded(walk["session"])) if walk else session
    return session


def _heard(outcome: str, call: Call, walk: dict[str, Any] | None) -> tuple[SessionState, str]:
    """The session as the thread has it, and what is said to it: by the model, or the person.

    A model allows nothing to be run: the person is asked, and LangGraph pauses for them. One call asks once.
    """
    if walk is None:
        raise ToolException(agents.NO_WALK)
    try:
        state = loaded(walk["session"])
    except ValueError as error:
        raise ToolException(str(error)) from error
    if call.forks:
        state = state.replace(id=f"{state.root}/{call.name}")
    if not state.asks(Asked.APPROVAL):
        return state, outcome
    check_checkpointer()
    asked = walk["turn"] | {"number": state.turn, "session": state.root}
    return state, interrupt(asked, response_schema=_answer_to(state))


def _answer_to(state: SessionState) -> Any:
    """What the person may answer, as to a graph's pause; anything else leaves the pause as it was."""

    def said(given: str | int | Reply) -> str:
        reply = given if isinstance(given, Reply) else Reply(answer=given)
        check_turn(state, reply)
        return str(reply.answer)

    return Annotated[str | StrictInt | Reply, AfterValidator(said)]


def _message(shown: Turn, session: HowToSession, above: str, kept: KeptWalk | None) -> Plan[tuple[str, dict[str, Any]]]:
    """What the model reads, and the artifact; above it, that another answer was first, or another walk was left."""
    content = agents.told(shown, _APPROVAL if session.state.asks(Asked.APPROVAL) else "")
    content = f"{above}\n\n{content}" if above else content
    turn, number = shown.model_dump(mode="json"), session.state.turn
    walk = {"session": session.state.model_dump(mode="json"), "turn": turn}
    if kept is None:
        return content, walk
    at = yield _Do(partial(kept.keep, walk, number), partial(kept.akeep, walk, number))
    return content, {"session": {"id": session.state.root, "turn": number, KEPT: at}, "turn": turn}
