"""Tables -> what their columns say: for which case a row is, where the answers to a question lead, what is checked.

And which of their rows is the head, and which are steps by the numbers in the first column.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from functools import cached_property

from thread_core.documents.applicability.roles import names_readers
from thread_core.documents.blocks.markdown import CELL, Block
from thread_core.documents.cases import heading_condition

MOST = 3
"""Columns that state a case at most."""
_EXPLAINED = frozenset(
    "variable parameter argument field property attribute column key flag placeholder term abbreviation".split()
)
"""Over the first column of a table that says what names mean, not what to do in which case."""
_STATES = frozenset(("threshold", "status", "state", "condition", "range", "level"))
"""Over the second column of one whose first two tell the cases apart."""
_AMOUNT = re.compile(
    r"[<>≤≥=≈]|(?:below|above|over|under|less|more|at least|at most|between|up to)\b|\d[\d.,]*\s*[–-]\s*\d",
    re.IGNORECASE,
)
ANSWER = re.compile(r"(?:if\s+)?(?P<answer>yes|no)\W*", re.IGNORECASE)
"""What heads a column of answers."""
_NUMBERED = re.compile(r"(?:step\s+)?(\d{1,3})\W*", re.IGNORECASE)
_NUMBER_COLUMNS = frozenset(("step", "steps", "#", "no", "no.", "nr", "nr.", "number"))


def cells_of(row: Block) -> list[str]:
    """The words of a row's cells, each in one line."""
    return [" ".join(cell.split()) for cell in row.text.split(CELL)]


def is_row(line: str) -> bool:
    """Whether a line of Markdown is a row of a table."""
    return line.lstrip().startswith("|")


def says_nothing(cell: str) -> bool:
    """Whether a cell is empty: "NaN" and "Unnamed: 0" are what programs leave of one."""
    return re.fullmatch(r"(?:nan|unnamed: \d+)?", cell, re.IGNORECASE) is not None


def parted(table: Block) -> tuple[Block, Sequence[Block]]:
    """The head of a table and its rows; an empty one hands over to a first row in bold, or that counts those below."""
    head, *rows = table.children
    is_head = len(rows) > 1 and (rows[0].bold or cells_of(rows[0])[0].lower() in _NUMBER_COLUMNS)
    if is_head and all(map(says_nothing, cells_of(head))):
        return rows[0]._replace(start=head.start), rows[1:]
    return head, rows


def numbered_rows(table: Block) -> dict[int, int]:
    """Of a table whose first column numbers its steps, the number in each row by the row's line; else empty.

    A row without a number belongs to the one above. Below an empty head the numbers have to rise.
    """
    head, rows = parted(table)
    title = cells_of(head)[0]
    if title.lower() not in _NUMBER_COLUMNS and not says_nothing(title):
        return {}
    firsts = {row.start: first for row in rows if not says_nothing(first := cells_of(row)[0])}
    found = {line: int(match[1]) for line, first in firsts.items() if (match := _NUMBERED.fullmatch(first))}
    rise = all(one < other for one, other in itertools.pairwise(found.values()))
    return found if len(found) == len(firsts) and (rise or not says_nothing(title)) else {}


class Table:
    """A table by its columns."""

    def __init__(self, block: Block) -> None:
        self.head, self._rows = parted(block)
        self.counts = bool(numbered_rows(block))
        """Whether its rows are steps."""
        self._titles = [title.lower() for title in cells_of(self.head)]

    def explains(self) -> bool:
        """Whether its rows explain names, or say for whom something is."""
        first = self._titles[0]
        return first in _EXPLAINED or first.removesuffix("s") in _EXPLAINED or names_readers(first)

    @cached_property
    def stated(self) -> dict[int, str]:
        """The columns that say what to do where a step goes in some way: "If it fails"."""
        stated = {at: heading_condition(title) for at, title in enumerate(cells_of(self.head)) if at}
        return {at: condition for at, condition in stated.items() if condition}

    @cached_property
    def answers(self) -> dict[int, bool]:
        """Of a table of questions, the columns for yes and for no; else empty."""
        matches = {at: match for at, title in enumerate(self._titles) if (match := ANSWER.fullmatch(title))}
        found = {at: match["answer"].lower() == "yes" for at, match in matches.items()}
        return found if len(found) == 2 == len(set(found.values())) and 0 not in found else {}

    @property
    def asking(self) -> int:
        """The column of the questions, where there are `answers`."""
        return min(self.answers) - 1

    def case(self, row: Block) -> tuple[str, int]:
        """The case that a row is for, and in how many columns it stands: in several where one alone does not tell."""
        if self._width == 1:
            return cells_of(row)[0], 1
        said = self._said[row.start][: self._width]
        return ": ".join(cell.rstrip(" :") for cell in said if cell), self._width

    @cached_property
    def _said(self) -> dict[int, Sequence[str]]:
        """The cells of the rows, by their lines; where the first is blank, it is the one above."""
        found, above = dict[int, Sequence[str]](), ""
        for row in self._rows:
            first, *others = cells_of(row)
            above = first or above
            found[row.start] = (above, *others)
        return found

    @cached_property
    def _width(self) -> int:
        """How many columns state the case: as many as tell the rows apart, and one that holds amounts or states."""
        columns = len(self._titles) - 1  # the last one ends with a mark
        if columns < 3:
            return 1
        seconds = [said[1] for said in self._said.values() if len(said) > 1]
        if self._titles[1] in _STATES or (seconds and all(map(_AMOUNT.match, seconds))):
            return 2
        distinct = [
            len({tuple(said[:width]) for said in self._said.values()}) for width in range(1, min(columns, MOST + 1))
        ]
        return 1 + distinct.index(max(distinct))
