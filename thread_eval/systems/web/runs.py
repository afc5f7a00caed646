"""Planners on the data sets: each action is planned after the right ones before it, and scored."""

from __future__ import annotations

from collections.abc import Sequence

from thread_core.plan import Plan
from thread_eval.datasets.mind2web import WebTask
from thread_eval.metrics.mind2web import StepScore, score_task
from thread_eval.metrics.mt_mind2web import score_conversation, score_ranked_step
from thread_eval.scores import Score, mean_of
from thread_eval.systems.web.planner import Planned, WebPlanner
from thread_eval.systems.web.situation import Record, Situation, Turn


def site_of(record: Record) -> str:
    """A record's site, as `Situation.site`."""
    return f"{record.website}, {record.domain}, {record.subdomain}"


def turns_of(record: Record) -> tuple[Turn, ...]:
    """The turns of a conversation; a task is one."""
    return (record,) if isinstance(record, WebTask) else record.turns


def plan_all(planner: WebPlanner, record: Record) -> Plan[list[list[Planned]]]:
    """The actions of each turn."""
    turns, found = turns_of(record), list[list[Planned]]()
    for number, turn in enumerate(turns):
        found.append([])
        for at in range(len(turn.actions)):
            situation = Situation(site_of(record), turns[:number], turn, at)
            found[-1].append((yield from planner.next_action(situation)))
    return found


def planned_scores(record: Record, planned: Sequence[Sequence[Planned]]) -> dict[str, Score]:
    """Of a task or a conversation, besides what the guides cost a step.

    A step without a right element among the first 50 is 0.
    """
    steps = [scored(turn, own) for turn, own in zip(turns_of(record), planned, strict=True)]
    tokens = [one.guide_tokens for own in planned for one in own]
    scores = score_task(steps[0]) if isinstance(record, WebTask) else score_conversation(steps)
    return scores | {"guide_tokens": mean_of(tokens, "tokens, a step")}


def scored(turn: Turn, planned: Sequence[Planned]) -> list[StepScore]:
    """The steps of a turn; where an operation was generated with its element, marks by themselves do not count."""
    return [
        score_ranked_step(
            one.element,
            one.operation,
            action.accepted,
            action.operation.text,
            ranked=one.ranked,
            drop_punctuation=one.is_generated,
        )
        for one, action in zip(planned, turn.actions, strict=True)
    ]
