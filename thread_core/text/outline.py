"""Blocks -> sections, each with its path, its anchor and its role, so that the rules see one shape."""

from __future__ import annotations

import itertools
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from thread_core.text import conditions, directions, headings, sentences
from thread_core.text.markdown import CELL, Block, Markdown, Source, visible
from thread_core.text.promises import Role, promise
from thread_core.text.title import title_page

ABOVE = 3
"""Lines above a heading in which an anchor written in HTML is the heading's."""


@dataclass(slots=True)
class Section:
    """A heading and the blocks under it, up to the next heading of any kind."""

    title: str
    level: float
    path: tuple[str, ...]
    """Headings above it and its own, the document's title left out."""
    anchor: str
    role: Role
    heading: tuple[int, int] | None
    """First and last line of the heading."""
    blocks: list[Block] = field(default_factory=list)

    @property
    def named(self) -> bool:
        """Whether the role was said by the section's own heading."""
        return promise(self.title) is not None


@dataclass(frozen=True, slots=True)
class Outline:
    """A document as sections in reading order."""

    title: str
    aliases: tuple[str, ...]
    date: str
    sections: tuple[Section, ...]
    ids: Mapping[str, str]
    """Anchors of sections by the names that the document gives them in HTML, in lower case."""


_HOLDERS = re.compile(r"(?:\d+[.)]?\s+)?(?:permissions?|roles?|access|audience)\s*:?", re.IGNORECASE)
"""What says before the first step who may take it, and further down anything else."""
_ID = re.compile(r"<(?:a|div|h[1-6]|span)\s[^<>]*?\b(?:id|name)\s*=\s*[\"']?([^\s\"'<>]+)", re.IGNORECASE)
_QUESTION = re.compile(r"\W*q(?:uestion)?(?: ?\d+)?\s*[:.)]\s", re.IGNORECASE)
_STEP_NAME = re.compile(r"\W*step\s+(\d{1,3})(?:\s*(?:[:.)](?!\d)|[-–—]\s)|\W*$)", re.IGNORECASE)
_NUMBERED = re.compile(r"(?:step\s+)?(\d{1,3})\W*", re.IGNORECASE)
_NUMBER_COLUMNS = frozenset(("step", "steps", "#", "no", "no.", "nr", "nr.", "number"))
_CLAUSE = re.compile(r"[.!?:,]\s+")


def outline(markdown: Markdown, document_id: str, title: str = "") -> Outline:
    """Cut a document at its headings, real and pseudo."""
    page = title_page(markdown, document_id, title)
    sections = list(_sections(markdown.blocks, page.heading))
    _see_what_they_do(sections)
    return Outline(page.title, page.aliases, page.date, tuple(sections), _ids(markdown.source, sections))


def _ids(source: Source, sections: Sequence[Section]) -> dict[str, str]:
    """`<a id="part-2">` names the heading in the same line or right below it, else the section in which it stands."""
    if "id=" not in source.text and "name=" not in source.text:
        return {}
    lines = [
        section.heading or (section.blocks[0].start, 0) for section in sections if section.heading or section.blocks
    ]
    anchors = [section.anchor for section in sections if section.heading or section.blocks]
    starts = [start for start, _ in lines]
    found: dict[str, str] = {}
    for number, line in enumerate(source.lines, start=1):
        for match in _ID.finditer(line) if "<" in line else ():
            upcoming = bisect_right(starts, number)
            at = upcoming - 1
            if upcoming < len(starts) and starts[upcoming] - number <= ABOVE:
                between = source.lines[number - 1 : starts[upcoming] - 1]
                at = at if visible("\n".join(between)) else upcoming
            if at >= 0:
                found.setdefault(match[1].lower(), anchors[at])
    return found


def _see_what_they_do(sections: list[Section]) -> None:
    """Headings do not keep their promises: a numbered procedure under "More information" is a procedure.

    A document that no heading calls a procedure has its steps where it says neither why nor where else to look.
    """
    for section in sections:
        elsewhere = section.role is Role.APPENDIX or (section.role is Role.BACKGROUND and not section.title)
        if elsewhere and _has_procedure(section):
            section.role = Role.STEP
    for section in itertools.takewhile(lambda section: not _is_worked_on(section), sections):
        if _HOLDERS.fullmatch(section.title) and section.blocks:
            section.role = Role.PREREQUISITE
    for section in _asking(sections):
        section.role = Role.FAQ
    for section in sections:
        if (section.role is Role.STEP or not section.title) and sum(map(_asks, section.blocks)) > 1:
            section.role = Role.FAQ
    if not any(section.role in (Role.STEP, Role.FAQ, Role.TERMINOLOGY) and section.blocks for section in sections):
        for section in sections:
            if section.role is Role.APPENDIX or (section.role is Role.BACKGROUND and not section.title):
                section.role = Role.STEP


def _is_worked_on(section: Section) -> bool:
    """Whether there is something to do in a section, by its role and its name."""
    return section.role is Role.STEP and bool(section.blocks) and not _HOLDERS.fullmatch(section.title)


def _asking(sections: list[Section]) -> list[Section]:
    """Sections whose headings are questions, where there are several; "What is it?" is one among more of them."""
    asking = [section for section in sections if section.title.endswith("?") and section.role is Role.STEP]
    answers = (Role.STEP, Role.BACKGROUND)
    every = [section for section in sections if section.title.endswith("?") and section.role in answers]
    if asking and len(every) > 2 and 2 * len(every) > sum(1 for section in sections if section.title):
        return every
    return asking if len(asking) > 1 else []


