"""Prompts: one Markdown file each, filled with what is asked; whatever comes from outside stands in them as data.

A prompt's file has two parts, `# System` and `# User`, with `$fields`. Documents and what people or models said are
put in by `quoted` or `numbered`, so that each of their lines begins with a mark: no text can end the quotation or begin
a part of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from string import Template
from typing import Protocol

from thread_core.ports import Message

_PARTS = re.compile(r"\s*# System\n(?P<system>.*?)^# User\n(?P<user>.*)", re.DOTALL | re.MULTILINE)


class Prompt(Protocol):
    """What a model is asked with, whoever wrote it."""

    def messages(self, fields: Mapping[str, str]) -> Sequence[Message]:
        """The conversation, with the fields filled in."""


@dataclass(frozen=True, slots=True)
class MarkdownPrompt:
    """A prompt of the package, or one that is written in the same way.

    Example:
        MarkdownPrompt("Answer from the lines only.", "$question").messages({"question": "Is it full?"})
    """

    system: str
    user: str

    @classmethod
    def parse(cls, text: str) -> MarkdownPrompt:
        """A prompt as its file says it.

        Raises:
            ValueError: it lacks one of its parts.
        """
        parts = _PARTS.fullmatch(text)
        if not parts:
            raise ValueError(f"found a prompt that begins {text[:60]!r}, expected two parts, `# System` and `# User`")
        return cls(parts["system"].strip(), parts["user"].strip())

    def messages(self, fields: Mapping[str, str]) -> tuple[Message, ...]:
        """System and user message.

        Raises:
            KeyError: a field of the prompt is not given.
        """
        return (
            Message("system", Template(self.system).substitute(fields)),
            Message("user", Template(self.user).substitute(fields)),
        )

    @property
    def fields(self) -> frozenset[str]:
        """The names of the fields."""
        return frozenset(Template(self.system).get_identifiers()) | frozenset(Template(self.user).get_identifiers())

    @property
    def braced(self) -> tuple[str, str]:
        """Both parts with `{field}` for `$field`, as frameworks' templates are written."""
        return _braced(self.system, self.fields), _braced(self.user, self.fields)


def names() -> tuple[str, ...]:
    """The names of the package's prompts."""
    files = resources.files("thread_core").joinpath("prompts").iterdir()
    return tuple(sorted(file.name.removesuffix(".md") for file in files if file.name.endswith(".md")))


@cache
def prompt(name: str, package: str = "thread_core") -> MarkdownPrompt:
    """A prompt of a package: `prompts/NAME.md`."""
    return MarkdownPrompt.parse(resources.files(package).joinpath("prompts", f"{name}.md").read_text(encoding="utf-8"))


def chosen(name: str, prompts: Mapping[str, Prompt] | None) -> Prompt:
    """The user's own prompt of a name, else the package's."""
    return (prompts or {}).get(name) or prompt(name)


def check(name: str, fields: Iterable[str]) -> None:
    """Raise ValueError where there is no prompt of that name, or it is not given some fields."""
    if name not in names():
        raise ValueError(f"found {name!r}, expected a prompt: {', '.join(names())}")
    given = prompt(name).fields
    if strange := set(fields) - given:
        raise ValueError(
            f"the prompt {name!r} has the fields {', '.join(sorted(given))}, but yours also uses"
            f" {', '.join(sorted(strange))}; remove these"
        )


def quoted(text: str) -> str:
    """A text as data: `| ` before each line."""
    return "\n".join(f"| {line}".rstrip() for line in text.splitlines() or [""])


def numbered(lines: Sequence[str], first: int = 1) -> str:
    """A document's lines as data: `12| ` before each line, with its number. What else may end a line is a space."""
    shown = (" ".join(line.splitlines()) for line in lines)
    return "\n".join(f"{number}| {line}".rstrip() for number, line in enumerate(shown, start=first))


def _braced(text: str, fields: frozenset[str]) -> str:
    marked = Template(text).substitute({name: f"\0{name}\0" for name in fields})
    doubled = marked.replace("{", "{{").replace("}", "}}")
    return re.sub("\0(.+?)\0", r"{\1}", doubled)
