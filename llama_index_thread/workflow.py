"""A walk as a LlamaIndex workflow: it asks, waits for a person as long as that takes, and goes on in any process.

    begin ──┐                      ┌─> TurnEvent        the person is asked: the run waits, or is saved
    respond ┼─> one turn is made ──┼─> ExecuteEvent     an executor has the step ──> execute ──> match
    match ──┘                      └─> HowToEndEvent    resolved or escalated

An answer is an `AnswerEvent`, or a `HumanResponseEvent` of LlamaIndex, which `hear` makes one of.

The context holds plain data: the session, and what an executor has done since the person spoke. What the person reads
is not kept; it is read again from the documents. A step writes once, at its end, and says by which event; a step that
is run again by a context that was saved meanwhile gives what it gave.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence
from typing import Annotated, Any

from llama_index.core.workflow import (
    Context,
    Event,
    HumanResponseEvent,
    InputRequiredEvent,
    JsonSerializer,
    StartEvent,
    StopEvent,
    Workflow,
    step,
)
from pydantic import BaseModel, BeforeValidator, Field, field_validator

from llama_index_thread.models import Models
from llama_index_thread.prompts import Templates, to_prompts
from llama_index_thread.retriever import ThreadRetriever, library_of
from thread_core.errors import IllegalStep
from thread_core.ports import Usage
from thread_core.retrieval.prerequisites import Policy
from thread_core.walk import states
from thread_core.walk.execution import Executor, ManualExecutor, aperform
from thread_core.walk.journal import Journal
from thread_core.walk.memory import StepMemory
from thread_core.walk.rendering import Ran, Turn, after_running
from thread_core.walk.reply import parse
from thread_core.walk.session import Claim, hands, moves, note_reached, numbered, to_run
from thread_core.walk.state import SessionState, loaded
from thread_core.walk.states import ENDED, Status
from thread_core.walk.walk import due, turn


def _name() -> str:
    return uuid.uuid4().hex


Said = Annotated[str, BeforeValidator(numbered)]
"""In any words, or an option's number."""


class HowToStartEvent(StartEvent):
    """What `run` takes: `question=` begins a walk, `answer=` goes on with the `ctx` of one that has ended or failed."""

    question: str = ""
    answer: Said = ""
    id: str = Field(default_factory=_name)


class AnswerEvent(HumanResponseEvent):
    """Answers a turn, with `text=`, or `response=` as in LlamaIndex's own examples."""

    text: Said
    """An option's number, its words, "done", what they see, "back", "skip", "why?". "Where am I?" has the open question
    put again: in another process, say."""
    number: int | None = None
    """Of the turn that they have read: an answer to another one is refused. None answers what is asked now."""
    id: str = Field(default_factory=_name)

    def __init__(self, **given: Any) -> None:
        if "text" not in given and "response" in given:
            given = {**given, "text": given["response"]}
        if "text" not in given:
            names = ", ".join(sorted(given)) or "nothing"
            raise ValueError(f"found {names}, expected text= or response=; pass what the person said")
        super().__init__(**given)


class TurnEvent(InputRequiredEvent):
    """Shows the person a turn. Send `answer(...)` back, now or in another process."""

    turn: Turn
    session: str
    """The session's id."""
    number: int
    refused: str = ""
    """Why the last answer was not taken; the walk stands where it stood."""

    def answer(self, text: str | int) -> AnswerEvent:
        """The answer to this turn and no other."""
        return AnswerEvent(text=text, number=self.number)


class ExecuteEvent(Event):
    """The step at hand is an executor's. It says nothing of the step, which is read again from the documents."""


class ExecutedEvent(Event):
    """What an executor made of a step; the stream has it too."""

    ran: Ran
    number: int
    """Of the turn in which it was due."""


class HowToEndEvent(StopEvent):
    """Ends a walk, resolved or escalated; the result of `await handler`. To answer it, run again with its context."""

    turn: Turn
    session: str
    number: int

    def __str__(self) -> str:
        return self.turn.text


