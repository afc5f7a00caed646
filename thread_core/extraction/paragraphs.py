"""A paragraph -> links: where its sentences lead, under what they or the words above them state."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from thread_core import linking
from thread_core.extraction import following, labels
from thread_core.extraction.context import Context
from thread_core.extraction.sections import Sections
from thread_core.models import Link, LinkAction, LogicUnit, Span, Target
from thread_core.text import conditions, directions, header, leaning, sentences
from thread_core.text.facts import is_date
from thread_core.text.markdown import BREAK, Block, Hyperlink
from thread_core.text.messages import message_of
from thread_core.text.scripts import COLONS

NEAR = 200
"""Characters before a hyperlink in which it may be denied."""
LEAD = 400
"""Characters of a block that are looked at for its first sentence."""
_MARK = re.compile(r"[,:;.!?](?=\s)")
"""What may end a condition or a sentence, and for that is hidden in inline code."""
_FURNITURE = re.compile(r"\W*(?:previous\b.*|prev|edit (?:this|on)\b.*|home)\W*", re.IGNORECASE | re.DOTALL)
"""What links of a page are called that lead back, or to no guide."""
_HIDDEN = str.maketrans(",:;.!?", "\ue000\ue001\ue002\ue003\ue004\ue005")
_AS_WRITTEN = {hidden: mark for mark, hidden in _HIDDEN.items()}


class Paragraph(NamedTuple):
    """A paragraph, and what its words let expect."""

    block: Block
    hints: conditions.Hints
    named: bool
    """A section is named by its title."""
    apart: bool = False
    """It tells a case from others that are named beside it: "For two nodes:"."""
    listed: bool = False
    """It is an item, or the beginning of one, in a list that does not count."""


def read(
    block: Block, said: str, context: Context, named: bool, apart: bool = False, listed: bool = False
) -> Paragraph | None:
    """A paragraph, given with its words in lower case, or None where nothing of it can say where to go."""
    context.said.sentence = ""
    hints = conditions.hints(said)
    told = any(hints) or named or apart or block.links or block.lead or context.holding
    if told or block.start in context.answers or (listed and message_of(block)):
        return Paragraph(block, hints, named, apart, listed)
    context.said.is_from_last = False
    return None


def links(
    unit: LogicUnit, passage: Paragraph, sections: Sections, context: Context, announced: Announced | None = None
) -> Iterator[Link]:
    """One link a sentence: where its words lead, under the condition that it states or that the sentence before did."""
    block, hints, named = passage.block, passage.hints, passage.named
    stated = ""
    for statement in _statements(passage, context, announced):
        text, stated = statement.sentence.text, statement.stated
        jump = directions.jump(text) if hints.jumps else None
        listed = context.numbered.values()
        target = sections.meant_by(text, jump, unit, statement.hrefs, listed) if jump or named else None
        if target is None and (stated or statement.holding) and not statement.idle and directions.goes_on(text):
            target = context.onward(block, unit, sections)
        if target is None and statement.condition and context.has_steps_below(block, unit, sections):
            reassures = directions.reassures(statement.query)
            if reassures and not statement.stated:
                continue
            target = context.onward(block, unit, sections) if reassures else None
        yield from _leads(statement, target, block, unit)
    if announced and stated:
        context.enter(announced.end, stated)


class _Statement(NamedTuple):
    """A sentence, or half of one, and under which condition it is said."""

    sentence: sentences.Sentence
    stated: str
    """Its own condition, completed by what was said before; empty where it states none."""
    idle: bool
    """Its condition says nothing that can be seen."""
    condition: str
    """Under which it is said: its own, or the one of the sentence before or of the words above."""
    holding: str
    """The one of the words above alone, or of the label of the item."""
    query: str
    hrefs: list[Hyperlink]


@dataclass(slots=True)
class _Reading:
    """What the sentences of a paragraph that were read leave to the next one."""

    condition: str
    """Stated last, or by the words above."""
    holding: str
    """The one of the words above alone, or of the label of an item."""
    question: str = ""
    previous: str = ""
    """The sentence before."""
    follows: str = ""
    """What follows in it from the condition that it states itself."""


def _statements(passage: Paragraph, context: Context, announced: Announced | None) -> Iterator[_Statement]:
    reading = _Reading(context.holding, context.holding)
    waiting = deque(passage.block.links)
    is_answer = passage.block.start in context.answers
    for sentence, own in clauses(passage.block, passage.hints, is_answer):
        outside = reading.condition
        if outside and directions.in_any_case(sentence.text):
            reading.condition = reading.holding
        hrefs = _hyperlinks(waiting, sentence, passage.block)
        clause, covers = (own, False) if own else _found(sentence, reading, passage, context, bool(hrefs), announced)
        idle = clause is not None and conditions.is_idle(clause.condition)
        stated = leaning.complete(clause.condition, context.said) if clause else ""
        reading.question = leaning.asks(sentence.text) if passage.hints.asks else ""
        reading.condition = "" if idle else stated or reading.condition
        reading.previous, reading.follows = sentence.text, own.consequence if own else ""
        context.hear(sentence.text, reading.question, "" if idle else stated)
        query = clause.consequence if clause else sentence.text
        yield _Statement(sentence, stated, idle, reading.condition, reading.holding, query, hrefs)
        if covers and not idle:
            reading.holding = stated
        elif reading.question and passage.listed and sentence.start == 0 and not conditions.is_idle(reading.question):
            reading.holding = reading.condition = reading.question
        if passage.block.text[sentence.stop - 1] == ")":
            reading.condition = outside


def clauses(
    block: Block, hints: conditions.Hints, is_answer: bool
) -> Iterator[tuple[sentences.Sentence, conditions.Clause | None]]:
    """The sentences of a block, or their parts, each with what it states by its own words."""
    text = _without_marks_in_code(block)
    lead = "" if block.lead and sentences.instructs(block.lead) else block.lead
    cut = sentences.cut(text, block.code)
    may_join = lead and not is_answer and (lead.endswith(".") or BREAK in text)
    for sentence in labels.with_its_case(lead, cut) if may_join else cut:
        states = hints.state_in(sentence)
        for half in conditions.halves(sentence, text, lead) if states else (sentence,):
            clause = conditions.clause(half.text) if states and hints.state_in(half) else None
            if text is not block.text:
                half = half._replace(text=half.text.translate(_AS_WRITTEN))
                clause = clause and conditions.Clause(*(part.translate(_AS_WRITTEN) for part in clause))
            yield half, clause


def _hyperlinks(waiting: deque[Hyperlink], sentence: sentences.Sentence, block: Block) -> list[Hyperlink]:
    """The links of a sentence to which nothing says not to go; all of them are taken off those that wait."""
    found = []
    while waiting and waiting[0].offset < sentence.stop:
        link = waiting.popleft()
        before = block.text[max(sentence.start, link.offset - NEAR) : link.offset]
        if not link.text or (_FURNITURE.fullmatch(link.text) and not directions.sends_on(sentence.text)):
            continue
        if link.href.strip("#") and not directions.is_denied_link(before):
            found.append(link)
    return found


def _found(
    sentence: sentences.Sentence,
    reading: _Reading,
    passage: Paragraph,
    context: Context,
    linked: bool,
    announced: Announced | None,
) -> tuple[conditions.Clause | None, bool]:
    """The clause of a sentence that states none by its own words, and whether all of an item is said under it."""
    block = passage.block
    is_message = passage.listed and message_of(block)
    may_label = sentence.first == 0 and (block.lead or passage.hints.labels or is_message)
    if sentence.start == 0 and block.start in context.answers:
        return labels.answering(block, sentence), True
    if may_label:
        is_step = block.start in context.numbered and context.lists_steps
        clause = labels.labelled(block, sentence, is_step, passage.listed)
        if clause and not is_date(clause.consequence):
            return clause, passage.listed
    if reading.condition and (clause := _continued(sentence.text, reading, linked)):
        return clause, False
    if announced and passage.apart:
        return conditions.Clause(block.flat.rstrip(" :"), announced.text), False
    is_last = sentence.stop == len(block.text.rstrip())
    if announced and is_last and (led := conditions.announced(sentence.text)):
        return conditions.Clause(led, announced.text), False
    if reading.question and _answers(sentence.text, linked):
        return conditions.Clause(reading.question, sentence.text), False
    return None, False


def _answers(sentence: str, linked: bool) -> bool:
    """Whether a sentence after a question says what to do where that is so."""
    sends = directions.directs(sentence) or (linked and directions.sends_on(sentence))
    return sends or sentences.instructs(sentence) or directions.ending(sentence) is not None


def _without_marks_in_code(block: Block) -> str:
    """A block's words with other characters for the commas and stops in inline code: they end no condition."""
    if not any(_MARK.search(block.text, start, end) for start, end in block.code):
        return block.text
    pieces: list[str] = []
    last = 0
    for start, end in block.code:
        pieces += [block.text[last:start], _MARK.sub(_hidden, block.text[start:end])]
        last = end
    return "".join((*pieces, block.text[last:]))


