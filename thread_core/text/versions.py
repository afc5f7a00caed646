"""Versions as documents and persons write them: "Agent 2.3 and later", "our 4.14 cluster", "Windows 10 22H2".

A number is a version of the product that stands before it. Alone it may be anything, so that it counts only where it
looks like one; and a standard ("TLS 1.2", "HTTP/2") is a thing that a product uses, never the product.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass, field

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
    def dotted(self) -> bool:
        """Whether its versions have parts."""
        return len(self.low or self.high or ()) > 1

    @property
    def is_standard(self) -> bool:
        """Whether it is of a protocol, an interface or a format: what a product uses."""
        return self.product.rpartition(" ")[2] in _STANDARDS

    def apart(self, other: Range) -> bool:
        """Whether no version is in both."""
        return self._below(other) or other._below(self)

    def within(self, other: Range) -> bool:
        """Whether every version in this one is in the other."""
        return other._covers_low(self) and other._covers_high(self)

    def opposite(self, other: Range) -> bool:
        """Whether every version that is not in this one is in the other."""
        if self.low is None and other.high is None and self.high is not None:
            return self.high == other.low and (self.with_high or other.with_low)
        return self.high is None and other.low is None and self.low == other.high and (self.with_low or other.with_high)

    def is_of(self, wanted: Range, words: Container[str] = ()) -> bool:
        """Whether what a person has, and said with some words, is of the wanted product."""
        if self.product and wanted.product:
            return not _last_words(self.product).isdisjoint(_last_words(wanted.product))
        if self.is_standard or wanted.is_standard:
            return False
        if self.dotted and (wanted.dotted or wanted.marked):
            return self._is_near(wanted) or (self.marked and not self.product)
        if wanted.product:
            return (self.dotted or self.marked) and wanted.product.rpartition(" ")[2] in words
        return self.marked and wanted.marked and not self.product

    def _is_near(self, wanted: Range) -> bool:
        """Whether it begins with the same number: "4.14" may well be of what "4.16 and later" is about, 0.5 is not."""
        first = (self.low or self.high or (0,))[0]
        ends = [end[0] for end in (wanted.low, wanted.high) if end]
        return bool(ends) and min(ends) <= first <= max(ends)

    def _covers_low(self, other: Range) -> bool:
        if self.low is None or other.low is None:
            return self.low is None
        side = _compare(other.low, self.low)
        longer = len(other.low) >= len(self.low)
        return side > 0 or (side == 0 and longer and self.with_low >= other.with_low)

    def _covers_high(self, other: Range) -> bool:
        if self.high is None or other.high is None:
            return self.high is None
        side = _compare(other.high, self.high)
        longer = len(other.high) >= len(self.high)
        return side < 0 or (side == 0 and longer and self.with_high >= other.with_high)

    def _below(self, other: Range) -> bool:
        if self.high is None or other.low is None:
            return False
        side = _compare(self.high, other.low)
        return side < 0 or (side == 0 and not (self.with_high and other.with_low))


def _last_words(product: str) -> set[str]:
    """The last words of a product's name, one or two and written as one: Maria DB is MariaDB."""
    words = product.split()
    return {words[-1], "".join(words[-2:])}


LONGEST_PHRASE = 300
"""Characters; what names a version or a platform stands at the beginning of a prerequisite."""
COUNTS = 10
"""Whole numbers below it, after a bare name, count things: "Pump 2", "Sample 3"."""

