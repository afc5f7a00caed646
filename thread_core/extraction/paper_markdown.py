"""Logic units -> the paper's Markdown form, as a document that `paper_form` reads back.

Kept are type, header, prerequisites, body, links (condition, query, action, a hyperlink's target) and parameters.
Lines are not: the text that is written is a source of its own. `paper_json` keeps where each unit came from.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from thread_core.extraction.paper_form import VERBATIM, entry_of, is_part, is_part_name
from thread_core.models import Link, LogicUnit, LogicUnitType
from thread_core.text import header
from thread_core.text.markdown import parse
from thread_core.text.source import Source

_DEEPEST = 4
"""Headings of a section's path that have a level of their own; a part's heading is one deeper, and bodies have more."""
_MARKS = re.compile(r"[\\`*_<>\[\]&~|#]")
_BLOCK_MARK = re.compile(r"^(?:(\d{1,9})(?=[.)])|(?=[-+=]))")
"""What makes a list, a rule or a heading of a line that begins so."""
_TICKS = re.compile(r"`+")


def write_markdown(units: Iterable[LogicUnit]) -> str:
    """Units of one document in the paper's Markdown form.

    A body that would not be read as one, because it holds a heading or a fence that nothing closes, stands in a fence
    called `verbatim`.
    """
    found = list(units)
    titled = [f"# {_escaped(found[0].title)}\n"] if found and found[0].title else []
    lines = [*titled, *(line for index in range(len(found)) for line in _written(found, index))]
    return "\n".join(lines).rstrip("\n") + "\n" if lines else ""


def _written(units: Sequence[LogicUnit], index: int) -> Iterator[str]:
    """A unit's headings, where they are not those of the unit before, and its parts."""
    unit = units[index]
    yield from _headings(_path(units[index - 1]) if index else (), _path(unit), unit.title)
    marks = "#" * (max(len(_path(unit)), 1) + 2)
    if unit.prerequisites:
        yield f"{marks} Prerequisite\n"
        yield from (f"- {_escaped(prerequisite)}" for prerequisite in unit.prerequisites)
        yield ""
    yield f"{marks} Header\n"
    yield from (f"{_escaped(intent)}\n" for intent in _intents(unit))
    if unit.type != LogicUnitType.STEP:
        yield f"{marks} Type\n\n{_escaped(unit.type)}\n"
    yield f"{marks} Body\n\n{_framed(unit.body, marks)}\n"
    if unit.parameters:
        yield f"{marks} Default parameters\n"
        yield from (f"- {_escaped(f'{name}: {default}')}" for name, default in unit.parameters.items())
        yield ""
    if not _only_leads_on(unit, units[index + 1 : index + 2]):
        yield f"{marks} Linker\n"
        yield from [f"- {_entry(link)}" for link in unit.links] or ["None"]
        yield ""


def _path(unit: LogicUnit) -> tuple[str, ...]:
    """The headings over a unit that are written as such: not too deep, and none that is called as a part is."""
    return tuple(takewhile(lambda name: not is_part_name(name), unit.section[:_DEEPEST]))


def _headings(before: tuple[str, ...], path: tuple[str, ...], title: str) -> Iterator[str]:
    """Those headings of a path that are not the ones of the unit before; the title again, where the path ends."""
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, path, strict=False)))
    if len(before) > len(path) == shared:
        if not path:
            yield f"# {_escaped(title)}\n"
        shared = max(0, shared - 1)
    for depth, name in enumerate(path[shared:], start=shared):
        yield f"{'#' * (depth + 2)} {_escaped(name)}\n"


def _intents(unit: LogicUnit) -> list[str]:
    """The header without what the headings over it say; a long one in several parts, each of which is kept whole."""
    above = header.compose(unit.title, _path(unit))
    rest = unit.header.removeprefix(f"{above}: ") if unit.header != above else (unit.section or (unit.title,))[-1]
    return rest.split(": ") if len(rest) > header.PART_LENGTH else [rest or unit.header]


def _framed(body: str, marks: str) -> str:
    if _reads_back(body, marks):
        return body
    longest = max((len(ticks) for ticks in _TICKS.findall(body)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{VERBATIM}\n{body}\n{fence}"


def _reads_back(body: str, marks: str) -> bool:
    """Whether a body between two headings is read from its first line to its last."""
    length = len(Source(body))
    blocks = parse(f"{marks} Body\n{body}\n\n{marks} Linker\n").blocks
    if len(blocks) < 3 or body != Source(body).slice(1, length):
        return False
    first, *inner, last = blocks
    return (
        (first.kind, last.kind, last.flat) == ("heading", "heading", "Linker")
        and (inner[0].start, inner[-1].end) == (2, length + 1)
        and not (len(inner) == 1 and inner[0].language == VERBATIM)
        and not any(block.kind == "heading" and (block.level <= len(marks) or is_part(block)) for block in inner)
    )


def _only_leads_on(unit: LogicUnit, following: Sequence[LogicUnit]) -> bool:
    """Whether its one link is the one that the form implies: to the next unit, whatever happened."""
    if len(unit.links) != 1 or not following:
        return False
    (link,) = unit.links
    target = link.target
    return not link.condition and link.evidence is None and target is not None and target.place == following[0].place


def _entry(link: Link) -> str:
    said = link.model_copy(update={"condition": _escaped(link.condition)})
    query, target = _escaped(link.query), link.target
    if target is None or not target.document:
        return entry_of(said, query)
    href = f"{target.document}#{target.anchor}" if target.anchor else target.document
    return entry_of(said, f"[{query}](<{href}>)" if not set("<>\n\r\\") & set(href) else query)


def _escaped(text: str) -> str:
    """Words in one line that are read as they stand."""
    return _BLOCK_MARK.sub(r"\1\\", _MARKS.sub(r"\\\g<0>", " ".join(text.split())))
