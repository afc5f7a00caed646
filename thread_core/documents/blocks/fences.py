"""Which lines of a text stand in a fenced code block, read one by one."""

from __future__ import annotations

import re

_MARKS = re.compile(
    r"\s*+(?P<quote>>)?(?:\s*+(?:>|(?P<item>[-*+]|\d{1,9}[.)])(?=\s)))*+\s*+(?P<marks>`{3,}+(?=[^`]*$)|~{3,}+)(?P<rest>.*)",
    re.DOTALL,
)
"""A line with a fence, maybe in quotations and at the beginning of list items."""
_QUOTE = re.compile(r"\s*>")
_NO_QUOTE = re.compile(r"[^\s>]")


class Fence:
    """What a reading of a text, line by line, knows of code blocks."""

    def __init__(self) -> None:
        self._marks = ""
        self._quoted = False

    @property
    def is_open(self) -> bool:
        """Whether a code block has begun and not ended."""
        return bool(self._marks)

    def reads(self, line: str) -> bool:
        """Take in a line, and say whether it belongs to a code block, as its fences do.

        Example:
            >>> fence = Fence()
            >>> [fence.reads(line) for line in ("````md", "```sh", "ls", "```", "````", "1. Go on.")]
            [True, True, True, True, True, False]
        """
        if self._quoted and not _QUOTE.match(line):
            self._marks, self._quoted = "", False  # the quotation has ended, and its code block with it
        found = _MARKS.match(line) if may_begin(line) else None
        if not self._marks:
            if found:
                self._marks, self._quoted = found["marks"], found["quote"] is not None
            return found is not None
        if found and self._is_ended_by(found):
            self._marks, self._quoted = "", False
        return True

    def _is_ended_by(self, found: re.Match[str]) -> bool:
        is_bare = not found["item"] and not found["rest"].strip()
        is_beside = (found["quote"] is not None) == self._quoted
        return is_bare and is_beside and found["marks"].startswith(self._marks)


def may_begin(text: str) -> bool:
    """Whether there is any mark in a text with which a code block may begin or end."""
    return "```" in text or "~~~" in text


def closing(text: str) -> str:
    r"""The fence that ends a code block which a text begins and does not end; empty where there is none.

    Example:
        >>> closing("1. Run:\n   ```sh\n   ls")
        '   ```'
    """
    if not may_begin(text):
        return ""
    fence, begun = Fence(), ""
    for line in text.split("\n"):
        was_open = fence.is_open
        fence.reads(line)
        begun = line if fence.is_open and not was_open else begun
    found = _MARKS.match(begun) if fence.is_open else None
    return _NO_QUOTE.sub(" ", begun[: found.start("marks")]) + found["marks"] if found else ""


def closed(text: str) -> str:
    """A text with the fence that it lacks at its end, so that what stands below it is no code."""
    end = closing(text)
    return f"{text}\n{end}" if end else text


def inlined(text: str) -> str:
    r"""A text as one line in which code stands as it is, without the marks around it.

    Example:
        >>> inlined("Leave `tap`:\n\n```sh\nexit\n```")
        'Leave tap: exit'
    """
    fence, kept = Fence(), list[str]()
    for line in text.split("\n"):
        was_open = fence.is_open
        fence.reads(line)
        if fence.is_open == was_open:
            kept.append(line)
    return " ".join(" ".join(kept).replace("`", "").split())
