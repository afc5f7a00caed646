"""What stands in the paragraphs of a Word document -> HTML: marks, links, fields, notes, and changes as accepted.

What was deleted or moved away is gone, what was inserted is there. A field shows what it showed when the file was
saved; one that refers to a place in the document is a link to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import NamedTuple

from lxml.etree import _Element

from thread_rag.office.numbering import W, value_of
from thread_rag.office.pieces import plain

R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_GONE = frozenset((f"{W}del", f"{W}moveFrom", f"{W}delText", f"{MC}Fallback", f"{W}pPr", f"{W}rPr", f"{W}sectPr"))
"""Elements that are not shown, with all in them."""
_REFERS = re.compile(r"\s*(?:REF|PAGEREF|NOTEREF)\s+\"?([^\s\"\\]+)", re.IGNORECASE)
_GOES = re.compile(r"\s*HYPERLINK\s+(?:\\l\s+)?\"([^\"]*)\"", re.IGNORECASE)
_MONOSPACED = re.compile(r"courier|consolas|\bmono\b|mono$|menlo|monaco|lucida console|fixedsys", re.IGNORECASE)
_ON = ("", "1", "true", "on")
_SIGNS = {
    f"{W}tab": " ",
    f"{W}br": "\n",
    f"{W}cr": "\n",
    f"{W}noBreakHyphen": "-",
    f"{W}softHyphen": "",
    f"{W}ptab": " ",
}


class Words(NamedTuple):
    """Text that is set in one way."""

    text: str
    marks: str = ""
    """Names of the elements around it, outermost first: "strong em"."""
    href: str = ""
    anchor: str = ""
    """A place with that name stands here."""
    note: str = ""
    """A footnote's id, which is referred to here."""


class Reader:
    """Reads the text of paragraphs. A field may begin in one paragraph and end in another."""

    def __init__(self, targets: Mapping[str, str], linked: frozenset[str], styles: Mapping[str, str]) -> None:
        """Keep what paragraphs refer to.

        Args:
            targets: Where links lead, by the ids of relationships.
            linked: The names of the places that are linked to.
            styles: Marks of the styles of characters, by their ids.
        """
        self._targets = targets
        self._linked = linked
        self._styles = styles
        self._fields: list[list[str]] = []
        """Of each field that has begun: its instruction, and "shown" once what it shows has begun."""

    def words(self, paragraph: _Element) -> list[Words]:
        """What a paragraph shows, in order; texts in boxes are not in it."""
        return list(self._read(paragraph, ""))

    def _read(self, element: _Element, href: str) -> Iterator[Words]:
        for child in element:
            tag = child.tag
            if tag in _GONE or not isinstance(tag, str):
                continue
            if tag == f"{W}r":
                yield from self._run(child, href)
            elif tag == f"{W}hyperlink":
                yield from self._read(child, self._target(child) or href)
            elif tag == f"{W}fldSimple":
                yield from self._read(child, goal_of(str(child.get(f"{W}instr"))) or href)
            elif tag == f"{W}bookmarkStart":
                if (name := str(child.get(f"{W}name"))) in self._linked:
                    yield Words("", anchor=name)
            else:
                yield from self._read(child, href)

    def _run(self, run: _Element, href: str) -> Iterator[Words]:
        properties = run.find(f"{W}rPr")
        if is_on(properties, "vanish"):
            return
        marks = self._marks(properties)
        for child in _shown(run):
            tag = child.tag
            if tag == f"{W}fldChar":
                self._turn(str(child.get(f"{W}fldCharType")))
            elif tag == f"{W}instrText":
                if self._fields:
                    self._fields[-1][0] += child.text or ""
            elif any(len(field) == 1 for field in self._fields):
                continue  # of a field that has not come to what it shows
            elif tag in (f"{W}footnoteReference", f"{W}endnoteReference"):
                yield Words("", note=f"{tag.removeprefix(W)} {child.get(f'{W}id')}")
            elif tag == f"{W}t" or tag in _SIGNS:
                goal = href or next(filter(None, (goal_of(field[0]) for field in reversed(self._fields))), "")
                text = _SIGNS.get(tag, child.text or "")
                if tag == f"{W}br" and child.get(f"{W}type") in ("page", "column"):
                    text = " "
                yield Words(text, marks, goal)

    def _turn(self, kind: str) -> None:
        if kind == "begin":
            self._fields.append([""])
        elif kind == "separate" and self._fields:
            self._fields[-1].append("shown")
        elif kind == "end" and self._fields:
            self._fields.pop()

    def _marks(self, properties: _Element | None) -> str:
        if properties is None:
            return ""
        style = self._styles.get(value_of(properties, "rStyle"), "")
        marks = ["strong"] * is_on(properties, "b") + ["em"] * is_on(properties, "i")
        if is_monospaced(properties):
            marks = ["code"]
        return " ".join(dict.fromkeys([*style.split(), *marks])) if "code" not in style else "code"

    def _target(self, link: _Element) -> str:
        anchor = str(link.get(f"{W}anchor") or "")
        target = self._targets.get(str(link.get(f"{R}id")), "")
        return f"{target}#{anchor}" if anchor else target


