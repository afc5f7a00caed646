"""What people have said about the links of a document, over what was read of it.

They are kept in a TOML file beside the document, which people read, write and version as they do the document. A link
is named there by the words that state it, so that an edit which moves lines keeps what was said; where those words are
gone, it is stale: nothing is done with it, and the report says so.
"""

from __future__ import annotations

import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import NamedTuple, assert_never

from pydantic import ValidationError

from thread_core.documents.blocks.source import Source
from thread_core.errors import BadFile
from thread_core.models import Correction, Goal, Link, LinkAction, LogicUnit, Model, Target, changed, faults_in
from thread_core.places import Places

ENDING = ".thread.toml"
"""Behind a document's file name, the name of its corrections' file."""
VERSION = 1
"""Of the file's form. See CONTRIBUTING.md."""
LARGEST = 1_000_000
"""Bytes of such a file at most."""

Key = tuple[str, str, bool, int]
"""`Correction.key`."""


class Keyed(NamedTuple):
    """A link with what corrections call it."""

    at: int
    """Which of the document's units it is of, from 0."""
    nth: int
    """Which of its unit's links it is, from 0."""
    link: Link
    key: Key


class File(Model):
    """The fields of the file."""

    version: int
    link: tuple[Correction, ...] = ()


def parsed(text: str) -> tuple[Correction, ...]:
    """What a file of corrections says.

    Raises:
        BadFile: it is no TOML, lacks what is needed, is of a newer form, or says two things about one link.
    """
    try:
        fields = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadFile(f"is not valid TOML ({str(error) or 'nested too deeply'}); correct it, or delete it") from error
    version = fields.get("version")
    if version != VERSION:
        raise BadFile(
            f"has version = {version!r}, expected {VERSION}; use the release for that version, or write {VERSION}"
        )
    try:
        found = File.model_validate(fields).link
    except ValidationError as error:
        raise BadFile(f"has a mistake: {faults_in(error)[0]}; correct it") from error
    twice = [key for key, times in Counter(one.key for one in found).items() if times > 1]
    if twice:
        raise BadFile(f"has two corrections of the link {twice[0][0][:80]!r}; delete one of them")
    return found


def applied(
    units: Sequence[LogicUnit], source: Source, corrections: Sequence[Correction]
) -> tuple[Sequence[LogicUnit], list[str]]:
    """The units of a document with what was said about their links, and which of that is stale, in words."""
    if not corrections:
        return units, []
    links = {one.key: one for one in keyed(units, source)}
    steps = beginnings(units, source)
    changes: dict[tuple[int, int], Link | None] = {}
    places = Places(units)
    problems = []
    for one in corrections:
        found = links.get(one.key)
        if found is None:
            problems.append(f"{_told(one)} is stale: no link has these words any more; check it")
            continue
        goals = steps[one.to, one.section] if one.leads is Goal.STEP else []
        if one.leads is Goal.STEP and len(goals) != 1:
            begun = f"{len(goals)} steps begin" if goals else "no step begins"
            problems.append(f"{_told(one)} is stale: {begun} with {one.to[:80]!r} now; check it")
            continue
        goal = goals[0] if goals else units[found.at]
        changes[found.at, found.nth] = _corrected(found.link, one, places, goal)
    return [_with(unit, at, changes) for at, unit in enumerate(units)], problems


def keyed(units: Iterable[LogicUnit], source: Source, passed_over: Iterable[Key] = ()) -> Iterator[Keyed]:
    """The links of a document's units, each with what corrections call it.

    `passed_over` are the keys of links that are not there any more because a correction has taken them away.
    """
    gone = set(passed_over)
    numbers: dict[tuple[str, str, bool], count[int]] = defaultdict(lambda: count(1))
    for at, unit in enumerate(units):
        for nth, link in enumerate(unit.links):
            named = (quoted(unit, link, source), link.condition, link.evidence is None)
            number = next(number for number in numbers[named] if (*named, number) not in gone)
            yield Keyed(at, nth, link, (*named, number))


def quoted(unit: LogicUnit, link: Link, source: Source) -> str:
    """The lines that state a link; the first of its unit where none do."""
    span = link.evidence
    return _text(source, span.start, span.end) if span else beginning(unit, source)


def beginning(unit: LogicUnit, source: Source) -> str:
    """The first line of a unit that says anything."""
    last = unit.body_spans[-1].end
    return next((said for number in range(unit.start, last + 1) if (said := _line(source, number))), "")


def beginnings(units: Iterable[LogicUnit], source: Source) -> Mapping[tuple[str, str], list[LogicUnit]]:
    """The units by their first line and the anchor of their section."""
    found: dict[tuple[str, str], list[LogicUnit]] = defaultdict(list)
    for unit in units:
        found[beginning(unit, source), unit.place.anchor].append(unit)
    return found


def _corrected(link: Link, said: Correction, places: Places, goal: LogicUnit) -> Link | None:
    """The link as it was said to be; None where it is none. One that leads there already is left as it is.

    `goal` is the step that was named, or the link's own.
    """
    match said.leads:
        case Goal.NOWHERE:
            return None
        case Goal.RESOLVED | Goal.ESCALATE:
            query = "" if said.next_step else link.query
            return changed(link, {"action": LinkAction[said.leads.name], "target": None, "query": query})
        case Goal.DOCUMENT:
            if link.target and (link.target.document, link.target.anchor) == (said.to, said.section):
                return link
            return changed(link, {"action": LinkAction.CROSS, "target": Target(document=said.to, anchor=said.section)})
        case Goal.INSIDE | Goal.STEP:
            target = None if link.action.ends else link.target
            is_there = target is not None and not target.document and places.find(target) is goal
            if is_there and (said.leads is Goal.STEP or said.verdict == "approved"):
                return link  # it may name a line within the step
            query = goal.header if said.next_step else link.query
            return changed(link, {"action": LinkAction.CONTINUE, "target": Target(place=goal.place), "query": query})
    assert_never(said.leads)


def _with(unit: LogicUnit, at: int, changes: Mapping[tuple[int, int], Link | None]) -> LogicUnit:
    links = [changes.get((at, nth), link) for nth, link in enumerate(unit.links)]
    kept = tuple(link for link in links if link is not None)
    return unit if kept == unit.links else changed(unit, {"links": kept})


def _text(source: Source, first: int, last: int) -> str:
    return "\n".join(filter(None, (_line(source, number) for number in range(first, last + 1))))


def _line(source: Source, number: int) -> str:
    """A line without the blanks around it; of one that is not there, nothing."""
    return source.line(number).strip() if number <= len(source) else ""


def _told(one: Correction) -> str:
    words = one.condition or one.text.partition("\n")[0]
    return f"the link that {one.by} {one.verdict} on {one.at:%Y-%m-%d} ({words[:80]!r})"
