"""Blocks -> sections, each with its path, its anchor and its role, so that the rules see one shape."""

from __future__ import annotations

import itertools
import math
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from thread_core.documents import headings, tasks
from thread_core.documents.blocks.markdown import Block, Markdown, visible
from thread_core.documents.blocks.source import Source
from thread_core.documents.promises import Role, promise
from thread_core.documents.title import title_page
from thread_core.text import sentences
from thread_core.text.english import is_english
from thread_core.text.scripts import COLONS, composed

ABOVE = 6
"""Lines above a heading in which an anchor or a label is the heading's, where nothing else stands between."""
LABELS = 50
"""Labels by which other documents may call one; each of its units says them."""


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
    def introduces(self) -> bool:
        """Whether it stands before everything that has a heading of its own, or right under the title."""
        return not self.title and (self.heading is not None or not self.level)

    @property
    def named(self) -> bool:
        """Whether the role was said by the section's own heading."""
        return promise(self.title) is not None


@dataclass(frozen=True, slots=True)
class Outline:
    """A document as sections in reading order."""

    title: str
    aliases: tuple[str, ...]
    """Other names of the document, and of places in it those that are for all documents to link to (`#part-2`)."""
    date: str
    sections: tuple[Section, ...]
    ids: Mapping[str, str]
    """Anchors of sections by themselves, and by the other names that the document gives them, in lower case."""


_ID = re.compile(
    r"<(?:a|div|h[1-6]|span)\s[^<>]*?\b(?:id|name)\s*=\s*[\"']?(?P<html>[^\s\"'<>]+)|^\((?P<label>[\w.:-]+)\)=\s*$",
    re.IGNORECASE,
)
_LABEL = re.compile(r"\([\w.:-]+\)=\s*$")
_CLAUSE = re.compile(r"[.!?:,]\s+")


def outline(markdown: Markdown, document_id: str, title: str = "") -> Outline:
    """Cut a document at its headings, real and pseudo."""
    page = title_page(markdown, document_id, title)
    sections = list(_Reading(markdown.blocks, page.heading).sections())
    _see_what_they_do(sections, is_english(markdown.source.text))
    named = [*_anchored(markdown.source, sections), *_named(markdown.source, sections)]
    labels = _with_labels_as_anchors(sections, (one for one in named if one.is_label))
    aliases = (*page.aliases, *labels)
    return Outline(page.title, aliases, page.date, tuple(sections), _ids(sections, named))


class _Named(NamedTuple):
    """A name that a document gives a place in it, besides that of a heading."""

    name: str
    section: Section
    is_label: bool
    """Whether it is the heading's, and one that all documents may link to."""


def _anchored(source: Source, sections: Sequence[Section]) -> Iterator[_Named]:
    """Anchors that headings give themselves, `## Mend it {#part-2}`, where their words would make others."""
    for section in sections if "#" in source.text and "{" in source.text else ():
        line = source.lines[section.heading[0] - 1] if section.heading and section.title else ""
        if "{" in line and f"#{section.anchor}" in line.lower() and section.anchor != headings.slug(section.title):
            yield _Named(section.anchor, section, True)


def _named(source: Source, sections: Sequence[Section]) -> Iterator[_Named]:
    """`<a id="part-2">` names the heading in the same line or right below it, else the section in which it stands.

    So does MyST's `(part-2)=`.
    """
    if not any(sign in source.text for sign in ("id=", "name=", ")=")):
        return
    places = [section for section in sections if section.heading or section.blocks]
    starts = [section.heading[0] if section.heading else section.blocks[0].start for section in places]
    for number, line in enumerate(source.lines, start=1):
        for match in _ID.finditer(line) if "<" in line or ")=" in line else ():
            upcoming = bisect_right(starts, number)
            at = upcoming - 1
            if upcoming < len(starts) and starts[upcoming] - number <= ABOVE:
                between = source.lines[number - (match["label"] is None) : starts[upcoming] - 1]
                at = at if visible("\n".join(one for one in between if not _LABEL.match(one))) else upcoming
            if at >= 0:
                is_label = match["label"] is not None and at == upcoming and places[at].heading is not None
                yield _Named(composed(match["html"] or match["label"]).lower(), places[at], is_label)


def _with_labels_as_anchors(sections: Sequence[Section], labels: Iterable[_Named]) -> Iterator[str]:
    """Have each section with a label go by it, or the document by that of its title; gives what others call it by."""
    anchors = {section.anchor for section in sections}
    labelled: set[str] = set()
    for label, section, _ in itertools.islice(labels, LABELS):
        was = section.anchor
        if was in labelled or label in anchors.difference((was,)):
            continue
        for one in sections if was else ():
            one.anchor = label if one.anchor == was else one.anchor
        labelled.add(section.anchor)
        anchors.add(label)
        yield f"#{label}"


