import unicodedata
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

import pytest

from thread_core import Document, Link, LogicUnit, Place, RuleExtractor, Span, Target
from thread_core.documents.blocks.markdown import parse
from thread_core.linking import BrokenLink, Catalog, LinkState, Resolution, absolute, is_document, with_mentions
from thread_core.places import Places, first_step, place_in
from thread_core.ports import DocumentNames
from thread_core.store.lexical import SqliteLexicalIndex

Named = str | tuple[str, str, tuple[str, ...]]
"""A document by its id, or by id, title and aliases."""


def in_memory(*documents: Named) -> Catalog:
    return Catalog.of(DocumentNames(one, "", ()) if isinstance(one, str) else DocumentNames(*one) for one in documents)


def in_the_words(*documents: Named) -> Catalog:
    index = SqliteLexicalIndex()
    for number, document in enumerate(documents):
        document_id, title, aliases = (document, "", ()) if isinstance(document, str) else document
        index.update([[unit(id=str(number), document_id=document_id, title=title, aliases=aliases)]])
    return Catalog(index.called)


@pytest.fixture(params=[in_memory, in_the_words])
def catalog(request: pytest.FixtureRequest) -> Callable[..., Catalog]:
    """Makes a catalog of some documents, in either way."""
    made: Callable[..., Catalog] = request.param
    return made


def found(document_id: str) -> Resolution:
    return Resolution(state=LinkState.FOUND, document_id=document_id)


def ambiguous(*candidates: str) -> Resolution:
    return Resolution(state=LinkState.AMBIGUOUS, candidates=candidates)


def moved(document_id: str) -> Resolution:
    return Resolution(state=LinkState.MOVED, document_id=document_id)


DANGLING = Resolution(state=LinkState.DANGLING)
OUTSIDE = Resolution(state=LinkState.OUTSIDE)

SITE = (
    ("docs/queue.md", "Message queue backlog", ("KB3200416", "Queue is full")),
    ("docs/node/disk.md", "Node disk pressure", ()),
    ("docs/node/NodeFilesystemFull.md", "Node filesystem full", ()),
    ("docs/README.md", "All guides", ()),
    ("docs/db/README.md", "Databases", ()),
    ("other/disk.md", "Disk of another kind", ()),
)


@pytest.mark.parametrize(
    ("key", "resolution"),
    [
        ("disk.md", found("docs/node/disk.md")),
        ("./disk.md", found("docs/node/disk.md")),
        ("disk", found("docs/node/disk.md")),
        ("disk.html", found("docs/node/disk.md")),
        ("DISK.MD", found("docs/node/disk.md")),
        ("disk.md?tabs=linux", found("docs/node/disk.md")),
        ("disk%2Emd", found("docs/node/disk.md")),
        (" disk.md", found("docs/node/disk.md")),
        (".\\disk.md", found("docs/node/disk.md")),
        ("../queue.md", found("docs/queue.md")),
        ("../../other/disk.md", found("other/disk.md")),
        ("../../../../docs/queue.md", found("docs/queue.md")),
        ("docs/queue.md", found("docs/queue.md")),
        ("/docs/queue", found("docs/queue.md")),
        ("/other/disk.md", found("other/disk.md")),
        ("/site/docs/node/disk", found("docs/node/disk.md")),
        ("https://code.example/team/repo/blob/main/docs/queue.md", found("docs/queue.md")),
        ("https://mirror.example/other/docs/node/disk.html", found("docs/node/disk.md")),
        ("nodefilesystemfull", found("docs/node/NodeFilesystemFull.md")),
        ("message queue  backlog", found("docs/queue.md")),
        ("`Message queue backlog`", found("docs/queue.md")),
        ("Queue is full", found("docs/queue.md")),
        ("KB3200416", found("docs/queue.md")),
        ("kb 3200416", found("docs/queue.md")),
        ("KB-3200416", found("docs/queue.md")),
        ("https://support.example/help/3200416", found("docs/queue.md")),
        ("https://support.example/kb/3200416/queue-is-full", found("docs/queue.md")),
        ("../README.md", found("docs/README.md")),
        ("https://code.example/docs/db/README.md", found("docs/db/README.md")),
        ("", found("docs/node/source.md")),
        ("../old/nodefilesystemfull.md", moved("docs/node/NodeFilesystemFull.md")),
        ("queue.md", moved("docs/queue.md")),
        ("QUEUE.HTML", moved("docs/queue.md")),
        ("queue", found("docs/queue.md")),
        ("/help/queue", moved("docs/queue.md")),
        ("https://shop.example/queue", moved("docs/queue.md")),
        ("old/docs/queue.md", found("docs/queue.md")),
        ("gone.md", DANGLING),
        ("../gone/", DANGLING),
        ("#", DANGLING),
        ("?x=1", DANGLING),
        ("..", DANGLING),
        ("/gone", OUTSIDE),
        ("/gone.md", DANGLING),
        ("#gone", DANGLING),
        ("README", DANGLING),
        ("https://shop.example/README.md", OUTSIDE),
        ("https://shop.example/", OUTSIDE),
        ("https://shop.example", OUTSIDE),
        ("//cdn.example/gone.js", OUTSIDE),
        ("mailto:desk@docs.example", OUTSIDE),
        ("https://mirror.example/disk", ambiguous("docs/node/disk.md", "other/disk.md")),
    ],
)
def test_a_link_means_a_document(catalog: Callable[..., Catalog], key: str, resolution: Resolution) -> None:
    assert catalog(*SITE).resolve(key, "docs/node/source.md") == resolution


