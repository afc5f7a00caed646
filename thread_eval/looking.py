"""What a person should look at: the questions that went worst, the weakest guides, and what to do about both."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from thread_eval.datasets.own import Flaw
from thread_eval.kinds.kind import Case, Kind, Shown
from thread_eval.runs import Run, Scores

WORST = 10
"""Cases that are shown."""
SAID = 600
"""Characters of what a system said that are shown."""

ADVICE = {
    "leads nowhere": "Write the guide or section that is meant here, or link to one that exists.",
    "dead end": "Say at its end how to tell that it worked (“If …, the issue is resolved.”), and what to do if not.",
    "not linked": "Say where this leads: “go to step 3”, or a link.",
    "another guide": "Say in the titles of both guides what they are for, in the words that people use.",
    "only among the nearest": "No guide seemed to fit: say it in a heading, in the words that people use.",
    "nothing found": "No guide fits: write one, or say it in a heading, in the words that people use.",
    "led nowhere": "State this outcome at the step where it is seen, in the words that people use.",
    "led elsewhere": "Another outcome of this step has the same words: say what distinguishes them.",
    "by an option": "Two outcomes fit equally, so the person has to choose: say what distinguishes them.",
    "not reached": "A person who says “done” never reaches this step: say at the step before when to go there.",
    "the end is not announced": "Say that this is the end (“…, the issue is resolved.”), or to whom to escalate.",
}
"""What to do, by the kind of a flaw, the surest first, or by what became of a question or an outcome."""


@dataclass(frozen=True, slots=True)
class Bad:
    """A case that went badly."""

    case: str
    shown: list[Shown]

    @property
    def worst(self) -> Shown:
        """What to look at first."""
        wrong = [one for one in self.shown if not one.is_right]
        return next((one for one in (*wrong, *self.shown) if wrong or one.came in ADVICE), self.shown[0])


@dataclass(slots=True)
class Guide:
    """How one guide fares."""

    name: str
    asked: int = 0
    right: int = 0
    """Questions and outcomes of it, and those of them that led right, at once or by an option."""
    flaws: int = 0


@dataclass(frozen=True, slots=True)
class Look:
    """What there is to look at of one system."""

    system: str
    told: str
    """In a sentence, what became of what."""
    bad: list[Bad]
    """The worst first."""
    guides: list[Guide]
    """Those with something to mend, the weakest first."""
    flaws: Sequence[Flaw]
    documents: Mapping[str, str]
    """The guides' texts, where all cases share them."""


def look(kind: Kind, run: Run, scores: Scores, cases: Sequence[Case], system: str, flaws: Sequence[Flaw] = ()) -> Look:
    """Look at what one system gave.

    Args:
        kind: How it was measured.
        run: What was given.
        scores: What was found.
        cases: What was asked.
        system: Whose answers.
        flaws: Places of the guides that lead nobody on.
    """
    asked = [(case, list(_shown(kind, run, case, system))) for case in cases if run.given(case.id, system)]
    rated = [(good, Bad(case.id, shown)) for case, shown in asked if (good := _good(kind, scores, case, system)) < 1]
    shared = len({id(case.documents) for case in cases}) == 1
    return Look(
        system,
        _told([one for _, shown in asked for one in shown]),
        [bad for _, bad in sorted(rated, key=lambda pair: pair[0])[:WORST]],
        _weak([shown for _, shown in asked], flaws),
        sorted(flaws, key=lambda flaw: [*ADVICE].index(flaw.kind)),
        cases[0].documents if shared else {},
    )


def _good(kind: Kind, scores: Scores, case: Case, system: str) -> float:
    """How good a case is; one that failed is not, and one to which nothing applies is not bad."""
    mine = scores.cases[case.id][system]
    there = [mine[name] for name in kind.good if name in mine]
    values = [one.value for one in there if one.value is not None]
    return fmean(values) if values else float(not any(one.failed for one in there))


def _told(shown: Sequence[Shown]) -> str:
    """What became of what: `14 questions: 13 right, 1 another guide.` and so on."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for one in shown:
        if one.came:
            counts[one.what][one.came] += 1
    told = []
    for what, came in counts.items():
        many = f"{came.total()} {what.lower()}{'s' * (came.total() != 1)}"
        told.append(f"{many}: {', '.join(f'{count} {how}' for how, count in came.most_common())}.")
    return " ".join(told)


def _weak(asked: Sequence[Sequence[Shown]], flaws: Sequence[Flaw]) -> list[Guide]:
    found: dict[str, Guide] = {}
    for shown in asked:
        for one in shown if shown[0].place else ():
            guide = found.setdefault(name := line_of(shown[0].place)[0], Guide(name))
            guide.asked += 1
            guide.right += one.is_right
    for flaw in flaws:
        found.setdefault(name := line_of(flaw.where)[0], Guide(name)).flaws += 1
    weak = [guide for guide in found.values() if guide.flaws or guide.right < guide.asked]
    return sorted(weak, key=lambda one: (one.right - one.asked - one.flaws, one.name))


def line_of(place: str) -> tuple[str, int]:
    """The guide and the line, from 1, of `guide.md:12` or `guide.md:12-14`; 0 where none is named."""
    name, _, lines = place.rpartition(":")
    first = lines.partition("-")[0]
    return (name, int(first)) if name and first.isdecimal() else (place, 0)


def _shown(kind: Kind, run: Run, case: Case, system: str) -> Iterator[Shown]:
    answered = run.given(case.id, system)
    if answered is None or answered.said is None:
        yield Shown("Question", kind.question(case), "an answer", answered.error if answered else "", False, "failed")
        return
    for one in kind.shown(case, answered.said):
        yield replace(one, got=one.got if len(one.got) <= SAID else f"{one.got[:SAID]} …")
