"""Which call of a function a step says to make, with which arguments."""

from __future__ import annotations

import ast
import asyncio
import functools
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.thread_core.actions import action
from thread_core.executors import CallableExecutor
from thread_core.executors.callables import RESULT
from thread_core.walk.execution import Action, Outcome, OutcomeKind

Running = Callable[[CallableExecutor, Action], Outcome]


@pytest.fixture(params=["run", "arun"])
def running(request: pytest.FixtureRequest) -> Running:
    if request.param == "run":
        return CallableExecutor.run
    return lambda executor, action: asyncio.run(executor.arun(action))


def restart(service: str, wait: int = 5, force: bool = False) -> str:
    return f"{service!r} {wait!r} {force!r}"


EXECUTOR = CallableExecutor({"restart": restart, "db.ping": lambda: None})


def observed(text: str) -> Outcome:
    return Outcome(kind=OutcomeKind.OBSERVED, text=text)


@pytest.mark.parametrize(
    ("command", "seen"),
    [
        ("restart('db')", "'db' 5 False"),
        ('restart(service="db", wait=9, force=True)', "'db' 9 True"),
        ('restart("db",\n  9)', "'db' 9 False"),
        ("restart --service db --wait 9 --force", "'db' 9 True"),
        ("restart db 9", "'db' 9 False"),
        ("restart --wait=9 db", "'db' 9 False"),
        ("restart 'a b; c'", "'a b; c' 5 False"),
        ("db.ping", "Done."),
        ("db.ping()", "Done."),
    ],
)
def test_a_call_is_made_with_the_arguments_of_the_code(running: Running, command: str, seen: str) -> None:
    assert running(EXECUTOR, action(command)) == observed(seen)


@pytest.mark.parametrize("name", ["<service>", "$SERVICE", "${SERVICE}", "your-service", "<your service>", "service"])
def test_what_the_code_does_not_say_comes_from_the_parameters(running: Running, name: str) -> None:
    assert running(EXECUTOR, action("restart", parameters={name: "db", "other": "x"})) == observed("'db' 5 False")
    said = action("restart --service web", parameters={name: "db", "<wait>": "7"})
    assert running(EXECUTOR, said) == observed("'web' 7 False")


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("reboot", "there is no tool called reboot"),
        ("restart", "restart needs the argument service, whose value is not known"),
        ("restart()", "restart needs the argument service, whose value is not known"),
        ("restart('db', when='now')", "restart takes no argument when"),
        ("restart db --when now", "restart takes no argument when"),
        ("restart('db', 1, True, 4)", "restart takes 3 arguments, got 4"),
        ("restart('db', service='web')", "the argument service occurs twice"),
        ("restart --service db --service web", "the argument service occurs twice"),
        ("restart('db', wait='soon')", "the argument wait of restart does not fit: Input should be a valid integer"),
        ("restart(7)", "the argument service of restart does not fit: Input should be a valid string"),
        ("restart(open('x'))", "the arguments of restart are not all plain values"),
        ("restart('a' + 'b')", "the arguments of restart are not all plain values"),
        ("restart(f'{1}')", "the arguments of restart are not all plain values"),
        ("restart(*['db'])", "the arguments of restart are not all plain values"),
        ("restart(**{'service': 'db'})", "restart takes no argument **"),
        ("restart(", "it contains (, which has a meaning in a shell"),
        ("restart(" + "(" * 3000 + ")", "the code is not a single call of restart"),
        ("restart('db')('web')", "the code is not a single call of restart"),
        ("restart('db') or restart('web')", "the code is not a single call of restart"),
        ("restart('db').upper()", "the code is not a single call of restart"),
        ("restart('db'); restart('web')", "the code is not a single call of restart"),
        ("restart db; reboot", "it contains ;, which has a meaning in a shell"),
        ("restart -s db", "found -s, expected an argument by name"),
        ("restart db --", "found --, expected an argument by name"),
        ("__import__('os').system('true')", "there is no tool called __import__"),
        ("restart.__globals__()", "there is no tool called restart.__globals__"),
        ("restart('" + "x" * 5000 + "')", "the code has 5,011 characters, more than 4,096"),
    ],
)
def test_whatever_else_the_code_says_is_handed_over(running: Running, command: str, reason: str) -> None:
    outcome = running(EXECUTOR, action(command))
    assert outcome.kind is OutcomeKind.HANDED
    assert outcome.text.startswith(f"Not run: {reason}")


@pytest.mark.parametrize(
    "argument",
    [
        *("'<db.name>'", "'<db name|all>'", "'now: <table>'", "'{db}'", "'{{ db }}'", "'${db}'", "'$(db)'", "'[db]'"),
        *("'...'", "'your-db'", "'%DB%'", "'@DB@'", "'XXX'", "'DB_NAME'", "'SERVICE'", "'MY_SERVICE'"),
    ],
)
def test_what_a_reader_has_to_fill_in_is_no_argument(running: Running, argument: str) -> None:
    outcome = running(EXECUTOR, action(f"restart({argument})"))
    assert outcome.kind is OutcomeKind.HANDED
    assert outcome.text == f"Not run: the value of {argument}, the argument service of restart, is not known."
    said = action("restart", parameters={"service": ast.literal_eval(argument)})
    assert running(EXECUTOR, said) == outcome
    deep = running(CallableExecutor({"look": lambda lamps: lamps}), action(f"look({{'a': [{argument}]}})"))
    assert (deep.kind is OutcomeKind.HANDED) == (argument != "'SERVICE'")


