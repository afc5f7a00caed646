"""Comments in a guide that disable rules: for a line, for the next one, or for the whole guide.

    <!-- thread-rag-disable-next-line TR201 -->
    <!-- thread-rag-disable-line dangling-link, long-step -->
    <!-- thread-rag-disable-file TR401 -->

In MDX a comment is written `{/* ... */}`. Within code there are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from thread_core.documents.blocks.fences import Fence
from thread_core.documents.blocks.source import Source
from thread_lint.findings import Finding

_COMMENT = re.compile(
    r"(?:<!--|\{/\*)\s*+thread-rag-disable-(?P<scope>line|next-line|file)\b(?P<rules>[\w\s,-]{0,500}?)\s*(?:-->|\*/\})"
)
_CODE = re.compile(r"(?P<ticks>`++)[^`]*+(?P=ticks)")


@dataclass(slots=True)
class Disable:
    """A comment, with what it was good for so far."""

    line: int
    """On which it stands; 1-based."""
    first: int
    """Of the lines for which it holds."""
    last: int
    rules: tuple[str, ...]
    """Codes or names, as written."""
    used: set[str] = field(default_factory=set)
    """Those of its rules that would have found something."""

    def takes(self, found: Finding) -> bool:
        """Whether it disables the rule of a finding at its place; remembers that it was of use."""
        named = {found.rule, found.name}.intersection(self.rules)
        if not named or found.last < self.first or found.first > self.last:
            return False
        self.used |= named
        return True


def disables(text: str) -> list[Disable]:
    r"""The comments of a text; takes linear time.

    Example:
        >>> disables("<!-- thread-rag-disable-next-line TR201 -->\n\nSee [it](it.md).")[0].first
        3
    """
    if "thread-rag-disable-" not in text:
        return []
    return list(_read(Source(text)))


def _read(source: Source) -> Iterator[Disable]:
    fence = Fence()
    upcoming: list[Disable] = []
    is_block = False
    for number, line in enumerate(source.lines, start=1):
        is_code = fence.reads(line)
        comments = [] if is_code else [*_COMMENT.finditer(_CODE.sub("", line))]
        if is_block and not is_code:
            upcoming, is_block = [], False
        if line.strip() and not comments and not is_block:
            for one in upcoming:
                one.first = one.last = number
            is_block = is_code
            upcoming = upcoming if is_code else []
        elif is_block:
            for one in upcoming:
                one.last = number
        for comment in comments:
            scope = comment["scope"]
            rules = tuple(re.split(r"[\s,]+", comment["rules"].strip())) if comment["rules"].strip() else ()
            first, last = (number, number) if scope == "line" else (1, len(source)) if scope == "file" else (0, 0)
            one = Disable(number, first, last, rules)
            if scope == "next-line":
                upcoming.append(one)
            yield one
