"""What speaks for a way on, beside what the person saw: likeness, place, agreement, turn and names.

Each of these is worth an amount, of which the constants above a function tell. All together are a way's score.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from thread_core.models import LogicUnit, LogicUnitType
from thread_core.retrieval import prerequisites
from thread_core.text import contrast, directions
from thread_core.text.contrast import Agreement
from thread_core.text.denials import denies
from thread_core.text.words import content_words
from thread_core.walking import endings
from thread_core.walking.ways import Candidate

LACKS = re.compile(r"\b(?:fails? to|absent|missing)\b", re.IGNORECASE)
"""What says that something is not, and not with a word that denies."""
_CODE = re.compile(r"\b(?:0x[0-9a-f]+|[A-Za-z]*\d[\w.:-]*|[A-Z]{3,}\w*|\w+_\w+)\b")
EMBEDDED = 400
"""Characters of a passage that are embedded."""


class Part(NamedTuple):
    """One of the things that speak for a way, or against it."""

    name: str
    amount: float


@dataclass(frozen=True, slots=True)
class Seen:
    """What the person saw, beside all ways on that it may select."""

    outcome: str
    words: set[str]
    codes: set[str]
    is_denied: bool
    is_nothing_new: bool
    """Whether it says only that all is as it was: its words are then in a passage by chance."""
    end: int
    """Whether it says that the problem is gone, see `endings.came_of`."""
    likeness: Mapping[str, float]
    """The cosines of passages and conditions with it."""
    rarity: Mapping[str, float]
    """How much each word of the passages tells."""
    total: float
    """How much its own words would tell together."""
    agreements: Mapping[str, Agreement]
    """What it says of each condition."""
    telling: Sequence[Agreement]
    """What tells the conditions of the step at hand apart: amounts, and opposites where there are both sides."""
    stated_here: set[str]
    """The conditions of the step at hand."""
    upcoming: LogicUnit | None
    """The next method, where what was done has not helped."""

    @classmethod
    def among(cls, outcome: str, choices: Sequence[Candidate], likeness: Mapping[str, float], about: str) -> Seen:
        """Of an outcome, all ways, how like it their texts are, and what the walk is about."""
        words, rarity, end = content_words(outcome), _rarity(choices), endings.came_of(outcome, about)
        here = [choice.condition for choice in choices if choice.distance == 0]
        spoken_of = _spoken_of(outcome, here)
        agreements = {choice.condition: contrast.agreement(outcome, choice.condition) for choice in choices}
        for condition, (_, by) in agreements.items():
            if by == "amount" and spoken_of and not spoken_of & contrast.measured(condition):
                agreements[condition] = Agreement(0, "")
        both = Agreement(-1, "opposites") in map(agreements.__getitem__, here)
        return cls(
            outcome=outcome,
            words=words,
            codes=_codes(outcome),
            is_denied=denied(outcome),
            is_nothing_new=endings.is_nothing_new(outcome),
            end=end,
            likeness=likeness,
            rarity=rarity,
            total=sum(rarity.get(word, rarity[""]) for word in words) or 1.0,
            agreements=agreements,
            telling=[Agreement(1, "amount"), Agreement(-1, "amount"), *([Agreement(1, "opposites")] if both else [])],
            stated_here={condition.casefold() for condition in here if condition},
            upcoming=next_in_turn(choices) if end < 0 else None,
        )

    def overlap(self, text: str) -> float:
        """The share of its words that a text has, rare ones counting more."""
        return sum(self.rarity.get(word, 0.0) for word in self.words & content_words(text)) / self.total


def parts(seen: Seen, choice: Candidate) -> Iterator[Part]:
    """What speaks for a way, and against it."""
    yield from _likeness(seen, choice)
    yield from _place(choice)
    yield from _agreement(seen, choice)
    yield from _turn(seen, choice)
    yield from _named(seen, choice)


VECTOR_WEIGHT = 0.5
CONDITION_WEIGHT = 0.3
WORD_WEIGHT = 0.4
OF_CONDITION = 1.1
"""How many times as much words of the condition count as words of the passage around it."""


LIKENESS = ("passage", "condition", "words")
"""The names of these parts."""


def _likeness(seen: Seen, choice: Candidate) -> Iterator[Part]:
    """By meaning and by words."""
    around = seen.likeness.get(choice.passage[:EMBEDDED], 0.0)
    stated = seen.likeness.get(choice.condition, around) if choice.condition else around
    named = 0.0 if seen.is_nothing_new else seen.overlap(choice.passage)
    words = max(named, OF_CONDITION * seen.overlap(choice.condition))
    yield Part("passage", VECTOR_WEIGHT * around)
    yield Part("condition", CONDITION_WEIGHT * (stated - around))
    yield Part("words", WORD_WEIGHT * words)


NEARNESS = {0: 0.10, 1: 0.12, 2: 0.07, 3: 0.05}
"""What standing near the current step is worth, by distance."""
FAR, EARLIER = 0.02, -0.06
STATED = 0.2
"""What a passage that states a condition is worth above one that does not."""
DONE = -0.2
"""For the first passage of the current step where it states none: it is what the person has just done."""
ENDING = -0.08
"""For a way that ends the walk: going on by mistake costs a step, ending by mistake costs the walk."""


def _place(choice: Candidate) -> Iterator[Part]:
    """By where it stands, and what for."""
    yield Part("near", NEARNESS.get(choice.distance, EARLIER if choice.distance < 0 else FAR))
    if choice.condition:
        yield Part("stated", STATED)
    elif choice.distance == 0 and choice.line == choice.unit.start:
        yield Part("done", DONE)
    if choice.link is not None and choice.link.action.ends:
        yield Part("ending", ENDING)


NEGATED = -0.06
"""Where one side denies what the other says."""
CONTRADICTED = -0.15
"""Where what was seen is the opposite of the condition, or beyond its number (see `contrast`); and where one says that
the problem is gone and the other that it remains."""
AGREED = 0.05
"""Where it is the condition's side of two opposites, or within its number."""
ASKED_FOR = 0.15
"""Where what was seen is what the step at hand asks for: an amount within the number of one of its conditions, or the
side of one where another of its conditions is on the opposite side. Taken off where an amount is not within it."""


