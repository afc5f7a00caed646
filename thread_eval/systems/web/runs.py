"""Planners on the data sets: each action is planned after the right ones before it, and scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from thread_core.plan import Plan
from thread_eval.datasets.mind2web import WebTask
from thread_eval.datasets.mt_mind2web import WebConversation
from thread_eval.metrics.mind2web import StepScore, score_task
from thread_eval.metrics.mt_mind2web import score_conversation, score_ranked_step, score_turn
from thread_eval.scores import Score, mean_of
from thread_eval.systems.web.planner import Planned, WebPlanner
from thread_eval.systems.web.situation import Situation, Turn


@dataclass(frozen=True, slots=True)
class ConversationScores:
    """What the papers take the means of."""

    conversation: dict[str, Score]
    turns: tuple[dict[str, Score], ...]


def site_of(record: WebTask | WebConversation) -> str:
    """A record's site, as `Situation.site`."""
    return f"{record.website}, {record.domain}, {record.subdomain}"


def task_scores(planner: WebPlanner, task: WebTask) -> Plan[dict[str, Score]]:
    """Of one task, besides what its guides cost a step. A step without a right element among the first 50 is 0."""
    planned: list[Planned] = yield from _planned(planner, site_of(task), (), task)
    tokens = [one.guide_tokens for one in planned]
    return score_task(_scored(planner, task, planned)) | {"guide_tokens": mean_of(tokens, "tokens, a step")}


def conversation_scores(planner: WebPlanner, conversation: WebConversation) -> Plan[ConversationScores]:
    """Of one conversation and of its turns."""
    steps: list[list[StepScore]] = []
    for at, turn in enumerate(conversation.turns):
        planned: list[Planned] = yield from _planned(planner, site_of(conversation), conversation.turns[:at], turn)
        steps.append(_scored(planner, turn, planned))
    return ConversationScores(score_conversation(steps), tuple(map(score_turn, steps)))


def _planned(planner: WebPlanner, site: str, earlier: tuple[Turn, ...], turn: Turn) -> Plan[list[Planned]]:
    planned: list[Planned] = []
    for at in range(len(turn.actions)):
        planned.append((yield from planner.next_action(Situation(site, earlier, turn, at))))
    return planned


def _scored(planner: WebPlanner, turn: Turn, planned: Sequence[Planned]) -> list[StepScore]:
    """The steps of a turn; where an operation is generated with its element, marks by themselves do not count."""
    return [
        score_ranked_step(
            one.element,
            one.operation,
            action.accepted,
            action.operation.text,
            ranked=one.ranked,
            drop_punctuation=planner.group is None,
        )
        for one, action in zip(planned, turn.actions, strict=True)
    ]
