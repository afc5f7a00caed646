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
_TITLE = re.compile(rf"(?:for\s+(?:the\s+)?)?(?:{_ANY})(?:\s+only)?(?=\s*:\s)", re.IGNORECASE)
_READERS = r"(?:(?:target|intended) )?audience|intended (?:readers?|users?)"
_READER = re.compile(rf"(?:{_READERS})\s*:?", re.IGNORECASE)
_HOLDERS = re.compile(rf"(?:\d+[.)]?\s+)?(?:permissions?|roles?|access|{_READERS})\s*:?", re.IGNORECASE)
_REQUIRED = re.compile(r"(?:required|needed) (?:permissions?|roles?|access)\s*:?", re.IGNORECASE)
_ONLY = re.compile(r"only\b.+|.+\bonly\b\W*", re.IGNORECASE | re.DOTALL)
_I_AM = re.compile(
    rf"(?<!\bif )(?<!\bwhether )\b(?:i am|i['’]?m|we are|we['’]re|as)\s+"
    rf"(?P<not>(?:not|no|no longer|never)\s+(?:yet\s+)?)?(?:an?\s+|the\s+|one of the\s+)?(?:[\w-]+\s+){{0,2}}?"
    rf"(?P<role>{_ANY})\b",
    re.IGNORECASE,
)


def names_role(text: str) -> bool:
    """Whether a text says for whom something is, by the role: "for administrators", "owners only"."""
    return bool(_HEADING.fullmatch(text))


def begins_title(title: str) -> str:
    """The role with which a title begins that says for whom its guide is: "DBA: fail over"."""
    match = _TITLE.match(title.strip())
    return match[0] if match else ""


def names_readers(label: str) -> bool:
    """Whether a label says for whom something is: "Audience"."""
    return _READER.fullmatch(label.strip()) is not None


def names_holders(label: str) -> bool:
    """Whether a label says before the first step who may take it, and further down anything else: "Permissions"."""
    return _HOLDERS.fullmatch(label.strip()) is not None


def restriction(label: str, said: str) -> str:
    """Who alone may do something, as said behind a label; empty where nobody is excluded.

    Example:
        >>> restriction("Audience", "DBA only."), restriction("Audience", "Service desk")
        ('DBA only', '')
    """
    excludes = names_holders(label) and _ONLY.fullmatch(said.strip())
    return said.strip(" .") if excludes or _REQUIRED.fullmatch(label.strip()) else ""


def roles_in(text: str) -> set[str]:
    """The roles that a text names."""
    return {name for name, pattern in _ROLES.items() if re.search(rf"\b{pattern}\b", text, re.IGNORECASE)}


def claimed(text: str) -> Iterator[tuple[str, set[str], bool]]:
    """What a person says of their own roles: the words, the roles, and whether they have them."""
    for match in _I_AM.finditer(text):
        yield match[0], roles_in(match["role"]), not match["not"]
