"""The units of documents that a splitter or a parser is given."""

from __future__ import annotations

import asyncio
import logging
import threading
from typing import Any

import pytest

from thread_core import Document, Extraction, RuleExtractor
from thread_core.errors import ModelError
from thread_core.extraction.extractor import LLMExtractor
from thread_core.ingest.dividing import Divider
from thread_core.testing.model import ScriptedModel

LOGGER = logging.getLogger("splitter")
WHEELS = Document("wheels.md", "# Wheels\n\n" + "".join(f"{n}. Turn wheel {n}. {'Wait. ' * 100}\n\n" for n in (1, 2)))
LAMP = Document("lamp.md", "# Lamp\n\n1. Swap the bulb.\n")


async def both(divider: Divider, *documents: Document) -> list[Extraction]:
    """What comes with and without an event loop, which is the same."""
    extractions = list(divider.each(documents))
    assert [one async for one in divider.aeach(documents)] == extractions
    return extractions


@pytest.mark.parametrize(("merged_up_to", "steps"), [(0, [(1,), (2,)]), (500, [(1, 2)])])
async def test_each_document_is_divided_and_its_steps_are_merged(merged_up_to: int, steps: list[Any]) -> None:
    wheels, lamp = await both(Divider(RuleExtractor(), 1, merged_up_to, LOGGER), WHEELS, LAMP)
    assert [unit.steps for unit in wheels.units] == steps
    assert lamp == RuleExtractor().extract(LAMP)


async def test_where_a_model_fails_the_logger_is_told_which_document(caplog: pytest.LogCaptureFixture) -> None:
    error = ModelError("no such key")
    model = ScriptedModel(*[("", error)] * 4)
    wheels, lamp = await both(Divider(LLMExtractor(model), 1, 500, LOGGER), WHEELS, LAMP)
    model.finished()
    assert ([unit.steps for unit in wheels.units], lamp.report.document_id) == ([(1, 2)], "lamp.md")
    told = [(record.name, record.levelname, record.getMessage()) for record in caplog.records]
    problem = "read by the rules, because the model gave no reply: no such key"
    assert told == [("splitter", "WARNING", f"{one.id}: {problem}") for one in (WHEELS, LAMP)] * 2


async def test_the_event_loop_goes_on_while_rules_divide(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, extract = threading.Event(), RuleExtractor.extract

    def held(self: RuleExtractor, document: Document) -> Extraction:
        assert begun.wait(60)
        return extract(self, document)

    async def begin() -> None:
        begun.set()

    monkeypatch.setattr(RuleExtractor, "extract", held)
    divider = Divider(RuleExtractor(), 1, 0, LOGGER)

    async def divided() -> list[Extraction]:
        return [one async for one in divider.aeach([LAMP])]

    extractions, _ = await asyncio.gather(divided(), begin())
    assert [one.report.document_id for one in extractions] == ["lamp.md"]
