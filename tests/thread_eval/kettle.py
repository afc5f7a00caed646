"""A guide, a gold task over it, and a system that says what it was told to say."""

from __future__ import annotations

import copy

from thread_eval.datasets.gold import Branch, Quote, Task
from thread_eval.system import Reply

GUIDE = """# Kettle is cold

1. Look at the plug of the kettle.
   - If it is out, go to step 2.
   - If it is in, call the electrician. Open a ticket with the house desk.
2. Push the plug into the wall until it clicks.
3. Switch the kettle on. If the lamp is lit, the issue is resolved.
"""

FIRST, SECOND, THIRD = "Look at the plug", "Push the plug into the wall", "Switch the kettle on"


def quote(text: str) -> Quote:
    return Quote(document="kettle.md", quote=text)


def branch(after_step: int, outcome: str, target: str) -> Branch:
    return Branch(after_step=after_step, outcome=outcome, next=target if target == "resolved" else quote(target))


KETTLE = Task(
    id="kettle",
    question="Why is my tea cold?",
    steps=(quote(FIRST), quote(SECOND), quote(THIRD)),
    branches=(branch(0, "it is out", SECOND), branch(2, "it shines", "resolved")),
)


class Scripted:
    """Says its replies one after the other, and to each outcome what the script has for it."""

    name = "scripted"

    def __init__(self, replies: list[Reply], outcomes: dict[str, list[Reply]] | None = None) -> None:
        self._replies = tuple(replies)
        self._outcomes = outcomes or {}
        self.heard: list[str] = []

    def retrieve(self, question: str) -> list[str]:
        return [reply.text for reply in self._replies]

    def start(self, question: str) -> Reply:
        self._rest, self._told = self._replies, 0
        return self.respond("")

    def respond(self, said: str) -> Reply:
        self.heard.append(said)
        if said in self._outcomes:
            self._told += 1
            return self._outcomes[said][self._told - 1]
        reply, *rest = self._rest or (Reply("", "resolved"),)
        self._rest = tuple(rest)
        return reply

    def fork(self) -> Scripted:
        return copy.copy(self)


STEPS = [Reply(f"{FIRST}."), Reply(f"{SECOND}."), Reply(f"{THIRD}.")]
