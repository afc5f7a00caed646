"""Which guides answer a question, and where in them it begins: the paper's selector (section 3.3).

Guides are chosen by their cards. What the gate of `prerequisites` rules out is never shown, and what it leaves open the
model judges: met, not met, or to be asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

from thread_core.answering.cards import cards, listed
from thread_core.answering.conversation import facts, told
from thread_core.llm.asking import Ask, Role, ask_for
from thread_core.llm.numbers import Numbers, Texts
from thread_core.llm.prompting import Prompt, chosen, quoted
from thread_core.models import LogicUnit, Model
from thread_core.plan import Plan
from thread_core.ports import Form, Message
from thread_core.retrieval.prerequisites import Known, Verdict, judge
from thread_core.retrieval.retrieve import applies
from thread_core.walk.memory import Recall, recall_nothing

QUERIES = 3
"""Searches that the model may ask for."""
EXPECTED = 200
"""Tokens of a reply."""


class Open(Model):
    """A prerequisite that nothing said so far decides, and the question to put."""

    unit_id: str
    prerequisite: str
    """As written."""
    question: str


class Selection(Model):
    """Where the answer begins, in the order in which it is carried out; no units where there is no information."""

    units: tuple[LogicUnit, ...] = ()
    open: tuple[Open, ...] = ()
    """What is to be asked before the units apply."""
    met: tuple[str, ...] = ()
    """Prerequisites of the units that hold by what was said, as written."""
    queries: tuple[str, ...] = ()
    """Other words to look for: what no unit that was found answers, a search each."""


class JudgedPrerequisite(Form):
    """What a model says of a numbered prerequisite."""

    number: int
    verdict: Literal["met", "not met", "ask"]
    question: str = ""


class Choice(Form):
    """A selector's reply: numbers of what it was shown."""

    prerequisites: tuple[JudgedPrerequisite, ...] = ()
    units: Numbers
    query: Texts = ()


class _Shown:
    """What the model is shown: guides as cards, and the prerequisites that are open, each by its number."""

    def __init__(self, units: Sequence[LogicUnit], known: Known, callers: Mapping[str, Sequence[str]]) -> None:
        every = dict.fromkeys(text for unit in units for text in unit.prerequisites)
        self.open = [text for text in every if judge(text, known).verdict is Verdict.ASK]
        names = {text: f"Prerequisite {self._number(text)}:" for text in self.open}
        met = dict.fromkeys(every, "A prerequisite that is met:")
        self.text, self.named = listed(cards(units, callers), met | names)
        self.text = self.text or "No guide was found."

    def faults(self, choice: Choice) -> Iterator[str]:
        for name, times in Counter(choice.units).items():
            if name not in self.named:
                yield f"there is no number {name}"
            if times > 1:
                yield f"{name} is named twice"
        if len(choice.query) > QUERIES:
            yield f'"query" has {len(choice.query)} searches; at most {QUERIES} are made'
        for number, times in Counter(one.number for one in choice.prerequisites).items():
            if not 1 <= number <= len(self.open):
                yield f"there is no prerequisite {number}: there are {len(self.open)}"
            if times > 1:
                yield f"prerequisite {number} is judged twice"
        for one in choice.prerequisites:
            if one.verdict == "ask" and not one.question.strip():
                yield f"prerequisite {one.number} is to be asked, without a question"
        verdicts = {one.number: one.verdict for one in choice.prerequisites}
        for name, text in self._open_of(choice):
            number = self._number(text)
            if number not in verdicts:
                yield f"prerequisite {number} of {name}, which is chosen, is not judged"
            elif verdicts[number] == "not met":
                yield f"{name} is chosen, and its prerequisite {number} is not met"

    def selection(self, choice: Choice) -> Selection:
        """What a choice without faults means."""
        judged = {self.open[one.number - 1]: one for one in choice.prerequisites}
        first = {text: unit for unit, text in reversed(list(self._open_of(choice)))}
        texts = dict.fromkeys(text for _, text in self._open_of(choice))
        asked = [(text, judged[text]) for text in texts if judged[text].verdict == "ask"]
        return Selection(
            units=tuple({unit.id: unit for unit in (self.named[name] for name in choice.units)}.values()),
            open=tuple(
                Open(unit_id=self.named[first[text]].id, prerequisite=text, question=" ".join(one.question.split()))
                for text, one in asked
            ),
            met=tuple(text for text in texts if judged[text].verdict == "met"),
            queries=tuple(filter(None, (" ".join(query.split()) for query in choice.query))),
        )

    def _open_of(self, choice: Choice) -> Iterator[tuple[str, str]]:
        """The open prerequisites of what is chosen, each with the number that was named."""
        for number in choice.units:
            if number in self.named:
                texts = dict.fromkeys(self.named[number].prerequisites)
                yield from ((number, text) for text in texts if text in self.open)

    def _number(self, prerequisite: str) -> int:
        return self.open.index(prerequisite) + 1


def select(
    question: str,
    history: Sequence[Message],
    candidates: Sequence[LogicUnit],
    *,
    known: Known,
    callers: Mapping[str, Sequence[str]] | None = None,
    recall: Recall = recall_nothing,
    prompts: Mapping[str, Prompt] | None = None,
) -> Plan[Selection]:
    """Choose the units at which the answer to a question begins, one a guide or several.

    No model is asked where the gate rules out every candidate; where there is none it may give other words to look for.
    The first candidate of each document is where the question enters it; `callers` are by document the titles of the
    guides that send the reader to it.

    Raises:
        BadReply: the reply cannot be used, nor the one after the complaint.
        ModelError: there is none.
        BudgetSpent: the model was not asked.
    """
    admitted = [unit for unit in candidates if applies(unit, known)]
    if candidates and not admitted:
        return Selection()
    shown = _Shown(admitted, known, callers or {})
    recalled = yield from recall()
    fields = {
        "history": recalled.below(told(history, besides=recalled.replaces)),
        "facts": facts(known, besides=(question, *(message.text for message in history), *recalled.replaces)),
        "guides": shown.text,
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
    callers: Mapping[str, Sequence[str]] | None = None,
    recall: Recall = recall_nothing,
    prompts: Mapping[str, Prompt] | None = None,
) -> Plan[Selection]:
    """Choose as `select` does, and once more among what `find` finds by the words that it gives.

    Raises:
        BadReply, ModelError, BudgetSpent: as `select`.
    """
    given: dict[str, Any] = {"known": known, "recall": recall, "prompts": prompts}
    first: Selection = yield from select(question, history, candidates, callers=callers, **given)
    found: dict[str, LogicUnit] = {}
    for query in first.queries:
        found |= {unit.id: unit for unit in (yield from find(query))}
    seen = {unit.document_id for unit in candidates}
    others = [unit for unit in found.values() if unit.document_id not in seen]
    if not others:
        return first
    then: Selection = yield from select(question, history, others, **given)
    return Selection(units=(*first.units, *then.units), open=(*first.open, *then.open), met=(*first.met, *then.met))
