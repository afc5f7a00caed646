"""A walk as a LangGraph graph: it pauses for the person, and goes on in any process that has its checkpointer.

    turn ──> ask ──────> turn    the person is asked; the only pause
    turn ──> execute ──> turn    an executor has the step
    turn ──> END                 resolved or escalated

The state is plain data: the session, and what was said or done last. What the person reads is not kept in it. LangGraph
keeps it with the pause; where it is needed again, the documents are read again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, cast

from langchain_core.runnables import RunnableConfig, RunnableLambda
from langgraph.channels import EphemeralValue, UntrackedValue
from langgraph.config import get_config, get_store, get_stream_writer
from langgraph.errors import GraphInterrupt
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, Interrupt, StateSnapshot, interrupt
from pydantic import AfterValidator, BaseModel, ConfigDict, StrictInt
from typing_extensions import TypedDict

from langchain_thread.memory import StoredStepMemory, noting, steps_of
from langchain_thread.models import Models
from langchain_thread.prompts import Templates, to_prompts
from langchain_thread.retriever import ThreadRetriever, library_of
from thread_core.errors import AnsweredAlready, IllegalStep
from thread_core.llm.prompting import Prompt
from thread_core.plan import Plan
from thread_core.ports import Usage
from thread_core.retrieval.prerequisites import Policy
from thread_core.store.library import Library
from thread_core.walk import walk
from thread_core.walk.execution import Executor, ManualExecutor, Outcome, aperform, perform
from thread_core.walk.journal import Journal
from thread_core.walk.memory import StepMemory
from thread_core.walk.rendering import Ran, after_running, refused
from thread_core.walk.reply import parse
from thread_core.walk.session import Claim, hands, note_reached, to_run
from thread_core.walk.state import SessionState, loaded
from thread_core.walk.states import ENDED, READING, Event

VERSION = 1
"""Of the nodes and the state: a thread that another version has paused is not gone on with."""


class HowToInput(TypedDict, total=False):
    """What a graph is invoked with: one of the two. A pause is answered with `Command(resume=...)`."""

    question: Annotated[str, EphemeralValue]
    """Begins a walk; on a thread that has one, it begins a new walk."""
    answer: Annotated[str | int, EphemeralValue]
    """To a walk that has ended: it goes on at its last step."""
    number: Annotated[int, EphemeralValue]
    """Of the turn that is answered: where the walk stands at another one now, that one is shown again."""


class HowToOutput(TypedDict, total=False):
    """What a graph gives, whether it waits or has ended."""

    turn: Annotated[dict[str, Any], UntrackedValue]
    """What the person reads: a `Turn` as plain data."""
    session: dict[str, Any]
    """A `SessionState` as plain data."""


class HowToState(HowToInput, HowToOutput, total=False):
    """What the nodes share."""

    version: int
    """Of the graph that wrote it."""
    heard: Annotated[str, EphemeralValue]
    """The answer to the pause."""
    outcome: Annotated[dict[str, Any], EphemeralValue]
    """What an executor has just seen."""
    ran: list[dict[str, Any]]
    """What executors did since the person spoke, and what they saw."""
    way: str
    """The node that follows: kept, for LangGraph's `update_state` asks for it again."""


class Reply(BaseModel):
    """An answer that says which turn it answers."""

    model_config = ConfigDict(extra="forbid")

    answer: str | StrictInt
    """In any words, or an option's number."""
    number: int | None = None
    """Of the turn that the person has read: an answer to another one is refused."""
    session: str | None = None
    """The session's id, so that an answer that comes late is known as one: LangGraph passes over it in silence."""


HowToGraph = StateGraph[HowToState, None, HowToInput, HowToOutput]
App = CompiledStateGraph[HowToState, None, HowToInput, HowToOutput]