def _hidden(mark: re.Match[str]) -> str:
    return mark[0].translate(_HIDDEN)


def _continued(sentence: str, reading: _Reading, linked: bool) -> conditions.Clause | None:
    """A sentence under the condition of the one before it: it says so, or leads on from what that one only explained.

    "If it hums, the fan is on. Go to step 4." leads to step 4 where it hums. After "If it hums, stop it.", it may lead
    there in any case.

    Args:
        sentence: Its words.
        reading: What was read before it.
        linked: Whether the sentence has a hyperlink.
    """
    if (then := leaning.in_that_case(sentence)) and not sentences.explains(then):
        return conditions.Clause(leaning.that_case(reading.condition, reading.previous), then)
    if not reading.follows or not directions.directs(sentence) or not (linked or directions.jump(sentence)):
        return None
    return conditions.Clause(reading.condition, sentence) if sentences.explains(reading.follows) else None


def _leads(said: _Statement, target: Target | None, block: Block, unit: LogicUnit) -> Iterator[Link]:
    """The links of a statement: to what it names, to an end, to where its hyperlinks lead, or to its own words."""
    ends = said.condition and not target
    ending = directions.ending(said.query, said.sentence.text, block.text, said.condition) if ends else None
    if ending and any(map(_tells_how_to_end, said.hrefs)):
        ending = None
    if not (target or ending or said.hrefs or (said.stated and not said.idle)):
        return
    text, first, last = said.sentence[:3]
    evidence = Span(unit.document_id, block.start + first, min(block.end, block.start + last))
    if target:
        case = said.stated or _case(said)
        action = LinkAction.CROSS if target.document else LinkAction.CONTINUE
        yield Link(case, said.query, action, target, evidence)
    elif ending:
        yield Link(said.condition, said.query, ending, None, evidence)
    elif said.hrefs and len(text) > sentences.LONGEST_SENTENCE:
        for link in said.hrefs:
            yield following.hyperlink(link.href, "", link.text, Span(unit.document_id, link.line, link.line))
    elif said.hrefs:
        names = [said.stated or _case(said) for _ in said.hrefs]
        names = names if any(names) else _names(said.hrefs, text)
        for link, name in zip(said.hrefs, names, strict=True):
            yield following.hyperlink(link.href, name, said.query, evidence)
    else:
        yield Link(said.stated, said.query, LinkAction.CONTINUE, Target(place=unit.place), evidence)


