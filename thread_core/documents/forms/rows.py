"""A row of a table -> its outcomes: a question with its answers, a step, or a case and what to do then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from thread_core.documents import leaning
from thread_core.documents.applicability.roles import names_readers
from thread_core.documents.blocks.markdown import CELL, Block, Hyperlink
from thread_core.documents.forms import labels, prose
from thread_core.documents.forms.context import Context
from thread_core.documents.forms.outcome import Outcome
from thread_core.documents.forms.tables import Table, says_nothing
from thread_core.documents.promises import promise
from thread_core.text import sentences
from thread_core.text.facts import is_date
from thread_core.text.sentences import BREAK


def outcomes(row: Block, table: Table, context: Context) -> Iterator[Outcome]:
    """Read a table row: a question with its answers, a step in sentences, or a case and what to do then."""
    cells = list(_cells(row))
    if table.answers:
        asked = next((cell.text for at, cell in cells if at == table.asking), "")
        case = leaning.asks(asked) or asked.rstrip(" ?")
        for at, cell in cells if case else ():
            if at in table.answers:
                yield _outcome(case if table.answers[at] else f"{leaning.OPPOSITE}{case}", [cell], cell.links)
    elif table.counts:
        yield from _of_step(cells, table, context)
    else:
        case, width = table.case(row)
        told = [cell for at, cell in cells if at >= width]
        shown = case.startswith(":::image ") and case.endswith(":::")
        says_when = all(is_date(cell.flat) for cell in told)
        if case and not (says_when or shown) and promise(case) not in labels.TELLING and not names_readers(case):
            yield _outcome(case, told, row.links)


def _of_step(cells: Sequence[tuple[int, Block]], table: Table, context: Context) -> Iterator[Outcome]:
    """A step in the cells of a row, where a column may say what to do if it fails."""
    does = next((cell.flat for at, cell in cells if at), "")
    for at, cell in cells:
        if condition := table.stated.get(at):
            yield _outcome(leaning.complete(condition, leaning.Said(sentence=does)), [cell], cell.links)
        elif at:
            yield from prose.outcomes(cell, context)


def _outcome(case: str, told: Sequence[Block], links: Sequence[Hyperlink]) -> Outcome:
    """What cells say to do in a case."""
    rest = " ".join(_in_a_line(cell.text) for cell in told)
    return Outcome(case, rest, told[0].start, told[-1].end, rest, links)


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
