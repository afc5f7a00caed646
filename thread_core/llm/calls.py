"""Calls of models: made again while a service is busy, within a budget, and asking less of a service that refuses.

The plans here yield steps, which `do` and `ado` carry out.
"""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass, replace
from typing import Any

from thread_core.errors import BudgetSpent, ModelBusy, ModelError
from thread_core.llm import thoughts
from thread_core.llm.asking import Ask, LookUp, Say, Speak
from thread_core.llm.costs import NOTHING, Bill, Budget, planned
from thread_core.llm.errors import SettingRefused
from thread_core.llm.habits import Habits
from thread_core.llm.hearing import Heard
from thread_core.llm.tracing import labelled
from thread_core.plan import Plan
from thread_core.ports import LLM, Form, Reply, Usage

ATTEMPTS = 4
"""How often a busy model is asked."""
LONGEST_WAIT = 60.0
"""Seconds; a service that asks for a longer one is given up."""
FIRST_WAIT = 1.0
"""Seconds before a model is asked for the second time, where it does not say; doubled each time."""


@dataclass(frozen=True, slots=True)
class Complete:
    """A whole reply -> Reply."""

    call: Call


@dataclass(frozen=True, slots=True)
class Open:
    """The pieces of a reply -> an iterator, sync or not, that `Next` takes them from."""

    call: Call


@dataclass(frozen=True, slots=True)
class Next:
    """The next piece -> Reply, or None at the end."""

    pieces: Any


@dataclass(frozen=True, slots=True)
class Wait:
    """Some time -> None."""

    seconds: float


Step = Complete | Open | Next | Wait | LookUp


class Calls:
    """Makes calls, and knows what they have cost and what each model's service takes."""

    def __init__(self, budget: Budget, attempts: int) -> None:
        self._budget = budget
        self._attempts = attempts
        self._lock = threading.Lock()
        self._habits: dict[int, Habits] = {}
        self.reserved = Usage()
        """What the calls that are being made may cost."""
        self.usage = Usage()
        """What all calls have cost so far."""

    def add(self, usage: Usage, bill: Bill, released: Usage = NOTHING) -> None:
        """Count what something cost, and hold back no longer what was reserved for it."""
        with self._lock:
            self.reserved -= released
            self.usage += usage
            bill.usage += usage

    def complete(self, llm: LLM, request: Ask | Speak, bill: Bill) -> Plan[Reply]:
        """A whole reply, without what the model thought before it.

        Raises:
            BudgetSpent: the call was not made; or the budget left too little, and the reply was cut off there.
        """
        call = yield from self._patiently(llm, request, bill, _whole)
        call.settle()
        (reply,) = call.heard.pieces
        if thoughts.ends_bare(reply.text):
            self._learn(llm, replace(call.habits, ends_bare=True))
        text = thoughts.without_thought(reply.text)
        if isinstance(request, Speak):
            call.heard.check(text)
        elif reply.end == "length" and call.was_kept_short:
            raise BudgetSpent(f"a reply was cut off at the {call.limit} tokens that were left for it")
        return reply.model_copy(update={"text": text})

    def speak(self, llm: LLM, request: Speak, bill: Bill) -> Plan[None]:
        """A reply in pieces: what is said aloud of it is yielded as `Say`.

        Raises:
            ModelError: what came before it is in its `said`.
            BudgetSpent: the call was not made.
        """
        call = yield from self._patiently(llm, request, bill, _begun)
        heard = call.heard
        try:
            if heard.said:
                yield Say(heard.said)
            piece: Reply | None
            while (piece := (yield Next(call.pieces))) is not None:
                if text := heard.take(piece):
                    yield Say(text)
            if text := heard.rest():
                yield Say(text)
        except ModelError as error:
            raise ModelError(str(error), said=heard.said) from error
        finally:
            call.settle()
        heard.check(heard.said)

    def _patiently(
        self, llm: LLM, request: Ask | Speak, bill: Bill, attempt: Callable[[Call], Plan[None]]
    ) -> Plan[Call]:
        """Make a call within the budget, and again while the model is busy; whoever receives it settles it.

        Where the service refuses how it is made, it is made again at once, and no attempt counts for that.
        """
        habits = self._habits_of(llm)
        attempts = 0
        while True:
            call = self._begin(llm, request, habits, bill)
            try:
                yield from attempt(call)
            except ModelError as error:
                call.settle(was_read=error.was_read)
                if isinstance(error, SettingRefused):
                    continue
                if less := habits.asking_less(error, with_schema=bool(call.schema), together=call.together):
                    habits = less
                    continue
                attempts += 1
                seconds = _seconds_until_next(error, attempts)
                if seconds is None or attempts == self._attempts:
                    raise
            except BaseException as error:
                call.settle(was_read=not isinstance(error, Exception))  # one that was cancelled had perhaps been sent
                raise
            else:
                self._learn(llm, habits)
                return call
            yield Wait(seconds)

    def _begin(self, llm: LLM, request: Ask | Speak, habits: Habits, bill: Bill) -> Call:
        needed = planned(request)
        with self._lock:
            spent = self.usage + self.reserved
            if refusal := self._budget.refusal(spent, needed):
                raise BudgetSpent(refusal)
            left = self._budget.room(spent, needed.prompt_tokens)
            limit = None if left is None else habits.limit(request.expected, left)
            reserved = needed.model_copy(update={"completion_tokens": limit or request.expected})
            self.reserved += reserved
        return Call(self, llm, request, habits, reserved, is_limited=limit is not None, bill=bill)

    def _habits_of(self, llm: LLM) -> Habits:
        return self._habits.get(id(llm), Habits())

    def _learn(self, llm: LLM, habits: Habits) -> None:
        with self._lock:
            self._habits[id(llm)] = self._habits_of(llm).and_of(habits)


