"""A shell's commands as a tree, by a grammar that editors use; parsed, and never run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from thread_core.documents.shells import PROMPT
from thread_core.errors import missing

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

LONGEST = 100_000
"""Characters of a block; a longer one is data."""
_PLACEHOLDER = re.compile(r"<(?![\s(&])[^<>\n]*(?<!\s)>|\.{3,}|…|\{\{[^{}\n]*\}\}|<%[^<>\n]*%>|`#[^`\n]*`")
"""What documents write for a word that the reader fills in or that is left out, and generators of sites for theirs.

And remarks among the lines of a command, which are a substitution of nothing: the grammar does not know those.
"""


def with_words(text: str) -> str:
    """A text with a word for each placeholder, so that a shell's grammar holds; no character comes or goes."""
    return _PLACEHOLDER.sub(lambda found: "x" * len(found[0]), text)


def typed(text: str) -> str:
    r"""The commands of a block, with an empty line for each line of output; lines without prompts are all typed.

    Example:
        >>> typed("$ ls\nlid.md\n$ rm \\\n  lid.md")
        'ls\n\nrm \\\n  lid.md'
    """
    lines = text.split("\n")
    if not any(map(PROMPT.match, lines)):
        return text
    said: list[str] = []
    for line in lines:
        prompt = PROMPT.match(line)
        said.append(line[prompt.end() :] if prompt else line if said and said[-1].rstrip().endswith("\\") else "")
    return "\n".join(said)


def parsed(text: str) -> Node:
    """The tree of some commands.

    Raises:
        ModuleNotFoundError: the grammar is not installed; the message names the extra.
    """
    return _parser().parse(text.encode()).root_node


def fault(text: str) -> int | None:
    r"""The first line, 0-based, at which some commands cannot be read; None where they can.

    Example:
        >>> fault("ls <folder>"), fault('ls\necho "lid')
        (None, 1)
    """
    waiting = [parsed(with_words(text))]
    while waiting:
        node = waiting.pop()
        if node.type == "ERROR" or node.is_missing:
            return node.start_point.row
        waiting += [child for child in reversed(node.children) if child.has_error]
    return None


def commands(text: str) -> Iterator[tuple[int, Sequence[str]]]:
    """The simple commands in a text, with the line of each, 0-based, and its words without their quotes."""
    waiting = [parsed(with_words(text))]
    while waiting:
        node = waiting.pop()
        if node.type == "command":
            words = [child for child in node.named_children if child.type not in ("variable_assignment", "comment")]
            yield node.start_point.row, [_plain(child) for child in words]
        waiting += reversed(node.children)


def _plain(node: Node) -> str:
    text = node.text.decode(errors="replace") if node.text is not None else ""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text


@cache
def _parser() -> Parser:
    try:
        from tree_sitter import Language, Parser
        from tree_sitter_bash import language
    except ModuleNotFoundError as error:
        raise missing(error, "lint") from error
    return Parser(Language(language()))
