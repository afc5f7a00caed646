"""What must hold before a unit applies, and whether it does: met, not met, or ask.

Versions are compared as versions, platforms exclude each other, a step counts as done when it was walked, and a
person's answer is remembered in the words in which it was asked (the paper's selector, section 3.3).
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache

from thread_core.models import Model
from thread_core.words import content_words


class Verdict(Enum):
    """The gate's three answers."""

    MET = "met"
    NOT_MET = "not met"
    ASK = "ask"


class Known(Model):
    """What is known so far."""

    said: tuple[str, ...] = ()
    """The question and what the person said since."""
    confirmed: tuple[str, ...] = ()
    """Prerequisites that the person said hold, as written."""
    denied: tuple[str, ...] = ()
    """Prerequisites that the person said do not hold, as written."""
    done: tuple[str, ...] = ()
    """Headers of the units already walked."""


class Judgement(Model):
    """An answer with its reason, and the question to put where the answer is to ask."""

    verdict: Verdict
    reason: str
    question: str = ""


Version = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Range:
    """Versions of a product from `low` to `high`, each end included or not; None is open."""

    product: str
    low: Version | None = None
    high: Version | None = None
    with_high: bool = True
    with_low: bool = True
    marked: bool = field(default=False, compare=False)
    """Whether the words say that it is a version: "version 2", "v2"."""

    @property
    def dotted(self) -> bool:
        """Whether its versions have parts."""
        return len(self.low or self.high or ()) > 1

    def holds(self, version: Version) -> bool:
        """Whether it admits a version."""
        if self.low is not None:
            side = _compare(version, self.low)
            if side < 0 or (side == 0 and not self.with_low):
                return False
        if self.high is None:
            return True
        side = _compare(version, self.high)
        return side < 0 or (side == 0 and self.with_high)

    def apart(self, other: Range) -> bool:
        """Whether no version is in both."""
        return self._below(other) or other._below(self)

    def within(self, other: Range) -> bool:
        """Whether every version in this one is in the other."""
        return other._covers_low(self) and other._covers_high(self)

    def _covers_low(self, other: Range) -> bool:
        if self.low is None or other.low is None:
            return self.low is None
        return other.low > self.low or (other.low == self.low and self.with_low >= other.with_low)

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


