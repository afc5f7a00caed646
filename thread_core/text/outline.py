"""Blocks -> sections, each with its path, its anchor and its role, so that the rules see one shape."""

from __future__ import annotations

import itertools
import math
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from thread_core.text import cases, directions, headings, sentences, tasks
from thread_core.text.english import is_english, is_english_within
from thread_core.text.gates import gate_of
from thread_core.text.header import unnumbered
from thread_core.text.markdown import Block, Markdown, visible
from thread_core.text.promises import Role, promise, promises_warnings
from thread_core.text.roles import names_holders
from thread_core.text.scripts import COLONS, composed
from thread_core.text.source import Source
from thread_core.text.title import title_page
from thread_core.text.troubles import troubles_in

LONGEST_QUESTION = 200
"""Characters of a paragraph's end that may ask which of the sections below it is meant."""
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
    english: bool = True
    """Whether it may be read by rules that read English; by its structure alone, where not."""

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
    date: str
    sections: tuple[Section, ...]
    ids: Mapping[str, str]
    """Anchors of sections by the other names that the document gives them, in lower case."""


_ID = re.compile(
    r"<(?:a|div|h[1-6]|span)\s[^<>]*?\b(?:id|name)\s*=\s*[\"']?(?P<html>[^\s\"'<>]+)|^\((?P<myst>[\w.:-]+)\)=\s*$",
    re.IGNORECASE,
)
_WHICH = re.compile(
    r"(?:(?:and|so|now|then|in|on|to|for|from|at) ){0,2}(?:(?:which|where|who)\b"
    r"|what (?:do(?:es)? |did |(?:kind|type|sort|colou?r|model|version|state|status) )|.*\bor\b)",
    re.IGNORECASE,
)
"""How a question begins of which one answer is taken: not "What now?"."""
_REPRODUCING = re.compile(r"\breproduc", re.IGNORECASE)
_DEPENDS = re.compile(r"\bdepend(?:s|ing)\s+(?:up)?on\s+(?:the|your|what|which|how|where|whether|who)\b", re.IGNORECASE)
"""What says that of what stands below one thing is for the reader."""
_FOREIGN_LETTER = re.compile(r"[^\W\x00-\x7f]")
_YES_OR_NO = re.compile(r"(?:yes|no)\b.*", re.IGNORECASE)
_CLAUSE = re.compile(r"[.!?:,]\s+")


def outline(markdown: Markdown, document_id: str, title: str = "") -> Outline:
    """Cut a document at its headings, real and pseudo."""
    page = title_page(markdown, document_id, title)
    sections = list(_Reading(markdown.blocks, page.heading).sections())
    _tell_languages(markdown.source, sections)
    _see_what_they_do(sections)
    _begin_above_troubles(sections, page.title)
    for index in range(len(sections)):
        if below := _answering(sections, index):
            _call_cases(below)
    return Outline(page.title, page.aliases, page.date, tuple(sections), _ids(markdown.source, sections))


def _tell_languages(source: Source, sections: Sequence[Section]) -> None:
    """Which sections are not English: all but some of a document that is not, or a few of one that is."""
    english = is_english(source.text)
    has_foreign_letters = not source.text.isascii() and _FOREIGN_LETTER.search(source.text) is not None
    for section in sections if not english or has_foreign_letters else ():
        if section.blocks:
            section.english = is_english_within(source.slice(section.blocks[0].start, section.blocks[-1].end), english)


def _ids(source: Source, sections: Sequence[Section]) -> dict[str, str]:
    """`<a id="part-2">` names the heading in the same line or right below it, else the section in which it stands.

    So does MyST's `(part-2)=`. A heading with an anchor of its own is found by its slug too.
    """
    if not any(sign in source.text for sign in ("id=", "name=", ")=", "{")):
        return {}
    lines = [
        section.heading or (section.blocks[0].start, 0) for section in sections if section.heading or section.blocks
    ]
    anchors = [section.anchor for section in sections if section.heading or section.blocks]
    starts = [start for start, _ in lines]
    found: dict[str, str] = {}
    for number, line in enumerate(source.lines, start=1):
        for match in _ID.finditer(line) if "<" in line or ")=" in line else ():
            upcoming = bisect_right(starts, number)
            at = upcoming - 1
            if upcoming < len(starts) and starts[upcoming] - number <= ABOVE:
                between = source.lines[number - (match["myst"] is None) : starts[upcoming] - 1]
                at = at if visible("\n".join(between)) else upcoming
            if at >= 0:
                found.setdefault(composed(match["html"] or match["myst"]).lower(), anchors[at])
    slugs = {headings.slug(section.title): section.anchor for section in reversed(sections) if section.title}
    return {name: anchor for name, anchor in slugs.items() if name not in anchors} | found


