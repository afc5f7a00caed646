"""Which code blocks hold a shell's commands, by the language that their fences name, and how a prompt looks."""

from __future__ import annotations

import re

SESSIONS = frozenset("console terminal shell-session shellsession sh-session".split())
"""Languages of blocks in which output stands beside commands."""
WINDOWS = frozenset("powershell pwsh cmd bat".split())
"""Those in which a backslash at the end of a line is a part of a path."""
POSIX = frozenset("sh bash zsh ksh shell".split())
"""Those that are read as one grammar."""
SHELLS = POSIX | SESSIONS | WINDOWS | {"fish"}
PROMPT = re.compile(r"\s*(?:\$|PS[^>\n]*>|\[?[\w.-]+@[\w.-]+(?:[: ][^\s$#]*)?[$#])\s+")
"""What stands before a command in a session that was copied (`$`, `ann@web1:~$`); the lines without are output."""


def language(info: str) -> str:
    """The language that a fence's info string names, in lower case.

    Example:
        >>> language("Bash{title=x}")
        'bash'
    """
    return re.split(r"[^\w-]", info.casefold(), maxsplit=1)[0]
