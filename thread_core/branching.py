"""Units of a document -> which of them a reader who goes on passes by.

- A section for when it is needed ("Rollback") is passed by whoever comes from elsewhere.
- Of sections that are branches, only the one that was taken is read: those beside it are passed by. Branches have
  headings that state cases, or are where the outcomes of one step lead, or each is for a trouble of its own.
- A section to which nothing but an outcome leads is a branch too, with none beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from thread_core.layout import leads_inside
from thread_core.models import Link, LogicUnit, LogicUnitType, Place
from thread_core.places import place_in
from thread_core.text import cases, directions
from thread_core.text.denials import denies, without_denials
from thread_core.text.header import unnumbered
from thread_core.text.headings import slug
from thread_core.text.leaning import OPPOSITE
from thread_core.text.resorts import Resort, resort
from thread_core.text.sentences import tells
from thread_core.text.troubles import are_causes, troubles_in
from thread_core.text.words import content_words

_MARKS = re.compile(r"[*_`]+")

Path = tuple[str, ...]
"""Headings from the top of a document down to a section."""


class Fork(NamedTuple):
    """Sections that outcomes lead to."""

    sections: frozenset[Path]
    """Those that the outcomes of one step lead to; or one to which nothing but outcomes leads."""
    outcomes: Mapping[str, Sequence[str]]
    """By the ids of the steps that lead there, the conditions for which they do."""

    @property
    def is_alone(self) -> bool:
        """Whether it is one section: who goes on takes it or passes it by."""
        return len(self.sections) == 1


@dataclass(frozen=True, slots=True)
class Branches:
    """What of a document is not simply read one after the other."""

    resorts: Mapping[Path, Path]
    """By the paths of sections that are read when they are needed, what of the path heads them."""
    forks: Sequence[Fork]
    troubles: Mapping[Path, bool]
    """See `troubles`."""

    @classmethod
    def of(cls, units: Sequence[LogicUnit]) -> Branches:
        """Those of a document, its units in reading order."""
        return cls(resorts(units), tuple(_forks(units)), troubles(units))

    def passes(self, unit: LogicUnit, other: LogicUnit) -> bool:
        """Whether who goes on from a unit passes a later one by."""
        needed = self.resorts.get(other.section)
        if needed is not None and needed != self.resorts.get(unit.section):
            return True
        own = self.trouble(unit)
        ends = own is not None and other.section[: len(own)] != own and not are_causes(own[:-1])
        return ends or bool(self.parted(unit, other))

    def trouble(self, unit: LogicUnit) -> Path | None:
        """The section in which a unit stands that is for one of several troubles, if it is in one."""
        parts = (unit.section[: depth + 1] for depth in range(len(unit.section)))
        return next((part for part in parts if part in self.troubles), None)

    def parted(self, unit: LogicUnit, other: LogicUnit) -> set[Path]:
        """The branches in which a unit stands and beside which another one stands."""
        taken, offered = self.taken(unit), self.taken(other)
        return {branch for fork, branch in taken.items() if offered.get(fork, branch) != branch}

    def entered(self, unit: LogicUnit, other: LogicUnit, units: Sequence[LogicUnit]) -> frozenset[Path | int]:
        """The forks at which who goes on from a unit to a later one takes a way that its outcomes select.

        It is one of several ways, or the only one that leads to a section. What is read in its order anyway is none:
        "Once it is built", "When it is built".
        """
        taken = self.taken(other)
        found = taken.keys() - self.taken(unit).keys()
        led: dict[Path | int, set[str]] = {fork: set() for fork in found if not cases.is_in_turn(taken[fork][-1])}
        for link in unit.links if led else ():
            goal = place_in(link.target, units) if link.condition and link.target and not link.target.document else None
            for fork in led.keys() & (self.taken(goal).keys() if goal is not None else ()):
                led[fork].add(link.condition)
        alone = self.alone(unit, other)
        is_own = {fork for fork in alone if unit.id in alone[fork].outcomes}
        return frozenset(fork for fork, said in led.items() if len(said) > 1 or (said and fork in is_own))

    def alone(self, unit: LogicUnit, other: LogicUnit) -> dict[Path | int, Fork]:
        """The sections in which a unit does not stand and another one does, and to which only outcomes lead."""
        inside = self.taken(unit)
        entered = (fork for fork in self.taken(other) if isinstance(fork, int) and fork not in inside)
        return {fork: self.forks[fork] for fork in entered if self.forks[fork].is_alone}

    def taken(self, unit: LogicUnit) -> dict[Path | int, Path]:
        """The branches in which a unit stands: of cases and troubles by where they part, of forks by their number."""
        case = cases.case_of(unit.section)
        parts = [unit.section[:depth] for depth in range(len(unit.section), 0, -1)]
        apart = [part for part in parts if part in self.troubles]
        found: dict[Path | int, Path] = {part[:-1]: part for part in (*apart, *([case] if case else ()))}
        for number, fork in enumerate(self.forks):
            if (branch := next((part for part in parts if part in fork.sections), None)) is not None:
                found[number] = branch
        return found


def resorts(units: Sequence[LogicUnit]) -> dict[Path, Path]:
    """The `Branches.resorts` of a document alone. They stand behind a step; what may mend something, behind all."""
    steps = [unit for unit in units if unit.type == LogicUnitType.STEP]
    sections = {unit.section: unit for unit in steps}
    headed = {path: found for path, unit in sections.items() if (found := _resort(unit)) is not None}
    plain = [unit.position for unit in steps if unit.section not in headed] if headed else []
    if not plain:
        return {}
    first, last = min(plain), max(plain)
    kept = {}
    for unit in steps:
        path, kind = headed.get(unit.section, ((), None))
        if path and unit.position > (first if kind in (Resort.UNDO, Resort.CALL) else last):
            kept[unit.section] = path
    return kept


def troubles(units: Sequence[LogicUnit]) -> dict[Path, bool]:
    """The sections of a document side by side from the first of several troubles on, and whether each is one.

    The others are what some trouble needs: none of them is read after another.
    """
    beside: dict[Path, dict[str, None]] = {}
    for unit in units:
        for depth, name in enumerate(unit.section if unit.type == LogicUnitType.STEP else ()):
            beside.setdefault(unit.section[:depth], {}).setdefault(name)
    found: dict[Path, bool] = {}
    for above, names in beside.items():
        named = troubles_in([*names], (units[0].title, *above)) if len(names) > 1 else []
        found |= {(*above, name): at in named for at, name in enumerate(names) if named and at >= named[0]}
    return found


def troubles_at(unit: LogicUnit, units: Sequence[LogicUnit]) -> dict[str, LogicUnit]:
    """By their headings, where troubles are begun among which a unit stands, or right before which; none elsewhere."""
    branches = Branches.of(units)
    after_it = (other for other in units if other.position > unit.position and other.type == LogicUnitType.STEP)
    own = branches.trouble(unit) or branches.trouble(next(after_it, unit))
    found: dict[str, LogicUnit] = {}
    if own is None or not branches.troubles[own] or unit.section[: len(own) - 1] != own[:-1]:
        return found
    for other in units:
        path = branches.trouble(other)
        if path is not None and path[:-1] == own[:-1] and branches.troubles[path] and other.type == LogicUnitType.STEP:
            found.setdefault(path[-1], other)
    return found


def _resort(unit: LogicUnit) -> tuple[Path, Resort] | None:
    """What of a unit's path heads a section for when it is needed, and for what; None where nothing does."""
    for depth, heading in enumerate(unit.section, start=1):
        if (kind := resort(heading, unit.title)) is not None:
            return unit.section[:depth], kind
    return None


