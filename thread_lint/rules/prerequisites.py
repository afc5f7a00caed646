"""What a reader has to know or have, said too late."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from thread_core.documents.blocks.markdown import Block, parts
from thread_core.documents.promises import Role, promise
from thread_lint.findings import Severity
from thread_lint.rules.rule import Found, Guide, Rule

_EXPANDED = re.compile(r"\((?P<short>[A-Z][A-Za-z]{0,6}[A-Z])s?\)")
"""How a text gives a term its short form: "virtual machine (VM)"."""
_WORD = re.compile(r"[^\W_][^\W_'’]*")
_NAMED = re.compile(r"[\w,)] [A-Z][\w-]* \Z")
_NAME = re.compile(r" [A-Z]")
_BEFORE = 120
"""Characters beside a short form in which its long one stands."""
_READ = ("paragraph", "row")
"""Blocks of running text: headings and summaries are often short."""


def _late_prerequisites(guide: Guide) -> Iterator[Found]:
    """Sections that promise prerequisites, behind numbered steps of a section beside them that promises steps.

    One with sections below it is a part of the work: "Preparation".
    """
    whole = {unit.section[:depth] for unit in guide.units for depth in range(len(unit.section))}
    begun = set[tuple[str, ...]]()
    """The sections around those with numbered steps, so far."""
    for unit in guide.units:
        own = unit.section
        role = promise(own[-1]) if own else None
        if unit.steps and role is Role.STEP:
            begun.update(own[:depth] for depth in range(len(own)))
        elif role is Role.PREREQUISITE and own[:-1] in begun and own not in whole:
            begun.discard(own[:-1])  # one of them is enough
            where = unit.body_spans[-1]
            told = f"the prerequisites come after the steps that need them; move {own[-1]} above the steps"
            yield Found(where.start, where.end, told)


def _late_terms(guide: Guide) -> Iterator[Found]:
    blocks = [block for block in parts(guide.markdown.blocks) if block.kind in _READ]
    explained = _explained(blocks)
    pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, explained))})(?![\w-])") if explained else None
    known = set[str]()
    for at, block in enumerate(blocks if pattern else ()):
        for match in pattern.finditer(block.text) if pattern else ():
            short = match[0]
            if explained[short].block <= at or short in known or _is_in_name(block.text, match.start(), match.end()):
                continue
            known.add(short)
            beside = block.text[max(0, match.start() - _BEFORE) : match.end() + _BEFORE]
            if explained[short].words not in _words(beside) and not _stands_apart(block, match.start(), match.end()):
                line = block.start + block.text.count("\n", 0, match.start())
                later = explained[short].line
                yield Found(line, line, f"{short} is used here but explained only in line {later}; explain it here")


def _stands_apart(block: Block, start: int, stop: int) -> bool:
    """Whether a word stands in code, in quotes, in brackets or in a link: in whatever words, it is explained there."""
    text = block.text
    before = text[max(0, start - _BEFORE) : start]
    if any(first <= start < last for first, last in block.code):
        return True
    is_linked = any(link.offset <= start < link.offset + len(link.text) for link in block.links)
    is_quoted = before[-1:] in tuple("\"“'„") and text[stop : stop + 1] in tuple("\"”'“")
    return is_linked or is_quoted or before.rfind("(") > before.rfind(")")


def _is_in_name(text: str, start: int, stop: int) -> bool:
    """Whether a word is a part of a longer name: "Mac OS X"."""
    return _NAMED.search(text[max(0, start - _BEFORE) : start]) is not None or _NAME.match(text, stop) is not None


class _Explained(NamedTuple):
    """Where a short form is first put in brackets behind its long one."""

    block: int
    line: int
    words: str
    """The long form."""


def _explained(blocks: Sequence[Block]) -> Mapping[str, _Explained]:
    explained: dict[str, _Explained] = {}
    for at, block in enumerate(blocks):
        for match in _EXPANDED.finditer(block.text) if "(" in block.text else ():
            letters = match["short"].lower()
            words = _WORD.findall(block.text[max(0, match.start() - _BEFORE) : match.start()])[-len(letters) :]
            if [word[0].lower() for word in words] == list(letters):
                line = block.start + block.text.count("\n", 0, match.start())
                explained.setdefault(match["short"], _Explained(at, line, _words(" ".join(words))))
    return explained


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text)).casefold()


LATE_PREREQUISITE = Rule(
    code="TR301",
    name="late-prerequisite",
    severity=Severity.WARNING,
    summary="A section of prerequisites comes after the numbered steps that need it",
    why="""\
Readers start before they learn what they need. The rule reports a section such as "Prerequisites" or "Before you begin"
after numbered steps in a sibling section called "Steps", "Procedure" or similar. In the guides on which the rules were
judged, most numbered lists before such a section were not steps that needed it, so it runs only if you select it.
""",
    bad="""\
# Replace the disk

## Steps

1. Open the case.

## Prerequisites

A spare disk.
""",
    good="""\
# Replace the disk

## Prerequisites

A spare disk.

## Steps

1. Open the case.
""",
    check=_late_prerequisites,
    is_usual=False,
)
LATE_TERM = Rule(
    code="TR302",
    name="late-term",
    severity=Severity.NOTE,
    summary="An abbreviation is explained only after it was used",
    why="""\
The guide explains the abbreviation itself, "virtual machine (VM)", so it does not expect readers to know it, but the
text uses it before. Headings, titles and code do not count, nor does a place with the long form beside it. Terms that
no guide explains are not reported: a text does not show what its readers know.
""",
    bad="""\
# Queue is full

The DLQ grows while consumers are down.

1. Empty the dead letter queue (DLQ).
""",
    good="""\
# Queue is full

The dead letter queue (DLQ) grows while consumers are down.

1. Empty the DLQ.
""",
    check=_late_terms,
)
