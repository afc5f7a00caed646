"""Asking models: with patience where they are busy, within a budget, and with every token counted.

`ModelAccess` answers the requests of `thread_core.llm.asking`. It is safe to share between threads and event loops.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping
from contextlib import AbstractContextManager, AsyncExitStack, ExitStack, aclosing, closing, nullcontext
from functools import partial
from typing import Any, NoReturn, TypeVar, assert_never

from thread_core import plan as plans
from thread_core.errors import BadCache, BudgetSpent
from thread_core.llm import failing
from thread_core.llm.asking import Ask, Keep, Kept, LookUp, ModelRequest, Role, Say, Speak, Spent, Who, Window
from thread_core.llm.calls import ATTEMPTS, Calls, aaloud, ado, aloud, do
from thread_core.llm.costs import Bill, Budget
from thread_core.plan import Plan
from thread_core.ports import LLM, ReplyCache, Usage

T = TypeVar("T")

_logger = logging.getLogger(__name__)

VERSION = 1
"""Of what is asked and how replies are read; a kept reply of another version is not taken."""


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
            raise ValueError(f"found attempts={attempts}, expected at least 1")
        self._llms: Mapping[Role, LLM] = llm if isinstance(llm, Mapping) else dict.fromkeys(Role, llm)
        self._cache = cache
        self._calls = Calls(budget or Budget(), attempts)

    def __reduce__(self) -> NoReturn:
        """Stay in this process.

        Raises:
            TypeError: it is to be pickled, or copied.
        """
        raise TypeError(
            "models cannot be pickled or deep-copied, because a budget, a cache and a connection cannot be shared"
            " with another process; make the model again there"
        )

    @property
    def usage(self) -> Usage:
        """What all calls have cost so far."""
        return self._calls.usage

    def name(self, role: Role) -> str | None:
        """The name of the model that has a role; None where none has it."""
        return self._llms[role].name if role in self._llms else None

    def settings(self, role: Role) -> str:
        """What tells the model of a role from the same one set up otherwise; empty where none has it."""
        return self._llms[role].settings if role in self._llms else ""

    def run(self, plan: Plan[T], others: Callable[[Any], Any] = nobody) -> T:
        """Drive a plan to its end; what it asks of no model is for `others` to answer.

        Raises, inside the plan at the request:
            ModelError: the model gave no reply; ModelBusy after the last attempt.
            BudgetSpent: the call was not made.
            ValueError: there is no model for the role.
        """
        return plans.run(plan, partial(self._answer, Bill(), others))

    async def arun(
        self, plan: Plan[T], others: Callable[[Any], Awaitable[Any]] = anobody, *, off_loop: bool = False
    ) -> T:
        """`run`, on the caller's event loop; a plan that blocks by itself is driven off it."""
        return await plans.arun(plan, partial(self._aanswer, Bill(), others), off_loop=off_loop)

    def tell(self, plan: Plan[T], others: Callable[[Any], Any] = nobody) -> Generator[str | T, None, None]:
        """`run`, with what the plan says to the person in pieces as it comes, and its result last.

        A busy model is asked again only as long as nothing has come; what had come is in an error's `said`.
        """
        bill = Bill()
        return plans.stream(plan, partial(self._answer, bill, others), partial(self._stream, bill))

    def atell(
        self, plan: Plan[T], others: Callable[[Any], Awaitable[Any]] = anobody, *, off_loop: bool = False
    ) -> AsyncGenerator[str | T, None]:
        """`tell`, on the caller's event loop; a plan that blocks by itself is driven off it."""
        bill = Bill()
        answer, speak = partial(self._aanswer, bill, others), partial(self._astream, bill)
        return plans.astream(plan, answer, speak, off_loop=off_loop)

    def _answer(self, bill: Bill, others: Callable[[Any], Any], request: Any) -> Any:
        if not isinstance(request, ModelRequest):
            return others(request)
        with _told(request):
            return plans.run(self._answering(request, bill), do)

    async def _aanswer(self, bill: Bill, others: Callable[[Any], Awaitable[Any]], request: Any) -> Any:
        if not isinstance(request, ModelRequest):
            return await others(request)
        with _told(request):
            return await plans.arun(self._answering(request, bill), ado)

    def _stream(self, bill: Bill, request: Any) -> Generator[str, None, None] | None:
        """The pieces of what is said to the person; None of any other request."""
        return self._said(bill, request) if isinstance(request, Speak | Say) else None

    def _astream(self, bill: Bill, request: Any) -> AsyncGenerator[str, None] | None:
        return self._asaid(bill, request) if isinstance(request, Speak | Say) else None

    def _said(self, bill: Bill, request: Speak | Say) -> Generator[str, None, None]:
        with _told(request), ExitStack() as opened:
            saying = plans.stream(self._speaking(request, bill), partial(do, opened=opened), aloud)
            yield from (text for text in opened.enter_context(closing(saying)) if text is not None)

    async def _asaid(self, bill: Bill, request: Speak | Say) -> AsyncGenerator[str, None]:
        with _told(request):
            async with AsyncExitStack() as opened:
                saying = plans.astream(self._speaking(request, bill), partial(ado, opened=opened), aaloud)
                async for text in await opened.enter_async_context(aclosing(saying)):
                    if text is not None:
                        yield text

    def _answering(self, request: ModelRequest, bill: Bill) -> Plan[Any]:
        match request:
            case Ask() | Speak():
                reply = yield from self._within_budget(self._calls.complete(self._llm(request.role), request, bill))
                return reply if isinstance(request, Ask) else reply.text
            case Say(text):
                return text
            case Kept(ask, usable):
                kept = self._kept(ask)
                if kept is None or not usable(kept):
                    return None
                self._calls.add(Usage(recalled=1), bill)
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

    def _speaking(self, request: Speak | Say, bill: Bill) -> Plan[None]:
        if isinstance(request, Say):
            yield request
        else:
            yield from self._within_budget(self._calls.speak(self._llm(request.role), request, bill))

    def _within_budget(self, call: Plan[T]) -> Plan[T]:
        """A call, with what to do where the budget ends."""
        try:
            return (yield from call)
        except BudgetSpent as error:
            advice = "raise it; with cache=SqliteReplyCache(path), finished calls would cost nothing"
            if self._cache is not None:
                advice = "raise it; cached replies cost nothing"
            raise BudgetSpent(f"the budget is spent: {error}; {advice}") from None

    def _kept(self, ask: Ask) -> str | None:
        """A reply that was kept. A person who waits is answered without, and no documents are paid for twice."""
        try:
            return self._cache.get(self._key(ask)) if self._cache is not None else None
        except BadCache as error:
            if not ask.role.is_waited_for:
                raise
            _logger.warning("could not read the cache of replies: %s", error)
            return None

    def _keep(self, ask: Ask, text: str) -> None:
        if self._cache is not None:
            try:
                self._cache.put(self._key(ask), text)
            except BadCache as error:  # the reply is paid for and good: better asked again some day than lost now
                _logger.warning("could not write a reply to the cache: %s", error)

    def _llm(self, role: Role) -> LLM:
        if role not in self._llms:
            raise ValueError(f"there is no model for the role {role}; pass one, or one model for all roles")
        return self._llms[role]

    def _key(self, ask: Ask) -> str:
        llm = self._llm(ask.role)
        schema = ask.schema.json_schema() if ask.schema is not None else None
        parts = (VERSION, llm.name, llm.settings, ask.role, ask.messages, schema)
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _told(request: ModelRequest) -> AbstractContextManager[None]:
    return failing.told(request.role) if isinstance(request, Ask | Speak) else nullcontext()
