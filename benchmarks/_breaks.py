"""What cutting a document into chunks breaks, counted on what came out.

- **code blocks changed**: those whose lines stand byte for byte, indentation included, in no one chunk.
- **procedures split**: numbered lists whose steps begin in several chunks. **with no way on**: those of them with
  a step that is reached from no chunk of a step before it, neither by a link nor as its neighbour.
- **links lost**: hyperlinks whose words stand in no chunk that also says where they lead.
- **lines lost**: lines whose words stand in no chunk, neither whole nor in two pieces.

A chunk is its text and what lies beside it in the store, its metadata. Marks, tags and white space count in code alone.
Documents in the paper's form are left out: they are units already, and their labels are read and not kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from thread_core.documents.blocks.markdown import Block, Hyperlink, parse
from thread_core.documents.blocks.source import Source
from thread_core.extraction import paper_form

_LEAD = re.compile(r"^[\s#>+*-]*(?:\d+[.)])?")
"""Marks with which a line begins, and a number."""
_MARK = re.compile(r"[`*_\\]|</?[a-z][^<>]*>")
_WORD = re.compile(r"\w")


class Chunk(NamedTuple):
    """A piece of a document, as it lies in a store."""

    text: str
    beside: str = ""
    """Its metadata's values."""
    leads: frozenset[int] = frozenset()
    """The pieces of the same document, counted from 0, that it names as those to go on with."""

    @property
    def whole(self) -> str:
        return f"{self.text}\n{self.beside}"


class Breaks(NamedTuple):
    """How many of how many are broken, of each kind."""

    code: tuple[int, int]
    procedures: tuple[int, int]
    no_way_on: tuple[int, int]
    links: tuple[int, int]
    lines: tuple[int, int]

    def row(self) -> dict[str, str]:
        """As columns of a table."""
        names = ("code blocks changed", "procedures split", "with no way on", "links lost", "lines lost")
        return {name: f"{broken} of {of}" for name, (broken, of) in zip(names, self, strict=True)}


def count_breaks(documents: Mapping[str, str], chunks: Mapping[str, Sequence[Chunk]]) -> Breaks:
    """What is broken in some documents by cutting them into these chunks."""
    every = [
        _in_document(text, chunks[path])
        for path, text in documents.items()
        if not paper_form.is_written_so(parse(text))
    ]
    return Breaks(*(_share([verdict for one in every for verdict in one[kind]]) for kind in range(len(Breaks._fields))))


def _in_document(text: str, chunks: Sequence[Chunk]) -> tuple[list[bool], ...]:
    """Of each kind, whether each that there is is broken."""
    source, markdown = Source(text), parse(text)
    blocks = [block for top in markdown.blocks for block in top.walk()]
    wholes = [chunk.whole for chunk in chunks]
    plain = [_plain(whole) for whole in wholes]
    bare = [_bare(whole) for whole in wholes]
    procedures = [
        [_holding(_plain(source.line(item.start)), plain) for item in block.children]
        for block in blocks
        if block.kind == "list" and len(block.children) > 1 and block.children[0].number is not None
    ]
    return (
        [not any(code in whole for whole in wholes) for block in blocks if (code := _code(block, source))],
        [not set.intersection(*steps) for steps in procedures],
        [not set.intersection(*steps) and not _leads_through(steps, chunks) for steps in procedures],
        [not any(_leads_on(link, one) for one in bare) for block in blocks for link in block.links],
        [not _stands(words, bare) for line in source.lines if _WORD.search(words := _bare(_LEAD.sub("", line)))],
    )


def _code(block: Block, source: Source) -> str:
    """The lines of a code block without its fences; empty for any other block."""
    if block.kind != "code":
        return ""
    fenced = source.line(block.start).lstrip(" >-*+.0123456789").startswith(("```", "~~~"))
    lines = source.lines[block.start : block.end - 1] if fenced else source.lines[block.start - 1 : block.end]
    return "\n".join(lines)


def _holding(line: str, plain: Sequence[str]) -> set[int]:
    """The chunks in which a line stands."""
    return {index for index, text in enumerate(plain) if line in text}


def _leads_through(steps: Sequence[set[int]], chunks: Sequence[Chunk]) -> bool:
    """Whether each step but the first is in a chunk of one before it, or in one that such a chunk names."""
    reached = set(steps[0])
    for step in steps[1:]:
        if not step & reached.union(*(chunks[index].leads for index in reached)):
            return False
        reached |= step
    return True


def _leads_on(link: Hyperlink, text: str) -> bool:
    return _bare(link.text) in text and all(part in text for part in _bare(link.href).split("#"))


def _stands(words: str, texts: Sequence[str]) -> bool:
    return _is_in(words, texts) or any(_is_in(start, texts) and _is_in(rest, texts) for start, rest in _halves(words))


def _is_in(words: str, texts: Sequence[str]) -> bool:
    return any(words in text for text in texts)


def _halves(line: str) -> Iterator[tuple[str, str]]:
    words = line.split(" ")
    return ((" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words)))


def _plain(text: str) -> str:
    return " ".join(text.split())


def _bare(text: str) -> str:
    """Without the marks that may stand within words."""
    return _plain(_MARK.sub("", text))


def _share(verdicts: Sequence[bool]) -> tuple[int, int]:
    return sum(verdicts), len(verdicts)
