"""Both adapters do the same: same units, same order."""

from __future__ import annotations

import pytest

from tests.conformance.walking import WALKS
from thread_core.testing.adapter_suite import Adapter

QUESTIONS = (
    "Service A cannot reach Service B, what do I do?",
    "How do I clear disk pressure on a node?",
    "The primary of the orders database is down. How do I fail over?",
    "How do I rotate an internal service certificate?",
    "The number of messages in a queue stays the same and the oldest is an hour old. What now?",
    "A node with Agent 2.1 does not report. How do I bring it back?",
    "How do I collect diagnostics for a service?",
    "My printer shows as offline on Windows, how do I fix it?",
)


def test_the_same_documents_give_the_same_units(langchain: Adapter, llama_index: Adapter) -> None:
    assert [(unit.id, unit.place, unit.spans) for unit in langchain.units] == [
        (unit.id, unit.place, unit.spans) for unit in llama_index.units
    ]
    assert langchain.units == llama_index.units


@pytest.mark.slow
@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_finds_the_same_units_in_the_same_order(
    question: str, langchain: Adapter, llama_index: Adapter
) -> None:
    found = langchain.retrieve(question)
    assert found
    assert found == llama_index.retrieve(question)


def test_a_question_that_nothing_fits_finds_nothing(langchain: Adapter, llama_index: Adapter) -> None:
    for pipeline in (langchain, llama_index):
        assert pipeline.retrieve("the moon is made of cheese") == []
        turn = pipeline.session().start("the moon is made of cheese")
        assert (turn.status, bool(turn.options), turn.unit_ids) == ("unknown", True, ())


async def test_the_async_walk_is_the_same(langchain: Adapter, llama_index: Adapter) -> None:
    first, *said = WALKS[0].said
    for pipeline in (langchain, llama_index):
        plain, awaited = pipeline.session(), pipeline.session()
        assert plain.start(first) == await awaited.astart(first)
        for words in said:
            assert plain.respond(words) == await awaited.arespond(words)
