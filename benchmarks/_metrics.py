"""The scores, with no model at test time: pure functions over a system under test and gold tasks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal, Protocol

from _gold import Quote, Task, normalised

BUDGETS = (250, 500, 1000, 2000)
"""Tokens of a retrieval that are looked at."""
READ = 600
"""Tokens of one reply that a person is taken to read."""
PATIENCE = 2400
"""Tokens after which a walk is over."""
MOST_TURNS = 30
WIDE, NARROW = 400, 200
"""Tokens of the reply to an outcome in which the next step must stand."""
ENOUGH = 0.85
"""Share of a quote's words that must stand together for it to count as shown where it is not there verbatim."""
CHOICES = 9
"""Options of a menu that a person reads."""
DONE, AGREED, ON = "Done. What next?", "Yes.", "next"
TRUST = ("right", "menu", "stuck", "wrong")

_TOKEN = re.compile(r"\w+|[^\w\s]")
_WORD = re.compile(r"\w+")

Status = Literal["going", "asking", "resolved", "escalate", "unknown"]


@dataclass(frozen=True, slots=True)
class Reply:
    """What a system says in one turn."""

    text: str
    status: Status = "going"
    first: str = ""
    """The passage that it cites first; the text itself where it is one passage."""
    options: tuple[str, ...] = ()
    """What a person may choose by its number."""
    place: str = ""
    """Where it stands; empty where that is not known."""

    @property
    def goes_on(self) -> bool:
        return bool(self.text) and self.status in ("going", "asking")


class System(Protocol):
    """A way to answer how-to questions."""

    name: str

    def retrieve(self, question: str) -> list[str]:
        """Everything that a question gives at once, best first."""

    def start(self, question: str) -> Reply:
        """The first turn of a new walk."""

    def respond(self, said: str) -> Reply:
        """The next turn."""

    def fork(self) -> System:
        """Another walk that stands where this one does; what is said to it does not move this one."""


@dataclass(frozen=True, slots=True)
class RetrievalScores:
    recall: dict[int, float]
    """By budget: share of the steps that stand in the first tokens, mean over tasks."""
    complete: float
    """Share of the tasks with every step in the largest budget."""
    unit_tokens: float


@dataclass(frozen=True, slots=True)
class WalkScores:
    recall: float
    tokens: float
    """Shown in a walk, mean over tasks."""
    prerequisites: float | None
    """Share of them that a walk shows; None where the gold has none."""
    wide: float | None
    """Share of the branches taken right; None where the gold has none."""
    narrow: float | None
    first: float | None
    endings: tuple[int, int]
    """Right ones, and all."""
    trust: Mapping[str, float]
    """Of the outcomes whose step was shown, the shares that led `right` at once, right by the `menu` shown, nowhere
    (`stuck`), and elsewhere (`wrong`): who is asked can still choose, who is led wrong cannot know it."""


@dataclass(frozen=True, slots=True)
class Explored:
    """A walk, and what was said to the outcome of each branch; None where the branch's step was never shown."""

    turns: list[Reply]
    replies: list[Reply | None]
    ends: list[str]
    """What became of the outcomes whose step was shown; see `WalkScores.trust`."""


def count_tokens(text: str) -> int:
    """Words and punctuation marks."""
    return sum(1 for _ in _TOKEN.finditer(text))


def clip(units: Sequence[str], budget: int) -> list[str]:
    """The first tokens of some units; the unit in which they run out is cut there."""
    shown = []
    left = budget
    for unit in units:
        ends = [match.end() for match in _TOKEN.finditer(unit)]
        if len(ends) > left:
            return [*shown, unit[: ends[left - 1]]] if left else shown
        shown.append(unit)
        left -= len(ends)
    return shown


def shows(text: str, quote: str) -> bool:
    """Whether a text shows a step: verbatim, or most of its words within twice its length."""
    said, wanted = normalised(text), normalised(quote)
    if wanted in said:
        return True
    return _most_together(_WORD.findall(said), Counter(_WORD.findall(wanted)))


def _most_together(said: Sequence[str], wanted: Counter[str]) -> bool:
    size = wanted.total()
    need = ENOUGH * size
    if not size or sum((wanted & Counter(said)).values()) < need:
        return False
    window: Counter[str] = Counter()
    hits = 0
    for position, word in enumerate(said):
        window[word] += 1
        hits += window[word] <= wanted[word]
        if position >= 2 * size:
            leaving = said[position - 2 * size]
            hits -= window[leaving] <= wanted[leaving]
            window[leaving] -= 1
        if hits >= need:
            return True
    return False


def score_retrieval(system: System, tasks: Sequence[Task]) -> RetrievalScores:
    """What one question gives, before anything is said."""
    answers = [system.retrieve(task.question) for task in tasks]
    shares = {
        budget: [step_recall(clip(answer, budget), task) for answer, task in zip(answers, tasks, strict=True)]
        for budget in BUDGETS
    }
    return RetrievalScores(
        recall={budget: fmean(shares[budget]) for budget in BUDGETS},
        complete=fmean(share == 1 for share in shares[BUDGETS[-1]]),
        unit_tokens=fmean([count_tokens(unit) for answer in answers for unit in answer] or [0]),
    )


