"""The paper's information supplement (section 3.2): what a prerequisite names is explained where a glossary has it.

A unit of terminology defines terms, one a line, a row or a heading. A term counts where a prerequisite names it, or a
question that asks what it means: an abbreviation as it is written, other words in any inflection. Nearness alone
explains nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from thread_core import layout
from thread_core.documents.blocks.markdown import Block, parse
from thread_core.documents.forms.tables import cells_of
from thread_core.documents.promises import Role, promise
from thread_core.models import LogicUnit, LogicUnitType, Model, Span
from thread_core.plan import Plan
from thread_core.ports import Hit
from thread_core.store.requests import ReadUnits, SearchHeaders
from thread_core.text import sentences
from thread_core.text.header import clip
from thread_core.text.scripts import words_of
from thread_core.text.words import content_words, stem

UNITS = 4
"""Units of terminology that are brought along at most."""
CANDIDATES = 50
"""Headers of terminology that a search gives: all of a small glossary."""
ASKED = 150
"""Words of the prerequisites with which they are searched."""
LONGEST_NAME = 60
"""Characters; what is longer is no term."""
WORDS, LONGEST = 40, 300
"""Words and characters of a meaning that are shown."""

_ENTRY = re.compile(
    r"(?P<name>[^\n:–—]{1,60}?)(?:[ \t]*+\n?[ \t]*+:|\s++(?:[-–—]|means|stands for|refers to)(?=\s))"
    r"\s*+(?P<meaning>\S.*)",
    re.DOTALL,
)
"""How a definition begins: "MTU: the largest packet", "MTU - the largest packet"."""
_BRACKETED = re.compile(r"(?P<outer>[^()]+)\((?P<inner>[^()]+)\)\s*")
"""A term with another name for it: "MTU (maximum transmission unit)"."""
_AS_WRITTEN = re.compile(r"(?=.*[A-Z].*[A-Z\d])[\w.&/+-]+")
"""An abbreviation or a name whose capitals count: MTU, NetOps, K8s."""
_EDGES = " \t\n:;.,-–—*`\"'"


class Term(Model):
    """A term that a prerequisite names, and what it means in the document's words."""

    name: str
    meaning: str
    unit_id: str
    citation: Span
    """The lines that say so."""

    def __str__(self) -> str:
        """One line for a reader."""
        return f"{self.name}: {self.meaning}"


def explain(
    units: Sequence[LogicUnit], at_hand: Iterable[LogicUnit] = (), question: str = ""
) -> Plan[tuple[LogicUnit, ...]]:
    """The units of terminology that explain what the prerequisites of some units name.

    Args:
        units: The units whose prerequisites are read.
        at_hand: Units that were read already, such as those of the same documents.
        question: What was searched before, if anything: its vector is at hand, and finds all of a small glossary.

    Returns:
        Each once, at most `UNITS`.
    """
    needed = _prerequisites(units)
    if not needed:
        return ()
    glossary = yield from _glossary(question or clip(" ".join(needed), ASKED), at_hand)
    return explaining(units, glossary)[:UNITS]


def asked_about(question: str, at_hand: Iterable[LogicUnit]) -> Plan[tuple[Term, ...]]:
    """The terms that a question names: of a person, who may write an abbreviation small.

    Args:
        question: What is asked: "what is an MTU?".
        at_hand: The units of the document that it is asked about: what they define comes first.
    """
    glossary = yield from _glossary(question, at_hand)
    defined = [definition for unit in glossary for definition in _definitions(unit)]
    names = {name for names, _ in defined for name in names}
    words = set(words_of(question.lower()))
    small = {name for name in names if _AS_WRITTEN.fullmatch(name) and name.lower() in words and content_words(name)}
    return _first_of_each(defined, _named(question, names) | small)


def _glossary(named: str, at_hand: Iterable[LogicUnit]) -> Plan[list[LogicUnit]]:
    """The units of terminology at hand, and those of the store nearest to what is named, or all of a small glossary."""
    near = {unit.id: unit for unit in at_hand if unit.type == LogicUnitType.TERMINOLOGY}
    hits: list[Hit] = yield SearchHeaders(named, CANDIDATES, {layout.TYPE: str(LogicUnitType.TERMINOLOGY)})
    if unread := tuple(hit.unit_id for hit in hits if hit.unit_id not in near):
        read: list[LogicUnit] = yield ReadUnits(unread)
        near |= {unit.id: unit for unit in read}
    return list(near.values())