class HowToState(BaseModel):
    """What the context of a run keeps. JSON, as a part of `ctx.to_dict()`."""

    session: SessionState = Field(default_factory=SessionState)
    ran: tuple[Ran, ...] = ()
    """What an executor has done since the person spoke, while it goes on."""
    spent: Usage = Usage()
    """What models have cost since then."""
    executing: bool = False
    """An executor has the step at hand: it is not the person's turn."""
    refused: str = ""
    """Why an answer that came meanwhile was not taken."""
    heard: str = ""
    """The event that has led here."""

    @field_validator("session", mode="before")
    @classmethod
    def _of_this_version(cls, session: Any) -> Any:
        return loaded(session) if isinstance(session, dict) else session


Next = ExecuteEvent | TurnEvent | HowToEndEvent


class HowToWorkflow(Workflow):
    """Walks a person through a guide, one step at a time, along the branch that fits.

    Each answer leads to one `TurnEvent`, or to the end. `handler.ctx.to_dict()` is JSON: save it after each
    `TurnEvent`. A saved context may only name types of this file; others are refused and not imported.

    Example:
        workflow = HowToWorkflow(retriever)
        handler = workflow.run(question="The disk of a node is full, what do I do?")
        async for event in handler.stream_events():
            if isinstance(event, TurnEvent):
                print(event.turn)
                handler.ctx.send_event(event.answer(input("> ")))
        print((await handler).turn.status)
    """

    def __init__(
        self,
        retriever: ThreadRetriever,
        llm: Models | None = None,
        executor: Executor | None = None,
        *,
        journal: Journal | None = None,
        memory: StepMemory | None = None,
        policy: Policy = Policy.ASK,
        prompts: Templates | None = None,
        timeout: float | None = None,
        verbose: bool = False,
    ) -> None:
        """Walk over a retriever's store.

        Args:
            retriever: Its library is shared.
            llm: As in `HowToSession`.
            executor: Carries out steps where it may, in a workflow step of its own; without one, each is the person's.
            journal: Knows which turns were answered and what was run; in memory where it is not given. Give every
                process that may go on with a run `Journal(path)` of the same file.
            memory: As in `HowToSession`; its walks are those of one person.
            policy: What becomes of a step whose prerequisites nothing said so far decides.
            prompts: As in `HowToSession`.
            timeout: Seconds for the whole run, a person's thinking included; None, the default, waits for ever.
            verbose: As in any workflow.

        Raises:
            TypeError: the retriever is no `ThreadRetriever`.
            ValueError: there is no prompt of such a name.
        """
        # No types besides the events and the state that the steps declare, which LlamaIndex adds.
        super().__init__(timeout=timeout, verbose=verbose, serializer=JsonSerializer(allowed_types=()))
        self._library = library_of(retriever, llm)
        self._executor, self._journal = hands(executor, journal)
        self._memory = memory
        self._policy = policy
        self._prompts = to_prompts(prompts)

    @step
    async def begin(self, ctx: Context[HowToState], ev: HowToStartEvent) -> Next:
        """Begin a walk with a question, or go on with an answer where a run has ended or failed."""
        if bool(ev.question.strip()) == bool(ev.answer.strip()):
            raise ValueError("run needs question=, or answer= and the ctx of a run that has ended or failed")
        kept = await ctx.store.get_state()
        if kept.heard == ev.id:
            return await self._again(ctx)
        session = kept.session
        if session.status is Status.NEW:
            session = SessionState(id=ev.id, policy=self._policy)
        if ev.question:
            return await self._move(ctx, session, states.Event.START, ev.question, ev.id)
        return await self._move(ctx, session, *parse(ev.answer), ev.id)

    @step
    async def hear(self, ev: HumanResponseEvent) -> AnswerEvent:
        """Take an answer in LlamaIndex's own event for one to the open turn, or to the one of its `number`."""
        return AnswerEvent(**ev.to_dict())

    # One at a time: two answers at once would both be taken for the first.
    @step(num_workers=1)
    async def respond(self, ctx: Context[HowToState], ev: AnswerEvent) -> Next | None:
        """Take an answer, unless it is to another turn than the one that is open."""
        async with ctx.store.edit_state() as kept:
            if kept.heard != ev.id and kept.executing:
                kept.refused = "An earlier answer was still being processed."
                return None
        if kept.heard == ev.id:
            return await self._again(ctx)
        if ev.number not in (None, kept.session.turn):
            return await self._refuse(ctx, f"Turn {ev.number} was already answered.")
        try:
            return await self._move(ctx, kept.session, *parse(ev.text), ev.id)
        except IllegalStep as refusal:
            return await self._refuse(ctx, str(refusal))

    @step(num_workers=1)
    async def execute(self, ctx: Context[HowToState], ev: ExecuteEvent) -> ExecutedEvent | Next:
        """Have the executor do the step at hand, once: the journal knows whether it was begun before."""
        session = (await ctx.store.get_state()).session
        action = await self._library.arun(due(session))
        if action is None:
            return await self._move(ctx, session, states.Event.WHERE)
        outcome = await aperform(self._executor or ManualExecutor(), action, self._journal)
        executed = ExecutedEvent(
            ran=Ran(header=action.header, commands=action.commands, outcome=outcome), number=session.turn
        )
        ctx.write_event_to_stream(executed)
        return executed

    @step(num_workers=1)
    async def match(self, ctx: Context[HowToState], ev: ExecutedEvent) -> Next:
        """Go where the outcome leads."""
        kept = await ctx.store.get_state()
        if kept.session.turn != ev.number:
            return await self._again(ctx)
        event, outcome = states.Event.EXECUTED, ev.ran.outcome
        plan = turn(kept.session, event, outcome=outcome, memory=self._memory, prompts=self._prompts)
        reached, shown = await self._library.arun(plan)
        told = after_running(kept.ran, shown, kept.spent)
        return await self._arrive(ctx, reached, told, await self._executes(reached, event, told.ran))

    async def _move(
        self, ctx: Context[HowToState], session: SessionState, event: states.Event, text: str = "", by: str = ""
    ) -> Next:
        plan = moves(session, event, text, memory=self._memory, prompts=self._prompts)
        reached, shown = await self._library.arun(plan, self._claim)
        executing = await self._executes(reached, event, shown.ran)
        return await self._arrive(ctx, reached, shown, executing, by)

    async def _arrive(
        self, ctx: Context[HowToState], reached: SessionState, shown: Turn, executing: bool, by: str = ""
    ) -> Next:
        """Write down where the walk stands, and say whose turn it is."""
        if reached.turn != (await ctx.store.get_state()).session.turn:
            await asyncio.to_thread(note_reached, self._journal, reached)
        async with ctx.store.edit_state() as kept:
            refused = kept.refused
            kept.session, kept.executing = reached, executing
            kept.ran, kept.refused = (shown.ran, refused) if executing else ((), "")
            kept.spent = shown.usage if executing else Usage()
            kept.heard = by or kept.heard
        if executing:
            return ExecuteEvent()
        if reached.status in ENDED:
            return HowToEndEvent(turn=shown, session=reached.id, number=reached.turn)
        return TurnEvent(turn=shown, session=reached.id, number=reached.turn, refused=refused)

    async def _executes(self, reached: SessionState, event: states.Event, ran: Sequence[Ran]) -> bool:
        return self._executor is not None and await self._library.arun(to_run(reached, event, ran)) is not None

    async def _refuse(self, ctx: Context[HowToState], reason: str) -> Next:
        """Put the open question again, and say why an answer was not taken."""
        async with ctx.store.edit_state() as kept:
            kept.refused = reason
        return await self._move(ctx, kept.session, states.Event.WHERE)

    async def _again(self, ctx: Context[HowToState]) -> Next:
        """What a step gave that is run again."""
        kept = await ctx.store.get_state()
        return ExecuteEvent() if kept.executing else await self._move(ctx, kept.session, states.Event.WHERE)

    async def _claim(self, claim: Claim) -> None:
        await asyncio.to_thread(self._journal.answered, claim.session, claim.turn, claim.answer)
