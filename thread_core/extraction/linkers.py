"""Units -> linkers: what the words of a unit say about the way on; what follows by the order of units is `following`'s.

Targets in other documents stay as they are written; `linking` resolves them when they are read.
"""

from __future__ import annotations

import itertools
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from thread_core import linking
from thread_core.branching import troubles
from thread_core.extraction import following, labels, structure
from thread_core.extraction.drafts import Draft
from thread_core.extraction.sections import Sections
from thread_core.models import Link, LinkAction, LogicUnit, LogicUnitType, Span, Target
from thread_core.text import cases, conditions, directions, header, leaning, sentences
from thread_core.text.facts import is_date
from thread_core.text.markdown import BREAK, CELL, Block, Hyperlink
from thread_core.text.outline import Outline
from thread_core.text.promises import promise
from thread_core.text.roles import names_readers
from thread_core.text.scripts import COLONS
from thread_core.text.tables import Table, numbered_rows, says_nothing

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


def link(units: list[LogicUnit], drafts: list[Draft], plan: Outline) -> Iterator[LogicUnit]:
    """The units with their links, in the order of the `drafts` of which they were made."""
    return following.leading_on(list(_with_what_they_state(units, drafts, plan)))


def _with_what_they_state(units: list[LogicUnit], drafts: list[Draft], plan: Outline) -> Iterator[LogicUnit]:
    sections = Sections(plan.sections, units)
    offered: set[str] = set()
    apart = troubles(units)
    beside = structure.items_side_by_side(section for section in plan.sections if not section.english)
    for index, (unit, draft) in enumerate(zip(units, drafts, strict=True)):
        stated: Iterable[Link] = ()
        if unit.type != LogicUnitType.BACKGROUND:
            stated = _stated(unit, draft, sections) if draft.section.english else _shown(unit, draft, sections, beside)
        links = [link for one in stated if (link := following.settled(one, unit, plan.ids))]
        links += following.alternatives(index, units, drafts, apart, offered)
        yield following.with_links(unit, links)


def _stated(unit: LogicUnit, draft: Draft, sections: Sections) -> Iterator[Link]:
    numbered = {atom.start: atom.number for atom in draft.atoms if atom.number is not None}
    context = _Context(draft.blocks, numbered)
    bullets: set[int] = set()
    apart = cases.side_by_side(block.flat for block in draft.blocks if block.text.endswith(COLONS))
    table = next((atom.table for atom in draft.atoms if atom.table), None)
    names_documents = linking.may_mention(draft.all_said)
    names_sections = sections.are_named_in(draft.all_said)
    for index, (block, said) in enumerate(zip(draft.blocks, draft.said, strict=True)):
        context.leave(block.start)
        if block.kind == "paragraph":
            mentions = block.marked or (names_documents and linking.may_mention(said))
            block = linking.with_mentions(block) if mentions else block
            named = names_sections and sections.are_named_in(said)
            tells_apart = bool(apart) and block.flat in apart
            if passage := _passage(block, said, context, named, tells_apart, block.start in bullets):
                yield from _sentence_links(unit, passage, sections, context, _announcement(draft.blocks, index))
        elif block.kind == "list" and labels.are_answers(draft.blocks[index - 1] if index else None, block):
            context.answers |= {item.children[0].start for item in block.children}
        elif block.kind == "list":
            context.enter(block.end)
            numbered |= {item.start: item.number for item in block.children if item.number is not None}
        elif block.kind == "item" and block.number is None:
            bullets.add(block.start)
        elif block.kind == "table":
            table = Table(block)
            numbered |= numbered_rows(block)
        elif block.kind == "row" and table and block.start > table.head.end and not table.explains():
            yield from _row_links(unit, block, table, sections, context)


def _shown(unit: LogicUnit, draft: Draft, sections: Sections, beside: Mapping[int, str]) -> Iterator[Link]:
    """What structure says where sentences cannot be read: hyperlinks, rows, and items that are cases side by side.

    An item is one by its label, or by the words around its link, where another item of its list is one too.
    """
    context = _Context(draft.blocks, {})
    table = next((atom.table for atom in draft.atoms if atom.table), None)
    for block in draft.blocks:
        if block.kind == "paragraph":
            yield from structure.links(unit, block, beside.get(block.start, ""))
        elif block.kind == "table":
            table = Table(block)
        elif block.kind == "row" and table and block.start > table.head.end and not table.explains():
            yield from _row_links(unit, block, table, sections, context)


class _Passage(NamedTuple):
    """A paragraph, and what its words let expect."""

    block: Block
    hints: conditions.Hints
    named: bool
    """A section is named by its title."""
    apart: bool = False
    """It tells a case from others that are named beside it: "For two nodes:"."""
    listed: bool = False
    """It is an item, or the beginning of one, in a list that does not count."""


