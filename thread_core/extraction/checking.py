"""How a model divides a document, and what is wrong with that: said so that the model can mend it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any, Literal, NamedTuple

from pydantic import field_validator, model_validator

from thread_core.documents.blocks.markdown import Hyperlink
from thread_core.extraction.claims import ENDINGS, Basis, Claims, Fault, Outcome, Part, faults, kept
from thread_core.extraction.pages import Lines, Page, runs
from thread_core.models import LinkAction
from thread_core.ports import Form
from thread_core.text.words import content_words

LONGEST = 300
"""Characters of a text of a reply; a longer one is no header, condition or query."""
SHOWN = 60
"""Characters of a reply that a fault shows. It shows none of the document's, which stand in numbered lines alone."""
SHOWN_RUNS = 20
"""Ranges of lines that a fault names."""

_LINK = re.compile(
    r"(?P<lines>[^:]{1,40}): ?(?P<condition>.*?) ?(?:->|→) ?"
    r"(?:(?:(?:lines? ?|L)?(?P<to>\d{1,9})(?:-\d{1,9})?|(?P<mark>CONTINUE|CROSS|RESOLVED|ESCALATE|END))(?!\w))?"
    r"[:,.]? ?(?P<query>.*)",
    re.ASCII | re.DOTALL | re.IGNORECASE,
)
_END = "END"
"""The mark of a way on which nothing is left to do; as a link it is RESOLVED."""
_ADVICE = "; write what stands there, or leave it out"
_PARAMETER = 'expected "name" or "name=default", one of the two in the unit\'s code and the default in its lines'
_IF = re.compile(r"if\s+", re.IGNORECASE)
_TYPES = frozenset(("step", "terminology", "faq", "appendix", "background"))
_LINK_KEYS = (
    ("lines", "line", "evidence"),
    ("condition", "if", "when", "outcome"),
    ("where", "to", "target", "action"),
    ("query", "words", "then", "text"),
)
"""What models call the parts of a link that they give as an object."""

_NOTHING = Outcome("", LinkAction.CONTINUE, "", frozenset())
"""What a link says that cannot be read."""


class NamedUnit(Form):
    """A unit, by its lines."""

    type: Literal["step", "terminology", "faq", "appendix", "background"]
    header: str
    lines: str
    prerequisites: list[str]
    links: list[str]
    """`NamedLink.read` takes them apart."""
    parameters: list[str]
    """`name=default` each."""

    @property
    def range(self) -> Lines | None:
        """Its lines, if they can be read."""
        return Lines.read(self.lines)

    @model_validator(mode="before")
    @classmethod
    def _in_form(cls, said: dict[str, Any]) -> dict[str, Any]:
        """What a model says in a form of its own: parts left out, lines as a list, links and parameters as objects."""
        kind = str(said.get("type")).strip().lower()
        parameters = said.get("parameters")
        if isinstance(parameters, dict):
            parameters = [{"name": name, "default": default} for name, default in parameters.items()]
        return {
            "type": kind if kind in _TYPES else "step",
            "header": _text(said.get("header")),
            "lines": _text(said.get("lines"), "-"),
            "prerequisites": _texts(said.get("prerequisites")),
            "links": [_link_text(one) if isinstance(one, dict) else _text(one) for one in _listed(said.get("links"))],
            "parameters": _texts(parameters, "="),
        }


def _listed(said: Any) -> list[Any]:
    found = said if isinstance(said, list) else [said]
    return [one for one in found if one not in (None, "", {}, [])]


def _text(said: Any, between: str = " ") -> str:
    """A value as words: those of a list or an object one after the other."""
    parts = said.values() if isinstance(said, dict) else said if isinstance(said, list) else [said]
    return between.join(" ".join(str(part).split()) for part in parts if isinstance(part, str | int | float))


def _texts(said: Any, between: str = " ") -> list[str]:
    return [text for one in _listed(said) if (text := _text(one, between))]


