"""Extraction with a model that names lines: bodies are cut from the source, so that none can be invented.

A model is shown numbered lines and says which of them are a unit, what it is for, and where its outcomes lead. What it
says is checked against the document (`checking`), and left out where it stays wrong. Everything else, units with wrong
lines and the links that it forgets, are made as the rules make them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from thread_core.documents import directions
from thread_core.documents.blocks.markdown import Markdown
from thread_core.errors import BadReply
from thread_core.extraction import fidelity, following, forgotten
from thread_core.extraction.bound import Bound
from thread_core.extraction.checking import (
    Division,
    NamedLink,
    NamedUnit,
    check,
    claims_of,
    hyperlink_of,
    mended,
    parameter,
    refused,
    without,
)
from thread_core.extraction.claims import Basis, Fault
from thread_core.extraction.drafts import Draft
from thread_core.extraction.fidelity import Extraction
from thread_core.extraction.naming import name
from thread_core.extraction.pages import Lines, Page, in_parts, room_for, runs
from thread_core.extraction.sections import Sections
from thread_core.layout import intent
from thread_core.llm.asking import Ask, Keep, Kept, Role, ask_until, read
from thread_core.llm.costs import tokens
from thread_core.llm.prompting import Prompt
from thread_core.models import Link, LinkAction, LogicUnit, LogicUnitType, Span, Target
from thread_core.plan import Plan
from thread_core.ports import Usage

LONGEST_PART = 5_000
"""Tokens of a document that are shown at once, so that the reply is not cut off at what models write at most."""
SHARE = 0.9
"""Tokens of a reply for each token of the lines that are shown, hardly more: of documents full of branches."""
BESIDES = 300
"""Tokens of a reply to the shortest document, and of a complaint."""
WANTED = "a JSON object with these units alone, and with units for lines that are in none,"
"""What is to be given again of a reply with faults."""


def extract(
    page: Page, markdown: Markdown, prompt: Prompt, domain: str = "", bound: Bound | None = None
) -> Plan[Extraction]:
    """A document's units as a model names them. A document that is too long to be shown at once is shown in parts.

    Raises:
        BadReply: no reply could be used.
        ModelError: the model gave no reply.
        BudgetSpent: the next call was not made.
    """
    basis = Basis(page)
    failed: list[BadReply] = []
    problems: list[str] = []

    def divide(part: Lines) -> Plan[list[_Named]]:
        try:
            division = yield from _division(basis, part, prompt, domain)
        except BadReply as error:
            failed.append(error)
            problems.append(f"{part.named}: the model's reply could not be used: {error}")
            division = Division(units=[])
        return _named(division, basis, part, problems)

    parts: list[list[_Named]] = yield from in_parts(page, (yield from _room(page, prompt, domain)), divide)
    named = [one for part in parts for one in part]
    if failed and not any(one.is_by_model for one in named):
        raise failed[-1]
    added: list[Link] = []
    units = following.leading_on(list(_units(named, page, added)))
    problems += map(forgotten.added, added)
    extraction = fidelity.complete(page.document, markdown, units, "grounded", by_rules=added, bound=bound)
    report = extraction.report.model_copy(update={"problems": (*extraction.report.problems, *problems)})
    return Extraction(extraction.units, report)


def estimate(page: Page, prompt: Prompt, domain: str = "") -> Plan[Usage]:
    """What `extract` will cost where every reply is good. Asks only how much the model reads at once."""
    room: int = yield from _room(page, prompt, domain)
    asks = [_ask(page, part, prompt, domain) for part in page.parts(room)]
    costs = (Usage(calls=1, prompt_tokens=tokens(one.messages), completion_tokens=one.expected) for one in asks)
    return sum(costs, Usage())


def _division(basis: Basis, part: Lines, prompt: Prompt, domain: str) -> Plan[Division]:
    """What a model replies; after the complaint, with the units in it that are given anew."""
    question = _ask(basis.page, part, prompt, domain)
    first: list[Division] = []

    def reading(text: str) -> tuple[Division | None, list[str]]:
        division, wrong = read(text, Division, lambda one: check(one, basis, part).told())
        first[:] = [division] if division else []
        return division, wrong

    def last(text: str) -> tuple[Division | None, list[str]]:
        division, wrong = read(text, Division)
        if division and first:
            anew = [division.units[at] for at, _ in check(division, basis, part).good]
            division = mended(first[0], Division(units=anew)) if anew else division
        checked = check(division, basis, part) if division else None
        if checked is None or checked.good:
            return division, wrong
        return None, checked.told() or ["no unit of it has a line that says something"]

    recalled: str | None = yield Kept(question, lambda text: not last(text)[1])
    if recalled is not None and (kept := last(recalled)[0]):
        return kept
    division: Division = yield from ask_until(question, reading, WANTED, last=last)
    yield Keep(question, division.model_dump_json())
    return division


def _room(page: Page, prompt: Prompt, domain: str) -> Plan[int]:
    """How many tokens of the document can be shown at once, so that there is room to mend a bad reply."""
    besides = tokens(_ask(page, Lines(1, 0), prompt, domain).messages) + 3 * BESIDES
    return (yield from room_for(LONGEST_PART, besides, 1 + 2 * SHARE))


def _ask(page: Page, part: Lines, prompt: Prompt, domain: str) -> Ask:
    fields = {"domain": domain or "not said", **page.fields(part)}
    expected = BESIDES + int(SHARE * page.cost(part))
    return Ask(Role.EXTRACTOR, tuple(prompt.messages(fields)), Division, expected)


class _Named(NamedTuple):
    """A unit as a model named it, without what is wrong, or as the rules make it, and the lines of its body."""

    unit: NamedUnit
    lines: Lines
    refused: Set[int]
    """The lines of links that were wrong, and of units that the rules make."""
    is_by_model: bool = True


def _named(division: Division, basis: Basis, part: Lines, problems: list[str]) -> list[_Named]:
    """The units of a division, and where it has none the rules'; what is left out is added to the problems."""
    page = basis.page
    checked = check(division, basis, part)
    wrong: dict[int, list[Fault]] = {}
    for at, fault in checked.parts:
        wrong.setdefault(at, []).append(fault)
    found: list[_Named] = []
    for at, own in checked.good:
        unit, faults = division.units[at], wrong.get(at, [])
        problems += (f"{own.named}, {fault.mended}" for fault in faults)
        found.append(_Named(without(unit, faults), own, refused(unit, faults, part)))
    problems += (f"a unit is not used, lines: {text}" for texts in checked.grave.values() for text in texts)
    held = {line for one in found for line in one.lines.numbers}
    for run in runs(page.required_in(part), held) if found or not division.units else ():
        problems += [f"{run.named}: the rules' units stand there"] if found else []
        found += _by_rules(page, run)
    return sorted(found, key=lambda one: one.lines)


