"""How a model divides a document, and what is wrong with that: said so that the model can mend it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Container, Iterable, Iterator
from typing import Literal, NamedTuple

from pydantic import ConfigDict

from thread_core.extraction.pages import Lines, Page
from thread_core.models import LinkAction
from thread_core.ports import Form
from thread_core.text.difference import unfounded
from thread_core.text.facts import facts
from thread_core.text.markdown import Hyperlink
from thread_core.text.words import content_words

LONGEST = 300
"""Characters of a text of a reply; a longer one is no header, condition or query."""
SHOWN = 60
"""Characters of a reply that a fault shows. It shows none of the document's, which stand in numbered lines alone."""
LEAST_WORDS = 3
"""From so many words on that carry meaning, a part of them must stand in the document: of fewer that says nothing."""
LEAST_SHARE = 0.5
SHOWN_RUNS = 20
"""Ranges of lines that a fault names."""

_NAME = re.compile(r"\S{1,80}")
_LINK = re.compile(
    r"(?:lines? )?(?P<lines>\d[\d –-]*): ?(?P<condition>.*?) ?(?:->|→) ?"
    r"(?:(?:line )?(?P<to>\d{1,9})|(?P<mark>CONTINUE|CROSS|RESOLVED|ESCALATE))(?!\w)[:,.]? ?(?P<query>.*)",
    re.ASCII | re.DOTALL,
)
_MARKED = re.compile(r"[`&<\[\\]")
"""What makes Markdown of a text."""
_IF = re.compile(r"if\s+", re.IGNORECASE)


class NamedUnit(Form):
    """A unit, by its lines."""

    model_config = ConfigDict(coerce_numbers_to_str=True)

    type: Literal["step", "terminology", "faq", "appendix", "background"]
    header: str
    lines: str
    prerequisites: list[str]
    links: list[str]
    """`NamedLink.read` takes them apart."""
    parameters: list[str]
    """`name=default` each."""


class Division(Form):
    """What a model replies: the units of some lines, in their order."""

    units: list[NamedUnit]


class NamedLink(NamedTuple):
    """Where one outcome of a unit leads."""

    evidence: Lines
    """The lines that say so."""
    condition: str
    action: LinkAction
    to: int
    """A line of the unit that it leads to, or of the heading above it; 0 for none."""
    query: str

    @classmethod
    def read(cls, text: str) -> NamedLink | None:
        """`8: the lamp stays dark -> 12`, `9-10: the lamp is red -> ESCALATE a plumber`; None for anything else."""
        match = _LINK.fullmatch(" ".join(text.split()))
        lines = Lines.read(match["lines"]) if match else None
        if match is None or lines is None:
            return None
        action = LinkAction(match["mark"] or "CONTINUE")
        return cls(lines, _IF.sub("", match["condition"], 1), action, int(match["to"] or 0), match["query"])


def faults(division: Division, page: Page, part: Lines) -> list[str]:
    """What is wrong with a division of some lines of a page; nothing when it is good."""
    return [*_faults_of_lines(division, page, part), *_faults_of_texts(division, page, part)]


def _faults_of_lines(division: Division, page: Page, part: Lines) -> Iterator[str]:
    """Each unit's lines are there, in order, not torn out of what belongs together; and no line is left over."""
    held: set[int] = set()
    before = part.start - 1
    for number, unit in enumerate(division.units, start=1):
        lines = Lines.read(unit.lines)
        if lines is None or not _within(lines, part):
            yield f'unit {number}, lines: {_found(unit.lines)}, expected a range within {part}, such as "{part}"'
            continue
        held.update(range(lines.start, lines.end + 1))
        own = page.trimmed(lines)
        if own is None:
            yield (
                f'unit {number}, lines: "{lines}" holds nothing but headings or blank lines, which attach themselves;'
                " leave the unit out or name the lines below"
            )
            continue
        if own.start <= before:
            yield (
                f'unit {number}, lines: "{lines}" begins at or above line {before}, where the unit before it ends;'
                " units come in order and share no line"
            )
        before = max(before, own.end)
        for line, _ in page.begun(own.start, own.end):
            yield (
                f'unit {number}, lines: "{lines}" runs over the beginning of a section in line {line};'
                " end it above, and begin another unit there"
            )
        for tie in {page.ties[line] for line in (own.start, own.end + 1) if line in page.ties}:
            yield f'unit {number}, lines: "{lines}" cuts {tie.what} in two, lines {tie.lines}; keep them in one unit'
    if left := list(_runs(page.required_in(part), held)):
        shown = ", ".join(map(str, left[:SHOWN_RUNS]))
        yield f"lines in no unit: {shown}; every line that says something belongs to one"


def _faults_of_texts(division: Division, page: Page, part: Lines) -> Iterator[str]:
    for number, unit in enumerate(division.units, start=1):
        where = f"unit {number}"
        if not unit.header.strip():
            yield f"{where}, header: found nothing, expected the intent in a few words"
        yield from _faults_of_text(f"{where}, header", unit.header, page)
        for text in unit.prerequisites:
            yield from _faults_of_text(f"{where}, prerequisites", text, page)
        for count, link in enumerate(unit.links, start=1):
            yield from _faults_of_link(f"{where}, link {count}", link, Lines.read(unit.lines), page, part)
        if (lines := Lines.read(unit.lines)) and _within(lines, part):
            yield from _faults_of_parameters(where, unit, page, lines)