def _see_what_stands_below(sections: Sequence[Section]) -> None:
    """Under "Symptoms" may stand what to do about each: a section with steps, or with cases and remedies, is a step.

    So are those beside it where most have some. What is done to reproduce something mends nothing.
    """
    beside: dict[tuple[str, ...], list[Section]] = {}
    for section in sections:
        if section.role is not Role.BACKGROUND or not section.title or not section.blocks:
            continue
        if any(map(tasks.lists_remedies, section.blocks)) and not promises_warnings(section.title):
            section.role = Role.STEP
        if not section.named and not any(map(_REPRODUCING.search, section.path)):
            beside.setdefault(section.path[:-1], []).append(section)
    for those in beside.values():
        worked_on = list(filter(_tells_what_to_do, those))
        for section in those if 2 * len(worked_on) > len(those) else worked_on:
            section.role = Role.STEP


def _tells_what_to_do(section: Section) -> bool:
    """Whether a section begins with an instruction, or has steps or cases with what to do in them."""
    first = section.blocks[0]
    begins = first.kind == "paragraph" and sentences.instructs(first.text) and not first.text.endswith(COLONS)
    has_steps = any(tasks.tells_steps(block, section.english) for block in section.blocks)
    return begins or has_steps or section.role is Role.STEP


def _see_what_they_do(sections: list[Section]) -> None:
    """Headings do not keep their promises: a numbered procedure under "More information" is a procedure.

    A document that no heading calls a procedure has its steps where it says neither why nor where else to look.
    """
    _see_what_stands_below(sections)
    for section in sections:
        if section.role is Role.STEP and section.blocks and all(map(tasks.is_drawing, section.blocks)):
            section.role = Role.BACKGROUND
        elsewhere = section.role is Role.APPENDIX or (section.role is Role.BACKGROUND and not section.title)
        if (elsewhere and _has_procedure(section)) or _asks_which(section):
            section.role = Role.STEP
    _keep_what_a_title_takes_away(sections)
    for section in itertools.takewhile(lambda section: not _is_worked_on(section), sections):
        if names_holders(section.title) and section.blocks:
            section.role = Role.PREREQUISITE
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


def _keep_what_a_title_takes_away(sections: Sequence[Section]) -> None:
    """A document that is called an appendix ("Getting help") and has a procedure has steps, by its own headings."""
    titled = [section for section in sections if section.introduces and section.role is Role.APPENDIX]
    if not titled or not any(section.role is Role.STEP and section.blocks for section in sections):
        return
    for section in sections:
        if section.role is Role.APPENDIX and not any(promise(name) is Role.APPENDIX for name in section.path):
            section.role = Role.BACKGROUND if section in titled else Role.STEP


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


def _begin_above_troubles(sections: Sequence[Section], title: str) -> None:
    """What introduces troubles is where it is asked which of them it is: a step, whatever it says."""
    steps = [section for section in sections if section.role is Role.STEP and section.path]
    named = list(dict.fromkeys(section.path[0] for section in steps))
    found = troubles_in(named, [title])
    if found and found[0] == 0:
        for section in itertools.takewhile(lambda section: section is not steps[0], sections):
            if section.introduces and section.blocks and section.role is Role.BACKGROUND:
                section.role = Role.STEP


def _is_worked_on(section: Section) -> bool:
    """Whether there is something to do in a section, by its role and its name."""
    return section.role is Role.STEP and bool(section.blocks) and not names_holders(section.title)


