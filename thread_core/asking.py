"""What a plan may ask of a model, and how its replies are read: parsed, checked, complained of once.

The requests are answered by `thread_core.access`.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from pydantic import ValidationError

from thread_core.errors import BadReply
from thread_core.plan import Plan
from thread_core.ports import Form, Message, Reply

M = TypeVar("M", bound=Form)

COMPLAINTS = 20
"""Faults of a reply that are named to the model; the others are counted."""
SHOWN = 300
"""Characters of a bad reply that an error shows."""
STARTS = 200
"""Places at which a reply's JSON is looked for."""

_OBJECT = re.compile(r'\{\s*["}]')
_DECODER = json.JSONDecoder()


class Role(StrEnum):
    """What a model is asked to be; each role may be given a model of its own."""

    EXTRACTOR = "extractor"
    SELECTOR = "selector"
    GENERATOR = "generator"
    QUERY_GENERATOR = "query_generator"


@dataclass(frozen=True, slots=True)
class Ask:
    """A conversation that a model is to answer -> Reply."""

    role: Role
    messages: tuple[Message, ...]
    schema: type[Form] | None = None
    expected: int = 500
    """Tokens that the reply will hardly exceed, for the budget."""


@dataclass(frozen=True, slots=True)
class Speak:
    """As `Ask`, for words that a person reads: a caller who streams passes them on as they come -> str.

    Raised is ModelError where they are none, or did not come to their end; its `said` holds what had come.
    """

    role: Role
    messages: tuple[Message, ...]
    expected: int = 500


@dataclass(frozen=True, slots=True)
class Say:
    """Words that a person reads and no model writes, in their place among those that one does -> the same words."""

    text: str


@dataclass(frozen=True, slots=True)
class Recall:
    """The reply that an earlier run kept for the same question to the same model -> str, or None."""

    ask: Ask


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep a reply that was found good -> None."""

    ask: Ask
    text: str


@dataclass(frozen=True, slots=True)
class Spent:
    """What this run of the plan has cost so far -> Usage."""


@dataclass(frozen=True, slots=True)
class Window:
    """How many tokens the model of a role reads and writes at once -> int, or None where that is not known."""

    role: Role


@dataclass(frozen=True, slots=True)
class Who:
    """The name of the model that has a role -> str, or None where there is no model for it."""

    role: Role


ModelRequest = Ask | Speak | Say | Recall | Keep | Spent | Window | Who


def ask_for(
    ask: Ask, kind: type[M], faults: Callable[[M], Sequence[str]] = lambda _: (), *, keep: bool = False
) -> Plan[M]:
    """A reply as a value. One that cannot be used goes back once with what is wrong with it.

    Args:
        ask: The question; `kind` is sent as its schema.
        kind: What the reply must be, as JSON.
        faults: What is wrong with a value that has the right form, a sentence each; nothing when it is good.
        keep: Whether a good reply is kept, and one that was kept before is taken instead of a call.

    Raises:
        BadReply: the second reply cannot be used either.
        ModelError: there is none.
    """
    question = Ask(ask.role, ask.messages, kind, ask.expected)
    if keep:
        recalled: str | None = yield Recall(question)
        if recalled is not None:
            value, wrong = read(recalled, kind, faults)
            if value is not None and not wrong:
                return value
    asked = question
    for last in (False, True):
        reply: Reply = yield asked
        value, wrong = read(reply.text, kind, faults) if reply.end == "complete" else (None, [_ENDED[reply.end]])
        if value is not None and not wrong:
            if keep:
                yield Keep(question, reply.text)
            return value
        if last:
            break
        again = (*question.messages, Message("assistant", reply.text or "(nothing)"), Message("user", complaint(wrong)))
        asked = Ask(ask.role, again, kind, ask.expected)
    raise BadReply(f"{'; '.join(wrong[:3])}{_more(len(wrong) - 3)}; the reply began {reply.text[:SHOWN]!r}", reply.text)


def read(text: str, kind: type[M], faults: Callable[[M], Sequence[str]] = lambda _: ()) -> tuple[M | None, list[str]]:
    """The value that a reply holds, whatever stands around it, and what is wrong with it.

    The value is None where there is none of the right form.
    """
    if not text.strip():
        return None, ["the reply is empty"]
    wrong: list[str] = []
    objects, broken = find_json(text)
    for data in sorted(objects, key=len, reverse=True):
        try:
            value = kind.model_validate_json(data)
        except ValidationError as error:
            wrong = wrong or [_form_fault(one["loc"], one["msg"]) for one in error.errors(include_url=False)]
        else:
            return value, list(faults(value))
    return None, [broken] if broken else wrong or ["the reply holds no JSON object"]


def find_json(text: str) -> tuple[list[str], str]:
    """The JSON objects of a text, those inside of others left out, and why the first that is broken is no JSON."""
    objects: list[str] = []
    broken = ""
    end = 0
    for start in itertools.islice(_OBJECT.finditer(text), STARTS):
        if start.start() < end:
            continue
        try:
            _, end = _DECODER.raw_decode(text, start.start())
        except json.JSONDecodeError as error:
            broken = broken or f"the JSON is broken at line {error.lineno}, column {error.colno}: {error.msg}"
        except (ValueError, RecursionError) as error:
            broken = broken or f"the JSON cannot be read: {error}"
        else:
            objects.append(text[start.start() : end])
    return objects, broken


def complaint(wrong: Sequence[str]) -> str:
    """What a model is told of a reply that cannot be used."""
    listed = "\n".join(f"- {fault}" for fault in wrong[:COMPLAINTS])
    more = _more(len(wrong) - COMPLAINTS)
    return f"That reply cannot be used:\n{listed}{more}\nGive the whole JSON object again, mended."


_ENDED = {
    "length": "the reply was cut off at the longest that the model writes",
    "refused": "the model refused to answer",
    "": "the reply broke off",
}


def _form_fault(location: Sequence[str | int], said: str) -> str:
    where = ".".join(str(part) for part in location)
    return f"{where}: {said}" if where else said


def _more(count: int) -> str:
    return f" (and {count} more)" if count > 0 else ""
