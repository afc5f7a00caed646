"""`.gitignore` files -> what git would leave out.

Folders may be a stranger's. So a rule is tried part by part, each by the standard library's `fnmatch`, in time that is
proportional to its length and the path's; one pattern for a whole path, as pathspec makes it, takes minutes for some.
"""

from __future__ import annotations

import fnmatch
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
_AS_GIT_HAS_IT = re.compile(r"\\(?P<escaped>.)|(?P<denied>\[\^)", re.DOTALL)
"""What the standard library's patterns have in another way. Classes such as `[[:alpha:]]` they do not have."""
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
                return cls(
                    folder,
                    (),
                    f"has {told.st_size:,} bytes, expected at most {LARGEST:,}; none of its rules is applied",
                )
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
    parts = [_part(name, is_anchored) for name in names.removeprefix("/").split("/")]
    below = [_ANYTHING] if parts[-1] is None else []
    return _Rule(pattern == text, pattern.endswith("/"), (*([] if is_anchored else [None]), *parts, *below))


def _without_blanks(line: str) -> str:
    """A line without the blanks at its end, but for one after a backslash."""
    text = line.rstrip(" ")
    is_escaped = (len(text) - len(text.rstrip("\\"))) % 2 == 1
    return f"{text} " if is_escaped and text != line else text


def _part(name: str, is_anchored: bool) -> _Part:
    """What a rule's part says of a part of a path."""
    if is_anchored and re.fullmatch(r"\*{2,}", name):
        return None
    return re.compile(fnmatch.translate(_AS_GIT_HAS_IT.sub(_as_fnmatch_has_it, name)))


def _as_fnmatch_has_it(found: re.Match[str]) -> str:
    if found["denied"]:
        return "[!"
    return f"[{found['escaped']}]" if found["escaped"] in "*?[" else found["escaped"]
