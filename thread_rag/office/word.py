"""Word documents -> Markdown, by python-docx for the package and our own counting for the numbers of steps.

Read is what a reader sees with all changes accepted: no comments, no heads and feet of pages, no table of contents.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import docx
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.part import Part
from docx.oxml.parser import parse_xml
from lxml.etree import _Element

from thread_core.documents.headings import slug
from thread_rag.exports import names_weight
from thread_rag.office.limits import DEEPEST, check_package
from thread_rag.office.nesting import Found, label_of, nested
from thread_rag.office.numbering import Number, Numbering, W, value_of, whole
from thread_rag.office.order import Step, check
from thread_rag.office.pieces import BULLET, Converted, at, box, converted, page_of, plain, table
from thread_rag.office.word_styles import Look, Styles
from thread_rag.office.word_text import MC, Reader, Words, html_of, linked_places, plain_text

_HOLDERS = frozenset(f"{W}{name}" for name in ("sdt", "sdtContent", "customXml", "smartTag", "ins", "moveTo"))
_INSIDE = 1 << 20
"""How far in stands what surely belongs to the item before it."""
_CHANGES = tuple(f"{W}{name}" for name in ("ins", "del", "moveFrom", "moveTo"))


class _Block(NamedTuple):
    """A paragraph or a table, before neighbours are joined."""

    kind: str
    """"text", "code", "box"; "heading" ends all lists."""
    html: str
    where: int
    left: int = 0
    number: Number | None = None
    weight: str = ""
    words: str = ""


def word_to_markdown(data: bytes, document_id: str) -> Converted:
    """Convert a Word document.

    Args:
        data: The file's.
        document_id: What it is called in errors.

    Raises:
        BadDocument: it cannot be opened, or its steps would not come out in order.
        RecursionError: it is nested too deeply.
    """
    check_package(data, document_id, "word/document.xml", ".docx")
    document = docx.Document(io.BytesIO(data))
    reading = _Reading(document)
    body = document.element.body
    found = list(_joined(list(reading.blocks(body, 0))))
    pieces = list(nested(found))
    problems = []
    if any(body.find(f".//{change}") is not None for change in _CHANGES):
        problems.append("has tracked changes; they were read as accepted")
    if body.find(f".//{W}altChunk") is not None:
        problems.append("contains another file, which was not read; paste its text")
    has_title = any(one.reltype == RELATIONSHIP_TYPE.CORE_PROPERTIES for one in document.part.package.rels.values())
    title = document.core_properties.title if has_title else ""  # else python-docx makes one up
    made = converted(pieces, "paragraph", title or "", problems)
    check([Step(one.label, one.words, one.where) for one in pieces if one.words], made, document_id)
    return made


class _Reading:
    """One document, read from its first paragraph to its last."""

    def __init__(self, document: docx.document.Document) -> None:
        relations = document.part.rels.values()
        parts = {one.reltype: one.target_part for one in relations if not one.is_external}
        root = document.element
        self._styles = Styles(_root(parts.get(RELATIONSHIP_TYPE.STYLES)))
        self._numbering = Numbering(_root(parts.get(RELATIONSHIP_TYPE.NUMBERING)), self._styles.lists)
        targets = {one.rId: one.target_ref for one in relations if one.is_external}
        self._reader = Reader(targets, linked_places(root), self._styles.of_characters)
        self._notes = {
            f"{kind}Reference {note.get(f'{W}id')}": note
            for kind, name in (("footnote", RELATIONSHIP_TYPE.FOOTNOTES), ("endnote", RELATIONSHIP_TYPE.ENDNOTES))
            for note in _children_of(_root(parts.get(name)), f"{W}{kind}")
        }
        self._shift = any(self._styles.look(one).is_title for one in root.body.findall(f"{W}p"))
        self._noted = 0
        self._count = 0
        self._waiting: list[Words] = []
        """Of paragraphs whose end was deleted: they go on in the next one."""

    def blocks(self, holder: _Element, depth: int) -> Iterator[_Block]:
        """What stands in a body, a cell or a box."""
        if depth > DEEPEST:
            raise RecursionError("tables and boxes within each other")
        for child in holder:
            if child.tag == f"{W}p":
                yield from self._paragraph(child, depth)
            elif child.tag == f"{W}tbl":
                yield from self._table(child, depth + 1)
            elif child.tag in _HOLDERS:
                yield from self.blocks(child, depth + 1)

    def _paragraph(self, paragraph: _Element, depth: int) -> Iterator[_Block]:
        look = self._styles.look(paragraph)
        words = [*self._waiting, *self._reader.words(paragraph)]
        self._waiting = []
        if paragraph.find(f"{W}pPr/{W}rPr/{W}del") is not None:
            self._waiting = words
            return
        text = plain_text(words).strip()
        number = self._number(paragraph, look)
        self._count += bool(text)
        if text and not look.is_index:
            shown, notes = self._with_notes(words)
            yield self._block(paragraph, look, shown, number)
            for note, root in notes:
                inner = "<br>".join(html_of(self._reader.words(one)) for one in root.iter(f"{W}p"))
                yield _Block("text", f"<p>[{note}] {inner}{at(self._count)}</p>", self._count, _INSIDE)
        elif anchors := html_of([one for one in words if one.anchor]):
            yield _Block("text", anchors, self._count, _INSIDE)
        for content in _boxes(paragraph):
            yield from self._box(list(self.blocks(content, depth + 1)), _INSIDE)

    def _number(self, paragraph: _Element, look: Look) -> Number | None:
        if look.list_name in ("", "0"):
            return None
        level = look.list_level
        if level is None:
            style = paragraph.find(f"{W}pPr")
            level = self._numbering.level_of(look.list_name, value_of(style, "pStyle") if style is not None else "")
        return self._numbering.next(look.list_name, level)

    def _block(self, paragraph: _Element, look: Look, words: list[Words], number: Number | None) -> _Block:
        text, where = plain_text(words).strip(), self._count
        said = [one for one in words if one.text.strip()]
        own_indent = paragraph.find(f"{W}pPr/{W}ind") is not None
        left = look.left if look.left is not None and (own_indent or number is None) else number.left if number else 0
        level = 1 if look.is_title else look.level + self._shift * bool(look.level)
        if level:
            label = f"{plain(number.label)} " if number is not None and number.label else ""
            name = f"h{min(level, 6)}"
            words = [one for one in words if not one.anchor or one.anchor != slug(text)]  # it has that name anyway
            return _Block("heading", f"<{name}>{label}{html_of(words)}{at(where)}</{name}>", where)
        if number is not None and number.kind != "none":
            return _Block("text", f"<p>{html_of(words)}{at(where)}</p>", where, left, number, words=text)
        if look.is_code or all(one.marks == "code" for one in said):
            return _Block("code", f"{plain(plain_text(words))}{at(where)}", where, left)
        html = f"<p>{html_of(words)}{at(where)}</p>"
        if look.weight or look.is_boxed:
            return _Block("box", html, where, left, weight=look.weight, words=text)
        is_set_as_heading = not left and (look.is_bold or all("strong" in one.marks.split() for one in said))
        return _Block("heading" if is_set_as_heading else "text", html, where, left)

    def _with_notes(self, words: list[Words]) -> tuple[list[Words], list[tuple[int, _Element]]]:
        """The words with numbers where notes are referred to, and these notes."""
        shown, notes = [], []
        for one in words:
            root = self._notes.get(one.note) if one.note else None
            if root is not None:
                self._noted += 1
                notes.append((self._noted, root))
            shown.append(one if root is None else Words(f"[{self._noted}]"))
        return shown, notes

    def _table(self, element: _Element, depth: int) -> Iterator[_Block]:
        rows: list[list[list[_Block]]] = []
        marks = []
        for row in _rows(element):
            if row.find(f"{W}trPr/{W}del") is None:
                cells = self._cells(row, rows[-1] if rows else (), depth)
                if any(cells):
                    rows.append(cells)
                    marks.append(max(1, self._count))
        filled = [cell for row in rows for cell in row if cell]
        if not filled:
            return
        indent = element.find(f"{W}tblPr/{W}tblInd")
        left = max(0, whole(indent.get(f"{W}w"))) if indent is not None else 0
        if len(filled) == 1:
            yield from self._box(filled[0], left)
            return
        html = table([[_cell(cell) for cell in row] for row in rows], marks, headed=_is_headed(element))
        yield _Block("table", html, marks[-1], left)

    def _cells(self, row: _Element, above: Sequence[list[_Block]], depth: int) -> list[list[_Block]]:
        """A row's cells; one that goes on from the row above says the same again, for each row is read by itself."""
        before = row.find(f"{W}trPr/{W}gridBefore")
        cells: list[list[_Block]] = [[]] * (whole(before.get(f"{W}val")) if before is not None else 0)
        for cell in _children_of(row, f"{W}tc"):
            merged = cell.find(f"{W}tcPr/{W}vMerge")
            goes_on = merged is not None and merged.get(f"{W}val") in (None, "continue")
            own = [] if goes_on else list(self.blocks(cell, depth))
            cells.append(above[len(cells)] if goes_on and len(cells) < len(above) else own)
            span = cell.find(f"{W}tcPr/{W}gridSpan")
            cells += [[]] * (min(whole(span.get(f"{W}val")), 100) - 1 if span is not None else 0)
        return cells

    def _box(self, blocks: list[_Block], left: int) -> Iterator[_Block]:
        """What a frame is around: code stays code."""
        if blocks and all(block.kind == "code" for block in blocks):
            yield from (block._replace(left=left) for block in blocks)
        elif blocks:
            inner = page_of(nested(list(_joined(blocks))))
            first = blocks[0]
            title = first.words or _bare(first.html)
            weight = title.split(":")[0].strip() if names_weight(title.split(":")[0]) else ""
            yield _Block("box", inner, blocks[-1].where, left, weight=weight)


