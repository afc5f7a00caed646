"""Prompts: one Markdown file each, filled with what is asked; whatever comes from outside stands in them as data.

A prompt's file has two parts, `# System` and `# User`, with `$fields`. Documents and what people or models said are
put in by `quoted` or `numbered`, so that each of their lines begins with a mark: no text can end the quotation or begin
a part of its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from string import Template
from typing import Protocol

from thread_core.ports import Message

_LINE_END = re.compile(r"\r\n|\n|\r")


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


@cache
def prompt(name: str) -> MarkdownPrompt:
    """A prompt of the package: `prompts/NAME.md`."""
    text = resources.files("thread_core").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8")
    head, _, user = text.partition("# User\n")
    return MarkdownPrompt(head.removeprefix("# System\n").strip(), user.strip())


def quoted(text: str) -> str:
    """A text as data: `| ` before each line."""
    return "\n".join(f"| {line}".rstrip() for line in _LINE_END.split(text))


def numbered(lines: Sequence[str], first: int = 1) -> str:
    """A document's lines as data: `12| ` before each line, with its number."""
    return "\n".join(f"{number}| {line}".rstrip() for number, line in enumerate(lines, start=first))