class Call:
    """A call that is being made: what it may cost is held back from the budget until it is known what it did cost."""

    pieces: Any = None
    """What `Next` takes the pieces of a spoken reply from."""

    def __init__(
        self,
        calls: Calls,
        llm: LLM,
        request: Ask | Speak,
        habits: Habits,
        reserved: Usage,
        *,
        is_limited: bool,
        bill: Bill,
    ) -> None:
        self._calls, self._reserved, self._bill = calls, reserved, bill
        self.llm, self.request, self.habits = llm, request, habits
        together = reserved.prompt_tokens + reserved.completion_tokens
        self.together = together if is_limited and habits.fits(together) else None
        """The tokens of the question and of the limit that is sent; None where none is."""
        self.heard = Heard(request, ends_bare=habits.ends_bare)

    @property
    def limit(self) -> int | None:
        """The tokens that the reply may have at most, where the service is told."""
        return None if self.together is None else self._reserved.completion_tokens

    @property
    def schema(self) -> type[Form] | None:
        """What the reply must look like, where the service is told."""
        return self.request.schema if isinstance(self.request, Ask) and self.habits.takes_schemas else None

    @property
    def was_kept_short(self) -> bool:
        """Whether the reply has as many tokens as it could, and could have had more with a larger budget."""
        return (
            self.limit is not None
            and self.habits.wants_more_than(self.limit, self.request.expected)
            and self.heard.usage.completion_tokens >= self.limit
        )

    def settle(self, *, was_read: bool = True) -> None:
        """It is over: what came of it is paid for, and its prompt where that was read."""
        spent = self.heard.usage if self.heard.pieces or was_read else Usage(calls=1)
        self._calls.add(spent, self._bill, self._reserved)


def _whole(call: Call) -> Plan[None]:
    call.heard.take((yield Complete(call)))


def _begun(call: Call) -> Plan[None]:
    """Open a stream, up to the first piece of which something is said aloud.

    Raises:
        ModelBusy: it says nothing, not even that it has ended.
    """
    call.pieces = yield Open(call)
    piece: Reply | None
    while not call.heard.said and (piece := (yield Next(call.pieces))) is not None:
        call.heard.take(piece)
    if not call.heard.is_something:
        raise ModelBusy("the service's answer is empty; check its address")


def _seconds_until_next(error: ModelError, attempts: int) -> float | None:
    """When a call that failed is made again; None where that will not help. Not all callers come back at once."""
    if not isinstance(error, ModelBusy) or (error.retry_after or 0) > LONGEST_WAIT:
        return None
    back_off = min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** (attempts - 1)) * random.uniform(0.5, 1.0)
    return back_off if error.retry_after is None else error.retry_after


def do(step: Step, opened: ExitStack | None = None) -> Any:
    """Carry out a step; what streams are opened is closed with `opened`."""
    match step:
        case Complete(call):
            with labelled(call.request.labels):
                return call.llm.complete(call.request.messages, call.schema, call.limit)
        case Open(call):
            with labelled(call.request.labels):
                pieces = call.llm.stream(call.request.messages, call.limit)
            if opened is not None and isinstance(pieces, Generator):
                opened.callback(pieces.close)
            return pieces
        case Next(pieces):
            return next(pieces, None)
        case Wait(seconds):
            time.sleep(seconds)
        case LookUp(search, query):
            return search(query)


async def ado(step: Step, opened: AsyncExitStack | None = None) -> Any:
    """`do`, on the caller's event loop."""
    match step:
        case Complete(call):
            with labelled(call.request.labels):
                return await call.llm.acomplete(call.request.messages, call.schema, call.limit)
        case Open(call):
            with labelled(call.request.labels):
                pieces = call.llm.astream(call.request.messages, call.limit)
            if opened is not None and isinstance(pieces, AsyncGenerator):
                opened.push_async_callback(pieces.aclose)
            return pieces
        case Next(pieces):
            return await anext(pieces, None)
        case Wait(seconds):
            await asyncio.sleep(seconds)
        case LookUp(search, query):
            return await asyncio.to_thread(search, query)


def aloud(step: Step | Say) -> Generator[str, None, None] | None:
    """What is said by a step that says something."""
    return (text for text in [step.text]) if isinstance(step, Say) else None


def aaloud(step: Step | Say) -> AsyncGenerator[str, None] | None:
    """`aloud`, for a plan that is driven on an event loop."""

    async def said(text: str) -> AsyncGenerator[str, None]:
        yield text

    return said(step.text) if isinstance(step, Say) else None
