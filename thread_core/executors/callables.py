"""Calls Python functions and framework tools that a step names: `restart_service(service="db")`.

The names are the caller's; documents only choose among them. Arguments are literals in the code, never evaluated, and
the values of the step's parameters.
"""

from __future__ import annotations

import ast
import asyncio
import functools
import inspect
import json
import re
import typing
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic.errors import PydanticUserError

from thread_core.executors.redacting import without_secrets
from thread_core.executors.words import LONGEST, Refused, has_placeholder, words_of
from thread_core.walk.execution import Action, Outcome, OutcomeKind, failed, unordered

RESULT = 20_000
"""Characters of a result that are kept."""

_CALL = re.compile(r"\s*(?P<name>[\w.-]+)\s*(?P<arguments>\(.*\))\s*", re.DOTALL)
_NOT_IN_A_NAME = re.compile(r"[^a-z0-9]+")


class _Parameter(NamedTuple):
    """What a tool takes under a name."""

    kind: Any
    """Its annotation."""
    required: bool


class _Tool(NamedTuple):
    """A function or a framework's tool, in one form."""

    parameters: Mapping[str, _Parameter]
    call: Callable[..., Any] | None
    """Called with arguments by name; None where it has to be awaited."""
    acall: Callable[..., Any] | None
    """The same, awaited; None where it has no such form."""


class _Call(NamedTuple):
    """A tool with its arguments."""

    name: str
    tool: _Tool
    arguments: dict[str, Any]

    @property
    def text(self) -> str:
        return f"{self.name}({', '.join(f'{name}={value!r}' for name, value in self.arguments.items())})"


class CallableExecutor:
    """Calls the tool that a step names, if it names one alone and its arguments fit; hands all else to the person.

    Understood are `restart`, `restart("db")`, `restart(service="db")` and `restart --service db`. What the code does
    not say is taken from the step's parameters of the same name (`<service>`, `$SERVICE`).

    Example:
        >>> executor = CallableExecutor({"restart": lambda service: f"{service} is up"})
        >>> executor.run(action).text  # of a step with `restart --service db` in a fenced block of a shell
        'db is up'
    """

    def __init__(
        self,
        tools: Mapping[str, Any],
        *,
        ask: Collection[str] = (),
        redact: Callable[[str], str] = without_secrets,
    ) -> None:
        """Read the tools' signatures.

        Args:
            tools: By the name that documents use: functions (coroutine functions are called by `arun` alone), LangChain
                tools or LlamaIndex tools.
            ask: Names of those of which a person is asked before each call.
            redact: What a result goes through before anybody sees or keeps it, and what is said of an error. `str`
                leaves it as it is.

        Raises:
            TypeError: one is neither, takes parameters by position alone, or needs what only LangGraph injects.
        """
        self._tools = {name: _tool(name, tool) for name, tool in tools.items()}
        self._ask = frozenset(ask)
        self._redact = redact
        if unknown := self._ask - self._tools.keys():
            raise ValueError(
                f"found {', '.join(sorted(unknown))} among those that need approval, expected names of the tools"
            )

    def run(self, action: Action) -> Outcome:
        """Call the tool, ask for it, or hand the step over."""
        call = self._call(action)
        if isinstance(call, Outcome):
            return call
        if call.tool.call is None:
            return _handed(f"{call.name} is async, and cannot be called from sync code")
        try:
            return self._outcome(call.tool.call(**call.arguments))
        except Exception as error:
            return self._failed(error)

    async def arun(self, action: Action) -> Outcome:
        """`run`, in which a tool that can be awaited is, and any other is called in a thread."""
        call = self._call(action)
        if isinstance(call, Outcome):
            return call
        try:
            if call.tool.acall is not None:
                return self._outcome(await call.tool.acall(**call.arguments))
            assert call.tool.call is not None
            return self._outcome(await asyncio.to_thread(call.tool.call, **call.arguments))
        except Exception as error:
            return self._failed(error)

    def _outcome(self, result: Any) -> Outcome:
        """What a tool gave, as text; a result that says of itself that it is an error is a failure."""
        kind = OutcomeKind.FAILED if getattr(result, "is_error", False) else OutcomeKind.OBSERVED
        content = getattr(result, "content", result)
        text = self._redact(content if isinstance(content, str) else _written(content))
        more = len(text) - RESULT
        return Outcome(kind=kind, text=f"{text[:RESULT]}\n... ({more:,} characters more)" if more > 0 else text)

    def _failed(self, error: Exception) -> Outcome:
        outcome = failed(error)
        return outcome.model_copy(update={"text": self._redact(outcome.text)})

    def _call(self, action: Action) -> _Call | Outcome:
        if not action.commands:
            return unordered(action)
        try:
            call = self._read(action)
        except Refused as refused:
            return _handed(str(refused))
        if (action.needs or call.name in self._ask) and not action.is_approved:
            return Outcome(kind=OutcomeKind.APPROVAL, text=f"Run this?\n\n    {call.text}")
        return call

    def _read(self, action: Action) -> _Call:
        """The one call that a step says to make."""
        if len(action.commands) > 1:
            raise Refused(f"the step has {len(action.commands)} commands, and only one can be run at a time")
        [command] = action.commands
        if missing := next((name for name in action.missing if name in command), None):
            raise Refused(f"the value of {missing} is not known")
        if len(command) > LONGEST:
            raise Refused(f"the code has {len(command):,} characters, more than {LONGEST:,}")
        written = _CALL.fullmatch(command)
        name, *words = [written["name"]] if written else words_of(command)
        tool = self._tools.get(name)
        if tool is None:
            raise Refused(f"there is no tool called {name}")
        positional, named = _literals(name, written["arguments"]) if written else _options(words)
        return _Call(name, tool, _arguments(name, tool, positional, named, action.parameters))