def _agreement(seen: Seen, choice: Candidate) -> Iterator[Part]:
    """By whether its condition is the case."""
    end = endings.came_of(choice.condition, None) if seen.end and choice.condition else 0
    if end and end != seen.end:
        yield Part("another end", CONTRADICTED)
    elif not end and choice.condition and denied(choice.condition) != seen.is_denied:
        yield Part("negated", NEGATED)
    agreement = seen.agreements[choice.condition]
    if agreement.sign:
        yield Part("agreed", AGREED) if agreement.sign > 0 else Part("contradicted", CONTRADICTED)
    if choice.distance == 0 and agreement in seen.telling:
        yield Part("asked for", agreement.sign * ASKED_FOR)


REPEATED = -0.1
"""For a later passage whose condition the current step states too: that one is meant first."""
IN_TURN = 0.3
"""For the beginning of the next method, where what was done has not helped."""


def _turn(seen: Seen, choice: Candidate) -> Iterator[Part]:
    """By what comes first, and what next."""
    if choice.distance > 0 and choice.condition.casefold() in seen.stated_here:
        yield Part("repeated", REPEATED)
    if choice.unit is seen.upcoming and choice.line == choice.unit.start:
        yield Part("in turn", IN_TURN)


ADMITTED = 0.15
"""For the beginning of what is for one version or platform alone, where what was seen names it."""
CODED = 0.05
"""Where both name the same code or number."""


def _named(seen: Seen, choice: Candidate) -> Iterator[Part]:
    """By what is called by its name."""
    if choice.line == choice.unit.start and is_admitted(choice.unit, seen.outcome):
        yield Part("admitted", ADMITTED)
    if seen.codes and seen.codes & _codes(choice.passage):
        yield Part("coded", CODED)


def _spoken_of(outcome: str, conditions: Sequence[str]) -> set[str]:
    """What an amount that was seen is of, where the conditions of the step at hand name it."""
    named = (contrast.measured(condition) for condition in conditions)
    return contrast.measured(outcome) & set().union(*named)


def _codes(text: str) -> set[str]:
    return {code.lower() for code in _CODE.findall(text)}


def next_in_turn(choices: Sequence[Candidate]) -> LogicUnit | None:
    """The section after the current one, where it is the next of several that are tried in turn: "Method 3".

    None where the rest of the current one says itself what comes when it has not helped.
    """
    here = next((choice.unit.section for choice in choices if choice.distance == 0), ())
    rest = (choice for choice in choices if choice.distance >= 0 and choice.unit.section == here)
    if any(endings.sounds_unsolved(choice.condition) for choice in rest):
        return None
    for choice in choices:
        unit = choice.unit
        if choice.distance > 0 and unit.place.number == 1 and (not here or unit.section[: len(here)] != here):
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


def denied(text: str) -> bool:
    """Whether a text says that something is not."""
    return denies(text) or LACKS.search(text) is not None
