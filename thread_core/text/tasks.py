"""Blocks -> whether there is something to do in them, and where they only show what is there to read."""

from __future__ import annotations

import re

from thread_core.text import conditions, directions, sentences
from thread_core.text.markdown import CELL, Block, Hyperlink
from thread_core.text.messages import message_of
from thread_core.text.scripts import COLONS
from thread_core.text.steps import step_named

_QUESTION = re.compile(r"\W*q(?:uestion)?(?: ?\d+)?\s*[:.)]\s", re.IGNORECASE)
_DRAWN = frozenset(("mermaid", "plantuml", "puml", "dot", "graphviz", "d2", "ditaa", "wavedrom"))
"""Languages of pictures."""
_AIM = re.compile(r"to\s+(?!the\b|an?\b|your\b)\w[^,:]*(?:[,:]\s*|$)", re.IGNORECASE)
"""What an instruction is for, before it: "To restore a project, "."""
_ASSURING = re.compile(r"\W*(?:please |also )?(?:ensure|make sure|check|verify|confirm)\b", re.IGNORECASE)
"""How an instruction begins that states what must be so."""


def asks(block: Block) -> bool:
    """A paragraph that begins with a question in bold that no step is called by and answers it, or with `Q:`."""
    if block.kind != "paragraph":
        return False
    begins = block.lead.endswith("?") and block.lead != block.text and step_named(block.lead) is None
    return begins or _QUESTION.match(block.text) is not None


def is_drawing(block: Block) -> bool:
    """Whether a program that draws stands in a code block: its words are no instructions."""
    return block.kind == "code" and block.language.strip("{} ").lower() in _DRAWN


def leads_on(block: Block) -> bool:
    """Whether the items of a list, or the rows of a table, lead into this document, each behind words of its own."""
    parts = [words_of(item) for item in (block.children[1:] if block.kind == "table" else block.children)]
    return len(parts) > 1 and all(len(part.links) == 1 and _is_led_to(part, part.links[0]) for part in parts)


def _is_led_to(part: Block, link: Hyperlink) -> bool:
    return link.href.startswith("#") and any(map(str.isalnum, part.text[: link.offset]))


def words_of(item: Block) -> Block:
    """The row, or the first paragraph of an item, which may be its only block."""
    return item.children[0] if item.kind == "item" and item.children else item


def shows_links(block: Block) -> bool:
    """Whether there is nothing in a block but links, pictures or lines."""
    if block.kind in ("list", "item", "quote", "table"):
        return all(map(shows_links, block.children))
    return block.kind not in ("paragraph", "row", "code") or not says_more_than_its_links(block)


def says_more_than_its_links(block: Block) -> bool:
    """Whether a paragraph or a row has letters that are no link's."""
    return _letters(block.text) > sum(_letters(link.text) for link in block.links)


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))


def begins_procedure(text: str) -> bool:
    """Whether a paragraph below prerequisites says what to do, or what is done below it: "To restore a project:"."""
    aim = _AIM.match(text)
    if aim is None:
        return sentences.tells(text) and _ASSURING.match(text) is None
    return text.endswith(COLONS) or sentences.tells(text[aim.end() :])


def lists_links(block: Block) -> bool:
    """Whether every item of a list has an address and none tells the reader to do anything."""
    items = [list(item.walk()) for item in block.children]
    linked = all(any(part.links or "://" in part.text for part in item) for item in items)
    return linked and not any(sentences.tells(part.text) for item in items for part in item)


def says_what_to_do(block: Block) -> bool:
    """A case with what to do in it: in a sentence or behind a message of a list, or in the row of a table."""
    if block.kind == "row":
        cells = [cell.strip() for cell in block.text.split(CELL)[1:]]
        return any(_tells(cell, block) for cell in cells)
    if block.kind != "paragraph":
        return False
    if (block.text[:1] in sentences.QUOTES or message_of(block)) and (case := conditions.label(block.text)):
        return _tells(case.consequence, block) or directions.directs(case.consequence)
    if not conditions.hints(sentences.lowered(block.text)).states:
        return False
    clauses = (conditions.clause(sentence.text) for sentence in sentences.cut(block.text))
    return any(clause and (sentences.tells(clause.consequence) or block.links) for clause in clauses)


def _tells(said: str, block: Block) -> bool:
    """Whether words of a block say what to do, or send the reader on where it has a link."""
    return sentences.tells(said) or (bool(block.links) and directions.sends_on(said))


def tells_steps(block: Block, english: bool) -> bool:
    """Whether a block is a numbered list of instructions, or lists cases with what to do in them."""
    if block.kind not in ("list", "table"):
        return False
    counts = block.number is not None and not lists_links(block)
    if counts and (not english or any(sentences.instructs(words_of(item).text) for item in block.children)):
        return True
    return any(map(says_what_to_do, block.walk()))


def lists_remedies(block: Block) -> bool:
    """Whether most items of a list, or rows of a table, say what to do, each behind what it is for."""
    if block.kind not in ("list", "table"):
        return False
    told = [_is_remedy(words_of(part)) for part in block.children[block.kind == "table" :]]
    return 2 * sum(told) > len(told) > 1


def _is_remedy(part: Block) -> bool:
    """Whether an item or a row says what to do behind its case: "E2: contact us"."""
    labelled = conditions.label(part.text) if part.kind == "paragraph" else None
    told = [cell.strip() for cell in part.text.split(CELL)[1:]] if part.kind == "row" else []
    told += [labelled.consequence] if labelled else []
    return says_what_to_do(part) or any(sentences.instructs(said) or directions.ending(said) for said in told)