def _options(words: Sequence[str]) -> tuple[list[Any], dict[str, Any]]:
    """The arguments of a command: words by position, options by name."""
    left = list(words)
    positional: list[Any] = []
    named: dict[str, Any] = {}
    while left:
        word = left.pop(0)
        option, equals, value = word.removeprefix("--").partition("=")
        if not word.startswith("-"):
            positional.append(word)
        elif not word.startswith("--") or not option:
            raise Refused(f"found {word}, expected an argument by name, such as --service")
        else:
            is_flag = not equals and (not left or left[0].startswith("-"))
            _put(named, option.replace("-", "_"), value if equals else True if is_flag else left.pop(0))
    return positional, named


def _literals(name: str, arguments: str) -> tuple[list[Any], dict[str, Any]]:
    """The arguments of a call in Python's form, all of them literals."""
    try:
        call = ast.parse(f"f{arguments}", mode="eval").body
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        call = None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        raise Refused(f"the code is not a single call of {name}")
    named: dict[str, Any] = {}
    try:
        for keyword in call.keywords:
            _put(named, keyword.arg or "**", ast.literal_eval(keyword.value))
        return [ast.literal_eval(value) for value in call.args], named
    except (ValueError, TypeError, MemoryError, RecursionError):
        raise Refused(f"the arguments of {name} are not all plain values") from None


def _put(named: dict[str, Any], name: str, value: Any) -> None:
    if name in named:
        raise Refused(f"the argument {name} occurs twice")
    named[name] = value


def _arguments(
    name: str, tool: _Tool, positional: list[Any], named: dict[str, Any], values: Mapping[str, str]
) -> dict[str, Any]:
    """The arguments by name, each as its parameter wants it."""
    if len(positional) > len(tool.parameters):
        raise Refused(f"{name} takes {len(tool.parameters)} arguments, got {len(positional)}")
    given: dict[str, Any] = {}
    for parameter, value in [*zip(tool.parameters, positional, strict=False), *named.items()]:
        _put(given, parameter, value)
    if unknown := [parameter for parameter in given if parameter not in tool.parameters]:
        raise Refused(f"{name} takes no argument {unknown[0]}")
    said = {_plain(parameter): value for parameter, value in values.items()}
    known = {parameter: said[_plain(parameter)] for parameter in tool.parameters if _plain(parameter) in said} | given
    if unfilled := [key for key, value in known.items() if any(has_placeholder(text, key) for text in _texts(value))]:
        raise Refused(f"the value of {known[unfilled[0]]!r}, the argument {unfilled[0]} of {name}, is not known")
    if missing := [key for key, parameter in tool.parameters.items() if parameter.required and key not in known]:
        raise Refused(f"{name} needs the argument {missing[0]}, whose value is not known")
    return {key: _fitting(name, key, value, tool.parameters[key].kind) for key, value in known.items()}