def explaining(units: Sequence[LogicUnit], among: Iterable[LogicUnit]) -> tuple[LogicUnit, ...]:
    """The units of terminology that define what the prerequisites of some units name."""
    by_id = {unit.id: unit for unit in among}
    found = dict.fromkeys(term.unit_id for term in terms(units, by_id.values()))
    return tuple(by_id[unit_id] for unit_id in found)


def terms(units: Sequence[LogicUnit], among: Iterable[LogicUnit]) -> tuple[Term, ...]:
    """What the prerequisites of some units name, by the first definition of it; one of their documents' comes first."""
    needed = "\n".join(_prerequisites(units))
    own = {unit.document_id for unit in units}
    glossary = [unit for unit in among if needed and unit.type == LogicUnitType.TERMINOLOGY]
    glossary.sort(key=lambda unit: unit.document_id not in own)
    defined = [definition for unit in glossary for definition in _definitions(unit)]
    return _first_of_each(defined, _named(needed, {name for names, _ in defined for name in names}))


def _first_of_each(defined: Iterable[tuple[tuple[str, ...], Term]], named: set[str]) -> tuple[Term, ...]:
    """The first definition of each term of which a name is named."""
    found: dict[str, Term] = {}
    for names, term in defined:
        if named.intersection(names) and not any(name.casefold() in found for name in names):
            found |= dict.fromkeys(map(str.casefold, names), term)
    return tuple(dict.fromkeys(found.values()))


def note(found: Iterable[Term]) -> str:
    """Terms as a note below an answer; empty where there are none."""
    lines = "".join(f"\n- {term} [{term.citation}]" for term in found)
    return f"\n\nTerms:{lines}" if lines else ""


def _prerequisites(units: Iterable[LogicUnit]) -> list[str]:
    return list(dict.fromkeys(text for unit in units for text in unit.prerequisites))


def _named(text: str, names: Iterable[str]) -> set[str]:
    """Which of some names a text has; a name inside a longer one does not count: no "host" in "the jump host"."""
    stems = _stems(text)
    found = set()
    for name in sorted(names, key=lambda name: (-len(name), name)):
        if _AS_WRITTEN.fullmatch(name):
            named = bool(re.search(rf"(?<![\w-]){re.escape(name)}s?(?!\w)", text))
        else:
            named = len(name) > 1 and bool(content_words(name)) and _stems(name) in stems
            stems = stems.replace(_stems(name), " | ") if named else stems
        if named:
            found.add(name)
    return found


def _stems(text: str) -> str:
    """Its words in their stems, so that one text is found in another whatever the inflection."""
    return f" {' '.join(map(stem, words_of(text)))} "


def _definitions(unit: LogicUnit) -> Iterator[tuple[tuple[str, ...], Term]]:
    """The terms that a unit defines, each with all its names: that of its heading, and those of its lines."""
    blocks = [block for top in parse(unit.body).blocks for block in top.walk()]
    if blocks and unit.section and len(unit.section[-1]) > 1 and promise(unit.section[-1]) is not Role.TERMINOLOGY:
        meaning = " ".join(block.flat for block in blocks if block.kind == "paragraph")
        yield from _term(unit, unit.section[-1], [meaning], blocks[0])
    for block in blocks:
        if block.kind == "paragraph":
            name, meaning = _entry(block)
            yield from _term(unit, name, [meaning], block)
        elif block.kind == "table" and block.children:
            for row in block.children[1:]:
                name, *meanings = cells_of(row)
                yield from _term(unit, name, meanings, row)


def _entry(block: Block) -> tuple[str, str]:
    """A term and its meaning as a paragraph gives them; empty where it gives none."""
    if match := _ENTRY.match(block.text):
        return match["name"], match["meaning"]
    return block.lead, block.text.removeprefix(block.lead)


def _term(unit: LogicUnit, name: str, meanings: Sequence[str], block: Block) -> Iterator[tuple[tuple[str, ...], Term]]:
    """A term with its names, and what comes first in each of its meanings; none where it has no name or no meaning."""
    title = " ".join(name.split()).strip(_EDGES)
    both = _BRACKETED.fullmatch(title)
    names = tuple(one.strip(_EDGES) for one in (both.groups() if both else (title,)))
    said = ". ".join(first for meaning in meanings if (first := _first_sentence(meaning)))
    if said and all(0 < len(one) <= LONGEST_NAME for one in names):
        short = clip(said[:LONGEST], WORDS)
        told = short if len(short) == len(said) else f"{short} ..."
        yield names, Term(name=title, meaning=told, unit_id=unit.id, citation=unit.lines_of(block.start, block.end))


def _first_sentence(meaning: str) -> str:
    return next((sentence.text.rstrip(_EDGES) for sentence in sentences.cut(meaning.strip(_EDGES))), "")
