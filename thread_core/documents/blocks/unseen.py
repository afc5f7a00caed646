"""Signs that no reader sees, and spaces that break no line, as editors on the web and of offices leave them.

Where a line begins they keep a parser from its marks, and within words from the words. Readers see the document's own.
"""

from __future__ import annotations

import re

from thread_core.documents.blocks.fences import Fence

UNSEEN = "\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"
"""Within a pattern's brackets; what joins letters or keeps them apart is no such sign within words."""
HARD = "\u00a0\u2000-\u200a\u202f\u205f"
"""Within a pattern's brackets: spaces that are none in Markdown."""
DEEPEST = 3
"""Spaces before an item that hard ones stood before: enough to be in the one above, and too few for code."""

_JOINERS = "\u200c\u200d"
_SPACE = rf"[ \t{UNSEEN}{_JOINERS}{HARD}]"
_UNSEEN = re.compile(f"[{UNSEEN}]+")
_UNSEEN_BEFORE = re.compile(f"[{UNSEEN}{_JOINERS}]+")
_HARD = re.compile(f"[{HARD}]")
_ANY = re.compile(f"[{UNSEEN}{_JOINERS}{HARD}]")
_MARKS = re.compile(rf"(?P<indent>{_SPACE}*+)(?P<marks>(?:(?:[-*+>]|#{{1,6}}|\d{{1,9}}[.)]){_SPACE}++)*+)")
"""How a line begins."""
_ITEM = re.compile(r"[-*+\d]")


def holds_unseen(text: str) -> bool:
    """Whether there is any such sign in a text."""
    return not text.isascii() and _ANY.search(text) is not None


def seen(words: str) -> str:
    """Words as they are read, with plain spaces.

    Example:
        >>> seen("Other\u00adwise\u00a0stop")
        'Otherwise stop'
    """
    return _HARD.sub(" ", _UNSEEN.sub("", words))


def with_plain_beginnings(text: str) -> str:
    r"""A text in which no line begins with such signs, outside of code; other lines, and the rest of all, stay.

    Example:
        >>> with_plain_beginnings("\u200b1.\u00a0Open it.\n\u00a0\u00a0- Look.\n\u00a0\u00a0\u00a0\u00a0Wait.\n")
        '1. Open it.\n  - Look.\nWait.\n'
    """
    if not holds_unseen(text):
        return text
    lines = text.split("\n")
    fence = Fence()
    for at, line in enumerate(lines):
        plain = _begun_plainly(line) if not line.isascii() else line
        was_open = fence.is_open
        fence.reads(plain)
        if not (was_open and fence.is_open):
            lines[at] = plain
    return "\n".join(lines)


def _begun_plainly(line: str) -> str:
    found = _MARKS.match(line)
    if not found or found[0].isascii():
        return line
    indent, marks = (_UNSEEN_BEFORE.sub("", found[name]) for name in ("indent", "marks"))
    kept = indent[: len(indent) - len(indent.lstrip(" \t"))]
    deeper = min(len(indent) - len(kept), DEEPEST) if _ITEM.match(marks) else 0
    return f"{kept}{' ' * deeper}{_HARD.sub(' ', marks)}{line[found.end() :]}"
