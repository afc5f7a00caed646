"""Lines -> passages: each sentence that states a condition, with all that is said under it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from thread_core.models import LinkAction
from thread_core.text import conditions, directions, sentences
from thread_core.text.markdown import CELL, Block
from thread_core.text.scripts import COLONS
from thread_core.text.statements import denied
from thread_core.text.words import content_words

UNLESS = re.compile(r"\b(?:unless|otherwise|else|except|until|without)\b", re.IGNORECASE)
"""After one of these, the opposite of what a text says is said."""
DENIAL = re.compile(
    rf"{UNLESS.pattern}|\b(?:not|cannot|no|none|nothing|nobody|never|neither|nor|other than)\b|n['’]t\b", re.IGNORECASE
)
"""After one of these, a condition may be the opposite of the one before it: "if it has not, ..."."""
_EXCEPTION = re.compile(r"(?:unless|except)\b", re.IGNORECASE)
"""With it a sentence goes on under the condition before it."""


@dataclass(frozen=True)
class Passage:
    """A sentence, and what is said after it up to the next condition."""

    said: tuple[str, ...]
    """Its sentences."""
    states: bool
    """Whether the first of them states a condition."""

    @cached_property
    def words(self) -> Set[str]:
        """All that carry meaning."""
        return content_words(" ".join(self.said))

    @cached_property
    def condition(self) -> Set[str] | None:
        """Those of its condition; None where it states none."""
        clause = conditions.clause(self.said[0]) if self.states else None
        return content_words(clause.condition) if clause else None

    def denies(self, words: Set[str]) -> bool:
        """Whether its first sentence denies one of some words."""
        return any(not words.isdisjoint(scope) for scope in denied(self.said[0]))

    def leans(self, to_denial: bool) -> bool:
        """Whether it states a condition by what stands before it: by its opposite, as "if it did", "if it has not"."""
        if any(map(UNLESS.search, self.said)):
            return True
        return DENIAL.search(self.said[0]) is not None if to_denial else self.condition == set()

    @cached_property
    def endings(self) -> Set[LinkAction]:
        """How its sentences say that the procedure ends."""
        return {ending for said in self.said if (ending := directions.ending(said))}

    @cached_property
    def is_order(self) -> bool:
        """Whether it tells the reader to do something, or to go on elsewhere."""
        clause = conditions.clause(self.said[0])
        first = clause.consequence if clause else self.said[0]
        return any(sentences.instructs(said) or directions.directs(said) for said in (first, *self.said[1:]))


def passages(blocks: Sequence[Block], lines: Set[int]) -> Iterator[Passage]:
    """The passages of some lines; what a sentence announces is said under it, and so is a list in its item.

    Args:
        blocks: The document's around them, each before the blocks in it.
        lines: Of whole paragraphs, items and rows.
    """
    items = {block.children[0]: block.end for block in blocks if block.kind == "item" and block.children}
    said: list[str] = []
    stating = False
    reach = 0
    for at, block in enumerate(blocks):
        if block.children or block.kind in ("code", "heading") or block.start not in lines:
            continue
        if block.start > reach and said:
            yield Passage(tuple(said), stating)
            said = []
        for text, states in _told(block):
            if states and said:
                yield Passage(tuple(said), stating)
                said, reach = [], 0
            stating = states or (stating and bool(said))
            said.append(text)
        end = items.get(block, block.end)
        if block.text.rstrip().endswith(COLONS):
            end = max(end, next((other.end for other in blocks[at + 1 :] if other.start > block.end), 0))
        reach = max(reach, end)
    if said:
        yield Passage(tuple(said), stating)


def _told(block: Block) -> Iterator[tuple[str, bool]]:
    """The sentences of a block, and whether each states a condition."""
    text = block.text.replace(CELL, " ")
    for whole in sentences.cut(text):
        for half in conditions.halves(whole, text):
            yield half.text, conditions.clause(half.text) is not None and not _EXCEPTION.match(half.text)
