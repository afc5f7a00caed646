import unicodedata

import pytest

from thread_core import Document, default_embedding
from thread_core.errors import BadStore, NothingFound
from thread_core.extraction.rules import RuleExtractor
from thread_core.ingest import ThreadIngest
from thread_core.shelf import Leads, Shelf
from thread_core.store.lexical import SqliteLexicalIndex
from thread_core.testing.store import MemoryStore

GUIDES = {
    "disk.md": "# Disk full\n\n1. Look at the log.\n2. If it is large, see [the log](log.md#shrink).\n"
    "3. If it is small, go to step 5.\n4. Ask [somebody](gone.md).\n5. Done. The disk has room: resolved.\n",
    "log.md": "# Log\n\n## Shrink\n\n1. Shrink it.\n",
}


def a_shelf(*names: str) -> Shelf:
    store = MemoryStore()
    documents = [Document(name, f"# {name}\n\n1. Look.\n\n## Grow\n\n1. Grow.\n") for name in names]
    words = SqliteLexicalIndex()
    ThreadIngest(store, default_embedding(), words=words).run(documents)
    return Shelf.of_store(store, words)


def test_ways_lead_across_documents_alike_from_units_and_from_a_store() -> None:
    units = [unit for item in GUIDES.items() for unit in RuleExtractor().extract(Document(*item)).units]
    store, words = MemoryStore(), SqliteLexicalIndex()
    ThreadIngest(store, default_embedding(), words=words).run([Document(*item) for item in GUIDES.items()])
    for shelf in (Shelf.of(units), Shelf.of_store(store, words)):
        assert shelf.ids == ["disk.md", "log.md"]
        ways = list(shelf.ways("disk.md"))
        led = {way.link.condition: way.destination for way in ways if way.link.condition}
        assert led["it is large"].unit == shelf.units("log.md")[-1]
        assert led["it is small"].leads in (Leads.STEP, Leads.INSIDE)
        assert [way.link.target.document for way in ways if way.destination.is_broken and way.link.target] == [
            "gone.md"
        ]


def test_an_empty_store_is_no_shelf() -> None:
    with pytest.raises(BadStore):
        Shelf.of_store(MemoryStore(), SqliteLexicalIndex())


def test_a_name_is_known_in_either_form() -> None:
    decomposed = unicodedata.normalize("NFD", "größe.md")
    assert a_shelf(f"a/{decomposed}").find("größe.md") == f"a/{decomposed}"
    assert a_shelf("größe.md").find(decomposed) == "größe.md"


def test_a_whole_file_name_wins_over_an_end_of_one() -> None:
    assert a_shelf("a/disk.md", "a/full-disk.md").find("disk.md") == "a/disk.md"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("disk.md", "disk.md may mean a/disk.md, b/disk.md; write more of the id"),
        ("dsk.md", "the store has no document dsk.md; did you mean "),
        ("zzz", "the store has no document zzz; it has a/disk.md, b/disk.md"),
        ("", "the store has no document ; it has a/disk.md, b/disk.md"),
    ],
)
def test_an_unclear_name_is_refused_with_close_ones(name: str, message: str) -> None:
    with pytest.raises(NothingFound) as refusal:
        a_shelf("a/disk.md", "b/disk.md").find(name)
    assert str(refusal.value).startswith(message)
