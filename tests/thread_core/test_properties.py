"""What holds for any text at all: nothing lost, nothing invented, nothing twice."""

import itertools
import json
from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from thread_core import Document, LogicUnit, RuleExtractor
from thread_core.documents.applicability.gates import gate_of
from thread_core.documents.applicability.versions import version_range
from thread_core.documents.blocks.markdown import Block, parse
from thread_core.documents.blocks.source import Source
from thread_core.documents.cases import heading_condition
from thread_core.documents.conditions import clause
from thread_core.documents.directions import ending, jump
from thread_core.ingest.merging import merge_chains
from thread_core.layout import from_metadata, header_of, row_text, with_text
from thread_core.linking import Catalog
from thread_core.models import Span, encodable
from thread_core.places import place_in
from thread_core.retrieval.prerequisites import Known, judge
from thread_core.store.lexical import SqliteLexicalIndex
from thread_core.text.header import compose
from thread_core.text.sentences import cut
from thread_core.text.words import content_words, count_tokens, query_words

STRANGE = "\ufeff\ud800\udfff\u2028\u2029\x00\x0b\x0c\x1c\x1f\x85\u00a0\u200b\r\n\t"

characters = st.one_of(
    st.sampled_from(STRANGE), st.sampled_from("#*_`~<>[]()!|-+=:.,\\&\"'0123456789 "), st.characters()
)
anything = st.text(characters, max_size=200)
words = st.sampled_from(
    [
        "Restart the node.",
        "If it is full, free some space.",
        "When the queue grows, go to step 2.",
        "Otherwise, open a ticket.",
        "Skip steps 1 and 2.",
        "Go to Method 2",
        "The issue is resolved.",
        "See [the guide](guide.md#fix) and [here][1].",
        "a **bold** `code` *word*",
        "ready -> go on",
        "Note: take care.",
        "Before you begin, you need the role op",
        "Agent 2.3 and later",
        "é 😀 \u2028 x",
        "word " * 40,
    ]
)


def headings() -> st.SearchStrategy[str]:
    names = st.sampled_from(
        [
            "Fix",
            "Method 1",
            "If the queue grows",
            "Prerequisites",
            "FAQ",
            "Glossary",
            "Before OCP 4.16",
            "Header",
            "Body",
            "???",
            "",
        ]
    )
    hashes = st.builds(lambda level, name: f"{'#' * level} {name}", st.integers(1, 6), names)
    return st.one_of(
        hashes,
        names.map(lambda name: f"**{name}**"),
        names.map(lambda name: f"{name}\n==="),
        names.map(lambda name: f"<details>\n<summary><b>{name}</b></summary>"),
        st.just("</details>"),
    )


def indented(block: str, first: str, rest: str) -> str:
    head, *tail = block.split("\n")
    return "\n".join([first + head, *(rest + line if line else line for line in tail)])


def fences() -> st.SearchStrategy[str]:
    inside = st.lists(st.sampled_from(["df -h", "", "# no heading", "- no item", "  deep", "| a |", "{}"]), max_size=4)
    return st.builds(
        lambda fence, lines, closed: "\n".join([fence + "sh", *lines, *([fence] if closed else [])]),
        st.sampled_from(["```", "~~~", "````"]),
        inside,
        st.sampled_from([True, True, True, False]),
    )


tables = st.lists(st.tuples(words, words), max_size=3).map(
    lambda rows: "\n".join(["| Case | Do |", "|---|---|", *(f"| {one} | {other} |" for one, other in rows)])
)
plain = st.one_of(
    words,
    headings(),
    fences(),
    tables,
    anything,
    st.sampled_from(
        ["---", "***", "    indented\n    code", "[1]: there.md", "<!-- a\nb -->", "<p>x</p>", "![p](p.png)"]
    ),
)


def nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    items = st.lists(st.lists(inner, min_size=1, max_size=3).map("\n\n".join), min_size=1, max_size=3)
    marks = st.sampled_from([("- ", "  "), ("1. ", "   "), ("* ", "\t"), ("- [ ] ", "  ")])
    return st.one_of(
        st.builds(
            lambda parts, mark, gap: gap.join(indented(part, *mark) for part in parts),
            items,
            marks,
            st.sampled_from(["\n", "\n\n"]),
        ),
        inner.map(lambda block: indented(block, "> ", "> ")),
    )


