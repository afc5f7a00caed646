"""Units in their order -> what follows each: the next step, the sections side by side that are branches.

And its links as readers take them, whoever named them: a rule, a model or a draft.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from thread_core import linking
from thread_core.documents import cases, directions
from thread_core.extraction.drafts import Draft
from thread_core.layout import intent
from thread_core.models import Link, LinkAction, LogicUnit, LogicUnitType, Span, Target, changed

Path = tuple[str, ...]
"""Headings from the top of a document down to a section."""
MOST_BRANCHES = 20
"""Sections side by side that are branches of the step before them; a longer row of them is a catalog."""


def next_steps(units: Sequence[LogicUnit]) -> list[LogicUnit | None]:
    """For each step, the next step of the document; branches, and the step before them, go on after the branches.

    Branches are sections side by side whose headings state cases.
    """
    found: list[LogicUnit | None] = []
    behind: dict[Path, LogicUnit | None] = {}
    upcoming: LogicUnit | None = None
    for unit in reversed(units):
        own = cases.case_of(unit.section)
        taken = cases.case_of(upcoming.section) if upcoming is not None else ()
        after = behind.get(taken[:-1]) if taken and own != taken else upcoming
        if own and own[:-1] != taken[:-1]:
            behind[own[:-1]] = after
        is_step = unit.type == LogicUnitType.STEP
        found.append(after if is_step else None)
        upcoming = unit if is_step else upcoming
    return found[::-1]


def leading_on(units: Sequence[LogicUnit]) -> Iterator[LogicUnit]:
    """Units, given with their other links, with the bare link to the next step where no other way is the only one.

    The ways from a step that is drawn are all that there are.
    """
    for unit, upcoming in zip(units, next_steps(units), strict=True):
        if (
            upcoming is None
            or unit.rewritten
            or any(leads_on(link) and not _repeats(link, unit) for link in unit.links)
        ):
            yield unit
        else:
            bare = Link(query=intent(upcoming), target=Target(place=upcoming.place))
            yield changed(unit, {"links": (*unit.links, bare)})


def leads_on(link: Link) -> bool:
    """Whether a link leads on within its document whatever is the case: what is only to be read does not."""
    return not link.condition and link.action is not LinkAction.CROSS and not directions.refers(link.query)


def _repeats(link: Link, unit: LogicUnit) -> bool:
    """Whether a link leads back to steps of its own section ("repeat steps 2 to 4"), after which it goes on."""
    goal, done = link.target, max(unit.steps, default=0)
    return goal is not None and goal.anchor == unit.place.anchor and 0 < (goal.step or 0) <= done


def alternatives(index: int, units: list[LogicUnit], drafts: list[Draft], offered: set[str]) -> Iterator[Link]:
    """Sections side by side whose headings state cases are the branches of the step before them.

    Each is offered once: what is `offered` already is left out, and what is offered here is added.

    Args:
        index: Of the step.
        units: Those of the document.
        drafts: Of which they were made.
        offered: The anchors of what was offered.
    """
    if index + 1 >= len(units) or drafts[index + 1].section is drafts[index].section:
        return
    first = drafts[index + 1].section

    if first.anchor in offered or not cases.heading_condition(first.title):
        return
    parent, level = first.path[:-1], first.level
    beside = drafts[index].section.path[len(parent) : len(parent) + 1]
    is_within = any(map(cases.heading_condition, beside))
    if drafts[index].section.path[: len(parent)] == parent and is_within:
        return  # the unit stands in one of the alternatives itself
    stated: list[str] = []
    for position in range(index + 1, len(units)):
        other, section = units[position], drafts[position].section
        if section.level < level or section.path[: len(parent)] != parent or len(stated) == MOST_BRANCHES:
            return
        condition = cases.heading_condition(section.title)
        if condition and section.level == level and section.anchor not in offered:
            offered.add(section.anchor)
            if condition == cases.OTHERWISE and stated:
                condition = f"not: {', or '.join(stated)}"
            stated.append(condition)
            evidence = Span(other.document_id, *section.heading) if section.heading else None
            yield Link(condition, intent(other), LinkAction.CONTINUE, Target(place=other.place), evidence)


def hyperlink(href: str, condition: str, query: str, evidence: Span | None) -> Link:
    """A link to where a hyperlink leads: a document, or a section of the same one."""
    document, anchor = linking.destination(href)
    action = LinkAction.CROSS if document else LinkAction.CONTINUE
    return Link(condition, query, action, Target(document=document, anchor=anchor), evidence)


def settled(link: Link, unit: LogicUnit, ids: Mapping[str, str]) -> Link | None:
    """A link as a reader takes it: a program to fetch is no document."""
    if link.target and link.target.document and not linking.is_document(link.target.document):
        here = Target(place=unit.place)
        return Link(link.condition, link.query, LinkAction.CONTINUE, here, link.evidence) if link.condition else None
    goal = link.target
    if goal and goal.document in ("", f"#{goal.anchor}") and (goal.document or goal.anchor) and goal.anchor in ids:
        here = changed(goal, {"document": "", "anchor": ids[goal.anchor]})
        link = changed(link, {"target": here, "action": LinkAction.CONTINUE if goal.document else link.action})
    return link


def with_links(unit: LogicUnit, links: Sequence[Link]) -> LogicUnit:
    """A unit with its links, each once."""
    every = tuple(links)
    if len({link.query for link in every}) < len(every):  # to compare whole links takes long, and few say the same
        every = tuple(dict.fromkeys(every))
    return changed(unit, {"links": every}) if every or unit.links else unit
