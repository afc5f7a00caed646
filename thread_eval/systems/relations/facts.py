"""A document -> facts: an entity, a relation, a value; from what its structure states, or where it names a document.

Structure states them in tables, lists and lines of the form "key: value", and definition lists. One alone is no list.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from thread_core.documents.blocks.markdown import CELL, Block, Hyperlink, parse, parts
from thread_core.documents.forms.tables import cells_of, numbered_rows, parted, says_nothing
from thread_core.documents.sections import outline
from thread_core.linking import destination
from thread_core.models import Document
from thread_core.text.words import content_words

_KEY = re.compile(r"(?P<key>[^:.!?]+):\s+(?=\S)")
_DEFINES = re.compile(r":\s+(?=\S)")
_WORD = re.compile(r"\w+")
_BESIDES = re.compile(r"\s*\([^()]*\)$")
"""What tells two titles apart: "Mercury (planet)"."""


class Fact(NamedTuple):
    """What some lines say of an entity."""

    first: int
    last: int
    """The lines, 1-based, both included."""
    entity: str
    relation: str
    value: str = ""
    """Empty where it is no entity to go on with."""
    document: str = ""
    """The document that the value is, as a link names it; empty where the text does not say."""


def stated_facts(document: Document) -> list[Fact]:
    r"""What the structure states. Of a table with two columns and of pairs, the entity is what the section is about.

    Example:
        >>> stated_facts(Document("a.md", "# Tarn kettle\n\n- Maker: Ada Orrel\n- Year: 1931"))[0][2:5]
        ('Tarn kettle', 'Maker', 'Ada Orrel')
    """
    plan = outline(parse(document.text), document.id, document.title)
    found: list[Fact] = []
    for section in plan.sections:
        entity = section.title or plan.title
        for block in parts(section.blocks):
            if block.kind == "table" and not numbered_rows(block):
                found += _of_table(block, entity)
            elif block.kind == "list" and all(item.number is None for item in block.children):
                found += _of_pairs([_told(item) for item in block.children], entity)
        for block in section.blocks:
            if block.kind == "paragraph":
                found += _of_pairs(list(_lines(block)), entity)
    return sorted(found)


class Titles:
    """Documents by their titles, to be found in texts; one that is in use twice, or is no name, is not found."""

    def __init__(self, documents: Iterable[Document]) -> None:
        called: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for title in (document.title for document in documents):
            for name in {title, _BESIDES.sub("", title)}:
                if content_words(name):
                    called[tuple(_WORD.findall(name))].append(title)
        self._named = {words: titles[0] for words, titles in called.items() if len(titles) == 1}
        self._lengths = sorted({len(words) for words in self._named}, reverse=True)

    def named_in(self, text: str) -> list[tuple[str, str]]:
        """The titles of documents that a text names, with the words that do, in order; the longest name counts."""
        words = list(_WORD.finditer(text))
        found: list[tuple[str, str]] = []
        at = 0
        while at < len(words):
            here = (tuple(word[0] for word in words[at : at + size]) for size in self._lengths)
            name = next((name for name in here if name in self._named), ())
            if name:
                found.append((self._named[name], text[words[at].start() : words[at + len(name) - 1].end()]))
            at += len(name) or 1
        return found


def mentioned_facts(document: Document, titles: Titles) -> list[Fact]:
    """Each line of prose as a fact about what the title names, leading to the documents that it names.

    The line is the relation: without a model no other words say it.
    """
    found: list[Fact] = []
    for block in parse(document.text).blocks:
        for line, _, text, _ in _lines(block) if block.kind == "paragraph" else ():
            others = [(other, name) for other, name in titles.named_in(text) if other != document.title]
            leading = [Fact(line, line, document.title, text, name, other) for other, name in others]
            found += leading or [Fact(line, line, document.title, text)]
    return found


class _Told(NamedTuple):
    """Some lines of text."""

    first: int
    last: int
    text: str
    links: Sequence[Hyperlink]


def _of_table(table: Block, entity: str) -> Iterator[Fact]:
    head, rows = parted(table)
    relations = cells_of(head)[:-1]
    for row in rows:
        first, *others = cells_of(row)[:-1]
        starts = [0, *(at + 1 for at, sign in enumerate(row.text) if sign == CELL)]
        for at, value in enumerate(others, start=1):
            about, relation = (entity, first) if len(relations) == 2 else (first, relations[at])
            if about and relation and not says_nothing(value):
                document = _linked(row.links, starts[at], starts[at + 1])
                yield Fact(row.start, row.end, about, relation, value, document)


def _of_pairs(lines: Sequence[_Told], entity: str) -> list[Fact]:
    found = []
    for line in _defined(lines):
        pair = _KEY.match(line.text)
        if not pair:
            return []
        value = " ".join(line.text[pair.end() :].split())
        document = _linked(line.links, pair.end(), len(line.text))
        found.append(Fact(line.first, line.last, entity, pair["key"].strip(), value, document))
    return found if len(found) > 1 else []


def _defined(lines: Sequence[_Told]) -> list[_Told]:
    """The lines, of which one that defines the one above is put together with it."""
    found: list[_Told] = []
    for line in lines:
        if found and _DEFINES.match(line.text) and found[-1].first == found[-1].last:
            above = found.pop()
            links = [link._replace(offset=link.offset + len(above.text)) for link in line.links]
            found.append(_Told(above.first, line.last, above.text + line.text, [*above.links, *links]))
        else:
            found.append(line)
    return found


def _told(item: Block) -> _Told:
    """What an item of a list says before anything inside of it."""
    block = next((one for one in item.walk() if one.text), item)
    return _Told(block.start, block.end, block.text, block.links)


def _lines(block: Block) -> Iterator[_Told]:
    """The lines of a paragraph; none where they are not those of the source."""
    lines = block.text.split("\n")
    start = 0
    for at, line in enumerate(lines if len(lines) == block.end - block.start + 1 else ()):
        here = [link.moved(-start) for link in block.links if start <= link.offset < start + len(line)]
        yield _Told(block.start + at, block.start + at, line, here)
        start += len(line) + 1


def _linked(links: Sequence[Hyperlink], start: int, end: int) -> str:
    return next((destination(link.href)[0] for link in links if start <= link.offset < end), "")
