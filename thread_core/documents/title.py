"""What a document is called: by its caller, a heading, its front matter or its id; and its other names and its date."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from thread_core.documents import headings
from thread_core.documents.blocks.markdown import Block, Markdown
from thread_core.text.words import content_words

ALIKE = 0.5
"""Two names that have a greater share of all their words in common are names of the same."""

_KB = re.compile(
    r"\W*(?:original\s+|this\s+|article\s+|applies\s+to\s+)?KB(?:\s+(?:number|article|id))?\W{0,6}(\d{5,9})\W*",
    re.IGNORECASE,
)
"""A line that says nothing but the document's own number."""
_KB_TITLE = re.compile(r"\bKB\W{0,3}(\d{5,9})\b", re.IGNORECASE)
_DESCRIBING = ("description", "summary", "excerpt", "intro", "abstract")
"""Fields of front matter that say what a document is about."""
_NAMELESS = frozenset(("readme", "index", "_index"))
"""What a folder's page is called."""
_BREAKS = re.compile(r"[-_]+")
_WORD = re.compile(r"\b[^\W\d_]{3,}\b")


@dataclass(frozen=True, slots=True)
class TitlePage:
    """What a document is called, and the heading that says so where one does."""

    title: str
    aliases: tuple[str, ...]
    date: str
    heading: Block | None


def title_page(markdown: Markdown, document_id: str, title: str = "") -> TitlePage:
    """What a document says about itself as a whole.

    The title is the given one, else the heading that is the document's, else the front matter's, else what the id
    says: "guides/disk-is-full.md" -> "disk is full".
    """
    front = markdown.front_matter
    given = [name for name in (headings.clip(title), headings.clip(front.get("title", ""))) if name]
    top = _document_s([block for block in markdown.blocks if _is_heading(block)], given, document_id)
    said = headings.clip(headings.filled(top)) if top else ""
    name = headings.clip(title) or said or (given[0] if given else _named_by_id(document_id, markdown.source.text))
    others = [said, *given, *_knowledge_base_numbers(markdown)]
    aliases = tuple(dict.fromkeys(alias for alias in others if alias and alias != name))
    date = next((front[key] for key in ("date", "ms.date", "updated", "last_updated") if front.get(key)), "")
    return TitlePage(name, aliases, date, top)


def description(front: Mapping[str, str]) -> str:
    """What front matter says a document is about, in a sentence or two; empty where it does not."""
    return next((front[key] for key in _DESCRIBING if front.get(key)), "")


def _document_s(named: Sequence[Block], given: Sequence[str], document_id: str) -> Block | None:
    """The heading that is the whole document's and no section's, of all that have words.

    It stands alone at the top. Of several side by side it is the one that says what the document is called elsewhere.
    Where nothing else names the document, it is the first.
    """
    if not named:
        return None
    first = named[0]
    highest = min(block.level for block in named)
    if given and highest > 1:
        return None
    tops = [block for block in named if block.level == highest]
    if tops == [first]:
        return first
    told = _told_by_id(document_id)
    alike = (block for block in tops if any(_alike(block.text, name) for name in (*given, told)))
    return next(alike, None if given or len(_WORD.findall(told)) > 1 else first)


def _is_heading(block: Block) -> bool:
    return block.kind == "heading" and headings.is_named(block) and not headings.is_tab(block)


def _alike(heading: str, name: str) -> bool:
    ours, theirs = content_words(headings.clip(heading)), content_words(name)
    return len(ours & theirs) > ALIKE * len(ours | theirs)


def _named_by_id(document_id: str, text: str) -> str:
    """What an id says: as it is written where the text names it so ("kube-proxy"), else in words."""
    stem = _stem(document_id)
    is_name = stem in text and re.search(rf"(?<![\w./-]){re.escape(stem)}(?![\w/-]|\.\w)", text)
    return headings.clip(stem if is_name else _told_by_id(document_id))


def _told_by_id(document_id: str) -> str:
    """The last part of an id that says something, in words."""
    return _BREAKS.sub(" ", _stem(document_id)).strip() or document_id


def _stem(document_id: str) -> str:
    path = PurePosixPath(document_id)
    return path.stem if path.stem.lower() not in _NAMELESS else path.parent.name or path.stem


def _knowledge_base_numbers(markdown: Markdown) -> Iterator[str]:
    """The document's own, from its title or a line that says only that; others are mentioned for other reasons."""
    for block in markdown.blocks[:12]:
        if "kb" not in block.text.lower():
            continue
        if block.kind == "heading" and block.level == 1 and (match := _KB_TITLE.search(block.text)):
            yield f"KB{match[1]}"
        for part in block.walk():
            yield from (f"KB{match[1]}" for line in part.text.split("\n") if (match := _KB.fullmatch(line)))
