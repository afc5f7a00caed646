"""The ways on from a step: every passage of the document at hand that an outcome could mean.

A way is a link's condition, a sentence, a whole unit, or a document that it links to. Which of them was meant says
`matching`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from thread_core.branching import Branches
from thread_core.layout import leads_inside
from thread_core.models import Link, LinkAction, LogicUnit, LogicUnitType
from thread_core.text import conditions, directions, sentences
from thread_core.text.cases import is_rest
from thread_core.text.fences import Fence
from thread_core.text.resorts import Resort, resort
from thread_core.text.scripts import COLONS
from thread_core.text.source import Source
from thread_core.walking.endings import came_of

_REFERENCE = re.compile(
    r"(?:for )?(?:(?:more|further|additional|detailed) )*(?:information|details|instructions)\b|.*\bmore information\b",
    re.IGNORECASE,
)
_ITEM = re.compile(r"\s{0,3}(?:[-*+]|\d{1,9}[.)])\s")
_NUMBERED = re.compile(r"\s{0,3}(\d{1,9})[.)]\s")
_PICTURE = re.compile(
    r"\s*(?::::image\s.*:::|(?:!\[[^\]]*\]\([^()]*\)\s*|\[!\[[^\]]*\]\([^()]*\)\]\([^()]*\)\s*|<img\b[^<>]*>\s*)+)\s*",
    re.IGNORECASE,
)
"""A line that is nothing but pictures."""
_CASE_NUMBER = re.compile(r"\W*\d+\W*$")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A way on: a unit of the document, from a line on, and the link that leads there where one does."""

    unit: LogicUnit
    line: int
    end: int
    """Last line of the passage."""
    condition: str
    """What selects it, in the document's words; empty where the passage says no condition."""
    passage: str
    distance: int
    """How many units after the current one it stands; negative before it."""
    link: Link | None = None


AT_ONCE = 900
"""Characters of a unit that is offered whole."""
WHOLE = 600
"""Characters; a passage up to this long is shown from its beginning, a longer one from the condition on."""


def candidates(current: LogicUnit, units: Sequence[LogicUnit]) -> list[Candidate]:
    """All ways on from a unit, in reading order: each passage of its document's steps, and cases that others tell."""
    at = next((index for index, unit in enumerate(units) if unit.id == current.id), 0)
    found: list[Candidate] = []
    remedies = _remedies(units)
    for index, unit in enumerate(units):
        if unit.type in (LogicUnitType.STEP, LogicUnitType.FAQ) or unit.id == current.id:
            found += _of_unit(unit, index - at, unit.section != current.section)
        elif index in remedies:
            found += _findings(unit, units[remedies[index]], remedies[index] - at)
        elif unit.type == LogicUnitType.APPENDIX:
            ways = _of_unit(unit, index - at, False)
            found += [way for way in ways if way.link is not None and not _REFERENCE.match(way.link.condition)]
    return found


def _remedies(units: Sequence[LogicUnit]) -> dict[int, int]:
    """By the places in a document of units that only describe a case, where it is remedied: at the first step after it.

    Descriptions of cases go by one name ("Symptom 1", "Symptom 2"), and each is followed by a step of its own.
    """
    found: dict[str, dict[int, int]] = {}
    waiting: list[int] = []
    for index, unit in enumerate(units):
        if unit.type == LogicUnitType.BACKGROUND and unit.section:
            waiting.append(index)
        elif unit.type == LogicUnitType.STEP:
            for described in waiting:
                found.setdefault(_CASE_NUMBER.sub("", units[described].section[-1].lower()), {})[described] = index
            waiting = []
    alike = [remedies for remedies in found.values() if len(set(remedies.values())) > 1]
    return {described: remedy for remedies in alike for described, remedy in remedies.items()}


def _findings(described: LogicUnit, remedy: LogicUnit, distance: int) -> Iterator[Candidate]:
    """A remedy as the way on from each passage that describes its case."""
    line, end, _ = next(iter(passages(remedy)))
    for _, _, passage in passages(described):
        said = next((sentence.text for sentence in sentences.cut(words_of(passage))), passage)
        yield Candidate(remedy, line, end, said, passage, distance)


