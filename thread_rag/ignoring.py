"""`.gitignore` files -> what git would leave out.

Folders may be a stranger's. So a rule is tried in time that is proportional to its length and the path's: part by part,
and within a part each piece between two stars is taken where it stands first.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

GITIGNORE = ".gitignore"
LARGEST = 1_000_000
"""Bytes of a file of rules."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_TOKEN = re.compile(
    r"(?P<stars>\*+)|(?P<one>\?)|\\(?P<escaped>.)|(?P<plain>[^*?\\\[])"
    r"|\[(?P<denied>[!^]?)(?P<members>\]?(?:\[:[a-z]+:\]|\\.|[^\]\\])*+)\]",
    re.DOTALL,
)
_MEMBER = re.compile(r"\[:(?P<named>[a-z]+):\]|\\?(?P<low>.)(?:-\\?(?P<high>.))?", re.DOTALL)
_NAMED = {
    "alnum": "[A-Za-z0-9]",
    "alpha": "[A-Za-z]",
    "blank": r"[ \t]",
    "cntrl": r"[\x00-\x1f\x7f]",
    "digit": "[0-9]",
    "graph": "[!-~]",
    "lower": "[a-z]",
    "print": "[ -~]",
    "punct": r"[!-/:-@\[-`{-~]",
    "space": r"[ \t-\r]",
    "upper": "[A-Z]",
    "xdigit": "[0-9A-Fa-f]",
}
_ANYTHING = re.compile(".*", re.DOTALL)

_Part = re.Pattern[str] | None
"""What a part of a path has to look like; None stands for any number of parts."""


class _Rule(NamedTuple):
    """A line of the file."""

    leaves_out: bool
    """Else it takes in again what another line leaves out."""
    is_for_folders: bool
    parts: tuple[_Part, ...]


class Ignored(NamedTuple):
    """The rules of one file, for what is below its folder."""

    folder: Path
    rules: tuple[_Rule, ...]
    """The last one first: of several that fit, it decides."""
    trouble: str = ""
    """Why there are none, where the file could not be read."""

    @classmethod
    def by(cls, folder: Path) -> Ignored:
        """A folder's rules. What is no file has none, nor has a link, as in git; a line that is no pattern is none."""
        file = folder / GITIGNORE
        try:
            told = file.lstat()
            if told.st_size > LARGEST:
                return cls(folder, (), f"has {told.st_size:,} bytes, and {LARGEST:,} are read; no rule of it is kept")
            data = file.read_bytes() if stat.S_ISREG(told.st_mode) else b""
        except OSError as error:
            return cls(folder, (), f"cannot be read: {error.strerror}")
        lines = os.fsdecode(data.removeprefix(_BYTE_ORDER_MARK)).split("\n")
        return cls(folder, tuple(rule for line in reversed(lines) if (rule := _rule(line)) is not None))


def is_ignored(path: Path, is_folder: bool, rules: Sequence[Ignored]) -> bool:
    """Whether git would leave a path out; of several files of rules the innermost that says something decides."""
    for one in rules:
        names = path.relative_to(one.folder).parts
        for rule in one.rules:
            if (is_folder or not rule.is_for_folders) and _fits(rule.parts, names):
                return rule.leaves_out
    return False


def _fits(parts: Sequence[_Part], names: Sequence[str]) -> bool:
    """Whether names look like the parts of a rule. After a failure only the last None takes one name more."""
    at = taken = 0
    last: tuple[int, int] | None = None
    while at < len(names):
        if taken < len(parts) and (part := parts[taken]) is None:
            taken += 1
            last = taken, at
        elif taken < len(parts) and part is not None and part.fullmatch(names[at]):
            at, taken = at + 1, taken + 1
        elif last is not None:
            taken, at = last[0], last[1] + 1
            last = taken, at
        else:
            return False
    return all(part is None for part in parts[taken:])


def _rule(line: str) -> _Rule | None:
    text = _without_blanks(line.removesuffix("\r"))
    pattern = text.removeprefix("!")
    names = pattern.removesuffix("/")
    if text.startswith("#") or not names.strip("/"):
        return None
    is_anchored = "/" in names
    try:
        parts = [_part(name, is_anchored) for name in names.removeprefix("/").split("/")]
    except ValueError:
        return None
    below = [_ANYTHING] if parts[-1] is None else []
    return _Rule(pattern == text, pattern.endswith("/"), (*([] if is_anchored else [None]), *parts, *below))


def _without_blanks(line: str) -> str:
    """A line without the blanks at its end, but for one after a backslash."""
    text = line.rstrip(" ")
    is_escaped = (len(text) - len(text.rstrip("\\"))) % 2 == 1
    return f"{text} " if is_escaped and text != line else text


def _part(name: str, is_anchored: bool) -> _Part:
    """What a rule's part says of a part of a path.

    Raises:
        ValueError: it has no end.
    """
    if is_anchored and re.fullmatch(r"\*{2,}", name):
        return None
    first, *rest = _pieces(name)
    if not rest:
        return re.compile(first, re.DOTALL)
    *inner, end = rest
    return re.compile(f"{first}{''.join(f'(?>.*?{piece})' for piece in inner)}.*{end}", re.DOTALL)


def _pieces(name: str) -> list[str]:
    """The expressions before, between and after the stars."""
    pieces, at = [""], 0
    while at < len(name):
        match = _TOKEN.match(name, at)
        if match is None:
            raise ValueError(f"{name} has no end")
        at = match.end()
        if match["stars"]:
            pieces.append("")
        elif match["members"] is not None:
            pieces[-1] += f"(?{'!' if match['denied'] else '='}{_members(match['members'])})."
        else:
            pieces[-1] += "." if match["one"] else re.escape(match["escaped"] or match["plain"])
    return pieces


def _members(members: str) -> str:
    """Any of the characters in brackets."""
    found = (
        _NAMED.get(match["named"], "(?!)") if match["named"] else _range(match["low"], match["high"] or match["low"])
        for match in _MEMBER.finditer(members)
    )
    return f"(?:{'|'.join(found)})"


def _range(low: str, high: str) -> str:
    return f"[{re.escape(low)}-{re.escape(high)}]" if low <= high else re.escape(low)