def goal_of(instruction: str) -> str:
    r"""Where a field leads, by its instruction: `REF _Ref12 \h` to a place, `HYPERLINK "..."` to a page."""
    if refers := _REFERS.match(instruction):
        return f"#{refers[1]}"
    found = _GOES.match(instruction)
    if found is None:
        return ""
    return f"#{found[1]}" if re.match(r"\s*HYPERLINK\s+\\l", instruction, re.IGNORECASE) else found[1]


def linked_places(root: _Element) -> frozenset[str]:
    """The names of all places that something in a document leads to."""
    links = {str(one.get(f"{W}anchor")) for one in root.iter(f"{W}hyperlink")}
    simple = [str(one.get(f"{W}instr")) for one in root.iter(f"{W}fldSimple")]
    # An instruction may be cut anywhere; what is found besides is a name that no place has.
    texts = [
        "".join(one.text or "" for one in paragraph.iter(f"{W}instrText")).replace("HYPERLINK", "\nHYPERLINK")
        for paragraph in root.iter(f"{W}p")
    ]
    written = re.sub(r"(?=(?:PAGE|NOTE)?REF\s)", "\n", "\n".join((*simple, *texts))).split("\n")
    return frozenset(links | {goal_of(one).removeprefix("#") for one in written if goal_of(one).startswith("#")})


def html_of(words: list[Words]) -> str:
    """Text with its marks and links as HTML. Neighbours that are set alike are one."""
    parts: list[str] = []
    at = 0
    while at < len(words):
        first = words[at]
        end = at + 1
        while end < len(words) and not (first.anchor or first.note) and _alike(words[end], first):
            end += 1
        text = "".join(one.text for one in words[at:end])
        parts.append(f'<a id="{escape(first.anchor)}"></a>' if first.anchor else _element(text, first))
        at = end
    return "".join(parts)


def plain_text(words: list[Words]) -> str:
    """The text alone."""
    return "".join(one.text for one in words)


def is_on(properties: _Element | None, name: str) -> bool:
    """Whether a property that is there or not is there, and not turned off."""
    found = None if properties is None else properties.find(f"{W}{name}")
    return found is not None and str(found.get(f"{W}val") or "") in _ON


def is_monospaced(properties: _Element | None) -> bool:
    """Whether properties of characters name a font in which code is set."""
    fonts = None if properties is None else properties.find(f"{W}rFonts")
    return fonts is not None and _MONOSPACED.search(str(fonts.get(f"{W}ascii") or "")) is not None


def _alike(one: Words, other: Words) -> bool:
    return (one.marks, one.href, one.anchor, one.note) == (other.marks, other.href, "", "")


def _element(text: str, how: Words) -> str:
    before = text[: len(text) - len(text.lstrip())]
    after = text[len(text.rstrip()) :] if text.strip() else ""
    said = plain(text.strip()).replace("\n", "<br>")
    if said:
        for mark in reversed(how.marks.split()):
            said = f"<{mark}>{said}</{mark}>"
        if how.href:
            said = f'<a href="{escape(how.href, quote=True)}">{said}</a>'
    return f"{plain(before)}{said}{plain(after)}".replace("\n", "<br>")


def _shown(run: _Element) -> Iterator[_Element]:
    """What is in a run, also behind a choice of forms, but no drawings: their texts are paragraphs by themselves."""
    for child in run:
        if child.tag == f"{MC}AlternateContent":
            choice = child.find(f"{MC}Choice")
            if choice is not None:
                yield from _shown(choice)
        elif isinstance(child.tag, str) and child.tag not in _GONE:
            yield child
