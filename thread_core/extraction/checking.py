"""How a model divides a document, and what is wrong with that: said so that the model can mend it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Container, Iterable, Iterator
from typing import Literal, NamedTuple

from pydantic import ConfigDict

from thread_core.extraction import forgotten
from thread_core.extraction.claims import Basis, Claims, Fault, Outcome, Part, faults, kept
from thread_core.extraction.pages import Lines, Page
from thread_core.models import LinkAction, LogicUnitType
from thread_core.ports import Form
from thread_core.text.markdown import Hyperlink
from thread_core.text.words import content_words

LONGEST = 300
"""Characters of a text of a reply; a longer one is no header, condition or query."""
SHOWN = 60
"""Characters of a reply that a fault shows. It shows none of the document's, which stand in numbered lines alone."""
SHOWN_RUNS = 20
"""Ranges of lines that a fault names."""

_NAME = re.compile(r"\S{1,80}")
_LINK = re.compile(
    r"(?:lines? )?(?P<lines>\d[\d –-]*): ?(?P<condition>.*?) ?(?:->|→) ?"
    r"(?:(?:line )?(?P<to>\d{1,9})|(?P<mark>CONTINUE|CROSS|RESOLVED|ESCALATE))(?!\w)[:,.]? ?(?P<query>.*)",
    re.ASCII | re.DOTALL,
)
_ADVICE = "; write what stands there, or leave it out"
_UNNAMED = "unit {}, links: none for what {} says about where to go on; name its outcomes"
_IF = re.compile(r"if\s+", re.IGNORECASE)


_NOTHING = Outcome("", LinkAction.CONTINUE, "", frozenset())
"""What a link says that cannot be read."""


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


class Checked(NamedTuple):
    """What is wrong with a division of some lines of a page."""

    grave: list[str]
    """With the lines: nothing of it can be used."""
    parts: list[tuple[int, Fault]]
    """With parts of units, given by their place among the units: the others can be used without them."""
    forgotten: list[tuple[int, Lines]]
    """Lines of units that lead on, as the rules see, and no link names."""

    def told(self) -> list[str]:
        """A sentence for each; nothing when the division is good."""
        parts = [f"unit {at + 1}, {fault.told}{_ADVICE * fault.text.startswith('says')}" for at, fault in self.parts]
        return [*self.grave, *parts, *(_UNNAMED.format(at + 1, lines.named) for at, lines in self.forgotten)]


def check(division: Division, basis: Basis, part: Lines) -> Checked:
    """Hold a division of some lines against the document."""
    page = basis.page
    grave = list(faults_of_lines(division, page, part))
    seen = forgotten.seen(page)
    parts: list[tuple[int, Fault]] = []
    unnamed: list[tuple[int, Lines]] = []
    for at, unit in enumerate(division.units):
        lines = Lines.read(unit.lines)
        if lines is None or not _within(lines, part):
            continue
        parts += ((at, fault) for fault in _faults_of_parts(unit, lines, basis, part))
        links = forgotten.forgotten(seen, LogicUnitType(unit.type), claims_of(unit, lines, part))
        unnamed += ((at, lines) for lines in dict.fromkeys(Lines.of(link.evidence) for link in links if link.evidence))
    return Checked(grave, parts, unnamed)


def without(unit: NamedUnit, wrong: Collection[Fault]) -> NamedUnit:
    """A unit without the parts that are wrong."""
    return unit.model_copy(
        update={
            "header": "".join(kept([unit.header], Part.HEADER, wrong)),
            "prerequisites": kept(unit.prerequisites, Part.PREREQUISITE, wrong),
            "links": kept(unit.links, Part.LINK, wrong),
            "parameters": kept(unit.parameters, Part.PARAMETER, wrong),
        }
    )


def faults_of_lines(division: Division, page: Page, part: Lines) -> Iterator[str]:
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