def _of_unit(unit: LogicUnit, distance: int, elsewhere: bool) -> Iterator[Candidate]:
    label = unit.section[-1] if unit.section and elsewhere and unit.place.number == 1 else ""
    for line, end, passage in passages(unit):
        stated = [
            link
            for link in unit.links
            if link.condition and link.evidence and line <= link.evidence.start <= end and unit.says(link)
        ]
        ahead = [link for link in outcomes(unit, stated) if _leads_on(unit, link)]
        onward = {link.condition: link for link in ahead if link.action is not LinkAction.ESCALATE}
        onward |= _broken_off(stated)
        stated = [link for link in stated if onward.get(link.condition, link) is link]
        heads = label if line == unit.start else ""
        if not stated:
            yield Candidate(unit, line, end, heads, f"{heads}\n{passage}".strip(), distance)
        for link in stated:
            start = line if link.evidence is None or len(passage) <= WHOLE else link.evidence.start
            yield Candidate(unit, start, end, f"{heads} {link.condition}".strip(), passage, distance, link)
    for link in unit.links:
        if distance == 0 and link.condition and not unit.says(link):
            at = link.evidence or unit.body_spans[0]
            yield Candidate(unit, at.start, at.end, link.condition, f"{link.condition} {link.query}", distance, link)


def when_needed(units: Sequence[LogicUnit], shown: Collection[str]) -> list[Candidate]:
    """What a document has beyond its last step: sections for when they are needed, and to whom an appendix hands over.

    One to which only an outcome leads is for when it is needed too.

    Args:
        units: The document's.
        shown: The ids of units that the person has seen; sections that begin with them are left out.
    """
    branches = Branches.of(units)
    alone = {path: path for fork in branches.forks if fork.is_alone for path in fork.sections}
    needed = {**alone, **branches.resorts}
    heads: dict[tuple[str, ...], LogicUnit] = {}
    for unit in units:
        if unit.type == LogicUnitType.STEP and unit.section in needed:
            heads.setdefault(needed[unit.section], unit)
    found = [replace(beginning(unit), condition=path[-1]) for path, unit in heads.items() if unit.id not in shown]
    for unit in units:
        if unit.type == LogicUnitType.APPENDIX:
            stated = (way for way in _of_unit(unit, 0, False) if way.link is not None)
            found += [way for way in stated if way.link and way.link.action is LinkAction.ESCALATE]
    return list({way.condition: way for way in reversed(found)}.values())[::-1]


def unhelped(current: LogicUnit, units: Sequence[LogicUnit], taken: Collection[str]) -> list[Candidate]:
    """What a step says itself to do where it has not helped, without the conditions that were taken."""
    here = (way for way in candidates(current, units) if way.distance == 0 and way.link is not None)
    return [way for way in here if came_of(way.condition) < 0 and way.condition not in taken]


def outcomes(unit: LogicUnit, links: Iterable[Link]) -> list[Link]:
    """Of a unit's links those with conditions, each condition once: the first that leads on or ends, else the first.

    Who is told what to do first is handed over by nothing that is said after that, but for not to go on at all.
    """
    found: dict[str, Link] = {}
    links = list(links)
    broken = _broken_off(links)
    for link in links:
        first = found.setdefault(link.condition, link)
        hands_over = link.action is LinkAction.ESCALATE and not sentences.explains(first.query)
        if not _leads_on(unit, first) and _leads_on(unit, link) and not hands_over:
            found[link.condition] = link
    return [broken.get(condition, link) for condition, link in found.items() if condition]


def _broken_off(links: Iterable[Link]) -> dict[str, Link]:
    """By their conditions, links that say not to go on."""
    ends = (link for link in links if link.action is LinkAction.ESCALATE and directions.breaks_off(link.query))
    return {link.condition: link for link in ends}


def stated_from(unit: LogicUnit, line: int) -> list[Link]:
    """A unit's links without those that it states before a line of it."""
    if line <= unit.start:
        return list(unit.links)
    return [link for link in unit.links if link.evidence is None or link.evidence.start >= line or not unit.says(link)]


def due(unit: LogicUnit, line: int) -> list[Link]:
    """The outcomes that a unit states of what is done first from a line on, not of what is to be done after that."""
    known = [link for link in stated_from(unit, line) if link.condition]
    told = [link.evidence.start for link in known if link.evidence is not None and unit.says(link)]
    if unit.rewritten or not told:
        return outcomes(unit, known)
    first = min(told)
    indent = next((_indent(text) for at, end, text in passages(unit) if at <= first <= end), 0)
    further = (at for at, _, text in passages(unit) if at > first and _begins_a_step(unit, at, text, indent))
    end = next(further, None)
    return outcomes(unit, known if end is None else [link for link in known if _is_before(link, end)])


def _is_before(link: Link, line: int) -> bool:
    return link.evidence is not None and link.evidence.start < line


def _begins_a_step(unit: LogicUnit, line: int, passage: str, indent: int) -> bool:
    """Whether a passage says what is to be done next, and is not one of the cases before it."""
    if _indent(passage) > indent:
        return False
    said = words_of(passage)
    first = next((sentence.text for sentence in sentences.cut(said)), said)
    stated = [link for link in unit.links if link.condition and link.evidence and link.evidence.start == line]
    is_case = conditions.clause(first) is not None or is_rest(first.partition(",")[0])
    is_case = is_case or any(first.casefold().startswith(link.condition.casefold()) for link in stated)
    return not is_case and (number_of(passage) is not None or sentences.instructs(first))


