import pytest

from tests.thread_core.test_shelf import a_shelf
from thread_core.models import Link, LinkAction, LogicUnit, Target
from thread_core.shelf import Shelf
from thread_core.testing.store_suite import a_unit
from thread_rag.showing import in_words


def said(shelf: Shelf, unit: LogicUnit, link: Link) -> str:
    return in_words(unit, link, shelf.destination(unit, link))


@pytest.mark.parametrize(
    ("link", "words"),
    [
        (Link(target=Target(document="disk.md", anchor="grow")), "disk.md:7 disk.md: Grow"),
        (Link(target=Target(document="disk.md", anchor="shrink")),
         "dangling: disk.md has no such section or step"),
        (Link(target=Target(document="gone.md")),
         "dangling: gone.md is not a document in this store"),
        (Link(target=Target(document="https://example.com/x")), "outside: https://example.com/x"),
        (Link(target=Target(document="guide.md")),
         "ambiguous: guide.md may mean a/guide.md, b/guide.md"),
        (Link(target=Target(document="old/disk.md", anchor="grow")), "moved: disk.md:7 disk.md: Grow"),
        (Link(query="grow it"), "whatever fits 'grow it'"),
        (Link(action=LinkAction.RESOLVED, query="close the alert"), "resolved: close the alert"),
        (Link(action=LinkAction.ESCALATE), "escalate"),
    ],
)  # fmt: skip
def test_where_a_link_leads(link: Link, words: str) -> None:
    shelf = a_shelf("disk.md", "a/guide.md", "b/guide.md")
    assert said(shelf, a_unit("Look", document_id="start.md"), link) == words


def test_links_that_stay_in_the_document_name_lines() -> None:
    shelf = a_shelf("disk.md")
    unit = shelf.units("disk.md")[0]
    assert said(shelf, unit, Link(target=Target(anchor="grow"))) == "lines 7"
    assert said(shelf, unit, Link(target=Target(place=unit.place))) == "in this unit"
