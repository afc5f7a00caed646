"""Extraction with a model that names lines: bodies are cut from the source, so that none can be invented.

A model is shown numbered lines and says which of them are a unit, what it is for, and where its outcomes lead. What it
says is checked against the document (`checking`); everything else is made as the rules make it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from thread_core.errors import TooLong
from thread_core.extraction import drafts, fidelity, following
from thread_core.extraction.checking import Division, NamedLink, NamedUnit, faults, hyperlink_of, parameter
from thread_core.extraction.drafts import Atom, Draft
from thread_core.extraction.fidelity import Extraction
from thread_core.extraction.naming import name
from thread_core.extraction.pages import Lines, Page
from thread_core.extraction.sections import Sections
from thread_core.layout import intent
from thread_core.llm.asking import Ask, Role, Window, ask_for
from thread_core.llm.costs import tokens
from thread_core.llm.prompting import Prompt
from thread_core.models import Link, LinkAction, LogicUnit, LogicUnitType, Span, Target
from thread_core.plan import Plan
from thread_core.ports import Usage
from thread_core.text import directions
from thread_core.text.markdown import Markdown

WINDOW = 32_000
"""Tokens that a model is taken to read and write at once where it does not say."""
LONGEST_PART = 5_000
"""Tokens of a document that are shown at once, so that the reply is not cut off at what models write at most."""
SHORTEST_PART = 200
SHARE = 0.9
"""Tokens of a reply for each token of the lines that are shown, hardly more: of documents full of branches."""
BESIDES = 300
"""Tokens of a reply to the shortest document, and of a complaint."""


def extract(page: Page, markdown: Markdown, prompt: Prompt, domain: str = "") -> Plan[Extraction]:
    """A document's units as a model names them. A document that is too long to be shown at once is shown in parts.

    Raises:
        BadReply: a reply could not be used, nor the one after the complaint.
        ModelError: the model gave no reply.
        BudgetSpent: the next call was not made.
    """
    room: int = yield from _room(page, prompt, domain)
    halved = False
    named: list[_Named] = []
    start = 1
    while start <= len(page):
        part = page.part(start, room)
        if page.required_in(part):
            try:
                check = partial(faults, page=page, part=part)
                division = yield from ask_for(_ask(page, part, prompt, domain), Division, check, keep=True)
            except TooLong:
                if halved:
                    raise
                halved, room = True, page.cost(part) // 2
                continue
            named += _named(division, page)
        start = part.end + 1
    units = following.leading_on(list(_units(named, page)))
    return fidelity.complete(page.document, markdown, units, "grounded")


def estimate(page: Page, prompt: Prompt, domain: str = "") -> Plan[Usage]:
    """What `extract` will cost where every reply is good. Asks only how much the model reads at once."""
    room: int = yield from _room(page, prompt, domain)
    cost = Usage()
    start = 1
    while start <= len(page):
        part = page.part(start, room)
        if page.required_in(part):
            ask = _ask(page, part, prompt, domain)
            cost += Usage(calls=1, prompt_tokens=tokens(ask.messages), completion_tokens=ask.expected)
        start = part.end + 1
    return cost


def _room(page: Page, prompt: Prompt, domain: str) -> Plan[int]:
    """How many tokens of the document can be shown at once, so that there is room to mend a bad reply."""
    window: int | None = yield Window(Role.EXTRACTOR)
    besides = tokens(_ask(page, Lines(1, 0), prompt, domain).messages) + 3 * BESIDES
    fitting = int(((window or WINDOW) - besides) / (1 + 2 * SHARE))
    return max(SHORTEST_PART, min(LONGEST_PART, fitting))


def _ask(page: Page, part: Lines, prompt: Prompt, domain: str) -> Ask:
    fields = {
        "domain": domain or "not said",
        "outline": page.outline(part),
        "first": str(part.start),
        "last": str(part.end),
        "all": str(len(page)),
        "lines": page.text(part),
    }
    expected = BESIDES + int(SHARE * page.cost(part))
    return Ask(Role.EXTRACTOR, tuple(prompt.messages(fields)), expected=expected)


class _Named(NamedTuple):
    """A unit as a model named it, and the lines of its body."""

    unit: NamedUnit
    lines: Lines


def _named(division: Division, page: Page) -> Iterator[_Named]:
    for unit in division.units:
        lines = Lines.read(unit.lines)
        if lines is not None and (own := page.trimmed(lines)) is not None:
            yield _Named(unit, own)


def _units(named: Sequence[_Named], page: Page) -> Iterator[LogicUnit]:
    """The units with all that the rules give them but the bare link to the next: title, section, place, steps."""
    made = [
        (draft, LogicUnitType(one.unit.type), one.unit.header)
        for one, draft in zip(named, _drafts(named, page), strict=True)
    ]
    units = name(page.document, page.plan, page.source, made)
    sections = Sections(page.plan.sections, units)
    ends = [one.lines.end for one in named]
    for one, unit in zip(named, units, strict=True):
        said = [link for link in map(NamedLink.read, one.unit.links) if link]
        goals = [units[bisect_left(ends, link.to)] if link.to else None for link in said]
        stated = [_link(link, goal, unit, sections, page) for link, goal in zip(said, goals, strict=True)]
        settled = (following.settled(link, unit, page.plan.ids) for link in stated)
        links = [link for link in settled if link]
        filled = dict(map(parameter, one.unit.parameters))
        yield following.with_links(unit, links).model_copy(update={"parameters": filled})


def _drafts(named: Sequence[_Named], page: Page) -> Iterator[Draft]:
    before = 0
    for one in named:
        start, end = one.lines
        steps = [number for _, number in page.steps_in(one.lines)]
        above = [section for _, section in page.begun(before, start)]
        atom = Atom(start, end, [], page.source.size(start, end), lead=page.leads.get(start))
        draft = drafts.under(above, page.section(start), [atom], steps)
        draft.prerequisites += [text for said in one.unit.prerequisites if (text := " ".join(said.split()))]
        yield draft
        before = end


def _link(named: NamedLink, goal: LogicUnit | None, unit: LogicUnit, sections: Sections, page: Page) -> Link:
    """A link with the place that the document names: a unit, a hyperlink, a step, a section; else its query stands."""
    evidence = Span(unit.document_id, *named.evidence)
    if goal:
        query = named.query or intent(goal)
        inside = page.steps_in(Lines(named.to, named.to)) if named.to > goal.start else []
        target = Target(place=goal.place, step=inside[0][1] if inside else None)
        return Link(named.condition, query, named.action, target, evidence)
    if hyperlink := hyperlink_of(named, page):
        query = named.query or " ".join(hyperlink.text.split())
        return following.hyperlink(hyperlink.href, named.condition, query, evidence)
    jump = directions.jump(named.query)
    here = sections.meant_by(named.query, jump, unit, ()) if named.action is LinkAction.CONTINUE else None
    return Link(named.condition, named.query, named.action, here, evidence)
