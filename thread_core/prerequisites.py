"""What must hold before a unit applies, and whether it does: met, not met, or ask.

Versions are compared as versions, platforms exclude each other, a step counts as done when it was walked, and a
person's answer is remembered in the words in which it was asked (the paper's selector, section 3.3).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

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
_NUMBER = rf"v?(?P<number>\d+(?:\.(?:\d+|x))*)(?!-?\w){_NO_UNIT}"
_WORD = r"(?<![\w.+#/-])(?!(?:before|after|prior|than|until|since|later|earlier)\b)[A-Za-z][\w.+#/-]*"
_PRODUCT = rf"(?P<product>(?:{_WORD}\s+){{0,5}}?)(?:versions?\s+|release\s+)?"
_SUBJECT = rf"(?:(?P<subject>{_WORD}(?:\s+{_WORD}){{0,4}})\s+)?"
_ENDING = r"(?:\s+(?:versions?|releases?|only|on|onwards?))*"
_LATER = (
    r"(?:and|or)\s+(?:later|newer|above|higher|up|onwards?|greater|more recent)|\+"
    r"|or\s+(?:a\s+)?(?:later|newer|higher)\s+version"
)
_EARLIER = r"(?:and|or)\s+(?:earlier|older|below|lower|previous|before)"
_SPAN = rf"(?:to|through|until|-|–|and)\s*(?:[A-Za-z]+\s+)?v?(?P<high>\d+(?:\.(?:\d+|x))*){_NO_UNIT}"
_RANGES = tuple(
    (kind, re.compile(pattern + _ENDING, re.IGNORECASE))
    for kind, pattern in (
        ("span", rf"(?:from\s+|between\s+)?{_PRODUCT}{_NUMBER}\s*{_SPAN}"),
        ("later", rf"{_PRODUCT}{_NUMBER}\s*(?:{_LATER})"),
        ("earlier", rf"{_PRODUCT}{_NUMBER}\s*(?:{_EARLIER})"),
        (
            "later",
            rf"{_SUBJECT}(?:at least|since|starting (?:with|from|in)|from|minimum(?: of)?|>="
            rf"|≥)\s*{_PRODUCT}{_NUMBER}",
        ),
        (
            "before",
            rf"{_SUBJECT}(?:before|prior to|earlier than|older than|below|lower than|up to but not including|<)\s*"
            rf"{_PRODUCT}{_NUMBER}",
        ),
        ("earlier", rf"{_SUBJECT}(?:up to and including|up to|until|<=|≤)\s*{_PRODUCT}{_NUMBER}"),
        ("after", rf"{_SUBJECT}(?:after|later than|newer than|above|higher than|>)\s*{_PRODUCT}{_NUMBER}"),
        ("exact", rf"{_PRODUCT}{_NUMBER}"),
    )
)
LONGEST_PHRASE = 300
"""Characters; what names a version or a platform stands at the beginning of a prerequisite."""
_NO_PRODUCT = frozenset(
    """
    step steps method option phase part error code appendix case scenario level section chapter table figure stage task
    example day item note page line port exit http status cause issue solution workaround resolution procedure round
    lab exercise tier id event kb top number row check question chapter wave
    """.split()
)
_ACTION = re.compile(
    r"(?:install|upgrade|update|restart|reset|repair|configure|enable|disable|download|remove|uninstall|migrate|move"
    r"|switch|create|add|check|verify|open|run|deploy|set|change|fix|stop|start|delete|connect|join|wait)\b",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_FILLER = re.compile(
    r"^(?:(?:on|for|from|in|with|using|if|you|use|your|have|run|running|is|are|the|a|an|only|requires?|versions?|this"
    r"|applies|to|of)\s+)+",
    re.IGNORECASE,
)

_FAMILIES: tuple[dict[str, str], ...] = (
    {
        "windows": r"(?:microsoft )?windows",
        "macos": r"mac ?os(?: x)?|os x|mac(?:s|book\w*)?(?! address)|apple computer",
        "linux": r"linux|ubuntu|debian|rhel|fedora|centos",
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
_PLATFORM_HEADING = re.compile(
    r"(?:(?:on|for|in|using|with|if you use|steps for|instructions for|the)\s+)*(?P<name>.+?)(?:\s+\d[\d./]*)?"
    r"(?:\s+(?:users?|devices?|clients?|computers?|versions?|only|desktop|systems?))*",
    re.IGNORECASE,
)
_PRODUCT_ON_PLATFORM = re.compile(r"(?:[A-Z][\w.]*\s+){1,3}(?:for|on)\s+(?P<name>.+)")
_DONE = re.compile(
    r"(?:(?:you(?:'ve| have)|have you|having|after|once you(?:'ve| have)?)\s+(?:already\s+)?(?:completed?"
    r"|finish(?:ed|ing)|performed?|done|run|tried|followed|complet(?:ed|ing))\b|completed:)\s*(?P<what>.+)",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"\b(?:not|no|never|cannot|without|none|neither)\b|n['’]t\b", re.IGNORECASE)
_NOT_THIS = re.compile(
    r"(?:\b(?:not|no|never|no longer)|n['’]t)\s+(?:(?:on|using|use|have|a|an|the|any|version)\s+)*$", re.IGNORECASE
)
_MENTION = re.compile(
    rf"(?<![\w.])(?:([A-Za-z][\w+#-]*)\s+)?(?:version\s+)?\bv?(\d+(?:\.\d+)*)\b{_NO_UNIT}", re.IGNORECASE
)


def version_range(text: str) -> Range | None:
    """The versions that a phrase admits ("Agent 2.3 and later"), or None where it names none."""
    phrase = text[:LONGEST_PHRASE]
    for kind, pattern in _RANGES:
        match = pattern.search(phrase)
        if not match:
            continue
        product = _product_of(match)
        if _is_no_product(product):
            return None
        version = _version(match["number"])
        match kind:
            case "span":
                high = _version(match["high"])
                return Range(product, version, high) if _compare(version, high) <= 0 else None
            case "later":
                return Range(product, low=version)
            case "earlier":
                return Range(product, high=version)
            case "before":
                return Range(product, high=version, with_high=False)
            case "after":
                return Range(product, low=version, with_low=False)
            case _:
                return Range(product, low=version, high=version)
    return None


def is_gate(heading: str) -> bool:
    """Whether a heading says for whom its section is: a version range or a platform and nothing else."""
    text = heading.strip(" :.*")
    if len(text) > LONGEST_PHRASE or len(text.split()) > 9 or _ACTION.match(text):
        return False
    for kind, pattern in _RANGES if _DIGIT.search(text) else ():
        if (match := pattern.fullmatch(text)) or (match := pattern.fullmatch(_FILLER.sub("", text))):
            product = _product_of(match)
            if _is_no_product(product) or (kind == "exact" and _is_phrase(match["product"])):
                return False
            return bool(product or "." in match["number"])
    if not any(pattern.search(text) for family in _PLATFORMS for pattern in family.values()):
        return False
    names = [match["name"] for form in (_PLATFORM_HEADING, _PRODUCT_ON_PLATFORM) if (match := form.fullmatch(text))]
    return any(_names_platforms(name) for name in (text, *names))


def _names_platforms(text: str) -> bool:
    names = re.split(r"\s*(?:[,/&]|\b(?:and|or)\b)\s*", text)
    return all(any(pattern.fullmatch(name) for family in _PLATFORMS for pattern in family.values()) for name in names)


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
    for decide in (_by_version, _by_platform, _by_step_done, _by_words):
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
    """Whether it is of a kind that excludes readers (a version, a platform), not a thing to have at hand."""
    return is_gate(prerequisite)


def _by_version(prerequisite: str, known: Known) -> Judgement | None:
    wanted = version_range(prerequisite)
    if wanted is None or (not is_gate(prerequisite) and wanted.low == wanted.high):
        return None
    for confirmed in known.confirmed:
        had = version_range(confirmed)
        if had and _same_product(had.product, wanted.product, _precision(had)):
            if had.apart(wanted):
                return Judgement(verdict=Verdict.NOT_MET, reason=f"you confirmed: {confirmed}")
            if had.within(wanted):
                return Judgement(verdict=Verdict.MET, reason=f"you confirmed: {confirmed}")
    for denied in known.denied:
        had = version_range(denied)
        if had and _same_product(had.product, wanted.product, _precision(had)):
            if _opposite(had, wanted):
                return Judgement(verdict=Verdict.MET, reason=f"you denied: {denied}")
            if wanted.within(had):
                return Judgement(verdict=Verdict.NOT_MET, reason=f"you denied: {denied}")
    for text in reversed(known.said):
        for product, version in _mentions(text):
            if _same_product(product, wanted.product, len(version)):
                said = f"{product} {'.'.join(map(str, version))}".strip()
                verdict = Verdict.MET if wanted.holds(version) else Verdict.NOT_MET
                return Judgement(verdict=verdict, reason=f"you said: {said}")
    return None


def _by_platform(prerequisite: str, known: Known) -> Judgement | None:
    gate = is_gate(prerequisite)
    for family in _PLATFORMS:
        wanted = _named(prerequisite[:LONGEST_PHRASE], family)
        if not gate and "Windows" not in prerequisite:
            wanted.discard("windows")  # "close all windows"
        if not wanted:
            continue
        for text in (*known.confirmed, *reversed(known.said)):
            had = _named(text, family)
            if had and not wanted & had:
                return Judgement(verdict=Verdict.NOT_MET, reason=f"you said: {', '.join(sorted(had))}")
            if had and not version_range(prerequisite):
                return Judgement(verdict=Verdict.MET, reason=f"you said: {', '.join(sorted(wanted & had))}")
            if wanted <= (denied := _named(text, family, denied=True)) - had:
                return Judgement(verdict=Verdict.NOT_MET, reason=f"you said: not {', '.join(sorted(denied))}")
    return None


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
    text = " ".join(prerequisite.split()).rstrip(" .:")
    return f"Before this step: does this hold for you? {text}"


def _mentions(text: str) -> list[tuple[str, Version]]:
    """Products with versions, as a person writes them: "Windows 10", "our 4.14 cluster", "agent v2.1"."""
    found = []
    for match in _MENTION.finditer(text):
        product = _product(match[1] or "")
        if not _is_no_product(product) and not _denied(text, match.start()):
            found.append((product, _version(match[2])))
    return found


def _denied(text: str, start: int) -> bool:
    """Whether the words just before say that it is not this: "we are not on ..."."""
    return bool(_NOT_THIS.search(text[max(0, start - 40) : start]))


def _same_product(said: str, wanted: str, parts: int) -> bool:
    if said and wanted:
        return said.split()[-1] == wanted.split()[-1]
    return parts > 1  # "4.14" alone is a version, "14" alone may be anything


def _product(words: str | None) -> str:
    text = _FILLER.sub("", (words or "").strip().lower() + " ").strip()
    return "" if text in _FILLERS_ALONE else text


def _product_of(match: re.Match[str]) -> str:
    return _product(match["product"]) or _product(match.groupdict().get("subject"))


_FILLERS_ALONE = frozenset(
    """
    on in for with at to from since before after version versions v a an the our my is are running use using of and or
    """.split()
)


def _version(text: str) -> Version:
    return tuple(int(part[:9]) for part in text.split(".") if part.isdigit())


def _precision(versions: Range) -> int:
    return len(versions.low or versions.high or ())


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
    """The platforms that a text names, or those that it says it is not about."""
    return {
        name
        for name, pattern in family.items()
        if any(_denied(text, match.start()) is denied for match in pattern.finditer(text))
    }


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