def _case(said: _Statement) -> str:
    """The case in which a sentence leads on that states none; what is only to be read has none."""
    if directions.refers(said.sentence.text):
        return ""
    case = directions.circumstance(said.sentence.text)
    is_place = any(" ".join(link.text.split()) in case for link in said.hrefs)  # "in the [menu](...), select ..."
    return case if case and not is_place else said.holding


def _tells_how_to_end(link: Hyperlink) -> bool:
    """Whether it leads to the section that says how the ending is done: "[escalate](#escalate)"."""
    return link.href.startswith("#") and directions.ending(link.text) is not None


def _names(hrefs: Sequence[Hyperlink], sentence: str) -> list[str]:
    """What the links of a sentence are called, each a case, where it offers one of several documents; else blanks."""
    names = [header.clip(" ".join(link.text.split())) for link in hrefs]
    documents = {link.href for link in hrefs if linking.is_document(link.href.partition("#")[0])}
    differ = len(set(map(str.casefold, names))) == len(documents) == len(names) > 1
    offered = sentences.instructs(sentence) or directions.sends_on(sentence) or " or " in sentence
    only_reads = directions.refers(sentence) or directions.ending(sentence) is not None
    return names if differ and offered and not only_reads else ["" for _ in hrefs]


@dataclass(frozen=True, slots=True)
class Announced:
    """What a paragraph that ends with a colon, or an item with a list under it, announces."""

    text: str
    end: int


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
