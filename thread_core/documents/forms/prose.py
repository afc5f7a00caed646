"""A paragraph, or an item, in sentences -> its outcomes: what is said under which condition."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from thread_core.documents import conditions, directions, leaning
from thread_core.documents.blocks.markdown import Block, Hyperlink
from thread_core.documents.forms import labels
from thread_core.documents.forms.context import Context
from thread_core.documents.forms.outcome import Outcome
from thread_core.text import sentences
from thread_core.text.facts import is_date
from thread_core.text.scripts import COLONS

NEAR = 200
"""Characters before a hyperlink in which it may be denied."""
LEAD = 400
"""Characters of a block that are looked at for its first sentence."""
_FURNITURE = re.compile(r"\W*(?:previous\b.*|prev|edit (?:this|on)\b.*|home)\W*", re.IGNORECASE | re.DOTALL)
"""What links of a page are called that lead back, or to no guide."""
_MARK = re.compile(r"[,:;.!?](?=\s)")
"""What may end a condition or a sentence, and for that is hidden in inline code."""
_HIDDEN = str.maketrans(",:;.!?", "\ue000\ue001\ue002\ue003\ue004\ue005")
_SIGNS = (
    *("?", ":", "：", "whether", " that", "make sure", "ensure", "should", "must", "expect", "supposed to"),
    *("situation", "mean", "indicat", "suggest", "point"),
)
"""Besides what states a condition or names a place: what asks, what is to be found out or to be expected, labels."""
_AS_WRITTEN = {hidden: mark for mark, hidden in _HIDDEN.items()}


class Announced(NamedTuple):
    """What a paragraph that ends with a colon, or an item with a list under it, announces."""

    text: str
    end: int


def is_silent(block: Block, said: str, context: Context) -> bool:
    """Whether a paragraph, given in lower case too, has no sign of a case or a way on, nor of what one may lean on.

    That is seen at once, and many are; what it says may be the title of a section still.
    """
    if block.links or block.lead or context.holding:
        return False
    return not (conditions.may_state(said) or directions.may_jump(said) or sentences.mentions(said, _SIGNS))


def outcomes(
    block: Block,
    context: Context,
    announced: Announced | None = None,
    *,
    is_apart: bool = False,
    is_listed: bool = False,
) -> Iterator[Outcome]:
    """Read each sentence, and each half of one that states two conditions, under what it or the words above it state.

    Args:
        block: The paragraph.
        context: Where the reading stands.
        announced: What the paragraph announces.
        is_apart: It tells a case from others that are named beside it: "For two nodes:".
        is_listed: It is an item, or the beginning of one, in a list that does not count.
    """
    said = sentences.lowered(block.text)
    context.said.sentence = ""
    waiting = deque(block.links)
    holding = context.holding
    asks = "?" in said
    question = stated = ""
    for sentence, own in clauses(block, said):
        links = list(_hyperlinks(waiting, sentence, block))
        found = (own, False) if own else None
        clause, covers = found or _found(sentence, block, question, context, announced, is_apart, is_listed)
        is_idle = clause is not None and conditions.is_idle(clause.condition)
        stated = leaning.complete(clause.condition, context.said) if clause and not is_idle else ""
        question = leaning.asks(sentence.text) if asks else ""
        context.hear(sentence.text, question, stated)
        then = clause.consequence if clause else sentence.text
        lines = block.start + sentence.first, min(block.end, block.start + sentence.last)
        yield Outcome(stated or holding, then, *lines, sentence.text, links, bool(stated))
        if covers and stated:
            holding = stated
        elif question and is_listed and sentence.start == 0:
            holding = question
    if announced and stated:
        context.enter(announced.end, stated)


def clauses(block: Block, said: str) -> Iterator[tuple[sentences.Sentence, conditions.Clause | None]]:
    """The sentences of a block, given in lower case too, or their halves, each with what it states by its own words."""
    text = _without_marks_in_code(block)
    may_state = conditions.may_state(said)
    for sentence in sentences.cut(text, block.code):
        for half in conditions.halves(sentence, text) if may_state else (sentence,):
            clause = conditions.clause(half.text) if may_state else None
            if text is not block.text:
                half = half._replace(text=half.text.translate(_AS_WRITTEN))
                clause = clause and conditions.Clause(*(part.translate(_AS_WRITTEN) for part in clause))
            yield half, clause


def _without_marks_in_code(block: Block) -> str:
    """A block's words with other characters for the commas and stops in inline code: they end no condition."""
    if not any(_MARK.search(block.text, start, end) for start, end in block.code):
        return block.text
    pieces: list[str] = []
    last = 0
    for start, end in block.code:
        inside = _MARK.sub(lambda mark: mark[0].translate(_HIDDEN), block.text[start:end])
        pieces += [block.text[last:start], inside]
        last = end
    return "".join((*pieces, block.text[last:]))


