"""A body -> its passages: paragraphs, list items and table rows, each with its lines. Read when a unit is made."""

from __future__ import annotations

import re
from collections.abc import Iterator

from thread_core.documents.blocks.fences import Fence, may_begin
from thread_core.documents.blocks.source import Source
from thread_core.models import Passage

_ITEM = re.compile(r"(?P<mark>\s*(?:[-*+]|(?P<number>\d{1,9})[.)])\s+)\S")
_ONLY_MARKS = re.compile(r"[\s|:-]+")
_PICTURE = re.compile(
    r"\s*(?::::image\s.*:::|(?:!\[[^\]]*\]\([^()]*\)\s*|\[!\[[^\]]*\]\([^()]*\)\]\([^()]*\)\s*|<img\b[^<>]*>\s*)+)\s*",
    re.IGNORECASE,
)
"""A line that is nothing but pictures."""


def cut(body: str) -> tuple[Passage, ...]:
    r"""Cut a body at list items, table rows and blank lines; code and pictures stay with what stands before them.

    Returns:
        The passages in order, lines of the body 1-based. `indent` tells what stands inside of what: an item and what
        is indented below it have larger ones than the item around them.

    Example:
        >>> [(one.first, one.number, one.indent) for one in cut("1. Stop it.\n   - If it leaks, call.\n2. Go.")]
        [(1, 1, 0), (2, None, 3), (3, 2, 0)]
    """
    return tuple(_cut(Source(body)))


def _cut(source: Source) -> Iterator[Passage]:
    begun, last, code = None, 0, False
    fence, gap = Fence(), True
    has_code = may_begin(source.text)
    for number, line in enumerate(source.lines, start=1):
        was_open = fence.is_open
        is_code = has_code and fence.reads(line)
        if not line or line.isspace():
            gap = True
            continue
        new = None if was_open else _begun(line, number, gap, is_code, begun)
        if new is not None:
            if begun is not None:
                yield begun._replace(last=last, has_code=code)
            begun, code = new, False
        last, gap, code = number, False, code or is_code
    if begun is not None:
        yield begun._replace(last=last, has_code=code)


def _begun(line: str, number: int, gap: bool, is_code: bool, before: Passage | None) -> Passage | None:
    """The passage that a line begins; None where the line goes on with the one before it."""
    said = line.lstrip()
    is_plain = said[0].isalpha()
    if before is not None and (is_code or (not is_plain and _PICTURE.fullmatch(line))):
        return None
    indent = len(line) - len(line.lstrip(" \t"))
    if not is_code and said[0] == "|":
        is_rule = before is not None and before.kind == "row" and _ONLY_MARKS.fullmatch(line) is not None
        return None if is_rule else Passage(number, number, indent, None, "row")
    item = None if is_code or is_plain else _ITEM.match(line)
    if item is not None:
        return Passage(number, number, indent, int(item["number"]) if item["number"] else None, "item")
    is_inside = before is not None and before.kind == "item" and indent > before.indent
    if before is not None and (not gap or is_inside):
        return None
    return Passage(number, number, indent, None, "text")
