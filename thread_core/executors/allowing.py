"""What may be run: a program, its words and its options, each named. Whatever is not named is refused.

Options are those that are named, letter for letter: no abbreviation (`--out` for `--output`), no bundle (`-xo` for
`-x -o`), no value glued to a letter (`-o/tmp/x`), no `--`. So nobody has to know which options of a program write
files or start others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from thread_core.executors.words import Refused, is_placeholder

_PATH = re.compile(r"(?!@)[^:=/]*+(?:/|(?<=.)\Z)", re.DOTALL)
"""How a path begins that no program reads as anything else."""


class Value(Protocol):
    """Which texts may stand in a place. Its `str` says so to a person: "a number from 1 to 500"."""

    def admits(self, text: str, folder: Path) -> bool:
        """Whether a text may stand there, in a command that is run in a folder."""


@dataclass(frozen=True)
class Among:
    """One of some words."""

    words: tuple[str, ...]

    def __init__(self, *words: str) -> None:
        object.__setattr__(self, "words", words)

    def __str__(self) -> str:
        return f"one of {', '.join(self.words)}"

    def admits(self, text: str, folder: Path) -> bool:
        """Whether it is one of the words."""
        return text in self.words


@dataclass(frozen=True)
class Matching:
    """A text of which a regular expression matches all."""

    pattern: str

    def __str__(self) -> str:
        return f"a text like {self.pattern}"

    def admits(self, text: str, folder: Path) -> bool:
        """Whether the expression matches all of it, and a reader would fill nothing in there."""
        return re.fullmatch(self.pattern, text, re.ASCII) is not None and not is_placeholder(text)


@dataclass(frozen=True)
class Number:
    """A whole number, both ends included."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"a number from {self.low} to {self.high}"

    def admits(self, text: str, folder: Path) -> bool:
        """Whether it is a number in decimal digits, in the range."""
        return re.fullmatch(r"-?\d{1,18}", text, re.ASCII) is not None and self.low <= int(text) <= self.high


@dataclass(frozen=True)
class Within:
    """A path that ends up in one of some folders once every `..` and every symbolic link is followed.

    What some programs take for more than a path is none: `@file`, `host:path`, `https://...`, `name=path`. A file that
    is really called so is written `./host:path`.
    """

    roots: tuple[Path, ...]

    def __init__(self, *roots: str | Path) -> None:
        if not roots or not all(Path(root).is_absolute() for root in roots):
            raise ValueError(f"found {', '.join(map(str, roots)) or 'no folder'}, expected absolute folders")
        object.__setattr__(self, "roots", tuple(map(Path, roots)))

    def __str__(self) -> str:
        return f"a path in {' or '.join(map(str, self.roots))}"

    def admits(self, text: str, folder: Path) -> bool:
        """Whether it is such a path; a relative one begins in the folder."""
        if not _PATH.match(text):
            return False
        try:
            path = Path(folder, text).resolve()
            return any(path.is_relative_to(root.resolve()) for root in self.roots)
        except (OSError, RuntimeError, ValueError):  # links in a circle, or no path at all
            return False


@dataclass(frozen=True)
class Allow:
    """One way in which a program may be run.

    Example:
        Allow("systemctl", ("restart", Among("db", "web")))
        Allow("journalctl", options={"--unit": Among("db"), "--lines": Number(1, 500)}, ask=False)
        Allow("du", options={"-s": None, "-h": None}, rest=Within("/var/log"), ask=False)
    """

    program: str
    """A name, which is looked up once, or an absolute path. A command has to name it just so."""
    words: Sequence[str | Value] = ()
    """The words that are no options, in order, all of them there."""
    options: Mapping[str, Value | None] = field(default_factory=dict)
    """The options, in any order, each as it is written; None for one without a value."""
    rest: Value | None = None
    """What any number of further words may be; None for no further words."""
    ask: bool = True
    """Whether a person is asked before each run."""

    def __post_init__(self) -> None:
        if isinstance(self.words, str):
            raise ValueError(f"found the words {self.words!r}, expected a sequence; write ({self.words!r},)")
        if wrong := [word for word in self.words if isinstance(word, str) and word.startswith("-")]:
            raise ValueError(f"{wrong[0]} is an option; put it in `options`")
        if wrong := [name for name in self.options if not re.fullmatch(r"-[\w?]|--?\w[\w.-]+", name)]:
            raise ValueError(f"found the option {wrong[0]!r}, expected -x or --name")

    def check(self, words: Sequence[str], folder: Path) -> None:
        """Pass over a command that is allowed.

        Raises:
            Refused: it is not, and why.
        """
        given = list(words[1:])
        wanted = list(self.words)
        while given:
            word = given.pop(0)
            if word.startswith("-"):
                self._check_option(word, given, folder)
            elif wanted:
                _expect(wanted.pop(0), word, folder)
            elif self.rest is not None:
                _expect(self.rest, word, folder)
            else:
                raise Refused(f"no rule allows {word!r}")
        if wanted:
            raise Refused(f"{_named(wanted[0])} is missing")

    def _check_option(self, word: str, following: list[str], folder: Path) -> None:
        """Check an option with its value, which may be the next word and is taken away then."""
        name, equals, value = word.partition("=")
        if name not in self.options:
            raise Refused(f"no rule allows the option {name!r}")
        wanted = self.options[name]
        if wanted is None:
            if equals:
                raise Refused(f"{name!r} takes no value")
        elif equals:
            _expect(wanted, value, folder)
        elif not following or following[0].startswith("-"):
            raise Refused(f"{name!r} needs {wanted}")
        else:
            _expect(wanted, following.pop(0), folder)


def _expect(wanted: str | Value, word: str, folder: Path) -> None:
    fits = word == wanted if isinstance(wanted, str) else wanted.admits(word, folder)
    if not fits:
        raise Refused(f"found {word!r}, expected {_named(wanted)}")


def _named(wanted: str | Value) -> str:
    return repr(wanted) if isinstance(wanted, str) else str(wanted)
