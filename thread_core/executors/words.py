"""A command's text -> its words, where every shell would read the same words and nothing else."""

from __future__ import annotations

import re
import shlex

LONGEST = 4096
"""Characters of a command."""

_PRINTABLE = re.compile(r"[ -~]*")
_WORDS = re.compile(r"""(?:[\w .,:=@%+/-]|'[^']*'|"[^"$`\\!]*")*""", re.ASCII)
"""Plain characters, and quotes within which nothing is expanded."""


class Refused(Exception):
    """Something that is not carried out; the message is the reason, for a person."""


def words_of(command: str) -> tuple[str, ...]:
    """The words of a command.

    Raises:
        Refused: it holds what a shell would not take for words alone, or what does not look like what it is.

    Example:
        >>> words_of("pumpctl free --name 'big pump'")
        ('pumpctl', 'free', '--name', 'big pump')
    """
    if len(command) > LONGEST:
        raise Refused(f"it has {len(command):,} characters, and {LONGEST:,} are read")
    if not _PRINTABLE.fullmatch(command):
        found = next(character for character in command if not _PRINTABLE.fullmatch(character))
        raise Refused(f"it holds U+{ord(found):04X}, which is no printable ASCII character")
    if not _WORDS.fullmatch(command):
        found = command[_end(command)]
        raise Refused(f"it holds {found}, which a shell takes for more than a word; one plain command is expected")
    words = tuple(shlex.split(command))
    if not words or not words[0]:
        raise Refused("it names no program")
    if "=" in words[0]:
        raise Refused(f"{words[0]} sets a variable; one plain command is expected")
    return words


def _end(command: str) -> int:
    """Where the plain words end."""
    match = _WORDS.match(command)
    return match.end() if match else 0
