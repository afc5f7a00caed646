"""Where the reading of blocks stands: under which condition, in which list, what the next sentence may lean on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from thread_core.documents import leaning
from thread_core.documents.blocks.markdown import Block
from thread_core.documents.forms import labels
from thread_core.text import sentences


class _Scope(NamedTuple):
    """Lines of a unit under a condition that the sentence above them states, or a list inside a list item."""

    end: int
    condition: str
    outside: str
    """The condition that "otherwise" is the opposite of when it is read after them."""


@dataclass
class Context:
    """Where the reading of the blocks of a unit stands."""

    blocks: Sequence[Block]
    """The unit's."""
    numbered: dict[int, int]
    """The numbers of the unit's steps by their lines, those inside a step from where it begins to list them."""
    said: leaning.Said = field(default_factory=leaning.Said)
    scopes: list[_Scope] = field(default_factory=list)

    @cached_property
    def lists_steps(self) -> bool:
        """Whether its numbered items are steps of a procedure, and no list of cases."""
        return labels.lists_steps(self.blocks)

    def enter(self, end: int, condition: str = "") -> None:
        """Read on to a line, under a condition or under the one that holds already."""
        self.scopes.append(_Scope(end, condition or self.holding, self.said.condition))

    def leave(self, line: int) -> None:
        """Forget the conditions that hold above a line alone."""
        while self.scopes and self.scopes[-1].end < line:
            self.said.condition = self.scopes.pop().outside

    @property
    def holding(self) -> str:
        """The condition under which everything that is read now stands."""
        return self.scopes[-1].condition if self.scopes else ""

    def hear(self, sentence: str, question: str, stated: str) -> None:
        """Keep what the next sentence may lean on."""
        if stated:
            asked_here = self.said.sentence or self.said.asked in stated
            self.said.condition, self.said.expected = stated, ""
            self.said.asked = self.said.asked if asked_here else ""
        elif asked := question or leaning.wonders(sentence):
            self.said.condition, self.said.expected, self.said.asked = asked, "", asked
        elif expected := leaning.expects(sentence):
            self.said.expected = expected
        if not stated and not sentences.is_aside(sentence):
            self.said.sentence = sentences.without_remark(sentence)
