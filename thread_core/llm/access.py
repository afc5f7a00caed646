"""Asking models: with patience where they are busy, within a budget, and with every token counted.

`ModelAccess` answers the requests of `thread_core.llm.asking`. It is safe to share between threads and event loops.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import random
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, TypeVar, assert_never

from thread_core import plan as plans
from thread_core.errors import BadCache, BudgetSpent, ModelBusy, ModelError
from thread_core.llm import failing
from thread_core.llm.asking import Ask, Keep, Kept, LookUp, ModelRequest, Role, Say, Speak, Spent, Who, Window
from thread_core.llm.costs import FAILED, NOTHING, Bill, Budget, counted, planned
from thread_core.plan import Plan
from thread_core.ports import LLM, Form, Reply, ReplyCache, Usage

T = TypeVar("T")

_logger = logging.getLogger(__name__)

VERSION = 1
"""Of what is asked and how replies are read; a kept reply of another version is not taken."""
ATTEMPTS = 4
"""How often a busy model is asked."""
LONGEST_WAIT = 60.0
"""Seconds; a service that asks for a longer one is given up."""
FIRST_WAIT = 1.0
"""Seconds before a model is asked for the second time, where it does not say; doubled each time."""


@dataclass(frozen=True, slots=True)
class _Complete:
    llm: LLM
    request: Ask | Speak


@dataclass(frozen=True, slots=True)
class _Open:
    """A stream -> its pieces up to the first that says something, and the others."""

    llm: LLM
    request: Speak


@dataclass(frozen=True, slots=True)
class _Wait:
    seconds: float


def nobody(request: Any) -> Any:
    """Answers nothing: a plan that asks for more has the wrong driver."""
    raise TypeError(f"nobody answers this request of a plan: {request!r}")


async def anobody(request: Any) -> Any:
    """`nobody`, awaited."""
    nobody(request)


class ModelAccess:
    """The models of each role, what they may cost and what they did cost.

    Example:
        access = ModelAccess(llm, budget=Budget(tokens=200_000))
        extraction = access.run(some_plan)
        print(access.usage.calls)
    """

    def __init__(
        self,
        llm: LLM | Mapping[Role, LLM],
        *,
        budget: Budget | None = None,
        cache: ReplyCache | None = None,
        attempts: int = ATTEMPTS,
    ) -> None:
        """Give one model, or one for each role.

        Args:
            llm: The model, or `{Role.SELECTOR: ..., Role.GENERATOR: ..., ...}`; only roles that are asked are needed.
            budget: What may be spent at most.
            cache: Where replies that were found good are kept.
            attempts: How often a busy model is asked before it is given up.

        Raises:
            ValueError: `attempts` is below 1.
        """
        if attempts < 1:
            raise ValueError(f"a model is asked at least once, got attempts={attempts}")
        self._llms: Mapping[Role, LLM] = llm if isinstance(llm, Mapping) else dict.fromkeys(Role, llm)
        self._budget = budget or Budget()
        self._cache = cache
        self._attempts = attempts
        self._lock = threading.Lock()
        self._reserved = Usage()
        self._usage = Usage()

    @property
    def usage(self) -> Usage:
        """What all calls have cost so far."""
        return self._usage

    def name(self, role: Role) -> str | None:
        """The name of the model that has a role; None where none has it."""
        return self._llms[role].name if role in self._llms else None

    def run(self, plan: Plan[T], others: Callable[[Any], Any] = nobody) -> T:
        """Drive a plan to its end; what it asks of no model is for `others` to answer."""
        bill = Bill()
        return plans.run(plan, lambda request: self._one(request, bill, others))

    async def arun(
        self, plan: Plan[T], others: Callable[[Any], Awaitable[Any]] = anobody, *, off_loop: bool = False
    ) -> T:
        """`run`, on the caller's event loop; a plan that blocks by itself is driven off it."""
        bill = Bill()
        return await plans.arun(plan, lambda request: self._aone(request, bill, others), off_loop=off_loop)

    def tell(self, plan: Plan[T], others: Callable[[Any], Any] = nobody) -> Generator[str | T, None, None]:
        """`run`, with what the plan says to the person in pieces as it comes, and its result last."""
        bill = Bill()

        def speak(request: Any) -> Generator[str, None, None] | None:
            return self.stream(request, bill) if isinstance(request, Speak | Say) else None

        return plans.stream(plan, lambda request: self._one(request, bill, others), speak)

    def atell(
        self, plan: Plan[T], others: Callable[[Any], Awaitable[Any]] = anobody, *, off_loop: bool = False
    ) -> AsyncGenerator[str | T, None]:
        """`tell`, on the caller's event loop; a plan that blocks by itself is driven off it."""
        bill = Bill()

        def speak(request: Any) -> AsyncGenerator[str, None] | None:
            return self.astream(request, bill) if isinstance(request, Speak | Say) else None

        return plans.astream(plan, lambda request: self._aone(request, bill, others), speak, off_loop=off_loop)

    def _one(self, request: Any, bill: Bill, others: Callable[[Any], Any]) -> Any:
        return self.answer(request, bill) if isinstance(request, ModelRequest) else others(request)

    async def _aone(self, request: Any, bill: Bill, others: Callable[[Any], Awaitable[Any]]) -> Any:
        if isinstance(request, ModelRequest):
            return await self.aanswer(request, bill)
        return await others(request)

    def answer(self, request: ModelRequest, bill: Bill) -> Any:
        """Answer one request, and add what it cost to a bill.

        Raises:
            ModelError: the model gave no reply; ModelBusy after the last attempt.
            BudgetSpent: the call was not made.
            ValueError: there is no model for the role.
        """
        with _told(request):
            return plans.run(self._answering(request, bill), _do)

    async def aanswer(self, request: ModelRequest, bill: Bill) -> Any:
        """`answer`, on the caller's event loop."""
        with _told(request):
            return await plans.arun(self._answering(request, bill), _ado)

    def stream(self, request: Speak | Say, bill: Bill) -> Generator[str, None, None]:
        """The reply to `Speak` in pieces. Errors as in `answer`; what had come before is in their `said`.

        A busy model is asked again only as long as nothing has come.
        """
        if isinstance(request, Say):
            yield request.text
            return
        with failing.told(request.role):
            (begun, rest), call = plans.run(self._patiently(_Open(self._llm(request.role), request), bill), _do)
            heard = _Heard(request, begun)
            try:
                if heard.text:
                    yield heard.text
                for piece in rest:
                    if text := heard.take(piece):
                        yield text
            except ModelError as error:
                raise heard.broken(error) from error
            finally:
                call.settle(heard.usage)
                if isinstance(rest, Generator):
                    rest.close()
            heard.check()

    async def astream(self, request: Speak | Say, bill: Bill) -> AsyncGenerator[str, None]:
        """`stream`, on the caller's event loop."""
        if isinstance(request, Say):
            yield request.text
            return
        with failing.told(request.role):
            (begun, rest), call = await plans.arun(self._patiently(_Open(self._llm(request.role), request), bill), _ado)
            heard = _Heard(request, begun)
            try:
                if heard.text:
                    yield heard.text
                async for piece in rest:
                    if text := heard.take(piece):
                        yield text
            except ModelError as error:
                raise heard.broken(error) from error
            finally:
                call.settle(heard.usage)
                if isinstance(rest, AsyncGenerator):
                    await rest.aclose()
            heard.check()

    def _answering(self, request: ModelRequest, bill: Bill) -> Plan[Any]:
        match request:
            case Ask():
                return (yield from self._completing(request, bill))
            case Speak():
                reply = yield from self._completing(request, bill)
                _Heard(request, [reply]).check()
                return reply.text
            case Say(text):
                return text
            case Kept(ask, usable):
                kept = self._kept(ask)
                if kept is None or not usable(kept):
                    return None
                self._add(Usage(recalled=1), bill)
                return kept
            case Keep(ask, text):
                self._keep(ask, text)
                return None
            case Spent():
                return bill.usage
            case Window(role):
                return self._llm(role).context_window
            case Who(role):
                return self.name(role)
            case LookUp():
                return (yield request)
            case _:
                assert_never(request)

    def _completing(self, request: Ask | Speak, bill: Bill) -> Plan[Reply]:
        reply, call = yield from self._patiently(_Complete(self._llm(request.role), request), bill)
        call.settle(counted(request, reply))
        return reply  # type: ignore[no-any-return]

    def _patiently(self, step: _Complete | _Open, bill: Bill) -> Plan[tuple[Any, _Call]]:
        """Make a call within the budget, and again while the model is busy; whoever receives it settles it."""
        attempt = 0
        while True:
            attempt += 1
            call = self._begin(step.request, bill)
            try:
                return (yield step), call
            except ModelBusy as busy:
                call.settle()
                if attempt == self._attempts or (busy.retry_after or 0) > LONGEST_WAIT:
                    raise
                seconds = _back_off(attempt) if busy.retry_after is None else busy.retry_after
            except BaseException:
                call.settle()
                raise
            yield _Wait(seconds)

    def _kept(self, ask: Ask) -> str | None:
        """A reply that was kept. A person who waits is answered without, and no documents are paid for twice."""
        try:
            return self._cache.get(self._key(ask)) if self._cache is not None else None
        except BadCache as error:
            if not ask.role.is_waited_for:
                raise
            _logger.warning("no reply was looked for among those that were kept: %s", error)
            return None

    def _keep(self, ask: Ask, text: str) -> None:
        if self._cache is not None:
            try:
                self._cache.put(self._key(ask), text)
            except BadCache as error:  # the reply is paid for and good: better asked again some day than lost now
                _logger.warning("a reply was not kept: %s", error)

    def _llm(self, role: Role) -> LLM:
        if role not in self._llms:
            raise ValueError(f"there is no model for the role {role}; give one, or one model for all roles")
        return self._llms[role]

    def _key(self, ask: Ask) -> str:
        schema = ask.schema.json_schema() if ask.schema is not None else None
        parts = (VERSION, self._llm(ask.role).name, ask.role, ask.messages, schema)
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def _begin(self, request: Ask | Speak, bill: Bill) -> _Call:
        expected = planned(request)
        with self._lock:
            if refusal := self._budget.refusal(self._usage + self._reserved, expected):
                raise BudgetSpent(f"the budget ends here: {refusal}; raise it, and what is done is not done again")
            self._reserved += expected
        return _Call(self, expected, bill)

    def _add(self, usage: Usage, bill: Bill, released: Usage = NOTHING) -> None:
        with self._lock:
            self._reserved -= released
            self._usage += usage
            bill.usage += usage


