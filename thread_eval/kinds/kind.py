"""What is asked of a system for one case, and how that is scored: a kind for each sort of data set."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from thread_core.plan import Plan
from thread_eval.scores import Score
from thread_eval.systems import Offer, Setup

Given = Mapping[str, Any]
"""What a system gave, as JSON."""


@dataclass(frozen=True, slots=True)
class Case:
    """One thing that is asked of all systems."""

    id: str
    record: Any
    documents: Mapping[str, str]
    """What it is answered from, by id; the same object for all cases that share it."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One thing that a person who looks at a bad case sees."""

    what: str
    """What is shown: the question, an outcome, a step."""
    said: str
    wanted: str
    """What should have come: the true answer, or the guide's own words."""
    got: str
    is_right: bool
    came: str = ""
    """What became of it, in a word or two."""
    place: str = ""
    """Where what was wanted stands, as `guide.md:12`."""


class Kind(ABC):
    """How one sort of data set is measured."""

    metrics: ClassVar[tuple[str, ...]]
    """What a report shows of the scores, in order."""
    brief: ClassVar[Mapping[str, str]]
    """What a terminal shows, with what it is called there."""
    good: ClassVar[tuple[str, ...]]
    """What says how good a case is: shares of 1, the more the better."""
    pooled: ClassVar[frozenset[str]] = frozenset()
    """Metrics whose mean weighs things alike, and not cases."""
    plans: ClassVar[bool] = False
    """Whether actions are planned, and not questions answered."""
    judgements: ClassVar[int] = 0
    """Calls of a judge about, a case and system."""

    def make(self, offer: Offer, setup: Setup) -> Any:
        """What is asked."""
        return offer.make(setup)

    @abstractmethod
    def calls(self, case: Case, *, is_ours: bool) -> float:
        """About how often a system with a model asks it."""

    @abstractmethod
    def ask(self, system: Any, case: Case) -> Given:
        """What a system gives."""

    @abstractmethod
    def score(self, case: Case, given: Given, *, judged: bool) -> Plan[dict[str, Score]]:
        """The scores of that; with a judge, those that it takes, too."""

    @abstractmethod
    def shown(self, case: Case, given: Given) -> Iterator[Shown]:
        """What was asked, what should have come and what came."""

    def question(self, case: Case) -> str:
        """What a case asks."""
        asked: str = case.record.question
        return asked


def told_apart(cases: Iterable[Case]) -> list[Case]:
    """Cases of which no two have the same id: several may begin at one line."""
    seen: Counter[str] = Counter()
    told = []
    for case in cases:
        seen[case.id] += 1
        told.append(replace(case, id=f"{case.id} ({seen[case.id]})") if seen[case.id] > 1 else case)
    return told


def named(pages: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Documents by their titles; one whose title another has gets a number."""
    named: dict[str, str] = {}
    for title, text in pages:
        name = f"{title}.md" if f"{title}.md" not in named else f"{title} ({len(named) + 1}).md"
        named[name] = text
    return named
