"""What walks missed at a step -> a draft change of the guide: each outcome that is missing, for a writer to fill in.

It is a diff to be read, and applied by nobody but a person: what shall be done in each case is not known here.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import unified_diff
from typing import NamedTuple

from thread_core.documents.blocks.fences import closing
from thread_core.documents.blocks.source import Source
from thread_core.extraction.rules import RuleExtractor
from thread_core.models import Document, LogicUnit, Passage
from thread_core.text.quoting import escaped, seen
from thread_core.walk.gap import GapKind
from thread_core.walk.gaps import Wanting

KINDS = (GapKind.NOT_COVERED, GapKind.NONE, GapKind.HANDED_OVER)
"""Kinds whose words are an outcome; what was asked or skipped is none."""
TODO = "TODO: say what to do then"
LONGEST = 200
"""Characters of what was said, in a draft."""
_ITEM = re.compile(r"([\s>]*)(?:([-*+])|\d{1,9}[.)])(\s+)")
_CELL = re.compile(r"(?<!\\)\|")

_Shown = tuple[str, int, int]
"""A unit's id, and the lines of its body that were shown."""


class Draft(NamedTuple):
    """A draft change of some documents."""

    diff: str
    """Unified, for `git apply` or `patch -p1`; empty where nothing is added."""
    left: tuple[Wanting, ...]
    """What has no place in it: the step is no longer as it was, is drawn, or ends within code."""


def draft(wanting: Iterable[Wanting], documents: Iterable[Document]) -> Draft:
    """Draft the outcomes that people reported and that their guides do not know, each behind those of its step.

    Args:
        wanting: What was missed.
        documents: The guides as they are now. A step is known by what it says: one that was edited is another one.
    """
    missed: dict[str, dict[_Shown, list[Wanting]]] = defaultdict(lambda: defaultdict(list))
    for one in wanting:
        if one.gap.kind in KINDS and one.gap.said and one.gap.unit_id:
            missed[one.gap.document_id][one.gap.unit_id, one.gap.first, one.gap.last].append(one)
    diffs = []
    for document in documents:
        own = missed.get(document.id)
        if own is None:
            continue
        lines = _with_ends(document.text)
        added = dict(_additions(document, own)) if lines else {}
        for shown in added:
            del own[shown]
        if added:
            diffs.append(_diff(document.id, lines, added.values()))
    left = (one for own in missed.values() for several in own.values() for one in several)
    return Draft("".join(diffs), tuple(left))


def _additions(
    document: Document, missed: Mapping[_Shown, Sequence[Wanting]]
) -> Iterator[tuple[_Shown, tuple[int, list[str]]]]:
    """For what was shown and is found: the line behind which lines are added, and these."""
    source = Source(document.text)
    units = {unit.id: unit for unit in RuleExtractor().extract(document).units}
    for shown, several in missed.items():
        unit_id, first, last = shown
        unit = units.get(unit_id)
        if unit is None or unit.rewritten or closing(unit.text_of(1, last)):
            continue
        said = dict.fromkeys(" ".join(one.gap.said.split())[:LONGEST].rstrip(" .!") for one in several)
        passage = _last_outcome(unit, first, last)
        begins, ends = (passage.first, passage.last) if passage else (last, last)
        line = source.line(unit.lines_of(begins, begins).start)
        yield shown, (unit.lines_of(ends, ends).end, [*_lines(passage, line, list(map(escaped, said)))])


def _last_outcome(unit: LogicUnit, first: int, last: int) -> Passage | None:
    """The innermost passage that states the last outcome in some lines of a unit's body."""
    stated = [unit.line_in_body(link.evidence.end) for link in unit.links if link.condition and link.evidence]
    line = max((one for one in stated if one is not None and first <= one <= last), default=0)
    around = [one for one in unit.passages if one.first <= line <= one.last]
    return min(around, key=lambda one: one.last - one.first, default=None)


def _lines(passage: Passage | None, first: str, said: Sequence[str]) -> Iterator[str]:
    """What is added: rows of a table, items of a list, or sentences.

    Args:
        passage: Behind which it is added; None for the end of a step without outcomes.
        first: The line with which the passage begins, or the step ends.
        said: The cases.
    """
    if passage is not None and passage.kind == "row":
        more = " |" * max(0, len(_CELL.findall(first.strip().strip("|"))) - 1)
        yield from (f"| {one} | {TODO} |{more}" for one in said)
        return
    item = _ITEM.match(first)
    if passage is not None and item is not None and item[2]:
        yield from (f"{item[1]}{item[2]}{item[3]}If {one}, {TODO}." for one in said)
        return
    indent = item[1] + " " * (len(item[0]) - len(item[1])) if item else first[: len(first) - len(first.lstrip(" >\t"))]
    yield indent.rstrip(" ")
    yield from (f"{indent}If {one}, {TODO}." for one in said)


def _with_ends(text: str) -> list[str]:
    """The lines of a text, each with its end; none where they do not all end alike, so that no diff would fit."""
    end = "\r\n" if "\r\n" in text else "\n"
    lines = [f"{line}{end}" for line in Source(text).lines]
    if not text.endswith(end):
        lines[-1] = lines[-1].removesuffix(end)
    return lines if "".join(lines) == text else []


def _diff(document_id: str, before: Sequence[str], added: Iterable[tuple[int, Sequence[str]]]) -> str:
    end = "\r\n" if before[0].endswith("\r\n") else "\n"
    after = list(before)
    for line, new in sorted(added, reverse=True):
        if not after[line - 1].endswith(end):
            after[line - 1] += end
        after[line:line] = [f"{one}{end}" for one in new]
    name = seen(" ".join(document_id.split()))
    lines = unified_diff(before, after, f"a/{name}", f"b/{name}")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
