"""A guide as a model reads it: its units and their passages by number, whole where it is short, else around the step.

    | Pump stands still
    [2] | Check
    [2.1] | Read the display.
    [2.2] | If it shows E17, go to Rotor.

A number names a place to go to: of a unit, of a passage, of an outcome that a passage states beside others (`[2.2.1]`),
of a guide of the store to which a unit sends the reader (`[L1]`), and of an option of the step that called this guide
(`[C1]`).
Whatever a document says stands behind `| `, so that none of its lines can pass for a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from thread_core import layout, places
from thread_core.documents.leaning import OPPOSITE, joined
from thread_core.llm.costs import text_tokens
from thread_core.llm.prompting import quoted
from thread_core.models import Link, LogicUnit
from thread_core.text.scripts import COLONS
from thread_core.walk.matcher import passage_choice
from thread_core.walk.options import Case, Screen, case_choice, cases_of, found_at, link_of, passage_index
from thread_core.walk.rendering import body_of
from thread_core.walk.state import Act, Choice

_MARK = re.compile(r"(?:[-*+>]|\d{1,9}[.)])\s+")
_SENTENCE = re.compile(r"[.!?:;]\W{0,3}\s")

WHOLE = 3000
"""Tokens of a guide that is shown whole; of a longer one its outline, and in full what stands near the step at hand."""
CALLERS = 2
"""Steps that called a guide, the last ones, whose options stand below it."""


class Part(NamedTuple):
    """What a number of a guide names."""

    unit: LogicUnit
    text: str
    """What stands there, in the document's words."""
    choice: Choice | None = None
    """Where it leads; None of a link without a condition."""
    link: Link | None = None
    """The link that it is, if it is one."""
    first: int = 0
    last: int = 0
    """Its lines in the unit's body; 0 where it has none of its own."""


@dataclass(frozen=True, slots=True)
class NumberedGuide:
    """A guide with its numbers."""

    text: str
    """Its units in reading order; the same through a walk where the guide is short."""
    calling: str
    """The options of the steps that called it; empty where none did."""
    at: str
    """The numbers of what is on the screen."""
    parts: Mapping[str, Part]
    about: tuple[tuple[str, str], ...] = ()
    """The ids of the guide and of the step at hand, for whoever traces the call."""


class _Line(NamedTuple):
    number: str
    part: Part
    said: str
    """What stands before the text, as "if"."""


def numbered(
    at: Screen,
    units: Sequence[LogicUnit],
    calling: Sequence[Screen] = (),
    linked: Mapping[str, tuple[LogicUnit, Link]] | None = None,
    bound: int = WHOLE,
) -> NumberedGuide:
    """Number a guide, whose text has so many tokens at most (`bound`), as far as its headings fit.

    Shown besides are the screens of the steps that called it, the last one first, and by name the guides of the store
    to which its units send the reader (`linked`).
    """
    read = [unit for unit in units if not unit.body.startswith("---\n")]  # Front matter says nothing to a reader.
    blocks = [list(_lines(unit, str(number))) for number, unit in enumerate(read, start=1)]
    here = next((index for index, unit in enumerate(read) if unit.id == at.unit.id), 0)
    links = [
        _Line(f"L{index}", Part(unit, name, None, link, *_lines_of(unit, link)), "the guide ")
        for index, (name, (unit, link)) in enumerate((linked or {}).items(), start=1)
    ]
    called = list(_called(calling[:CALLERS]))
    shown = [quoted(at.unit.title), *_within(blocks, read, here, bound)]
    listed = "\n\n".join((*shown, *(["\n".join(map(_shown, links))] if links else [])))
    parts = {line.number: line.part for line in (*(line for block in blocks for line in block), *links)}
    options = [line for _, lines in called for line in lines]
    return NumberedGuide(
        text=listed,
        calling="\n\n".join("\n".join((head, *map(_shown, lines))) for head, lines in called),
        at=", ".join(_on_screen(at, here + 1, blocks[here])) if blocks else "",
        parts=parts | {line.number: line.part for line in options},
        about=(("guide", at.unit.document_id), ("step", at.unit.id)),
    )


def _lines(unit: LogicUnit, number: str) -> Iterator[_Line]:
    """A unit's heading, and its passages with the outcomes that they state."""
    whole = Choice.of(unit, layout.heading(unit), Act.SHOW)
    yield _Line(number, Part(unit, unit.body, whole), "")
    if not unit.passages:  # Of a unit made by hand.
        yield _Line(f"{number}.1", Part(unit, unit.body, whole), "")
    stated: dict[int, list[tuple[Choice, Case]]] = {}
    for case in cases_of(unit):
        stated.setdefault(case.first, []).append((case_choice(unit, case), case))
    rows = unit.body.split("\n")
    announced: Choice | None = None
    for index, one in enumerate(unit.passages, start=1):
        text = "\n".join(rows[one.first - 1 : one.last])
        outcomes = stated.pop(one.first, [])
        choice, link = passage_choice(unit, one, text), None
        if len(outcomes) == 1 and _is_all_of(text, outcomes[0][1]):
            choice, link, outcomes = outcomes[0][0], outcomes[0][1].link, []
        elif announced is not None and one.kind == "item":
            choice = announced  # The first of some steps is not read without what announces them.
        yield _Line(f"{number}.{index}", Part(unit, text, choice, link, one.first, one.last), "")
        yield from _outcomes(unit, f"{number}.{index}", outcomes)
        announced = choice if one.kind == "text" and text.rstrip(" *_").endswith(COLONS) else None
    for outcomes in stated.values():
        yield from _outcomes(unit, f"{number}.0", outcomes)