class _Call:
    """A call that is being made: what it may cost is held back from the budget until it is known what it did cost."""

    def __init__(self, access: ModelAccess, planned: Usage, bill: Bill) -> None:
        self._access, self._planned, self._bill = access, planned, bill

    def settle(self, spent: Usage = FAILED) -> None:
        """It is over, and this is what it cost."""
        self._access._add(spent, self._bill, self._planned)


class _Heard:
    """What of a spoken reply has come so far."""

    def __init__(self, request: Speak, begun: Sequence[Reply]) -> None:
        self._request = request
        self._pieces = list(begun)

    def take(self, piece: Reply) -> str:
        self._pieces.append(piece)
        return piece.text

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self._pieces)

    @property
    def usage(self) -> Usage:
        """What it cost, also where the rest was not waited for."""
        usage = sum((piece.usage for piece in self._pieces), Usage())
        return counted(self._request, Reply(text=self.text, usage=usage))

    def check(self) -> None:
        """Raise ModelError where the reply is none, or did not come to its end."""
        end = next((piece.end for piece in reversed(self._pieces) if piece.end), "")
        if end != "complete":
            raise ModelError(f"the model's answer {_ENDED[end]}", said=self.text)
        if not self.text.strip():
            raise ModelError("the model's answer is empty", said=self.text)

    def broken(self, error: ModelError) -> ModelError:
        """The error, with what came before it."""
        return ModelError(str(error), said=self.text)


