"""What warns within a text: boxes, labelled paragraphs and those with a sign, with what stands before each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from thread_core.documents.blocks.markdown import Block, parse
from thread_core.documents.blocks.shape import outdented
from thread_core.documents.promises import promises_warnings
from thread_core.text import sentences

SIGNS = "⚠☠⛔🚫🛑🚨☢☣❗‼"
"""What warns without a word."""
HINTS = (*sentences.ALARMS, *SIGNS, "safety", "precaution")
"""Of these a text in lower case has one in which anything may warn."""
_MARK = re.compile(r"\[!\w+\]\s*")
"""How an alert box begins: `> [!NOTE]`."""
_SIGN = re.compile(rf"[^\w{SIGNS}]*[{SIGNS}]\W*(?=\w)")


class Box(NamedTuple):
    """A warning, and where it stands in its text."""

    text: str
    """With its label: "Caution: The plate is hot."."""
    first: int
    """Its first line, 1-based."""
    last: int
    begins: bool
    """Whether nothing but boxes stands before it."""
    is_above_steps: bool
    """Whether no numbered list stands before it."""
    is_behind_cases: bool
    """Whether a list or a table stands before it."""


def unmarked(text: str) -> str:
    """A text without the marks with which alert boxes begin."""
    return _MARK.sub("", text) if "[!" in text else text


def boxes(text: str) -> tuple[Box, ...]:
    r"""The warnings of a text, those in items of its lists left out.

    Example:
        >>> boxes("1. Wait.\n\n> [!CAUTION]\n> The plate is hot.\n")[0][:3]
        ('Caution: The plate is hot.', 3, 4)
    """
    return tuple(_boxes(text)) if sentences.mentions(sentences.lowered(text), HINTS) else ()


def _boxes(text: str) -> Iterator[Box]:
    before: list[Block] = []
    for said, blocks in warnings(parse(outdented(text)).blocks):
        if said:
            is_behind = any(one.kind in ("list", "table") for one in before)
            yield Box(said, blocks[0].start, blocks[-1].end, not before, not any(map(_is_numbered, before)), is_behind)
        else:
            before += blocks


def warnings(blocks: Iterable[Block]) -> Iterator[tuple[str, Sequence[Block]]]:
    """Blocks in order, each with what it warns of, if it does; a label that stands alone goes with what it is for.

    That is the paragraph or the quotation after it, or the list, or its items, where they are not numbered.
    """
    label, labelled = "", list[Block]()
    for block in (*blocks, None):
        if block and label and _goes_with(labelled, block):
            labelled.append(block)
            continue
        if labelled:
            said = _in_a_line(labelled[1:])
            yield f"{label}: {said}" if said else "", labelled
        label = _label_of(block.text) if block and block.kind == "paragraph" else ""
        labelled = [block] if block and label else []
        if block and not label:
            yield _warning(block), (block,)


def _goes_with(labelled: Sequence[Block], block: Block) -> bool:
    """Whether a block is what a label that stands alone is for, or goes on with it."""
    if len(labelled) > 1:
        return block.kind == "item" == labelled[-1].kind and block.number is None
    return block.kind in ("paragraph", "quote") or (block.kind in ("list", "item") and not _is_numbered(block))


def _warning(block: Block) -> str:
    """What a paragraph or a quotation warns of, with its label; empty where it warns of nothing."""
    if block.kind not in ("paragraph", "quote"):
        return ""
    text = _in_a_line([block])
    if said := sentences.warning(text):
        return said
    first = next((one for one in block.walk() if one.text), block)
    for begun in _set_off(first):
        rest = text[len(begun) :].lstrip(" :-–—*_")
        if (label := _label_of(begun)) and rest and not rest[0].islower():
            return f"{label}: {rest}"
    if sign := _SIGN.match(text):
        return f"{sentences.WARNING} {text[sign.end() :]}"
    return ""


def _set_off(block: Block) -> Iterator[str]:
    """How a block begins, in one line, as far as it is set off from what follows: in bold, or by the end of a line."""
    for start, stop in block.marked[:1]:
        if not re.search(r"\w", block.text[:start]):
            yield " ".join(block.text[:stop].split())
    yield " ".join(block.text.partition("\n")[0].split())


def _label_of(text: str) -> str:
    """What a text calls a warning that is nothing but its label: "Caution", or "Warning" for all that has no name."""
    said = re.sub(r"^[\W_]+|[\W_]+$", "", text).casefold()
    if said in sentences.ALARMS:
        return said.capitalize()
    return sentences.WARNING[:-1] if promises_warnings(said) else ""


def _in_a_line(blocks: Sequence[Block]) -> str:
    """The words of some blocks in one line, a semicolon between items of a list that end with no mark."""
    said, begins_item = "", False
    for block in (part for one in blocks for part in one.walk()):
        begins_item = begins_item or block.kind == "item"
        if block.text:
            said += ("; " if begins_item and said and said[-1] not in ".!?:;," else " ") + block.flat
            begins_item = False
    return said.strip()


def _is_numbered(block: Block) -> bool:
    return block.kind in ("list", "item") and block.number is not None