blocks = st.recursive(plain, nested, max_leaves=6)
front_matter = st.sampled_from(
    ["", "", "---\ntitle: From front\ntags:\n  - a\n---\n", "---\ntitle: [never closed\n", "---\n---\n"]
)
documents = st.one_of(
    anything,
    st.builds(
        lambda mark, front, parts, gap, end: mark + (front + gap.join(parts)).replace("\n", end),
        st.sampled_from(["", "", "\ufeff"]),
        front_matter,
        st.lists(blocks, max_size=8),
        st.sampled_from(["\n\n", "\n\n", "\n"]),
        st.sampled_from(["\n", "\n", "\r\n", "\r"]),
    ),
)


def read(text: str) -> tuple[LogicUnit, ...]:
    return RuleExtractor().extract(Document("a.md", text)).units


def source_of(text: str) -> Source:
    return parse(Document("a.md", text).text).source


def all_blocks(text: str) -> Iterator[Block]:
    for block in parse(Document("a.md", text).text).blocks:
        yield from block.walk()


@given(documents)
def test_every_line_with_anything_on_it_is_in_a_unit(text: str) -> None:
    source = source_of(text)
    covered = {number for unit in read(text) for span in unit.spans for number in range(span.start, span.end + 1)}
    assert {number for number in range(1, len(source) + 1) if not source.blank(number)} <= covered
    assert covered <= set(range(1, len(source) + 1))
    assert RuleExtractor().extract(Document("a.md", text)).report.coverage == 1.0


@given(documents)
def test_a_body_is_the_lines_that_it_names_and_no_word_more(text: str) -> None:
    source = source_of(text)
    for unit in read(text):
        assert unit.body == "\n".join(source.slice(span.start, span.end) for span in unit.body_spans)


@given(documents, st.integers(1, 60))
def test_no_unit_holds_more_than_its_bound_but_a_line_alone(text: str, most: int) -> None:
    source, found = source_of(text), RuleExtractor(max_tokens=most).extract(Document("a.md", text))
    assert found.report.coverage == 1
    own = [range(unit.body_spans[-1].start, unit.body_spans[-1].end + 1) for unit in found.units]
    assert len(set(itertools.chain(*own))) == sum(map(len, own))
    for unit, lines in zip(found.units, own, strict=True):
        assert unit.body == "\n".join(source.slice(span.start, span.end) for span in unit.body_spans)
        written = [line for line in lines if not source.blank(line)]
        if count_tokens(unit.body) > most:
            assert {Span("a.md", line, line) for line in written} <= set(found.report.too_large)
            assert len(written) == 1


@given(documents, st.integers(1, 500))
def test_a_merged_chain_loses_no_line_and_no_place(text: str, limit: int) -> None:
    source, document = source_of(text), Document("a.md", text)
    extraction = RuleExtractor().extract(document)
    merged = merge_chains(extraction, document, limit)
    for unit in merged.units:
        assert unit.body == "\n".join(source.slice(span.start, span.end) for span in unit.body_spans)
        assert all(one.end < other.start for one, other in itertools.pairwise(unit.spans))
        assert all(place_in(link.target, merged.units) for link in unit.links if link.target and link.target.place)
    assert [unit.start for unit in merged.units] == sorted(unit.start for unit in merged.units)
    assert len({unit.id for unit in merged.units}) == len(merged.units)
    for unit in extraction.units:
        (holder,) = [one for one in merged.units if any(_within(unit.body_spans[-1], span) for span in one.body_spans)]
        assert set(unit.steps) <= set(holder.steps)


