"""Units -> a flat list of what to do, in order, each thing once: the second form of an answer beside its text.

`telling` reads each body. Documents that describe the same procedure give one list:
what they have in common stands in it once, with the citations of all; what differs in a value, a name or a command
stays as an alternative that names its document.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from thread_core.answering.telling import told_in
from thread_core.models import LogicUnit, LogicUnitType, Model, Span
from thread_core.text import cases
from thread_core.text.code import codes
from thread_core.text.directions import is_counted
from thread_core.text.english import is_english, is_english_within
from thread_core.text.gates import gate_of
from thread_core.text.header import unnumbered
from thread_core.text.likeness import exact, words
from thread_core.text.source import Source

WEIGHTY = 4
"""Words from which on an instruction tells something about the procedure: "Click OK" stands in any."""
NEAR = 0.7
"""Part of their words (Dice), as `_wording` has them, that an instruction and an alternative to it share at least."""
COMMON = 0.5
"""Part of the shorter list that two documents have in common at least where they describe the same procedure, of all
instructions and of the weighty ones."""

_IN_ORDER = re.compile(r"(?:step|phase|stage|part|section|chapter)\b", re.IGNORECASE)
"""What is counted and gone through from the first to the last; of methods, causes and options one is taken."""
_NO_STEPS = (LogicUnitType.BACKGROUND, LogicUnitType.TERMINOLOGY, LogicUnitType.APPENDIX)
_HREF = re.compile(r"(?<=\])[(\[][^)\]]*[)\]]|\bhttps?://\S+")


class Alternative(Model):
    """What another document says in the place of an instruction."""

    text: str
    source: str
    """That document's title."""
    citations: tuple[Span, ...]


class Instruction(Model):
    """One thing to do."""

    text: str
    """As the document has it, in Markdown; the code that belongs to it stands below its words, verbatim."""
    when: str = ""
    """The condition, version or platform that headings or the sentence above state, which of several ways it is of
    ("Method 2"), and which guide must be meant where it is another than the one that fits best; empty where it is
    always due."""
    citations: tuple[Span, ...]
    """The lines that say so, in each document that does."""
    alternatives: tuple[Alternative, ...] = ()


class Repeat(NamedTuple):
    """Lines of a body, 1-based, that say what another document says already."""

    first: int
    last: int
    said_in: Span


class Procedure(NamedTuple):
    """What some units tell the reader to do."""

    instructions: tuple[Instruction, ...]
    repeats: Mapping[str, tuple[Repeat, ...]]
    """By the ids of the units in which they stand, in reading order."""


def procedure(units: Iterable[LogicUnit], plan: frozenset[str] | None = None) -> Procedure:
    r"""What some units tell the reader to do, in their order; documents that share a procedure are read together.

    A document may tell the same twice ("Restart it."), and then it is to be done twice.

    Args:
        units: What is told.
        plan: The documents whose steps are due, with those that share their procedure; without it, all. What the
            others tell is due where they are meant.

    Example:
        >>> pump = "# Pump\n\n1. Open the valve.\n2. Choose a mode:\n   - slow\n   - fast\n3. Wait 5 minutes."
        >>> for one in procedure(RuleExtractor().extract(Document("pump.md", pump)).units).instructions:
        ...     print(one.citations[0], one.text)
        pump.md:3 Open the valve.
        pump.md:4-6 Choose a mode: slow; fast
        pump.md:7 Wait 5 minutes.
    """
    by_document: dict[str, list[LogicUnit]] = {}
    for unit in units:
        if unit.type not in _NO_STEPS:
            by_document.setdefault(unit.document_id, []).append(unit)
    merged: list[_Step] = []
    due = set(by_document if plan is None else plan)
    for document_id, own in by_document.items():
        english = is_english("\n\n".join(unit.body for unit in own))
        steps = [step for unit in own for step in _steps(unit, is_english_within(unit.body, english))]
        merged = _together(merged, steps)
        if any(_has_both(step, due, document_id) for step in merged):
            due.add(document_id)
    repeats: dict[str, list[Repeat]] = {}
    for step in merged:
        for unit_id, first, last in step.also:
            repeats.setdefault(unit_id, []).append(Repeat(first, last, step.citations[0]))
    once = (one for at, one in enumerate(merged) if at == 0 or not _is_again(one, merged[at - 1]))
    instructions = tuple(step.instruction(step.document in due) for step in once)
    return Procedure(instructions, {unit_id: tuple(sorted(of)) for unit_id, of in repeats.items()})


