"""What the person saw -> which way on.

Every way on from the current step (`ways`) is compared with the outcome by vectors and by words; what stands near the
step is likelier. No model is needed, and a close call is asked, not guessed.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from thread_core.models import LinkAction, LogicUnit, LogicUnitType
from thread_core.plan import Plan
from thread_core.retrieval import prerequisites
from thread_core.store.library import Embed
from thread_core.text import contrast, directions, sentences
from thread_core.text.contrast import Agreement
from thread_core.text.denials import denies, without_denials
from thread_core.text.header import unnumbered
from thread_core.text.promises import promise
from thread_core.text.words import content_words
from thread_core.walking import replies
from thread_core.walking.ways import Candidate

_LACKS = re.compile(r"\b(?:fails? to|absent|missing)\b", re.IGNORECASE)
"""What says that something is not, and not with a word that denies."""
_CODE = re.compile(r"\b(?:0x[0-9a-f]+|[a-z]*\d[\w.:-]*|[A-Z]{3,}\w*|\w+_\w+)\b")


@dataclass(frozen=True, slots=True)
class Match:
    """A candidate and how well it fits, 0 to about 1."""

    candidate: Candidate
    score: float


TAKEN_UP = 120
"""Characters of a passage without a condition that may take up a finding."""
LOOKED_AT = 80
"""Passages that are embedded, the nearest ones; the rest of a long document is left to the words."""
VECTOR_WEIGHT = 0.5
CONDITION_WEIGHT = 0.3
WORD_WEIGHT = 0.4
NEARNESS = {0: 0.10, 1: 0.12, 2: 0.07, 3: 0.05}
"""What standing near the current step is worth, by distance."""
FAR, EARLIER = 0.02, -0.06
STATED = 0.2
"""What a passage that states a condition is worth above one that does not."""
DONE = -0.2
"""Taken off the first passage of the current step where it states none: it is what the person has just done."""
ENDING = -0.08
"""Taken off a way that ends the walk: going on by mistake costs a step, ending by mistake costs the walk."""
NEGATED = 0.06
"""Taken off where one side denies what the other says."""
CONTRADICTED = 0.15
"""Taken off where what was seen is the opposite of the condition, or beyond its number (see `contrast`); and where one
says that the problem is gone and the other that it remains."""
AGREED = 0.05
"""Added where it is the condition's side of two opposites, or within its number."""
ASKED_FOR = 0.15
"""Added where what was seen is what the step at hand asks for: an amount within the number of one of its conditions, or
the side of one where another of its conditions is on the opposite side. Taken off where an amount is not within it."""
CODED = 0.05
"""Added where both name the same code or number."""
IN_TURN = 0.3
"""Added to the beginning of the next method, where what was done has not helped."""
REPEATED = -0.1
"""Taken off a later passage whose condition the current step states too: that one is meant first."""
ADMITTED = 0.15
"""Added to the beginning of what is for one version or platform alone, where what was seen names it."""


def rank(outcome: str, choices: Sequence[Candidate]) -> Plan[list[Match]]:
    """Candidates by how well the outcome fits them, best first."""
    if not choices:
        return []
    rarity = _rarity(choices)
    wanted = content_words(outcome)
    total = sum(rarity.get(word, rarity[""]) for word in wanted) or 1.0
    codes = {code.lower() for code in _CODE.findall(outcome)}
    near = sorted(choices, key=lambda choice: abs(choice.distance))[:LOOKED_AT]
    texts = tuple(dict.fromkeys([choice.passage[:400] for choice in near] + [c.condition for c in near if c.condition]))
    vectors = yield Embed((outcome, *texts))
    likeness = dict(zip(texts, (vectors[1:] @ vectors[0]).tolist(), strict=True))
    ended = replies.came_of(outcome)
    upcoming = _next_in_turn(choices) if ended < 0 else None
    stated_here = {choice.condition.casefold() for choice in choices if choice.condition and choice.distance == 0}
    agreements = [contrast.agreement(outcome, choice.condition) for choice in choices]
    asked_for = _asked_for(choices, agreements)
    matches = []
    for choice, agreement in zip(choices, agreements, strict=True):
        around = likeness.get(choice.passage[:400], 0.0)
        stated = likeness.get(choice.condition, around) if choice.condition else around
        words = max(
            _overlap(wanted, choice.passage, rarity, total),
            1.1 * _overlap(wanted, choice.condition, rarity, total),
        )
        score = VECTOR_WEIGHT * around + CONDITION_WEIGHT * (stated - around) + WORD_WEIGHT * words
        score += NEARNESS.get(choice.distance, EARLIER if choice.distance < 0 else FAR)
        if choice.condition:
            score += STATED
        elif choice.distance == 0 and choice.line == choice.unit.start:
            score += DONE
        if choice.link is not None and choice.link.action in (LinkAction.RESOLVED, LinkAction.ESCALATE):
            score += ENDING
        for_end = replies.came_of(choice.condition) if ended and choice.condition else 0
        if for_end:
            score -= CONTRADICTED if for_end != ended else 0.0
        elif choice.condition and _denied(outcome) != _denied(choice.condition):
            score -= NEGATED
        match agreement.sign:
            case -1:
                score -= CONTRADICTED
            case 1:
                score += AGREED
        if choice.distance == 0 and agreement in asked_for:
            score += agreement.sign * ASKED_FOR
        if choice.distance > 0 and choice.condition.casefold() in stated_here:
            score += REPEATED
        if choice.unit is upcoming and choice.line == choice.unit.start:
            score += IN_TURN
        if choice.line == choice.unit.start and is_admitted(choice.unit, outcome):
            score += ADMITTED
        if codes and codes & {code.lower() for code in _CODE.findall(choice.passage)}:
            score += CODED
        matches.append(Match(choice, score))
    return sorted(matches, key=lambda match: -match.score)


