"""A plan meets one version of each document, although they are ingested anew while it runs."""

import pytest

from thread_core import Document, RuleExtractor, default_embedding
from thread_core.answering.answer import answer_question
from thread_core.retrieval.retrieve import retrieve
from thread_core.store.library import Library, ReadDocument, ReadUnits
from thread_core.store.one_version import in_one_version
from thread_core.testing.store import MemoryStore
from thread_core.walking.trail import SessionState
from thread_core.walking.walk import Event, turn

GUIDE = "# Lamp\n\n## Fuse of the lamp\n\nOpen the {} box.\n\n## Bulb of the lamp\n\nTurn the {} bulb.\n"
OLD, NEW = (RuleExtractor().extract(Document("lamp.md", GUIDE.format(word, word))).units for word in ("red", "green"))


class Edited(MemoryStore):
    """Has the new version of the guide from the moment on in which a plan has read the old one."""

    known = False

    def __init__(self):
        super().__init__()
        self.write(OLD, default_embedding().embed([unit.header for unit in OLD]))

    def document(self, document_id, where=None):
        found = super().document(document_id, where)
        if self.known:
            self.write(NEW, default_embedding().embed([unit.header for unit in NEW]), gone=[unit.id for unit in OLD])
        return found


@pytest.fixture
def library():
    return a_library()


def a_library():
    store = Edited()
    library = Library(store, default_embedding())
    library.refresh()
    store.known = True
    return library


def test_a_document_is_read_once(library):
    @in_one_version
    def twice():
        first = yield ReadDocument("lamp.md")
        second = yield ReadDocument("lamp.md")
        return [[row.unit for row in rows] for rows in (first, second)]

    assert library.run(twice()) == [list(OLD), list(OLD)]
    assert library.run(twice()) == [list(NEW), list(NEW)]


def test_units_of_another_version_are_left_out(library):
    ids = tuple(unit.id for unit in (*OLD, *NEW))

    @in_one_version
    def mixed():
        before = yield ReadUnits(ids)
        yield ReadDocument("lamp.md")
        after = yield ReadUnits(ids)
        return before, after

    assert library.run(mixed()) == (list(OLD), [])
    assert library.run(mixed()) == (list(NEW), list(NEW))


def test_what_is_retrieved_answered_and_walked_is_of_one_version(library):
    found = library.run(retrieve("the bulb of the lamp"))
    assert {one.unit.id for one in found} == {unit.id for unit in OLD}
    for plan in (answer_question("the bulb of the lamp"), turn(SessionState(), Event.START, "the bulb of the lamp")):
        assert "red" in (said := str(a_library().run(plan))) and "green" not in said
