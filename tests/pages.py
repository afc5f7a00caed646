"""The blocks of code that the README and the pages in docs/ show."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]


@cache
def page(name: str) -> str:
    """The text of a page, by its path from the root."""
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(name: str, language: str = "python") -> list[str]:
    """The blocks of a page in one language, in their order."""
    return re.findall(rf"^```{language}\n(.*?)^```", page(name), re.DOTALL | re.MULTILINE)


def commands(name: str) -> list[str]:
    """The lines of a page that call the command, without what is remarked behind them."""
    lines = "".join(blocks(name, "bash")).splitlines()
    return [line.split("#")[0].strip() for line in lines if line.startswith("thread-rag")]


def words(command: str) -> list[str]:
    """A command as a shell would split it."""
    return [word.strip('"') for word in re.findall(r'"[^"]*"|\S+', command)]


def broken_promises(code: str, printed: str) -> list[str]:
    """What a program's `# ->` comments promise and it did not print."""
    lines = printed.splitlines()
    return [line[5:] for line in code.splitlines() if line.startswith("# -> ") and line[5:] not in lines]