def without(body: str, repeats: Sequence[Repeat]) -> str:
    """A body with a note of where it is said instead of the lines that say what another document says already."""
    source = Source(body)
    pieces: list[str] = []
    at = 1
    for run in _runs(repeats, source):
        pieces += [source.slice(at, run.first - 1)] if run.first > at else []
        pieces.append(f"(As in {run.said_in}.)")
        at = run.last + 1
    return "\n".join([*pieces, *([source.slice(at, len(source))] if at <= len(source) else [])])


def _runs(repeats: Sequence[Repeat], source: Source) -> Iterator[Repeat]:
    """Repeats with nothing between them, here and in the document where it is said, as one."""
    run: Repeat | None = None
    for one in repeats:
        if run and all(map(source.blank, range(run.last + 1, one.first))) and _follows(one.said_in, run.said_in):
            said_in = Span(run.said_in.document_id, run.said_in.start, one.said_in.end)
            run = Repeat(run.first, one.last, said_in)
            continue
        if run:
            yield run
        run = one
    if run:
        yield run


def _follows(span: Span, before: Span) -> bool:
    return span.document_id == before.document_id and before.end < span.start <= before.end + 2


@dataclass(frozen=True, slots=True)
class _Step:
    """An instruction in the making."""

    text: str
    when: str
    title: str
    lines: tuple[str, int, int]
    """Its unit, and its lines in that unit's body."""
    citations: tuple[Span, ...]
    alternatives: tuple[_Step, ...] = ()
    also: tuple[tuple[str, int, int], ...] = ()
    """Where other documents say the same."""
    ways: tuple[str, ...] = ()
    """The ways, of several, in which it stands."""

    @property
    def document(self) -> str:
        return self.citations[0].document_id

    def instruction(self, is_due: bool) -> Instruction:
        guide = () if is_due else (f"the guide that fits is “{self.title}”",)
        when = "; ".join(filter(None, (*guide, *self.ways, self.when)))
        others = tuple(
            Alternative(text=one.text, source=one.title, citations=one.citations) for one in self.alternatives
        )
        return Instruction(text=self.text, when=when, citations=self.citations, alternatives=others)


def _has_both(step: _Step, due: Collection[str], document_id: str) -> bool:
    """Whether a step of the documents that are due is told by another one too, or an alternative to it."""
    said = {span.document_id for one in (step, *step.alternatives) for span in one.citations}
    return step.document in due and document_id in said


# -- what a unit tells ---------------------------------------------------------------------------------------------


def _steps(unit: LogicUnit, english: bool) -> Iterator[_Step]:
    """The instructions of a unit. Where other documents say the same (twins), their lines are cited too."""
    elsewhere = tuple(span for span in unit.spans if span.document_id != unit.document_id)
    headings = [unnumbered(heading) for heading in unit.section]
    cases_of = [cases.heading_condition(said) or gate_of(said) for said in headings]
    counted = (said for said, case in zip(headings, cases_of, strict=True) if not case and is_counted(said))
    ways = tuple(said for said in counted if not _IN_ORDER.match(said))
    below = unit.section[-1] if unit.section and unit.place.number == 1 else ""
    for told in told_in(unit.body, "; ".join(filter(None, cases_of)), english, below):
        own = unit.lines_of(told.first, told.last)
        lines = (unit.id, told.first, told.last)
        yield _Step(told.text, told.when, unit.title, lines, (own, *elsewhere), ways=ways)


