"""Drafts -> units: each gets its place, its header, its body and what it shares with the whole document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from thread_core.documents import templates
from thread_core.documents.blocks.markdown import CELL, Block
from thread_core.documents.blocks.source import Source
from thread_core.documents.boxes import unmarked
from thread_core.documents.forms.tables import parted
from thread_core.documents.sections import Outline
from thread_core.documents.tasks import is_drawing
from thread_core.extraction.drafts import Draft, is_picture
from thread_core.models import Document, LogicUnit, LogicUnitType, Place, Span, made
from thread_core.text import header, sentences

LONGEST_LEAD = 400
"""Characters of a block that are looked at for its first sentence."""


def name(
    document: Document, plan: Outline, source: Source, drafts: Iterable[tuple[Draft, LogicUnitType, str]]
) -> list[LogicUnit]:
    """A unit for each draft, given with what it is for and what its header says after the section's path.

    The numbers behind one are left to the steps that are drawn in it.
    """
    numbers: Counter[str] = Counter()
    units = []
    for draft, kind, lead in drafts:
        section = draft.section
        numbers[section.anchor] += 1
        body = _spans(document.id, (*draft.leads, (draft.start, draft.end)))
        text = "\n".join([source.slice(span.start, span.end) for span in body])
        fields = {
            "id": "",
            "document_id": document.id,
            "place": Place(section.anchor, numbers[section.anchor]),
            "type": kind,
            "header": header.compose(plan.title, section.path, lead),
            "prerequisites": tuple(dict.fromkeys(draft.prerequisites)),
            "body": text,
            "links": (),
            "parameters": templates.marked(text),
            "steps": draft.steps,
            "title": plan.title,
            "date": plan.date,
            "section": section.path,
            "spans": (*_spans(document.id, draft.headings), *body),
            "body_spans": body,
            "rewritten": False,
            "aliases": plan.aliases,
            "metadata": dict(document.scalars),
            "twins": (),
        }
        units.append(made(LogicUnit, fields))
        numbers[section.anchor] += sum(len(chart.nodes) for chart in draft.charts)
    return units


def _spans(document_id: str, lines: Iterable[tuple[int, int]]) -> tuple[Span, ...]:
    return tuple([Span(document_id, start, end) for start, end in lines])


def lead(blocks: Iterable[Block]) -> str:
    """The first sentence of some blocks."""
    for one in blocks:
        block = parted(one)[0] if one.kind == "table" else one
        if block.kind in ("paragraph", "row", "code") and not (is_picture(block) or is_drawing(block)):
            text = block.text.replace(CELL, " ") if block.kind != "code" else block.text.strip().splitlines()[0]
            text = unmarked(text[:LONGEST_LEAD])
            if first := next((sentence.text for sentence in sentences.cut(text)), ""):
                return first
    return ""
