"""A walk as an object: the plain-Python front over the turns of `walk`.

`moves` is one answer of a person and all that an executor does after it, until it is the person's turn again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NoReturn, Self

from thread_core.llm.prompting import Prompt
from thread_core.models import encodable
from thread_core.plan import Plan
from thread_core.retrieval.prerequisites import Policy
from thread_core.store.library import Library
from thread_core.walk import record
from thread_core.walk.execution import Action, Executor, ManualExecutor, Outcome, aperform, perform
from thread_core.walk.journal import Journal
from thread_core.walk.matcher import OutcomeMatcher
from thread_core.walk.meant import is_answer
from thread_core.walk.memory import StepMemory
from thread_core.walk.rendering import Ran, Turn, after_running
from thread_core.walk.reply import Reply, parse
from thread_core.walk.state import SessionState, because, loaded
from thread_core.walk.states import READING, Event, Status
from thread_core.walk.walk import due, turn

AUTOMATIC = 20
"""Steps that an executor may do before a person is asked how it looks."""
CUT_OFF = 'The result of "{}" was interrupted. This is it; your next answer counts from here.'


@dataclass(frozen=True, slots=True)
class Claim:
    """Whether an answer to a turn is the first one -> None, or AnsweredAlready."""

    session: str
    turn: int
    answer: str
    reached: SessionState
    """Where the walk stands if it is."""


@dataclass(frozen=True, slots=True)
class Begun:
    """Whether an action was begun before -> bool."""

    action: Action


@dataclass(frozen=True, slots=True)
class Perform:
    """What comes of an action -> Outcome."""

    action: Action


def moves(
    state: SessionState,
    event: Event,
    text: str = "",
    *,
    executing: bool = False,
    memory: StepMemory | None = None,
    matcher: OutcomeMatcher | None = None,
    prompts: Mapping[str, Prompt] | None = None,
) -> Plan[tuple[SessionState, Turn]]:
    """A turn, the claim to it, and the turns that an executor makes of it.

    Args:
        state: Where the walk stands.
        event: What the person does.
        text: The question, the option's number, or what they say.
        executing: Whether `Perform` is to be asked at all.
        memory: As in `turn`.
        matcher: As in `turn`.
        prompts: The user's own instead of the package's.

    Raises:
        AnsweredAlready: this turn has another answer.
    """
    take = partial(turn, memory=memory, prompts=prompts)
    reached, shown = yield from take(state, event, text, matcher=matcher)
    if event not in READING:
        yield Claim(state.id, state.turn, text, reached)
    while executing and (action := (yield from to_run(reached, event, shown.ran))):
        reached, shown = yield from _executed(take, reached, action, shown.ran)
    return reached, shown


def resume_interrupted(
    claim: Claim, *, memory: StepMemory | None = None, prompts: Mapping[str, Prompt] | None = None
) -> Plan[tuple[SessionState, Turn]]:
    """The turn of an answer that counts, and was cut off before the person saw what came of it.

    What an executor had begun is told, and nothing else is run: they may have said "no" since.
    """
    take = partial(turn, memory=memory, prompts=prompts)
    reached, shown = yield from take(claim.reached, Event.WHERE)
    while (action := (yield from due(reached))) is not None and (yield Begun(action)):
        reached, shown = yield from _executed(take, reached, action, shown.ran)
    told = shown.model_copy(update={"text": f"{CUT_OFF.format(claim.answer)}\n\n{shown.text}"})
    return left_to_the_person(reached), told


def left_to_the_person(reached: SessionState) -> SessionState:
    """A state in which no executor has the step at hand, whatever was approved."""
    is_step = reached.status is Status.AWAITING
    return reached.replace(handed=reached.handed or "its turn was interrupted", approved="") if is_step else reached


def _executed(
    take: Callable[..., Plan[tuple[SessionState, Turn]]], state: SessionState, action: Action, ran: Sequence[Ran]
) -> Plan[tuple[SessionState, Turn]]:
    outcome: Outcome = yield Perform(action)
    reached, shown = yield from take(state, Event.EXECUTED, outcome=outcome)
    return reached, after_running(ran, shown)


def to_run(reached: SessionState, event: Event, ran: Sequence[Ran]) -> Plan[Action | None]:
    """What an executor goes on with; None where it is the person's turn.

    What only reads has nothing run, nor is more run than `AUTOMATIC` since the person spoke.
    """
    if event in READING or len(ran) >= AUTOMATIC:
        return None
    return (yield from due(reached))


class HowToSession:
    """The plain-Python front of a walk. Adapters subclass it: they turn a retriever into a `Library`.

    An object is one person's, one turn after the other. Who shares a walk shares its state and its journal. Where a
    call is cancelled or fails, the walk stands where it stood, or the answer counts: then the next call shows what came
    of it, whatever it says, unless it begins anew.

    Example:
        session = HowToSession(library)
        print(session.start("The disk of a node is full, what do I do?"))
        print(session.respond("the journal is larger than 2 GB"))
        saved = session.state.model_dump_json()
    """

    def __init__(
        self,
        library: Library,
        *,
        executor: Executor | None = None,
        journal: Journal | None = None,
        memory: StepMemory | None = None,
        matcher: OutcomeMatcher | None = None,
        policy: Policy = Policy.ASK,
        prompts: Mapping[str, Prompt] | None = None,
    ) -> None:
        """Walk over a library; where it has models, they choose the first step and tell what an outcome means.

        Args:
            library: The store, and the models if any.
            executor: Carries out steps where it may; without one, each is the person's.
            journal: Knows which turns were answered and what was run; in memory where it is not given. Hand the same
                file to every process that may go on with a session.
            memory: Tells the models the steps that matter instead of all that was said and done.
            matcher: Orders the passages of a menu; without one, by vectors, words and place.
            policy: What becomes of a step whose prerequisites nothing said so far decides.
            prompts: The user's own prompts instead of the package's: `select`, `next`, `rationale`.

        Raises:
            TypeError: the executor has no `run`, or the journal is none.
        """
        self._library = library
        self._executor, self._journal = hands(executor, journal)
        self._memory = memory
        self._matcher = matcher
        self._prompts = prompts
        self._state = SessionState(policy=policy)
        self._unseen: Claim | None = None

    def __reduce__(self) -> NoReturn:
        """Stay in this process.

        Raises:
            TypeError: it is to be pickled, or copied.
        """
        raise TypeError(
            "a session cannot be pickled or copied; send session.state.model_dump_json(), and continue with"
            " HowToSession.resume(state, ...)"
        )

    @property
    def state(self) -> SessionState:
        """JSON both ways; hand it to `resume` in another process."""
        return self._state

    def resumed(self, state: SessionState | str) -> Self:
        """This session, where another stood: in this process or in another, from its state or the state's JSON.

        Raises:
            BadSession: it is not the state of a session, or one of another version.
        """
        self._state, self._unseen = loaded(state), None
        return self

    def start(self, question: str) -> Turn:
        """Begin, or begin again, with a question.

        Raises:
            TypeError: the question is no text.
            AnsweredAlready: somebody else has moved this session on; so with every other way to move it.
        """
        return self._run(Event.START, _text(question))

    def respond(self, text: str | int) -> Turn:
        """Report an outcome: an option's number, its words, "done", or what you see; "back", "skip", "why?" too.

        Raises:
            TypeError: it is neither a text nor a number.
        """
        return self._run(*_heard(text))

    def back(self) -> Turn:
        """Undo the last turn, and what was learned in it; where there is none, the turn says so."""
        return self.respond("back")

    def skip(self) -> Turn:
        """Go past the step without doing it."""
        return self.respond("skip")

    def restart(self) -> Turn:
        """The same question from the beginning; what holds for the person is not asked again."""
        return self.respond("restart")

    def show(self) -> Turn:
        """What is on the screen, as the store has it now: for a session that goes on in another process."""
        return self.respond("where am I?")

    def is_answer(self, line: str) -> bool:
        """Tell whether a line is surely an answer to what is shown, and no question that begins another walk.

        That is a command ("next"), a number, or an option's words, in a walk that has not ended. Nothing moves.
        """
        return self._library.run(is_answer(self._state, _text(line)))

    async def ais_answer(self, line: str) -> bool:
        """`is_answer`, for callers with an event loop."""
        return await self._library.arun(is_answer(self._state, _text(line)))

    async def astart(self, question: str) -> Turn:
        """`start`, for callers with an event loop."""
        return await self._arun(Event.START, _text(question))

    async def arespond(self, text: str | int) -> Turn:
        """`respond`, for callers with an event loop."""
        return await self._arun(*_heard(text))

    async def aback(self) -> Turn:
        """`back`, for callers with an event loop."""
        return await self.arespond("back")

    async def askip(self) -> Turn:
        """`skip`, for callers with an event loop."""
        return await self.arespond("skip")

    async def arestart(self) -> Turn:
        """`restart`, for callers with an event loop."""
        return await self.arespond("restart")

    async def ashow(self) -> Turn:
        """`show`, for callers with an event loop."""
        return await self.arespond("where am I?")

    def record(self) -> str:
        """Tell how the walk has gone so far, in Markdown, for whoever looks at it later; see `walk.record`."""
        return record.write(self._state, self._journal.entries())

    def why(self) -> str:
        """Why the current step was shown; nothing is read for it, so it has no async twin."""
        return because(self._state)

    def _run(self, event: Event, text: str = "") -> Turn:
        before = self._state.turn
        reached, shown = self._library.run(self._moves(event, text), self._answer)
        if self._is_new(reached, before):
            note_reached(self._journal, reached)
        return self._seen(reached, shown)

    async def _arun(self, event: Event, text: str = "") -> Turn:
        before = self._state.turn
        reached, shown = await self._library.arun(self._moves(event, text), self._aanswer)
        if self._is_new(reached, before):
            await asyncio.to_thread(note_reached, self._journal, reached)
        return self._seen(reached, shown)

    def _is_new(self, reached: SessionState, before: int) -> bool:
        """Whether the walk has moved since a turn, or its last move was cut off before the person saw it."""
        return reached.turn != before or self._unseen is not None

    def _seen(self, reached: SessionState, shown: Turn) -> Turn:
        if reached.turn >= self._state.turn:  # a call that nobody awaits any longer may have claimed a later one
            self._state, self._unseen = reached, None
        return shown

    def _moves(self, event: Event, text: str) -> Plan[tuple[SessionState, Turn]]:
        if self._unseen is not None and event not in (Event.START, Event.RESTART):
            return resume_interrupted(self._unseen, memory=self._memory, prompts=self._prompts)
        return moves(
            self._state,
            event,
            text,
            executing=self._executor is not None,
            memory=self._memory,
            matcher=self._matcher,
            prompts=self._prompts,
        )

    def _answer(self, request: Claim | Begun | Perform) -> Outcome | bool | None:
        match request:
            case Claim():  # in one call, so that no cancellation comes between the claim and what it has led to
                self._journal.answered(request.session, request.turn, request.answer)
                self._state, self._unseen = left_to_the_person(request.reached), request
                return None
            case Begun():
                return self._journal.has_begun(request.action)
            case Perform():
                return perform(self._executor or ManualExecutor(), request.action, self._journal)

    async def _aanswer(self, request: Claim | Begun | Perform) -> Outcome | bool | None:
        if isinstance(request, Perform):
            return await aperform(self._executor or ManualExecutor(), request.action, self._journal)
        return await asyncio.to_thread(self._answer, request)


def note_reached(journal: Journal, state: SessionState) -> None:
    """Record where a walk stands, for whoever wants to know later how it went."""
    step = state.step
    more: dict[str, Any] = {}
    if step is not None:
        more["step"] = {"header": step.header, "lines": [step.start, step.end], "why": step.why}
    if state.pending is not None:
        more["asks"] = {"kind": state.pending.kind, "question": state.pending.question}
    if state.gap is not None:
        more["gap"] = state.gap.model_dump(mode="json")
    document = step.document_id if step is not None else ""
    journal.reached(state.id, state.turn, state.status, state.question, document, more)


def hands(executor: Executor | None, journal: Journal | None) -> tuple[Executor | None, Journal]:
    """An executor and a journal as somebody gave them; a journal in memory where they gave none.

    Raises:
        TypeError: the executor has no `run`, or the journal is none.
    """
    if executor is not None and not callable(getattr(executor, "run", None)):
        raise TypeError(f"found {type(executor).__name__}, expected an executor with a method run(action)")
    if journal is not None and not isinstance(journal, Journal):
        raise TypeError(f"found {type(journal).__name__}, expected a Journal; pass Journal(path)")
    return executor, journal or Journal()


def numbered(said: object) -> object:
    """Give an option's number as text; anything else as it is."""
    return str(said) if isinstance(said, int) and not isinstance(said, bool) else said


def _heard(said: str | int) -> Reply:
    return parse(_text(numbered(said)))


def _text(said: object) -> str:
    if not isinstance(said, str):
        raise TypeError(f"found {type(said).__name__}, expected a text that the person said")
    return encodable(said)
