"""Blocks -> sections, each with its path, its anchor and its role.

Real documents head their sections in more ways than `##`: a line in bold, a `<summary>`. All of them become
sections here, so that the rules see one shape.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from pathlib import PurePosixPath

from thread_core.text import conditions, directions, sentences
from thread_core.text.markdown import CELL, Block, Markdown, Source, visible

PSEUDO_LEVEL = 7
"""Below every real heading."""
LONGEST_LABEL = 90
"""Characters; a longer bold line is emphasis, not a heading."""
PLAIN_WORDS = 2
"""Words of a heading that no mark sets apart but the colon at its end."""
ABOVE = 3
"""Lines above a heading in which an anchor written in HTML is the heading's."""
LONGEST_NAME = 200
"""Characters of a heading that are read; each unit under it repeats them."""


class Role(Enum):
    """What a section's heading promises."""

    STEP = "step"
    PREREQUISITE = "prerequisite"
    BACKGROUND = "background"
    TERMINOLOGY = "terminology"
    FAQ = "faq"
    APPENDIX = "appendix"


@dataclass(slots=True)
class Section:
    """A heading and the blocks under it, up to the next heading of any kind."""

    title: str
    level: int
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


@dataclass(frozen=True, slots=True)
class TitlePage:
    """What a document is called, and the heading that says so where one does."""

    title: str
    aliases: tuple[str, ...]
    date: str
    heading: Block | None


