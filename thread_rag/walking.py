"""The walk in a terminal, or over lines that are piped in."""

from __future__ import annotations

import sys
from collections.abc import Callable

from rich.console import Console

from thread_core.walking.phrases import Phrase, meant
from thread_core.walking.session import HowToSession
from thread_core.walking.states import ENDED, Status
from thread_core.walking.trail import SessionState
from thread_core.walking.turns import Turn
from thread_rag.rendering import say, show_turn

HELP = (
    "Say what you see, give a number, or press Enter for the next step; back, skip, why, start over, I give up, quit."
)
LEAVING = ("quit", "q", "exit")

Answers = Callable[[], str | None]
"""Gives the next line that a person says; None when there are no more."""


def walk(
    session: HowToSession,
    turn: Turn,
    console: Console,
    answers: Answers,
    keep: Callable[[SessionState], None] = lambda state: None,
    *,
    is_resumed: bool = False,
) -> bool:
    """Go through a procedure until it ends, the person leaves, or nobody answers any more.

    Args:
        session: The walk.
        turn: What is shown first.
        console: Where it is shown.
        answers: What the person says.
        keep: Is given the session's state after each turn.
        is_resumed: Whether a walk that has ended may be reopened by an answer.

    Returns:
        Whether there was anything to walk through.
    """
    found = turn.status is not Status.UNKNOWN
    keep(session.state)
    show_turn(console, turn)
    if turn.status not in ENDED or is_resumed:
        say(console, f"\n{HELP}", "dim")
    while turn.status not in ENDED or is_resumed:
        said = answers()
        if said is None or said.strip().lower() in LEAVING or meant(said) is Phrase.STOP:
            break
        turn = session.respond(said)
        is_resumed = False
        keep(session.state)
        found = found or turn.status is not Status.UNKNOWN
        show_turn(console, turn)
    return found


def a_person(console: Console) -> Answers:
    """Ask at the terminal."""
    return lambda: _line(lambda: console.input("\n> "))


def piped_lines(console: Console) -> Answers:
    """Read standard input line by line, and print each line so that the output can be followed."""

    def answer() -> str | None:
        said = _line(input)
        if said is not None:
            say(console, f"\n> {said}")
        return said

    return answer


def stdin_is_terminal() -> bool:
    """Whether a person can answer."""
    return sys.stdin is not None and sys.stdin.isatty()


def _line(read: Callable[[], str]) -> str | None:
    try:
        return read().strip()
    except EOFError:
        return None
