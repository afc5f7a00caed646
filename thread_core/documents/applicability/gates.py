"""Gates: the words of a heading that say for whom its section is, by a version, a platform or a role."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from thread_core.documents.applicability.platforms import NO_PLACE, names_platforms, product_and_platforms
from thread_core.documents.applicability.roles import names_role
from thread_core.documents.applicability.versions import LONGEST_PHRASE, names_versions, version_range
from thread_core.text.denials import may_deny
from thread_core.text.sentences import tells

LONGEST_GATE = 9
"""Words of a heading that says for whom its section is."""
REMEMBERED = 1024
"""Headings whose gates are kept: each is asked for once for every unit under it."""
LONGEST_ADDITION = 3
"""Words in brackets after a gate that only say more about it: "macOS 13 (Ventura)"."""
_ENUMERATED = re.compile(
    r"(?:(?:step|method|option|case|scenario|variant|alternative|part|solution|workaround)\s+[\da-z][\d.]*\s*[.:)–-]*"
    r"|\d[\d.]*[.:)]|\d+(?:\.\d+)*(?=\s+(?-i:[A-Z])))\s+",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"(?P<outer>[^()]*)\((?P<inner>[^()]+)\)")
_NAME = re.compile(r"(?:(?=[A-Z\d])[^\s]+\s*)+")
_DONE_ON = re.compile(rf"{NO_PLACE}.+\s(?P<gate>on\s+.+)", re.IGNORECASE)
"""Where something is done: "Remove the files on a Mac"."""


@lru_cache(maxsize=REMEMBERED)
def gate_of(heading: str) -> str:
    """The words of a heading that say for whom its section is: a version range, a platform or a role; or nothing.

    Example:
        >>> gate_of("Method 1 (Windows)")
        'Windows'
    """
    text = heading.strip(" :.*")
    if len(text) > LONGEST_PHRASE or len(text.split()) > LONGEST_GATE:
        return ""
    return next((part for part in dict.fromkeys(_parts(text)) if _is_whole_gate(part)), "")


def requirements(gate: str) -> tuple[tuple[str, ...], ...]:
    """What a gate asks for, all of which must hold; of each, one of several.

    Example:
        >>> requirements("Gate 5.x on Windows 11 and macOS 14")
        (('Gate 5.x',), ('Windows 11', 'macOS 14'))
    """
    product, platforms = product_and_platforms(gate) if names_platforms(gate) else ("", [])
    if platforms and product and version_range(product):
        return (product,), tuple(platforms)
    return (tuple(platforms),) if len(platforms) > 1 and any(map(version_range, platforms)) else ((gate,),)


def _parts(text: str) -> Iterator[str]:
    """Of a heading: all but its number, that without its brackets, what stands in them, where it is done, and all."""
    bare = _ENUMERATED.sub("", text, count=1) if _ENUMERATED.match(text) else text
    yield bare[1:-1] if bare[:1] == "(" and bare[-1:] == ")" else bare
    if match := _BRACKETED.fullmatch(bare):
        outer, inner = match["outer"].strip(), match["inner"].strip()
        if names_role(inner):
            yield inner
        yield f"{outer} {inner}"
        versions = version_range(outer)
        is_named = _NAME.fullmatch(inner) or names_platforms(inner) or versions is None or versions.low != versions.high
        if len(inner.split()) <= LONGEST_ADDITION and is_named and not may_deny(inner):
            yield outer
        yield inner
    if match := _DONE_ON.fullmatch(bare):
        yield match["gate"]
    yield text


def _is_whole_gate(text: str) -> bool:
    return not tells(text) and (names_versions(text) or names_platforms(text) or names_role(text))
