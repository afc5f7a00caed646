"""What a flowchart in Mermaid says: its nodes and ways, or nothing where it is not understood."""

from __future__ import annotations

import pytest

from thread_core.documents.forms.flowchart import Edge, Node, read_mermaid, shown

Ways = list[tuple[str, str, str]]


@pytest.mark.parametrize(
    ("statements", "ways"),
    [
        ("A --> B --> C", [("A", "", "B"), ("B", "", "C")]),
        ("A-->B; B---C", [("A", "", "B"), ("B", "", "C")]),
        ("A & B --> C & D", [("A", "", "C"), ("A", "", "D"), ("B", "", "C"), ("B", "", "D")]),
        ("A -->|hot| B", [("A", "hot", "B")]),
        ('A-->|"hot, or so"|B', [("A", "hot, or so", "B")]),
        ("A -- hot --> B", [("A", "hot", "B")]),
        ("A--hot-->B", [("A", "hot", "B")]),
        ("A -. hot .-> B", [("A", "hot", "B")]),
        ("A == hot ==> B", [("A", "hot", "B")]),
        (
            "A -.-> B ==> C --o D x--x E ----> F",
            [("A", "", "B"), ("B", "", "C"), ("C", "", "D"), ("D", "", "E"), ("E", "", "F")],
        ),
        ("A <--> B", [("A", "", "B"), ("B", "", "A")]),
        ("A\n  --> B\n  --> C", [("A", "", "B"), ("B", "", "C")]),
        ("A -- hot -->\nB", [("A", "hot", "B")]),
        ("A --> B\nA ~~~ C", [("A", "", "B")]),
        ("tap-1 --> tap.2", [("tap-1", "", "tap.2")]),
        ("A way@--> B\nway@{ animate: true }", [("A", "", "B")]),
        ("A:::warm --> B\nclassDef warm fill:#f96,stroke:#333\nclass B warm;\nstyle A fill:#fff", [("A", "", "B")]),
        ("linkStyle 0 stroke:red\nA --> B %% a tap", [("A", "", "B")]),
        ("%% A --> X\nA --> B", [("A", "", "B")]),
        ("subgraph one [The first]\ndirection LR\nA --> B\nend\nB --> C", [("A", "", "B"), ("B", "", "C")]),
        ("accTitle: Tap\naccDescr {\n A --> X\n}\nA --> B", [("A", "", "B")]),
        ("subgraph one\nA --> B\nend\nC --> one", None),
        ("subgraph one\nA --> B", None),
        ("A[open --> B", None),
        ("A[a (b)] --> B", None),
        ("A -->", None),
        ("A -- hot B", None),
        ("A --> B C", None),
        ("A[alone]", None),
    ],
)
def test_ways_are_read_as_they_are_drawn(statements: str, ways: Ways | None) -> None:
    chart = read_mermaid(f"flowchart TD\n{statements}\n")
    assert (chart and [(edge.start, edge.label, edge.end) for edge in chart.edges]) == ways


@pytest.mark.parametrize(
    "head", ["graph", "graph LR", "flowchart TB", "flowchart RL;", "flowchart-elk BT", "graph  TD"]
)
def test_it_may_go_in_any_direction(head: str) -> None:
    for before in ("", "---\ntitle: Tap\n---\n", '%%{init: {"theme": "dark"}}%%\n', "%% a tap\n\n"):
        assert read_mermaid(f"{before}{head}\nA --> B") is not None


@pytest.mark.parametrize("text", ["", "sequenceDiagram\nA->>B: Hi", "stateDiagram-v2\nA --> B", "graph TD A --> B"])
def test_other_diagrams_are_not_read(text: str) -> None:
    assert read_mermaid(text) is None


@pytest.mark.parametrize(
    ("written", "label", "decides"),
    [
        ("A[Tap]", "Tap", False),
        ("A(Tap)", "Tap", False),
        ("A([Tap])", "Tap", False),
        ("A[[Tap]]", "Tap", False),
        ("A[(Tap)]", "Tap", False),
        ("A((Tap))", "Tap", False),
        ("A(((Tap)))", "Tap", False),
        ("A>Tap]", "Tap", False),
        ("A{Tap?}", "Tap?", True),
        ("A{{Tap}}", "Tap", False),
        ("A[/Tap/]", "Tap", False),
        ("A[\\Tap\\]", "Tap", False),
        ("A[/Tap\\]", "Tap", False),
        ('A["Tap (the left one) [1]"]', "Tap (the left one) [1]", False),
        ('A{"`**Tap** open?`"}', "**Tap** open?", True),
        ('A@{ shape: diamond, label: "Tap, open?" }', "Tap, open?", True),
        ("A@{ shape: rounded }", "A", False),
        ("A", "A", False),
    ],
)
def test_a_node_has_the_label_that_is_seen(written: str, label: str, decides: bool) -> None:
    chart = read_mermaid(f"graph TD\n{written} --> B")
    assert chart is not None
    assert chart.nodes[0] == Node("A", label, 2, 2, decides)


def test_a_node_stands_where_its_label_is() -> None:
    text = 'graph TD\nA --> B\nA -->|hot| C[Close it]\nB["Open\n  it"] --> C\nclick C href "tap.md" "More"\n'
    chart = read_mermaid(text)
    assert chart is not None
    assert chart.nodes == (
        Node("A", "A", 2, 2),
        Node("B", "Open\nit", 4, 5),
        Node("C", "Close it", 3, 3, False, "tap.md"),
    )
    assert chart.edges == (Edge("A", "", "B", 2), Edge("A", "hot", "C", 3), Edge("B", "", "C", 5))


@pytest.mark.parametrize(
    ("label", "seen"),
    [
        ("One<br>two<br/>three\\nfour", "One\ntwo\nthree\nfour"),
        ("#quot;Go#quot; #amp; &quot;wait&quot; #9829; #35;1", '"Go" & "wait" ♥ #1'),
        ("<b>Stop</b> fa:fa-ban it", "Stop it"),
        ("<a href='stop.md'>Stop</a> it", "[Stop](stop.md) it"),
        ("below 5 < x", "below 5 < x"),
        ("#lt;script#gt;", "&lt;script>"),
    ],
)
def test_a_label_reads_as_it_is_drawn(label: str, seen: str) -> None:
    assert shown(label) == seen


@pytest.mark.parametrize(
    "text",
    ["A --> B\n", "%%{\n", "A -- x\n", "A@{", "A & ", '["<a href=x ', "accDescr {\n", "subgraph x\n", "-" * 9, " "],
)
def test_whatever_it_is_takes_linear_time(text: str) -> None:
    read_mermaid("graph TD\nA" + text * 20_000)  # for hours if it were not so