# -- what several documents tell -----------------------------------------------------------------------------------


def _together(ours: Sequence[_Step], theirs: Sequence[_Step]) -> list[_Step]:
    """The steps of two documents as one list in the order of both; of different procedures, one after the other."""
    pairs = _pairs(ours, theirs)
    weighty = sum(_is_weighty(ours[mine]) for mine, _ in pairs)
    shorter = min(sum(map(_is_weighty, steps)) for steps in (ours, theirs))
    if not weighty or weighty < COMMON * shorter or len(pairs) < COMMON * min(len(ours), len(theirs)):
        return [*ours, *theirs]
    merged: list[_Step] = []
    at = other = 0
    for mine, yours in pairs:
        merged += [*ours[at:mine], *theirs[other:yours], _joined(ours[mine], theirs[yours])]
        at, other = mine + 1, yours + 1
    return [*merged, *ours[at:], *theirs[other:]]


def _is_weighty(step: _Step) -> bool:
    return len(words(step.text)) >= WEIGHTY


def _pairs(ours: Sequence[_Step], theirs: Sequence[_Step]) -> list[tuple[int, int]]:
    """The likest series of steps that both have in this order, by their numbers: the same ones, or alternatives."""
    likes = [[_likeness(one, other) for other in theirs] for one in ours]
    best = [[0.0] * (len(theirs) + 1) for _ in range(len(ours) + 1)]
    for i in reversed(range(len(ours))):
        for j in reversed(range(len(theirs))):
            paired = likes[i][j] + best[i + 1][j + 1] if likes[i][j] else 0.0
            best[i][j] = max(paired, best[i + 1][j], best[i][j + 1])
    found = []
    i = j = 0
    while i < len(ours) and j < len(theirs):
        if likes[i][j] and best[i][j] == likes[i][j] + best[i + 1][j + 1]:
            found.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return found


def _likeness(one: _Step, other: _Step) -> float:
    """1 for the same step, up to a half for an alternative, 0 for another step."""
    if _same(one, other):
        return 1.0
    ours, theirs = _wording(one.text), _wording(other.text)
    shared = 2 * len(ours & theirs) / (len(ours) + len(theirs)) if ours and theirs else 0.0
    return shared / 2 if one.when == other.when and shared >= NEAR else 0.0


@lru_cache(maxsize=1024)
def _wording(text: str) -> frozenset[str]:
    """The words of a text but for its code, its numbers and where its links go, in which alternatives differ."""
    pieces, at = [], 0
    for start, end in (place for code in codes(Source(text)) for place in code.ranges):
        pieces.append(text[at:start])
        at = end
    said = _HREF.sub("", " ".join([*pieces, text[at:]]))
    return frozenset(word for word in words(said) if not word.isdigit())


def _same(one: _Step, other: _Step) -> bool:
    return one.when == other.when and words(one.text) == words(other.text) and exact(one.text) == exact(other.text)


def _is_again(one: _Step, before: _Step) -> bool:
    """Whether a step is told twice in a row, and not at the end of one way and at the beginning of another."""
    return one.ways == before.ways and _same(one, before)


def _joined(one: _Step, other: _Step) -> _Step:
    """One step of two: with the citations of both where they are the same, else with the other as an alternative."""
    if _same(one, other):
        citations = tuple(dict.fromkeys((*one.citations, *other.citations)))
        return replace(one, citations=citations, also=(*one.also, other.lines, *other.also))
    for index, known in enumerate(one.alternatives):
        if _same(known, other):
            both = replace(known, title=f"{known.title}; {other.title}", citations=(*known.citations, *other.citations))
            return replace(one, alternatives=(*one.alternatives[:index], both, *one.alternatives[index + 1 :]))
    return replace(one, alternatives=(*one.alternatives, other))
