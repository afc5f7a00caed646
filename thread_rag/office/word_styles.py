"""What the styles of a Word document say of its paragraphs: headings, lists, code, boxes, indents."""

from __future__ import annotations

import re
from typing import NamedTuple

from lxml.etree import _Element

from thread_rag.exports import weight_named
from thread_rag.office.numbering import W, value_of, whole
from thread_rag.office.word_text import is_monospaced, is_on

_HEADING = re.compile(r"heading ([1-9])")
_CODE = re.compile(r"\bcode\b|source ?code|preformatted|verbatim|listing", re.IGNORECASE)
_INDEXED = re.compile(r"toc \d|table of figures|index \d")
_QUOTES = ("quote", "intense quote", "block text")
_CHAIN = 20
"""Styles of which each is based on the next one."""


class Look(NamedTuple):
    """How a paragraph is set; what nothing says is None."""

    name: str = ""
    """Of its style: for those that Word brings, the English one in any language."""
    level: int = 0
    """A heading's, 1 to 9; 0 for what is none."""
    list_name: str = ""
    list_level: int | None = None
    left: int | None = None
    is_code: bool = False
    is_boxed: bool = False
    """It has a frame or a coloured ground."""
    is_bold: bool = False

    @property
    def is_title(self) -> bool:
        """Whether it is what the document is called."""
        return self.name == "title"

    @property
    def is_index(self) -> bool:
        """Whether it is a line of a table of contents."""
        return _INDEXED.match(self.name) is not None

    @property
    def weight(self) -> str:
        """The weight of a box that the style's name says: WARNING, NOTE."""
        return "" if self.level or self.is_code else weight_named(self.name)


class Styles:
    """The styles of one document."""

    def __init__(self, root: _Element | None) -> None:
        """Read them; a document may have none."""
        self._all: dict[str, _Element] = {}
        self._looks: dict[str, Look] = {}
        self._default = ""
        for style in () if root is None else root.findall(f"{W}style"):
            name = str(style.get(f"{W}styleId"))
            self._all.setdefault(name, style)
            if style.get(f"{W}type") == "paragraph" and style.get(f"{W}default") in ("1", "true"):
                self._default = name

    @property
    def lists(self) -> dict[str, str]:
        """The list that each style names."""
        named = {name: style.find(f"{W}pPr/{W}numPr") for name, style in self._all.items()}
        return {name: value_of(one, "numId") for name, one in named.items() if one is not None}

    @property
    def of_characters(self) -> dict[str, str]:
        """The marks of styles of characters."""
        found = {}
        for name, style in self._all.items():
            if style.get(f"{W}type") == "character" and value_of(style, "name").lower() != "hyperlink":
                properties = style.find(f"{W}rPr")
                is_code = is_monospaced(properties) or _CODE.search(value_of(style, "name"))
                marks = ["strong"] * is_on(properties, "b") + ["em"] * is_on(properties, "i")
                found[name] = "code" if is_code else " ".join(marks)
        return found

    def look(self, paragraph: _Element) -> Look:
        """How a paragraph is set, by itself and by its style."""
        properties = paragraph.find(f"{W}pPr")
        styled = self._styled(value_of(properties, "pStyle") if properties is not None else "")
        return styled if properties is None else _over(styled, properties, None)

    def _styled(self, name: str) -> Look:
        known = name if name in self._all else self._default
        if known not in self._looks:
            chain: list[str] = []
            following = known
            while following in self._all and following not in chain and len(chain) < _CHAIN:
                chain.append(following)
                following = value_of(self._all[following], "basedOn")
            look = Look()
            for one in reversed(chain):
                style = self._all[one]
                called = value_of(style, "name").lower()
                heading = _HEADING.fullmatch(called)
                look = look._replace(name=called, level=int(heading[1]) if heading else look.level)
                look = _over(look, style.find(f"{W}pPr"), style.find(f"{W}rPr"))
                look = look._replace(is_code=look.is_code or _CODE.search(called) is not None)
                look = look._replace(is_boxed=look.is_boxed or called in _QUOTES)
            self._looks[known] = look
        return self._looks[known]


def _over(look: Look, properties: _Element | None, of_characters: _Element | None) -> Look:
    """A look with what properties say over it."""
    changes: dict[str, object] = {}
    if of_characters is not None:
        changes["is_code"] = look.is_code or is_monospaced(of_characters)
        changes["is_bold"] = is_on(of_characters, "b") or (look.is_bold and of_characters.find(f"{W}b") is None)
    if properties is not None:
        outline = value_of(properties, "outlineLvl")
        if outline.isdecimal():
            changes["level"] = int(outline) + 1 if int(outline) < 9 else 0
        if (numbered := properties.find(f"{W}numPr")) is not None:
            changes["list_name"] = value_of(numbered, "numId") or look.list_name
            changes["list_level"] = whole(value_of(numbered, "ilvl")) if value_of(numbered, "ilvl") else look.list_level
        indent = properties.find(f"{W}ind")
        if indent is not None and (said := indent.get(f"{W}left") or indent.get(f"{W}start")):
            changes["left"] = whole(said)
        if (frame := properties.find(f"{W}pBdr")) is not None:
            sides = {str(side.tag).removeprefix(W) for side in frame if side.get(f"{W}val") not in ("none", "nil")}
            changes["is_boxed"] = {"left", "right"} <= sides or {"top", "bottom", "left"} <= sides
    return look._replace(**changes)  # type: ignore[arg-type]