_ENDED = {
    "length": "was cut off at the longest that the model writes",
    "refused": "was refused",
    "": "broke off",
}


def _back_off(attempt: int) -> float:
    """Seconds until a model that does not say how long to wait is asked again; not all callers come back at once."""
    return min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** (attempt - 1)) * random.uniform(0.5, 1.0)


def _do(step: _Complete | _Open | _Wait | LookUp) -> Any:
    match step:
        case _Complete(llm, request):
            return llm.complete(request.messages, _schema(request))
        case _Open(llm, request):
            return _begun(llm.stream(request.messages))
        case _Wait(seconds):
            time.sleep(seconds)
        case LookUp(search, query):
            return search(query)


async def _ado(step: _Complete | _Open | _Wait | LookUp) -> Any:
    match step:
        case _Complete(llm, request):
            return await llm.acomplete(request.messages, _schema(request))
        case _Open(llm, request):
            return await _abegun(llm.astream(request.messages))
        case _Wait(seconds):
            await asyncio.sleep(seconds)
        case LookUp(search, query):
            return await asyncio.to_thread(search, query)


def _begun(pieces: Iterator[Reply]) -> tuple[list[Reply], Iterator[Reply]]:
    """A stream's pieces up to the first that says something, and the others.

    Raises:
        ModelBusy: it says nothing, not even that it has ended.
    """
    begun = []
    for piece in pieces:
        begun.append(piece)
        if piece.text:
            break
    return _something(begun), pieces


async def _abegun(pieces: AsyncIterator[Reply]) -> tuple[list[Reply], AsyncIterator[Reply]]:
    begun = []
    async for piece in pieces:
        begun.append(piece)
        if piece.text:
            break
    return _something(begun), pieces


def _something(begun: list[Reply]) -> list[Reply]:
    if not any(piece.text or piece.end for piece in begun):
        raise ModelBusy("the service's answer has neither words nor an end; check its address")
    return begun


def _told(request: ModelRequest) -> AbstractContextManager[None]:
    return failing.told(request.role) if isinstance(request, Ask | Speak) else nullcontext()


def _schema(request: Ask | Speak) -> type[Form] | None:
    return request.schema if isinstance(request, Ask) else None
