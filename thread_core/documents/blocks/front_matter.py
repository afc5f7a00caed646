"""What is said of a document before it begins: front matter in YAML or TOML."""

from __future__ import annotations

import re
from typing import NamedTuple

from thread_core.documents.blocks.source import Source

_FOLDED = re.compile(r"[>|][+-]?\d?")


class _Front(NamedTuple):
    """A language in which front matter is written."""

    field: re.Pattern[str]
    ends: tuple[str, ...]
    """Lines that end it."""
    nested: tuple[str, ...]
    """How lines begin that are no flat field, and belong to it all the same."""


_FRONT = {
    "---": _Front(re.compile(r"([A-Za-z][\w.-]*):(.*)", re.DOTALL), ("---", "..."), ("-",)),
    "+++": _Front(re.compile(r"([A-Za-z][\w.-]*)\s*=(.*)", re.DOTALL), ("+++",), ("[", "]", '"', "'")),
}
"""YAML and TOML, by the line that begins it."""


def front_matter(source: Source) -> tuple[dict[str, str], tuple[int, int] | None]:
    """`key: value` lines between two `---`, or `key = value` lines between two `+++`.

    Real front matter is often invalid, so only flat fields are read; of two of one name, the first.
    """
    kind = _FRONT.get(source.line(1).rstrip())
    fields: dict[str, str] = {}
    if kind is None:
        return {}, None
    folded = ""
    for number in range(2, len(source) + 1):
        line = source.line(number)
        if line.startswith(kind.ends) and line.rstrip() in kind.ends:
            return (fields, (1, number)) if fields else ({}, None)
        if match := kind.field.match(line):
            key, value = match[1].lower(), match[2].strip()
            folded = key if value[:1] in (">", "|") and _FOLDED.fullmatch(value) else ""
            fields.setdefault(key, "" if folded else value.strip("'\""))
        elif folded and line.startswith((" ", "\t")):
            fields[folded] = f"{fields[folded]} {line.strip()}".strip()
        elif line.strip() and not line.startswith((" ", "\t", "#", *kind.nested)):
            return {}, None
    return {}, None
