"""Where an outcome leads: the paper's query generator (section 3.3).

The outcome is matched with the conditions of the linker and the passages around. Where none of them is meant, the next
query says what to look for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from thread_core import layout
from thread_core.answering.conversation import facts
from thread_core.llm.asking import Ask, Role, ask_for
from thread_core.llm.prompting import Prompt, chosen, quoted
from thread_core.models import LogicUnit
from thread_core.plan import Plan
from thread_core.ports import Form
from thread_core.retrieval.prerequisites import Known
from thread_core.text.denials import denies
from thread_core.text.scripts import beginning
from thread_core.walk.matcher import Way
from thread_core.walk.memory import Recall, recall_nothing
from thread_core.walk.states import Status

WAYS = 16
"""Ways on that the model is shown, the likeliest ones. With 8, the right one is left out in 3 % more cases."""
PASSAGE_WORDS = 60
STEP_WORDS = 250
"""Of a passage, and of the step at hand, that the model is shown."""
EXPECTED = 100
"""Tokens of a reply."""

_ENDS = {"": None, "solved": Status.RESOLVED, "unsolved": Status.ESCALATED}


@dataclass(frozen=True, slots=True)
class Next:
    """Where an outcome leads: along a way, to what a query finds, on, to an end, or nowhere that is known."""

    way: Way | None = None
    query: str = ""
    done: bool = False
    """The step was done as it stands, and whatever comes next is due."""
    ended: Status | None = None


class NextReply(Form):
    """A query generator's reply."""

    way: int = 0
    """The number of a way; 0 for none."""
    query: str = ""
    done: bool = False
    """They did the step, and report nothing else."""
    ended: Literal["", "solved", "unsolved"] = ""
    words: str = ""
    """The person's words that say that it has ended."""


def find_next(
    report: str,
    current: LogicUnit,
    ways: Sequence[Way],
    *,
    question: str,
    known: Known,
    recall: Recall = recall_nothing,
    prompts: Mapping[str, Prompt] | None = None,
) -> Plan[Next]:
    """Where a report leads. No model is asked where it is the condition of one way, word for word.

    Args:
        report: What the person saw.
        current: The step at hand.
        ways: The ways on, the likeliest first.
        question: What the walk is about.
        known: What was said and done before.
        recall: Gives what stands in the place of a long history; see `memory`.
        prompts: The user's own instead of the package's, by name; `next` is used here.

    Raises:
        BadReply: the reply cannot be used, nor the one after the complaint.
        ModelError: there is none.
        BudgetSpent: the model was not asked.
    """
    named = _named(report, ways)
    if named is not None:
        return Next(way=named)
    shown = _distinct(ways)[:WAYS]
    step = f"{layout.heading(current)}\n{beginning(current.body, STEP_WORDS)}"
    recalled = yield from recall()
    fields = {
        "question": quoted(question),
        "facts": recalled.below(facts(known, besides=(question, report, *recalled.replaces))),
        "step": quoted(step),
        "ways": "\n\n".join(_listed(shown, current, step)),
        "report": quoted(report),
    }
    messages = chosen("next", prompts).messages(fields)

    def faults(reply: NextReply) -> Iterator[str]:
        if not 0 <= reply.way <= len(shown):
            yield f"there is no way {reply.way}: they are 1 to {len(shown)}, and 0 is none"
        if sum(map(bool, (reply.way, reply.query.strip(), reply.done, reply.ended))) > 1:
            yield 'give one of "way", "query", "done" and "ended", or none'
        if reply.ended and not _says(report, reply.words):
            yield f'"ended" is "{reply.ended}", and "words" are not a whole statement of the person that says so'

    ask = Ask(Role.QUERY_GENERATOR, tuple(messages), expected=EXPECTED)
    reply: NextReply = yield from ask_for(ask, NextReply, lambda reply: list(faults(reply)), keep=True)
    way = shown[reply.way - 1] if reply.way else None
    return Next(way, " ".join(reply.query.split()), reply.done, _ENDS[reply.ended])


def _says(report: str, words: str) -> bool:
    """Whether some words are the person's, with no "not" or "still" of theirs left out."""
    clauses = _clauses(report)
    around = [[clause.replace(part, " ") for clause in clauses if part in clause] for part in _clauses(words)]
    return bool(around) and all(not all(map(_takes_back, rests)) for rests in around)


def _takes_back(rest: str) -> bool:
    """Whether what is left of a clause takes back what was said in it."""
    return denies(rest) or " still " in rest


def _clauses(text: str) -> list[str]:
    """The parts of a text between punctuation marks, each between spaces."""
    return [f" {even} " for part in re.split(r"[.!?;,]+", text) if (even := _even(part))]


def _named(report: str, ways: Sequence[Way]) -> Way | None:
    """The way whose condition is what was reported, where no other has the same."""
    fits = [way for way in _distinct(ways) if way.condition and _even(way.condition) == _even(report)]
    return fits[0] if len(fits) == 1 else None


def _distinct(ways: Sequence[Way]) -> list[Way]:
    """The ways without those that say the same as one before."""
    found: dict[tuple[str, int, str], Way] = {}
    for way in ways:
        found.setdefault((way.unit.id, way.choice.first, way.condition), way)
    return list(found.values())


def _listed(ways: Sequence[Way], current: LogicUnit, step: str) -> Iterator[str]:
    """The ways by number; a passage that stands in the step at hand or in an earlier way is not shown again."""
    shown: dict[str, int] = {}
    for number, way in enumerate(ways, start=1):
        passage = beginning(way.passage, PASSAGE_WORDS)
        lines = [f"Way {number}, if:", quoted(way.condition)] if way.condition else [f"Way {number}:"]
        if way.condition and passage in step:
            lines.append("Its passage is in the step above.")
        elif passage in shown:
            lines.append(f"Its passage is that of way {shown[passage]}.")
        else:
            elsewhere = way.unit.section != current.section
            lines += ["Passage:", *([quoted(layout.heading(way.unit))] if elsewhere else []), quoted(passage)]
        shown.setdefault(passage, number)
        yield "\n".join(lines)


def _even(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .!")
