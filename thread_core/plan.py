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

from collections.abc import Awaitable, Callable, Generator
from typing import Any, TypeVar

T = TypeVar("T")

Plan = Generator[Any, Any, T]
"""Yields requests (`thread_core.library` lists them), receives their answers, returns a T."""


def run(plan: Plan[T], answer: Callable[[Any], Any]) -> T:
    """Drive a plan to its end; an error of `answer` is raised inside the plan, at the request."""
    try:
        request = next(plan)
        while True:
            try:
                reply = answer(request)
            except Exception as error:
                request = plan.throw(error)
            else:
                request = plan.send(reply)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]


async def arun(plan: Plan[T], answer: Callable[[Any], Awaitable[Any]]) -> T:
    """`run` for a coroutine function."""
    try:
        request = next(plan)
        while True:
            try:
                reply = await answer(request)
            except Exception as error:
                request = plan.throw(error)
            else:
                request = plan.send(reply)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
