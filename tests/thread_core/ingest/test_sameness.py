"""Whether two similar units are one: the rule first, then a model, and two in doubt."""

from __future__ import annotations

import pytest

from thread_core import Document, LogicUnit, RuleExtractor
from thread_core.errors import ModelError
from thread_core.ingest.sameness import judged
from thread_core.llm.access import ModelAccess
from thread_core.llm.costs import Budget
from thread_core.testing.model import ScriptedModel

ASKED = "The other passage:"


def unit(document_id: str, body: str) -> LogicUnit:
    (made,) = RuleExtractor().extract(Document(document_id, f"# Kettle\n\n{body}\n")).units
    return made


ONE = unit("a.md", "Switch the kettle on and wait until it is hot.")
SAME_WORDS = unit("b.md", "Switch the kettle on, and then wait until it is hot.")
OTHER_WORDS = unit("b.md", "Turn the kettle on and wait until it boils.")


def same(other: LogicUnit, *replies: str | Exception, budget: Budget | None = None) -> bool:
    model = ScriptedModel(*((ASKED if index == 0 else "cannot be used", reply) for index, reply in enumerate(replies)))
    decided = ModelAccess(model, budget=budget).run(judged()(ONE, other))
    model.finished()
    return decided


def test_the_same_words_need_no_model() -> None:
    assert same(SAME_WORDS)


@pytest.mark.parametrize("reply", [True, False])
def test_other_words_are_for_a_model_to_judge(reply: bool) -> None:
    assert same(OTHER_WORDS, f'{{"same": {str(reply).lower()}}}') is reply


def test_in_doubt_they_are_two() -> None:
    assert not same(OTHER_WORDS, ModelError("no key"))
    assert not same(OTHER_WORDS, "Perhaps.", "Hard to tell.")
    assert not same(OTHER_WORDS, budget=Budget(tokens=10))
    assert not ModelAccess({}).run(judged()(ONE, OTHER_WORDS))


def test_a_pair_is_asked_about_once_in_whichever_order() -> None:
    model = ScriptedModel((ASKED, '{"same": true}'))
    access, decide = ModelAccess(model), judged()
    assert access.run(decide(ONE, OTHER_WORDS))
    assert access.run(decide(OTHER_WORDS, ONE))
