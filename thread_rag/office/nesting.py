"""In which list item each block of a Word document stands. The file is flat: it only says how far in a paragraph is.

What stands between two items of a list that counts on is within the first of them, for its writer had the list go on
over it. Behind a list's last item, what is as far in as the item's text is within it. A heading ends all lists.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from thread_rag.office.numbering import Number, written
from thread_rag.office.pieces import BULLET, Piece


class Found(NamedTuple):
    """A block of the file, in reading order."""

    html: str
    where: int
    number: Number | None = None
    """What an item has before it."""
    left: int = 0
    """How far in it stands, in twentieths of a point."""
    closes: bool = False
    """Whether no list goes on behind it: it is a heading, or set as one."""
    words: str = ""


class _Open(NamedTuple):
    """An item that may hold what comes next."""

    list_id: str
    level: int
    left: int


def nested(found: Sequence[Found]) -> Iterator[Piece]:
    """The blocks as pieces, each as deep as it stands."""
    of_lists: dict[str, list[int]] = defaultdict(list)
    for at, one in enumerate(found):
        if one.number is not None:
            of_lists[one.number.list_id].append(at)
    closing = [at for at, one in enumerate(found) if one.closes] + [len(found)]
    stack: list[_Open] = []
    for at, one in enumerate(found):
        if one.closes:
            stack.clear()
            yield Piece(one.html, one.where)
            continue
        until = closing[bisect_right(closing, at)]
        number = one.number
        if number is None:
            del stack[_depth(stack, at, until, one.left, found, of_lists) :]
            yield Piece(one.html, one.where, len(stack))
            continue
        while any(open_.list_id == number.list_id and open_.level >= number.level for open_ in stack):
            stack.pop()
        if not any(open_.list_id == number.list_id for open_ in stack):
            del stack[_depth(stack, at, until, one.left - 1, found, of_lists) :]
        yield Piece(one.html, one.where, len(stack), label_of(number), one.words)
        stack.append(_Open(number.list_id, number.level, one.left))


def label_of(number: Number) -> str:
    """A number as a list has it: of "2.1" the last part, for the first is that of the item around it."""
    if number.kind == "bullet":
        return BULLET
    return written(number.value, number.kind) + (")" if number.label.endswith(")") else ".")


def _depth(
    stack: Sequence[_Open],
    at: int,
    until: int,
    left: int,
    found: Sequence[Found],
    of_lists: Mapping[str, Sequence[int]],
) -> int:
    """How many of the open items a block stands in."""
    held = 0
    for depth, open_ in enumerate(stack, start=1):
        indices = of_lists[open_.list_id]
        later = bisect_right(indices, at)
        following = found[indices[later]].number if later < len(indices) and indices[later] < until else None
        if following is not None and (
            following.level > open_.level or (following.level == open_.level and following.goes_on)
        ):
            held = depth
    while held < len(stack) and 0 < stack[held].left <= left:
        held += 1
    return held