def _within(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


@given(documents)
def test_spans_are_in_order_and_do_not_overlap(text: str) -> None:
    for unit in read(text):
        for spans in (unit.spans, unit.body_spans):
            assert all(one.end < other.start for one, other in itertools.pairwise(spans))
        assert all(
            any(own.start <= span.start and span.end <= own.end for own in unit.spans) for span in unit.body_spans
        )


@given(documents)
def test_units_are_in_reading_order(text: str) -> None:
    starts = [unit.start for unit in read(text)]
    assert starts == sorted(set(starts))


@given(documents)
def test_code_stands_byte_for_byte_in_one_body(text: str) -> None:
    """All code that the parser sees; of a fence that is never closed, up to its last line with anything on it."""
    source, units = source_of(text), read(text)
    for block in all_blocks(text):
        if block.kind == "code":
            holders = [
                unit
                for unit in units
                if any(span.start <= block.start and block.end <= span.end for span in unit.body_spans)
            ]
            assert holders
            assert source.slice(block.start, block.end) in holders[0].body


@given(documents)
def test_blocks_lie_inside_the_document_and_inside_each_other(text: str) -> None:
    length = len(source_of(text))
    for block in all_blocks(text):
        assert 1 <= block.start <= block.end <= length
        edges = [block.start, *(edge for child in block.children for edge in (child.start, child.end)), block.end]
        assert edges == sorted(edges)


@given(documents)
def test_no_id_and_no_place_is_there_twice(text: str) -> None:
    units = read(text)
    assert len({unit.id for unit in units}) == len({unit.place for unit in units}) == len(units)


@given(documents)
def test_the_same_text_gives_the_same_units(text: str) -> None:
    assert read(text) == read(text)


@given(documents)
def test_links_lead_to_units_and_show_lines_that_are_there(text: str) -> None:
    units, length = read(text), len(source_of(text))
    places = {unit.place for unit in units}
    for unit in units:
        for link in unit.links:
            assert link.evidence is None or link.evidence.end <= length
            assert link.target is None or link.target.place is None or link.target.place in places
            if link.target is not None and not link.target.document:
                place_in(link.target, units)


@given(documents)
def test_a_unit_survives_a_row_of_a_store(text: str) -> None:
    for unit in read(text):
        row = with_text(unit, row_text(unit))
        assert {type(value) for value in row.values()} <= {str, int, float, bool}
        kept = json.loads(json.dumps(row, ensure_ascii=False).encode("utf-8"))
        assert from_metadata(unit.id, row_text(unit).encode("utf-8").decode(), kept) == unit
        assert header_of(row_text(unit)) == unit.header


@given(documents)
def test_a_header_is_one_line_of_bounded_length(text: str) -> None:
    for unit in read(text):
        assert unit.header == " ".join(unit.header.split())
        assert 0 < len(unit.header) < 1000


@given(st.lists(st.text("abcdefg", min_size=3), min_size=2, max_size=6, unique=True), st.data())
def test_an_edit_of_one_section_leaves_the_other_ids(bodies: list[str], data: st.DataObject) -> None:
    def ids(parts: list[str]) -> list[str]:
        return [
            unit.id for unit in read("".join(f"## Part {n}\n\nRead the {part}\n\n" for n, part in enumerate(parts)))
        ]

    edited = data.draw(st.integers(0, len(bodies) - 1))
    others = [*bodies[:edited], "quite another text", *bodies[edited + 1 :]]
    same = [one == other for one, other in zip(ids(bodies), ids(others), strict=True)]
    assert same == [number != edited for number in range(len(bodies))]


@given(anything)
def test_any_text_can_be_encoded_line_for_line(text: str) -> None:
    kept = encodable(text)
    kept.encode()
    assert len(Source(kept)) == len(Source(text))
    assert encodable(kept) == kept


@given(anything, anything)
def test_no_function_over_words_fails(one: str, other: str) -> None:
    list(cut(one))
    clause(one), jump(one), ending(one), heading_condition(one)
    content_words(one), query_words(one), compose(one, (other,), one)
    version_range(one), gate_of(one)
    judge(one, Known(said=(other,), confirmed=(other,), denied=(one[:5],), done=(other,)))
    Catalog.of(()).resolve(one, other)


@settings(max_examples=30)
@given(st.lists(documents, min_size=1, max_size=3), anything)
def test_any_question_can_be_asked_of_any_documents(texts: list[str], question: str) -> None:
    units = [unit for n, text in enumerate(texts) for unit in RuleExtractor().extract(Document(f"{n}.md", text)).units]
    index = SqliteLexicalIndex()
    index.update([units], (), "1")
    assert {hit.unit_id for hit in index.search(encodable(question), 5)} <= {unit.id for unit in units}
    index.close()
