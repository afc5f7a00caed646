"""What every adapter must pass: it does what the core does, unit for unit and word for word.

class TestMine(AdapterSuite):
@pytest.fixture
def adapter(self) -> Adapter: ...   # DOCUMENTS through the framework, embedded with `default_embedding()`
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from thread_core.embedding import default_embedding
from thread_core.extraction.rules import RuleExtractor
from thread_core.models import Document, LogicUnit
from thread_core.plan import run
from thread_core.retrieval.retrieve import retrieve
from thread_core.store.library import Library
from thread_core.testing.store import MemoryStore
from thread_core.walk.session import HowToSession
from thread_core.walk.states import Status

DOCUMENTS = {
    "queue.md": """# Queue is full

## Prerequisites

- You hold the role operator.

## Look

1. Watch the queue for five minutes.

   ```sh
   queue watch
   ```

2. If the number stays the same, skip step 3 and go to step 4.
3. Start the consumers. If they stop again, follow [the restart](guides/restart.md).
4. Move the oldest message away. If the queue shrinks, the issue is resolved.

If nothing helps, open a ticket with the platform team.
""",
    "guides/restart.md": """# Restart a service

## Version 2 and later

Run `service restart`.

## Before version 2

Run `kill` and wait. Otherwise see [the full queue](../queue.md#look).
""",
    "light.md": "# 更换灯泡\n\n1. 关灯。\n",
}
QUESTIONS = ("The queue is full, what now?", "How do I restart a service?")
WORDLESS = ("", " \n", "?!", "ꙮ")
"""Without a word that the embedding knows; so are the headers of a document."""
WALKS = (
    (QUESTIONS[0], "They stop again", "yes", "done", "done"),
    (QUESTIONS[0], "2", "next", "the queue shrinks"),
    (QUESTIONS[1], "no", "yes", "it works now"),
)


@dataclass(frozen=True)
class Adapter:
    """One framework's way through `DOCUMENTS`."""

    units: list[LogicUnit]
    """What its splitter makes of them, read back."""
    retrieve: Callable[[str], list[LogicUnit]]
    session: Callable[[], HowToSession]
    resume: Callable[[str], HowToSession]


def reference() -> tuple[list[LogicUnit], Library]:
    """What the core alone makes of `DOCUMENTS`."""
    extractor = RuleExtractor()
    units = [unit for path, text in DOCUMENTS.items() for unit in extractor.extract(Document(path, text)).units]
    store = MemoryStore()
    store.write(units, default_embedding().embed([unit.header for unit in units]))
    return units, Library(store, default_embedding())


class AdapterSuite:
    """Give the fixture `adapter`."""

    def test_it_makes_the_cores_units(self, adapter: Adapter) -> None:
        units, _ = reference()
        assert [(unit.id, unit.place) for unit in adapter.units] == [(unit.id, unit.place) for unit in units]
        assert [unit.body for unit in adapter.units] == [unit.body for unit in units]
        assert [unit.links for unit in adapter.units] == [unit.links for unit in units]

    @pytest.mark.parametrize("question", [*QUESTIONS, "更换灯泡", *WORDLESS])
    def test_it_finds_what_the_core_finds_in_the_same_order(self, adapter: Adapter, question: str) -> None:
        _, library = reference()
        found = run(retrieve(question), library.answer)
        assert [unit.id for unit in adapter.retrieve(question)] == [one.unit.id for one in found]

    @pytest.mark.parametrize("question", WORDLESS)
    def test_a_question_without_words_fits_nothing(self, adapter: Adapter, question: str) -> None:
        assert adapter.retrieve(question) == []
        assert adapter.session().start(question).status is Status.UNKNOWN

    @pytest.mark.parametrize("walk", WALKS)
    def test_it_walks_as_the_core_walks_and_lives_as_json_between_two_turns(
        self, adapter: Adapter, walk: tuple[str, ...]
    ) -> None:
        _, library = reference()
        theirs, ours = adapter.session(), HowToSession(library)
        assert theirs.start(walk[0]) == ours.start(walk[0])
        for said in walk[1:]:
            theirs = adapter.resume(theirs.state.model_dump_json())
            assert theirs.respond(said) == ours.respond(said)
            assert theirs.why() == ours.why()
