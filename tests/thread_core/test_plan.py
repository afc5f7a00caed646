import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import aclosing
from typing import Any

import pytest

from thread_core.plan import Plan, arun, astream, run, stream


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


# -- streaming -----------------------------------------------------------------------------------------------------


class Words:
    """Speaks a request that begins with `say `, word by word; notes what was closed, and when."""

    def __init__(self) -> None:
        self.log: list[str] = []

    def speak(self, request: str) -> Generator[str, None, None] | None:
        return self._words(request) if request.startswith("say ") else None

    def aspeak(self, request: str) -> AsyncGenerator[str, None] | None:
        return self._awords(request) if request.startswith("say ") else None

    def _words(self, request: str) -> Generator[str, None, None]:
        try:
            for word in request.split()[1:]:
                if word == "break":
                    raise ConnectionError("broke off")
                yield word
        finally:
            self.log.append("pieces closed")

    async def _awords(self, request: str) -> AsyncGenerator[str, None]:
        try:
            for word in request.split()[1:]:
                if word == "break":
                    raise ConnectionError("broke off")
                yield word
        finally:
            self.log.append("pieces closed")


def streamed(plan: Plan[Any], answer: Callable[[Any], Any], how: str, words: Words, most: int = 100) -> list[Any]:
    """What `stream` or `astream` gives, at most so much of it before the caller leaves."""
    if how == "run":
        pieces = stream(plan, answer, words.speak)
        taken = [piece for piece, _ in zip(pieces, range(most), strict=False)]
        pieces.close()
        return taken

    async def later(request: Any) -> Any:
        await asyncio.sleep(0)
        return answer(request)

    async def take() -> list[Any]:
        taken = []
        async with aclosing(astream(plan, later, words.aspeak)) as pieces:
            async for piece in pieces:
                taken.append(piece)
                if len(taken) == most:
                    break
        return taken

    return asyncio.run(take())


def conversation(log: list[str]) -> Plan[tuple[int, str]]:
    try:
        number = yield "look"
        try:
            said = yield "say one two three"
        except ConnectionError as error:
            said = f"not {error}"
        return number, said
    finally:
        log.append("plan closed")


@hows
def test_a_stream_gives_what_is_said_in_pieces_and_the_result_last(how: str) -> None:
    words = Words()
    assert streamed(conversation(words.log), len, how, words) == ["one", "two", "three", (4, "onetwothree")]
    assert words.log == ["pieces closed", "plan closed"]


@hows
def test_a_stream_that_breaks_off_is_the_plan_s_to_mend(how: str) -> None:
    words = Words()

    def plan() -> Plan[str]:
        try:
            yield "say one break"
        except ConnectionError as error:
            return f"{error}, then {(yield 'say again')}"
        return "not reached"

    assert streamed(plan(), len, how, words) == ["one", "again", "broke off, then again"]


@hows
def test_a_listener_who_leaves_closes_the_pieces_and_then_the_plan(how: str) -> None:
    words = Words()
    assert streamed(conversation(words.log), len, how, words, most=1) == ["one"]
    assert words.log == ["pieces closed", "plan closed"]


@hows
def test_an_error_of_a_streamed_plan_reaches_the_listener(how: str) -> None:
    def answer(request: str) -> str:
        raise KeyError(request)

    words = Words()
    with pytest.raises(KeyError, match="look"):
        streamed(conversation(words.log), answer, how, words)
    assert words.log == ["plan closed"]


class Stopped(BaseException):
    """As an interrupt from the keyboard: no answer, and no error of one."""


@hows
def test_a_plan_that_is_stopped_is_closed(how: str) -> None:
    def answer(request: str) -> str:
        raise Stopped

    log: list[str] = []
    with pytest.raises(Stopped):
        drive(conversation(log), answer, how)
    assert log == ["plan closed"]