def words_of(passage: str) -> str:
    """A passage without the sign or the number of the item that it is."""
    return _ITEM.sub("", passage, count=1).strip()


def number_of(passage: str) -> int | None:
    """The number of a passage that is an item of a numbered list."""
    found = _NUMBERED.match(passage)
    return int(found[1]) if found else None


def _indent(passage: str) -> int:
    return len(passage) - len(passage.lstrip(" "))


def as_chosen(way: Candidate) -> Candidate:
    """A way with the link that who chooses its condition follows: it may hand over what only explains the condition."""
    same = [link for link in way.unit.links if way.link is not None and link.condition == way.link.condition]
    return replace(way, link=outcomes(way.unit, same)[0]) if way.link is not None and way.link.condition else way


def to_call(current: LogicUnit, units: Sequence[LogicUnit], shown: Collection[str]) -> Candidate | None:
    """Whom a document says to call where nothing has helped; None where it says that nowhere.

    What it says of just that comes before a section for it, and that before whatever else is handed over.
    """
    handed = [way for way in candidates(current, units) if way.link and way.link.action is LinkAction.ESCALATE]
    unsolved = [way for way in handed if came_of(way.condition) < 0 or is_rest(way.condition)]
    sections = [way for way in when_needed(units, shown) if resort(way.condition, way.unit.title) is Resort.CALL]
    return next(iter((*unsolved, *sections, *handed)), None)


def _leads_on(unit: LogicUnit, link: Link) -> bool:
    """Whether a link leads further than to its own words."""
    return not leads_inside(unit, link) or (link.target is not None and link.target.step is not None)


def beginning(unit: LogicUnit) -> Candidate:
    """A unit as the way on whatever was seen: all of it, of a long one the first passage."""
    line, end, _ = next(iter(passages(unit)))
    return Candidate(unit, line, unit.body_spans[-1].end if len(unit.body) <= AT_ONCE else end, "", unit.body, 1)


def passages(unit: LogicUnit) -> Iterator[tuple[int, int, str]]:
    """A unit's body cut at list items and blank lines: first line, last line, text.

    Code and pictures stay with what precedes them, and what an item announces ("do this:") with the item, but for the
    cases that it announces ("decide:"). Which lines a part of a rewritten body is from is not known, so that is one
    passage.
    """
    if unit.rewritten:
        yield unit.start, unit.body_spans[-1].end, unit.body
        return
    cases = {link.evidence.start for link in unit.links if link.condition and link.evidence}
    piece: list[tuple[int, str]] = []
    fence, gap, announced = Fence(), False, False
    for number, text in numbered_lines(unit):
        bare = text.strip()
        was_open, is_code = fence.is_open, fence.reads(text)
        begins = not was_open and bool(bare) and ((gap and not is_code) or _ITEM.match(text) is not None)
        begins = begins and not (_PICTURE.fullmatch(text) or all(_PICTURE.fullmatch(line) for _, line in piece))
        if begins and not _is_inside(text, piece[0][1], announced and number not in cases):
            yield piece[0][0], piece[-1][0], "\n".join(line for _, line in piece)
            piece, announced = [], False
        if bare:
            piece.append((number, text))
            announced = announced or (not is_code and bare.endswith(COLONS))
        gap = not bare
    if piece:
        yield piece[0][0], piece[-1][0], "\n".join(line for _, line in piece)


def _is_inside(text: str, first: str, announced: bool) -> bool:
    """Whether a line belongs to the passage above it by its indentation: code, or what an item announces."""
    item = _ITEM.match(first) if announced else None
    return text.startswith(("    ", "\t", " " * len(item[0]) if item else "    "))


def line_of(unit: LogicUnit, step: int | None) -> int:
    """The line at which a step of a unit begins; the unit's first where the step is none of its list items."""
    items = [(line, number) for line, _, text in passages(unit) if (number := number_of(text)) is not None]
    if step in unit.steps and len(items) == len(unit.steps):
        return items[unit.steps.index(step)][0]
    return next((line for line, number in items if number == step), unit.start)


def numbered_lines(unit: LogicUnit) -> Iterator[tuple[int, str]]:
    """The body's lines, each with its number in the document."""
    for span, part in zip(unit.body_spans, body_parts(unit), strict=True):
        yield from enumerate(part, start=span.start)


def body_parts(unit: LogicUnit) -> Iterator[list[str]]:
    """The body's lines, span by span."""
    source = Source(unit.body)
    number = 1
    for span in unit.body_spans:
        size = span.end - span.start + 1
        yield [source.line(line) for line in range(number, min(number + size, len(source) + 1))]
        number += size