def _link_text(said: dict[str, Any]) -> str:
    """A link that was given as an object, as a line."""
    lines, *others = (next((said[key] for key in keys if said.get(key)), "") for keys in _LINK_KEYS)
    condition, where, words = map(_text, others)
    return f"{_text(lines, '-')}: {condition} -> {where} {words}".rstrip()


class Division(Form):
    """What a model replies: the units of some lines, in their order."""

    units: list[NamedUnit]

    @field_validator("units", mode="before")
    @classmethod
    def _objects(cls, said: Any) -> Any:
        """The units alone: what is none loses nothing but itself."""
        return [one for one in said if isinstance(one, dict | NamedUnit)] if isinstance(said, list) else _listed(said)


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
        mark = (match["mark"] or "CONTINUE").upper()
        action = LinkAction.RESOLVED if mark == _END else LinkAction(mark)
        return cls(lines, _IF.sub("", match["condition"], 1), action, int(match["to"] or 0), match["query"])


class Checked(NamedTuple):
    """What is wrong with a division of some lines of a page."""

    grave: dict[int, list[str]]
    """With the lines of units, given by their place: nothing of these units can be used."""
    parts: list[tuple[int, Fault]]
    """With parts of units: the others can be used without them."""
    missed: list[Lines]
    """Lines that no unit names."""
    good: list[tuple[int, Lines]]
    """Units of which the lines can be used, by their place, and these lines, in their order."""

    def told(self) -> list[str]:
        """A sentence for each that is worth a second reply; nothing when the division is good."""
        told = [(at, f"lines: {text}") for at, texts in self.grave.items() for text in texts]
        told += [
            (at, f"{fault.told}{_ADVICE * fault.text.startswith('says')}")
            for at, fault in self.parts
            if fault.part is Part.LINK
        ]
        missed = ", ".join(map(str, self.missed[:SHOWN_RUNS]))
        left = [f"lines in no unit: {missed}; every line that says something belongs to one"] if missed else []
        return [*(f"unit {at + 1}, {text}" for at, text in sorted(told, key=lambda one: one[0])), *left]


def check(division: Division, basis: Basis, part: Lines) -> Checked:
    """Hold a division of some lines against the document."""
    page = basis.page
    grave: dict[int, list[str]] = {}
    for at, text in _faults_of_lines(division, page, part):
        grave.setdefault(at, []).append(text)
    parts: list[tuple[int, Fault]] = []
    good: list[tuple[int, Lines]] = []
    held: set[int] = set()
    for at, unit in enumerate(division.units):
        lines = unit.range
        if lines and lines.is_within(part):
            held |= lines.numbers
            parts += ((at, fault) for fault in _faults_of_parts(unit, lines, basis, part))
            if at not in grave and (own := page.trimmed(lines)):
                good.append((at, own))
    return Checked(grave, parts, list(runs(page.required_in(part), held)), sorted(good, key=lambda one: one[1]))


def mended(first: Division, second: Division) -> Division:
    """A division with the units of another reply in the places of those of which they have lines."""
    new = [unit.range for unit in second.units if unit.range]
    kept = [
        unit
        for unit in first.units
        if (own := unit.range) and not any(one.start <= own.end and own.start <= one.end for one in new)
    ]
    return Division(units=sorted([*kept, *second.units], key=_start))


def _start(unit: NamedUnit) -> int:
    return unit.range.start if unit.range else 0


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


def _faults_of_lines(division: Division, page: Page, part: Lines) -> Iterator[tuple[int, str]]:
    """Each unit's lines are there, shared with no other, and not torn out of what belongs together."""
    before = part.start - 1
    for at, unit in sorted(enumerate(division.units), key=lambda one: _start(one[1])):
        lines = unit.range
        if lines is None or not lines.is_within(part):
            yield at, f'{_found(unit.lines)}, expected a range within {part}, such as "{part}"'
            continue
        own = page.trimmed(lines)
        if own is None:
            continue
        wrong = []
        if own.start <= before:
            wrong.append(f'"{lines}" begins at or above line {before}, where the unit before it ends')
        for line, _ in page.begun(own.start, own.end):
            wrong.append(
                f'"{lines}" runs over the beginning of a section in line {line};'
                " end it above, and begin another unit there"
            )
        for tie in {page.ties[line] for line in (own.start, own.end + 1) if line in page.ties}:
            wrong.append(f'"{lines}" cuts {tie.what} in two, lines {tie.lines}; keep them in one unit')
        before = before if wrong else own.end
        yield from ((at, text) for text in wrong)


