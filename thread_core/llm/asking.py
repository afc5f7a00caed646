"""What a plan may ask of a model, and how its replies are read: parsed, checked, complained of once.

The requests are answered by `thread_core.llm.access`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

from pydantic import ValidationError

from thread_core.errors import BadReply
from thread_core.llm import failing
from thread_core.models import faults_in
from thread_core.plan import Plan
from thread_core.ports import Form, Message, Reply

M = TypeVar("M", bound=Form)
V = TypeVar("V")

COMPLAINTS = 20
"""Faults of a reply that are named to the model; the others are counted."""
SHOWN = 300
"""Characters of a bad reply that an error shows."""
ECHOED = 40_000
"""Characters of a bad reply that the model is shown again."""

OBJECT = "the whole JSON object"
"""What is wanted again instead of a bad reply."""
STARTS = 1000
"""Objects of a reply, whole or broken, that are looked at."""

_OBJECT = re.compile(r'\{\s*["}]')
# Numbers are read later, by the form; made into int here, one of thousands of digits would take its time.
_DECODER = json.JSONDecoder(parse_int=len, parse_float=len)


class Role(StrEnum):
    """What a model is asked to be; each role may be given a model of its own."""

    EXTRACTOR = "extractor"
    SELECTOR = "selector"
    GENERATOR = "generator"
    QUERY_GENERATOR = "query_generator"
    JUDGE = "judge"

    @property
    def is_waited_for(self) -> bool:
        """Whether a person waits for its replies, and is answered without where none comes."""
        return self not in (Role.EXTRACTOR, Role.JUDGE)


@dataclass(frozen=True, slots=True)
class Ask:
    """A conversation that a model is to answer -> Reply."""

    role: Role
    messages: tuple[Message, ...]
    schema: type[Form] | None = None
    expected: int = 500
    """Tokens that the reply will hardly exceed, for the budget."""
    about: tuple[tuple[str, str], ...] = ()
    """What it is about besides, for whoever traces it: a label and an id each; see `tracing`."""

    @property
    def labels(self) -> dict[str, str]:
        """What whoever traces the call is told of it."""
        return {"role": str(self.role), **dict(self.about)}


@dataclass(frozen=True, slots=True)
class Speak:
    """As `Ask`, for words that a person reads: a caller who streams passes them on as they come -> str.

    Raised is ModelError where they are none, or did not come to their end; its `said` holds what had come.
    """

    role: Role
    messages: tuple[Message, ...]
    expected: int = 500

    @property
    def labels(self) -> dict[str, str]:
        """As `Ask.labels`."""
        return {"role": str(self.role)}


@dataclass(frozen=True, slots=True)
class Say:
    """Words that a person reads and no model writes, in their place among those that one does -> the same words."""

    text: str


@dataclass(frozen=True, slots=True)
class Kept:
    """The reply that an earlier run kept for the same question to the same model -> str, or None.

    One that is not usable any more is None.
    """

    ask: Ask
    usable: Callable[[str], bool]


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


@dataclass(frozen=True, slots=True)
class LookUp:
    """What a function of the user's knows about something -> str."""

    search: Callable[[str], str]
    query: str


ModelRequest = Ask | Speak | Say | Kept | Keep | Spent | Window | Who | LookUp


