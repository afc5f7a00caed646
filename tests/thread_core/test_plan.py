import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from thread_core.plan import Plan, arun, run


def drive(plan: Plan[Any], answer: Callable[[Any], Any], how: str) -> Any:
    """`run`, or `arun` with the answers awaited: what holds for one holds for the other."""
    if how == "run":
        return run(plan, answer)

    async def later(request: Any) -> Any:
        await asyncio.sleep(0)
        return answer(request)

    awaiting: Callable[[Any], Awaitable[Any]] = later
    return asyncio.run(arun(plan, awaiting))


hows = pytest.mark.parametrize("how", ["run", "arun"])


def add(one: str, other: str) -> Plan[int]:
    first = yield one
    second = yield other
    return first + second


@hows
def test_a_plan_receives_the_answers_to_its_requests(how: str) -> None:
    assert drive(add("one", "three"), len, how) == 8


@hows
def test_a_plan_may_ask_for_nothing(how: str) -> None:
    def nothing() -> Plan[str]:
        return "done"
        yield

    assert drive(nothing(), len, how) == "done"


@hows
def test_a_plan_may_use_another(how: str) -> None:
    def twice() -> Plan[int]:
        return 2 * (yield from add("a", "bc"))

    assert drive(twice(), len, how) == 6


@hows
def test_an_error_is_raised_at_the_request(how: str) -> None:
    def careful() -> Plan[str]:
        try:
            yield "bad"
        except ValueError as error:
            return f"caught {error}, then {(yield 'good')}"
        return "not reached"

    def answer(request: str) -> str:
        if request == "bad":
            raise ValueError("it")
        return request

    assert drive(careful(), answer, how) == "caught it, then good"


@hows
def test_an_error_that_the_plan_does_not_catch_reaches_the_caller(how: str) -> None:
    def answer(request: str) -> str:
        raise KeyError(request)

    with pytest.raises(KeyError, match="one"):
        drive(add("one", "two"), answer, how)


@hows
def test_a_plan_s_own_error_reaches_the_caller(how: str) -> None:
    def broken() -> Plan[None]:
        yield "x"
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        drive(broken(), len, how)
