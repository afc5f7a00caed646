import unicodedata

import pytest

from thread_core import Document, default_embedding
from thread_core.errors import NothingFound
from thread_core.ingest import ThreadIngest
from thread_core.models import Link, LinkAction, Target
from thread_core.store.lexical import SqliteLexicalIndex
from thread_core.testing.store import MemoryStore
from thread_core.testing.store_suite import a_unit
from thread_rag.showing import Destination, Shelf


def a_shelf(*names: str) -> Shelf:
    store = MemoryStore()
    documents = [Document(name, f"# {name}\n\n1. Look.\n\n## Grow\n\n1. Grow.\n") for name in names]
    words = SqliteLexicalIndex()
    ThreadIngest(store, default_embedding(), words=words).run(documents)
    return Shelf(store, words)


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
        ("dsk.md", "the store holds no document dsk.md; did you mean "),
        ("zzz", "the store holds no document zzz; it holds a/disk.md, b/disk.md"),
        ("", "the store holds no document ; it holds a/disk.md, b/disk.md"),
    ],
)
def test_an_unclear_name_is_refused_with_close_ones(name: str, message: str) -> None:
    with pytest.raises(NothingFound) as refusal:
        a_shelf("a/disk.md", "b/disk.md").find(name)
    assert str(refusal.value).startswith(message)


@pytest.mark.parametrize(
    ("link", "destination"),
    [
        (Link(target=Target(document="disk.md", anchor="grow")), Destination("disk.md:7 disk.md: Grow")),
        (Link(target=Target(document="disk.md", anchor="shrink")),
         Destination("dangling: disk.md has no such section or step", broken=True)),
        (Link(target=Target(document="gone.md")),
         Destination("dangling: gone.md is no document of this store", broken=True)),
        (Link(target=Target(document="https://example.com/x")), Destination("outside: https://example.com/x")),
        (Link(target=Target(document="guide.md")),
         Destination("ambiguous: guide.md may mean a/guide.md, b/guide.md", broken=True)),
        (Link(target=Target(document="old/disk.md", anchor="grow")), Destination("moved: disk.md:7 disk.md: Grow")),
        (Link(query="grow it"), Destination("whatever fits 'grow it'")),
        (Link(action=LinkAction.RESOLVED, query="close the alert"), Destination("resolved: close the alert")),
        (Link(action=LinkAction.ESCALATE), Destination("escalate")),
    ],
)  # fmt: skip
def test_where_a_link_leads(link: Link, destination: Destination) -> None:
    shelf = a_shelf("disk.md", "a/guide.md", "b/guide.md")
    assert shelf.destination(a_unit("Look", document_id="start.md"), link) == destination


def test_links_that_stay_in_the_document_name_lines() -> None:
    shelf = a_shelf("disk.md")
    unit = shelf.units("disk.md")[0]
    assert shelf.destination(unit, Link(target=Target(anchor="grow"))) == Destination("lines 7")
    assert shelf.destination(unit, Link(target=Target(place=unit.place))) == Destination("in this unit")