def step_recall(texts: Sequence[str], task: Task) -> float:
    """Share of a task's steps that stand in one of some texts."""
    return fmean(any(shows(text, step.quote) for text in texts) for step in task.steps)


def score_walks(system: System, tasks: Sequence[Task]) -> WalkScores:
    """A patient user says "done" after every turn; where a branch's step is shown, its outcome is tried aside."""
    walks = [explore(system, task) for task in tasks]
    tried = [
        pair
        for task, found in zip(tasks, walks, strict=True)
        for pair in zip(task.branches, found.replies, strict=True)
    ]
    ends = [
        reply is not None and reply.status == branch.next for branch, reply in tried if isinstance(branch.next, str)
    ]
    ways = [(branch.next.quote, reply) for branch, reply in tried if isinstance(branch.next, Quote)]
    return WalkScores(
        recall=fmean(step_recall([_read(turn) for turn in w.turns], t) for w, t in zip(walks, tasks, strict=True)),
        tokens=fmean(sum(count_tokens(turn.text) for turn in found.turns) for found in walks),
        prerequisites=_share(list(_prerequisites_shown(tasks, walks))),
        wide=_share([_continues(reply, quote, WIDE) for quote, reply in ways]),
        narrow=_share([_continues(reply, quote, NARROW) for quote, reply in ways]),
        first=_share([_cites_first(reply, quote) for quote, reply in ways]),
        endings=(sum(ends), len(ends)),
        trust=_shares([end for found in walks for end in found.ends]),
    )


def _shares(ends: Sequence[str]) -> dict[str, float]:
    return {end: sum(one == end for one in ends) / max(1, len(ends)) for end in TRUST}


def _prerequisites_shown(tasks: Sequence[Task], walks: Sequence[Explored]) -> Iterator[bool]:
    for task, found in zip(tasks, walks, strict=True):
        for prerequisite in task.prerequisites:
            yield any(shows(_read(turn), prerequisite.quote) for turn in found.turns)


def explore(system: System, task: Task) -> Explored:
    """Walk through a task, and report each branch's outcome at the first turn that shows the branch's step."""
    turns: list[Reply] = []
    replies: list[Reply | None] = [None] * len(task.branches)
    ends: list[str] = []
    for turn in walk(system, task.question, [step.quote for step in task.steps]):
        turns.append(turn)
        for index, branch in enumerate(task.branches):
            here = turn.goes_on and shows(_read(turn), task.steps[branch.after_step].quote)
            if here and replies[index] is None:
                replies[index] = _report(system.fork(), branch.outcome)
                if isinstance(branch.next, Quote):
                    ends.append(_came_of(system, turn, branch.outcome, branch.next.quote))
    return Explored(turns, replies, ends)


def _came_of(system: System, before: Reply, outcome: str, quote: str) -> str:
    """What becomes of an outcome that is reported once."""
    told = system.fork()
    reply = told.respond(outcome)
    if _continues(reply, quote, WIDE):
        return "right"
    if reply.status not in ("asking", "unknown") and (not reply.goes_on or reply.place != before.place):
        return "wrong"
    chosen = (told.fork().respond(str(number)) for number in _numbers(reply))
    return "menu" if any(_continues(one, quote, WIDE) for one in chosen) else "stuck"


def _numbers(reply: Reply) -> range:
    return range(1, min(len(reply.options), CHOICES) + 1)


def walk(system: System, question: str, wanted: Sequence[str] = ()) -> Iterator[Reply]:
    """The turns of a walk in which everything is answered with "done".

    Of a menu the option is chosen that shows something wanted; where none does, the answer is yes, and next where that
    is no answer: people know their case.
    """
    spent = 0
    reply, before = system.start(question), Reply("")
    shown: list[str] = []
    for _ in range(MOST_TURNS):
        yield reply
        shown.append(_read(reply))
        spent += count_tokens(reply.text)
        if spent >= PATIENCE or not reply.goes_on:
            return
        left = [quote for quote in wanted if not any(shows(text, quote) for text in shown)]
        said = _answer(system, reply, left, is_again=reply.text == before.text)
        before, reply = reply, system.respond(said)


def _answer(system: System, reply: Reply, wanted: Sequence[str], *, is_again: bool) -> str:
    if reply.status != "asking" and not (is_again and reply.options):
        return DONE
    for number in _numbers(reply) if wanted else ():
        text = _read(system.fork().respond(str(number)))
        if any(shows(text, quote) for quote in wanted):
            return str(number)
    return ON if is_again else AGREED


def _report(system: System, outcome: str) -> Reply:
    """The reply to an outcome; one that asks is told it once more."""
    reply = system.respond(outcome)
    return system.respond(outcome) if reply.status == "asking" else reply


def _continues(reply: Reply | None, quote: str, tokens: int) -> bool:
    return reply is not None and reply.goes_on and shows("".join(clip([reply.text], tokens)), quote)


def _cites_first(reply: Reply | None, quote: str) -> bool:
    return reply is not None and reply.goes_on and shows("".join(clip([reply.first or reply.text], NARROW)), quote)


def _read(turn: Reply) -> str:
    return "".join(clip([turn.text], READ))


def _share(hits: Sequence[bool]) -> float | None:
    return fmean(hits) if hits else None
