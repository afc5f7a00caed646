"""Blocks -> whether there is something to do in them, and where they only show what is there to read."""

from __future__ import annotations

import re

from thread_core.documents import conditions
from thread_core.documents.blocks.markdown import CELL, Block
from thread_core.documents.steps import step_named
from thread_core.text import sentences

_QUESTION = re.compile(r"\W*q(?:uestion)?(?: ?\d+)?\s*[:.)]\s", re.IGNORECASE)
_DRAWN = frozenset(("mermaid", "plantuml", "puml", "dot", "graphviz", "d2", "ditaa", "wavedrom"))
"""Languages of pictures."""


def asks(block: Block) -> bool:
    """A paragraph that begins with a question in bold that no step is called by and answers it, or with `Q:`."""
    if block.kind != "paragraph":
        return False
    begins = block.lead.endswith("?") and block.lead != block.text and step_named(block.lead) is None
    return begins or _QUESTION.match(block.text) is not None


def is_drawing(block: Block) -> bool:
    """Whether a program that draws stands in a code block: its words are no instructions."""
    return block.kind == "code" and language(block) in _DRAWN


def language(block: Block) -> str:
    """What a fence says first of its code, in lower case: of `{.mermaid height=400}`, "mermaid"."""
    return next(iter(block.language.strip("{}. ").lower().split()), "").rstrip("}")


def words_of(item: Block) -> Block:
    """The row, or the first paragraph of an item, which may be its only block."""
    return item.children[0] if item.kind == "item" and item.children else item


def counts_steps(block: Block) -> bool:
    """Whether a block is a numbered list of which an item says what to do."""
    counts = block.kind == "list" and block.number is not None
    return counts and any(sentences.instructs(words_of(item).text) for item in block.children)


def lists_links(block: Block) -> bool:
    """Whether every item of a list has an address and none tells the reader to do anything."""
    items = [list(item.walk()) for item in block.children]
    linked = all(any(part.links or "://" in part.text for part in item) for item in items)
    return linked and not any(sentences.tells(part.text) for item in items for part in item)


def tells_cases(block: Block) -> bool:
    """Whether an item or a row of a list or a table says what to do in a case, or leads on there."""
    return block.kind in ("list", "table") and any(map(_tells_a_case, block.walk()))


def _tells_a_case(block: Block) -> bool:
    if block.kind == "row":
        return any(sentences.tells(cell.strip()) for cell in block.text.split(CELL)[1:])
    is_said = block.kind == "paragraph" and conditions.may_state(sentences.lowered(block.text))
    clauses = (conditions.clause(sentence.text) for sentence in sentences.cut(block.text)) if is_said else ()
    return any(clause and (sentences.tells(clause.consequence) or block.links) for clause in clauses)