_ROLES: tuple[tuple[Role, str], ...] = (
    (
        Role.PREREQUISITE,
        r"(?:[\w-]+ )?(?:pre-?requisites?|requirements?)(?: and (?:pre-?requisites?|requirements?))?(?: (?:for|of) .*)?"
        r"|(?:before|prior to) (?:you (?:begin|start|get started)|starting|beginning)"
        r"|(?:what |things )?you(?:'ll|’ll| will)? need"
        r"|(?:required|needed) (?:\w+ ){0,2}\w+"
        r"|(?:\w+ )?(?:permissions?|roles?|tools?|materials?|access|rights) (?:required|needed)"
        r"|(?:tools|parts|materials)(?: (?:and|&) (?:tools|parts|materials|supplies))?|supplies|ingredients|equipment"
        r"|preparations?|assumptions?",
    ),
    (
        Role.TERMINOLOGY,
        r"glossary(?: of .*)?|(?:key )?terminology|(?:key )?terms?(?: used)?|(?:terms and )?definitions?"
        r"(?: and (?:abbreviations?|acronyms?|terms))?|(?:abbreviations?|acronyms?)(?: used)?",
    ),
    (
        Role.FAQ,
        r"(?:.*\s)?faqs?(?: (?:about|on|for) .*)?|(?:frequently asked|common) questions?(?: (?:about|on|for) .*)?"
        r"|questions (?:and|&) answers|q ?(?:&|and) ?a",
    ),
    (
        Role.APPENDIX,
        r"appendi(?:x|ces)\b.*|references?|see also|(?:more|additional|further|related|useful|external|other) "
        r"(?:information|resources?|readings?|links?|topics?|articles?|documentation|documents|content|guides|help"
        r"|notes|issues|alerts|incidents|pages)(?: (?:in|on|at|from) .*)?|related|resources|links"
        r"|(?:final )?notes?|next steps?|what(?:(?:'|’)?s)? ?next\??|where to go next"
        r"|contacts?|contact us|(?:get|getting) help|learn more|third-party.*disclaimer|status"
        r"|applies to|environments?|applicable (?:versions?|products?|releases?)"
        r"|affected [\w-]+(?:,? (?:(?:and|or) )?[\w-]+){0,3}"
        r"|(?:change ?log|history|revisions?)"
        r"|(?:revision|version|document|change) history|owners?|tips?(?: and tricks)?|summary|conclusions?|examples?"
        r"|(?:table of )?contents|in this (?:article|guide|document)|on this page|credits|feedback|licen[cs]e",
    ),
    (
        Role.BACKGROUND,
        r"meaning|(?:impacts?|effects?)(?: (?:on|to|for) .*)?|symptoms?(?: (?:\d{1,2}|of .*|visible to .*))?"
        r"|(?:(?:most|common|root|possible|likely|known|other) ){0,2}(?:causes?|reasons?)(?: (?:\d{1,2}|for .*))?"
        r"|overview|introduction|about(?: .*)?"
        r"|background(?: information)?|(?:(?:alert|technical) )?(?:description|details)|description of .*|severity"
        r"|goals?|objectives?"
        r"|error messages?|safety(?: \w+)?|warnings?|limitations?|who is affected|how (?:it|this) works"
        r"|what (?:is|does|happens)\b.*|why (?:is|does|this|it)\b.*|why\b[^?]*|when to use\b.*|scope|purpose"
        r"|problem(?: description)?|issue|context|(?:steps|how|ways?) to reproduce\b.*|reproduction(?: steps)?"
        r"|(?:expected|actual|current) (?:results?|behaviou?r|outcomes?)",
    ),
    (
        Role.STEP,
        r"(?:.*\b)?(?:diagnos(?:is|e|tics?)|mitigat(?:ion|e)|resolutions?|resolve|workarounds?|solutions?"
        r"|fix(?:es)?|procedures?|steps?"
        r"|troubleshoot(?:ing)?|remediat(?:ion|e)|recover(?:y)?|how to|methods?|options?|instructions?|actions?)\b.*",
    ),
)
_ROLE_PATTERNS = tuple(
    (role, re.compile(rf"(?:\d+[.)]?\s+)*+(?:{pattern})\s*[:.]?", re.IGNORECASE)) for role, pattern in _ROLES
)
_HOLDERS = re.compile(r"(?:\d+[.)]?\s+)?(?:permissions?|roles?|access|audience)\s*:?", re.IGNORECASE)
"""What says before the first step who may take it, and further down anything else."""
_NOT_A_LABEL = re.compile(
    r"(?:note|notes|important|warning|caution|tip|attention|danger|info|example|see also)(?:\W*$|\s*:)",
    re.IGNORECASE,
)
_SUMMARY = re.compile(r"<summary\b[^<>]*>", re.IGNORECASE)
_SUMMARY_END = re.compile(r"</summary\b[^<>]*>", re.IGNORECASE)
_HTML_HEADING = re.compile(r"\s*<h(?P<level>[1-6])\b[^<>]*>", re.IGNORECASE)
_HTML_HEADING_END = re.compile(r"</h[1-6]\s*>", re.IGNORECASE)
_ID = re.compile(r"<(?:a|div|h[1-6]|span)\s[^<>]*?\b(?:id|name)\s*=\s*[\"']?([^\s\"'<>]+)", re.IGNORECASE)
_TEMPLATE = re.compile(r"<%[^<>]*%>|\{\{[^{}]*\}\}|\{%[^{}]*%\}")
_QUOTE = re.compile(r"\"([^\"]*)\"")
_NOT_IN_SLUG = re.compile(r"[^\w\- ]")
_QUESTION = re.compile(r"\W*q(?:uestion)?(?: ?\d+)?\s*[:.)]\s", re.IGNORECASE)
_STEP_NAME = re.compile(r"\W*step\s+(\d{1,3})(?:\s*(?:[:.)](?!\d)|[-–—]\s)|\W*$)", re.IGNORECASE)
_NUMBERED = re.compile(r"(?:step\s+)?(\d{1,3})\W*", re.IGNORECASE)
_NUMBER_COLUMNS = frozenset(("step", "steps", "#", "no", "no.", "nr", "nr.", "number"))
_CLAUSE = re.compile(r"[.!?:,]\s+")
_KB = re.compile(
    r"\W*(?:original\s+|this\s+|article\s+|applies\s+to\s+)?KB(?:\s+(?:number|article|id))?\W{0,6}(\d{5,9})\W*",
    re.IGNORECASE,
)
"""A line that says nothing but the document's own number."""
_KB_TITLE = re.compile(r"\bKB\W{0,3}(\d{5,9})\b", re.IGNORECASE)


def slug(heading: str) -> str:
    """A heading's anchor, as code hosts make it: `Method 2: use the CLI` -> `method-2-use-the-cli`."""
    return _NOT_IN_SLUG.sub("", heading.strip().lower()).replace(" ", "-")


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