def create_howto_graph(
    retriever: ThreadRetriever,
    llm: Models | None = None,
    executor: Executor | None = None,
    *,
    journal: Journal | None = None,
    memory: StepMemory | None = None,
    policy: Policy = Policy.ASK,
    prompts: Templates | None = None,
) -> HowToGraph:
    """Build a graph that walks a person through a guide and pauses at each step. Compile it with a checkpointer.

    `app.invoke({"question": ...}, config)` returns {"turn", "session"} and, while it waits for the person,
    `__interrupt__`, whose value is the turn with its number. `app.invoke(Command(resume=...), config)` answers with a
    text or {"answer": text, "number": the turn's}. Anything else is refused, and the pause stays. `answering` makes the
    right input, whether the thread is waiting or has ended.

    `stream` and `astream` also give each turn as a `custom` event. They give no `messages`, because models only choose
    and match: the person reads the documents' own text.

    Invoke with `durability="sync"`, so that an answer is saved before anything is done about it. After a crash,
    `app.invoke(None, config)` continues. The journal prevents a command from being started twice, also in a fork of the
    history in which the same step is due in the same turn.

    If there is a model, a `store`, and a `user_id` in the config, the person's steps in other threads are recalled, and
    those in this one are kept, as in `StoredStepMemory`.

    An executor may carry out 20 steps, of two supersteps each, before the person is asked, so use a `recursion_limit`
    of at least 50.

    Args:
        retriever: Its library is shared.
        llm: Reads the guide, interprets reports and names the next step. Without it, no model is used.
        executor: Carries out the steps that it may. Without it, the person carries out all of them.
        journal: Records which turns were answered and what was run; by default, in memory. If several processes share
            the checkpointer, or may be killed, pass `Journal(path)` to each.
        memory: Selects the steps that the models see, instead of the whole history. A store is then not used.
        policy: What to do with a step whose prerequisites are undecided.
        prompts: Your own prompts instead of the package's: `select`, `next`, `rationale`.

    Raises:
        TypeError: The retriever is not a `ThreadRetriever`.
        ValueError: There is no prompt with that name.

    Example:
        app = create_howto_graph(retriever).compile(checkpointer=InMemorySaver())
        config = {"configurable": {"thread_id": "incident-17"}}
        print(app.invoke({"question": "The disk of a node is full, what do I do?"}, config)["turn"]["text"])
        print(app.invoke(answering(app, config, "the journal is larger than 2 GB"), config)["turn"]["text"])
    """
    library = library_of(retriever, llm)
    recalls = llm is not None and memory is None
    nodes = _Nodes(library, *hands(executor, journal), memory, recalls, policy, to_prompts(prompts))
    builder = HowToGraph(HowToState, input_schema=HowToInput, output_schema=HowToOutput)
    builder.add_node("turn", RunnableLambda(nodes.turn, nodes.aturn))
    builder.add_node("ask", RunnableLambda(nodes.ask, nodes.aask))
    builder.add_node("execute", RunnableLambda(nodes.execute, nodes.aexecute))
    builder.add_edge(START, "turn")
    builder.add_conditional_edges("turn", _way, ["ask", "execute", END])
    builder.add_edge("ask", "turn")
    builder.add_conditional_edges("execute", _way, ["turn", "ask"])
    return builder


def answering(
    app: CompiledStateGraph[Any, Any, Any, Any],
    config: RunnableConfig,
    answer: str | int,
    *,
    number: int | None = None,
) -> Command[Any] | HowToInput:
    """Make the input for a person's answer, whether the thread is waiting or has ended.

    Args:
        app: The compiled graph, or your graph that contains it. In your graph, only an open pause can be answered, not
            a walk that has ended.
        config: As for `invoke`, with the thread's id.
        answer: An option's number, its words, "done", or what the person sees.
        number: The number of the turn that the person has read. Without it, the current turn is answered.

    Raises:
        IllegalStep: The thread has no walk, is within a turn, has several pauses, or has not reached that turn.
        AnsweredAlready: The turn has another answer. If its run was interrupted, `invoke(None, config)` continues it.
            If `config` names an earlier checkpoint, this forks the thread, and the fork asks again.
        ValueError: Another version paused the thread, or this is not an answer.
    """
    return _input(app.get_state(config), answer, number)