def _ids(sections: Sequence[Section], named: Sequence[_Named]) -> dict[str, str]:
    """Anchors by themselves and by other names; a heading with an anchor of its own is found by its slug too."""
    slugs = {headings.slug(section.title): section.anchor for section in reversed(sections) if section.title}
    anchors = {section.anchor: section.anchor for section in sections}
    return slugs | anchors | {name: section.anchor for name, section, _ in reversed(named)}


def _see_what_they_do(sections: list[Section], is_read: bool) -> None:
    """Headings do not keep their promises: a numbered procedure under "More information" is a procedure.

    A document that no heading calls a procedure has its steps where it says neither why nor where else to look.

    Args:
        sections: Of a document.
        is_read: Whether rules that read English may read it.
    """
    for section in sections:
        if section.role is Role.STEP and section.blocks and all(map(tasks.is_drawing, section.blocks)):
            section.role = Role.BACKGROUND
        elsewhere = section.role is Role.APPENDIX or (section.role is Role.BACKGROUND and not section.title)
        is_reproduced = "reproduc" in " ".join(section.path).lower()
        inherits = section.role is Role.BACKGROUND and not (section.named or is_reproduced)
        if (elsewhere and _has_procedure(section, is_read)) or (
            inherits and any(map(tasks.counts_steps, section.blocks))
        ):
            section.role = Role.STEP
    for section in _asking(sections):
        section.role = Role.FAQ
    for section in sections:
        if (section.role is Role.STEP or not section.title) and sum(map(tasks.asks, section.blocks)) > 1:
            section.role = Role.FAQ
    _introduce_answers(sections)
    if not any(section.role in (Role.STEP, Role.FAQ, Role.TERMINOLOGY) and section.blocks for section in sections):
        for section in sections:
            if section.role is Role.APPENDIX or (section.role is Role.BACKGROUND and not section.title):
                section.role = Role.STEP


def _introduce_answers(sections: Sequence[Section]) -> None:
    """Below the title of a collection of answers what is headed by a question is one, and what asks nothing is none."""
    titled = [section for section in sections if section.introduces and section.role is Role.FAQ]
    for section in sections if titled else ():
        if section.title.endswith("?"):
            section.role = Role.FAQ
    if any(section.title and section.role is Role.FAQ and section.blocks for section in sections):
        for section in titled:
            if not any("?" in part.text for block in section.blocks for part in block.walk()):
                section.role = Role.BACKGROUND


def _asking(sections: list[Section]) -> list[Section]:
    """Sections whose headings are questions, where there are several; "What is it?" is one among more of them."""
    asking = [section for section in sections if section.title.endswith("?") and section.role is Role.STEP]
    answers = (Role.STEP, Role.BACKGROUND)
    every = [section for section in sections if section.title.endswith("?") and section.role in answers]
    if asking and len(every) > 2 and 2 * len(every) > sum(1 for section in sections if section.title):
        return every
    return asking if len(asking) > 1 else []


def _has_procedure(section: Section, is_read: bool) -> bool:
    """A numbered list of more than links, code, or, under the title alone, words that tell the reader what to do.

    Where nothing tells what words say, anything under the title alone.
    """
    for block in itertools.filterfalse(headings.is_line_of_contents, section.blocks):
        if not section.title and not is_read:
            return True
        if (block.kind == "code" and not tasks.is_drawing(block)) or (
            block.kind == "list" and block.number is not None and not tasks.lists_links(block)
        ):
            return True
        if not section.title and (tasks.tells_cases(block) or (block.kind == "paragraph" and _instructs(block))):
            return True
    return False


def _instructs(block: Block) -> bool:
    """Whether a clause of a paragraph tells the reader to do something, or a sentence behind another, by any verb."""
    further = itertools.islice(sentences.cut(block.text, block.code), 1, None)
    return any(map(sentences.tells, _CLAUSE.split(block.text))) or any(sentences.instructs(one.text) for one in further)


@dataclass(frozen=True, slots=True)
class _Above:
    """A heading under which the reading stands."""

    level: float
    label: str
    anchor: str
    role: Role