def _hyperlinks(waiting: deque[Hyperlink], sentence: sentences.Sentence, block: Block) -> Iterator[Hyperlink]:
    """The links of a sentence to which nothing says not to go; all of them are taken off those that wait."""
    while waiting and waiting[0].offset < sentence.stop:
        link = waiting.popleft()
        before = block.text[max(sentence.start, link.offset - NEAR) : link.offset]
        is_furniture = _FURNITURE.fullmatch(link.text) and not directions.sends_on(sentence.text)
        if link.text and not is_furniture and link.href.strip("#") and not directions.is_denied_link(before):
            yield link


def _found(
    sentence: sentences.Sentence,
    block: Block,
    question: str,
    context: Context,
    announced: Announced | None,
    is_apart: bool,
    is_listed: bool,
) -> tuple[conditions.Clause | None, bool]:
    """The clause of a sentence that states none by its own words, and whether all of an item is said under it."""
    if sentence.start == 0:
        is_step = block.start in context.numbered and context.lists_steps
        clause = labels.labelled(block, sentence, is_step, is_listed)
        if clause and not is_date(clause.consequence):
            return clause, is_listed
    if announced and is_apart:
        return conditions.Clause(block.flat.rstrip(" :"), announced.text), False
    if context.said.condition and (then := leaning.in_that_case(sentence.text)):
        return conditions.Clause(context.said.condition, then), False
    is_last = sentence.stop == len(block.text.rstrip())
    if announced and is_last and (led := conditions.announced(sentence.text)):
        return conditions.Clause(led, announced.text), False
    if question and labels.tells(sentence.text):
        return conditions.Clause(question, sentence.text), False
    return None, False


def announced_case(case: str, block: Block, blocks: Sequence[Block], index: int, context: Context) -> Outcome:
    """A paragraph that is nothing but a case, with what to do then in the list below it."""
    below = announcement(blocks, index)
    if below is not None:
        context.enter(below.end, case)
    return Outcome(case, below.text if below is not None else "", block.start, block.end)


def announcement(blocks: Sequence[Block], index: int) -> Announced | None:
    """What a block announces, and up to which line that goes; None where it announces nothing."""
    first = blocks[index + 1] if index + 1 < len(blocks) else None
    if first is None or not (blocks[index].text.endswith(COLONS) or first.kind == "list"):
        return None
    end, text = first.end, first.text
    for other in map(blocks.__getitem__, range(index + 2, len(blocks))):
        if other.start > end and not (first.kind == other.kind == "item" and _goes_on(first, other)):
            break
        end = max(end, other.end)
        text = text or other.text
    line = text.strip().partition("\n")[0] if first.kind == "code" else " ".join(text[:LEAD].split())
    return Announced(next((sentence.text for sentence in sentences.cut(line)), ""), end)


def _goes_on(one: Block, other: Block) -> bool:
    """Whether an item belongs to the list that another one begins."""
    if one.number is None or other.number is None:
        return one.number is other.number
    return other.number >= one.number
