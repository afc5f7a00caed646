"""Words of others in a text of ours: as Markdown in which no sign of theirs is a mark, as code, or as a block of it."""

from __future__ import annotations

import re

_MARKS = re.compile(r"([\\`*_\[\]<>&|~#])")
_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_TICKS = re.compile("`+")


def escaped(text: str) -> str:
    r"""A text in one line of Markdown, in which no sign of it is a mark.

    Example:
        >>> escaped("<b>see</b> [x](y)")
        '\\<b\\>see\\</b\\> \\[x\\](y)'
    """
    return _MARKS.sub(r"\\\1", seen(" ".join(text.split())))


def code(text: str) -> str:
    """A text in one line, as code: no marks, no tags, no links, and nobody who is called by an @.

    Example:
        >>> print(code("use `x` @all"))
        `` use `x` @all ``
    """
    line = seen(" ".join(text.split()))
    ticks = "`" * (max((len(run) for run in _TICKS.findall(line)), default=0) + 1)
    if not line:
        return ""
    return f"{ticks} {line} {ticks}" if len(ticks) > 1 else f"`{line}`"


def block(text: str) -> str:
    """A text as a block of code, line for line, so that no line of it can pass for ours."""
    ticks = "`" * max((3, *(len(run) + 1 for run in _TICKS.findall(text))))
    return f"{ticks}text\n{text}\n{ticks}"


def seen(text: str) -> str:
    """A text with a visible mark for each sign that a terminal obeys, or that turns the order of what is read."""
    return _OBEYED.sub("\N{REPLACEMENT CHARACTER}", text)
