"""What the person saw -> which way on.

Every way on from the current step (`ways`) is compared with the outcome by vectors and by words; what stands near the
step is likelier. No model is needed, and a close call is asked, not guessed.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add

from thread_core.models import LogicUnit, LogicUnitType
from thread_core.plan import Plan
from thread_core.store.requests import Embed
from thread_core.text import cases, opposites, sentences
from thread_core.text.contrast import Agreement, agreement, measured
from thread_core.text.denials import without_denials
from thread_core.text.header import unnumbered
from thread_core.text.promises import promise
from thread_core.text.words import content_words
from thread_core.walking import endings, replies
from thread_core.walking.ways import Candidate
from thread_core.walking.weighing import EMBEDDED, LACKS, LIKENESS, Part, Seen, denied, parts


@dataclass(frozen=True, slots=True)
class Match:
    """A candidate and how well it fits, 0 to about 1."""

    candidate: Candidate
    parts: tuple[Part, ...]
    """Why it fits as it does."""

    @property
    def score(self) -> float:
        """All parts together."""
        return reduce(add, (part.amount for part in self.parts))  # `sum` rounds as the version of Python does

    @property
    def likeness(self) -> float:
        """Of that, what meaning and words alone speak for it."""
        return sum(part.amount for part in self.parts if part.name in LIKENESS)


_CODE = re.compile(r"\b(?:[a-z]{1,9}[-_]?\d\w*|0x[0-9a-f]+\b|\d{3,}\b)", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
CLAUSES = re.compile(r"[.!?;:,()–—\n]|\s-+\s|\b(?:and|but)\b", re.IGNORECASE)
"""Where what is denied ends."""
_ZERO = re.compile(r"(?<![\w.,])(?:0|zero)(?![\w.,])", re.IGNORECASE)
_ANY_TROUBLE = content_words("issue problem")
"""What names in a title none of them: "Fixing the issue"."""
TAKEN_UP = 120
"""Characters of a passage without a condition that may take up a finding."""
LOOKED_AT = 80
"""Passages that are embedded, the nearest ones; the rest of a long document is left to the words."""


def rank(outcome: str, choices: Sequence[Candidate], about: str = "") -> Plan[list[Match]]:
    """Candidates by how well the outcome fits them, best first; what the walk is about tells whether it is solved."""
    if not choices:
        return []
    near = sorted(choices, key=lambda choice: abs(choice.distance))[:LOOKED_AT]
    conditions = [choice.condition for choice in near if choice.condition]
    texts = tuple(dict.fromkeys([choice.passage[:EMBEDDED] for choice in near] + conditions))
    vectors = yield Embed((outcome, *texts))
    seen = Seen.among(outcome, choices, dict(zip(texts, (vectors[1:] @ vectors[0]).tolist(), strict=True)), about)
    matches = [Match(choice, tuple(parts(seen, choice))) for choice in choices]
    return sorted(matches, key=lambda match: -match.score)


def answered(outcome: str, choices: Sequence[Candidate]) -> Candidate | None:
    """The way that a yes or a no selects, where the step at hand asks one thing: it states a condition and its denial.

    "If the lamp is lit, wait; if the lamp is not lit, press the knob" asks whether the lamp is lit.
    """
    said = replies.answer(outcome)
    here = [choice for choice in choices if choice.distance == 0 and choice.link is not None and choice.condition]
    asked = [
        (one, other)
        for one, other in itertools.permutations(here if said is not None else (), 2)
        if not denied(one.condition) and denied(other.condition) and _stated(one) == _stated(other)
    ]
    return asked[0][0 if said else 1] if len(asked) == 1 else None


def _stated(choice: Candidate) -> set[str]:
    """What a condition says or denies."""
    return _words_of(own_words(choice.condition))


def _words_of(text: str) -> set[str]:
    """What a text says or denies."""
    return content_words(LACKS.sub(" ", without_denials(text)))


def states(outcome: str, condition: str) -> int:
    """1 where an outcome says what a condition does, -1 where it denies that, 0 where it says nothing of it.

    What the condition leans on ("it rings (change the battery)") is no part of it, unless it says nothing else.
    """
    stated = own_words(condition)
    sign = agreement(outcome, stated).sign
    if not sign:
        told = [clause for clause in CLAUSES.split(outcome) if _words_of(clause) & _words_of(stated)]
        sign = -1 if any(_is_none(clause) != _is_none(stated) for clause in told) else int(bool(told))
    return 0 if sign > 0 and endings.takes_back(without_denials(outcome)) else sign


def _is_none(text: str) -> bool:
    """Whether a text says that something is not, or that there is none of it: "the count stays at 0"."""
    return denied(text) or _ZERO.search(text) is not None


def own_words(condition: str) -> str:
    """A condition without what it leans on; with that, where it says nothing itself: "it is not (the lamp is lit)"."""
    own = condition.partition(" (")[0]
    return own if _words_of(own) else condition


def left_over(outcome: str, choices: Sequence[Candidate]) -> Candidate | None:
    """The way for all that is not listed, where a code was seen that the step at hand does not list: "any other".

    So it is where all that the step lists is denied. None where its conditions are no codes of that kind, or may be
    ranges of them.
    """
    here = [choice for choice in choices if choice.distance == 0 and choice.link is not None]
    rest = [choice for choice in here if cases.is_rest(choice.condition)]
    others = [choice for choice in here if choice not in rest] if len(rest) == 1 else []
    if others and all(contradicts(outcome, way) for way in others):
        return rest[0]
    listed = [codes(choice.condition) for choice in others]
    if sum(map(len, listed)) < 2 or max(map(len, listed)) > 1:
        return None
    known = set.union(*listed)
    alike = {code for code in codes(outcome) if _kind(code) in set(map(_kind, known))}
    return rest[0] if alike and not alike & known and not agrees(outcome, here) else None


def headed_by_code(outcome: str, current: LogicUnit, units: Sequence[LogicUnit]) -> LogicUnit | None:
    """The first step of the section whose heading names a code that was seen: "Error 1618: another one is running".

    None where the step at hand names it itself, several sections do, or none.
    """
    seen = codes(outcome) - codes(f"{' '.join(current.section)} {current.body}")
    steps = (unit for unit in units if unit.type == LogicUnitType.STEP and unit.place.number == 1 and unit.section)
    headed = [unit for unit in steps if seen & codes(unnumbered(unit.section[-1]))]
    return headed[0] if len(headed) == 1 else None


def agrees(outcome: str, choices: Sequence[Candidate]) -> bool:
    """Whether an outcome is within the number, or on the side, that the condition of one of some ways names."""
    return any(agreement(outcome, choice.condition).sign > 0 for choice in choices)


def contradicts(outcome: str, choice: Candidate) -> bool:
    """Whether an outcome cannot be what a way is for: the opposite, or another amount, of the same."""
    sign, by = agreement(outcome, choice.condition) if choice.condition else Agreement(0, "")
    if sign >= 0:
        return False
    match by:
        case "opposites":
            return opposites.alike(outcome, choice.condition)
        case "amount":
            return choice.distance == 0 and not measured(outcome).isdisjoint(measured(choice.condition))
    return False


def denied_alone(outcome: str, choices: Sequence[Candidate]) -> Candidate | None:
    """The way of the step at hand of which an outcome says the opposite and nothing else.

    None where the conditions beside it are not denied too and have to do with the same: which of them is it then?
    """
    here = [way for way in choices if way.distance == 0 and way.link is not None and way.condition]
    opposed = [way for way in here if contradicts(outcome, way)]
    rest = [way for way in here if way not in opposed]
    for way in opposed:
        if opposites.says_only(outcome, way.condition):
            return None if any(opposites.alike(one.condition, way.condition) for one in rest) else way
    return None


def codes(text: str) -> set[str]:
    """Words with a number in them and long numbers, in lower case."""
    return {match[0].lower() for match in _CODE.finditer(text)}


def _kind(code: str) -> str:
    """What codes of one kind have in common: E7 and E9, 401 and 503."""
    return _DIGITS.sub("0", code)


def remedy(choice: Candidate, units: Sequence[LogicUnit]) -> LogicUnit | None:
    """Where a finding is dealt with: the later section whose title it names ("the cause is the journal": "Journal").

    Of a title such as "Solution: the journal is full", what follows the kind of the section is to be named.

    None where the passage itself says what to do, or where two sections fit alike.
    """
    if choice.link is None or not choice.link.query or sentences.tells(choice.link.query):
        return None
    finding = f"{choice.link.condition} {choice.link.query}"
    found = content_words(finding)
    fits = []
    for unit in units:
        subject = _subject(unit.section[-1]) if unit.section else ""
        words = {word for word in content_words(subject) if not denied(word)}
        title = words - _ANY_TROUBLE or words
        later = unit.place.number == 1 and unit.start > choice.line and unit.type == LogicUnitType.STEP
        if later and title and title <= found and (denied(finding) or not denied(subject)):
            fits.append((len(title), unit))
    best = max((size for size, _ in fits), default=0)
    named = [unit for size, unit in fits if size == best]
    return named[0] if len(named) == 1 else None


def _subject(title: str) -> str:
    """A section's title without its number, and without its kind where it names one first."""
    kind, _, rest = unnumbered(title).partition(":")
    return rest if rest.strip() and promise(kind) is not None else unnumbered(title)


def taken_up(choice: Candidate, choices: Sequence[Candidate]) -> Candidate | None:
    """Where what a finding says is a condition: "an entry means that you run Hub", ... "if you run Hub, stop it".

    None where the passage itself says what to do. What stands after it comes first.
    """
    if choice.link is None or not choice.link.query or sentences.tells(choice.link.query):
        return None
    said = [words for words in map(content_words, (choice.link.condition, choice.link.query)) if len(words) > 1]
    found = [
        other
        for other in choices
        if (other.unit.id != choice.unit.id or not other.line <= choice.line <= other.end)
        and (other.link is None or sentences.tells(other.link.query))
        and any(words <= content_words(other.condition or other.passage[:TAKEN_UP]) for words in said)
    ]
    later = [other for other in found if (other.unit.start, other.line) > (choice.unit.start, choice.line)]
    return next(iter(later or found), None)
