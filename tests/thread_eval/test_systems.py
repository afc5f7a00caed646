"""Every system walks and answers, and says where it stands as far as it does."""

from __future__ import annotations

import pytest

from thread_core.testing.model import ScriptedModel
from thread_eval.datasets import load
from thread_eval.kinds import cases_of
from thread_eval.models import WatchedAccess
from thread_eval.systems import SYSTEMS, Setup, units_of

CASE = cases_of("how-to", load("how-to"))[1][0]
DOCUMENTS = CASE.documents
DESCALE = "How do I descale a kettle?"


@pytest.mark.filterwarnings("ignore:`langchain-community`:DeprecationWarning")
@pytest.mark.parametrize("name", [name for name, one in SYSTEMS.items() if not (one.needs_model or one.reads_all)])
def test_every_system_walks_into_the_document_and_answers_from_it(name: str) -> None:
    system = SYSTEMS[name].make(Setup(DOCUMENTS, units_of(DOCUMENTS)))
    first = system.start(DESCALE)
    assert first.document == "Descale the kettle.md"
    aside = system.fork()
    assert aside.respond("It is done.").text != first.text
    given = system.answer(DESCALE, [("Is vinegar safe?", "Yes.")])
    assert "Boil it and wait for an hour." in given.text
    assert given.contexts and any("Rinse it twice" in one for one in given.instructions)


def test_chunks_are_shown_once_and_then_nothing_is_claimed() -> None:
    system = SYSTEMS["whole"].make(Setup(DOCUMENTS, units_of(DOCUMENTS)))
    turns = [system.start(DESCALE), system.respond("no"), system.respond("no")]
    assert [turn.document for turn in turns] == ["Descale the kettle.md", "The kettle stays cold.md", ""]
    assert [turn.status for turn in turns] == ["going", "going", "unknown"]


def test_a_generator_is_shown_the_chunks_as_quotations_and_the_same_question_is_answered_once() -> None:
    model = ScriptedModel(("| How do I descale a kettle?", "1. Boil it.\n2. Rinse it."))
    system = SYSTEMS["headers"].make(Setup(DOCUMENTS, units_of(DOCUMENTS), models=WatchedAccess(model)))
    given = system.answer(DESCALE)
    assert (given.text, given.instructions) == ("1. Boil it.\n2. Rinse it.", ("Boil it.", "Rinse it."))
    assert "\n| 2. Boil it and wait for an hour.\n" in model.seen[0][-1].text


@pytest.mark.parametrize("name", [name for name, one in SYSTEMS.items() if one.needs_model])
def test_what_needs_a_model_says_so(name: str) -> None:
    with pytest.raises((TypeError, ValueError), match=r"found NoneType|in the setup"):
        SYSTEMS[name].make(Setup(DOCUMENTS, units_of(DOCUMENTS)))