def _asks(block: Block) -> bool:
    """A paragraph that begins with a question in bold and answers it, or with `Q:`."""
    if block.kind != "paragraph":
        return False
    return (block.lead.endswith("?") and block.lead != block.text) or _QUESTION.match(block.text) is not None


def _has_procedure(section: Section) -> bool:
    """A numbered list of more than links, code, or, under the title alone, words that tell the reader what to do."""
    for block in section.blocks:
        if block.kind == "code" or (block.kind == "list" and block.number is not None and not _lists_links(block)):
            return True
        if not section.title and block.kind == "paragraph" and any(map(sentences.tells, _CLAUSE.split(block.text))):
            return True
        if not section.title and block.kind in ("list", "table") and any(map(_says_what_to_do, block.walk())):
            return True
    return False


def _lists_links(block: Block) -> bool:
    """Whether every item of a list has an address and none tells the reader to do anything."""
    items = [list(item.walk()) for item in block.children]
    linked = all(any(part.links or "://" in part.text for part in item) for item in items)
    return linked and not any(sentences.tells(part.text) for item in items for part in item)


def _says_what_to_do(block: Block) -> bool:
    """A case with what to do in it: in a sentence of a list, or in the row of a table."""
    if block.kind == "row":
        cells = [cell.strip() for cell in block.text.split(CELL)[1:]]
        return any(sentences.tells(cell) or (block.links and directions.sends_on(cell)) for cell in cells)
    if block.kind != "paragraph" or not conditions.hints(sentences.lowered(block.text)).states:
        return False
    clauses = (conditions.clause(sentence.text) for sentence in sentences.cut(block.text))
    return any(clause and (sentences.tells(clause.consequence) or block.links) for clause in clauses)


@dataclass(frozen=True, slots=True)
class _Above:
    """A heading under which the reading stands."""

    level: float
    label: str
    anchor: str
    role: Role


def _sections(blocks: tuple[Block, ...], top: Block | None) -> Iterator[Section]:
    path: list[_Above] = []
    taken: dict[str, int] = {}
    section = Section("", 0, (), "", Role.BACKGROUND, None)
    captions = headings.captions(blocks)
    tab = 0.0  # the level of the tabs among which the reading stands
    for index, block in enumerate(blocks):
        above = headings.Heading(section.level, section.title)
        heading = captions.get(index) or headings.heading(block, blocks[index - 1] if index else None, above)
        is_tab = headings.is_tab(block)
        ends_tabs = block.kind == "rule" and 0 < tab <= section.level
        if heading is None and not ends_tabs:
            section.blocks.append(block)
        elif heading is not None:
            yield section
            level: float = heading.level
            label = heading.text
            anchor = _free(headings.slug(label), taken)
            if is_tab:
                label = headings.tab_name(block, label)
                level = tab = tab or max(section.level, block.level - 1) + headings.HALF_A_LEVEL
            path = [above for above in path if above.level < level]
            promised = promise(label)
            before = top is not None and block.start < top.start  # a notice, most often
            role = promised or (path[-1].role if path else Role.BACKGROUND if before else Role.STEP)
            if block is top:
                named = promised if promised in (Role.FAQ, Role.TERMINOLOGY, Role.APPENDIX) else None
                path.append(_Above(level, "", "", named or Role.STEP))
                section = Section("", level, (), "", named or Role.BACKGROUND, (block.start, block.end))
            else:
                path.append(_Above(level, label, anchor, role))
                section = Section(label, level, _labels(path), anchor, role, (block.start, block.end))
            if block.kind == "html" and visible(headings.html_heading(block.text)[2]):
                section.heading = None
                section.blocks.append(block)
        if block.kind == "heading" and not is_tab and block.level <= tab:
            tab = 0
        closed = tab if ends_tabs else headings.PSEUDO_LEVEL + 1 if headings.closes_details(block) else 0
        if 0 < closed <= section.level:
            yield section
            tab = 0 if ends_tabs else tab
            path = [above for above in path if above.level < closed]
            last = path[-1] if path else _Above(0, "", "", Role.STEP)
            section = Section(last.label, last.level, _labels(path), last.anchor, last.role, None)
    yield section


def _labels(path: list[_Above]) -> tuple[str, ...]:
    return tuple(above.label for above in path if above.label)


def _free(anchor: str, taken: dict[str, int]) -> str:
    """The anchor, numbered where an earlier heading has it, as code hosts do."""
    found = anchor
    while found in taken:
        taken[anchor] += 1
        found = f"{anchor}-{taken[anchor]}"
    taken[found] = 0
    return found


def step_named(text: str) -> int | None:
    """The number of a step that is called by it: "Step 2: loosen the nuts" -> 2."""
    match = _STEP_NAME.match(text)
    return int(match[1]) if match else None


def numbered_rows(table: Block) -> dict[int, int]:
    """Of a table whose first column numbers its steps, the number in each row by the row's line; else empty."""
    head, *rows = table.children
    if head.text.split(CELL, 1)[0].strip().lower() not in _NUMBER_COLUMNS:
        return {}
    matches = [_NUMBERED.fullmatch(row.text.split(CELL, 1)[0].strip()) for row in rows]
    found = {row.start: int(match[1]) for row, match in zip(rows, matches, strict=True) if match}
    return found if len(found) == len(rows) else {}