def title_page(markdown: Markdown, document_id: str, title: str = "") -> TitlePage:
    """What a document says about itself as a whole.

    The title is the given one, else the first heading, else the front matter's, else the id's last part. Where one of
    the others is there, the first heading is the document's only if it has the level of titles: "## Solution" heads
    all that follows, and is a section of the document.
    """
    front = markdown.front_matter
    headings = [block for block in markdown.blocks if block.kind == "heading" and _is_named(block)]
    named = bool(title or front.get("title"))
    top = headings[0] if headings and (not named or headings[0].level == 1) else None
    first = _clip(_filled(top.text)) if top else ""
    stem = PurePosixPath(document_id).stem or document_id
    name = _clip(title) or first or _clip(front.get("title", "")) or _clip(stem)
    others = [first, _clip(front.get("title", "")), *_knowledge_base_numbers(markdown)]
    aliases = tuple(dict.fromkeys(alias for alias in others if alias and alias != name))
    date = next((front[key] for key in ("date", "ms.date", "updated", "last_updated") if front.get(key)), "")
    return TitlePage(name, aliases, date, top)


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

    level: int
    label: str
    anchor: str
    role: Role


def _sections(blocks: tuple[Block, ...], top: Block | None) -> Iterator[Section]:
    path: list[_Above] = []
    taken: dict[str, int] = {}
    section = Section("", 0, (), "", Role.BACKGROUND, None)
    captions = _captions(blocks)
    tab = 0  # the level of the tabs among which the reading stands
    for index, block in enumerate(blocks):
        heading = captions.get(index) or _heading(block, blocks[index - 1] if index else None, section)
        if heading is None:
            section.blocks.append(block)
        else:
            yield section
            level, label = heading
            path = [above for above in path if above.level < level]
            anchor = _free(slug(label), taken)
            promised = promise(label)
            role = promised or (path[-1].role if path else Role.STEP)
            if block is top:
                named = promised if promised in (Role.FAQ, Role.TERMINOLOGY, Role.APPENDIX) else None
                path.append(_Above(level, "", "", named or Role.STEP))
                section = Section("", level, (), "", named or Role.BACKGROUND, (block.start, block.end))
            else:
                path.append(_Above(level, label, anchor, role))
                section = Section(label, level, _labels(path), anchor, role, (block.start, block.end))
            if block.kind == "html" and visible(_html_heading(block.text)[2]):
                section.heading = None
                section.blocks.append(block)
        if block.kind == "heading":
            tab = block.level if _is_tab(block) else tab if block.level > tab else 0
        closed = tab if block.kind == "rule" else PSEUDO_LEVEL + 1 if _closes_details(block) else 0
        if 0 < closed <= section.level:
            yield section
            tab = 0 if closed == tab else tab
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


def _heading(block: Block, before: Block | None, section: Section) -> tuple[int, str] | None:
    """Level and text, where a block heads what follows."""
    if block.kind == "heading":
        label = _name(block)
        return (block.level, label) if label else None
    if block.kind == "html":
        level, label, _ = _html_heading(block.text)
        return (level, label) if label else None
    if block.kind == "paragraph" and block.bold and len(block.text) <= LONGEST_LABEL and "\n" not in block.text:
        announced = before is not None and before.text.endswith((":", ","))
        if not announced and not block.text.endswith((".", ",", "!")) and not _NOT_A_LABEL.match(block.text):
            label = block.flat.rstrip(" :")
            return (_pseudo_level(label, section), label) if label else None
    if block.kind == "paragraph" and _is_plain_heading(block.text):
        return PSEUDO_LEVEL + (2 if section.level > PSEUDO_LEVEL else 0), block.flat.rstrip(" :")
    return None


def _captions(blocks: Sequence[Block]) -> dict[int, tuple[int, str]]:
    """Levels and texts of plain lines that head what follows by a name and a number, where there are several.

    "Method 1: Use the menu", its steps, "Method 2: Use the keyboard", its steps. Where nothing stands between, they are
    the steps themselves.
    """
    named = [index for index, block in enumerate(blocks) if block.kind == "paragraph" and _is_caption(block.text)]
    heads = [index for index in named if index + 1 < len(blocks) and index + 1 not in named]
    return {index: (PSEUDO_LEVEL + 1, blocks[index].flat.rstrip(" :")) for index in heads if len(heads) > 1}


