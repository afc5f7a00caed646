"""Platforms: which of them a text names, and which exclude each other."""

from __future__ import annotations

import re
from collections.abc import Iterator

from thread_core.documents.applicability.versions import is_denied

_DISTRIBUTIONS = {
    "ubuntu": r"ubuntu(?: linux)?",
    "debian": r"debian",
    "rhel": r"rhel|red hat enterprise linux",
    "fedora": r"fedora",
    "centos": r"centos",
    "suse": r"(?:open)?suse(?: linux)?",
}
_KINDS = dict.fromkeys(_DISTRIBUTIONS, "linux")
"""What each is a kind of. They do not exclude each other: what is written for one may do for others, so it is asked."""
_NAMES: tuple[dict[str, str], ...] = (
    {
        "windows": r"(?:microsoft )?windows",
        "macos": (
            r"mac ?os(?: x)?|os x|apple computer"
            r"|(?:apple )?(?-i:(?!MAC\b))mac(?:s|book\w*)?(?! (?:address|table|filter))"
        ),
        **_DISTRIBUTIONS,
        "linux": r"linux",
        "ios": r"(?-i:(?!IOS))(?<!cisco )ios|iphone|ipad(?:os)?",
        "android": r"android",
        "web": r"the web(?=\W*$|[^\w\s])|web (?:app|browser|version)",
    },
    {"32-bit": r"32[- ]?bit|x86(?![-_]64)", "64-bit": r"64[- ]?bit|x86[-_]64|x64|amd64"},
)
Family = dict[str, re.Pattern[str]]
"""Platforms of which a person has one, each with the words for it; MAC and IOS in capitals are of networks."""
FAMILIES: tuple[Family, ...] = tuple(
    {name: re.compile(rf"(?<![\w-])(?:{pattern})(?![\w-])", re.IGNORECASE) for name, pattern in family.items()}
    for family in _NAMES
)
_ANY = re.compile(
    rf"(?<![\w-])(?:{'|'.join(pattern for family in _NAMES for pattern in family.values())})(?![\w-])", re.IGNORECASE
)
_BESIDE = frozenset(
    """
    on for in with using if you you're you’re are have use run your the a an and or only lts steps
    instructions version versions desktop
    user users device devices client clients computer computers system systems machine machines
    pc pcs phone phones tablet tablets laptop laptops
    """.split()
)
"""What may stand beside the platforms in a heading that names nothing else."""
NO_PLACE = r"(?!(?:turn|switch|power|log|sign)\s+on\b)"
"""Before words of which "on" names no place: "turn on Windows"."""
_PRODUCT_ON_PLATFORM = re.compile(rf"(?i:{NO_PLACE})[A-Z][\w.]*\s+(?:[A-Z\d][\w.]*\s+){{0,3}}(?P<name>(?:for|on)\s+.+)")
_PLACING = frozenset(("", "on", "for"))
"""What stands before platforms."""
_JOINED = re.compile(r"(?:[\s,/&]|\b(?:and|or)\b)+$", re.IGNORECASE)
"""What stands between two of them."""


def names_platforms(text: str) -> bool:
    """Whether a text names platforms, or a product on one, and nothing else."""
    match = _PRODUCT_ON_PLATFORM.fullmatch(text)
    rest = match["name"] if match else text
    if not _ANY.search(rest):
        return False
    for family in FAMILIES:
        for pattern in family.values():
            rest = pattern.sub(" ", rest)
    words = re.findall(r"[^\s,/&().]+", rest.lower())
    return all(word in _BESIDE or word.isdigit() for word in words)


def product_and_platforms(text: str) -> tuple[str, list[str]]:
    """What runs on platforms, if a text names it, and each platform with what stands beside it.

    There are none where they do not stand side by side: "64-bit Windows", "Linux (Debian)".

    Example:
        >>> product_and_platforms("Gate 5.x on Windows 10, 11 and macOS 14")
        ('Gate 5.x', ['Windows 10, 11', 'macOS 14'])
    """
    match = _PRODUCT_ON_PLATFORM.fullmatch(text)
    product, rest = (text[: match.start("name")].strip(), match["name"]) if match else ("", text)
    found = list(platforms_in(rest))
    starts = [start for _, start, _ in found]
    if "(" in rest or {family for family, _, _ in found} != {0} or rest[: starts[0]].strip().lower() not in _PLACING:
        return product, []
    pieces = (rest[start:end] for start, end in zip(starts, [*starts[1:], len(rest)], strict=True))
    return product, [_JOINED.sub("", piece) for piece in pieces]


def named(text: str, family: Family, denied: bool = False) -> set[str]:
    """The platforms that a text names, or those that it says it is not about; of "Linux (Debian)" the narrower one."""
    names = {
        name
        for name, pattern in family.items()
        if any(is_denied(text, match.start()) is denied for match in pattern.finditer(text))
    }
    return names - {_KINDS[name] for name in names if name in _KINDS}


def kinds(names: set[str]) -> set[str]:
    """The platforms that some platforms are kinds of."""
    return {_KINDS.get(name, name) for name in names}


def platforms_in(text: str) -> Iterator[tuple[int, int, int]]:
    """The platforms that a text is about, each as the number of its family and where its name begins and ends."""
    for number, family in enumerate(FAMILIES):
        spans = [match.span() for pattern in family.values() for match in pattern.finditer(text)]
        for start, end in sorted(spans):
            within = any(first <= start and end <= last and end - start < last - first for first, last in spans)
            if not within and not is_denied(text, start):
                yield number, start, end
