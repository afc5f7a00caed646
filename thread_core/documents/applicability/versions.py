"""Versions as documents and persons write them: "Agent 2.3 and later", "our 4.14 cluster", "Windows 10 22H2".

A number is a version of the product that stands before it. Alone it may be anything, so that it counts only where it
looks like one; and a standard ("TLS 1.2", "HTTP/2") is a thing that a product uses, never the product.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

Version = tuple[int, ...]
"""Its numbers; a last one of -1 marks what came before the release: 4.14.0-rc.1."""


@dataclass(frozen=True, slots=True)
class Range:
    """Versions of a product from `low` to `high`, each end included or not; None is open."""

    product: str
    low: Version | None = None
    high: Version | None = None
    with_high: bool = True
    with_low: bool = True
    marked: bool = field(default=False, compare=False)
    """Whether the words say that it is a version: "version 2", "v2", "we run 2.1"."""

    @property
    def is_standard(self) -> bool:
        """Whether it is of a protocol, an interface or a format: what a product uses."""
        return self.product.rpartition(" ")[2] in _STANDARDS

    def apart(self, other: Range) -> bool:
        """Whether no version is in both."""
        return self._stop <= other._start or other._stop <= self._start

    def within(self, other: Range) -> bool:
        """Whether every version in this one is in the other."""
        return other._start <= self._start and self._stop <= other._stop

    def opposite(self, other: Range) -> bool:
        """Whether every version that is not in this one is in the other."""
        below, above = (self, other) if self.low is None else (other, self)
        return below.low is above.high is None and above._start <= below._stop

    def is_of(self, wanted: Range) -> bool:
        """Whether what a person has is of the wanted product."""
        if self.product and wanted.product:
            return not _last_words(self.product).isdisjoint(_last_words(wanted.product))
        if self.is_standard or wanted.is_standard:
            return False
        if self._dotted and (wanted._dotted or wanted.marked):
            return self._is_near(wanted) or (self.marked and not self.product)
        return self.marked and wanted.marked and not self.product

    def _is_near(self, wanted: Range) -> bool:
        """Whether it begins with the same number: "4.14" may well be of what "4.16 and later" is about, 0.5 is not."""
        first = (self.low or self.high or (0,))[0]
        ends = [end[0] for end in (wanted.low, wanted.high) if end]
        return bool(ends) and min(ends) <= first <= max(ends)

    @property
    def _dotted(self) -> bool:
        return len(self.low or self.high or ()) > 1

    @property
    def _start(self) -> tuple[float, ...]:
        """What sorts before the versions of the range and after those below it; 4.16 stands for 4.16.3 too."""
        return () if self.low is None else _first(self.low) if self.with_low else (*self.low, math.inf)

    @property
    def _stop(self) -> tuple[float, ...]:
        return (math.inf,) if self.high is None else (*self.high, math.inf) if self.with_high else _first(self.high)


def _first(version: Version) -> tuple[int, ...]:
    """A release in full stands behind what came before it: 4.14.0 behind 4.14.0-rc.1."""
    return (*version, 0) if len(version) == 3 else version


def _last_words(product: str) -> set[str]:
    """The last words of a product's name, one or two and written as one: Maria DB is MariaDB."""
    words = product.split()
    return {words[-1], "".join(words[-2:])}


LONGEST_PHRASE = 300
"""Characters; what names a version or a platform stands at the beginning of a prerequisite."""
COUNTS = 10
"""Whole numbers below it, after a bare name, count things: "Pump 2", "Sample 3"."""
NAMES = 6
"""Words of a product's name at most."""

