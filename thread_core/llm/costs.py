"""What models cost: prices, a budget, and tokens counted beforehand and afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from thread_core.llm.asking import Ask, Speak
from thread_core.ports import Message, Reply, Usage
from thread_core.text.words import count_tokens

NOTHING = Usage()


class Price(NamedTuple):
    """What a million tokens cost, in whatever currency the budget is in."""

    prompt: float
    completion: float

    def of(self, usage: Usage) -> float:
        """What some usage costs. A discount for what the provider had cached is not taken into account."""
        return (usage.prompt_tokens * self.prompt + usage.completion_tokens * self.completion) / 1_000_000


@dataclass(frozen=True, slots=True)
class Budget:
    """What may be spent at most, in tokens (prompt and completion together), in money, or both.

    Example:
        Budget(tokens=200_000)
        Budget(cost=2.50, price=Price(prompt=0.15, completion=0.60))
    """

    tokens: int | None = None
    cost: float | None = None
    price: Price | None = None

    def __post_init__(self) -> None:
        if self.cost is not None and self.price is None:
            raise ValueError("a budget in money needs price=Price(prompt=..., completion=...), per million tokens")

    def refusal(self, spent: Usage, planned: Usage) -> str:
        """Why a call must not be made; empty when it may."""
        both = spent + planned
        tokens = both.prompt_tokens + both.completion_tokens
        if self.tokens is not None and tokens > self.tokens:
            used = spent.prompt_tokens + spent.completion_tokens
            return f"the next call may need {tokens - used} tokens, and {self.tokens - used} of {self.tokens} are left"
        if self.cost is not None and self.price is not None and self.price.of(both) > self.cost:
            left = self.cost - self.price.of(spent)
            return (
                f"the next call may cost {self.price.of(planned):.4f}, but only {left:.4f} of {self.cost:.4f} is left"
            )
        return ""

    def room(self, spent: Usage, prompt_tokens: int) -> int | None:
        """The tokens that are left for a reply once its prompt is paid; None where nothing bounds them."""
        rooms = []
        if self.tokens is not None:
            rooms.append(self.tokens - spent.prompt_tokens - spent.completion_tokens - prompt_tokens)
        if self.cost is not None and self.price is not None and self.price.completion > 0:
            left = self.cost - self.price.of(spent + Usage(prompt_tokens=prompt_tokens))
            rooms.append(int(left * 1_000_000 / self.price.completion))
        return min(rooms, default=None)


class Bill:
    """What one run of a plan has cost so far."""

    def __init__(self) -> None:
        self.usage = Usage()


def tokens(messages: Sequence[Message]) -> int:
    """Tokens of a conversation."""
    return sum(text_tokens(message.text) + 4 for message in messages)


def text_tokens(text: str) -> int:
    """Tokens of a text, estimated so that code and long names do not count for less than they cost."""
    return max(count_tokens(text), len(text.encode(errors="replace")) // 4)


def planned(request: Ask | Speak) -> Usage:
    """What a call will hardly exceed, before it is made."""
    return Usage(calls=1, prompt_tokens=tokens(request.messages), completion_tokens=request.expected)


def counted(request: Ask | Speak, pieces: Sequence[Reply]) -> Usage:
    """What a reply cost, or the pieces of it that came, estimated where the service does not say."""
    said = sum((piece.usage for piece in pieces), NOTHING)
    return Usage(
        calls=1,
        prompt_tokens=said.prompt_tokens or tokens(request.messages),
        completion_tokens=said.completion_tokens or text_tokens("".join(piece.text for piece in pieces)),
        cached_tokens=said.cached_tokens,
    )
