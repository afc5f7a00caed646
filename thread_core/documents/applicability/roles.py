"""Roles that decide who may do something: administrator, owner, member; and whom a label says something is for."""

from __future__ import annotations

import re
from collections.abc import Iterator

_ROLES = {
    "administrator": r"admin(?:istrator)?s?",
    "dba": r"dbas?",
    "sre": r"sres?",
    "service desk": r"(?:service|help)[ -]?desk",
    **{
        name: rf"{name}s?"
        for name in (
            "owner manager member operator supervisor moderator organizer teacher instructor student employee developer"
            " engineer technician"
        ).split()
    },
}
_ANY = "|".join(_ROLES.values())
_HEADING = re.compile(
    rf"(?:only\s+)?for\s+(?:the\s+)?(?:[\w-]+\s+){{0,2}}(?:{_ANY})(?:\s+only)?"
    rf"|(?:[\w-]+\s+){{0,2}}(?:{_ANY})\s+only",
    re.IGNORECASE,
)
_READERS = re.compile(r"(?:(?:(?:target|intended) )?audience|intended (?:readers?|users?))\s*:?", re.IGNORECASE)
_I_AM = re.compile(
    rf"(?<!\bif )(?<!\bwhether )\b(?:i am|i['’]?m|we are|we['’]re|as)\s+"
    rf"(?P<not>(?:not|no|no longer|never)\s+(?:yet\s+)?)?(?:an?\s+|the\s+|one of the\s+)?(?:[\w-]+\s+){{0,2}}?"
    rf"(?P<role>{_ANY})\b",
    re.IGNORECASE,
)


def names_role(text: str) -> bool:
    """Whether a text says for whom something is, by the role: "for administrators", "owners only"."""
    return bool(_HEADING.fullmatch(text))


def names_readers(label: str) -> bool:
    """Whether a label says for whom something is: "Audience"."""
    return _READERS.fullmatch(label.strip()) is not None


def roles_in(text: str) -> set[str]:
    """The roles that a text names."""
    return {name for name, pattern in _ROLES.items() if re.search(rf"\b{pattern}\b", text, re.IGNORECASE)}


def claimed(text: str) -> Iterator[tuple[str, set[str], bool]]:
    """What a person says of their own roles: the words, the roles, and whether they have them."""
    for match in _I_AM.finditer(text):
        yield match[0], roles_in(match["role"]), not match["not"]
