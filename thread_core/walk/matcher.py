"""What the person reports -> the ways on by how near they are: the port of a matcher, and the default one.

A way is an outcome that the guide states, or a passage of it. The order is for a menu; what is sure says `decide`.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from thread_core.documents.blocks.fences import inlined
from thread_core.models import LogicUnit, LogicUnitType, Passage
from thread_core.plan import Plan
from thread_core.store.requests import Embed
from thread_core.text.words import content_words
from thread_core.walk.labels import clip
from thread_core.walk.options import Case, Screen, case_choice, cases_of
from thread_core.walk.state import Act, Choice

EMBEDDED = 400
"""Characters of a passage that are embedded."""
LOOKED_AT = 80
"""Passages that are embedded, the nearest ones; the rest of a long document is left to the words."""
VECTOR, CONDITION, WORDS = 0.5, 0.3, 0.4
"""Weights of a passage's likeness, of how much more its condition is like the report, and of the words in common."""
NEAR = {0: 0.10, 1: 0.12, 2: 0.07, 3: 0.05}
FAR, EARLIER = 0.02, -0.06
"""What standing near the step at hand is worth, by distance in units; further on; and before it."""
STATED = 0.2
"""What a passage that states a condition is worth above one that does not."""

_DELETES = re.compile(
    r"(?<![\w-])(?:rm|rmdir|dd|mkfs(?:\.\w+)?|shred|wipefs|truncate|format|del|drop|delete|destroy|purge|prune|wipe"
    r"|erase|--(?:delete|purge|wipe|erase)(?:-\w+)?)(?![\w-])",
    re.IGNORECASE,
)
_CODE = re.compile(r"`+([^`\n]+)`+")


class OutcomeMatcher(Protocol):
    """Says how well each way fits what was reported; a framework's reranker can stand in its place."""

    def score(self, report: str, passages: Sequence[str]) -> Sequence[float]:
        """Score passages, higher is better; one score each, in order. They order the menu that a person sees."""


@dataclass(frozen=True, slots=True)
class Rank:
    """How well some passages fit a report -> Sequence[float], or None where nobody is asked but the default."""

    report: str
    passages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Way:
    """A way on: an outcome that a unit states, or a passage of one."""

    choice: Choice
    passage: str
    distance: int
    """How many units after the step at hand it stands; negative before it."""
    unit: LogicUnit

    @property
    def condition(self) -> str:
        """What selects it, in the document's words; empty where the passage says no condition."""
        return self.choice.condition


@dataclass(frozen=True, slots=True)
class Match:
    """A way and how near it is."""

    way: Way
    score: float
    related: float
    """How much it has to do with the report, by meaning and words alone: about 0 to 1."""


def rank(report: str, ways: Sequence[Way]) -> Plan[list[Match]]:
    """Order ways by how near they are to a report, the nearest first."""
    if not ways:
        return []
    near = sorted(ways, key=lambda way: abs(way.distance))[:LOOKED_AT]
    texts = tuple(dict.fromkeys(text for way in near for text in (way.passage[:EMBEDDED], way.condition) if text))
    vectors = yield Embed((report, *texts))
    likeness = dict(zip(texts, (vectors[1:] @ vectors[0]).tolist(), strict=True))
    weights = _rarity(ways)
    words = content_words(report)
    total = sum(weights.get(word, weights[""]) for word in words) or 1.0
    found = []
    for way in ways:
        around = likeness.get(way.passage[:EMBEDDED], 0.0)
        stated = likeness.get(way.condition, around) if way.condition else around
        said = f"{way.condition}\n{way.passage}"
        shared = sum(weights.get(word, 0.0) for word in words & content_words(said)) / total
        related = VECTOR * around + CONDITION * (stated - around) + WORDS * shared
        place = NEAR.get(way.distance, EARLIER if way.distance < 0 else FAR)
        found.append(Match(way, related + place + (STATED if way.condition else 0.0), max(around, stated, shared)))
    told = tuple(f"{one.way.condition}\n{one.way.passage}" for one in found)
    given: Sequence[float] | None = yield Rank(report, told)
    if given is not None:
        found = [Match(one.way, float(score), one.related) for one, score in zip(found, given, strict=True)]
    return sorted(found, key=lambda one: -one.score)


def ways_on(at: Screen, units: Sequence[LogicUnit]) -> Iterator[Way]:
    """Find the ways on in a guide: outcomes and passages of its steps, but what is on the screen and what deletes.

    The units may be another guide's than the screen's, such as of one that called it.
    """
    here = next((index for index, unit in enumerate(units) if unit.id == at.unit.id), None)
    for index, unit in enumerate(units):
        distance = index - here if here is not None else 1
        is_step = unit.type in (LogicUnitType.STEP, LogicUnitType.FAQ)
        for way in _of_unit(unit, distance):
            was_read = unit.id == at.unit.id and at.first <= way.choice.first <= at.last
            if (way.condition or (is_step and not was_read)) and not deletes(way.passage):
                yield way


def _of_unit(unit: LogicUnit, distance: int) -> Iterator[Way]:
    lines = unit.body.split("\n")
    stated = set[int]()
    for case in cases_of(unit):
        stated.add(case.first)
        yield Way(case_choice(unit, case), _told(lines, case), distance, unit)
    for passage in unit.passages:
        if passage.first not in stated:
            text = "\n".join(lines[passage.first - 1 : passage.last])
            yield Way(passage_choice(unit, passage, text), text, distance, unit)


def _told(lines: Sequence[str], case: Case) -> str:
    if not case.first or case.said:
        return case.said or f"{case.link.condition}: {case.link.query}"
    return "\n".join(lines[case.first - 1 : case.last])


def passage_choice(unit: LogicUnit, passage: Passage, text: str) -> Choice:
    """Offer a passage of a unit: what is shown begins with it."""
    said = inlined(text).removeprefix("- ").removeprefix("* ")
    heading = f"{unit.section[-1]}: " if unit.section and passage.first == unit.passages[0].first else ""
    last = unit.passages[-1].last
    return Choice.of(unit, clip(f"{heading}{said}"), Act.SHOW, first=passage.first, last=last)


def deletes(passage: str) -> bool:
    """Tell whether a command in a passage deletes: such a passage is no alternative to anything."""
    code = _CODE.findall(passage)
    if "```" in passage or "~~~" in passage:
        code.append(passage)
    return any(map(_DELETES.search, code))


def _rarity(ways: Sequence[Way]) -> dict[str, float]:
    """Weight of a word: the fewer passages say it, the more it tells."""
    seen: Counter[str] = Counter()
    for way in ways:
        seen.update(content_words(way.passage))
    weights = {word: math.log(1 + (len(ways) - count + 0.5) / (count + 0.5)) for word, count in seen.items()}
    weights[""] = math.log(1 + (len(ways) + 0.5) / 0.5)
    return weights
