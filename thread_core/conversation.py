"""What was said and what is known, as a model reads it: quoted, and no longer than need be."""

from __future__ import annotations

from collections.abc import Sequence

from thread_core.ports import Message
from thread_core.prerequisites import Known
from thread_core.prompting import quoted
from thread_core.words import count_tokens

HISTORY = 1000
"""Tokens of a conversation that a model is told, the newest ones."""
NOTHING = "(nothing)"

_SPEAKERS = {"user": "The person:", "assistant": "The assistant:"}


def known_from(question: str, history: Sequence[Message] = ()) -> Known:
    """What the person has said so far."""
    return Known(said=(*(message.text for message in history if message.role == "user"), question))


def recent(history: Sequence[Message], bound: int = HISTORY) -> list[Message]:
    """The newest messages of the person and the assistant that fit into a number of tokens, in order."""
    kept: list[Message] = []
    left = bound
    for message in reversed(history):
        if message.role == "system":
            continue
        left -= count_tokens(message.text)
        if left < 0:
            break
        kept.insert(0, message)
    return kept


def told(history: Sequence[Message]) -> str:
    """A conversation as data, without what is too long ago."""
    return "\n".join(f"{_SPEAKERS[message.role]}\n{quoted(message.text)}" for message in recent(history)) or NOTHING


def facts(known: Known, besides: Sequence[str] = ()) -> str:
    """What is known as data; what was said is left out where the model is told it elsewhere."""
    lines = [
        *(f"said: {text}" for text in known.said if text not in besides),
        *(f"holds: {text}" for text in known.confirmed),
        *(f"does not hold: {text}" for text in known.denied),
        *(f"was done: {text}" for text in known.done),
    ]
    return "\n".join(map(quoted, lines)) or NOTHING
