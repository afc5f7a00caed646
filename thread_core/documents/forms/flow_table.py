"""A table whose rows are steps and say where each outcome leads, to other rows by their numbers -> a flowchart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from thread_core.documents import directions
from thread_core.documents.blocks.markdown import Block
from thread_core.documents.blocks.source import Source
from thread_core.documents.cases import heading_condition
from thread_core.documents.forms.flowchart import Edge, Flowchart, Node
from thread_core.documents.forms.tables import ANSWER, parted, says_nothing

_NUMBERED = re.compile(r"(?:step\s+)?(?P<number>\d{1,3})[a-z]?(?:\s*[.):–-]\s*|\s+|$)(?P<text>.*)", re.IGNORECASE)
_REFERENCE = re.compile(
    r"(?:(?:go|continue|proceed)\s+(?:to|with)\s+)?(?:step\s+|row\s+|#)?(\d{1,3})\W*", re.IGNORECASE
)
_ALWAYS = frozenset(("", "done", "always", "any", "ok", "-", "–", "—", "n/a"))
"""What stands in the place of an outcome where there is but one way."""
_END = re.compile(r"\bends?\b", re.IGNORECASE)
_CELL_END = re.compile(r"(?<!\\)\|")


class _Way(NamedTuple):
    """What is to be done after an outcome."""

    label: str
    """The outcome; empty where there is but one way."""
    said: str
    end: str
    """The node to which it leads; empty where the step is the last one."""


class _Row(NamedTuple):
    line: int
    number: int
    text: str
    ways: Sequence[_Way]


def read_flow_table(table: Block, source: Source) -> Flowchart | None:
    """Read a table of numbered steps with where they lead; None where it is another one.

    Rows that follow one another and have one number are one step. Lines are the document's.
    """
    head, body = parted(table)
    titles = _cells(source.line(head.start))
    read = (_row(_cells(source.line(one.start)), titles, one.start) for one in body)
    rows = [row for row in takewhile(bool, read) if row is not None]
    numbers = {str(row.number) for row in rows}
    goals = [way.end for row in rows for way in row.ways if way.end.isdecimal()]
    if len(rows) < len(body) or len(numbers) < 2 or len(goals) < 2 or not numbers.issuperset(goals):
        return None
    return Flowchart(tuple(_nodes(rows)), tuple(_edges(rows)))


def _cells(line: str) -> list[str]:
    """The cells of a line as they are written."""
    bare = line.strip().removeprefix("|")
    bare = bare.removesuffix("|") if not bare.endswith("\\|") else bare
    return [cell.replace("\\|", "|").strip() for cell in _CELL_END.split(bare)]


def _row(cells: Sequence[str], titles: Sequence[str], line: int) -> _Row | None:
    """A row: its number, what is to be done or asked, and its ways; None where it is no step."""
    found = _NUMBERED.fullmatch(cells[0])
    if found is None or len(cells) != len(titles):
        return None
    is_apart = not found["text"]
    text, rest = (cells[1], 2) if is_apart and len(cells) > 2 else (found["text"], 1)
    answers = [at for at in range(rest, len(cells)) if ANSWER.fullmatch(titles[at]) or heading_condition(titles[at])]
    if len(answers) > 1:
        ways = [(titles[at].strip(" ?:."), cells[at]) for at in answers if not says_nothing(cells[at])]
    elif len(cells) - rest == 2:
        ways = [(cells[rest], cells[rest + 1])]
    elif len(cells) - rest == 1:
        ways = [("", cells[rest])]
    else:
        return None
    number = int(found["number"])
    return _Row(line, number, text, [_way(number, *way) for way in ways]) if text else None


def _way(number: int, outcome: str, said: str) -> _Way:
    label = "" if outcome.casefold() in _ALWAYS else outcome
    goal = _goal(said)
    if goal is not None:
        return _Way(label, said, str(goal))
    return _Way(label, said, "" if not label and _ends(said) else f"{number} {outcome}")


def _goal(said: str) -> int | None:
    """The step that a cell names."""
    if found := _REFERENCE.fullmatch(said):
        return int(found[1])
    jump = directions.jump(said)
    return jump.step if jump else None


def _nodes(rows: Sequence[_Row]) -> Iterator[Node]:
    lines: dict[int, list[_Row]] = {}
    for row in rows:
        lines.setdefault(row.number, []).append(row)
    for number, own in lines.items():
        is_asked = sum(len(row.ways) for row in own) > 1
        yield Node(str(number), own[0].text, own[0].line, own[-1].line, is_asked, number=number)
        for row in own:
            yield from (Node(way.end, way.said, row.line, row.line) for way in row.ways if _is_leaf(way))


def _edges(rows: Sequence[_Row]) -> Iterator[Edge]:
    for row in rows:
        yield from (Edge(str(row.number), way.label, way.end, row.line) for way in row.ways if way.end)


def _is_leaf(way: _Way) -> bool:
    """Whether a way leads to what its own cell says to do."""
    return bool(way.end) and not way.end.isdecimal()


def _ends(said: str) -> bool:
    """Whether nothing more is to be done."""
    return says_nothing(said) or directions.ending(said) is not None or _END.search(said) is not None
