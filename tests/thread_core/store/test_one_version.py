"""A plan meets one version of each document, although they are ingested anew while it runs."""

import pytest

from thread_core import Document, RuleExtractor, default_embedding
from thread_core.answering.answer import answer_question
from thread_core.retrieval.retrieve import find_entries, retrieve
from thread_core.store.lexical import SqliteLexicalIndex, bring_into_step
from thread_core.store.library import Library
from thread_core.store.one_version import in_one_version
from thread_core.store.requests import ReadDocuments, ReadUnits
from thread_core.testing.store import MemoryStore
from thread_core.walk.state import SessionState
from thread_core.walk.walk import Event, turn

GUIDE = "# Lamp\n\n## Fuse of the lamp\n\nOpen the {} box.\n\n## Bulb of the lamp\n\nTurn the {} bulb.\n"
OLD, NEW = (RuleExtractor().extract(Document("lamp.md", GUIDE.format(word, word))).units for word in ("red", "green"))


class Edited(MemoryStore):
    """Has the new version of the guide from the moment on in which a plan has read the old one."""

    known = False

    def __init__(self):
        super().__init__()
        self.write(OLD, default_embedding().embed([unit.header for unit in OLD]))

    def documents(self, document_ids, where=None, **asked):
        found = super().documents(document_ids, where, **asked)
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
        first = yield ReadDocuments(("lamp.md", "missing.md"))
        second = yield ReadDocuments(("missing.md", "lamp.md", "lamp.md"))
        return [{name: [row.unit for row in rows] for name, rows in read.items()} for read in (first, second)]

    assert library.run(twice()) == [{"lamp.md": list(OLD)}] * 2
    assert library.run(twice()) == [{"lamp.md": list(NEW)}] * 2


def test_units_of_another_version_are_left_out(library):
    ids = tuple(unit.id for unit in (*OLD, *NEW))

    @in_one_version
    def mixed():
        before = yield ReadUnits(ids)
        yield ReadDocuments(("lamp.md",))
        after = yield ReadUnits(ids)
        return before, after

    assert library.run(mixed()) == (list(OLD), [])
    assert library.run(mixed()) == (list(NEW), list(NEW))


def test_what_is_retrieved_answered_and_walked_is_of_one_version(library):
    found = library.run(retrieve("the bulb of the lamp"))
    assert {one.unit.id for one in found} == {unit.id for unit in OLD}
    for plan in (answer_question("the bulb of the lamp"), turn(SessionState(), Event.START, "the bulb of the lamp")):
        assert "red" in (said := str(a_library().run(plan))) and "green" not in said


@pytest.mark.parametrize("words_too", [True, False])
def test_a_document_that_changes_within_a_search_does_not_fall_behind(words_too):
    """Found by its headers in one version and by its words in another one, it would count half."""
    store, words = Changing(), SqliteLexicalIndex()
    library = Library(store, default_embedding(), words)
    put(store, "lamp", "red")
    put(store, "lamps and more", "red")
    library.refresh()
    store.read = ()

    def change():
        put(store, "lamp", "green")
        if words_too:
            bring_into_step(words, store, store.version())

    store.then = change
    found = library.run(find_entries("Turn part 3 of the lamp"))
    assert sorted(store.read) == ["lamp.md", "lamps and more.md"]
    again = library.run(find_entries("Turn part 3 of the lamp"))
    assert [(entry.unit.id, entry.score) for entry in found] == [(entry.unit.id, entry.score) for entry in again]
    assert "green" in found[0].unit.body


class Changing(MemoryStore):
    """Has something happen after the next search, and remembers which documents were read."""

    then = None
    read = ()

    def search(self, vector, k, where=None):
        found = super().search(vector, k, where)
        then, self.then = self.then, None
        if then:
            then()
        return found

    def documents(self, document_ids, where=None, **asked):
        self.read = (*self.read, *document_ids)
        return super().documents(document_ids, where, **asked)


def put(store, name, word):
    sections = (f"## Part {number} of the {name}\n\nTurn the {word} {name} {number}.\n" for number in range(9))
    units = RuleExtractor().extract(Document(f"{name}.md", "\n".join([f"# {name}\n", *sections]))).units
    gone = set(store.ids([f"{name}.md"])).difference(unit.id for unit in units)
    store.write(units, default_embedding().embed([unit.header for unit in units]), gone=list(gone))