def _faults_of_parts(unit: NamedUnit, lines: Lines, basis: Basis, part: Lines) -> Iterator[Fault]:
    """What is wrong with the parts of a unit: their form first, and then what the document does not say."""
    if not unit.header.strip():
        yield Fault(Part.HEADER, 0, "found nothing, expected the intent in a few words")
    texts = ((Part.HEADER, [unit.header]), (Part.PREREQUISITE, unit.prerequisites), (Part.LINK, unit.links))
    for kind, said in texts:
        for index, text in enumerate(said):
            yield from (Fault(kind, index, wrong) for wrong in _faults_of_form(text))
    for index, text in enumerate(unit.links):
        yield from (Fault(Part.LINK, index, wrong) for wrong in _faults_of_link(text, lines, basis.page, part))
    yield from _faults_of_parameters(unit, basis.page, lines)
    yield from faults(claims_of(unit, lines, part), basis)


def claims_of(unit: NamedUnit, lines: Lines, part: Lines) -> Claims:
    """What a unit says besides its lines; of links that cannot be read, or name lines outside the part, nothing."""
    read = [NamedLink.read(text) for text in unit.links]
    outcomes = [
        Outcome(link.condition, link.action, link.query, link.evidence.numbers)
        if link and _within(link.evidence, part)
        else _NOTHING
        for link in read
    ]
    return Claims(unit.header, unit.prerequisites, outcomes, lines.numbers)


def _faults_of_link(text: str, own: Lines, page: Page, part: Lines) -> Iterator[str]:
    link = NamedLink.read(text)
    if link is None:
        yield (
            f"{_found(text)}, expected the lines that say so, the condition and where it leads (a line, or"
            ' CONTINUE, CROSS, RESOLVED or ESCALATE and a few words), such as "8: the lamp stays dark -> 12"'
        )
    elif not _within(link.evidence, part):
        yield f'found the lines "{link.evidence}", expected lines within {part} that say so'
    elif link.to > page.required[-1]:
        yield f"leads to line {link.to}, expected a line from 1 to {page.required[-1]}"
    elif own.start <= link.to <= own.end and not link.condition:
        yield "the unit leads to itself whatever happens; give the condition, or leave the link out"
    elif not link.to and link.action in (LinkAction.CONTINUE, LinkAction.CROSS):
        yield from _faults_of_way(link, page)


def _faults_of_way(link: NamedLink, page: Page) -> Iterator[str]:
    """CONTINUE leads within the document, CROSS out of it, and both lead somewhere."""
    if hyperlink_of(link, page) is not None:
        return
    other = next((one for one in page.hyperlinks(link.evidence) if _share(one, link)), None)
    if other and link.action is LinkAction.CONTINUE:
        yield f"found CONTINUE, but line {other.line} has a hyperlink to another document: expected CROSS"
    elif other:
        yield f"found CROSS, but line {other.line} has a hyperlink within this document: expected CONTINUE"
    elif not link.query:
        yield f"found {link.action} alone, expected what to look for next after it"


def _faults_of_form(text: str) -> Iterator[str]:
    if len(text) > LONGEST:
        yield f"found {len(text)} characters, expected at most {LONGEST}"
    elif len(text.strip().splitlines()) > 1:
        yield "found several lines, expected one"


def _faults_of_parameters(unit: NamedUnit, page: Page, lines: Lines) -> Iterator[Fault]:
    code = page.code_in(lines)
    body = page.source.slice(*lines)
    for index, text in enumerate(unit.parameters):
        name, default = parameter(text)
        if not _NAME.fullmatch(name) or not default:
            yield Fault(Part.PARAMETER, index, f'{_found(text)}, expected "name=default"')
        elif default not in body:
            yield Fault(Part.PARAMETER, index, f"the default {_found(default)} does not stand in the unit's lines")
        elif name not in code and default not in code:
            yield Fault(Part.PARAMETER, index, f"neither {name} nor its default stands in the unit's code")


def refused(unit: NamedUnit, wrong: Collection[Fault], part: Lines) -> frozenset[int]:
    """The lines that links name with which something is wrong."""
    outcomes = claims_of(unit, part, part).outcomes
    return frozenset(line for fault in wrong if fault.part is Part.LINK for line in outcomes[fault.at].lines)


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
