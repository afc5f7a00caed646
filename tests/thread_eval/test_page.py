"""What docs/evaluation.md shows runs and prints what it says, and the page defines every metric and data set."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.pages import blocks, broken_promises, page
from tests.thread_eval.kettle import KETTLE, STEPS, Scripted
from thread_core.ports import Reply
from thread_core.testing.model import ScriptedModel
from thread_eval.datasets import DATASETS
from thread_eval.evaluators.measures import MEASURES
from thread_eval.metrics.action_items import score_items
from thread_eval.metrics.incidents import score_incident
from thread_eval.metrics.mind2web import score_task
from thread_eval.metrics.mt_mind2web import score_conversation
from thread_eval.metrics.walks import score_walk
from thread_eval.walking import explore

PAGE = "docs/evaluation.md"


class Planning:
    """A model that always searches for a kettle and then goes on; it knows no reasons."""

    name, settings, context_window = "planning", "", None

    def complete(self, messages: Any, schema: Any = None, limit: int | None = None) -> Reply:
        is_first = "Done for it so far:\n(nothing)" in messages[-1].text
        step = {"element": 1, "operation": "TYPE", "value": "steel kettle"} if is_first else {"element": 2}
        return Reply(text=json.dumps({"operation": "CLICK", **step}))


def test_the_program_prints_what_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    code = "\n".join(blocks(PAGE))
    right = {"items": [{"action": action, "element": action} for action in ("look", "press", "switch on")]}
    pairs = '{"matches": [{"proposed": 1, "right": 2}]}'
    mine = '{"items": [{"action": "press", "element": "reset"}]}'
    judge = ScriptedModel(("", json.dumps(right)), ("", mine), ("", pairs))
    exec(code, {"judge": judge, "model": Planning()})
    assert broken_promises(code, capsys.readouterr().out) == []


def test_the_page_names_every_metric_and_data_set() -> None:
    walked = score_walk(
        explore(Scripted(STEPS, {"it is out": STEPS[:1] * 3, "it shines": STEPS[:1] * 3}), KETTLE), KETTLE
    )
    plan, incident = score_items(0, 0, []), score_incident([], mitigated=True, turns=0)
    metrics = {*walked, *score_task([]), *score_conversation([]), *plan, *incident, *MEASURES, *DATASETS}
    assert {name for name in metrics if f"`{name}`" not in page(PAGE)} == set()
