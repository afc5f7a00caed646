"""Which units answer a question: the paper's selector (section 3.3).

A unit is chosen by its header and body; where it leads is not shown. What the gate of `prerequisites` rules out is
never shown either, and what it leaves open the model judges: met, not met, or to be asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from thread_core.asking import Ask, Role, ask_for
from thread_core.conversation import beginning, facts, told
from thread_core.models import LogicUnit, Model
from thread_core.plan import Plan
from thread_core.ports import Form, Message
from thread_core.prerequisites import Known, Verdict, judge
from thread_core.prompting import Prompt, prompt, quoted
from thread_core.retrieval import applies

WORDS = 250
"""Of a body that the model is shown to choose by."""
EXPECTED = 200
"""Tokens of a reply."""


class Open(Model):
    """A prerequisite that nothing said so far decides, and the question to put."""

    unit_id: str
    prerequisite: str
    """As written."""
    question: str


class Selection(Model):
    """The units that answer, in the order in which they are carried out; none where there is no information."""

    units: tuple[LogicUnit, ...] = ()
    open: tuple[Open, ...] = ()
    """What is to be asked before the units apply."""
    met: tuple[str, ...] = ()
    """Prerequisites of the units that hold by what was said, as written."""
    query: str = ""
    """Where there are no units: other words to look for."""


class JudgedPrerequisite(Form):
    """What a model says of a numbered prerequisite."""

    number: int
    verdict: Literal["met", "not met", "ask"]
    question: str = ""


class Choice(Form):
    """A selector's reply: numbers of what it was shown."""

    prerequisites: tuple[JudgedPrerequisite, ...] = ()
    units: tuple[int, ...]
    query: str = ""


@dataclass(frozen=True, slots=True)
class _Shown:
    """What the model is shown: units, and the prerequisites that are open, each by its number."""

    units: Sequence[LogicUnit]
    open: Sequence[tuple[int, str]]
    """The unit's number and the prerequisite."""

    @classmethod
    def of(cls, units: Sequence[LogicUnit], known: Known) -> _Shown:
        return cls(
            units,
            [
                (number, text)
                for number, unit in enumerate(units, start=1)
                for text in dict.fromkeys(unit.prerequisites)
                if judge(text, known).verdict is Verdict.ASK
            ],
        )

    def text(self) -> str:
        units = ("\n".join(self._lines(number, unit)) for number, unit in enumerate(self.units, start=1))
        return "\n\n".join(units) or "No unit was found."

    def _lines(self, number: int, unit: LogicUnit) -> Iterator[str]:
        yield f"Unit {number}:\n{quoted(unit.header)}"
        for text in dict.fromkeys(unit.prerequisites):
            is_open = (number, text) in self.open
            name = f"Prerequisite {self.open.index((number, text)) + 1}:" if is_open else "A prerequisite that is met:"
            yield f"{name}\n{quoted(text)}"
        body = beginning(unit.body, WORDS)
        yield f"Text:\n{quoted(body)}"
        if len(body) < len(unit.body):
            yield "(and more)"

    def faults(self, choice: Choice) -> list[str]:
        found = [f"there is no unit {n}: they are 1 to {len(self.units)}" for n in choice.units if not self._has(n)]
        found += [f"unit {number} is named twice" for number, times in Counter(choice.units).items() if times > 1]
        if choice.units and choice.query.strip():
            found.append('give "units" or a "query", not both')
        judged = Counter(one.number for one in choice.prerequisites)
        found += [f"prerequisite {number} is judged twice" for number, times in judged.items() if times > 1]
        for one in choice.prerequisites:
            if not 1 <= one.number <= len(self.open):
                found.append(f"there is no prerequisite {one.number}: there are {len(self.open)}")
            elif one.verdict == "ask" and not one.question.strip():
                found.append(f"prerequisite {one.number} is to be asked, without a question")
            elif one.verdict == "not met" and self.open[one.number - 1][0] in choice.units:
                found.append(
                    f"unit {self.open[one.number - 1][0]} is chosen, and its prerequisite {one.number} is not met"
                )
        found += [
            f"prerequisite {number} of unit {unit}, which is chosen, is not judged"
            for number, (unit, _) in enumerate(self.open, start=1)
            if unit in choice.units and number not in judged
        ]
        return found

    def _has(self, number: int) -> bool:
        return 1 <= number <= len(self.units)

    def selection(self, choice: Choice) -> Selection:
        chosen = set(choice.units)
        judged = [(one, *self.open[one.number - 1]) for one in choice.prerequisites]
        judged = sorted((one for one in judged if one[1] in chosen), key=lambda one: choice.units.index(one[1]))
        return Selection(
            units=tuple(self.units[number - 1] for number in choice.units),
            open=tuple(
                Open(unit_id=self.units[unit - 1].id, prerequisite=text, question=" ".join(one.question.split()))
                for one, unit, text in judged
                if one.verdict == "ask"
            ),
            met=tuple(text for one, _, text in judged if one.verdict == "met"),
            query=" ".join(choice.query.split()),
        )


def select(
    question: str,
    history: Sequence[Message],
    candidates: Sequence[LogicUnit],
    *,
    known: Known,
    prompts: Mapping[str, Prompt] | None = None,
) -> Plan[Selection]:
    """The units that answer a question, chosen by the model that has the role.

    It is not asked where the gate rules out every candidate; where there is none it may give other words to look for.

    Args:
        question: What the person asks.
        history: The conversation before it.
        candidates: Units that may answer, in any order.
        known: What the gate may use; what it rules out is not shown.
        prompts: The user's own instead of the package's, by name; `select` is used here.

    Raises:
        BadReply: the reply cannot be used, nor the one after the complaint.
        ModelError: there is none.
        BudgetSpent: the model was not asked.
    """
    admitted = [unit for unit in candidates if applies(unit, known)]
    if candidates and not admitted:
        return Selection()
    shown = _Shown.of(admitted, known)
    fields = {
        "history": told(history),
        "facts": facts(known, besides=(question, *(message.text for message in history))),
        "units": shown.text(),
        "question": quoted(question),
    }
    asked = ((prompts or {}).get("select") or prompt("select")).messages(fields)
    choice = yield from ask_for(Ask(Role.SELECTOR, tuple(asked), expected=EXPECTED), Choice, shown.faults)
    return shown.selection(choice)


def select_or_search(
    question: str,
    history: Sequence[Message],
    candidates: Sequence[LogicUnit],
    find: Callable[[str], Plan[Sequence[LogicUnit]]],
    *,
    known: Known,
    prompts: Mapping[str, Prompt] | None = None,
) -> Plan[Selection]:
    """`select`, and where no unit answers, among those that `find` finds by the words that it gives; once.

    Raises:
        BadReply, ModelError, BudgetSpent: as `select`.
    """
    first: Selection = yield from select(question, history, candidates, known=known, prompts=prompts)
    if first.units or not first.query:
        return first
    seen = {unit.id for unit in candidates}
    others = [unit for unit in (yield from find(first.query)) if unit.id not in seen]
    if not others:
        return first
    return (yield from select(question, history, others, known=known, prompts=prompts))