async def aanswering(
    app: CompiledStateGraph[Any, Any, Any, Any],
    config: RunnableConfig,
    answer: str | int,
    *,
    number: int | None = None,
) -> Command[Any] | HowToInput:
    """Make the input for a person's answer, as `answering` does, in an event loop."""
    return _input(await app.aget_state(config), answer, number)


def _input(snapshot: StateSnapshot, answer: str | int, number: int | None) -> Command[Any] | HowToInput:
    reply = Reply(answer=answer, number=number)
    said, state = str(reply.answer), cast(HowToState, snapshot.values)
    if any(task.state for task in snapshot.tasks):
        return _to_part(snapshot, reply)
    session = _session(state)
    check_turn(session, reply)
    first = _taken(snapshot)
    if first not in (None, said):
        raise AnsweredAlready(session.id, session.turn, first)
    if snapshot.interrupts:
        return _resuming(snapshot.interrupts[0], said, session.id, session.turn)
    if first is not None:
        return Command(resume={})  # names no pause: what that answer has begun goes on
    if "answer" in state or not snapshot.tasks:
        return {"answer": said, "number": session.turn}
    raise IllegalStep("answer", "within a turn", _WITHIN)


def _taken(snapshot: StateSnapshot) -> str | None:
    """The answer that LangGraph has for the turn at which a thread stands, where its turn is not made yet."""
    kept = [task.result["heard"] for task in snapshot.tasks if task.result and "heard" in task.result]
    return kept[0] if kept else snapshot.values.get("heard")


def _to_part(snapshot: StateSnapshot, reply: Reply) -> Command[Any]:
    """The answer to the pause of a walk that is a part of another graph."""
    pauses = [one for one in snapshot.interrupts if isinstance(one.value, dict) and "session" in one.value]
    if not pauses:
        raise IllegalStep("answer", "within a turn", _WITHIN)
    if len(pauses) > 1:
        raise IllegalStep("answer", f"one of {len(pauses)} that wait", _BY_ID)
    (pause,) = pauses
    session, turn = pause.value["session"], pause.value["number"]
    check_turn(SessionState(id=session, turn=turn), reply)
    return _resuming(pause, str(reply.answer), session, turn)


def _resuming(pause: Interrupt, answer: str, session: str, turn: int) -> Command[Any]:
    return Command(resume={pause.id: {"answer": answer, "number": turn, "session": session}})


_UNKNOWN = 'start with {"question": ...}, or check that thread_id and checkpointer are those of the started walk'
_ENDED_WITHIN = (
    "the graph no longer has this walk; ask the question again. Only the graph of `create_howto_graph` itself, with a"
    " checkpointer, keeps a walk that has ended"
)
_BY_ID = (
    'answer with Command(resume={interrupt.id: {"answer": ..., "number": ...}}), by the id of one of its interrupts'
)
_WITHIN = (
    "another process is working on it, or it was interrupted or forked there; in that case call invoke(None, config),"
    " and answer after that"
)


