"""Which units answer a question: the paper's selector (section 3.3).

A unit is chosen by its header and body; where it leads is not shown. What the gate of `prerequisites` rules out is
never shown either, and what it leaves open the model judges: met, not met, or to be asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from thread_core.answering.conversation import facts, told
from thread_core.llm.asking import Ask, Role, ask_for
from thread_core.llm.prompting import Prompt, chosen, quoted
from thread_core.models import LogicUnit, Model
from thread_core.plan import Plan
from thread_core.ports import Form, Message
from thread_core.retrieval.prerequisites import Known, Verdict, judge
from thread_core.retrieval.retrieve import applies
from thread_core.text.scripts import beginning
from thread_core.walk.memory import Recall, recall_nothing

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
    open: Sequence[str]
    """Each once, however many units have it."""

    @classmethod
    def of(cls, units: Sequence[LogicUnit], known: Known) -> _Shown:
        every = dict.fromkeys(text for unit in units for text in unit.prerequisites)
        return cls(units, [text for text in every if judge(text, known).verdict is Verdict.ASK])

    def text(self) -> str:
        units = ("\n".join(self._lines(number, unit)) for number, unit in enumerate(self.units, start=1))
        return "\n\n".join(units) or "No unit was found."

    def _lines(self, number: int, unit: LogicUnit) -> Iterator[str]:
        yield f"Unit {number}:\n{quoted(unit.header)}"
        for text in dict.fromkeys(unit.prerequisites):
            name = f"Prerequisite {self._number(text)}:" if text in self.open else "A prerequisite that is met:"
            yield f"{name}\n{quoted(text)}"
        body = beginning(unit.body, WORDS)
        yield f"Text:\n{quoted(body)}"
        if len(body) < len(unit.body):
            yield "(and more)"

    def faults(self, choice: Choice) -> Iterator[str]:
        for number, times in Counter(choice.units).items():
            if not 1 <= number <= len(self.units):
                yield f"there is no unit {number}: they are 1 to {len(self.units)}"
            if times > 1:
                yield f"unit {number} is named twice"
        if choice.units and choice.query.strip():
            yield 'give "units" or a "query", not both'
        for number, times in Counter(one.number for one in choice.prerequisites).items():
            if not 1 <= number <= len(self.open):
                yield f"there is no prerequisite {number}: there are {len(self.open)}"
            if times > 1:
                yield f"prerequisite {number} is judged twice"
        for one in choice.prerequisites:
            if one.verdict == "ask" and not one.question.strip():
                yield f"prerequisite {one.number} is to be asked, without a question"
        verdicts = {one.number: one.verdict for one in choice.prerequisites}
        for unit, text in self._open_of(choice):
            number = self._number(text)
            if number not in verdicts:
                yield f"prerequisite {number} of unit {unit}, which is chosen, is not judged"
            elif verdicts[number] == "not met":
                yield f"unit {unit} is chosen, and its prerequisite {number} is not met"

    def selection(self, choice: Choice) -> Selection:
        """What a choice without faults means."""
        judged = {self.open[one.number - 1]: one for one in choice.prerequisites}
        first = {text: unit for unit, text in reversed(list(self._open_of(choice)))}
        texts = dict.fromkeys(text for _, text in self._open_of(choice))
        return Selection(
            units=tuple(self.units[number - 1] for number in choice.units),
            open=tuple(
                Open(
                    unit_id=self.units[first[text] - 1].id,
                    prerequisite=text,
                    question=" ".join(judged[text].question.split()),
                )
                for text in texts
                if judged[text].verdict == "ask"
            ),
            met=tuple(text for text in texts if judged[text].verdict == "met"),
            query=" ".join(choice.query.split()),
        )

    def _open_of(self, choice: Choice) -> Iterator[tuple[int, str]]:
        """The open prerequisites of the units that are chosen, each with the unit's number."""
        for number in choice.units:
            if 1 <= number <= len(self.units):
                unit = self.units[number - 1]
                yield from ((number, text) for text in dict.fromkeys(unit.prerequisites) if text in self.open)

    def _number(self, prerequisite: str) -> int:
        return self.open.index(prerequisite) + 1


def select(
    question: str,
    history: Sequence[Message],
    candidates: Sequence[LogicUnit],
    *,
    known: Known,
    recall: Recall = recall_nothing,
    prompts: Mapping[str, Prompt] | None = None,
) -> Plan[Selection]:
    """The units that answer a question, chosen by the model that has the role.

    It is not asked where the gate rules out every candidate; where there is none it may give other words to look for.

    Args:
        question: What the person asks.
        history: The conversation before it.
        candidates: Units that may answer, in any order.
        known: What the gate may use; what it rules out is not shown.
        recall: Gives what stands in the place of a long history; see `memory`.
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
    recalled = yield from recall()
    fields = {
        "history": recalled.below(told(history, besides=recalled.replaces)),
        "facts": facts(known, besides=(question, *(message.text for message in history), *recalled.replaces)),
        "units": shown.text(),
        "question": quoted(question),
    }
    asked = chosen("select", prompts).messages(fields)
    ask = Ask(Role.SELECTOR, tuple(asked), expected=EXPECTED)
    choice = yield from ask_for(ask, Choice, lambda reply: list(shown.faults(reply)), keep=True)
    return shown.selection(choice)


def select_or_search(
    question: str,
    history: Sequence[Message],
    candidates: Sequence[LogicUnit],
    find: Callable[[str], Plan[Sequence[LogicUnit]]],
    *,
    known: Known,
    recall: Recall = recall_nothing,
    prompts: Mapping[str, Prompt] | None = None,
) -> Plan[Selection]:
    """`select`, and where no unit answers, among those that `find` finds by the words that it gives; once.

    Raises:
        BadReply, ModelError, BudgetSpent: as `select`.
    """
    first: Selection = yield from select(question, history, candidates, known=known, recall=recall, prompts=prompts)
    if first.units or not first.query:
        return first
    seen = {unit.id for unit in candidates}
    others = [unit for unit in (yield from find(first.query)) if unit.id not in seen]
    if not others:
        return first
    return (yield from select(question, history, others, known=known, recall=recall, prompts=prompts))
