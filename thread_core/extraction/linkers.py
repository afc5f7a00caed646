"""Units -> linkers: what the words of a unit say about the way on; what follows by the order of units is `following`'s.

Targets in other documents stay as they are written; `linking` resolves them when they are read.
"""

from __future__ import annotations

from collections.abc import Iterator

from thread_core import linking
from thread_core.documents import cases
from thread_core.documents.forms.tables import Table, numbered_rows
from thread_core.documents.sections import Outline
from thread_core.extraction import cells, charts, following, paragraphs
from thread_core.extraction.context import Context
from thread_core.extraction.drafts import Draft
from thread_core.extraction.sections import Sections
from thread_core.models import Link, LogicUnit, LogicUnitType
from thread_core.text.scripts import COLONS


def link(units: list[LogicUnit], drafts: list[Draft], plan: Outline) -> Iterator[LogicUnit]:
    """The units with their links, in the order of the `drafts` of which they were made, and the steps drawn in them."""
    sections = Sections(plan.sections, units)
    stated = list(_with_what_they_state(units, drafts, plan, sections))
    return following.leading_on(list(charts.with_steps(stated, drafts, sections, plan)))


def _with_what_they_state(
    units: list[LogicUnit], drafts: list[Draft], plan: Outline, sections: Sections
) -> Iterator[LogicUnit]:
    offered: set[str] = set()
    for index, (unit, draft) in enumerate(zip(units, drafts, strict=True)):
        stated = _stated(unit, draft, sections) if unit.type != LogicUnitType.BACKGROUND else ()
        links = [link for one in stated if (link := following.settled(one, unit, plan.ids))]
        links += following.alternatives(index, units, drafts, offered)
        yield following.with_links(unit, links)


def _stated(unit: LogicUnit, draft: Draft, sections: Sections) -> Iterator[Link]:
    numbered = {atom.start: atom.number for atom in draft.atoms if atom.number is not None}
    context = Context(draft.blocks, numbered)
    bullets: set[int] = set()
    apart = cases.side_by_side(block.flat for block in draft.blocks if block.text.endswith(COLONS))
    table = next((atom.table for atom in draft.atoms if atom.table), None)
    names_documents = linking.may_mention(draft.all_said)
    for index, (block, said) in enumerate(zip(draft.blocks, draft.said, strict=True)):
        context.leave(block.start)
        if block.kind == "paragraph":
            mentions = block.marked or (names_documents and linking.may_mention(said))
            block = linking.with_mentions(block) if mentions else block
            announced = paragraphs.announcement(draft.blocks, index)
            is_apart, is_listed = block.flat in apart, block.start in bullets
            yield from paragraphs.links(
                unit, block, sections, context, announced, is_apart=is_apart, is_listed=is_listed
            )
        elif block.kind == "list":
            context.enter(block.end)
            numbered |= {item.start: item.number for item in block.children if item.number is not None}
        elif block.kind == "item" and block.number is None:
            bullets.add(block.start)
        elif block.kind == "table":
            table = Table(block)
            numbered |= numbered_rows(block)
        elif block.kind == "row" and table and block.start > table.head.end and not table.explains():
            yield from cells.links(unit, block, table, sections, context)