_UNIT = r"%|(?:[kmgt]i?b?|bytes?|ms|s|h|hours?|days?|weeks?|months?|years?|times)\b|sec|min"
_NO_UNIT = rf"(?!\.?\d|\s*(?:{_UNIT}))"
"""No amount of something follows: "1.5 GB" is not a version."""
_COUNT = r"\d+(?:\.(?:\d+|x))*"
_NUMBER = rf"v?(?P<number>{_COUNT})(?!-?\w){_NO_UNIT}"
_NO_NAME = r"(?!(?:before|after|prior|than|until|since|later|earlier)\b)"
_WORD = rf"(?<![\w.+#/-]){_NO_NAME}[A-Za-z][\w.+#/-]*"
_PRODUCT = rf"(?P<product>(?:{_WORD}\s+){{0,5}}?)(?:versions?\s+|release\s+)?"
_SUBJECT = rf"(?:(?P<subject>{_WORD}(?:\s+{_WORD}){{0,4}})\s+)?"
_ENDING = r"(?:\s+(?:versions?|releases?|only|on|onwards?|lts|clusters?|users?))*"
_LATER = (
    r"(?:and|or)\s+(?:later|newer|above|higher|up|onwards?|greater|more recent)|\+"
    r"|or\s+(?:a\s+)?(?:later|newer|higher)\s+version"
)
_EARLIER = r"(?:and|or)\s+(?:earlier|older|below|lower|previous|before)"
_BELOW = r"(?:before|prior to|earlier than|older than|below|lower than|up to but not including|<)"
_ABOVE = r"(?:after|later than|newer than|above|higher than|>)"
_HIGH = rf"(?:{_NO_NAME}[A-Za-z]+\s+)?v?(?P<high>{_COUNT})(?!-?\w){_NO_UNIT}"
_RANGES = tuple(
    (kind, re.compile(pattern + _ENDING, re.IGNORECASE))
    for kind, pattern in (
        ("span", rf"(?:from\s+)?{_PRODUCT}{_NUMBER}\s*(?:to|through|until|-|–)\s*{_HIGH}"),
        ("list", rf"(?:between\s+)?{_PRODUCT}{_NUMBER}(?:\s*(?:,?\s*(?:and|or)\b|[,/&])\s*{_HIGH}){{1,5}}"),
        ("later", rf"{_PRODUCT}{_NUMBER}\s*(?:{_LATER})"),
        ("earlier", rf"{_PRODUCT}{_NUMBER}\s*(?:{_EARLIER})"),
        (
            "later",
            rf"{_SUBJECT}(?:at least|since|starting (?:with|from|in)|from|minimum(?: of)?|>="
            rf"|≥)\s*{_PRODUCT}{_NUMBER}",
        ),
        ("before", rf"{_SUBJECT}{_BELOW}\s*{_PRODUCT}{_NUMBER}"),
        ("earlier", rf"{_SUBJECT}(?:up to and including|up to|until|<=|≤)\s*{_PRODUCT}{_NUMBER}"),
        ("after", rf"{_SUBJECT}{_ABOVE}\s*{_PRODUCT}{_NUMBER}"),
        ("exact", rf"{_PRODUCT}{_NUMBER}"),
    )
)
_MARKED = re.compile(r"\b(?:versions?|releases?)\b|\bv\d", re.IGNORECASE)
"""What says that a number is a version."""
COUNTS = 10
"""Whole numbers below it, after a bare name, count things: "Pump 2", "Sample 3"."""
LONGEST_PHRASE = 300
"""Characters; what names a version or a platform stands at the beginning of a prerequisite."""
_NO_PRODUCT = frozenset(
    """
    step steps method option phase part error code appendix case scenario level section chapter table figure stage task
    example day item note page line port exit http status cause issue solution workaround resolution procedure round
    lab exercise tier id event kb top number row check question wave attempt problem symptom sample test requirement
    room floor building rack zone channel bus seat form rfc iso iec ieee din en ansi nist cve bug ticket article
    paragraph clause rule annex volume lesson module unit sheet slide week month quarter year model class category
    january february march april may june july august september october november december
    """.split()
)
_ACTION = re.compile(
    r"(?:install|upgrade|update|restart|reset|repair|configure|enable|disable|download|remove|uninstall|migrate|move"
    r"|switch|create|add|check|verify|open|run|use|deploy|set|change|fix|stop|start|delete|connect|join|wait)\b",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_FILLER = re.compile(
    r"^(?:(?:on|for|from|in|with|using|if|you|use|your|have|run|running|is|are|the|a|an|any|only|requires?|versions?|this"
    r"|applies|to|of)\s+)+",
    re.IGNORECASE,
)

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
_FAMILIES: tuple[dict[str, str], ...] = (
    {
        "windows": r"(?:microsoft )?windows",
        "macos": r"mac ?os(?: x)?|os x|(?:apple )?mac(?:s|book\w*)?(?! address)|apple computer",
        **_DISTRIBUTIONS,
        "linux": r"linux",
        "ios": r"ios|iphone|ipad(?:os)?",
        "android": r"android",
        "web": r"(?:on )?the web|web (?:app|browser|version)",
    },
    {"32-bit": r"32[- ]?bit|x86(?![-_]64)", "64-bit": r"64[- ]?bit|x86[-_]64|x64|amd64"},
)
_PLATFORMS = tuple(
    {name: re.compile(rf"(?<![\w-])(?:{pattern})(?![\w-])", re.IGNORECASE) for name, pattern in family.items()}
    for family in _FAMILIES
)
_ANY_PLATFORM = re.compile(
    rf"(?<![\w-])(?:{'|'.join(pattern for family in _FAMILIES for pattern in family.values())})(?![\w-])", re.IGNORECASE
)
_PLATFORM_WORDS = frozenset(
    """
    on for in with using if you you're you’re are have use run your the a an and or only lts steps
    instructions version versions desktop
    user users device devices client clients computer computers system systems machine machines
    pc pcs phone phones tablet tablets laptop laptops
    """.split()
)
"""What may stand beside the platforms in a heading that names nothing else."""
_NO_PLACE = r"(?!(?:turn|switch|power|log|sign)\s+on\b)"
_PRODUCT_ON_PLATFORM = re.compile(
    rf"(?i:{_NO_PLACE})[A-Z][\w.]*\s+(?:[A-Z\d][\w.]*\s+){{0,3}}(?:for|on)\s+(?P<name>.+)"
)
_DONE_ON = re.compile(rf"{_NO_PLACE}.+\s(?P<gate>on\s+.+)", re.IGNORECASE)
"""Where something is done: "Remove the files on a Mac"."""
_ROLES = {
    "administrator": r"admin(?:istrator)?s?",
    **{
        name: rf"{name}s?"
        for name in (
            "owner manager member operator supervisor moderator organizer teacher instructor student employee developer"
        ).split()
    },
}
_ANY_ROLE = "|".join(_ROLES.values())
_ROLE_HEADING = re.compile(
    rf"(?:only\s+)?for\s+(?:the\s+)?(?:[\w-]+\s+){{0,2}}(?:{_ANY_ROLE})(?:\s+only)?"
    rf"|(?:[\w-]+\s+){{0,2}}(?:{_ANY_ROLE})\s+only",
    re.IGNORECASE,
)
_ONLY = re.compile(r"\bonly\b", re.IGNORECASE)
_I_AM = re.compile(
    rf"\b(?:i am|i['’]?m|we are|we['’]re|as)\s+(?P<not>not\s+)?(?:an?\s+|the\s+|one of the\s+)?(?:[\w-]+\s+){{0,2}}?"
    rf"(?P<role>{_ANY_ROLE})\b",
    re.IGNORECASE,
)
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
_DONE = re.compile(
    r"(?:(?:you(?:'ve| have)|have you|having|after|once you(?:'ve| have)?)\s+(?:already\s+)?(?:completed?"
    r"|finish(?:ed|ing)|performed?|done|run|tried|followed|complet(?:ed|ing))\b|completed:)\s*(?P<what>.+)",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"\b(?:not|no|never|cannot|without|none|neither)\b|n['’]t\b", re.IGNORECASE)
_NOT_THIS = re.compile(
    r"(?:\b(?:not|no|never|no longer)|n['’]t)\s+(?:(?:yet|on|at|using|use|have|a|an|the|any|version)\s+)*$",
    re.IGNORECASE,
)
_MENTION = re.compile(
    rf"(?:from\s+(?:[A-Za-z][\w+#-]*\s+)?v?\d+(?:\.\d+)*\s+to\s+)?"
    rf"(?:(?P<time>\b(?:before|prior to)\s+)|(?P<below>\b{_BELOW}\s+))?(?<![\w.])"
    rf"(?:(?P<product>[A-Za-z][\w+#-]*)\s+)?(?P<marked>version\s+)?\bv?(?P<number>\d+(?:\.\d+)*)\b{_NO_UNIT}"
    rf"(?:\s*(?:(?P<later>{_LATER})|(?P<earlier>{_EARLIER})))?",
    re.IGNORECASE,
)


def version_range(text: str) -> Range | None:
    """The versions that a phrase admits ("Agent 2.3 and later"), or None where it names none."""
    phrase = text[:LONGEST_PHRASE]
    for kind, pattern in _RANGES:
        if match := pattern.search(phrase):
            return _range(kind, match)
    return None


def _range(kind: str, match: re.Match[str]) -> Range | None:
    product = _product_of(match)
    if _is_no_product(product):
        return None
    version, marked = _version(match["number"]), bool(_MARKED.search(match[0]))
    match kind:
        case "span" | "list":
            high = _version(match["high"])
            if _compare(version, high) <= 0:
                return Range(product, version, high, marked=marked)
            return Range(product, high, version, marked=marked) if kind == "list" else None
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


def is_gate(heading: str) -> bool:
    """Whether a heading says for whom its section is."""
    return bool(gate_of(heading))


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
    return next((part for part in _parts(text) if _is_whole_gate(part)), "")


def _parts(text: str) -> Iterator[str]:
    """Of a heading: all but its number, that without its brackets, what stands in them, where it is done, and all."""
    bare = _ENUMERATED.sub("", text, count=1) if _ENUMERATED.match(text) else text
    yield bare[1:-1] if bare[:1] == "(" and bare[-1:] == ")" else bare
    if match := _BRACKETED.fullmatch(bare):
        if len(match["inner"].split()) <= LONGEST_ADDITION:
            yield match["outer"].strip()
        yield match["inner"].strip()
    if match := _DONE_ON.fullmatch(bare):
        yield match["gate"]
    yield text


def _is_whole_gate(text: str) -> bool:
    if _ACTION.match(text):
        return False
    return bool(_names_versions(text) or _names_platforms(text) or _ROLE_HEADING.fullmatch(text))


def _names_versions(text: str) -> bool:
    """Whether a text names versions and nothing else."""
    for kind, pattern in _RANGES if _DIGIT.search(text) else ():
        if match := pattern.fullmatch(text) or pattern.fullmatch(_FILLER.sub("", text)):
            product = _product_of(match)
            if _is_no_product(product) or (kind in ("exact", "list", "span") and _is_phrase(match["product"])):
                return False
            counted = kind == "exact" and product and match["number"].isdigit() and int(match["number"]) < COUNTS
            return bool(_MARKED.search(text) or "." in match["number"] or (product and not counted))
    return False


def _names_platforms(text: str) -> bool:
    """Whether a text names platforms, or a product on one, and nothing else."""
    match = _PRODUCT_ON_PLATFORM.fullmatch(text)
    rest = match["name"] if match else text
    if not _ANY_PLATFORM.search(rest):
        return False
    for family in _PLATFORMS:
        for pattern in family.values():
            rest = pattern.sub(" ", rest)
    words = re.findall(r"[^\s,/&().]+", rest.lower())
    return all(word in _PLATFORM_WORDS or word.isdigit() for word in words)


def _is_phrase(words: str) -> bool:
    """Whether words before a number are more than a name: "reports of node 3"."""
    names = _FILLER.sub("", words).split()
    return len(names) > 1 and any(name.islower() for name in names)


def _is_no_product(product: str) -> bool:
    return bool(product) and product.split()[-1] in _NO_PRODUCT


def judge(prerequisite: str, known: Known) -> Judgement:
    """Whether a prerequisite is met by what is known.

    Example:
        >>> judge("Agent 2.3 and later", Known(said=("My agent 2.1 hangs",))).verdict
        <Verdict.NOT_MET: 'not met'>
    """
    if prerequisite in known.confirmed:
        return Judgement(verdict=Verdict.MET, reason="you confirmed it")
    if prerequisite in known.denied:
        return Judgement(verdict=Verdict.NOT_MET, reason="you said that it does not hold")
    for decide in (_by_version, _by_platform, _by_role, _by_step_done, _by_words):
        if found := decide(prerequisite, known):
            return found
    return Judgement(verdict=Verdict.ASK, reason="nothing said so far decides it", question=_question(prerequisite))


def judge_all(prerequisites: Iterable[str], known: Known) -> Judgement:
    """The strictest answer: one that is not met decides, then one to ask."""
    asked: Judgement | None = None
    for prerequisite in prerequisites:
        judgement = judge(prerequisite, known)
        if judgement.verdict is Verdict.NOT_MET:
            return judgement
        if judgement.verdict is Verdict.ASK and asked is None:
            asked = judgement
    return asked or Judgement(verdict=Verdict.MET, reason="nothing stands against it")


def is_for_others(title: str, known: Known) -> bool:
    """Whether a title names a platform other than the one that the person has."""
    found = _by_platform(title, known)
    return found is not None and found.verdict is Verdict.NOT_MET


def decidable(prerequisite: str) -> bool:
    """Whether it is of a kind that excludes readers (a version, a platform, a role), not a thing to have at hand."""
    return is_gate(prerequisite)


def _by_version(prerequisite: str, known: Known) -> Judgement | None:
    gate = gate_of(prerequisite)
    wanted = version_range(gate or prerequisite)
    if wanted is None or (not gate and wanted.low == wanted.high):
        return None
    for confirmed in known.confirmed:
        had = version_range(gate_of(confirmed) or confirmed)
        if had and _same_product(had, wanted):
            if had.apart(wanted):
                return Judgement(verdict=Verdict.NOT_MET, reason=f"you confirmed: {confirmed}")
            if had.within(wanted):
                return Judgement(verdict=Verdict.MET, reason=f"you confirmed: {confirmed}")
    for denied in known.denied:
        had = version_range(gate_of(denied) or denied)
        if had and _same_product(had, wanted):
            if _opposite(had, wanted):
                return Judgement(verdict=Verdict.MET, reason=f"you denied: {denied}")
            if wanted.within(had):
                return Judgement(verdict=Verdict.NOT_MET, reason=f"you denied: {denied}")
    for text in reversed(known.said):
        words = set(text.lower().split())
        for mention, had in _mentions(text):
            if _same_product(had, wanted, words) and (had.apart(wanted) or had.within(wanted)):
                verdict = Verdict.NOT_MET if had.apart(wanted) else Verdict.MET
                return Judgement(verdict=verdict, reason=f"you said: {mention}")
    return None


def _by_platform(prerequisite: str, known: Known) -> Judgement | None:
    """What the person has decides each family that the prerequisite names: one against it is enough."""
    gate = gate_of(prerequisite)
    text = gate or prerequisite[:LONGEST_PHRASE]
    found: list[Judgement | None] = []
    for family in _PLATFORMS:
        wanted = _named(text, family)
        if not gate and "Windows" not in prerequisite:
            wanted.discard("windows")  # "close all windows"
        if wanted:
            found.append(_by_family(wanted, family, known, with_version=version_range(text) is not None))
    against = [one for one in found if one and one.verdict is Verdict.NOT_MET]
    return against[0] if against else found[0] if found and all(found) else None


def _by_family(
    wanted: set[str], family: dict[str, re.Pattern[str]], known: Known, with_version: bool
) -> Judgement | None:
    for text in (*known.confirmed, *reversed(known.said)):
        had = _named(text, family)
        if had and not _kinds(wanted) & _kinds(had):
            return Judgement(verdict=Verdict.NOT_MET, reason=f"you said: {', '.join(sorted(had))}")
        same = wanted & (had | _kinds(had))
        if same and not with_version:
            return Judgement(verdict=Verdict.MET, reason=f"you said: {', '.join(sorted(same))}")
        if wanted <= (denied := _named(text, family, denied=True)) - had:
            return Judgement(verdict=Verdict.NOT_MET, reason=f"you said: not {', '.join(sorted(denied))}")
    return None


def _by_role(prerequisite: str, known: Known) -> Judgement | None:
    wanted = _roles(prerequisite) if _ROLE_HEADING.fullmatch(gate_of(prerequisite)) else set()
    for asked, verdict in ((known.confirmed, Verdict.MET), (known.denied, Verdict.NOT_MET)):
        for text in asked if wanted else ():
            if wanted & _roles(text):
                said = "confirmed" if verdict is Verdict.MET else "denied"
                return Judgement(verdict=verdict, reason=f"you {said}: {text}")
    for text in reversed(known.said) if wanted else ():
        for match in _I_AM.finditer(text):
            is_it = bool(wanted & _roles(match["role"]))
            if is_it or (_ONLY.search(prerequisite) and not match["not"]):
                verdict = Verdict.MET if is_it and not match["not"] else Verdict.NOT_MET
                return Judgement(verdict=verdict, reason=f"you said: {match[0]}")
    return None


def _roles(text: str) -> set[str]:
    return {name for name, pattern in _ROLES.items() if re.search(rf"\b{pattern}\b", text, re.IGNORECASE)}


def _by_step_done(prerequisite: str, known: Known) -> Judgement | None:
    match = _DONE.search(prerequisite)
    wanted = content_words(match["what"] if match else prerequisite)
    for done in known.done if wanted and not is_gate(prerequisite) else ():
        if len(wanted & content_words(done)) >= 0.8 * len(wanted):
            return Judgement(verdict=Verdict.MET, reason=f"done before: {done}")
    return None


def _by_words(prerequisite: str, known: Known) -> Judgement | None:
    wanted = content_words(prerequisite)
    if len(wanted) < 2 or is_gate(prerequisite):
        return None
    for text in reversed(known.said):
        for sentence in re.split(r"(?<=[.!?;])\s+", text):
            if len(wanted & content_words(sentence)) >= 0.8 * len(wanted):
                against = bool(_NEGATED.search(sentence)) != bool(_NEGATED.search(prerequisite))
                verdict = Verdict.NOT_MET if against else Verdict.MET
                return Judgement(verdict=verdict, reason=f"you said: {sentence.strip()}")
    return None


def _question(prerequisite: str) -> str:
    text = " ".join((gate_of(prerequisite) or prerequisite).split()).rstrip(" .:")
    return f"Before this step: does this hold for you? {text}"


def _mentions(text: str) -> list[tuple[str, Range]]:
    """Versions as a person writes them: "Windows 10", "our 4.14 cluster", "below v2.1", "OCP 4.16 or later"."""
    found = []
    for match in _MENTION.finditer(text):
        product, version = _product(match["product"]), _version(match["number"])
        is_address = len(version) > 3 and not product
        if is_address or match["time"] or _is_no_product(product) or _denied(text, match.start()):
            continue
        had = Range(
            product,
            low=None if match["below"] or match["earlier"] else version,
            high=None if match["later"] else version,
            with_high=not match["below"],
            marked=bool(_MARKED.search(match[0])),
        )
        words = (match["below"], product, match["marked"], match["number"], match["later"] or match["earlier"])
        found.append((" ".join(" ".join(filter(None, words)).split()), had))
    return found


def _denied(text: str, start: int) -> bool:
    """Whether the words just before say that it is not this: "we are not on ..."."""
    return bool(_NOT_THIS.search(text[max(0, start - 40) : start]))


def _same_product(had: Range, wanted: Range, words: Container[str] = ()) -> bool:
    """Whether what a person has, and said with some words, is of the wanted product."""
    if had.product and wanted.product:
        return had.product.split()[-1] == wanted.product.split()[-1]
    if had.dotted and (wanted.dotted or wanted.marked):
        return True  # "4.14" alone is a version, "14" alone may be anything
    if wanted.product:
        return (had.dotted or had.marked) and wanted.product.rpartition(" ")[2] in words
    return had.marked and wanted.marked and not had.product


def _product(words: str | None) -> str:
    text = _FILLER.sub("", (words or "").strip().lower() + " ").strip()
    return "" if text in _FILLERS_ALONE else text


def _product_of(match: re.Match[str]) -> str:
    return _product(match["product"]) or _product(match.groupdict().get("subject"))


_FILLERS_ALONE = frozenset(
    """
    on in for with at to from since before after version versions v a an the our my is are running use using of and or
    has says shows prints reports gives returns reads currently still
    """.split()
)


def _version(text: str) -> Version:
    return tuple(int(part[:9]) for part in text.split(".") if part.isdigit())


def _compare(one: Version, other: Version) -> int:
    """-1, 0 or 1. A shorter version stands for all that begin with it: 4.16 equals 4.16.3."""
    size = min(len(one), len(other))
    return (one[:size] > other[:size]) - (one[:size] < other[:size])


def _opposite(one: Range, other: Range) -> bool:
    """Whether every version that is not in one is in the other."""
    if one.low is None and other.high is None and one.high is not None:
        return one.high == other.low and (one.with_high or other.with_low)
    return one.high is None and other.low is None and one.low == other.high and (one.with_low or other.with_high)


def _named(text: str, family: dict[str, re.Pattern[str]], denied: bool = False) -> set[str]:
    """The platforms that a text names, or those that it says it is not about; of "Linux (Debian)" the narrower one."""
    names = {
        name
        for name, pattern in family.items()
        if any(_denied(text, match.start()) is denied for match in pattern.finditer(text))
    }
    return names - {_KINDS[name] for name in names if name in _KINDS}


def _kinds(names: set[str]) -> set[str]:
    """The platforms that some platforms are kinds of."""
    return {_KINDS.get(name, name) for name in names}


def first_unmet(prerequisites: Sequence[str], known: Known) -> str | None:
    """The first prerequisite that is not met."""
    return next((text for text in prerequisites if judge(text, known).verdict is Verdict.NOT_MET), None)


class Policy(Enum):
    """What becomes of a unit whose prerequisites are undecided."""

    KEEP = "keep"
    ASK = "ask"
    """Keep it, marked with the question to put."""
    DROP = "drop"


def admit(prerequisites: Sequence[str], known: Known, policy: Policy = Policy.ASK) -> tuple[bool, Judgement]:
    """Whether a unit with these prerequisites stays, and the judgement that decided it."""
    judgement = judge_all(prerequisites, known)
    if judgement.verdict is Verdict.ASK and policy is Policy.KEEP:
        return True, judgement.model_copy(update={"question": ""})
    return judgement.verdict is not Verdict.NOT_MET and not (
        judgement.verdict is Verdict.ASK and policy is Policy.DROP
    ), judgement