_NO_UNIT = (
    r"(?!\.?\d|\s*(?:%|(?:[kmgt]i?b?|bytes?|ms|s|h|hours?|days?|weeks?|months?|years?|times)\b|sec|min))"
    r"(?!-?[a-z]|\w)"
)
"""No amount of something follows: "1.5 GB" is not a version."""
_COUNT = (
    r"(?>\d\dH\d\b|\d+(?:\.(?:\d+|[xz]))*(?:,?(?:\s+version)?\s+\d\dH\d\b|\s+(?:R|SP|CU)\d+\b)?"
    r"(?:-(?:rc|alpha|beta|pre|preview|dev|snapshot|nightly)\b[\w.]*|(?<=\.\d)-[a-z][\w.]*)?(?:\+[a-z][\w.]*)?)"
)
_EARLY = re.compile(r"-(?:rc|alpha|beta|pre|preview|dev|snapshot|nightly)", re.IGNORECASE)
_LATER = (
    r"(?:and|or)\s+(?:a\s+)?(?:later|newer|above|higher|up|onwards?|greater|more recent)(?:\s+versions?)?"
    r"(?!\s+(?:than|to)\b)|\+"
)
_EARLIER = r"(?:and|or)\s+(?:earlier|older|below|lower|previous|before)(?!\s+than)(?!\s+v?\d)"
_BELOW = r"before|prior to|(?:earlier|older|lower) than|below|up to but not including|<(?!=)"
_UP_TO = r"up to(?: and including)?|until|<=|≤"
_ABOVE = r"after|(?:later|newer|higher) than|above|>(?!=)"
_FROM = r"at least|since|from|starting (?:with|from|in)|minimum(?: of)?|between|>=|≥"
_NAME = (
    r"(?<![\w.+#/'’-])(?!(?:before|after|prior|least|than|from|until|up|since|later|earlier|between|below|above|versions?"
    r"|release|not?|never|and|or|but|to|through)\b)"
    r"[A-Za-z][\w.+#/-]*"
)
_MENTION = re.compile(
    rf"(?:(?P<subject>{_NAME}(?:\s+{_NAME})??)\s+)?"
    rf"(?:(?:(?<!\w)(?:(?P<below>{_BELOW})|(?P<until>{_UP_TO})|(?P<above>{_ABOVE})|(?P<start>{_FROM})))\s*)?"
    rf"(?:(?P<product>{_NAME}(?:\s+{_NAME}){{0,3}}?)(?:\s+|(?<=/)))?(?:versions?\s+|release\s+)?"
    rf"(?<![\w.])(?<![a-z]-)v?(?P<number>{_COUNT}){_NO_UNIT}(?:[\s,]*(?:(?P<later>{_LATER})|(?P<earlier>{_EARLIER})))?",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\s*(?:,?\s*(?:and|or|but)\b|[,/&–-]|\b(?:to|through)\b)?\s*", re.IGNORECASE)
"""What joins one version to the next."""
_ENDING = re.compile(r"(?:\s+(?:versions?|releases?|only|on|onwards?|lts|clusters?|users?))*", re.IGNORECASE)
_MARKED = re.compile(
    r"\b(?:versions?|releases?)\b|\bv\d|\d\.[xz]\b|\b(?:runs?|running|uses?|using|on)\s+\d", re.IGNORECASE
)
"""What says that a number is a version."""
_TIME = re.compile(r"before|prior|after|until", re.IGNORECASE)
"""What a person says of a time: "it worked before 4.16"."""
_NO_PRODUCT = frozenset(
    """
    step method option phase part section chapter table figure page line row item error code event id kb port http
    exit status day room floor rack vlan raid lun slot com form rfc iso iec din cve bug ticket article paragraph class
    january february march april may june july august september october november december
    ab bis vor nach seit dès jusque jusqu avant après depuis partir desde hasta antes después até prima dopo od przed
    """.split()
)
"""What is counted, and bounds in other languages, which are not read: no number after it is a version."""
_STANDARDS = frozenset(
    """
    tls ssl http https ftp smb nfs snmp ntlm ldap ssh ip tcp udp dns imap smtp mqtt oauth saml openapi soap usb usb-c
    pcie sata nvme hdmi bluetooth wifi wi-fi uefi bios tpm opengl directx cuda html css xml json yaml pdf utf sha wpa
    """.split()
)
"""Protocols, interfaces and formats: their version is not that of a person's product."""
_FILLERS = frozenset(
    """
    on in for with at to over from if you your a an any only the this our my it is are we run runs running use uses
    using of and or have has requires require says shows prints reports gives returns currently still applies
    """.split()
)
_NOT_THIS = re.compile(
    r"(?:\b(?:not|no|never|no longer)|n['’]t)\s+"
    r"(?:(?:yet|on|at|using|use|have|had|got|own|need|want|buy|bought|to|a|an|the|any|our|version|really|actually"
    r"|currently|even|ever|longer|(?:run|runs|running|ran|used|installed)(?!\s+(?:on|at|in)\b))\s+)*$",
    re.IGNORECASE,
)
"""Before what somebody has not; "it is not running on Linux" is said of Linux."""
_DIGIT = re.compile(r"\d")


def version_range(text: str) -> Range | None:
    """The versions that a phrase admits ("Agent 2.3 and later"), or None where it names none."""
    found = [one for _, _, one in _phrases(text[:LONGEST_PHRASE])]
    return min(found, key=lambda one: one.low == one.high, default=None)


def names_versions(text: str) -> bool:
    """Whether a text names versions of a product and nothing else."""
    start, end, found = next(iter(_phrases(text)), (0, 0, None))
    if found is None or found.is_standard or not _ENDING.fullmatch(text, end):
        return False
    words = re.split(r"\bv?\d", text, maxsplit=1)[0].split()
    first = next((at for at, word in enumerate(words) if word.lower() not in _FILLERS), len(words))
    names = [word for word in words[first:] if re.fullmatch(_NAME, word, re.IGNORECASE)]
    if len(names) > NAMES or any(word not in names for word in text[:start].split()[first:]):
        return False
    if found.low and found.high and len(names) > 1 and any(map(str.islower, names)):
        return False  # more than a name: "reports of node 3"
    version = found.low or found.high or ()
    counted = found.low == found.high and version[0] < COUNTS
    return found.marked or len(version) > 1 or bool(found.product and not counted)


def mentioned(text: str) -> Iterator[tuple[str, Range]]:
    """Versions as a person writes them: "Windows 10", "our 4.14 cluster", "below v2.1", "OCP 4.16 or later"."""
    for match in _MENTION.finditer(text) if _DIGIT.search(text) else ():
        had = _range(match)
        is_left = re.match(r"\s+to\s+(?:version\s+)?v?\d", text[match.end() : match.end() + 20]) is not None
        if had is None or is_left or _TIME.match(match["below"] or match["above"] or match["until"] or ""):
            continue
        if match["start"] and match["start"].lower() in ("from", "since"):  # a place or a time
            had = replace(had, high=had.low)
        last = had.product.rpartition(" ")[2]
        start = match.start() + match[0].lower().rfind(last) if last else match.start("number")
        if not is_denied(text, start):
            words = (match["below"], had.product, match["number"], match["later"] or match["earlier"])
            yield " ".join(filter(None, words)), had


def is_denied(text: str, start: int) -> bool:
    """Whether the words just before a place say that it is not what follows: "we are not on ..."."""
    return bool(_NOT_THIS.search(text[max(0, start - 40) : start]))


def _phrases(text: str) -> list[tuple[int, int, Range]]:
    """The versions that a text names, where each begins and ends; joined ones together, unless products differ."""
    found: list[tuple[int, int, Range | None]] = []
    last: re.Match[str] | None = None
    for match in _MENTION.finditer(text) if _DIGIT.search(text) else ():
        one = _range(match)
        if last and _BETWEEN.fullmatch(text, last.end(), match.start()) and _goes_on(last, match):
            start, _, before = found[-1]
            found[-1] = (start, match.end(), _joined(before, one) if before and one else None)
        else:
            found.append((*match.span(), one))
        last = match
    return [(start, end, one) for start, end, one in found if one]


def _goes_on(one: re.Match[str], other: re.Match[str]) -> bool:
    """Whether what is joined to a version may be the end of the same range or list."""
    if any(other[name] for name in ("later", "earlier", "start", "above")):
        return False
    is_open = one["later"] or one["above"]
    return not (one["below"] or one["until"] or one["earlier"]) and bool(
        other["below"] or other["until"] or not is_open
    )


def _joined(one: Range, other: Range) -> Range | None:
    """A range with its end, or a list; None where they are of two products, or nothing is in between."""
    if other.product and _last_words(other.product).isdisjoint(_last_words(one.product or "-")):
        return None
    low, high = one.low, other.high
    if low and high and one.high and other.low:
        low, high = min(low, other.low), max(one.high, high)
    found = replace(one, low=low, high=high, with_high=other.with_high, marked=one.marked or other.marked)
    return found if found._start < found._stop else None


def _range(match: re.Match[str]) -> Range | None:
    """What a mention admits; None where it is of no product, or the address of a machine: 10.0.3.4."""
    version = _version(match["number"])
    named = f"{match['subject'] or ''} {match['product'] or ''}".lower().replace("/", " ").split()
    names = [name for name in named[-2:] if name not in _FILLERS and named[-1] not in _FILLERS]
    if not _NO_PRODUCT.isdisjoint(names) or (not names and len(version) > 3 and version[-1] >= 0):
        return None
    is_above, is_below = match["start"] or match["above"] or match["later"], match["below"] or match["until"]
    return Range(
        " ".join(names),
        low=None if is_below or match["earlier"] else version,
        high=None if is_above else version,
        with_low=not match["above"],
        with_high=not match["below"],
        marked=bool(_MARKED.search(match[0])),
    )


def _version(text: str) -> Version:
    numbers = re.split(r"[-+]", text, maxsplit=1)[0]
    version = tuple(int(part[:9]) for part in re.findall(r"\d+", numbers))
    return (*version, -1) if _EARLY.search(text) else version
