"""What was said and what is known, as a model reads it: quoted, and no longer than need be."""

from __future__ import annotations

from collections.abc import Sequence

from thread_core.llm.prompting import quoted
from thread_core.ports import Message
from thread_core.retrieval.prerequisites import Known
from thread_core.text.scripts import beginning
from thread_core.text.words import count_tokens

HISTORY = 1000
"""Tokens of a conversation that a model is told, the newest ones."""
NOTHING = "(nothing)"

_SPEAKERS = {"user": "The person:", "assistant": "The assistant:"}


def known_from(question: str, history: Sequence[Message] = ()) -> Known:
    """What the person has said so far."""
    return Known(said=(*(message.text for message in history if message.role == "user"), question))


def told(history: Sequence[Message], besides: Sequence[str] = ()) -> str:
    """What the person and the assistant said last, as data; without what the model is told elsewhere."""
    known = [message for message in history if message.role in _SPEAKERS and message.text not in besides]
    spoken = [(_SPEAKERS[message.role], message.text) for message in known]
    kept = newest([text for _, text in spoken])
    speakers = [speaker for speaker, _ in spoken[len(spoken) - len(kept) :]]
    return "\n".join(f"{who}\n{quoted(text)}" for who, text in zip(speakers, kept, strict=True)) or NOTHING


def facts(known: Known, besides: Sequence[str] = ()) -> str:
    """What is known, as data; what was said and done is left out where the model is told it elsewhere."""
    lines = [
        *(f"said: {text}" for text in newest([text for text in known.said if text not in besides])),
        *(f"holds: {text}" for text in known.confirmed),
        *(f"does not hold: {text}" for text in known.denied),
        *(f"was done: {text}" for text in newest([text for text in known.done if text not in besides])),
    ]
    return "\n".join(map(quoted, lines)) or NOTHING


def newest(texts: Sequence[str], bound: int = HISTORY) -> list[str]:
    """The last texts that fit into a number of tokens, in order; the very last is cut where it alone does not."""
    kept: list[str] = []
    left = bound
    for text in reversed(texts):
        left -= count_tokens(text)
        if left < 0:
            break
        kept.append(text)
    return kept[::-1] if kept or not texts else [f"{beginning(texts[-1], bound // 2)} (and more)"]
