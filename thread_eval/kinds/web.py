"""Tasks on web sites, alone or in conversations: each action is planned after the right ones before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from pydantic import TypeAdapter

from thread_core.plan import Plan
from thread_eval.kinds.kind import Case, Given, Kind, Shown
from thread_eval.metrics.mt_mind2web import CANDIDATES
from thread_eval.scores import Score
from thread_eval.systems import Offer, Setup
from thread_eval.systems.web.page import elements
from thread_eval.systems.web.planner import GROUP, Planned
from thread_eval.systems.web.planning import Planning, with_guides
from thread_eval.systems.web.runs import planned_scores, scored, turns_of
from thread_eval.systems.web.situation import Record

_PLANNED = TypeAdapter(list[list[Planned]])


class WebTasks(Kind):
    """Tasks by themselves: the papers' means are over all steps, and over tasks for `task_success`."""

    metrics: ClassVar[tuple[str, ...]] = (
        *("element_accuracy", "operation_f1", "step_success", "task_success"),
        "guide_tokens",
    )
    brief: ClassVar[Mapping[str, str]] = {
        **{"element_accuracy": "element", "operation_f1": "op F1", "step_success": "step", "task_success": "task"},
        "guide_tokens": "tokens",
    }
    good = ("step_success",)
    pooled = frozenset(("element_accuracy", "operation_f1", "step_success", "guide_tokens"))
    plans = True

    def make(self, offer: Offer, setup: Setup) -> Planning:
        """A planner; of what answers from documents, one that is given what that retrieves."""
        return offer.make(setup) if offer.plans else with_guides(offer.make(setup), setup)

    def calls(self, case: Case, *, is_ours: bool) -> float:
        """As many as a knock-out takes; planners without one ask less, and for their memory once more."""
        actions = [action for turn in turns_of(case.record) for action in turn.actions]
        counts = [min(CANDIDATES, len(one.pos_candidates) + len(one.neg_candidates)) for one in actions]
        return sum(max(1, count / (GROUP - 1)) for count in counts)

    def ask(self, system: Planning, case: Case) -> Given:
        """All actions."""
        return {"planned": _PLANNED.dump_python(system.plan(case.record), mode="json")}

    def score(self, case: Case, given: Given, *, judged: bool) -> Plan[dict[str, Score]]:
        """By the data's own elements and operations: no judge is asked."""
        yield from ()
        return planned_scores(case.record, _planned(given))

    def shown(self, case: Case, given: Given) -> Iterator[Shown]:
        """Each action."""
        for turn, planned in zip(turns_of(case.record), _planned(given), strict=True):
            for at, (one, step) in enumerate(zip(planned, scored(turn, planned), strict=True)):
                wanted = "".join(turn.action_reprs[at : at + 1])
                chosen = elements(turn.actions[at]).get(one.element or "", "(no element)")
                said = f"{turn.confirmed_task} (action {at + 1})"
                yield Shown("Action", said, wanted, f"{chosen} -> {one.operation}", step.success)

    def question(self, case: Case) -> str:
        """The first wish."""
        return turns_of(case.record)[0].confirmed_task


class WebConversations(WebTasks):
    """Conversations: the papers' means are over turns for elements and operations, over conversations for success."""

    metrics = (
        *("element_accuracy", "operation_f1", "step_success", "turn_success"),
        *("micro_element_accuracy", "micro_operation_f1", "micro_step_success", "micro_turn_success", "guide_tokens"),
    )
    brief: ClassVar[Mapping[str, str]] = {
        **{"element_accuracy": "element", "operation_f1": "op F1", "step_success": "SSR", "turn_success": "TSR"},
        "guide_tokens": "tokens",
    }
    pooled = frozenset(
        ("element_accuracy", "operation_f1", "guide_tokens", *(one for one in metrics if one.startswith("micro_")))
    )


def web_cases(records: Sequence[Record]) -> list[Case]:
    """Each is planned with the same guides, which are named beside the data set."""
    guides: dict[str, str] = {}
    return [Case(_named(one), one, guides) for one in records]


def _named(record: Any) -> str:
    named: str = getattr(record, "task_id", None) or record.annotation_id
    return named


def _planned(given: Given) -> list[list[Planned]]:
    return _PLANNED.validate_python(given["planned"])