def _asked_for(choices: Sequence[Candidate], agreements: Sequence[Agreement]) -> list[Agreement]:
    """What tells the conditions of the step at hand apart: amounts, and opposites where there are both sides."""
    here = [agreement for choice, agreement in zip(choices, agreements, strict=True) if choice.distance == 0]
    sides = [Agreement(1, "opposites")] if Agreement(-1, "opposites") in here else []
    return [Agreement(1, "amount"), Agreement(-1, "amount"), *sides]


def _next_in_turn(choices: Sequence[Candidate]) -> LogicUnit | None:
    """The section after the current one, where it is the next of several that are tried in turn: "Method 3".

    None where the rest of the current one says itself what comes when it has not helped.
    """
    here = next((choice.unit.section for choice in choices if choice.distance == 0), ())
    rest = (choice for choice in choices if choice.distance >= 0 and choice.unit.section == here)
    if any(replies.sounds_unsolved(choice.condition) for choice in rest):
        return None
    for choice in choices:
        unit = choice.unit
        if choice.distance > 0 and unit.place.number == 1 and unit.section[: len(here)] != here:
            counted = any(directions.is_counted(name) for name in unit.section if name not in here)
            return unit if counted and unit.type == LogicUnitType.STEP else None
    return None


def is_admitted(unit: LogicUnit, outcome: str) -> bool:
    """Whether what was seen says by itself that a unit's version or platform is meant."""
    gates = [text for text in unit.prerequisites if prerequisites.decidable(text)]
    known = prerequisites.Known(said=(outcome,))
    return bool(gates) and prerequisites.judge_all(gates, known).verdict is prerequisites.Verdict.MET


def _rarity(choices: Sequence[Candidate]) -> dict[str, float]:
    """Weight of a word: the fewer passages say it, the more it tells."""
    seen: Counter[str] = Counter()
    for choice in choices:
        seen.update(content_words(choice.passage))
    size = len(choices)
    weights = {word: math.log(1 + (size - count + 0.5) / (count + 0.5)) for word, count in seen.items()}
    weights[""] = math.log(1 + (size + 0.5) / 0.5)
    return weights


def _overlap(wanted: set[str], text: str, rarity: dict[str, float], total: float) -> float:
    return sum(rarity.get(word, 0.0) for word in wanted & content_words(text)) / total


def answered(outcome: str, choices: Sequence[Candidate]) -> Candidate | None:
    """The way that a yes or a no selects, where the step at hand asks one thing: it states a condition and its denial.

    "If the lamp is lit, wait; if the lamp is not lit, press the knob" asks whether the lamp is lit.
    """
    said = replies.answer(outcome)
    here = [choice for choice in choices if choice.distance == 0 and choice.link is not None and choice.condition]
    asked = [
        (one, other)
        for one, other in itertools.permutations(here if said is not None else (), 2)
        if not _denied(one.condition) and _denied(other.condition) and _stated(one) == _stated(other)
    ]
    return asked[0][0 if said else 1] if len(asked) == 1 else None


def _stated(choice: Candidate) -> set[str]:
    """What a condition says or denies, without what it leans on."""
    said = choice.condition.partition(" (")[0]
    return content_words(_LACKS.sub(" ", without_denials(said)))


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
        title = {word for word in content_words(subject) if not _denied(word)}
        later = unit.place.number == 1 and unit.start > choice.line and unit.type == LogicUnitType.STEP
        if later and title and title <= found and (_denied(finding) or not _denied(subject)):
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


def _denied(text: str) -> bool:
    return denies(text) or _LACKS.search(text) is not None
