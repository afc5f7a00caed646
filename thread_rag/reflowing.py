"""Lines that their author has broken at a column -> paragraphs, which a terminal breaks at its own width.

A break is the author's wrapping where the next word would not have fitted into the paragraph's longest line. Whatever
has a form of its own (code, tables, headings, items, quotes, labels) begins a line as it did.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from thread_core.text.scripts import is_spaceless
from thread_core.walk.rendering import BEFORE, TERM

NARROWEST = 50
"""Characters that the longest line of a paragraph has at least, where its author wraps lines."""
_BEGINS = re.compile(
    r"\s*(?:$|[-*+•]\s|\d+[.)]\s|[A-Za-z][.)]\s|#{1,6}\s|>|\||<|```|~~~|!\[|\[[^\]]+\]:|:\s|(?:[-=_*]\s*){3,}$)|\s{4}|\t"
)
"""How a line begins that does not go on with the one before it."""
_ALONE = re.compile(r"\s*(?:$|#{1,6}\s|\||<|>|\[[^\]]+\]:|(?:[-=_*]\s*){3,}$)|\s{4}|\t")
"""How one begins that no other goes on with."""
_ADDRESS = re.compile(r"\S{41}")
"""A word that its author cannot break: the line that has it may be longer than the others."""
_BREAKS = re.compile(r"(?: {2}|\\|<br ?/?>)$")
_ENDS = re.compile(r"[.!?:;]\W*$")
_COMPOSED = tuple(form.partition("{}")[0] for form in (BEFORE, TERM))


def reflowed(lines: Iterable[tuple[str, bool]]) -> Iterator[tuple[str, bool]]:
    """Lines, and whether each is code, with those joined that are one paragraph.

    Example:
        >>> words = "Wait until the lamp of the pump is green, which takes some"
        >>> list(reflowed([(words, False), ("minutes.", False), ("- Go on.", False)]))[0][0].endswith("some minutes.")
        True
    """
    run: list[str] = []
    for line, is_code in lines:
        if run and (is_code or not _goes_on(run[-1], line)):
            yield from ((one, False) for one in _joined(run))
            run = []
        if is_code:
            yield line, True
        else:
            run.append(line)
    yield from ((one, False) for one in _joined(run))


def _goes_on(line: str, following: str) -> bool:
    return not (_BEGINS.match(following) or _ALONE.match(line) or line.startswith(_COMPOSED))


def _joined(run: list[str]) -> Iterator[str]:
    """The lines of what may be a paragraph, those in one that were broken because they were full."""
    longest = max((len(line) for line in run if not _ADDRESS.search(line)), default=0)
    held: list[str] = []
    for line in run:
        if held and not _was_wrapped(held[-1], line, longest, is_inside=len(held) > 1):
            yield _one(held)
            held = []
        held.append(line)
    if held:
        yield _one(held)


def _was_wrapped(line: str, following: str, longest: int, *, is_inside: bool) -> bool:
    """Whether a line was broken because the next word did not fit into it.

    What ends a sentence may be a line of its own, unless it is inside of what was wrapped before.
    """
    first = following.split(maxsplit=1)[0]
    if longest < NARROWEST or len(line) + 1 + len(first) <= longest or is_spaceless(line):
        return False
    return not _BREAKS.search(line) and (is_inside or not _ENDS.search(line) or first[0].islower())


def _one(lines: list[str]) -> str:
    first, *others = lines
    return " ".join([first.rstrip(), *(line.strip() for line in others)]) if others else first