def _joined(blocks: list[_Block]) -> Iterator[Found]:
    """The blocks, with lines of code that follow each other in one and so the paragraphs of a box."""
    for (kind, weight, left, _), group in groupby(blocks, _together):
        some = list(group)
        where = some[-1].where
        if kind == "code":
            html = "\n".join(block.html for block in some)
            yield Found(f"<pre>{html}</pre>", where, left=left)
        elif kind == "box":
            html = "".join(block.html for block in some)
            yield Found(box(html, weight), where, left=left)
        else:
            for one in some:
                is_counted = one.number is not None and label_of(one.number) != BULLET
                words = one.words if is_counted else ""
                yield Found(one.html, one.where, one.number, one.left, one.kind == "heading", words)


def _together(block: _Block) -> tuple[str, str, int, int]:
    is_joined = block.kind in ("code", "box")
    return (block.kind, block.weight, block.left, 0) if is_joined else ("", "", 0, 0)


def _cell(blocks: Sequence[_Block]) -> str:
    """The HTML of a cell. Items have their numbers in words: a line of a table holds no list."""
    parts = []
    for block in blocks:
        label = f"{plain(label_of(block.number))} " if block.number is not None else ""
        html = f"<p><code>{block.html}</code></p>" if block.kind == "code" else block.html
        parts.append(html.replace("<p>", f"<p>{label}", 1))
    return _unmarked("".join(parts))


