"""Guides that stop before the reader knows what to do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from thread_core.documents.blocks.markdown import Block
from thread_core.documents.promises import promises_diagnosis
from thread_core.text import sentences
from thread_lint.findings import Severity
from thread_lint.rules.rule import Found, Guide, Rule

AS_ITEMS = 3
"""Headings in a row with nothing between them are a list that is set as headings."""


def _empty_section(guide: Guide) -> Iterator[Found]:
    row: list[Block] = []
    title = next((block for block in guide.markdown.blocks if block.kind == "heading"), None)
    for block, following in pairwise((*guide.markdown.blocks, None)):
        if block is None or block.kind != "heading" or not _is_empty(guide, block, following):
            yield from _reported(row)
            row = []
        elif block is not title or following is None:
            row.append(block)
    yield from _reported(row)


def _is_empty(guide: Guide, heading: Block, following: Block | None) -> bool:
    """Whether nothing stands between a heading and the next one that is not below it; tabs are no heading."""
    if following is None:
        return True
    if following.kind != "heading" or following.level > heading.level:
        return False
    is_written_so = following.end > following.start or guide.words(following.start, following.start).startswith("#")
    return is_written_so and not guide.words(heading.end + 1, following.start - 1).strip()


def _reported(row: Sequence[Block]) -> Iterator[Found]:
    for block in row if len(row) < AS_ITEMS else ():
        if block.text.strip() and not _says_it_all(block):
            told = f"there is nothing under the heading {block.flat}; write what to do, or remove it"
            yield Found(block.start, block.end, told)


def _says_it_all(heading: Block) -> bool:
    return bool(heading.links) or "://" in heading.text or sentences.instructs(heading.text)


def _dead_end(guide: Guide) -> Iterator[Found]:
    """A last step under a heading that promises a diagnosis, of which no way leads on."""
    last = guide.steps[-1] if guide.steps else None
    if last is None or not any(map(promises_diagnosis, last.section[:1])) or any(_empty_section(guide)):
        return
    if not last.links and not any(way.link.action.ends for way in guide.ways):
        where = last.body_spans[-1]
        told = "the guide ends with its diagnosis; say what to do about the finding, or whom to tell"
        yield Found(where.start, where.end, told)


DEAD_END = Rule(
    code="TR101",
    name="dead-end",
    severity=Severity.WARNING,
    summary="A guide says how to find out what is wrong, but not what to do then",
    why="""\
Readers end up with a finding and nothing to do about it. The rule reports the last step if it is under a heading such
as "Diagnosis", has no outcome, and no step of the guide says that it is done or who takes over.

Other guides that simply end are not reported: most end when their task is done. In other people's guides this rule had
one finding, which was no mistake, so it runs only if you select it.
""",
    bad="""\
# Queue is full

## Diagnosis

1. List the consumers.
""",
    good="""\
# Queue is full

## Diagnosis

1. List the consumers.

## Mitigation

1. Restart those that are down.
""",
    check=_dead_end,
    is_usual=False,
)
EMPTY_SECTION = Rule(
    code="TR102",
    name="empty-section",
    severity=Severity.WARNING,
    summary="A heading has nothing under it",
    why="""\
The heading promises something that is missing, and links and searches still lead to it. A heading with sections below
it is not empty. Headings that say what to do, headings with a link, and three or more in a row, which are a list, are
not reported. In other people's guides a third of the findings were headings that state a fact ("Difficulty: medium") or
explain the one above, so it runs only if you select it.
""",
    bad="""\
# Queue is full

1. List the consumers.

## Mitigation
""",
    good="""\
# Queue is full

1. List the consumers.

## Mitigation

1. Restart those that are down.
""",
    check=_empty_section,
    is_usual=False,
)