_UNIT = r"%|(?:[kmgt]i?b?|bytes?|ms|s|h|hours?|days?|weeks?|months?|years?|times)\b|sec|min"
_NO_UNIT = rf"(?!\.?\d|\s*(?:{_UNIT}))"
"""No amount of something follows: "1.5 GB" is not a version."""
_UPDATE = r"\d\dH\d\b"
"""A half year: 22H2."""
_COUNT = (
    rf"(?>{_UPDATE}|\d+(?:\.(?:\d+|[xz]))*(?:,?(?:\s+version)?\s+{_UPDATE}|\s+(?:R|SP|CU)\d+\b)?"
    r"(?:-(?:rc|alpha|beta|pre|preview|dev|snapshot|nightly)\b[\w.]*|(?<=\.\d)-[a-z][\w.]*)?(?:\+[a-z][\w.]*)?)"
)
_NUMBER = rf"(?<![\w.])(?<![a-z]-)v?(?P<number>{_COUNT})(?!-?[a-z]|\w){_NO_UNIT}"
_NO_NAME = r"(?!(?:before|after|prior|than|until|since|later|earlier|between)\b)"
_WORD = rf"(?<![\w.+#/-]){_NO_NAME}[A-Za-z][\w.+#/-]*"
_PRODUCT = rf"(?P<product>(?:{_WORD}\s+){{0,5}}?)(?:versions?\s+|release\s+)?"
_SUBJECT = rf"(?:(?P<subject>{_WORD}(?:\s+{_WORD}){{0,4}})\s+)?"
_ENDING = r"(?:\s+(?:versions?|releases?|only|on|onwards?|lts|clusters?|users?))*"
_LATER = (
    r"(?:and|or)\s+(?:later|newer|above|higher|up|onwards?|greater|more recent)|\+"
    r"|or\s+(?:a\s+)?(?:later|newer|higher)\s+version"
)
_EARLIER = r"(?:and|or)\s+(?:earlier|older|below|lower|previous|before)"
_BELOW = r"(?:before|prior to|earlier than|older than|below|lower than|up to but not including|<(?!=))"
_UP_TO = r"(?:up to and including|up to|until|<=|≤)"
_ABOVE = r"(?:after|later than|newer than|above|higher than|>(?!=))"
_FROM = r"(?:at least|since|starting (?:with|from|in)|from|minimum(?: of)?|>=|≥)"
_HIGH = rf"(?:(?P<again>{_NO_NAME}[A-Za-z]+)\s+)?v?(?P<high>{_COUNT})(?!-?[a-z]|\w){_NO_UNIT}"
_BUT = r"\s*,?\s*(?:(?:and|but)\s+)?"
_RANGES = tuple(
    (kind, re.compile(pattern + _ENDING, re.IGNORECASE))
    for kind, pattern in (
        ("span", rf"{_SUBJECT}between\s+{_PRODUCT}{_NUMBER}\s+and\s+{_HIGH}"),
        (
            "span",
            rf"{_SUBJECT}(?:{_FROM}|(?P<over>{_ABOVE}))\s*{_PRODUCT}{_NUMBER}{_BUT}"
            rf"(?:{_UP_TO}|(?P<under>{_BELOW}))\s*{_HIGH}",
        ),
        ("span", rf"{_PRODUCT}{_NUMBER}[\s,]*(?:{_LATER}){_BUT}(?:{_UP_TO}|(?P<under>{_BELOW}))\s*{_HIGH}"),
        ("span", rf"(?:from\s+)?{_PRODUCT}{_NUMBER}\s*(?:to|through|until|-|–)\s*{_HIGH}"),
        ("list", rf"{_PRODUCT}{_NUMBER}(?:\s*(?:,?\s*(?:and|or)\b|[,/&])\s*{_HIGH}){{1,5}}"),
        ("later", rf"{_PRODUCT}{_NUMBER}[\s,]*(?:{_LATER})"),
        ("earlier", rf"{_PRODUCT}{_NUMBER}[\s,]*(?:{_EARLIER})"),
        ("later", rf"{_SUBJECT}{_FROM}\s*{_PRODUCT}{_NUMBER}"),
        ("before", rf"{_SUBJECT}{_BELOW}\s*{_PRODUCT}{_NUMBER}"),
        ("earlier", rf"{_SUBJECT}{_UP_TO}\s*{_PRODUCT}{_NUMBER}"),
        ("after", rf"{_SUBJECT}{_ABOVE}\s*{_PRODUCT}{_NUMBER}"),
        ("exact", rf"{_PRODUCT}{_NUMBER}"),
    )
)
_MARKED = re.compile(r"\b(?:versions?|releases?)\b|\bv\d|\d\.[xz]\b", re.IGNORECASE)
"""What says that a number is a version."""
_RUNNING = frozenset("run runs running use uses using on".split())
"""What a person says before the version of what they have."""
_NO_PRODUCT = frozenset(
    """
    step steps method option phase part error code appendix case scenario level section chapter table figure stage task
    example day item note page line port exit http status cause issue solution workaround resolution procedure round
    lab exercise tier id event kb top number row check question wave attempt problem symptom sample test requirement
    room floor building rack zone channel bus seat form rfc iso iec ieee din en ansi nist cve bug ticket article
    paragraph clause rule annex volume lesson module unit sheet slide week month quarter year model class category
    type mode raid lun slot disk drive pin vlan com
    january february march april may june july august september october november december
    """.split()
)
"""What is counted: no number after it is a version."""
_BOUNDS_OF_OTHERS = frozenset(
    """
    ab bis vor nach seit dès jusque jusqu avant après depuis partir desde hasta antes después até depois partire fino
    prima dopo od przed po
    """.split()
)
"""Prepositions of other languages: which versions they admit is not read, so none are excluded."""
_STANDARDS = frozenset(
    """
    tls ssl dtls http https ftp smb cifs nfs iscsi snmp ntlm ldap kerberos ssh ip ipv4 ipv6 tcp udp dns imap pop
    smtp mqtt amqp oauth oidc saml openid openapi graphql soap odata usb usb-c pci pcie sata sas nvme ddr hdmi dvi
    displayport thunderbolt bluetooth wifi wi-fi ethernet uefi bios tpm acpi opengl directx opencl vulkan cuda html css
    xml json yaml csv pdf unicode utf posix sha md5 aes wpa lte nfc
    """.split()
)
"""Protocols, interfaces and formats: their version is not that of a person's product."""
FILLER = re.compile(
    r"^(?:(?:on|for|from|in|with|using|if|you|use|your|have|run|running|is|are|the|a|an|any|only|requires?|versions?|this"
    r"|applies|to|of)\s+)+",
    re.IGNORECASE,
)
_FILLERS_ALONE = frozenset(
    """
    on in for with at to from since before after between version versions v a an the our my is are running use using of
    and or has says shows prints reports gives returns reads currently still
    """.split()
)
_NOT_THIS = re.compile(
    r"(?:\b(?:not|no|never|no longer)|n['’]t)\s+"
    r"(?:(?:yet|on|at|using|use|have|had|got|own|need|want|buy|bought|to|a|an|the|any|our|version|really|actually"
    r"|currently|even|ever|longer|(?:run|runs|running|ran|used|installed)(?!\s+(?:on|at|in)\b))\s+)*$",
    re.IGNORECASE,
)
"""Before what somebody has not; "it is not running on Linux" is said of Linux."""
_MENTION = re.compile(
    rf"(?:from\s+(?:[A-Za-z][\w+#-]*\s+)?v?\d+(?:\.\d+)*\s+to\s+)?"
    rf"(?:(?P<time>\b(?:before|prior to)\s+)|(?P<below>\b{_BELOW}\s+))?(?<![\w.])"
    r"(?:(?<![+#-])(?P<product>[A-Za-z][\w+#-]*)(?:\s+|/(?=\d)))?(?P<marked>version\s+)?"
    rf"\bv?(?P<number>{_COUNT})(?!\w){_NO_UNIT}"
    rf"(?:\s*(?:(?P<later>{_LATER})|(?P<earlier>{_EARLIER})))?",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_RUNS_ON = re.compile(r"(?<=\d)\s+on\s+(?:(?:an?|my|our|the)\s+)?[a-z][\w+#-]*")
"""What something of a version runs on: "5.2 on Windows"."""


def version_range(text: str) -> Range | None:
    """The versions that a phrase admits ("Agent 2.3 and later"), or None where it names none."""
    phrase = text[:LONGEST_PHRASE]
    for kind, pattern in _RANGES if _DIGIT.search(phrase) else ():
        if match := pattern.search(phrase):
            return _range(kind, match)
    return None


def words_beside(text: str) -> set[str]:
    """The words of a text of which a number without a name may be the version: none of what it runs on."""
    return set(_RUNS_ON.sub(" ", text.lower()).split())


def names_versions(text: str) -> bool:
    """Whether a text names versions of a product and nothing else."""
    if not _DIGIT.search(text):
        return False
    bare = FILLER.sub("", text)
    for kind, pattern in _RANGES:
        if match := pattern.fullmatch(text) or (bare != text and pattern.fullmatch(bare)):
            found = _range(kind, match)
            if found is None or found.is_standard or (kind in _BARE and _is_phrase(match)):
                return False
            number = match["number"]
            counted = kind == "exact" and number.isdigit() and int(number) < COUNTS
            return bool(found.marked or not number.isdigit() or (found.product and not counted))
    return False


_BARE = ("exact", "list", "span")
"""Kinds that a product and its numbers make alone."""


def mentioned(text: str) -> Iterator[tuple[str, Range]]:
    """Versions as a person writes them: "Windows 10", "our 4.14 cluster", "below v2.1", "OCP 4.16 or later"."""
    for match in _MENTION.finditer(text):
        product, version = _product(match["product"]), _version(match["number"])
        if _is_address(product, version) or match["time"] or _is_no_product(product) or is_denied(text, match.start()):
            continue
        running = (match["product"] or "").lower() in _RUNNING
        had = Range(
            product,
            low=None if match["below"] or match["earlier"] else version,
            high=None if match["later"] else version,
            with_high=not match["below"],
            marked=running or bool(_MARKED.search(match[0])),
        )
        words = (match["below"], product, match["marked"], match["number"], match["later"] or match["earlier"])
        yield " ".join(" ".join(filter(None, words)).split()), had


def is_denied(text: str, start: int) -> bool:
    """Whether the words just before a place say that it is not what follows: "we are not on ..."."""
    return bool(_NOT_THIS.search(text[max(0, start - 40) : start]))


def _range(kind: str, match: re.Match[str]) -> Range | None:
    named = match.groupdict()
    product = _product(named["product"]) or _product(named.get("subject"))
    version, marked = _version(match["number"]), bool(_MARKED.search(match[0]))
    if _is_no_product(product) or _is_address(product, version) or (kind == "list" and _names_another(match)):
        return None
    match kind:
        case "span" | "list":
            low, high = version, _version(match["high"])
            if _compare(low, high) > 0:
                if kind == "span":
                    return None
                low, high = high, low
            ends = {"with_low": not named.get("over"), "with_high": not named.get("under")}
            return Range(product, low, high, **ends, marked=marked)
        case "later":
            return Range(product, low=version, marked=marked)
        case "earlier":
            return Range(product, high=version, marked=marked)
        case "before":
            return Range(product, high=version, with_high=False, marked=marked)
        case "after":
            return Range(product, low=version, with_low=False, marked=marked)
        case _:
            return Range(product, low=version, high=version, marked=marked)


def _names_another(match: re.Match[str]) -> bool:
    """Whether the second of two numbers stands behind another name than the first: "Windows 11 and macOS 14"."""
    again = (match["again"] or "").lower()
    return bool(again) and again not in _FILLERS_ALONE and again != _product(match["product"]).rpartition(" ")[2]


def _is_phrase(match: re.Match[str]) -> bool:
    """Whether the words before a number are more than a name: "reports of node 3"."""
    names = FILLER.sub("", match["product"] or match.groupdict().get("subject") or "").split()
    return len(names) > 1 and any(name.islower() for name in names)


def _is_no_product(product: str) -> bool:
    words = product.split()
    return bool(words) and (words[-1] in _NO_PRODUCT or not _BOUNDS_OF_OTHERS.isdisjoint(words))


def _is_address(product: str, version: Version) -> bool:
    """Whether four numbers that nothing stands before are those of a machine: 10.0.3.4."""
    return not product and len(version) > 3 and version[-1] >= 0


def _product(words: str | None) -> str:
    text = FILLER.sub("", (words or "").strip().lower() + " ").strip()
    return "" if text in _FILLERS_ALONE else text


_EARLY = re.compile(r"-(?:rc|alpha|beta|pre|preview|dev|snapshot|nightly)", re.IGNORECASE)


def _version(text: str) -> Version:
    numbers = re.split(r"[-+]", text, maxsplit=1)[0]
    version = tuple(int(part[:9]) for part in re.findall(r"\d+", numbers))
    return (*version, -1) if _EARLY.search(text) else version


def _compare(one: Version, other: Version) -> int:
    """-1, 0 or 1. A shorter version stands for all that begin with it: 4.16 equals 4.16.3, and 4.16.0 its release."""
    size = min(len(one), len(other))
    if one[:size] == other[:size]:
        return (one[size:] == (-1,)) * -1 + (other[size:] == (-1,))
    return (one[:size] > other[:size]) - (one[:size] < other[:size])
