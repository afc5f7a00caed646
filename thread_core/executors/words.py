"""A command's text -> its words, where every shell would read the same words and nothing else."""

from __future__ import annotations

import re
import shlex

LONGEST = 4096
"""Characters of a command."""

_PRINTABLE = re.compile(r"[ -~]*")
_WORDS = re.compile(r"""(?:[\w .,:=@%+/-]|'[^']*'|"[^"$`\\!]*")*""", re.ASCII)
"""Plain characters, and quotes within which nothing is expanded."""

_NAMES = (
    r"(?:<[^\s<>][^<>]*>|\[[^\W\d][\w -]*\]|%[A-Za-z_]\w+%|@[A-Z_]{2,}@|\.\.\.|…|[Xx]{3,}"
    r"|MY_[A-Z_]+|(?:[A-Z0-9]+_)+(?:NAME|ID)|(?:[Yy]our|YOUR)[_-]\w[\w-]*)"
)
_HOLE = re.compile(rf"(?<!\S){_NAMES}(?!\S)|<[^\s<>][^<>]*>|\$[({{A-Za-z_]|\{{\{{?\s*[^\W\d][\w .|-]*\}}")
_WHOLE = re.compile(_NAMES)
_CAPITALS = re.compile(r"[A-Z]+(?:_[A-Z]+)*")


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
        raise Refused(f"it has {len(command):,} characters, more than {LONGEST:,}")
    if not _PRINTABLE.fullmatch(command):
        found = next(character for character in command if not _PRINTABLE.fullmatch(character))
        raise Refused(f"it contains U+{ord(found):04X}, which is not a printable ASCII character")
    if not _WORDS.fullmatch(command):
        found = command[_end(command)]
        raise Refused(f"it contains {found}, which has a meaning in a shell; expected one plain command")
    words = tuple(shlex.split(command))
    if not words or not words[0]:
        raise Refused("it names no program")
    if "=" in words[0]:
        raise Refused(f"{words[0]} sets a variable; expected one plain command")
    return words


def is_placeholder(word: str) -> bool:
    """Whether a word only names what a reader fills in: `<db>`, `DB_NAME`, `%DB%`, `...`."""
    return _WHOLE.fullmatch(word) is not None


def has_placeholder(text: str, name: str) -> bool:
    """Whether there is something to be filled in in the value of an argument, or that is the argument's own name.

    Example:
        >>> has_placeholder("in {{ db }}", "text"), has_placeholder("DB_HOST", "db"), has_placeholder("DB_HOST", "flag")
        (True, True, False)
    """
    is_name = bool(_CAPITALS.fullmatch(text)) and set(name.lower().split("_")) <= set(text.lower().split("_"))
    return is_name or _HOLE.search(text) is not None


def _end(command: str) -> int:
    """Where the plain words end."""
    match = _WORDS.match(command)
    return match.end() if match else 0