def _by_rules(page: Page, run: Lines) -> Iterator[_Named]:
    """The units that the rules make of some lines."""
    for unit in page.by_rules:
        start, end = max(run.start, unit.start), min(run.end, unit.body_spans[-1].end)
        if own := page.trimmed(Lines(start, end)):
            named = NamedUnit(
                type=unit.type,
                header="",
                lines=str(own),
                prerequisites=list(unit.prerequisites),
                links=[],
                parameters=[],
            )
            yield _Named(named, own, own.numbers, is_by_model=False)


def _units(named: Sequence[_Named], page: Page, added: list[Link]) -> Iterator[LogicUnit]:
    """The units with all that the rules give them but the bare link to the next: title, section, place, steps.

    Links that the model has forgotten are given to them, and `added`.
    """
    made = [
        (draft, LogicUnitType(one.unit.type), one.unit.header or page.lead(one.lines))
        for one, draft in zip(named, _drafts(named, page), strict=True)
    ]
    units = name(page.document, page.plan, page.source, made)
    sections = Sections(page.plan.sections, units)
    ends = [one.lines.end for one in named]
    seen = forgotten.seen(page)
    for one, unit in zip(named, units, strict=True):
        said = [link for link in map(NamedLink.read, one.unit.links) if link]
        goals = [units[bisect_left(ends, link.to)] if link.to else None for link in said]
        stated = [_link(link, goal, unit, sections, page) for link, goal in zip(said, goals, strict=True)]
        settled = (following.settled(link, unit, page.plan.ids) for link in stated)
        links = [link for link in settled if link]
        left = list(
            forgotten.forgotten(
                seen, LogicUnitType(unit.type), claims_of(one.unit, one.lines, Lines(1, len(page))), one.refused
            )
        )
        links += (forgotten.led(link, page, unit, lambda line: units[bisect_left(ends, line)]) for link in left)
        added += left
        filled = {**unit.parameters, **dict(map(parameter, one.unit.parameters))}
        yield following.with_links(unit, links).model_copy(update={"parameters": filled})


def _drafts(named: Sequence[_Named], page: Page) -> Iterator[Draft]:
    before = 0
    for one in named:
        draft = page.draft([one.lines], [section for _, section in page.begun(before, one.lines.start)])
        draft.prerequisites += [text for said in one.unit.prerequisites if (text := " ".join(said.split()))]
        yield draft
        before = one.lines.end


def _link(named: NamedLink, goal: LogicUnit | None, unit: LogicUnit, sections: Sections, page: Page) -> Link:
    """A link with the place that the document names: a unit, a hyperlink, a step, a section; else its query stands."""
    evidence = Span(unit.document_id, *named.evidence)
    if goal:
        query = named.query or intent(goal)
        if not named.condition and not directions.directs(query):
            query = f"Continue with {query}"  # a way on in any case, and nothing that is only to be read
        inside = page.steps_in(Lines(named.to, named.to)) if named.to > goal.start else []
        target = Target(place=goal.place, step=inside[0][1] if inside else None)
        return Link(named.condition, query, named.action, target, evidence)
    if hyperlink := hyperlink_of(named, page):
        query = named.query or " ".join(hyperlink.text.split())
        return following.hyperlink(hyperlink.href, named.condition, query, evidence)
    jump = directions.jump(named.query)
    here = sections.meant_by(named.query, jump, unit, ()) if named.action is LinkAction.CONTINUE else None
    return Link(named.condition, named.query, named.action, here, evidence)