def _forks(units: Sequence[LogicUnit]) -> Iterator[Fork]:
    """The later sections side by side to which several outcomes of one unit lead; then those to which only one does."""
    named: dict[str, tuple[Path, LogicUnit]] = {}
    placed: dict[Place, LogicUnit] = {}
    for unit in units if any(_leads_away(one, link) for one in units for link in one.links) else ():
        placed[unit.place] = unit
        named.setdefault(unit.place.anchor, (unit.section, unit))
        for depth, name in enumerate(unit.section, start=1):
            named.setdefault(slug(name), (unit.section[:depth], unit))
    alone: dict[Path, dict[str, list[str]]] = {}
    read = set[Path]()
    for unit in units if named else ():
        led = [(link, path) for link in unit.links if (path := _led(unit, link, named, placed))]
        stated = [link.condition for link, _ in led if link.condition]
        outcomes = [(link, path) for link, path in led if _is_outcome(link.condition, path[-1], stated)]
        selected = {id(link) for link, _ in outcomes}
        read.update(path for link, path in led if id(link) not in selected or _is_in_turn(unit, link, path))
        for parent in dict.fromkeys(path[:-1] for _, path in outcomes):
            beside = [(link, path) for link, path in outcomes if path[:-1] == parent]
            sections = frozenset(path for _, path in beside)
            if len(sections) > 1 and len({(link.condition, link.evidence) for link, _ in beside}) > 1:
                yield Fork(sections, {unit.id: [link.condition for link, _ in beside]})
                read |= sections
        for link, path in outcomes:
            alone.setdefault(path, {}).setdefault(unit.id, []).append(link.condition)
    yield from (Fork(frozenset({path}), led) for path, led in alone.items() if path not in read)