def _faults_of_parts(unit: NamedUnit, lines: Lines, basis: Basis, part: Lines) -> Iterator[Fault]:
    """What is wrong with the parts of a unit: their form first, and then what the document does not say."""
    if not unit.header.strip():
        yield Fault(Part.HEADER, 0, "found nothing, expected the intent in a few words")
    texts = ((Part.HEADER, [unit.header]), (Part.PREREQUISITE, unit.prerequisites), (Part.LINK, unit.links))
    for kind, said in texts:
        for index, text in enumerate(said):
            if len(text) > LONGEST:
                yield Fault(kind, index, f"found {len(text)} characters, expected at most {LONGEST}")
    for index, text in enumerate(unit.links):
        yield from (Fault(Part.LINK, index, wrong) for wrong in _faults_of_link(text, lines, basis.page, part))
    yield from _faults_of_parameters(unit, basis.page, lines)
    yield from faults(claims_of(unit, lines, part), basis)


def claims_of(unit: NamedUnit, lines: Lines, part: Lines) -> Claims:
    """What a unit says besides its lines; of links that cannot be read, or name lines outside the part, nothing."""
    read = [NamedLink.read(text) for text in unit.links]
    outcomes = [
        Outcome(link.condition, link.action, link.query, link.evidence.numbers)
        if link and link.evidence.is_within(part)
        else _NOTHING
        for link in read
    ]
    return Claims(unit.header, unit.prerequisites, outcomes, lines.numbers)


def _faults_of_link(text: str, own: Lines, page: Page, part: Lines) -> Iterator[str]:
    link = NamedLink.read(text)
    if link is None:
        yield (
            f"{_found(text)}, expected the lines that say so, the condition and where it leads (a line, or"
            ' CONTINUE, CROSS, RESOLVED, END or ESCALATE and a few words), such as "8: the lamp stays dark -> 12"'
        )
    elif not link.evidence.is_within(part):
        yield f'found the lines "{link.evidence}", expected lines within {part} that say so'
    elif link.to > page.required[-1]:
        yield f"leads to line {link.to}, expected a line from 1 to {page.required[-1]}"
    elif own.start <= link.to <= own.end and not link.condition:
        yield "the unit leads to itself whatever happens; give the condition, or leave the link out"
    elif not (link.to or link.query or link.action in ENDINGS or hyperlink_of(link, page)):
        yield f"found {link.action} alone, expected what to look for next after it"


def _faults_of_parameters(unit: NamedUnit, page: Page, lines: Lines) -> Iterator[Fault]:
    code = page.code_in(lines)
    body = page.source.slice(*lines)
    for index, text in enumerate(unit.parameters):
        name, default = parameter(text)
        if not name or default not in body or not (name in code or (default and default in code)):
            yield Fault(Part.PARAMETER, index, f"{_found(text)}, {_PARAMETER}")


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
    if link.to or link.action in ENDINGS:
        return None
    there = page.hyperlinks(link.evidence)
    fitting = [one for one in there if _leads_out(one) == (link.action is LinkAction.CROSS) or _share(one, link)]
    return max(fitting, key=lambda one: _share(one, link), default=None)


def _leads_out(hyperlink: Hyperlink) -> bool:
    return not hyperlink.href.startswith("#")


def _share(hyperlink: Hyperlink, link: NamedLink) -> int:
    """How many words a hyperlink has in common with what a link says."""
    return len(content_words(hyperlink.text) & content_words(f"{link.query} {link.condition}"))


def _found(text: str) -> str:
    """A text of a reply as a fault shows it."""
    shown = " ".join(text[: 2 * SHOWN].split())[:SHOWN]
    return f'found "{shown}"'