def _faults_of_link(where: str, text: str, own: Lines | None, page: Page, part: Lines) -> Iterator[str]:
    link = NamedLink.read(text)
    if link is None:
        yield (
            f"{where}: {_found(text)}, expected the lines that say so, the condition and where it leads (a line, or"
            ' CONTINUE, CROSS, RESOLVED or ESCALATE and a few words), such as "8: the lamp stays dark -> 12"'
        )
        return
    yield from _faults_of_text(f"{where}, condition", link.condition, page)
    yield from _faults_of_text(f"{where}, words", link.query, page)
    if not _within(link.evidence, part):
        yield f'{where}: found the lines "{link.evidence}", expected lines within {part} that say so'
    elif link.to > page.required[-1]:
        yield f"{where}: leads to line {link.to}, expected a line from 1 to {page.required[-1]}"
    elif own and own.start <= link.to <= own.end and not link.condition:
        yield f"{where}: the unit leads to itself whatever happens; give the condition, or leave the link out"
    elif not link.to and link.action in (LinkAction.CONTINUE, LinkAction.CROSS):
        yield from _faults_of_way(where, link, page)


def _faults_of_way(where: str, link: NamedLink, page: Page) -> Iterator[str]:
    """CONTINUE leads within the document, CROSS out of it, and both lead somewhere."""
    if hyperlink_of(link, page) is not None:
        return
    other = next((one for one in page.hyperlinks(link.evidence) if _share(one, link)), None)
    if other and link.action is LinkAction.CONTINUE:
        yield f"{where}: found CONTINUE, but line {other.line} has a hyperlink to another document: expected CROSS"
    elif other:
        yield f"{where}: found CROSS, but line {other.line} has a hyperlink within this document: expected CONTINUE"
    elif not link.query:
        yield f"{where}: found {link.action} alone, expected what to look for next after it"


def _faults_of_text(where: str, text: str, page: Page) -> Iterator[str]:
    if len(text) > LONGEST:
        yield f"{where}: found {len(text)} characters, expected at most {LONGEST}"
        return
    if len(text.strip().splitlines()) > 1:
        yield f"{where}: found several lines, expected one"
    for invented in _invented(" ".join(text.split()), page):
        yield f'{where}: "{invented[:SHOWN]}" does not stand in the document; write what stands there'
    words = frozenset(word for word in content_words(text) if word.isascii() and word.isalpha())
    if len(words) >= LEAST_WORDS and page.reading.part_said(words) < LEAST_SHARE:
        yield f"{where}: {_found(text)}, expected the document's words"


def _invented(text: str, page: Page) -> Iterable[str]:
    """Code, numbers, names, paths and addresses that the document lacks, wherever in a text they hide."""
    plain = (fact.text for fact in facts(text) if fact.key not in page.reading.known)
    marked = _MARKED.search(text) is not None
    read = (found.text for found in unfounded(page.reading, f"Text {text}")) if marked else ()
    return dict.fromkeys((*read, *plain))


def _faults_of_parameters(where: str, unit: NamedUnit, page: Page, lines: Lines) -> Iterator[str]:
    code = page.code_in(lines)
    body = page.source.slice(*lines)
    for text in unit.parameters:
        name, default = parameter(text)
        if not _NAME.fullmatch(name) or not default:
            yield f'{where}, parameters: {_found(text)}, expected "name=default"'
        elif default not in body:
            yield f"{where}, parameters, {name}: the default {_found(default)} does not stand in the unit's lines"
        elif name not in code and default not in code:
            yield f"{where}, parameters: neither {name} nor its default stands in the unit's code"


def parameter(text: str) -> tuple[str, str]:
    """Name and default of `<pump>=north`; the default is empty where there is none."""
    name, _, default = text.partition("=")
    return name.strip(), default.strip()


def hyperlink_of(link: NamedLink, page: Page) -> Hyperlink | None:
    """The hyperlink by which the document itself leads where a link leads, where the lines that say so have one."""
    if link.to or link.action not in (LinkAction.CONTINUE, LinkAction.CROSS):
        return None
    fitting = [one for one in page.hyperlinks(link.evidence) if _leads_out(one) == (link.action is LinkAction.CROSS)]
    return max(fitting, key=lambda one: _share(one, link), default=None)


def _leads_out(hyperlink: Hyperlink) -> bool:
    return not hyperlink.href.startswith("#")


def _share(hyperlink: Hyperlink, link: NamedLink) -> int:
    """How many words a hyperlink has in common with what a link says."""
    return len(content_words(hyperlink.text) & content_words(f"{link.query} {link.condition}"))


def _within(lines: Lines, part: Lines) -> bool:
    return part.start <= lines.start and lines.end <= part.end


def _runs(lines: Iterable[int], held: Container[int]) -> Iterator[Lines]:
    """Of some lines, those that are not held, as ranges from the first to the last of a run."""
    for is_held, run in itertools.groupby(lines, held.__contains__):
        if not is_held:
            first, *others = run
            yield Lines(first, others[-1] if others else first)


def _found(text: str) -> str:
    """A text of a reply as a fault shows it."""
    shown = " ".join(text[: 2 * SHOWN].split())[:SHOWN]
    return f'found "{shown}"'
