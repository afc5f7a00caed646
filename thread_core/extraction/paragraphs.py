"""A paragraph -> links: where its sentences lead, under what they or the words above them state."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from thread_core import linking
from thread_core.documents import conditions, directions, leaning
from thread_core.documents.blocks.markdown import Block, Hyperlink
from thread_core.extraction import following, labels
from thread_core.extraction.context import Context
from thread_core.extraction.sections import Sections
from thread_core.models import Link, LinkAction, LogicUnit, Span, Target
from thread_core.text import header, sentences
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
_AS_WRITTEN = {hidden: mark for mark, hidden in _HIDDEN.items()}


class Announced(NamedTuple):
    """What a paragraph that ends with a colon, or an item with a list under it, announces."""

    text: str
    end: int


class _Statement(NamedTuple):
    """A sentence, or half of one, and under which condition it is said."""

    sentence: sentences.Sentence
    stated: str
    """Its own condition, completed by what was said before; empty where it states none that can be seen."""
    condition: str
    """Under which it is said: its own, or the one of the question before or of the words above."""
    query: str
    hrefs: Sequence[Hyperlink]


def links(
    unit: LogicUnit,
    block: Block,
    sections: Sections,
    context: Context,
    announced: Announced | None = None,
    *,
    is_apart: bool = False,
    is_listed: bool = False,
) -> Iterator[Link]:
    """One link a sentence: where its words lead, under the condition that it states or that the words above do.

    Args:
        unit: The paragraph's.
        block: The paragraph.
        sections: Of the document.
        context: Where the reading stands.
        announced: What the paragraph announces.
        is_apart: It tells a case from others that are named beside it: "For two nodes:".
        is_listed: It is an item, or the beginning of one, in a list that does not count.
    """
    said = sentences.lowered(block.text)
    context.said.sentence = ""
    may_jump, may_name = directions.may_jump(said), sections.are_named_in(said)
    stated = ""
    for statement in _statements(block, said, context, announced, is_apart, is_listed):
        text, stated = statement.sentence.text, statement.stated
        jump = directions.jump(text) if may_jump else None
        target = None
        if jump or may_name:
            target = sections.meant_by(text, jump, unit, statement.hrefs, context.numbered.values())
        if target is None and statement.condition and directions.goes_on(text):
            target = context.onward(block, unit, sections)
        yield from _leads(statement, target, block, unit)
    if announced and stated:
        context.enter(announced.end, stated)


def _statements(
    block: Block, said: str, context: Context, announced: Announced | None, is_apart: bool, is_listed: bool
) -> Iterator[_Statement]:
    waiting = deque(block.links)
    holding = context.holding
    asks = "?" in said
    question = ""
    for sentence, own in clauses(block, said):
        hrefs = list(_hyperlinks(waiting, sentence, block))
        found = (own, False) if own else None
        clause, covers = found or _found(sentence, block, question, context, announced, is_apart, is_listed)
        is_idle = clause is not None and conditions.is_idle(clause.condition)
        stated = leaning.complete(clause.condition, context.said) if clause and not is_idle else ""
        question = leaning.asks(sentence.text) if asks else ""
        context.hear(sentence.text, question, stated)
        query = clause.consequence if clause else sentence.text
        yield _Statement(sentence, stated, stated or holding, query, hrefs)
        if covers and stated:
            holding = stated
        elif question and is_listed and sentence.start == 0:
            holding = question


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
    if question and _tells(sentence.text):
        return conditions.Clause(question, sentence.text), False
    return None, False


def _tells(sentence: str) -> bool:
    """Whether a sentence after a question says what to do where that is so."""
    return sentences.instructs(sentence) or directions.directs(sentence) or directions.ending(sentence) is not None


def _leads(said: _Statement, target: Target | None, block: Block, unit: LogicUnit) -> Iterator[Link]:
    """The links of a statement: to what it names, to an end, to where its hyperlinks lead, or to its own words."""
    text, first, last = said.sentence[:3]
    ending = directions.ending(said.query) if said.condition and not target else None
    if not (target or ending or said.hrefs or said.stated):
        return
    evidence = Span(unit.document_id, block.start + first, min(block.end, block.start + last))
    case = "" if directions.refers(text) and not said.stated else said.condition
    if target:
        action = LinkAction.CROSS if target.document else LinkAction.CONTINUE
        yield Link(case, said.query, action, target, evidence)
    elif ending and not any(link.href.startswith("#") for link in said.hrefs):
        yield Link(said.condition, said.query, ending, None, evidence)
    elif said.hrefs and len(text) > sentences.LONGEST_SENTENCE:
        for link in said.hrefs:
            yield following.hyperlink(link.href, "", link.text, Span(unit.document_id, link.line, link.line))
    elif said.hrefs:
        names = [case for _ in said.hrefs] if case else _names(said.hrefs, text)
        for link, name in zip(said.hrefs, names, strict=True):
            yield following.hyperlink(link.href, name, said.query, evidence)
    else:
        yield Link(said.stated, said.query, LinkAction.CONTINUE, Target(place=unit.place), evidence)


def _names(hrefs: Sequence[Hyperlink], sentence: str) -> list[str]:
    """What the links of a sentence are called, each a case, where it offers one of several documents; else blanks."""
    names = [header.clip(" ".join(link.text.split())) for link in hrefs]
    documents = {link.href for link in hrefs if linking.is_document(link.href.partition("#")[0])}
    differ = len(set(map(str.casefold, names))) == len(documents) == len(names) > 1
    offered = sentences.instructs(sentence) or directions.sends_on(sentence) or " or " in sentence
    only_reads = directions.refers(sentence) or directions.ending(sentence) is not None
    return names if differ and offered and not only_reads else ["" for _ in hrefs]


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