def _is_all_of(text: str, case: Case) -> bool:
    """Whether a passage is an outcome and nothing else: no sentence stands before its condition."""
    flat = _MARK.sub("", " ".join(text.split()))
    begins = found_at(flat, case.link.condition.removeprefix(OPPOSITE).partition(" (")[0])
    return begins < 0 or _SENTENCE.search(flat[:begins]) is None


def _outcomes(unit: LogicUnit, number: str, outcomes: Sequence[tuple[Choice, Case]]) -> Iterator[_Line]:
    for index, (choice, case) in enumerate(outcomes, start=1):
        word, condition = joined(case.link.condition)
        text = f"{condition.partition(' (')[0]}: {case.link.query}"
        if sum(other.link.query == case.link.query for _, other in outcomes) > 1 and case.link.target is not None:
            text = f"{text} ({places.place_named(case.link.target)})"
        yield _Line(f"{number}.{index}", Part(unit, text, choice, case.link, case.first, case.last), f"{word} ")


def _lines_of(unit: LogicUnit, link: Link) -> tuple[int, int]:
    """The lines of the passage that states a link; 0 where none does."""
    index = passage_index(unit, link)
    return (0, 0) if index is None else unit.passages[index][:2]


def _called(calling: Sequence[Screen]) -> Iterator[tuple[str, list[_Line]]]:
    """The steps that called a guide with their options."""
    number = 0
    for screen in calling:
        lines = []
        for choice in screen.choices:
            link = link_of(choice, screen.unit)
            if link is None:
                continue
            number += 1
            said = f"{choice.label}: {link.query}"
            lines.append(_Line(f"C{number}", Part(screen.unit, said, choice, link, choice.first, choice.last), ""))
        yield f"{quoted(layout.heading(screen.unit))}\n{quoted(body_of(screen))}", lines


def _within(blocks: Sequence[list[_Line]], units: Sequence[LogicUnit], here: int, bound: int) -> list[str]:
    """Show units as far as there is room: all in full, else all headings, what is near in full, then conditions."""
    full = [_block(unit, block) for unit, block in zip(units, blocks, strict=True)]
    costs = list(map(text_tokens, full))
    if sum(costs) <= bound:
        return full
    heads = [_shown(_heading(block)) for block in blocks]
    outlines = ["\n".join((head, *_conditions(block))) for head, block in zip(heads, blocks, strict=True)]
    nearest = sorted(range(len(units)), key=lambda index: (abs(index - here), index < here))
    shown = dict.fromkeys(range(len(units)), "")
    left = bound
    for forms, limit in ((heads, len(units)), (full, 2), (outlines, len(units)), (full, len(units))):
        for index in nearest[:limit]:
            more = text_tokens(forms[index]) - text_tokens(shown[index])
            if len(shown[index]) < len(forms[index]) and (more <= left or index == here):
                shown[index], left = forms[index], left - more
    return [text for text in shown.values() if text]


def _heading(block: Sequence[_Line]) -> _Line:
    """The first line of a unit: its number, and the heading in place of its text."""
    first = block[0]
    unit = first.part.unit
    text = layout.heading(unit).removeprefix(unit.title).removeprefix(": ")
    return first._replace(part=first.part._replace(text=text))


def _conditions(block: Sequence[_Line]) -> Iterator[str]:
    for line in block[1:]:
        if line.part.choice is not None and line.part.choice.condition:
            word, condition = joined(line.part.choice.condition)
            yield f"[{line.number}] {word} {quoted(condition)}"


def _block(unit: LogicUnit, block: Sequence[_Line]) -> str:
    needs = (f"needs {quoted(text)}" for text in unit.prerequisites)
    return "\n".join((_shown(_heading(block)), *needs, *map(_shown, block[1:])))


def _shown(line: _Line) -> str:
    return f"[{line.number}] {line.said}{quoted(line.part.text)}"


def _on_screen(at: Screen, number: int, block: Sequence[_Line]) -> Iterator[str]:
    """The numbers of the passages that are on the screen."""
    areas = [(at.first, at.last), *([at.then] if at.then else [])]
    inside = [
        line.number
        for line in block[1:]
        if line.number.count(".") == 1 and any(first <= line.part.first <= last for first, last in areas)
    ]
    yield from inside or [str(number)]
