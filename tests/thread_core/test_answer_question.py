"""One answer with a model: what it is asked, what the person reads, and what becomes of every fault."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.thread_core.guides import STANDS_STILL, library_of
from thread_core.answering import Answer, answer, answer_question
from thread_core.library import Library
from thread_core.plan import Plan
from thread_core.retrieval import retrieve
from thread_core.testing.model import ScriptedModel

WAYS = ("run", "arun", "stream", "astream")
ways = pytest.mark.parametrize("way", WAYS)

CHOSEN = '{"prerequisites": [{"number": 1, "verdict": "met", "question": ""}], "units": [1, 2], "query": ""}'
SPOKEN = "1. Read the display with `pumpctl status --all` [1].\n2. If it shows E17, run `pumpctl free 3` [2]."


def drive(library: Library, plan: Plan[Answer], way: str) -> Answer:
    """The answer, however the plan is driven; what is streamed is its text."""
    match way:
        case "run":
            return library.run(plan)
        case "arun":
            return asyncio.run(library.arun(plan))
        case "stream":
            pieces = list(library.stream(plan))
        case _:

            async def collect() -> list[Any]:
                return [piece async for piece in library.astream(plan)]

            pieces = asyncio.run(collect())
    *said, result = pieces
    assert isinstance(result, Answer)
    assert "".join(map(str, said)) == result.text
    return result


@ways
def test_units_are_chosen_spoken_from_and_cited(way: str) -> None:
    model = ScriptedModel(("Question:", CHOSEN), ("Question:", SPOKEN))
    told = drive(library_of(model), answer_question(STANDS_STILL), way)
    model.finished()
    assert told.text == f"{SPOKEN}\n\nSources:\n[1] pump.md:9-10\n[2] pump.md:14"
    assert [str(step.citation) for step in told.steps] == ["pump.md:9-10", "pump.md:14"]
    assert (told.model, told.warnings, told.questions, told.usage.calls) == ("scripted", (), (), 2)


@ways
def test_without_a_model_it_is_the_steps_as_the_documents_have_them(way: str) -> None:
    library = library_of(None)
    found = [one.unit for one in library.run(retrieve(STANDS_STILL))]
    assert drive(library, answer_question(STANDS_STILL), way) == answer(found)
