"""Where an outcome leads: the paper's query generator (section 3.3), which reads the guide itself.

The guide stands first in the prompt and does not change while it is walked, so that a provider's cache serves it. What
the model names is checked against what it was shown; another guide is only looked for, and never entered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from thread_core.answering.conversation import facts
from thread_core.llm.asking import Ask, Role, ask_for
from thread_core.llm.numbers import Number, Numbers
from thread_core.llm.prompting import Prompt, chosen, quoted
from thread_core.plan import Plan
from thread_core.ports import Form
from thread_core.retrieval.prerequisites import Known
from thread_core.text.denials import denies
from thread_core.walk.memory import Recall, recall_nothing
from thread_core.walk.numbered import NumberedGuide, Part
from thread_core.walk.states import Status

BETWEEN = 5
"""Places between which a person is asked to choose at most."""
EXPECTED = 100
"""Tokens of a reply."""

_STATUSES = {"solved": Status.RESOLVED, "unsolved": Status.ESCALATED}


@dataclass(frozen=True, slots=True)
class Next:
    """Where an outcome leads; nothing where the report decides nothing."""

    way: Part | None = None
    """The place to go to."""
    done: bool = False
    """The step was done as it stands, and whatever comes next is due."""
    ended: Status | None = None
    returns: bool = False
    """Back to the step that called this guide."""
    answer: tuple[Part, ...] = ()
    """What answers a question back; the step stays."""
    between: tuple[Part, ...] = ()
    """What the person has to choose between."""
    query: str = ""
    """What is to be looked for in other guides."""


class NextReply(Form):
    """A query generator's reply."""

    way: Number = ""
    """The number of a place in the guide."""
    done: bool = False
    ended: Literal["", "solved", "unsolved", "return"] = ""
    words: str = ""
    """The person's words that say that it has ended."""
    answer: Numbers = ()
    between: Numbers = ()
    query: str = ""


def find_next(
    report: str,
    guide: NumberedGuide,
    *,
    question: str,
    known: Known,
    recall: Recall = recall_nothing,
    prompts: Mapping[str, Prompt] | None = None,
) -> Plan[Next]:
    """Ask where a report leads.

    Raises:
        BadReply: the reply cannot be used, nor the one after the complaint.
        ModelError: there is none.
        BudgetSpent: the model was not asked.
    """
    recalled = yield from recall()
    called = f"\nThe step that sent them to this guide, and its options:\n{guide.calling}\n" if guide.calling else ""
    fields = {
        "guide": guide.text,
        "calling": called,
        "question": quoted(question),
        "facts": recalled.below(facts(known, besides=(question, report, *recalled.replaces))),
        "at": guide.at,
        "report": quoted(report),
    }
    messages = chosen("next", prompts).messages(fields)
    ask = Ask(Role.QUERY_GENERATOR, tuple(messages), expected=EXPECTED, about=guide.about)
    reply: NextReply = yield from ask_for(ask, NextReply, lambda reply: list(_faults(reply, guide, report)), keep=True)
    return Next(
        way=guide.parts[reply.way] if reply.way else None,
        done=reply.done,
        ended=_STATUSES.get(reply.ended),
        returns=reply.ended == "return",
        answer=tuple(guide.parts[number] for number in reply.answer),
        between=tuple(guide.parts[number] for number in reply.between),
        query=" ".join(reply.query.split()),
    )


def _faults(reply: NextReply, guide: NumberedGuide, report: str) -> Iterator[str]:
    for number in filter(None, (reply.way, *reply.answer, *reply.between)):
        if number not in guide.parts:
            yield f"the guide has no number {number}"
    named = {name: value for name, value in reply if value and name != "words"}
    if len(named) > 1:
        yield "give one of " + " and ".join(f'"{name}"' for name in named) + ", not both"
    if reply.ended in _STATUSES and not _says(report, reply.words):
        yield f'"ended" is "{reply.ended}", and "words" are not a whole statement of the person that says so'
    if reply.ended == "return" and not guide.calling:
        yield '"ended" is "return", and no other guide sent them here'
    for number in reply.between:
        if number in guide.parts and guide.parts[number].choice is None:
            yield f'"between" names {number}, which is no place in this guide'
    if len(reply.between) > BETWEEN:
        yield f'"between" has {len(reply.between)} numbers; at most {BETWEEN} are asked about'


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
    parts = re.split(r"[.!?;,]+", text)
    return [f" {even} " for part in parts if (even := " ".join(part.casefold().split()).strip(" .!"))]