def test_a_link_from_the_root_is_read_from_the_root(catalog: Callable[..., Catalog]) -> None:
    site = catalog("a.md", "docs/a.md", "docs/b.md")
    assert site.resolve("/a.md", "docs/b.md") == found("a.md")
    assert site.resolve("a.md", "docs/b.md") == found("docs/a.md")


def test_documents_may_have_urls_for_ids(catalog: Callable[..., Catalog]) -> None:
    site = catalog("https://one.example/docs/a.md", "https://one.example/docs/x/b.md", "https://two.example/docs/a.md")
    source = "https://one.example/docs/x/b.md"
    assert site.resolve("../a.md", source) == found("https://one.example/docs/a.md")
    assert site.resolve("/docs/a", source) == found("https://one.example/docs/a.md")
    assert site.resolve("https://two.example/docs/a.md", source) == found("https://two.example/docs/a.md")
    assert site.resolve("https://three.example/docs/a", source) == ambiguous(
        "https://one.example/docs/a.md", "https://two.example/docs/a.md"
    )


PAGE = "https://wiki.example/pages/viewpage.action?pageId="


@pytest.mark.parametrize(
    ("documents", "key", "resolution"),
    [
        (("wiki/CA-portal_98304200.html",), f"{PAGE}98304200", found("wiki/CA-portal_98304200.html")),
        (("wiki/CA-portal_98304200.html",), "/spaces/OPS/pages/98304200/CA", found("wiki/CA-portal_98304200.html")),
        (("KB0010099.html",), "/kb_view.do?sysparm_article=KB0010099", found("KB0010099.html")),
        (
            ("https://desk.example/articles/360002-Limits",),
            "/articles/360002",
            found("https://desk.example/articles/360002-Limits"),
        ),
        (("360002-a.html", "b_360002.html"), "/articles/360002", OUTSIDE),
        (("20240131-note.md",), "https://news.example/20240131", OUTSIDE),
        ((f"{PAGE}41000", f"{PAGE}42000"), f"{PAGE}42000&src=mail", found(f"{PAGE}42000")),
        ((f"{PAGE}41000",), f"{PAGE}42000", OUTSIDE),
        ((("b.md", "Runbook: Force", ()),), "Runbook%3A Force", found("b.md")),
    ],
)
def test_a_link_may_name_a_document_by_its_number(
    documents: tuple[Named, ...], key: str, resolution: Resolution
) -> None:
    assert in_memory(*documents).resolve(key, "docs/source.html") == resolution


@pytest.mark.parametrize("document_id", ["b.md", "guides/b.md", "/var/b.md", "https://example.com/b.md", "b 1.md"])
@pytest.mark.parametrize("source", ["a.md", "guides/a.md", "guides/guides/a.md", "/var/a.md"])
def test_an_absolute_key_means_the_same_from_anywhere(
    catalog: Callable[..., Catalog], document_id: str, source: str
) -> None:
    documents = catalog(document_id, source, "guides/guides/b.md", "guides/guides/guides/b.md")
    assert documents.resolve(absolute(document_id), source) == found(document_id)