def ask_for(
    ask: Ask,
    kind: type[M],
    faults: Callable[[M], Sequence[str]] = lambda _: (),
    *,
    keep: bool = False,
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

    def reading(text: str) -> tuple[M | None, list[str]]:
        return read(text, kind, faults)

    return ask_until(replace(ask, schema=kind), reading, OBJECT, keep=(lambda _: True) if keep else None)


def ask_until(
    question: Ask,
    reading: Callable[[str], tuple[V | None, list[str]]],
    wanted: str,
    *,
    last: Callable[[str], tuple[V | None, list[str]]] | None = None,
    keep: Callable[[V], bool] | None = None,
) -> Plan[V]:
    """`ask_for` for replies that are no JSON.

    Args:
        question: The question.
        reading: The value that a reply holds and what is wrong with it, a sentence each.
        wanted: What is to be given again after a reply that cannot be used.
        last: The same as `reading` where less is asked: of the second reply, of one that was kept, and of the first
            where the second is worse.
        keep: Whether the reply with a good value is kept, and one that was kept before is taken instead of a call.

    Raises:
        BadReply: the second reply cannot be used either.
        ModelError: there is none.
    """
    lenient = last or reading
    usable: tuple[V, str] | None = None
    if keep is not None:
        recalled: str | None = yield Kept(question, lambda text: not lenient(text)[1])
        if recalled is not None and (value := lenient(recalled)[0]) is not None:
            return value
    asked = question
    for taken in (reading, lenient):
        reply: Reply = yield asked
        value, wrong = taken(reply.text) if reply.end == "complete" else (None, [_ENDED[reply.end]])
        if value is not None and not wrong:
            usable = value, reply.text
            break
        if asked is not question:
            break
        if last and reply.end == "complete" and value is not None and not last(reply.text)[1]:
            usable = value, reply.text
        said = Message("assistant", reply.text.strip()[:ECHOED] or "(nothing)")
        again = (*question.messages, said, Message("user", complaint(wrong, wanted)))
        asked = replace(question, messages=again)
    if usable:
        found, text = usable
        if keep is not None and keep(found):
            yield Keep(question, text)
        return found
    reason = f"{'; '.join(wrong[:3])}{_more(len(wrong) - 3)}"
    error = BadReply(f"{reason}; the reply began {reply.text[:SHOWN]!r}", reply.text)
    failing.tell(question.role, error, reason)
    raise error


def read(text: str, kind: type[M], faults: Callable[[M], Sequence[str]] = lambda _: ()) -> tuple[M | None, list[str]]:
    """The value that a reply holds, whatever stands around it, and what is wrong with it.

    It is the last object that has a field of the form: drafts come before it. The value is None where there is none of
    the right form.
    """
    if not text.strip():
        return None, ["the reply is empty"]
    objects, broken = find_json(text)
    fields = [field.alias or name for name, field in kind.model_fields.items()]
    data = next((data for data, keys in reversed(objects) if not keys.isdisjoint(fields)), "")
    if not data:
        return None, [broken or f"the reply holds no JSON object with the fields {', '.join(fields)}"]
    try:
        value = kind.model_validate_json(data)
    except ValidationError as error:
        return None, faults_in(error)
    return value, list(faults(value))


def find_json(text: str) -> tuple[list[tuple[str, Set[str]]], str]:
    """The JSON objects of a text with their keys, and why the first that is broken is no JSON.

    Those inside of others are left out, of broken ones too: a part of an answer is not an answer.
    """
    objects: list[tuple[str, Set[str]]] = []
    broken = ""
    end = 0
    for _ in range(STARTS):
        start = _OBJECT.search(text, end)
        if not start:
            break
        try:
            value, end = _DECODER.raw_decode(text, start.start())
        except json.JSONDecodeError as error:
            broken = broken or f"the JSON is broken at line {error.lineno}, column {error.colno}: {error.msg}"
            end = max(error.pos, start.end())
        except RecursionError:
            return objects, broken or "the JSON has too many objects one inside the other"
        else:
            objects.append((text[start.start() : end], value.keys()))
    return objects, broken


def complaint(wrong: Sequence[str], wanted: str = OBJECT) -> str:
    """What a model is told of a reply that cannot be used."""
    listed = "\n".join(f"- {fault}" for fault in wrong[:COMPLAINTS])
    more = _more(len(wrong) - COMPLAINTS)
    return f"That reply cannot be used:\n{listed}{more}\nGive {wanted} again, mended."


_ENDED = {
    "length": "the reply was cut off at the longest that the model writes or the budget leaves; write a shorter one",
    "refused": "the model refused to answer",
    "": "the reply broke off",
}


def _more(count: int) -> str:
    return f" (and {count} more)" if count > 0 else ""
