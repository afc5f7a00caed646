"""A row of a table -> links: a question with its answers, a step, or a case and what to do then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from thread_core.documents import directions, leaning
from thread_core.documents.applicability.roles import names_readers
from thread_core.documents.blocks.markdown import CELL, Block, Hyperlink
from thread_core.documents.forms.tables import Table, says_nothing
from thread_core.documents.promises import promise
from thread_core.extraction import following, labels, paragraphs
from thread_core.extraction.context import Context
from thread_core.extraction.sections import Sections
from thread_core.models import Link, LinkAction, LogicUnit, Span, Target
from thread_core.text import header, sentences
from thread_core.text.facts import is_date
from thread_core.text.sentences import BREAK


def links(unit: LogicUnit, row: Block, table: Table, sections: Sections, context: Context) -> Iterator[Link]:
    """A table row: a question with its answers, a step in sentences, or a case and what to do then."""
    cells = list(_cells(row))
    if table.answers:
        asked = next((cell.text for at, cell in cells if at == table.asking), "")
        case = leaning.asks(asked) or asked.rstrip(" ?")
        for at, cell in cells if case else ():
            if at in table.answers:
                answer = case if table.answers[at] else f"not: {case}"
                yield from _case_links(unit, answer, [cell], cell.links, sections, context)
    elif table.counts:
        yield from _step_links(unit, cells, table, sections, context)
    else:
        case, width = table.case(row)
        told = [cell for at, cell in cells if at >= width]
        shown = case.startswith(":::image ") and case.endswith(":::")
        says_when = all(is_date(cell.flat) for cell in told)
        if case and not (says_when or shown) and promise(case) not in labels.TELLING and not names_readers(case):
            yield from _case_links(unit, case, told, row.links, sections, context)


def _step_links(
    unit: LogicUnit, cells: Sequence[tuple[int, Block]], table: Table, sections: Sections, context: Context
) -> Iterator[Link]:
    """A step in the cells of a row, where a column may say what to do if it fails."""
    does = next((cell.flat for at, cell in cells if at), "")
    for at, cell in cells:
        if table.counts and (condition := table.stated.get(at)):
            case = leaning.complete(condition, leaning.Said(sentence=does))
            yield from _case_links(unit, case, [cell], cell.links, sections, context)
        elif at:
            yield from paragraphs.links(unit, cell, sections, context)


def _case_links(
    unit: LogicUnit, case: str, told: Sequence[Block], hrefs: Sequence[Hyperlink], sections: Sections, context: Context
) -> Iterator[Link]:
    """Where what cells say to do in a case leads."""
    rest = " ".join(_in_a_line(cell.text) for cell in told)
    evidence = Span(unit.document_id, told[0].start, told[-1].end)
    jump = directions.jump(rest)
    target = sections.of_jump(jump, unit, hrefs, context.numbered.values()) if jump else None
    if target := target or (context.onward(told[0], unit, sections) if directions.goes_on(rest) else None):
        yield Link(case, rest, LinkAction.CROSS if target.document else LinkAction.CONTINUE, target, evidence)
        return
    for link in hrefs:
        long = len(case) + len(rest) > sentences.LONGEST_SENTENCE
        yield following.hyperlink(link.href, header.clip(case), link.text if long else rest, evidence)
    if not hrefs:
        ending = directions.ending(rest)
        goal = None if ending else Target(place=unit.place)
        yield Link(case, rest, ending or LinkAction.CONTINUE, goal, evidence)


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