@pytest.mark.parametrize("document_id", ["größe.md", unicodedata.normalize("NFD", "größe.md")])
@pytest.mark.parametrize("key", ["größe.md", unicodedata.normalize("NFD", "größe.md"), quote("größe.md"), "Die Größe"])
def test_a_name_may_be_written_in_either_form(document_id: str, key: str) -> None:
    catalog = Catalog.of([DocumentNames(document_id, unicodedata.normalize("NFD", "Die Größe"), ())])
    assert catalog.resolve(key, "a.md") == found(document_id)


def test_a_name_that_two_documents_have_is_ambiguous(catalog: Callable[..., Catalog]) -> None:
    site = catalog(("a/x.md", "Disk full", ()), ("b/y.md", "Disk", ("disk full",)))
    assert site.resolve("Disk full", "z.md") == ambiguous("a/x.md", "b/y.md")


def test_ids_that_differ_in_case_or_ending_are_told_apart(catalog: Callable[..., Catalog]) -> None:
    site = catalog("Setup.md", "setup.md", "setup.txt")
    assert site.resolve("Setup.md", "a.md") == found("Setup.md")
    assert site.resolve("setup.txt", "a.md") == found("setup.txt")
    assert site.resolve("SETUP", "a.md") == ambiguous("Setup.md", "setup.md", "setup.txt")


def test_a_document_may_be_entered_many_times() -> None:
    site = in_memory(("a.md", "A", ()), ("a.md", "A", ("B",)))
    assert [site.resolve(key, "z.md") for key in ("a", "A", "B")] == [found("a.md")] * 3


GUIDE = """# Repair the agent

Read this first.

## Symptoms

It is silent.

## Windows

### Method 1: restart

1. Stop it.
2. Start it.

### Method 2: install

Install it.

## Restart

1. Look.
2. Act.
3. Check.
"""


class TestPlaceIn:
    units = RuleExtractor().extract(Document("agent.md", GUIDE, "The agent")).units

    @pytest.mark.parametrize(
        ("target", "anchor"),
        [
            (Target(), "method-1-restart"),
            (Target(anchor="symptoms"), "symptoms"),
            (Target(anchor="SYMPTOMS"), "symptoms"),
            (Target(anchor="%73ymptoms"), "symptoms"),
            (Target(anchor="windows"), "method-1-restart"),
            (Target(anchor="method-2"), "method-2-install"),
            (Target(anchor="repair-the-agent"), "method-1-restart"),
            (Target(anchor="the-agent"), "method-1-restart"),
            (Target(anchor="restart"), "restart"),
            (Target(step=3), "restart"),
            (Target(anchor="method-1-restart", step=2), "method-1-restart"),
            (Target(anchor="windows", step=1), "method-1-restart"),
            (Target(anchor="symptoms", step=3), "restart"),
            (Target(place=Place("restart", 1)), "restart"),
        ],
    )
    def test_a_target_means_a_unit(self, target: Target, anchor: str) -> None:
        unit = place_in(target, self.units)
        assert unit is not None
        assert unit.place.anchor == anchor

    @pytest.mark.parametrize(
        "target", [Target(anchor="gone"), Target(step=9), Target(place=Place("restart", 2)), Target(anchor="metho")]
    )
    def test_a_target_may_not_be_there(self, target: Target) -> None:
        assert place_in(target, self.units) is None

    @pytest.mark.parametrize("heading", ["Überprüfung: Größe", unicodedata.normalize("NFD", "Überprüfung: Größe")])
    @pytest.mark.parametrize(
        "anchor",
        [
            "überprüfung-größe",
            unicodedata.normalize("NFD", "überprüfung-größe"),
            quote("überprüfung-größe"),
            "uberprufung--grosse",
        ],
    )
    def test_an_anchor_may_be_written_otherwise(self, heading: str, anchor: str) -> None:
        text = f"# Titel\n\n## Anfang\n\n1. Tun.\n\n## {heading}\n\n1. Ziel.\n"
        unit = place_in(Target(anchor=anchor), RuleExtractor().extract(Document("a.md", text)).units)
        assert unit is not None
        assert unit.body == "1. Ziel."

    def test_many_targets_are_found_in_few_readings(self) -> None:
        class Counted(tuple[LogicUnit, ...]):
            readings = 0

            def __iter__(self) -> Iterator[LogicUnit]:
                Counted.readings += 1
                return super().__iter__()

        places = Places(Counted(self.units))
        for target in (Target(anchor="restart"), Target(anchor="gone"), Target(step=9)) * 50:
            assert places.find(target) == place_in(target, self.units)
        assert Counted.readings < 60

    def test_a_document_without_units_has_no_place(self) -> None:
        assert place_in(Target(), []) is None


