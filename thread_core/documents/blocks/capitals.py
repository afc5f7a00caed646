"""Headings in capitals, as guides in plain text have them -> headings of Markdown, line for line.

A line alone, without a small letter and without an end, heads what stands below it, where a text has several of them
and no heading with `#`. Where lines in capitals follow each other nothing tells which of them are headings, but for
those that call a step or a section by its number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from thread_core.documents.blocks.fences import Fence
from thread_core.documents.steps import step_named
from thread_core.text import sentences

SEVERAL = 2
WORDS = 10
"""Words of a heading at most."""
TITLE, SECTION, PART = "#", "##", "###"

_LINE = re.compile(r"^ {0,3}[^\sa-z#>|`*_+=~<-][^a-z\n]{2,89}$", re.MULTILINE)
"""What may be in capitals: without the small letters of the Latin script, and with no mark at its beginning."""
_ENDS = (".", ",", ";", ":", "!", "?", "|")
_MARKED = re.compile(r"^ {0,3}#{1,6}\s", re.MULTILINE)
_NUMBER = re.compile(r"\d{1,3}(?P<more>(?:\.\d{1,3}){0,4})[.)]? +(?=\S)")
_BELOW_A_NUMBER = re.compile(r"^ {0,3}\d{1,3}\.\d{1,3}[.)]? +\S", re.MULTILINE)
_LABELS = (*sentences.ALARMS, "note", "notes", "notice", "tip")
"""Lines that belong to what stands below them, and head no more than that."""
_LONG_WORD = re.compile(r"[^\W\d_]{3}")


def with_headings(text: str) -> str:
    r"""A text with its headings in capitals as Markdown has them.

    Example:
        >>> with_headings("PUMP\n\nSAFETY\n\nLock the mains.\n\nSTART\n\nTurn the key.\n")
        '# PUMP\n\n## SAFETY\n\nLock the mains.\n\n## START\n\nTurn the key.\n'
    """
    if _MARKED.search(text) or len(_LINE.findall(text)) < SEVERAL:
        return text
    lines = text.split("\n")
    found = dict(_headings(lines, _BELOW_A_NUMBER.search(text) is not None))
    if len(found) < SEVERAL:
        return text
    for at, marks in found.items():
        lines[at] = f"{marks} {lines[at].strip()}"
    return "\n".join(lines)


class _Line(NamedTuple):
    """A line in capitals alone."""

    at: int
    marks: str
    """Of the heading that it is by the number that it has; empty where it has none."""


def _headings(lines: list[str], has_numbers: bool) -> Iterator[tuple[int, str]]:
    """Which lines are headings, with their marks.

    Of several that follow each other, without a number, only the first may be one; at the top it is the title.
    """
    runs = list(_runs(lines, has_numbers))
    for run in runs:
        is_top = run is runs[0] and not any(line.strip() for line in lines[: run[0].at])
        plain = [index for index, line in enumerate(run) if not line.marks]
        heads = [0, 1] if is_top and plain[:2] == [0, 1] else [0]
        for index, line in enumerate(run):
            if line.marks:
                yield line.at, line.marks
            elif plain == heads[: len(plain)]:
                yield line.at, TITLE if is_top and index == 0 and len(run) > 1 else SECTION


def _runs(lines: list[str], has_numbers: bool) -> Iterator[list[_Line]]:
    """Lines in capitals alone that follow each other, and below which something stands."""
    paragraphs = list(_paragraphs(lines))
    run: list[_Line] = []
    for index, paragraph in enumerate(paragraphs):
        said = lines[paragraph[0]]
        is_alone = len(paragraph) == 1 and index + 1 < len(paragraphs)
        marks = _marks(said.strip(), has_numbers) if is_alone and _is_in_capitals(said) else None
        if marks is not None:
            run.append(_Line(paragraph[0], marks))
        elif run:
            yield run
            run = []
    if run:
        yield run


def _paragraphs(lines: list[str]) -> Iterator[list[int]]:
    """Lines between blank ones; code is one with all of its lines and those that touch it."""
    fence = Fence()
    paragraph: list[int] = []
    for at, line in enumerate(lines):
        if fence.reads(line) or line.strip():
            paragraph.append(at)
        elif paragraph:
            yield paragraph
            paragraph = []
    if paragraph:
        yield paragraph


def _marks(said: str, has_numbers: bool) -> str | None:
    """The marks of a heading by its number, empty where it has none; None where a line is none."""
    number = _NUMBER.match(said)
    if step_named(said) is not None:
        return SECTION
    if number:
        return PART if number["more"] else SECTION if has_numbers else None
    return None if ":" in said or said.lower() in _LABELS else ""


def _is_in_capitals(line: str) -> bool:
    said = line.strip()
    return (
        _LINE.fullmatch(line.rstrip()) is not None
        and said.isupper()
        and not said.endswith(_ENDS)
        and len(said.split()) <= WORDS
        and _LONG_WORD.search(said) is not None
    )