def _leads_away(unit: LogicUnit, link: Link) -> bool:
    """Whether a link leads out of its unit to another place of its document: in some case, or whatever is the case."""
    goal = link.target
    leads = link.condition or (link.evidence is not None and directions.directs(link.query))
    return bool(leads and goal and not goal.document and goal.step is None) and not leads_inside(unit, link)


def _led(
    unit: LogicUnit, link: Link, named: Mapping[str, tuple[Path, LogicUnit]], placed: Mapping[Place, LogicUnit]
) -> Path:
    """The later section to which a link leads, where it is none of those in which the unit stands.

    Sections that are counted ("3. Repair", "Method 2") are read in their order.
    """
    if link.target is None or not _leads_away(unit, link):
        return ()
    if link.target.place is not None:
        goal = placed.get(link.target.place)
        path = goal.section if goal is not None else ()
    else:
        path, goal = named.get(link.target.anchor, ((), None))
    later = goal is not None and goal.position > unit.position and goal.type == LogicUnitType.STEP
    if not later or unit.section[: len(path)] == path or cases.case_of(path):
        return ()
    is_counted = unnumbered(path[-1]) != path[-1] or directions.is_counted(path[-1])
    return () if is_counted else path


def _is_in_turn(unit: LogicUnit, link: Link, path: Path) -> bool:
    """Whether the section to which a link leads is read after something rather than in a case: "once it is empty".

    So is a section within one that is for this case as a whole.
    """
    words = content_words(link.condition)
    if cases.is_in_turn(path[-1]) or any(words <= content_words(name) for name in path[:-1]):
        return True
    said = _MARKS.sub("", " ".join(unit.body.split()))
    return re.search(rf"\b(?:once|as soon as|after) {re.escape(link.condition)}", said, re.IGNORECASE) is not None


def _is_outcome(condition: str, heading: str, stated: Sequence[str]) -> bool:
    """Whether a condition selects a section by what was seen: neither the rest, nor a task, nor the section's name."""
    if not condition or condition.startswith((OPPOSITE, cases.OTHERWISE)):
        return False
    if tells(condition) or directions.is_counted_alone(condition):
        return False
    words = content_words(without_denials(condition))
    if denies(condition) and any(words == content_words(other) for other in stated if other != condition):
        return False
    return slug(condition) != slug(heading)