@dataclass(frozen=True, slots=True)
class _Nodes:
    """What the nodes do, with and without an event loop."""

    library: Library
    executor: Executor | None
    journal: Journal
    memory: StepMemory | None
    recalls: bool
    """Whether steps are recalled from the store and kept in it, where there is one."""
    policy: Policy
    prompts: Mapping[str, Prompt]

    def turn(self, state: HowToState) -> HowToState:
        _check_run(state)
        steps = self._steps()
        memory = steps.load() if steps else self.memory
        reached, update = self.library.run(self._turn(state, memory), self._claim)
        note_reached(self._noting, reached)
        if steps:
            steps.keep(reached)
        return update

    async def aturn(self, state: HowToState) -> HowToState:
        _check_run(state)
        steps = self._steps()
        memory = await steps.aload() if steps else self.memory
        reached, update = await self.library.arun(self._turn(state, memory), self._aclaim)
        await asyncio.to_thread(note_reached, self._noting, reached)
        if steps:
            await steps.akeep(reached)
        return update

    def ask(self, state: HowToState) -> HowToState:
        _check_run(state)
        return self._ask(state, self.library.run(_shown(state)))

    async def aask(self, state: HowToState) -> HowToState:
        _check_run(state)
        return await asyncio.to_thread(self._ask, state, await self.library.arun(_shown(state)))

    def execute(self, state: HowToState) -> HowToState:
        _check_run(state)
        action = self.library.run(walk.due(_session(state)))
        return _executed(perform(self._carrier, action, self._noting) if action else None)

    async def aexecute(self, state: HowToState) -> HowToState:
        _check_run(state)
        action = await self.library.arun(walk.due(_session(state)))
        return _executed(await aperform(self._carrier, action, self._noting) if action else None)

    @property
    def _noting(self) -> Journal:
        """The journal, with whose thread it is, as the config says."""
        return noting(self.journal, get_config())

    @property
    def _carrier(self) -> Executor:
        """Where a process with an executor has left a step to one that has none, the person does it."""
        return self.executor or ManualExecutor()

    def _steps(self) -> StoredStepMemory | None:
        return steps_of(get_store(), get_config()) if self.recalls else None

    def _turn(self, state: HowToState, memory: StepMemory | None) -> Plan[tuple[SessionState, HowToState]]:
        session, event, text, outcome = self._heard(state)
        try:
            if "answer" in state:
                check_turn(session, Reply(answer=text, number=state.get("number")))
            reached, shown = yield from walk.turn(
                session, event, text, outcome=outcome, memory=memory, prompts=self.prompts
            )
        except (IllegalStep, AnsweredAlready) as error:  # the answer is taken, so the person is asked again
            event = Event.WHERE
            reached, shown = yield from walk.turn(session, event)
            shown = refused(shown, error)
        if "answer" in state and event not in READING:
            yield Claim(session.id, session.turn, text, reached)
        if event is Event.EXECUTED:
            spent = Usage.model_validate(state["turn"]["usage"]) if "turn" in state else None
            shown = after_running(_ran(state), shown, spent)
        seen = shown.model_dump(mode="json")
        get_stream_writer()(seen)
        way = END if reached.status in ENDED else "ask"
        if self.executor is not None and (yield from to_run(reached, event, shown.ran)) is not None:
            way = "execute"
        told: HowToState = {"session": reached.model_dump(mode="json"), "turn": seen, "ran": seen["ran"]}
        return reached, told | {"version": VERSION, "way": way}

    def _heard(self, state: HowToState) -> tuple[SessionState, Event, str, Outcome | None]:
        """What has happened to which session."""
        match state:
            case {"question": str(question)}:
                check_checkpointer()
                return SessionState(policy=self.policy), Event.START, question, None
            case {"outcome": outcome}:
                return _session(state), Event.EXECUTED, "", Outcome.model_validate(outcome)
            case {"answer": str() | int() as text} | {"heard": str(text)} if not isinstance(text, bool):
                return _session(state), *parse(str(text)), None
            case {"question": other} | {"answer": other}:
                raise ValueError(
                    f'invoke the graph with {{"question": text}} or {{"answer": text}}, not with {other!r}'
                )
            case _:
                _session(state)
                raise ValueError(
                    f'invoke the graph with {{"question": text}} or {{"answer": text}}, not {sorted(state)}'
                )

    def _ask(self, state: HowToState, seen: dict[str, Any]) -> HowToState:
        """Wait for the answer. Whatever stands before `interrupt` is done again when it has come.

        An answer that was claimed in a run that was cut off before LangGraph had it is gone on with.
        """
        session = _session(state)
        pause = f"{session.id}/{get_config()['configurable']['checkpoint_ns']}"  # a fork has pauses of its own

        def claim(given: str | int | Reply) -> str:
            """Refused while LangGraph has kept nothing of an answer, it leaves the pause as it was."""
            reply = given if isinstance(given, Reply) else Reply(answer=given)
            check_turn(session, reply)
            try:
                self._noting.answered(pause, session.turn, str(reply.answer))
            except AnsweredAlready as refused:
                raise AnsweredAlready(session.id, session.turn, refused.answer) from None
            return str(reply.answer)

        schema: Any = Annotated[str | StrictInt | Reply, AfterValidator(claim)]
        asked = seen | {"number": session.turn, "session": session.id}
        try:
            return {"heard": interrupt(asked, response_schema=schema)}
        except GraphInterrupt:
            first = self.journal.answer_to(pause, session.turn)
            if first is None:
                raise
            return {"heard": first}

    def _claim(self, claim: Claim) -> None:
        self._noting.answered(claim.session, claim.turn, claim.answer)

    async def _aclaim(self, claim: Claim) -> None:
        await asyncio.to_thread(self._claim, claim)


