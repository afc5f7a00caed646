"""Blocks -> logic units by general rules, with no model.

One direction, each stage a few small functions:

    parse -> outline -> drafts (what must not be torn apart, packed within a section) -> prerequisites
          -> units with headers and places -> linkers -> coverage
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from thread_core.documents import boxes
from thread_core.documents.applicability.gates import gate_of, requirements
from thread_core.documents.applicability.roles import names_role
from thread_core.documents.applicability.versions import version_range
from thread_core.documents.blocks.markdown import CELL, Markdown, parse
from thread_core.documents.promises import Role, promises_prerequisites, promises_warnings
from thread_core.documents.sections import outline
from thread_core.extraction import charts, fidelity, linkers, paper_form
from thread_core.extraction.bound import MOST, Bound
from thread_core.extraction.drafts import Draft, pack
from thread_core.extraction.fidelity import Extraction
from thread_core.extraction.naming import lead, name
from thread_core.models import Document, LogicUnit, LogicUnitType
from thread_core.text import sentences
from thread_core.text.words import count_tokens

_TYPES: dict[Role, LogicUnitType] = {
    Role.STEP: LogicUnitType.STEP,
    Role.PREREQUISITE: LogicUnitType.BACKGROUND,
    Role.BACKGROUND: LogicUnitType.BACKGROUND,
    Role.TERMINOLOGY: LogicUnitType.TERMINOLOGY,
    Role.FAQ: LogicUnitType.FAQ,
    Role.APPENDIX: LogicUnitType.APPENDIX,
}

_HAVING = (
    r"before\s+(?:you\s+)?(?:begin|start)(?:ning|ing)?\b|requires?\b"
    r"|you(?:\s+must\s+(?:be|have|hold|own)|(?:'ll|’ll|\s+will)?\s+need(?!\s+to\b))\b"
    r"|(?:please\s+)?(?:ensure|make sure)\s+(?:that\s+)?you\s+(?:have|are|hold)\b"
    r"|only\s+(?:[\w-]+\s+){1,4}(?:can|may)\s+(?:do|perform|run|follow|use)\s+(?:this|these)\b"
    r"|only\s+(?:[\w-]+\s+){1,4}(?:may|(?:is|are)\s+(?:allowed|permitted|authori[sz]ed)\s+to)\s+(?!be\b|have\b)"
    r"|(?:two|four)[- ](?:person|eyes?)\b|(?:another|a\s+second)\s+(?:[\w-]+\s+){1,2}(?:must|has\s+to|needs\s+to)\b"
    r"|(?:do\s+not|don['’]t|never)\s+(?:do|run|perform|start|attempt|follow|use)\s+(?:this|these)\b"
    r"(?:\s+[\w-]+){0,2}\s+(?:during|before|after|while|in|on|at|outside|without|unless|until)\b"
    r"|(?:this|the)\s+(?:guide|article|page|document|procedure|task|tutorial)\s+(?:assumes|requires)\b"
)
"""What must be so before a step is taken, whoever says it."""
_BEFOREHAND = re.compile(
    rf"(?:{_HAVING}|before\s+(?:you|trying|proceeding|starting|using|running|doing|the following)\b"
    r"|you\s+(?:must|(?:will\s+)?need)\b|some of (?:these|the following)\b.*\bonly be\b"
    r"|to (?:use|follow|perform|run) (?:this|these|the following)\b.*\bmust\b)",
    re.IGNORECASE,
)
_REQUIRED = re.compile(rf"(?:{_HAVING})", re.IGNORECASE)
_BEFOREHAND_WORDS = (
    *("before", "prior", "requi", "ensure", "make sure", "only", "assum", "must", "need", "permission", "role"),
    *("person", "eye", "another", "second", "do not", "don't", "don’t", "never"),
    *("tools", "parts", "materials", "supplies", "ingredients", "equipment", "preparation"),
)
"""Of these what must hold first has one, and so has a label that announces it."""
_HEEDED = re.compile(r"(?:note|important|warning|caution|attention)\W+", re.IGNORECASE)
_SCOPE = re.compile(r"\W*applies\s+to\W+", re.IGNORECASE)


class RuleExtractor:
    r"""Splits documents by their structure: deterministic, in linear time, without a model.

    Example:
        >>> units = RuleExtractor().extract(Document("a.md", "# Disk full\n\n1. Free space.\n")).units
        >>> units[0].header, units[0].body
        ('Disk full: Free space', '1. Free space.')
    """

    def __init__(self, *, max_tokens: int = MOST, count: Callable[[str], int] = count_tokens) -> None:
        """Say how much a unit's body holds at most.

        Args:
            max_tokens: What is larger is cut between lines, where the text has its largest seams; no line is cut.
            count: Counts the tokens of a text; `len` makes characters of them.

        Raises:
            ValueError: `max_tokens` is below 1.
        """
        self._bound = Bound(max_tokens, count)

    @property
    def name(self) -> str:
        """All that decides what is made of a document, besides the document: two of one name make the same units."""
        return " ".join(filter(None, (fidelity.RULES, self._bound.name)))

    def extract(self, document: Document) -> Extraction:
        """Turn one document into logic units and the report of what they cover."""
        markdown = parse(document.text)
        if paper_form.is_written_so(markdown):
            units = paper_form.read(document, markdown)
        else:
            units = divide(document, markdown)
        return fidelity.complete(document, markdown, units, bound=self._bound)

    async def aextract(self, document: Document) -> Extraction:
        """`extract`, for callers with an event loop. Nothing is awaited: one document takes milliseconds."""
        return self.extract(document)


def divide(document: Document, markdown: Markdown) -> tuple[LogicUnit, ...]:
    """The units of a document, without what no rule takes."""
    plan = outline(markdown, document.id, document.title)
    drafts = list(pack(plan, markdown.source))
    gate = gate_of(plan.title)
    _attach_prerequisites(drafts, [gate] if names_role(gate) else [])
    read = [(draft, _type(draft), lead(draft.blocks)) for draft in drafts]
    units = name(document, plan, markdown.source, read)
    return tuple(linkers.link(units, drafts, plan))


def _type(draft: Draft) -> LogicUnitType:
    return LogicUnitType.BACKGROUND if charts.only_shows(draft) else _TYPES[draft.section.role]


def _attach_prerequisites(drafts: list[Draft], scope: list[str]) -> None:
    """What must hold and what is warned of binds the first step after it; a version or platform binds all under it.

    Args:
        drafts: Of a document.
        scope: What binds all its steps.
    """
    gates = {name: gate_of(name) for draft in drafts for name in draft.section.path}
    waiting: list[str] = []
    warned: list[tuple[tuple[str, ...], str]] = []
    for draft in drafts:
        role = Role.STEP if draft.charts else draft.section.role
        if role is Role.PREREQUISITE:
            waiting += _requirements(draft)
            continue
        scope += (text for text in _scope(draft) if text not in scope)
        if role is not Role.STEP:
            waiting += _beforehand(draft, _BEFOREHAND)
            warned += _warnings(draft)
        else:
            draft.prerequisites += [gates[name] for name in draft.section.path if gates[name]]
            draft.prerequisites += scope
            introduces = draft.section.introduces and not draft.charts
            stated = list(_beforehand(draft, _BEFOREHAND if introduces else _REQUIRED))
            warnings = [text for around, text in warned if draft.section.path[: len(around)] == around]
            bound = [*(() if introduces else waiting), *stated]
            draft.prerequisites += [text for text in bound if not any(text in warning for warning in warnings)]
            draft.prerequisites += warnings
            warned = []
            waiting = [*waiting, *stated] if introduces else []  # an introduction's bind the first step too


def _requirements(draft: Draft) -> Iterator[str]:
    for atom in draft.atoms:
        for block in atom.blocks:
            text = " ".join(part.flat for part in block.walk() if part.kind in ("paragraph", "row", "heading"))
            if text:
                yield boxes.unmarked(text.replace(CELL, " "))


def _warnings(draft: Draft) -> Iterator[tuple[tuple[str, ...], str]]:
    """What warns in a unit that is no step, and the section for which it holds; of a section "Safety" all of it."""
    path = draft.section.path
    if promises_warnings(draft.section.title):
        yield from (
            (path[:-1], sentences.warning(text) or f"{sentences.WARNING} {text}") for text in _requirements(draft)
        )
    elif sentences.mentions(draft.all_said, boxes.HINTS) or any(block.bold for block in draft.blocks):
        said = boxes.warnings(block for atom in draft.atoms for block in atom.blocks)
        yield from ((path, text) for text, _ in said if text)


def _beforehand(draft: Draft, stating: re.Pattern[str]) -> Iterator[str]:
    """What the sentences of a unit, or a line such as "Prerequisites: a cable", say must hold first."""
    words = [word for word in _BEFOREHAND_WORDS if word in draft.all_said]
    for block, said in zip(draft.blocks, draft.said, strict=True) if words else ():
        if not sentences.mentions(said, words):
            continue
        label, _, rest = block.flat.partition(": ") if ":" in block.text else ("", "", "")
        if rest and promises_prerequisites(label):
            yield rest
            continue
        told = [boxes.unmarked(sentence.text) for sentence in sentences.cut(block.text)]
        if len(told) > 1 and promises_prerequisites(told[0]):
            yield from told[1:]  # a box that is called so
            continue
        yield from (text for text in told if stating.match(_HEEDED.sub("", text, count=1)))


def _scope(draft: Draft) -> Iterator[str]:
    """For which versions a whole document holds: "Applies to: Scale 3.2 and later"."""
    for block, said in zip(draft.blocks, draft.said, strict=True) if "applies" in draft.all_said else ():
        if "applies" in said and (match := _SCOPE.match(block.text)):
            name = next((sentence.text.strip(" .") for sentence in sentences.cut(block.text[match.end() :])), "")
            if any(map(_bounds, requirements(gate_of(name)))):
                yield name


def _bounds(alternatives: Sequence[str]) -> bool:
    """Whether one of several is to hold, of which some have versions, or versions from or up to one."""
    ranges = [found for found in map(version_range, alternatives) if found]
    return bool(ranges) and (len(alternatives) > 1 or ranges[0].low != ranges[0].high)