def _passage(
    block: Block, said: str, context: _Context, named: bool, apart: bool = False, listed: bool = False
) -> _Passage | None:
    """A paragraph, given with its words in lower case, or None where nothing of it can say where to go."""
    context.said.sentence = ""
    hints = conditions.hints(said)
    told = any(hints) or named or apart or block.links or block.lead or context.holding
    if told or block.start in context.answers:
        return _Passage(block, hints, named, apart, listed)
    context.said.is_from_last = False
    return None


def _sentence_links(
    unit: LogicUnit, passage: _Passage, sections: Sections, context: _Context, announced: _Announced | None = None
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
            if not statement.stated and directions.reassures(statement.query):
                continue
            target = context.onward(block, unit, sections) if directions.reassures(statement.query) else None
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


def _statements(passage: _Passage, context: _Context, announced: _Announced | None) -> Iterator[_Statement]:
    reading = _Reading(context.holding, context.holding)
    waiting = deque(passage.block.links)
    is_answer = passage.block.start in context.answers
    for sentence, own in _clauses(passage.block, passage.hints, is_answer):
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


def _clauses(
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
    passage: _Passage,
    context: _Context,
    linked: bool,
    announced: _Announced | None,
) -> tuple[conditions.Clause | None, bool]:
    """The clause of a sentence that states none by its own words, and whether all of an item is said under it."""
    block = passage.block
    may_label = sentence.first == 0 and (block.lead or passage.hints.labels)
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
class _Announced:
    """What a paragraph that ends with a colon, or an item with a list under it, announces."""

    text: str
    end: int


def _announcement(blocks: Sequence[Block], index: int) -> _Announced | None:
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
    return _Announced(next((sentence.text for sentence in sentences.cut(line)), ""), end)


def _goes_on(one: Block, other: Block) -> bool:
    """Whether an item belongs to the list that another one begins."""
    if one.number is None or other.number is None:
        return one.number is other.number
    return other.number >= one.number


def _row_links(unit: LogicUnit, row: Block, table: Table, sections: Sections, context: _Context) -> Iterator[Link]:
    """A table row: a question with its answers, a step or a check in sentences, or a case and what to do then."""
    cells = list(_cells(row))
    if table.answers:
        asked = next((cell.text for at, cell in cells if at == table.asking), "")
        case = leaning.asks(asked) or asked.rstrip(" ?")
        for at, cell in cells if case else ():
            if at in table.answers:
                answer = case if table.answers[at] else f"not: {case}"
                yield from _case_links(unit, answer, [cell], cell.links, sections, context)
    elif table.counts or table.checks():
        yield from _step_links(unit, cells, table, sections, context)
    else:
        case, width = table.case(row)
        told = [cell for at, cell in cells if at >= width]
        shown = case.startswith(":::image ") and case.endswith(":::")
        says_when = all(is_date(cell.flat) for cell in told)
        if case and not (says_when or shown) and promise(case) not in labels.TELLING and not names_readers(case):
            yield from _case_links(unit, case, told, row.links, sections, context)


def _step_links(
    unit: LogicUnit, cells: Sequence[tuple[int, Block]], table: Table, sections: Sections, context: _Context
) -> Iterator[Link]:
    """A step or a check in the cells of a row, where a column may say what to do if it fails."""
    does = next((cell.flat for at, cell in cells if at), "")
    for at, cell in cells:
        if table.counts and (condition := table.stated.get(at)):
            case = leaning.complete(condition, leaning.Said(sentence=does))
            yield from _case_links(unit, case, [cell], cell.links, sections, context)
            continue
        said = sentences.lowered(cell.text)
        if at and (passage := _passage(cell, said, context, sections.are_named_in(said))):
            yield from _sentence_links(unit, passage, sections, context)


def _case_links(
    unit: LogicUnit, case: str, told: Sequence[Block], hrefs: Sequence[Hyperlink], sections: Sections, context: _Context
) -> Iterator[Link]:
    """What cells say to do in a case; where only a part of it leads away, for one more case, that part does."""
    rest = " ".join(_in_a_line(cell.text) for cell in told)
    evidence = Span(unit.document_id, told[0].start, told[-1].end)
    here = Link(case, rest, target=Target(place=unit.place), evidence=evidence)
    leads = list(_case_leads(here, unit, told[0], hrefs, sections, context))
    parted = [cell for cell in told if _is_parted(cell)] if leads != [here] else []
    yield from [here] if parted else leads
    for cell in parted:
        context.enter(cell.end, case)
        context.said = leaning.Said()
        if passage := _passage(cell, sentences.lowered(cell.text), context, named=False):
            yield from _sentence_links(unit, passage, sections, context)


def _case_leads(
    here: Link, unit: LogicUnit, told: Block, hrefs: Sequence[Hyperlink], sections: Sections, context: _Context
) -> Iterator[Link]:
    """Where all that is to be done in a case leads, given as what is read on the spot."""
    case, rest, evidence = here.condition, here.query, here.evidence
    jump = directions.jump(rest)
    target = sections.of_jump(jump, unit, rest, hrefs, context.numbered.values()) if jump else None
    if target := target or (context.onward(told, unit, sections) if directions.goes_on(rest) else None):
        yield Link(case, rest, LinkAction.CROSS if target.document else LinkAction.CONTINUE, target, evidence)
        return
    for link in hrefs:
        long = len(case) + len(rest) > sentences.LONGEST_SENTENCE
        yield following.hyperlink(link.href, header.clip(case), link.text if long else rest, evidence)
    if not hrefs:
        ending = directions.ending(rest, condition=case)
        yield Link(case, rest, ending, None, evidence) if ending else here


def _is_parted(told: Block) -> bool:
    """Whether one of the sentences, or halves of such, behind the first is only for one more case."""
    hints = conditions.hints(sentences.lowered(told.text))
    return bool(hints.states) and any(clause for _, clause in itertools.islice(_clauses(told, hints, False), 1, None))


def _in_a_line(text: str) -> str:
    """The words of a cell, in which a line that a `<br>` ends is a sentence."""
    if BREAK not in text:
        return " ".join(text.split())
    *lines, last = (sentence.text for sentence in sentences.cut(text))
    return " ".join([*(f"{line}." if line[-1].isalnum() else line for line in lines), last])


def _cells(row: Block) -> Iterator[tuple[int, Block]]:
    """The cells of a row that say something, each with its column and as a paragraph."""
    start = 0
    for at, cell in enumerate(row.text.split(CELL)):
        text = cell.strip()
        before = start + len(cell) - len(cell.lstrip())
        links = tuple(link.moved(-before) for link in row.links if start <= link.offset < start + len(cell))
        if not says_nothing(text):
            yield at, Block("paragraph", row.start, row.end, text, links=links)
        start += len(cell) + 1


@dataclass(frozen=True, slots=True)
class _Scope:
    """Lines of a unit under a condition that the sentence above them states, or a list inside a list item."""

    end: int
    condition: str
    outside: str
    """The condition that "otherwise" is the opposite of when it is read after them."""


@dataclass
class _Context:
    """Where the reading of a unit stands."""

    blocks: Sequence[Block]
    """The unit's."""
    numbered: dict[int, int]
    """The numbers of the unit's steps by their lines, those inside a step from where it begins to list them."""
    answers: set[int] = field(default_factory=set)
    """Lines on which an item begins that answers the question above its list."""
    said: leaning.Said = field(default_factory=leaning.Said)
    scopes: list[_Scope] = field(default_factory=list)

    @cached_property
    def lists_steps(self) -> bool:
        """Whether its numbered items are steps of a procedure, and no list of cases."""
        return labels.lists_steps(self.blocks)

    def enter(self, end: int, condition: str = "") -> None:
        """Read on to a line, under a condition or under the one that holds already."""
        self.scopes.append(_Scope(end, condition or self.holding, self.said.condition))

    def leave(self, line: int) -> None:
        """Forget the conditions that hold above a line alone."""
        while self.scopes and self.scopes[-1].end < line:
            self.said.condition = self.scopes.pop().outside

    @property
    def holding(self) -> str:
        """The condition under which everything that is read now stands."""
        return self.scopes[-1].condition if self.scopes else ""

    def onward(self, block: Block, unit: LogicUnit, sections: Sections) -> Target | None:
        """The step after a block: the next number in the unit, or else the next unit."""
        line = min((line for line in self.numbered if line > block.end), default=None)
        if line is not None:
            return Target(place=unit.place, step=self.numbered[line])
        return sections.after(unit)

    def has_steps_below(self, block: Block, unit: LogicUnit, sections: Sections) -> bool:
        """Whether a block stands in a procedure that goes on after it, in the unit or the next one of its section."""
        if not self.numbered or not self.lists_steps:
            return False
        upcoming = sections.after(unit)
        is_split = upcoming is not None and upcoming.place is not None and upcoming.place.anchor == unit.place.anchor
        return is_split or max(self.numbered) > block.end

    def hear(self, sentence: str, question: str, stated: str) -> None:
        """Keep what the next sentence may lean on."""
        self.said.is_from_last = bool(stated)
        if stated:
            asked_here = self.said.sentence or self.said.asked in stated
            self.said.condition, self.said.expected = stated, ""
            self.said.asked = self.said.asked if asked_here else ""
            return
        if asked := question or leaning.wonders(sentence):
            self.said.condition = self.said.asked = asked
            self.said.is_from_last = True
            self.said.expected = ""
        elif expected := leaning.expects(sentence):
            self.said.expected = expected
        if not sentences.is_aside(sentence):
            self.said.sentence = sentences.without_remark(sentence)