def test_a_document_is_entered_at_its_first_step() -> None:
    units = RuleExtractor().extract(Document("a.md", "# A\n\nAbout.\n\n## Steps\n\nDo.\n")).units
    assert (first_step(units), first_step(units[:1]), first_step([])) == (units[1], units[0], None)


def unit(*links: Link, **values: Any) -> LogicUnit:
    span = Span("docs/a.md", 2, 3)
    plain = {"id": "1", "document_id": "docs/a.md", "place": Place(), "type": "step", "header": "A", "body": "x"}
    return LogicUnit(**plain | values, links=links, spans=(span,), body_spans=(span,))


@pytest.mark.parametrize(
    ("target", "state", "candidates", "told"),
    [
        (Target(document="b.md"), LinkState.DANGLING, (), "b.md leads to a document that is not in this store"),
        (Target(document="b.md"), LinkState.AMBIGUOUS, ("x/b.md", "y/b.md"), "b.md may mean x/b.md, y/b.md"),
        (Target(document="x/b.md"), LinkState.MOVED, ("y/b.md",), "x/b.md matches y/b.md only by its file name"),
        (
            Target(document="b", anchor="c"),
            LinkState.DANGLING,
            ("b.md",),
            "b leads to #c of b.md, which does not exist",
        ),
        (Target(anchor="c"), LinkState.DANGLING, (), "#c is not a section of this document"),
    ],
)
def test_a_broken_link_says_where_it_stands_and_what_is_wrong(
    target: Target, state: LinkState, candidates: tuple[str, ...], told: str
) -> None:
    for evidence, where in ((Span("docs/a.md", 7, 7), "docs/a.md:7"), (None, "docs/a.md:2-3")):
        link = Link(target=target, evidence=evidence)
        assert str(BrokenLink(unit=unit(), link=link, state=state, candidates=candidates)) == f"{where}: {told}"


def test_a_catalog_is_made_of_units() -> None:
    site = Catalog.of([unit(title="The guide", aliases=("KB12345",))])
    assert [site.resolve(key, "x.md") for key in ("docs/a", "the guide", "KB 12345")] == [found("docs/a.md")] * 3


@pytest.mark.parametrize(
    ("href", "document"),
    [
        ("lamps.md", True),
        ("https://a.example/lamps", True),
        ("Lamps and sockets", True),
        ("KB4012345", True),
        ("mailto:a@b.example", False),
        ("a.b@c.example", False),
        ("icon@2x.md", True),
        ("tel:123", False),
        ("tester.zip?v=2", False),
        ("https://a.example/tester.EXE", False),
    ],
)
def test_a_program_or_an_address_is_no_document(href: str, document: bool) -> None:
    assert is_document(href) is document


@pytest.mark.parametrize(
    ("text", "hrefs"),
    [
        ("See KB4012345.", ["KB4012345"]),
        ("see the article KB 4012345, then wait", ["KB 4012345"]),
        ("See https://a.example/wiki/lamps.", ["https://a.example/wiki/lamps"]),
        ("See <https://a.example/lamps>.", ["https://a.example/lamps"]),
        ("[[Lamps]] and [[Fuses#The main|these]]", ["Lamps", "Fuses#the-main"]),
        ("See [here](lamps.md) and KB4012345", ["lamps.md"]),
        ("Install KB4012345. Open https://a.example/panel.", []),
        ("Go to `stage/lamps.md`.", ["stage/lamps.md"]),
        ("In a shell, `[[ -f lock ]]` asks.", []),
        ("Nothing.", []),
    ],
)
def test_a_document_may_be_named_without_marks(text: str, hrefs: list[str]) -> None:
    assert [link.href for link in with_mentions(parse(text).blocks[0]).links] == hrefs


def test_a_link_to_a_section_that_begins_with_tabs_leads_to_the_first_of_them() -> None:
    tabs = '## Wait\n\nWait.\n\n## Set\n\n=== "Red"\n\n    Turn.\n\n=== "Blue"\n\n    Push.\n\nLook at it.\n'
    units = RuleExtractor().extract(Document("a.md", f"# T\n\n{tabs}")).units
    goal = place_in(Target(anchor="set"), units)
    assert goal is not None
    assert goal.section == ("Set", "In case of Red")