@pytest.mark.parametrize(
    "value",
    ["DB", "MAX_CONNECTIONS", "{}", '{"a": 1}', "a{3}", "x < 3 and y > 4", "$5", "100%", "a@b.c", "Wait... the ID"],
)
def test_what_only_resembles_it_is_one(running: Running, value: str) -> None:
    assert running(EXECUTOR, action(f"restart({value!r})")) == observed(f"{value!r} 5 False")


def test_steps_without_one_call_are_handed_over(running: Running) -> None:
    assert running(EXECUTOR, action()) == Outcome(kind=OutcomeKind.HANDED)
    two = running(EXECUTOR, action("restart db", "restart web"))
    assert two.text == "Not run: the step has 2 commands, and only one can be run at a time."
    unknown = running(EXECUTOR, action("restart <service>", missing=("<service>",)))
    assert unknown.text == "Not run: the value of <service> is not known."


def test_a_person_is_asked_of_some_of_them(running: Running) -> None:
    called: list[str] = []

    def drop(service: str) -> None:
        called.append(service)

    executor = CallableExecutor({"restart": drop, "ping": lambda: "ok"}, ask=["restart"])
    first = action("restart", parameters={"<service>": "db"})
    assert running(executor, first) == Outcome(kind=OutcomeKind.APPROVAL, text="Run this?\n\n    restart(service='db')")
    other = action("restart", parameters={"<service>": "web"}, approved=first.digest)
    assert running(executor, other).kind is OutcomeKind.APPROVAL
    assert called == []
    assert running(executor, action("restart", parameters={"<service>": "db"}, approved=first.digest)).text
    assert called == ["db"]
    assert running(executor, action("ping")) == observed("ok")
    warned = action("ping", needs=("Warning: It is loud.",))
    assert running(executor, warned).kind is OutcomeKind.APPROVAL
    assert running(executor, warned.model_copy(update={"approved": warned.digest})) == observed("ok")
    with pytest.raises(ValueError, match="expected names of the tools"):
        CallableExecutor({}, ask=["ping"])


@pytest.mark.parametrize(
    ("result", "text"),
    [
        ("green", "green"),
        (3, "3"),
        (["a", {"b": {1}}], '["a", {"b": "{1}"}]'),
        ("x" * (RESULT + 1), "x" * RESULT + "\n... (1 characters more)"),
    ],
)
def test_a_result_is_text(running: Running, result: Any, text: str) -> None:
    assert running(CallableExecutor({"look": lambda: result}), action("look")) == observed(text)


def test_what_a_partial_has_set_no_document_sets(running: Running) -> None:
    executor = CallableExecutor({"restart": functools.partial(restart, wait=9)})
    assert running(executor, action("restart db", parameters={"<wait>": "1"})) == observed("'db' 9 False")
    assert running(executor, action("restart db --wait 1")).text == "Not run: restart takes no argument wait."


async def test_a_coroutine_function_is_awaited() -> None:
    async def look(lamp: int) -> str:
        await asyncio.sleep(0)
        return f"lamp {lamp}"

    executor = CallableExecutor({"look": look})
    assert await executor.arun(action("look 3")) == observed("lamp 3")
    assert executor.run(action("look 3")).text == "Not run: look is async, and cannot be called from sync code."


def test_annotations_that_say_nothing_take_anything(running: Running) -> None:
    class Lamp:
        pass

    def look(lamp: Lamp, colour: Unknown = None, *more: str, **others: str) -> str:  # type: ignore[name-defined]  # noqa: F821
        return f"{lamp} {colour}"

    assert running(CallableExecutor({"look": look}), action("look a b")) == observed("a b")
    assert running(CallableExecutor({"look": look}), action("look a --x b")).kind is OutcomeKind.HANDED


def test_what_is_no_tool_is_named() -> None:
    def look(lamp: str, /) -> None: ...

    with pytest.raises(TypeError, match="look takes lamp only by position"):
        CallableExecutor({"look": look})
    with pytest.raises(TypeError, match="found 3, expected a function or a framework's tool"):
        CallableExecutor({"look": 3})


ARGUMENT = st.sampled_from(["'db'", "service='db'", "--service db", "db", "--service=db"])
MORE = st.sampled_from([*",*[]()+. 1", "()", "**", " 'db'", "--service ", "service="])


@given(st.sampled_from(["restart({})", "restart {}"]), ARGUMENT, st.lists(MORE, max_size=1))
def test_whatever_the_code_only_plain_values_reach_a_function(code: str, argument: str, more: list[str]) -> None:
    seen: list[Any] = []

    def only(service: str) -> None:
        seen.append(service)

    CallableExecutor({"restart": only}).run(action(code.format(argument + "".join(more))))
    assume(seen)
    assert all(type(value) is str for value in seen)
