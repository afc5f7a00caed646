"""Whether a document's steps have come out in their order: its own numbers, held against those of the Markdown.

A step that is lost or out of order would lead people wrong, and nobody would see it. So such a document fails. Where
its own numbers do not follow each other, it may be meant so: that is told, and the document is taken in.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from thread_core.errors import BadDocument
from thread_rag.office.numbering import written
from thread_rag.office.pieces import Converted

_ITEM = re.compile(r"[\s>]*(?:- )*((?:[0-9]{1,9}|[A-Za-z]{1,5})[.)])(?:[ \t]+(.*)|$)")
_MARKUP = re.compile(r"<(?![^\s<>]*[:@])[^<>]*>|\]\([^()]*\)|\]\(<[^<>]*>\)|&\w+;")
_ROMANS = {written(number, "lowerRoman"): number for number in range(1, 40)}
_COMPARED = 24
"""Letters of a step by which it is known."""
_NAMED = 5
"""Steps that are named at most."""


class Step(NamedTuple):
    """A numbered item as the file has it."""

    label: str
    words: str
    where: int


def check(steps: Sequence[Step], made: Converted, document_id: str) -> None:
    """Hold the steps of a file against its Markdown.

    Raises:
        BadDocument: some of them are not there, or not in order; they are named with their places.
    """
    written = [(label, _letters(words)) for label, words in _items(made.text)]
    lost: list[Step] = []
    begin = 0
    for step in steps:
        found = next((at for at in range(begin, len(written)) if _is(step, *written[at])), None)
        if found is None:
            lost.append(step)
        begin = begin if found is None else found + 1
        if len(lost) == _NAMED:
            break
    if lost:
        unit = made.printed.unit if made.printed else "place"
        named = ", ".join(f'{one.label} "{one.words[:40].strip()}" ({unit} {one.where})' for one in lost)
        more = " and perhaps more" if len(lost) == _NAMED else ""
        reason = f"would lose the order of its steps: {named}{more}; save it as HTML or Markdown, and use that"
        raise BadDocument(document_id, reason)


def gaps(steps: Iterable[Step], unit: str) -> Iterator[str]:
    """Where numbers that were read off a page do not follow each other.

    A number begins a list, goes on from the last one, or goes on in one of the lists around.
    """
    open_counts: list[tuple[str, int]] = []
    for step in steps:
        kind, value = counted(step.label, open_counts)
        if not value:
            continue
        while open_counts and open_counts[-1] not in ((kind, value - 1),) and value != 1:
            if not any(one == (kind, value - 1) for one in open_counts):
                break
            open_counts.pop()
        if open_counts and open_counts[-1] == (kind, value - 1):
            open_counts[-1] = (kind, value)
            continue
        if value != 1:
            last = next((number for name, number in reversed(open_counts) if name == kind), None)
            after = f"follows {last}" if last is not None else "is the first of its list"
            said = f'number {step.label} "{step.words[:40].strip()}" {after}'
            yield f"{unit} {step.where}: {said}; check whether steps are missing"
        open_counts.append((kind, value))


def _is(step: Step, label: str, letters: str) -> bool:
    own = _letters(step.words)
    return label == step.label and (letters.startswith(own) or own.startswith(letters))


def counted(label: str, open_counts: Collection[tuple[str, int]]) -> tuple[str, int]:
    """How a label counts, and how far it has: "i." is the ninth letter where "h." was before it, else the first number.

    Args:
        label: "3.", "(a)", "iv."
        open_counts: What this gave for the last items of the lists that may go on.
    """
    sign, end = label[:-1].lstrip("("), label[-1:]
    readings = [(f"1{end}", int(sign))] if sign.isdecimal() else []
    if len(sign) == 1 and sign.isascii() and sign.isalpha():
        readings.append((f"{'a' if sign.islower() else 'A'}{end}", ord(sign.lower()) - ord("a") + 1))
    if sign in _ROMANS:
        readings.append((f"i{end}", _ROMANS[sign]))
    following = (one for one in readings if (one[0], one[1] - 1) in open_counts)
    return next(following, next((one for one in readings if one[1] == 1), readings[0] if readings else ("", 0)))


def _items(text: str) -> Iterator[tuple[str, str]]:
    for line in text.split("\n"):
        if found := _ITEM.match(line):
            yield found[1], found[2] or ""


def _letters(words: str) -> str:
    bare = _MARKUP.sub("", words[:400])
    return "".join(sign for sign in bare if sign.isalnum()).lower()[:_COMPARED]
