"""The walk in a terminal, or over lines that are piped in."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console

from thread_core.walk.rendering import Turn
from thread_core.walk.reply import parse
from thread_core.walk.session import HowToSession
from thread_core.walk.state import SessionState
from thread_core.walk.states import ENDED, Event, Status
from thread_rag.rendering import say, show_json, show_turn

HELP = "Type a number, what you see, or: next, back, skip, why, start over, I give up, quit."
LEAVING = ("quit", "q", "exit")

Answers = Callable[[], str | None]
"""Returns the next line that a person says; None if there are no more."""


class Screen:
    """Shows a walk to a person."""

    def __init__(self, console: Console) -> None:
        self.console = console

    def show(self, turn: Turn) -> None:
        """Show a turn."""
        show_turn(self.console, turn)

    def tell(self, text: str) -> None:
        """Show what the command itself says."""
        say(self.console, text, "dim")

    def repeat(self, said: str) -> None:
        """Show what the person said, if they did not type it here."""
        say(self.console, f"\n> {said}")


class JsonLines(Screen):
    """Prints only the turns of a walk, one line of JSON each, for programs."""

    def show(self, turn: Turn) -> None:
        """Show a turn."""
        show_json(self.console, [turn])

    def tell(self, text: str) -> None:
        """Show nothing."""

    def repeat(self, said: str) -> None:
        """Show nothing."""


def walk(
    session: HowToSession,
    turn: Turn,
    screen: Screen,
    answers: Answers,
    keep: Callable[[SessionState], None] = lambda state: None,
    *,
    is_resumed: bool = False,
) -> bool:
    """Walk through a procedure until it ends, the person leaves, or there are no more answers.

    Args:
        session: The walk.
        turn: What is shown first.
        screen: Where it is shown.
        answers: What the person says.
        keep: Is given the session's state after each turn.
        is_resumed: Whether a walk that has ended may be reopened by an answer.

    Returns:
        Whether there was anything to walk through.
    """
    found = turn.status is not Status.UNKNOWN
    keep(session.state)
    screen.show(turn)
    if turn.status not in ENDED or is_resumed:
        screen.tell(f"\n{HELP}")
    while turn.status not in ENDED or is_resumed:
        said = answers()
        if said is None or said.strip().lower() in LEAVING or parse(said).event is Event.STOP:
            break
        turn = session.respond(said)
        is_resumed = False
        keep(session.state)
        found = found or turn.status is not Status.UNKNOWN
        screen.show(turn)
    return found


@contextmanager
def counted() -> Iterator[None]:
    """Count the walk if OpenTelemetry is set up in this process, as by `opentelemetry-instrument`."""
    from thread_telemetry import instrument

    stop = instrument()
    try:
        yield
    finally:
        stop()


def a_person(screen: Screen) -> Answers:
    """Ask at the terminal."""
    return lambda: _line(lambda: screen.console.input("\n> "))


def piped_lines(screen: Screen) -> Answers:
    """Read standard input line by line, and print each line so that the output can be followed."""

    def answer() -> str | None:
        said = _line(input)
        if said is not None:
            screen.repeat(said)
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
