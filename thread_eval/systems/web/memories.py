"""What a planner is told of a conversation before the turn at hand: the papers' memories, one function or value each.

`no_history` is MindAct's, `LastTurns` the fixed memory, `rewritten_instruction` CAR's, `LikeConversations` is in the
manner of Synapse, and `SelfMap` is Self-MAP's, of which each part can be left out. Snippets, their likeness and their
rationales are the core's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from thread_core.answering.followup import rewritten
from thread_core.errors import BadReply
from thread_core.llm.prompting import quoted
from thread_core.plan import Plan, given
from thread_core.ports import Message
from thread_core.text.words import first_tokens
from thread_core.walk.memory import RECALLED, Snippet, nearest, rationales, render
from thread_eval.systems.web.ranking import Ranker, best
from thread_eval.systems.web.situation import Past, Situation, Turn

KEPT = 5
"""Elements of a page that a snippet keeps."""
PAGE = 400
"""Tokens that it keeps of a page that is not simplified."""
ACTIONS = 30
"""Actions of a turn, or of a conversation, that are told at most."""


def no_history(situation: Situation) -> Plan[Past]:
    """Nothing but the instruction."""
    return given(Past(situation.instruction))


@dataclass(frozen=True, slots=True)
class LastTurns:
    """The last turns, whatever they are about."""

    turns: int = RECALLED

    def __call__(self, situation: Situation) -> Plan[Past]:
        """What was said and done in them."""
        last = situation.earlier[max(0, len(situation.earlier) - self.turns) :]
        yield from ()
        return Past(situation.instruction, _listed("Earlier in this conversation:", [_told(one) for one in last]))


def rewritten_instruction(situation: Situation) -> Plan[Past]:
    """The instruction as it stands alone, in words of the model that has the query generator's role."""
    history = [message for turn in situation.earlier for message in _messages(turn)]
    instruction = situation.instruction
    if history:
        instruction = yield from rewritten(instruction, history, otherwise=instruction)
    return Past(instruction)


@dataclass(frozen=True, slots=True)
class LikeConversations:
    """The whole conversations, of other people, that are likest: by site and what was said."""

    conversations: Sequence[tuple[str, Sequence[Turn]]]
    """The site of each, as in `Situation.site`, and its turns."""
    k: int = RECALLED

    def __call__(self, situation: Situation) -> Plan[Past]:
        """What was said and done in them, the likest first."""
        said = [_key(site, turns) for site, turns in self.conversations]
        here = _key(situation.site, (*situation.earlier, situation.turn))
        found: list[int] = yield from nearest(here, said, self.k)
        told = ["\n".join(_told(turn) for turn in self.conversations[at][1]) for at in found]
        return Past(situation.instruction, _listed("Other conversations that were like this one:", told))


@dataclass(frozen=True, slots=True)
class SelfMap:
    """The steps of earlier turns that were taken in the likest situations; each part can be left out."""

    k: int = RECALLED
    matching: bool = True
    """Whether the k likest steps are recalled where there are more; else it is the last k."""
    simplification: bool = True
    """Whether a snippet keeps the likeliest elements of its page; else the page's beginning."""
    refinement: bool = True
    """Whether a model says why each step followed; one that says it badly twice leaves it out."""
    ranker: Ranker = nearest

    def __call__(self, situation: Situation) -> Plan[Past]:
        """The snippets, the likest first."""
        bank = [Situation("", (), turn, at) for turn in situation.earlier for at in range(len(turn.actions))]
        chosen: Sequence[int] = range(max(0, len(bank) - self.k), len(bank))
        if self.matching and len(bank) > self.k:
            now = _snippet(situation).situation
            chosen = yield from nearest(now, [_snippet(one).situation for one in bank], self.k)
        snippets: list[Snippet] = []
        for at in chosen:
            seen: str = yield from self._seen(bank[at])
            snippets.append(_snippet(bank[at]).model_copy(update={"seen": seen}))
        if self.refinement and snippets:
            snippets = yield from _refined(snippets)
        told = f"Steps of this conversation that were taken in situations like this one:\n{render(snippets)}"
        return Past(situation.instruction, told if snippets else "")

    def _seen(self, then: Situation) -> Plan[str]:
        """Of a page what a snippet keeps, in the page's order."""
        if not self.simplification:
            return first_tokens("\n".join(then.elements.values()), PAGE)
        kept: tuple[str, ...] = yield from best(self.ranker, then.query, then.elements, KEPT)
        return "\n".join(line for named, line in then.elements.items() if named in kept)


def _snippet(then: Situation) -> Snippet:
    """A step as the core's memory has it, without its page, by which steps are not compared."""
    action = then.turn.action_reprs[then.at : then.at + 1]
    return Snippet(question=then.instruction, done=then.done, action="".join(action))


def _refined(snippets: Sequence[Snippet]) -> Plan[list[Snippet]]:
    try:
        said: tuple[str, ...] = yield from rationales(snippets)
    except BadReply:
        return list(snippets)
    return [one.model_copy(update={"rationale": why}) for one, why in zip(snippets, said, strict=True)]


def _told(turn: Turn) -> str:
    return "\n".join((f"Task: {turn.confirmed_task}", *(f"Done: {action}" for action in turn.action_reprs[:ACTIONS])))


def _messages(turn: Turn) -> tuple[Message, Message]:
    done = "\n".join(turn.action_reprs[:ACTIONS])
    return Message("user", turn.confirmed_task), Message("assistant", done)


def _key(site: str, turns: Sequence[Turn]) -> str:
    return "\n".join((site, *(turn.confirmed_task for turn in turns)))


def _listed(heading: str, texts: Sequence[str]) -> str:
    return "\n\n".join((heading, *map(quoted, texts))) if texts else ""
