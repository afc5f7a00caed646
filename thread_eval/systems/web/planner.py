"""The next action on a page: ranked elements, of which a model chooses one by a knock-out, or out of all at once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from thread_core.answering.conversation import NOTHING
from thread_core.errors import BadReply
from thread_core.llm.asking import Ask, LookUp, Role, ask_for
from thread_core.llm.prompting import numbered, prompt, quoted
from thread_core.plan import Plan
from thread_core.ports import Form
from thread_core.text.words import count_tokens
from thread_core.walk.memory import nearest
from thread_eval.datasets.mind2web import Operation
from thread_eval.metrics.mt_mind2web import CANDIDATES
from thread_eval.systems.web.memories import no_history
from thread_eval.systems.web.ranking import Ranker, best
from thread_eval.systems.web.situation import LAST, Memory, Past, Situation

GROUP = 5
"""Elements of one multiple choice."""
EXPECTED = 40
"""Tokens of a reply."""


class _Step(Form):
    element: int = Field(ge=0)
    operation: Annotated[Literal["CLICK", "TYPE", "SELECT"], BeforeValidator(lambda said: str(said).strip().upper())]
    value: str = ""


@dataclass(frozen=True, slots=True)
class Planned:
    """What a planner would do."""

    element: str | None
    """The id of the element; None where it chose none."""
    operation: str
    """Operation and value, as they are scored; empty without an element."""
    ranked: tuple[str, ...]
    """The ids of the elements that it chose from, the likeliest first."""
    guide_tokens: int = 0
    """Tokens of what its guides gave."""
    is_generated: bool = False
    """Whether element, operation and value were one answer over all elements."""


@dataclass(frozen=True, slots=True)
class WebPlanner:
    """Plans one action; which of the papers' systems it is, its parts say.

    Example:
        planner = WebPlanner(memory=SelfMap(), group=None)
        access.run(planner.next_action(situation), embedding_with(default_embedding()))
    """

    memory: Memory = no_history
    group: int | None = GROUP
    """How many elements a model is shown at once, drawn by lot, the chosen one of each group going on; None for all at
    once, in the page's order: then element, operation and value are one answer."""
    ranker: Ranker = nearest
    guides: Callable[[str], Sequence[str]] | None = None
    """What is retrieved for a query, such as `retrieve` of a `System`: units, chunks or documents, the best first."""
    seed: int = 0
    """Of the lots."""

    def __post_init__(self) -> None:
        """Raise ValueError where a group is none to choose from."""
        if self.group is not None and self.group < 2:
            raise ValueError(f"found a group of {self.group}, expected 2 or more, or None for all at once")

    def next_action(self, situation: Situation) -> Plan[Planned]:
        """What is to be done in a situation. A reply that cannot be used chooses nothing.

        Raises:
            ModelError: there is no reply.
            BudgetSpent: the model was not asked.
        """
        ranked: tuple[str, ...] = yield from best(self.ranker, situation.query, situation.elements, CANDIDATES)
        past: Past = yield from self.memory(situation)
        guides: str = (yield LookUp(self._guided, situation.query)) if self.guides else ""
        told = _told(past, guides)
        chosen: tuple[str, str] | None = yield from self._chosen(ranked, situation, told, past.instruction)
        element, operation = chosen or (None, "")
        return Planned(element, operation, ranked, count_tokens(guides), is_generated=self.group is None)

    def _guided(self, query: str) -> str:
        return "\n\n".join(self.guides(query) if self.guides else ())

    def _chosen(
        self, ranked: Sequence[str], situation: Situation, told: str, task: str
    ) -> Plan[tuple[str, str] | None]:
        """The element that is left, and what is done with it.

        One that was chosen meets those that were not asked about yet, as in MindAct; alone, it has won.
        """
        waiting = deque(ranked)
        if self.group is None:
            waiting = deque(named for named in situation.elements if named in ranked)
        else:
            Random(f"{self.seed} {situation.action.action_uid}").shuffle(waiting)
        operations: dict[str, str] = {}
        while waiting and not (len(waiting) == 1 and waiting[0] in operations):
            group = [waiting.popleft() for _ in range(min(self.group or len(waiting), len(waiting)))]
            step: _Step | None = yield from _asked(group, situation, told, task)
            if step is not None and step.element:
                element = group[step.element - 1]
                operations[element] = Operation(op=step.operation, value=step.value).text
                waiting.append(element)
        return (waiting[0], operations[waiting[0]]) if waiting else None


def _asked(group: Sequence[str], situation: Situation, told: str, task: str) -> Plan[_Step | None]:
    """What a model chooses of some elements; None where its reply cannot be used."""

    def faults(step: _Step) -> list[str]:
        return [f"there are {len(group)} elements, and no {step.element}"] if step.element > len(group) else []

    fields = {
        "past": told,
        "task": quoted(task),
        "done": "\n".join(map(quoted, situation.done[-LAST:])) or NOTHING,
        "elements": numbered([situation.elements[named] for named in group]),
    }
    ask = Ask(Role.GENERATOR, prompt("web_step", "thread_eval").messages(fields), expected=EXPECTED)
    try:
        return (yield from ask_for(ask, _Step, faults, keep=True))
    except BadReply:
        return None


def _told(past: Past, guides: str) -> str:
    found = f"Found in guides:\n{quoted(guides)}" if guides else ""
    return "\n\n".join(filter(None, (found, past.told))) or NOTHING
