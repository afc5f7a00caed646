"""A question back: what the guide at hand says to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from thread_core import layout
from thread_core.models import LogicUnit, LogicUnitType, Span
from thread_core.plan import Plan
from thread_core.retrieval import terminology
from thread_core.retrieval.terminology import Term
from thread_core.text import sentences
from thread_core.text.denials import denies
from thread_core.text.questions import asks_for_help, asks_whether
from thread_core.text.resorts import is_help
from thread_core.text.shape import outdented
from thread_core.text.tables import is_row
from thread_core.text.words import content_words
from thread_core.walking import ways

TOLD = 2
"""Passages and terms that answer a question at most."""

_EMPTY = terminology.ASKING | content_words("called kind sort type tell show help know u whats hows uhh")
"""Words of a question that say nothing of what is asked about."""


def answers(
    question: str, shown: Sequence[LogicUnit], units: Sequence[LogicUnit], case: str = ""
) -> Plan[list[tuple[str, Span]]]:
    """What a guide says to a question, in its words and with where it says so; nothing where it is on the screen.

    That are sections of the guide that are no steps and are called as what is asked about, terms that it or a glossary
    defines, whom to call, and, where it is asked whether something is so, the sentence of its units that says most
    about it, on the screen or not. Nearness alone answers nothing.

    Args:
        question: What the person asks.
        shown: The units on the screen.
        units: All units of their document.
        case: The condition that has led to the step at hand, if one has.
    """
    wanted = content_words(question) - _EMPTY
    on_screen = {unit.id for unit in shown}
    sections = [
        (_section(unit), unit.spans[0]) for unit in units if unit.id not in on_screen and _is_asked(wanted, unit)
    ]
    terms: tuple[Term, ...] = (yield from terminology.asked_about(question, units)) if wanted and not sections else ()
    found = [*sections, *((str(term), term.citation) for term in terms)]
    if not found and asks_for_help(question):
        found = [(_section(unit), unit.spans[0]) for unit in units if unit.section and is_help(unit.section[-1])]
    return found[:TOLD] or _said_of(wanted, [*shown, *units] if asks_whether(question) else (), case)


def _is_asked(wanted: set[str], unit: LogicUnit) -> bool:
    """Whether a section is called as what is asked about: by its name, or by a question that has all its words."""
    if not wanted or not unit.section or unit.place.number != 1 or unit.type == LogicUnitType.STEP:
        return False
    name = content_words(unit.section[-1]) - _EMPTY
    asks_it = unit.section[-1].rstrip().endswith("?") and wanted <= name and 2 * len(wanted) > len(name)
    return bool(name) and (name <= wanted or asks_it)


def _said_of(wanted: set[str], units: Sequence[LogicUnit], case: str) -> list[tuple[str, Span]]:
    """The first sentence with most words of what is asked about: two at least, or one that it denies.

    One is enough in the row of the case at hand. The answer to a question of others is told whole.
    """
    best, found = 0, list[tuple[str, Span]]()
    for unit in units if wanted else ():
        row = _row_of(case, unit)
        for first, last, text in _sentences(unit, row):
            words = len(wanted & content_words(text))
            if words > best and (words > 1 or denies(text) or first == row):
                is_answer = unit.type == LogicUnitType.FAQ
                cited = unit.body_spans[-1] if is_answer else Span(unit.document_id, first, last)
                best = words
                found = [(_section(unit) if is_answer else text, cited)]
    return found


def _row_of(case: str, unit: LogicUnit) -> int:
    """The line of the table's row that states a case in a unit; 0 where none does."""
    stated = {link.evidence.start for link in unit.links if case and link.condition == case and link.evidence}
    lines = ways.numbered_lines(unit) if stated and not unit.rewritten else ()
    return next((number for number, line in lines if number in stated and is_row(line)), 0)


def _sentences(unit: LogicUnit, row: int) -> Iterator[tuple[int, int, str]]:
    """What a unit says, with its lines. A row of a table is one sentence; beside that of the case none is read."""
    for first, last, text in ways.passages(unit):
        lines = dict(enumerate(text.split("\n"), start=first))
        rows = [number for number, line in lines.items() if is_row(line)]
        yield from ((number, number, lines[number]) for number in rows if row not in rows or number == row)
        told = "\n".join(line for line in lines.values() if not is_row(line))
        yield from ((first, last, sentence.text) for sentence in sentences.cut(told))


def _section(unit: LogicUnit) -> str:
    """A section as it is told above a step: of a long one the beginning."""
    begins = ways.beginning(unit)
    lines = dict(ways.numbered_lines(unit)) if not unit.rewritten else {}
    told = "\n".join(text for number, text in lines.items() if begins.line <= number <= begins.end)
    return f"{layout.heading(unit)}\n{outdented(told or unit.body).strip()}"