def _is_caption(text: str) -> bool:
    if len(text) > LONGEST_LABEL or "\n" in text:
        return False
    named, _, rest = text.partition(":")
    return bool(rest.strip()) and directions.is_counted_alone(named) and not rest.endswith((".", ",", "!"))


def _is_plain_heading(text: str) -> bool:
    """`Prerequisites:` or `Steps:` in a line of its own."""
    if not text.endswith(":") or len(text) > LONGEST_LABEL:
        return False
    label = text[:-1]
    if len(label.split()) > PLAIN_WORDS:
        return False
    return not sentences.tells(label) and promise(label) in (Role.PREREQUISITE, Role.STEP)


def _pseudo_level(label: str, section: Section) -> int:
    """Below every real heading, but "Otherwise" stands beside the case that it denies."""
    if conditions.heading_condition(label) == conditions.OTHERWISE and conditions.heading_condition(section.title):
        return section.level
    return PSEUDO_LEVEL + (2 if section.level > PSEUDO_LEVEL else 0)


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


def _is_named(heading: Block) -> bool:
    return bool(heading.text[: 2 * LONGEST_NAME].strip())


def _name(heading: Block) -> str:
    return _clip(_filled(heading.text)) or _clip(heading.text)


def _filled(text: str) -> str:
    """A heading without the template expressions that a site's generator fills in; of each, the words it quotes.

    `<%= page.title %>` says nothing here, `{{< section "prerequisites" >}}` says "prerequisites".
    """
    text = text[: 2 * LONGEST_NAME]
    return _TEMPLATE.sub(_quoted, text) if "{" in text or "<%" in text else text


def _quoted(template: re.Match[str]) -> str:
    words = _QUOTE.search(template[0])
    return words[1] if words else ""


def _clip(text: str) -> str:
    return " ".join(text[: 2 * LONGEST_NAME].split())[:LONGEST_NAME].strip()


def _summary(html: str) -> tuple[str, str]:
    """What stands between the first summary tags, and everything else."""
    opening = _SUMMARY.search(html)
    closing = _SUMMARY_END.search(html, opening.end()) if opening else None
    if not opening or not closing:
        return "", html
    return _clip(visible(html[opening.end() : closing.start()])), html[: opening.start()] + html[closing.end() :]


def _html_heading(html: str) -> tuple[int, str, str]:
    """Level and text of a heading that is written in HTML, and everything else."""
    opening = _HTML_HEADING.match(html)
    if not opening:
        return (PSEUDO_LEVEL + 1, *_summary(html))
    closing = _HTML_HEADING_END.search(html, opening.end())
    end, rest = closing.span() if closing else (len(html), len(html))
    return int(opening["level"]), _clip(visible(html[opening.end() : end])), html[rest:]


def _is_tab(heading: Block) -> bool:
    """Whether a heading is written as a tab: `# [Linux](#tab/linux)`. A rule ends the last of them."""
    return bool(heading.links) and heading.links[0].href.startswith("#tab/")


def _closes_details(block: Block) -> bool:
    """Whether a block ends with more `<details>` closed than opened."""
    if block.kind != "html":
        return False
    text = block.text.lower()
    return text.rfind("</details") > text.rfind("<details")


@lru_cache(maxsize=1024)
def promise(heading: str) -> Role | None:
    """What a heading promises by its own words."""
    for role, pattern in _ROLE_PATTERNS:
        if pattern.fullmatch(heading.strip()):
            return role
    return None


def _knowledge_base_numbers(markdown: Markdown) -> Iterator[str]:
    """The document's own, from its title or a line that says only that; others are mentioned for other reasons."""
    for block in markdown.blocks[:12]:
        if "kb" not in block.text.lower():
            continue
        if block.kind == "heading" and block.level == 1 and (match := _KB_TITLE.search(block.text)):
            yield f"KB{match[1]}"
        for part in block.walk():
            yield from (f"KB{match[1]}" for line in part.text.split("\n") if (match := _KB.fullmatch(line)))