def _texts(value: Any) -> Iterator[str]:
    """The texts in a literal."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _texts([*value, *value.values()])
    elif isinstance(value, list | tuple | set):
        for part in value:
            yield from _texts(part)


def _plain(name: str) -> str:
    """A parameter's name however it is written: `<your-service>`, `$SERVICE` and `service` are one."""
    return _NOT_IN_A_NAME.sub("_", name.lower()).strip("_").removeprefix("your_")


def _fitting(name: str, parameter: str, value: Any, kind: Any) -> Any:
    """A value as its annotation wants it: the text "3" is the number where one is wanted."""
    try:
        wanted: TypeAdapter[Any] = TypeAdapter(kind)
    except PydanticUserError:  # an annotation that says nothing to pydantic
        return value
    try:
        return wanted.validate_python(value)
    except ValidationError as error:
        raise Refused(f"the argument {parameter} of {name} does not fit: {error.errors()[0]['msg']}") from None


# -- functions and tools -----------------------------------------------------------------------------------------------


def _tool(name: str, tool: Any) -> _Tool:
    """A function or a framework's tool in one form. The frameworks are known by what their tools have."""
    if callable(getattr(tool, "invoke", None)) and hasattr(tool, "tool_call_schema"):  # LangChain
        return _Tool(
            _settable(name, tool),
            lambda **arguments: tool.invoke(arguments),
            lambda **arguments: tool.ainvoke(arguments),
        )
    if callable(getattr(tool, "call", None)) and hasattr(tool, "metadata"):  # LlamaIndex
        return _Tool(_fields(tool.metadata.fn_schema), tool.call, getattr(tool, "acall", None))
    if not callable(tool):
        raise TypeError(f"{name}: found {tool!r}, expected a function or a framework's tool")
    parameters = dict(_parameters(name, tool))
    return _Tool(parameters, None, tool) if inspect.iscoroutinefunction(tool) else _Tool(parameters, tool, None)


def _settable(name: str, tool: Any) -> dict[str, _Parameter]:
    """The parameters of a LangChain tool that a model may set; the injected ones are the host's."""
    parameters = _fields(tool.tool_call_schema)
    for hidden, field in tool.get_input_schema().model_fields.items():
        if hidden not in parameters and field.is_required():
            raise TypeError(f"{name} needs the argument {hidden}, which is injected; pass a function that sets it")
    return parameters


def _fields(schema: Any) -> dict[str, _Parameter]:
    """The parameters that a pydantic model describes."""
    if not (isinstance(schema, type) and issubclass(schema, BaseModel)):
        raise TypeError(f"found {schema!r}, expected a pydantic model of the arguments")
    return {name: _Parameter(field.annotation, field.is_required()) for name, field in schema.model_fields.items()}


def _parameters(name: str, function: Callable[..., Any]) -> Iterator[tuple[str, _Parameter]]:
    """The parameters that a function takes by name; those that a `partial` has set are not for documents to set."""
    set_already = function.keywords if isinstance(function, functools.partial) else {}
    try:
        kinds = typing.get_type_hints(function)
    except (NameError, TypeError):  # annotations of names that are not there, or none at all
        kinds = {}
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is parameter.POSITIONAL_ONLY:
            raise TypeError(f"{name} takes {parameter.name} only by position; pass a function that takes it by name")
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD) or parameter.name in set_already:
            continue
        yield parameter.name, _Parameter(kinds.get(parameter.name, Any), parameter.default is parameter.empty)


def _handed(reason: str) -> Outcome:
    return Outcome(kind=OutcomeKind.HANDED, text=f"Not run: {reason}.")


def _written(value: Any) -> str:
    if value is None:
        return "Done."
    if isinstance(value, dict | list | tuple):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)
