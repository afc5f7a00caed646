"""A guide as a program of LangGraph to go on from: a node a step, and where an outcome leads, the person is asked.

What a document says stands in the program as literals that `repr` has made, and in nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from thread_core.documents.drawings import ways_from
from thread_core.documents.forms.flowchart import Edge, Node
from thread_core.places import first_step
from thread_core.shelf import Shelf
from thread_export.chart import Drawing, draw

_HEAD = '''\
"""A guide as a graph: each step is shown to a person, whose answer selects the next one.

Compile it with a checkpointer, start it with `invoke({}, config)`, and answer each pause with `Command(resume=1)`, the
number of an outcome. Replace what a node does with what your program should do there.
"""

from typing import TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt


class State(TypedDict, total=False):
    """Where a walk stands."""

    chosen: int
    """The way that the last answer has selected, from 0 on."""
    seen: list[str]
    """The nodes that were shown, the last one last."""


def ask(state: State, node: str, where: str, text: str, outcomes: list[str]) -> State:
    """Show a step, and wait for the number of an outcome where there are several, else for anything."""
    seen = [*state.get("seen", []), node]
    answer = interrupt({"where": where, "text": text, "outcomes": outcomes})
    if len(outcomes) < 2:
        return {"chosen": 0, "seen": seen}
    while str(answer) not in map(str, range(1, len(outcomes) + 1)):
        told = f"Answer with a number from 1 to {len(outcomes)}."
        answer = interrupt({"where": where, "text": told, "outcomes": outcomes})
    return {"chosen": int(answer) - 1, "seen": seen}


def chosen(state: State) -> int:
    """Say which way was selected."""
    return state["chosen"]

'''
_NONE = "None of these"
_ONWARD = "Go on"


def write(shelf: Shelf, document_id: str) -> str:
    """Write a guide as a program in Python, of which each node pauses for the person.

    Its `builder` is a `StateGraph`; the program runs nothing and asks nobody before that is compiled and invoked.

    Raises:
        IndexError: the guide has no units.
    """
    drawing = draw(shelf, document_id)
    entry = first_step(shelf.units(document_id))
    first = next((key for key, unit in drawing.units.items() if unit == entry), "s1")
    return "\n".join((_HEAD, *_program(drawing, first), ""))


def _program(drawing: Drawing, first: str) -> Iterator[str]:
    ways = ways_from(drawing.chart)
    for node in drawing.chart.nodes:
        yield from _function(node, drawing, _outcomes(ways.get(node.key, ())))
    yield from ("", "builder = StateGraph(State)")
    for node in drawing.chart.nodes:
        name = _name(node.key)
        yield f'builder.add_node("{name}", {name})'
        goals = [goal for _, goal in _outcomes(ways.get(node.key, ()))]
        if len(goals) < 2:
            yield f'builder.add_edge("{name}", {"".join(goals) or "END"})'
        else:
            listed = ", ".join(f"{at}: {goal}" for at, goal in enumerate(goals))
            yield f'builder.add_conditional_edges("{name}", chosen, {{{listed}}})'
    yield f'builder.add_edge(START, "{_name(first)}")'


def _function(node: Node, drawing: Drawing, outcomes: Sequence[tuple[str, str]]) -> Iterator[str]:
    unit = drawing.units.get(node.key)
    _, *needs = node.label.split("\n")
    text = "\n".join((*needs, unit.body)) if unit is not None else node.label
    where = str(unit.lines_of(1, unit.body.count("\n") + 1)) if unit is not None else ""
    name = _name(node.key)
    yield from ("", f"def {name}(state: State) -> State:", "    return ask(", "        state,")
    yield f'        node="{name}",'
    yield f"        where={where!r},"
    yield from (
        "        text=(",
        *(f"            {line!r}" for line in text.splitlines(keepends=True) or [""]),
        "        ),",
    )
    yield from ("        outcomes=[", *(f"            {said!r}," for said, _ in outcomes), "        ],", "    )", "")


def _outcomes(ways: Sequence[Edge]) -> list[tuple[str, str]]:
    """What is listed at a node, each with the literal of the node to which it leads."""
    found = [(way.label or _ONWARD, f'"{_name(way.end)}"') for way in ways]
    return found if not ways or any(not way.label for way in ways) else [*found, (_NONE, "END")]


def _name(key: str) -> str:
    kind = "step" if key.startswith("s") else "other"
    return f"{kind}_{key[1:]}"
