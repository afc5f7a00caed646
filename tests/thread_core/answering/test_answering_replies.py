"""A question and a walk over an example document, with the replies that stand in `tests/replies/answering/`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from thread_core import Document, LogicUnit, RuleExtractor, default_embedding
from thread_core.answering.answer import answer_question
from thread_core.llm.access import ModelAccess
from thread_core.plan import Plan
from thread_core.store.library import Library
from thread_core.testing.model import ScriptedModel
from thread_core.testing.store import MemoryStore
from thread_core.walk.session import HowToSession
from thread_core.walk.states import Status

NAME = "database-failover.md"
TEXT = Path("examples/documents", NAME).read_text()
UNITS = RuleExtractor().extract(Document(NAME, TEXT)).units
STEPS = [unit for unit in UNITS if unit.type == "step"]
QUESTION = "How do I fail over the orders database? The primary does not answer."


def reply(name: str) -> str:
    return Path("tests/replies/answering", name).read_text()


def find(_: str) -> Plan[Sequence[LogicUnit]]:
    return STEPS
    yield


def test_an_answer_stands_up_in_the_lines_that_it_cites() -> None:
    model = ScriptedModel(("Question:", reply("select.json")), ("Question:", reply("answer.md")))
    said = ModelAccess(model).run(answer_question(QUESTION, find=find))
    assert said.warnings == ()
    assert said.text.startswith("Before you start:\n- Is there an approved MW or a declared SEV1?\n- Does `lumenctl")
    assert [step.header for step in said.steps] == [step.header for step in STEPS]
    lines = TEXT.splitlines()
    for step in said.steps:
        assert "\n".join(lines[step.citation.start - 1 : step.citation.end]) == step.text
    cited = [f"[{at + 1}] {said.steps[at].citation}" for at in (0, 1, 3, 4, 5, 6)]
    assert said.text.endswith("\n\nSources:\n" + "\n".join(cited))


def test_a_report_in_other_words_takes_its_branch() -> None:
    store = MemoryStore()
    store.write(UNITS, default_embedding().embed([unit.header for unit in UNITS]))
    chosen = reply("select.json").replace('"ask"', '"met"')
    model = ScriptedModel(("Question:", chosen), ("[4.1] | 4. Ping the primary from another", reply("next.json")))
    session = HowToSession(Library(store, default_embedding(), models=ModelAccess(model)))
    assert "db ping orders" in session.start(QUESTION).text
    turn = session.respond("no answer at all, the command times out")
    assert turn.status is Status.AWAITING
    assert "db ping orders --member primary --from gateway" in turn.text
    assert turn.usage.calls == 1
