"""The walks of the browsers that are served: each has its own, the last ones are kept, none grows without end."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from thread_core.errors import AnsweredAlready, IllegalStep
from thread_core.walk.rendering import Turn, refused
from thread_core.walk.session import HowToSession

MOST = 64
"""Browsers whose walks are kept."""
ANSWERS = 50
"""Answers of a walk that are listed, the last ones."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What somebody has said to what was shown."""

    words: str
    said: str


@dataclass
class Walk:
    """A walk, and what was said in it."""

    session: HowToSession
    turn: Turn
    answers: list[Answer] = field(default_factory=list)
    alone: threading.Lock = field(default_factory=threading.Lock)

    @property
    def question(self) -> str:
        """With what it was begun."""
        return self.session.state.question

    @property
    def document_id(self) -> str:
        """The guide in which it stands; empty in none."""
        step = self.session.state.step
        return step.document_id if step else ""

    def path(self) -> Sequence[str]:
        """The ids of the units of that guide that were shown, the one at hand last."""
        return [one.unit_id for one in self.session.state.trail if one.document_id == self.document_id]

    def say(self, words: str) -> None:
        """Go on with an answer: an option's number, a command, or words of one's own."""
        with self.alone:
            step = self.session.state.step
            said = self._in_words(words)
            try:
                self.turn = self.session.respond(words)
            except (AnsweredAlready, IllegalStep) as error:
                self.turn = refused(self.turn, error)
                return
            self.answers = [*self.answers, Answer(step.header if step else "", said)][-ANSWERS:]

    def _in_words(self, said: str) -> str:
        number = int(said) if said.isascii() and said.isdigit() and len(said) < 4 else 0
        return self.turn.options[number - 1] if 0 < number <= len(self.turn.options) else said


class Walks:
    """The walks by browser."""

    def __init__(self, new: Callable[[], HowToSession]) -> None:
        """Say what makes a session that stands nowhere yet."""
        self._new = new
        self._walks: OrderedDict[str, Walk] = OrderedDict()
        self._alone = threading.Lock()

    def of(self, browser: str) -> Walk | None:
        """The walk of a browser, if it has begun one that is still kept."""
        with self._alone:
            if browser in self._walks:
                self._walks.move_to_end(browser)
            return self._walks.get(browser)

    def begin(self, browser: str, question: str) -> None:
        """Begin a walk, in the place of the one that the browser had."""
        session = self._new()
        walk = Walk(session, session.start(question))
        with self._alone:
            self._walks[browser] = walk
            self._walks.move_to_end(browser)
            while len(self._walks) > MOST:
                self._walks.popitem(last=False)