def _session(state: HowToState) -> SessionState:
    """The session of a thread.

    Raises:
        IllegalStep: there is none, or it has ended within another graph.
        ValueError: another version has paused it.
    """
    if "session" not in state:
        raise IllegalStep("answer", "not there", _UNKNOWN)
    if "version" not in state:  # of what a walk gives, a graph around it keeps what it has a name for
        raise IllegalStep("answer", "a part of another graph, and not waiting", _ENDED_WITHIN)
    if state["version"] != VERSION:
        raise ValueError(
            f"this thread was paused by version {state['version']} of the graph, but this is version {VERSION};"
            ' continue with the release that paused it, or start again with {"question": ...}'
        )
    return loaded(state["session"])


def _check_run(state: HowToState) -> None:
    """Refuse to go on for an answer that came too late: LangGraph passes over one to a pause that is gone.

    Raises:
        AnsweredAlready: the run was given an answer of that kind.
    """
    if "turn" in state or "session" not in state:  # this run has made a turn, of the answer that counts
        return
    given = get_config()["configurable"].get("__pregel_resume_map") or {}
    for one in given.values():
        if isinstance(one, dict) and one.get("session") == state["session"]["id"]:
            reply, session = Reply.model_validate(one), _session(state)
            check_turn(session, reply)
            if state.get("heard") not in (None, reply.answer):
                raise AnsweredAlready(session.id, session.turn, state["heard"])


def check_turn(session: SessionState, reply: Reply) -> None:
    """Refuse an answer to another turn than the one that is asked now.

    Raises:
        AnsweredAlready: it is a turn before.
        IllegalStep: there was no such turn yet.
    """
    if reply.number is None or reply.number == session.turn:
        return
    if reply.number < session.turn:
        raise AnsweredAlready(session.id, reply.number)
    raise IllegalStep(f"answer turn {reply.number} of", f"at turn {session.turn}", "answer that one, or pass no number")


def _shown(state: HowToState) -> Plan[dict[str, Any]]:
    """What the person reads: of this run, else as the documents have it now."""
    if "turn" in state:
        return state["turn"]
    _, shown = yield from walk.turn(_session(state), Event.WHERE)
    return after_running(_ran(state), shown).model_dump(mode="json")


def _ran(state: HowToState) -> list[Ran]:
    return [Ran.model_validate(one) for one in state["ran"]]


def _way(state: HowToState) -> str:
    """The node that follows; a state that an earlier version wrote does not say it."""
    return state.get("way") or (END if _session(state).status in ENDED else "ask")


def _executed(outcome: Outcome | None) -> HowToState:
    if outcome is None:  # the step is no longer as it was chosen
        return {"way": "ask"}
    return {"outcome": outcome.model_dump(mode="json"), "way": "turn"}


def check_checkpointer() -> None:
    """Without a checkpointer LangGraph would pause all the same, and nobody could go on.

    Raises:
        ValueError: the graph that runs has none.
    """
    if get_config()["configurable"].get("__pregel_checkpointer", ...) is None:
        raise ValueError(
            "the person has to be asked, and without a checkpointer the walk could not continue; compile the graph,"
            " or create the agent, with checkpointer=InMemorySaver() or another one"
        )
