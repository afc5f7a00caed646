"""Sections that are not English -> the links that structure shows: hyperlinks, labels, items side by side.

What their sentences state is not read (`paragraphs`).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from thread_core import linking
from thread_core.extraction import following, labels
from thread_core.models import Link, LogicUnit, Span, Target
from thread_core.text import conditions, header, sentences
from thread_core.text.markdown import Block, Hyperlink, parts
from thread_core.text.outline import Section
from thread_core.text.tasks import says_more_than_its_links


def links(unit: LogicUnit, block: Block, case: str) -> Iterator[Link]:
    """Where the hyperlinks of a paragraph lead; what is to be done in a case, where it has none."""
    evidence = Span(unit.document_id, block.start, block.end)
    ways = [one for one in block.links if _is_way(one)]
    label = _label(block)
    case_or_label = case or (label.condition if label else "")
    long = len(block.text) > sentences.LONGEST_SENTENCE
    for link in ways:
        line = Span(unit.document_id, link.line, link.line) if long else evidence
        yield following.hyperlink(link.href, case_or_label, link.text if long else block.flat, line)
    if case and not ways:
        yield Link(case, label.consequence if label else block.flat, target=Target(place=unit.place), evidence=evidence)


def items_side_by_side(sections: Iterable[Section]) -> dict[int, str]:
    """The cases that items of one list state, by the lines on which they begin."""
    found: dict[int, str] = {}
    for block in itertools.chain.from_iterable(parts(section.blocks) for section in sections):
        if block.kind != "list":
            continue
        items = [item.children[0] for item in block.children if item.children and item.children[0].kind == "paragraph"]
        led = [item for item in items if any(map(_is_way, item.links)) and says_more_than_its_links(item)]
        labelled = [item for item in items if block.number is None and _label(item)]
        for those in (led, labelled):
            found |= {item.start: _case(item) for item in those if len(those) > 1}
    return found


def _case(item: Block) -> str:
    label = _label(item)
    return label.condition if label else header.clip(item.flat)


def _label(block: Block) -> conditions.Clause | None:
    first = next(sentences.cut(block.text), None)
    return labels.labelled(block, first, is_step=False) if first else None


def _is_way(link: Hyperlink) -> bool:
    """Whether a hyperlink leads into a document that may be a guide."""
    document, _, anchor = link.href.partition("#")
    return bool(link.text) and (linking.is_document(document) if document else bool(anchor))
