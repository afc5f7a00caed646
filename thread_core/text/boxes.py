"""What warns within a text: boxes and labelled paragraphs, with what stands before each."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from thread_core.text import sentences
from thread_core.text.markdown import Block, parse
from thread_core.text.shape import outdented

REMEMBERED = 1024
"""Texts whose boxes are kept: a walk asks for those of the same units at each step."""


class Box(NamedTuple):
    """A warning, and where it stands in its text."""

    text: str
    """With its label: "Caution: The plate is hot."."""
    first: int
    """Its first line, 1-based."""
    last: int
    begins: bool
    """Whether nothing but boxes stands before it."""
    is_above_steps: bool
    """Whether no numbered list stands before it."""
    is_behind_cases: bool
    """Whether a list or a table stands before it."""


@lru_cache(maxsize=REMEMBERED)
def boxes(text: str) -> tuple[Box, ...]:
    r"""The warnings of a text, those in items of its lists left out.

    Example:
        >>> boxes("1. Wait.\n\n> [!CAUTION]\n> The plate is hot.\n")[0][:3]
        ('Caution: The plate is hot.', 3, 4)
    """
    return tuple(_boxes(text)) if sentences.mentions(sentences.lowered(text), sentences.ALARMS) else ()


def _boxes(text: str) -> Iterator[Box]:
    before: list[Block] = []
    for block in parse(outdented(text)).blocks:
        said = sentences.warning(" ".join(block.words.split())) if block.kind in ("paragraph", "quote") else ""
        if said:
            is_behind = any(one.kind in ("list", "table") for one in before)
            yield Box(said, block.start, block.end, not before, not any(map(_is_numbered, before)), is_behind)
        else:
            before.append(block)


def _is_numbered(block: Block) -> bool:
    return block.kind == "list" and block.number is not None