def _asking(sections: list[Section]) -> list[Section]:
    """Sections whose headings are questions, where there are several; "What is it?" is one among more of them."""
    asking = [section for section in sections if section.title.endswith("?") and section.role is Role.STEP]
    answers = (Role.STEP, Role.BACKGROUND)
    every = [section for section in sections if section.title.endswith("?") and section.role in answers]
    if asking and len(every) > 2 and 2 * len(every) > sum(1 for section in sections if section.title):
        return every
    return asking if len(asking) > 1 else []


def _has_procedure(section: Section) -> bool:
    """A numbered list of more than links, code, or, under the title alone, words that tell the reader what to do.

    Where nothing tells what words say, under the title alone: anything but links. Links that follow words are ways on.
    """
    for block in itertools.filterfalse(headings.is_line_of_contents, section.blocks):
        if not section.title and (tasks.leads_on(block) or not (section.english or tasks.shows_links(block))):
            return True
        if (block.kind == "code" and not tasks.is_drawing(block)) or (
            block.kind == "list" and block.number is not None and not tasks.lists_links(block)
        ):
            return True
        if not section.title and block.kind == "paragraph" and _instructs(block):
            return True
        if not section.title and block.kind in ("list", "table") and any(map(tasks.says_what_to_do, block.walk())):
            return True
    return False


def _instructs(block: Block) -> bool:
    """Whether a clause of a paragraph tells the reader to do something, or a sentence behind another, by any verb."""
    further = itertools.islice(sentences.cut(block.text, block.code), 1, None)
    return any(map(sentences.tells, _CLAUSE.split(block.text))) or any(sentences.instructs(one.text) for one in further)


def _asks_which(section: Section) -> bool:
    """Whether a heading asks what is the case and the answers lead on, or say what to do: "What is wrong with it?"."""
    is_asked = section.role is Role.BACKGROUND and section.title.endswith("?") and bool(section.blocks)
    return is_asked and (any(map(tasks.leads_on, section.blocks)) or _tells_what_to_do(section))


def _answering(sections: Sequence[Section], index: int) -> list[Section]:
    """All below a section that ends by asking which case it is, where its next level is the cases; else nothing.

    "Which brand fails?", "**Visa only**", "**All brands**".
    """
    last = sections[index].blocks[-1] if sections[index].blocks else None
    if last is None or last.kind != "paragraph" or not (last.text.endswith("?") or "depend" in last.text):
        return []
    *_, asked = sentences.cut(last.text[-LONGEST_QUESTION:])
    below = _right_below(sections, index)
    titles = [section.title for section in below if section.level == below[0].level]
    return below if len(titles) > 1 and _may_answer(asked.text, titles) else []


def _right_below(sections: Sequence[Section], index: int) -> list[Section]:
    """The sections below one as far as they are not above the first of them; below a title, pseudo headings alone."""
    above, rest = sections[index], itertools.islice(sections, index + 1, None)
    first = next(rest, None)
    if first is None or first.level <= above.level or (not above.path and first.level < headings.PSEUDO_LEVEL):
        return []
    return [first, *itertools.takewhile(lambda other: other.level >= first.level, rest)]


def _may_answer(asked: str, titles: Sequence[str]) -> bool:
    """Whether titles are answers to a question: yes or no, or names that neither tell nor promise anything."""
    if all(map(_YES_OR_NO.fullmatch, titles)):
        return True
    chosen = _WHICH.match(asked) if asked.endswith("?") else _DEPENDS.search(asked)
    return chosen is not None and all(map(_names_a_case, titles))


def _names_a_case(title: str) -> bool:
    title = unnumbered(title)
    tells = sentences.tells(title) or directions.is_counted(title) or title.endswith("?") or title.startswith("For ")
    return not (tells or promise(title) or gate_of(title) or cases.heading_condition(title))


def _call_cases(below: Sequence[Section]) -> None:
    """Call the highest of some sections cases, in their titles and in the paths of all in them."""
    depth = len(below[0].path) - 1
    for section in below:
        named = section.path[depth]
        title = named if cases.heading_condition(named) else cases.AS_CASE + named
        section.path = (*section.path[:depth], title, *section.path[depth + 1 :])
        if section.level == below[0].level:
            section.title = title


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
        if block.kind == "list":
            return block.number is not None
        announced = block.text.endswith(COLONS) and any(one.number is not None for one in upcoming)
        return block.kind == "paragraph" and (announced or tasks.begins_procedure(block.flat))

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
