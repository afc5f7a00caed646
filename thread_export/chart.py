"""A guide as a flowchart: a node for each step, case and end, and a way for each link."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from thread_core.documents.forms.flowchart import Edge, Flowchart, Node
from thread_core.layout import intent, is_next
from thread_core.models import Link, LinkAction, LogicUnit, LogicUnitType
from thread_core.shelf import Destination, Leads, Shelf, Way, listed

TO_DO = (LogicUnitType.STEP, LogicUnitType.FAQ)
"""Types of what is drawn in any case; units of other types are where a link leads to them or from them."""
LAST_WORDS = {LinkAction.RESOLVED: "Resolved.", LinkAction.ESCALATE: "Escalate to somebody who knows more."}
_WEB = ("http", "https")
_IN_ADDRESSES = "/:?#[]@!$&()*+,;=%-._~"


class Drawing(NamedTuple):
    """A guide as a chart, with the keys `s1`, `s2` and so on of steps, and `o1`, `o2` of cases, ends, other guides."""

    chart: Flowchart
    """Its nodes with plain labels, steps first and in reading order; its lines are those of the document."""
    units: Mapping[str, LogicUnit]
    """The steps by their keys."""


def draw(shelf: Shelf, document_id: str) -> Drawing:
    """Draw a guide. What an outcome has the reader do within a step is a node of its own, behind the outcome.

    Args:
        shelf: Holds the guide, and those that it leads to.
        document_id: Of the guide; of one that is not there the chart is empty.
    """
    return _Drawing(shelf, document_id).drawn()


def is_inside(way: Way) -> bool:
    """Whether a way leads to words of the step that it comes from."""
    goal = way.destination
    return goal.leads is Leads.INSIDE or (goal.unit is not None and goal.unit.id == way.unit.id)


def said_of(link: Link) -> str:
    """What is to be done, or looked for, along a link, in one line."""
    return one_line(link.query) or LAST_WORDS.get(link.action, "Go on.")


def one_line(text: str) -> str:
    """The words of a text in one line."""
    return " ".join(text.split())


class _Drawing:
    """A chart that is drawn."""

    def __init__(self, shelf: Shelf, document_id: str) -> None:
        self._document_id = document_id
        units = shelf.units(document_id)
        self._ways = list(shelf.ways(document_id))
        self._onward = {way.unit.id: way for way in self._ways if is_next(way.link)}
        self._units = {f"s{at}": unit for at, unit in enumerate(self._seen(units), start=1)}
        self._keys = {unit.id: key for key, unit in self._units.items()}
        deciding = {way.unit.id for way in self._ways if way.link.condition}
        self._nodes = {
            key: Node(key, _label(unit), unit.start, unit.body_spans[-1].end, unit.id in deciding)
            for key, unit in self._units.items()
        }
        self._others: dict[tuple[str, ...], str] = {}

    def _seen(self, units: Sequence[LogicUnit]) -> Iterator[LogicUnit]:
        linked = {way.unit.id for way in self._ways}
        linked |= {way.destination.unit.id for way in self._ways if way.destination.unit is not None}
        nothing_to_do = not any(unit.type in TO_DO for unit in units)
        return (unit for unit in units if nothing_to_do or unit.type in TO_DO or unit.id in linked)

    def drawn(self) -> Drawing:
        edges = {edge[:3]: edge for way in self._ways for edge in self._edges(way)}
        return Drawing(Flowchart(tuple(self._nodes.values()), tuple(edges.values())), self._units)

    def _edges(self, way: Way) -> Iterator[Edge]:
        start, condition = self._keys[way.unit.id], one_line(way.link.condition)
        line = way.link.evidence.start if way.link.evidence else way.unit.start
        if not is_inside(way):
            yield Edge(start, condition, self._goal(way.link, way.destination), line)
            return
        case = self._other(("inside", way.unit.id, condition, said_of(way.link)), said_of(way.link), line)
        yield Edge(start, condition, case, line)
        onward = self._onward.get(way.unit.id)
        if onward is not None and not is_inside(onward):
            yield Edge(case, "", self._goal(onward.link, onward.destination), line)

    def _goal(self, link: Link, goal: Destination) -> str:
        """The key of the node to which a link leads, which is drawn where there is none."""
        if goal.unit is not None and goal.unit.id in self._keys:
            return self._keys[goal.unit.id]
        said = said_of(link)
        line = link.evidence.start if link.evidence else 1
        match goal.leads:
            case Leads.STEP if goal.unit is not None:
                name = goal.unit.title or goal.document_id
                return self._other(("unit", goal.unit.id), f"{one_line(name)}: {intent(goal.unit)}", line)
            case Leads.AMBIGUOUS:
                return self._other(("", said), f"{said} (which of {listed(goal.candidates)}?)", line)
            case Leads.DANGLING:
                return self._other(("", said), f"{said} (it leads nowhere)", line)
            case _:
                href = _address(link) if goal.leads is Leads.OUTSIDE else ""
                return self._other((goal.leads.value, said, href), said, line, href)

    def _other(self, name: tuple[str, ...], label: str, line: int, href: str = "") -> str:
        key = self._others.setdefault(name, f"o{len(self._others) + 1}")
        self._nodes.setdefault(key, Node(key, label, line, line, href=href))
        return key


def _label(unit: LogicUnit) -> str:
    """What a step is for, and a line for each thing that it needs first."""
    return "\n".join((intent(unit), *(f"Needs: {one_line(text)}" for text in unit.prerequisites)))


def _address(link: Link) -> str:
    """The page on the web that a link names; empty where it names none."""
    name = link.target.document if link.target is not None else ""
    try:
        is_web = urlsplit(name).scheme.lower() in _WEB
    except ValueError:
        return ""
    return quote(name, safe=_IN_ADDRESSES) if is_web else ""
