"""Models as judges: each question is a plan that ends with scores, and a judge that fails is a failure, never a zero.

Drive them with `thread_core.llm.access.ModelAccess`, over a model of either framework or any `LLM`:

    access = ModelAccess(llm)
    access.run(solved("How do I ...?", answer, steps)).value  # 1.0
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Literal, TypeVar

from pydantic import Field

from thread_core.errors import BadReply, BudgetSpent, ModelError
from thread_core.llm.asking import Ask, Role, ask_for
from thread_core.llm.prompting import numbered, prompt, quoted
from thread_core.plan import Plan
from thread_core.ports import Form
from thread_eval.metrics.action_items import Match, score_items
from thread_eval.metrics.inscoqa import BEST, task_completion
from thread_eval.scores import Score, failure, not_applicable

F = TypeVar("F", bound=Form)


class ActionItem(Form):
    """One thing to do."""

    action: str = Field(min_length=1)
    element: str

    def __str__(self) -> str:
        """As a judge is shown it."""
        return f"{self.action}: {self.element}"


class _Items(Form):
    items: tuple[ActionItem, ...]


class _Pair(Form):
    proposed: int
    right: int


class _Matches(Form):
    matches: tuple[_Pair, ...]


class _Solved(Form):
    reason: str
    solved: bool


class _Rating(Form):
    reason: str
    rating: int = Field(ge=1, le=BEST)


class _Covered(Form):
    covered: tuple[int, ...]


class _Better(Form):
    reason: str
    better: Literal["first", "second", "same"]


def action_items(text: str) -> Plan[tuple[ActionItem, ...]]:
    """What a text tells its reader to do.

    Raises:
        BadReply, BudgetSpent, ModelError: the judge gave no usable reply.
    """
    if not text.strip():
        return ()
    return (yield from _asked("items", {"text": quoted(text)}, _Items)).items


def matching_items(proposed: Sequence[ActionItem], right: Sequence[ActionItem]) -> Plan[tuple[Match, ...]]:
    """Which items of two plans are the same, as pairs of positions from 0.

    Raises:
        BadReply, BudgetSpent, ModelError: the judge gave no usable reply.
    """
    if not proposed or not right:
        return ()

    def faults(reply: _Matches) -> list[str]:
        return [
            *_wrong([pair.proposed for pair in reply.matches], len(proposed), "items of the proposed plan"),
            *_wrong([pair.right for pair in reply.matches], len(right), "items of the right plan"),
        ]

    fields = {"proposed": _list(proposed), "right": _list(right)}
    reply = yield from _asked("match", fields, _Matches, faults)
    return tuple((pair.proposed - 1, pair.right - 1) for pair in reply.matches)


def plan_scores(answer: str, steps: Sequence[str]) -> Plan[dict[str, Score]]:
    """Precision, recall and F1 of an answer's action items beside those of the right steps."""
    try:
        right = yield from action_items("\n".join(steps))
        proposed = yield from action_items(answer)
        matches = yield from matching_items(proposed, right)
    except (BadReply, BudgetSpent, ModelError) as error:
        return dict.fromkeys(("precision", "recall", "f1"), _failed(error))
    return score_items(len(proposed), len(right), matches)


def solved(question: str, answer: str, steps: Sequence[str]) -> Plan[Score]:
    """1 where an answer solves the task completely, else 0."""
    if not steps:
        return not_applicable("there are no true steps")
    fields = {"question": quoted(question), "steps": quoted("\n".join(steps)), "answer": quoted(answer)}
    return (yield from _scored("solved", fields, _Solved, lambda said: Score(value=said.solved, reason=said.reason)))


def rating(question: str, answer: str, reference: str) -> Plan[Score]:
    """How helpful and how complete an answer is beside the right one, from 1 to 10."""
    if not reference.strip():
        return not_applicable("there is no true answer")
    fields = {"question": quoted(question), "reference": quoted(reference), "answer": quoted(answer)}
    return (yield from _scored("rating", fields, _Rating, lambda said: Score(value=said.rating, reason=said.reason)))


def steps_covered(proposed: Sequence[str], steps: Sequence[str]) -> Plan[Score]:
    """Share of the true steps that are in a system's list: the task completion rate."""
    if not proposed or not steps:
        return task_completion(0, len(steps))

    def faults(reply: _Covered) -> list[str]:
        return _wrong(reply.covered, len(steps), "right steps")

    fields = {"right": _list(steps), "proposed": _list(proposed)}
    return (
        yield from _scored(
            "covered", fields, _Covered, lambda said: task_completion(len(said.covered), len(steps)), faults
        )
    )


def better(question: str, one: str, other: str, steps: Sequence[str], *, seed: int = 0) -> Plan[Score]:
    """1 where one answer serves better than the other, 0 where the other does, and 0.5 where neither.

    Which is shown first is drawn for each question, for judges lean towards a place.
    """
    is_turned = Random(f"{seed} {question}").random() < 0.5
    first, second = (other, one) if is_turned else (one, other)
    fields = {
        "question": quoted(question),
        "steps": quoted("\n".join(steps)),
        "first": quoted(first),
        "second": quoted(second),
    }

    def score(said: _Better) -> Score:
        value = {"first": 1.0, "second": 0.0, "same": 0.5}[said.better]
        return Score(value=1 - value if is_turned else value, reason=said.reason)

    return (yield from _scored("better", fields, _Better, score))


def _scored(
    name: str,
    fields: Mapping[str, str],
    kind: type[F],
    score: Callable[[F], Score],
    faults: Callable[[F], Sequence[str]] = lambda _: (),
) -> Plan[Score]:
    try:
        return score((yield from _asked(name, fields, kind, faults)))
    except (BadReply, BudgetSpent, ModelError) as error:
        return _failed(error)


def _asked(
    name: str, fields: Mapping[str, str], kind: type[F], faults: Callable[[F], Sequence[str]] = lambda _: ()
) -> Plan[F]:
    """A reply as a value; one that was kept is taken again, so that the same judgement is not paid for twice."""
    messages = prompt(name, "thread_eval").messages(fields)
    return (yield from ask_for(Ask(Role.JUDGE, messages), kind, faults, keep=True))


def _failed(error: Exception) -> Score:
    return failure(f"the judge failed: {type(error).__name__}: {error}")


def _wrong(numbers: Sequence[int], count: int, things: str) -> list[str]:
    """What a model is told of numbers that cannot be."""
    named = Counter(numbers)
    strange = sorted(number for number in named if not 1 <= number <= count)
    twice = sorted(number for number, times in named.items() if times > 1)
    return [
        *([f"there are {count} {things}, and no {', '.join(map(str, strange))}"] if strange else []),
        *([f"of the {things}, {', '.join(map(str, twice))} stand there twice"] if twice else []),
    ]


def _list(items: Sequence[ActionItem] | Sequence[str]) -> str:
    return numbered([str(item) for item in items])