class _Reading:
    """Blocks one after the other, each under the headings that stand above it."""

    def __init__(self, blocks: Sequence[Block], top: Block | None) -> None:
        self._blocks = blocks
        self._top = top
        self._path: list[_Above] = []
        self._anchors: dict[str, int] = {}
        self._tabs = 0.0  # the level of the tabs among which the reading stands
        self._folds: list[float] = []  # the levels of those that are open
        self._deepest = headings.DEEPEST_FOLD if headings.is_each_fold_ended(blocks) else headings.PSEUDO_LEVEL + 1
        self._begin(Section("", 0, (), "", Role.BACKGROUND, None))

    def sections(self) -> Iterator[Section]:
        """Cut at every heading, and where tabs or a fold end."""
        captions = headings.captions(self._blocks)
        for index, block in enumerate(self._blocks):
            before = self._blocks[index - 1] if index else None
            heading = captions.get(index) or headings.of_block(block, before, self._above)
            if heading is not None:
                yield self._section
                self._enter(block, heading)
            elif self._ends_prerequisites(index):
                yield self._section
                self._leave(self._section.level)
                self._section.blocks.append(block)
            elif block.kind == "rule" and 0 < self._tabs <= self._section.level:
                yield self._section
                self._leave(self._tabs)
                self._tabs = 0
            else:
                self._section.blocks.append(block)
            if block.kind == "html":
                left = self._fold(headings.folds(block.text)[1])
                if left <= self._section.level:
                    yield self._section
                    self._leave(left)
        yield self._section

    def _ends_prerequisites(self, index: int) -> bool:
        """Whether a block begins the procedure after prerequisites that only a line headed, and no heading encloses."""
        section = self._section
        if section.role is not Role.PREREQUISITE or not section.blocks or not headings.is_pseudo(section.level):
            return False
        block, upcoming = self._blocks[index], self._blocks[index + 1 : index + 2]
        announced = block.text.endswith(COLONS) and any(one.number is not None for one in upcoming)
        return announced if block.kind == "paragraph" else block.kind == "list" and block.number is not None

    def _begin(self, section: Section) -> None:
        self._section = section
        self._above = headings.Heading(section.level, section.title)

    def _enter(self, block: Block, heading: headings.Heading) -> None:
        label = heading.text
        anchor = _free(headings.anchor(block, label), self._anchors)
        if headings.is_tab(block):
            label = headings.tab_name(block, label)
        level = self._level(block, heading.level)
        self._path = [above for above in self._path if above.level < level]
        promised = promise(label)
        if block is self._top:
            named = promised if promised in (Role.FAQ, Role.TERMINOLOGY, Role.APPENDIX) else None
            self._path.append(_Above(level, "", "", named or Role.STEP))
            self._begin(Section("", level, (), "", named or Role.BACKGROUND, (block.start, block.end)))
        else:
            above = self._role_above(block)
            role = above if above is Role.FAQ and promised is Role.STEP else promised or above
            self._path.append(_Above(level, label, anchor, role))
            self._begin(Section(label, level, _labels(self._path), anchor, role, (block.start, block.end)))
        if block.kind == "html" and visible(headings.html_heading(block.text)[2]):
            self._section.heading = None
            self._section.blocks.append(block)

    def _level(self, block: Block, level: float) -> float:
        """The level of a heading: of a tab or a fold, by where it stands."""
        if headings.is_tab(block):
            self._tabs = self._tabs or max(self._section.level, block.level - 1) + headings.HALF_A_LEVEL
            return self._tabs
        if level < headings.PSEUDO_LEVEL:
            self._folds.clear()
            if level <= self._tabs:
                self._tabs = 0
        elif block.kind == "html":
            self._fold(headings.folds(block.text)[0])
            around = next((fold for fold in reversed(self._folds) if fold < math.inf), level - headings.A_FOLD)
            self._folds.append(min(around + headings.A_FOLD, self._deepest))
            return self._folds[-1]
        return level

    def _fold(self, marks: str) -> float:
        """Open and end folds; gives the level of the outermost that has ended. Those without a name have none."""
        left = math.inf
        for mark in marks:
            if mark == headings.OPENS:
                self._folds.append(math.inf)
            elif self._folds:
                left = min(left, self._folds.pop())
        return left

    def _role_above(self, block: Block) -> Role:
        if self._path:
            return self._path[-1].role
        is_notice = self._top is not None and block.start < self._top.start
        return Role.BACKGROUND if is_notice else Role.STEP

    def _leave(self, level: float) -> None:
        """Back under the last heading that stands above a level."""
        self._path = [above for above in self._path if above.level < level]
        last = self._path[-1] if self._path else _Above(0, "", "", Role.STEP)
        self._begin(Section(last.label, last.level, _labels(self._path), last.anchor, last.role, None))


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