def _unmarked(html: str) -> str:
    """HTML without the marks of places: in a table each row has one."""
    return "".join(part.partition("\ue0f1")[2] if at_ else part for at_, part in enumerate(html.split("\ue0f0")))


def _bare(html: str) -> str:
    words = "".join(part.partition(">")[2] for part in _unmarked(html).split("<"))
    return words.strip()


def _is_headed(element: _Element) -> bool:
    """Whether a table's first row is its head."""
    first = next(_rows(element), None)
    if first is not None and first.find(f"{W}trPr/{W}tblHeader") is not None:
        return True
    look = element.find(f"{W}tblPr/{W}tblLook")
    if look is None:
        return True
    said = look.get(f"{W}firstRow")
    value = str(look.get(f"{W}val") or "0")
    return said in ("1", "true") if said is not None else bool(int(value, 16) & 0x20) if value.isalnum() else True


def _rows(element: _Element) -> Iterator[_Element]:
    return _children_of(element, f"{W}tr")


def _children_of(element: _Element | None, tag: str) -> Iterator[_Element]:
    """The children of one kind, also those that a control or a change is around."""
    for child in () if element is None else element:
        if child.tag == tag:
            yield child
        elif child.tag in _HOLDERS:
            yield from _children_of(child, tag)


def _boxes(paragraph: _Element) -> list[_Element]:
    """The contents of the boxes that are anchored in a paragraph, each once and without those within them."""
    found = []
    for content in paragraph.iter(f"{W}txbxContent"):
        around = list(content.iterancestors(f"{MC}Fallback", f"{W}txbxContent", f"{W}p"))
        if around and around[0] is paragraph:
            found.append(content)
    return found


def _root(part: Part | None) -> _Element | None:
    if part is None:
        return None
    element = getattr(part, "element", None)
    return element if element is not None else parse_xml(part.blob)
