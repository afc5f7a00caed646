"""Procedures that are drawn -> a step for each of their nodes, linked along their ways; the drawing stays as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from thread_core.documents import directions, drawings, leaning, templates
from thread_core.documents.blocks.markdown import Hyperlink, parse, parts
from thread_core.documents.forms.flowchart import Edge, Flowchart, Node
from thread_core.documents.promises import Role
from thread_core.documents.sections import Outline
from thread_core.extraction import following
from thread_core.extraction.drafts import Draft
from thread_core.extraction.sections import Sections
from thread_core.layout import intent
from thread_core.models import Link, LinkAction, LogicUnit, LogicUnitType, Place, Span, Target, changed
from thread_core.text import header, sentences
from thread_core.text.scripts import COLONS

_ANSWERS = {"yes": "", "y": "", "true": "", "no": leaning.OPPOSITE, "n": leaning.OPPOSITE, "false": leaning.OPPOSITE}
"""What is written beside a way, and what makes the question of its node to the condition of the way."""
_TOLD = frozenset(("paragraph", "quote", "code", "table", "row"))
"""Blocks that lead to a drawing, and its own."""
_MARKS = re.compile(r"[\[*_`<&\\]")
"""Of these a label has one in which Markdown says more than its words."""
_NAMED = re.compile(r"chart|diagram|\btree\b", re.IGNORECASE)
"""What a drawing is called."""


def only_shows(draft: Draft) -> bool:
    """Whether a draft has a drawn procedure, and says nothing to be done besides: its words lead to the drawing."""
    kinds = [block.kind for block in draft.blocks]
    if not draft.charts or kinds.count("code") > len(draft.charts) or not _TOLD.issuperset(kinds):
        return False
    said = [one.text for block in draft.blocks if block.kind == "paragraph" for one in sentences.cut(block.text)]
    return not any(sentences.instructs(one) and not (one.endswith(COLONS) or _NAMED.search(one)) for one in said)


def with_steps(
    units: Sequence[LogicUnit], drafts: Sequence[Draft], sections: Sections, plan: Outline
) -> Iterator[LogicUnit]:
    """Units, given with their drafts, each with the steps that are drawn in it behind it."""
    for unit, draft, after in zip(units, drafts, _steps_after(units), strict=True):
        yield unit
        number = unit.place.number
        for chart in draft.charts:
            is_same = after is not None and after.place.anchor == unit.place.anchor
            drawn = _Drawn(unit, draft, chart, number, after if is_same else None)
            yield from sorted(drawn.steps(sections, plan), key=lambda step: step.position)
            number += len(chart.nodes)


def _steps_after(units: Sequence[LogicUnit]) -> list[LogicUnit | None]:
    """The first step behind each unit, whatever it is."""
    found: list[LogicUnit | None] = []
    upcoming: LogicUnit | None = None
    for unit in reversed(units):
        found.append(upcoming)
        upcoming = unit if unit.type == LogicUnitType.STEP else upcoming
    return found[::-1]


class _Drawn:
    """A procedure that is drawn in a unit."""

    def __init__(self, unit: LogicUnit, draft: Draft, chart: Flowchart, number: int, after: LogicUnit | None) -> None:
        self._unit = unit
        self._kind = _kind(draft)
        self._nodes = {node.key: node for node in chart.nodes}
        anchor = unit.place.anchor
        self._places = {key: Place(anchor, number + at) for at, key in enumerate(self._nodes, start=1)}
        self._ways = drawings.ways_from(chart)
        self._after = after
        """The step with which the section goes on behind the drawing."""

    def steps(self, sections: Sections, plan: Outline) -> Iterator[LogicUnit]:
        """A unit for each node."""
        for key, node in self._nodes.items():
            at = self._span(node.first, node.last)
            unit = changed(
                self._unit,
                {
                    "place": self._places[key],
                    "type": self._kind,
                    "header": header.compose(self._unit.title, self._unit.section, _words(node.label)),
                    "body": node.label,
                    "links": (),
                    "parameters": templates.marked(node.label),
                    "steps": () if node.number is None else (node.number,),
                    "spans": (at,),
                    "body_spans": (at,),
                    "rewritten": True,
                },
            )
            named = [link for one in self._named(unit, node) if (link := following.settled(one, unit, plan.ids))]
            ways = self._ways.get(key, ())
            links = [*self._onward(node, ways, sections), *named]
            if not ways and not any(map(_leads_on, links)):
                links.append(self._end(unit, node, sections))
            yield following.with_links(unit, links)

    def _span(self, first: int, last: int) -> Span:
        return Span(self._unit.document_id, first, last)

    def _onward(self, node: Node, ways: Sequence[Edge], sections: Sections) -> Iterator[Link]:
        """The links along the ways from a node: one alone is gone in any case, but where it is an answer.

        A way to a last node that is called as a section is leads into the section.
        """
        is_answered = len(ways) > 1 or node.decides or node.label.endswith("?")
        is_unlabelled = sum(not way.label for way in ways) > 1
        stated: set[str] = set()
        for way in ways:
            goal = self._nodes[way.end]
            condition = _condition(node, way) if is_answered else ""
            if not condition and is_unlabelled:
                condition = _words(goal.label)
            if condition.casefold() in stated:
                condition = f"{_words(way.label)}: {_words(goal.label)}"
            stated.add(condition.casefold())
            named = sections.titled(_words(goal.label)) if way.end not in self._ways else None
            place = named or Target(place=self._places[way.end])
            yield Link(condition, _words(goal.label), LinkAction.CONTINUE, place, self._span(way.line, way.line))

    def _named(self, unit: LogicUnit, node: Node) -> Iterator[Link]:
        """The links to where a click on a node leads, and to what its label links."""
        hrefs = [node.href] if node.href else []
        for href in (*hrefs, *(link.href for link in _hyperlinks(node.label))):
            yield following.hyperlink(href, "", _words(node.label), unit.body_spans[0])

    def _end(self, unit: LogicUnit, node: Node, sections: Sections) -> Link:
        """Where the last step of a way leads: where it says, on behind the drawing, or to an end."""
        label, at = _words(node.label), unit.body_spans[0]
        if (section := sections.titled(label)) is not None:
            return Link("", label, LinkAction.CONTINUE, section, at)
        said = [one.text for one in sentences.cut(label)]
        action = next((found for one in reversed(said) if (found := directions.ending(one))), None)
        if action is not None:
            return Link("", label, action, None, at)
        for one in filter(directions.directs, said):
            target = sections.meant_by(one, directions.jump(one), unit, ())
            if target is not None:
                return Link("", label, LinkAction.CONTINUE, target, at)
        if self._after is not None:
            goal = Target(place=self._after.place)
            return Link("", intent(self._after), LinkAction.CONTINUE, goal, at)
        return Link("", label, LinkAction.RESOLVED, None, at)


def _kind(draft: Draft) -> LogicUnitType:
    """What the steps of a drawing are for: what only explains, as its heading says, is no procedure."""
    section = draft.section
    explains = section.role in (Role.BACKGROUND, Role.TERMINOLOGY) and section.named
    return LogicUnitType.BACKGROUND if explains else LogicUnitType.STEP


def _condition(node: Node, way: Edge) -> str:
    """When a way is taken: as it says, or of an answer with yes or no what is asked."""
    opposite = _ANSWERS.get(way.label.strip(" .:!").casefold())
    return _words(way.label) if opposite is None else f"{opposite}{_question(node.label)}"


def _question(label: str) -> str:
    """What a node asks with yes or no for an answer, as a question: "Lamp lit?", also of "Check if it is lit"."""
    said = [one.text for one in sentences.cut(_words(label))]
    asked = next((one for one in reversed(said) if one.endswith("?")), "") or leaning.wonders(said[-1]) or said[-1]
    return f"{asked.rstrip(' .:!?')}?"


def _leads_on(link: Link) -> bool:
    return link.target is not None and directions.directs(link.query)


def _hyperlinks(label: str) -> list[Hyperlink]:
    return [link for block in parts(parse(label).blocks) for link in block.links] if _MARKS.search(label) else []


def _words(label: str) -> str:
    """The words of a label in one line, without marks."""
    read = " ".join(block.flat for block in parts(parse(label).blocks) if block.text) if _MARKS.search(label) else ""
    return read or " ".join(label.split())
