"""Drawings say what the guide says, and read back they are the same drawing."""

import html

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.thread_export.guides import EXAMPLES, HOSTILE, a_shelf, examples, seen
from thread_core.documents.forms.flowchart import Edge, Flowchart, Node, read_mermaid
from thread_core.shelf import Shelf
from thread_export import dot, mermaid
from thread_export.chart import draw
from thread_rag.drawn import as_document


@pytest.fixture(scope="module")
def shelf() -> Shelf:
    return examples()


def _word() -> st.SearchStrategy[str]:
    marks = st.sampled_from(
        ['"', "#", "&", ";", "<b>", "|", "%%", "-->", "end", "`", "\\n", "1.", "- ", "style x:#a;", "fa:fa-x"]
    )
    return st.one_of(st.text(st.characters(exclude_categories=["C", "Z"]), max_size=8), marks)


def _label() -> st.SearchStrategy[str]:
    """Words as a reader sees them: what an entity stands for, and not the entity."""
    said = st.lists(_word(), min_size=1, max_size=5).map(lambda words: html.unescape(" ".join(words)))
    return said.map(lambda text: " ".join(text.split()) or "x")


@st.composite
def charts(draw: st.DrawFn) -> Flowchart:
    keys = [f"k{at}" for at in range(draw(st.integers(2, 5)))]
    nodes = tuple(Node(key, draw(_label()), 1, 1, draw(st.booleans())) for key in keys)
    ways = st.tuples(st.sampled_from(keys), st.just("") | _label(), st.sampled_from(keys))
    return Flowchart(nodes, tuple(Edge(*way, 1) for way in draw(st.lists(ways, min_size=1, max_size=6))))


@given(charts())
def test_mermaid_read_back_is_the_same_chart(chart: Flowchart) -> None:
    read = read_mermaid(mermaid.write(chart, 'A "title": --- #'))
    assert read is not None and seen(read) == seen(chart)


def of_dot(text: str) -> Flowchart:
    """The drawing in DOT as it is taken in."""
    taken = as_document(text, "a.dot").text
    chart = read_mermaid(taken.partition("\n")[2].rpartition("\n```")[0])
    assert chart is not None
    return chart


@settings(max_examples=20)
@given(charts())
def test_dot_read_back_is_the_same_chart(chart: Flowchart) -> None:
    assert seen(of_dot(dot.write(chart, 'A "title" \\N'))) == seen(chart)


@pytest.mark.parametrize("name", [path.name for path in EXAMPLES])
def test_every_guide_comes_back(shelf: Shelf, name: str) -> None:
    chart = draw(shelf, name).chart
    read = read_mermaid(mermaid.write(chart, shelf.units(name)[0].title))
    assert read is not None and seen(read) == seen(chart)
    assert seen(of_dot(dot.write(chart))) == seen(chart)


def test_each_outcome_is_a_way() -> None:
    shelf = a_shelf({"pump.md": HOSTILE})
    chart = draw(shelf, "pump.md").chart
    label = {node.key: node.label for node in chart.nodes}
    drawn = {(edge.label, label[edge.end]) for edge in chart.edges}
    assert ('it is red & "hot" | wet', "Stop: Press STOP'''); raise SystemExit(1) #") in drawn
    assert {way.link.condition for way in shelf.ways("pump.md")} <= {said for said, _ in drawn}


def test_what_is_done_within_a_step_is_a_node_that_leads_on() -> None:
    text = "# Lamp\n\n1. Look at it. If the lamp blinks, press the button.\n\n## Later\n\n1. Wait.\n"
    chart = draw(a_shelf({"lamp.md": text}), "lamp.md").chart
    assert [node.label for node in chart.nodes] == ["Look at it", "Later: Wait", "press the button."]
    assert [edge[:3] for edge in chart.edges] == [("s1", "the lamp blinks", "o1"), ("o1", "", "s2"), ("s1", "", "s2")]
