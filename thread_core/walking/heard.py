"""What a person says of the step at hand, and what it may mean there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from thread_core.branching import Branches
from thread_core.models import LogicUnit
from thread_core.text.words import content_words
from thread_core.walking.endings import sounds_solved
from thread_core.walking.trail import Asked, SessionState
from thread_core.walking.ways import Candidate


@dataclass(frozen=True)
class Report:
    """What a person says of the step at hand, and what it may mean there."""

    text: str
    """In their words."""
    said: str
    """In plain words."""
    about: str
    """What the walk is about, which tells whether it is solved."""
    before: SessionState
    told: SessionState
    """With what they say."""
    current: LogicUnit
    units: Sequence[LogicUnit]
    choices: Sequence[Candidate]
    """The ways on that apply to them."""

    @property
    def is_again(self) -> bool:
        """Whether they were asked what they mean and have said the same once more."""
        return self._is_repeated_to(Asked.OUTCOME)

    @property
    def means_yes(self) -> bool:
        """Whether they were asked whether it is solved and have said the same once more."""
        return self._is_repeated_to(Asked.SOLVED)

    def _is_repeated_to(self, asked: Asked) -> bool:
        pending = self.before.pending
        return self.before.asks(asked) and pending is not None and pending.about == self.text

    @cached_property
    def branches(self) -> Branches:
        """Of the document."""
        return Branches.of(self.units)

    @property
    def is_for_one_trouble(self) -> bool:
        """Whether the step at hand is for one of several troubles."""
        return self.branches.trouble(self.current) is not None

    @property
    def is_solved(self) -> bool:
        """Whether they say that the problem is gone."""
        return sounds_solved(self.said, self.about)

    @property
    def names_the_question(self) -> bool:
        """Whether they say a word of what was asked."""
        return not content_words(self.said).isdisjoint(content_words(self.before.question))
