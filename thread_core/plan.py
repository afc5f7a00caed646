"""Logic that never awaits.

A *plan* is a generator that yields a request and receives its answer. `run` and `arun` drive it, so every
algorithm is written once and serves callers with and without an event loop:

    def count_hits(words: str) -> Plan[int]:
        hits = yield SearchWords(words, 5)
        return len(hits)

    library.run(count_hits("disk full"))
    await library.arun(count_hits("disk full"))

A plan that uses another one says `result = yield from other_plan(...)`.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, closing, suppress
from contextvars import copy_context
from functools import cache, partial
from typing import Any, TypeVar, cast

T = TypeVar("T")

Plan = Generator[Any, Any, T]
"""Yields requests (`thread_core.store.library` lists them), receives their answers, returns a T."""


def run(plan: Plan[T], answer: Callable[[Any], Any]) -> T:
    """Drive a plan to its end; an error of `answer` is raised inside the plan, at the request."""
    (result,) = stream(plan, answer, _silent)
    return cast(T, result)


async def arun(plan: Plan[T], answer: Callable[[Any], Awaitable[Any]], *, off_loop: bool = False) -> T:
    """`run` for a coroutine function; `off_loop` as in `astream`."""
    (result,) = [end async for end in astream(plan, answer, _silent, off_loop=off_loop)]
    return cast(T, result)


def _silent(request: Any) -> None:
    """Nothing is said while a plan runs."""


def stream(
    plan: Plan[T], answer: Callable[[Any], Any], speak: Callable[[Any], Generator[str, None, None] | None]
) -> Generator[str | T, None, None]:
    """Drive a plan, pass on in pieces what it has said to the person, and give its result last.

    `speak` gives the pieces that answer a request, or None for one that `answer` answers. The plan receives the whole.
    Where the caller stops early, the pieces and the plan are closed at once.
    """
    try:
        request = next(plan)
        while True:
            try:
                pieces = speak(request)
                if pieces is None:
                    reply = answer(request)
                else:
                    said = []
                    with closing(pieces):
                        for piece in pieces:
                            said.append(piece)
                            yield piece
                    reply = "".join(said)
            except Exception as error:
                request = plan.throw(error)
            else:
                request = plan.send(reply)
    except StopIteration as end:
        yield end.value
    finally:
        plan.close()


async def astream(
    plan: Plan[T],
    answer: Callable[[Any], Awaitable[Any]],
    speak: Callable[[Any], AsyncGenerator[str, None] | None],
    *,
    off_loop: bool = False,
) -> AsyncGenerator[str | T, None]:
    """`stream` for an async generator.

    Args:
        plan: What is driven.
        answer: Answers a request.
        speak: As in `stream`.
        off_loop: Whether the plan itself blocks, and is driven in a thread from one request to the next.
    """
    step = in_a_thread if off_loop else _here
    advance = partial(next, plan)
    try:
        while True:
            is_end, yielded = await step(_advanced, advance)
            if is_end:
                yield yielded
                return
            try:
                pieces = speak(yielded)
                if pieces is None:
                    reply = await answer(yielded)
                else:
                    said = []
                    async with aclosing(pieces):
                        async for piece in pieces:
                            said.append(piece)
                            yield piece
                    reply = "".join(said)
            except Exception as error:
                advance = partial(plan.throw, error)
            else:
                advance = partial(plan.send, reply)
    finally:
        _close(plan)


def _advanced(advance: Callable[[], Any]) -> tuple[bool, Any]:
    """A plan's next request, or that it has ended and its result: StopIteration cannot leave a thread."""
    try:
        return False, advance()
    except StopIteration as end:
        return True, end.value


async def in_a_thread(call: Callable[..., T], *given: Any) -> T:
    """`asyncio.to_thread`, in threads that are none of the event loop's.

    Those are few, and all of an application's. A store that hangs keeps its threads, and so it keeps none of them.
    """
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_threads(os.getpid()), copy_context().run, call, *given)


@cache
def _threads(process: int) -> ThreadPoolExecutor:
    """The threads of a process; one that was forked has none of those that it was forked with."""
    return ThreadPoolExecutor(thread_name_prefix="thread-rag")


async def _here(advanced: Callable[..., Any], *given: Any) -> Any:
    return advanced(*given)


def _close(plan: Plan[Any]) -> None:
    """Close a plan; where its caller was cancelled, a thread may be at it still, and it ends there."""
    with suppress(ValueError):
        plan.close()


def answered(plan: Plan[T], answer: Callable[[Any], Any], mine: Callable[[Any], bool]) -> Plan[T]:
    """A plan some of whose requests are answered on the spot."""
    return decided(plan, lambda request: given(answer(request)) if mine(request) else None)


def given(value: T) -> Plan[T]:
    """A plan that asks for nothing."""
    yield from ()
    return value


def decided(plan: Plan[T], decide: Callable[[Any], Plan[Any] | None]) -> Plan[T]:
    """A plan some of whose requests are answered by other plans: those for which `decide` gives one."""
    try:
        request = next(plan)
        while True:
            try:
                decision = decide(request)
                reply = (yield request) if decision is None else (yield from decision)
            except Exception as error:
                request = plan.throw(error)
            else:
                request = plan.send(reply)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
    finally:
        plan.close()
