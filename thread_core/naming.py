"""Drafts -> units: each gets its place, its header, its body and what it shares with the whole document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from thread_core import header, templates
from thread_core.drafts import Draft
from thread_core.markdown import Source
from thread_core.models import Document, LogicUnit, LogicUnitType, Place, Span
from thread_core.outline import Outline


def name(
    document: Document, plan: Outline, source: Source, drafts: Iterable[tuple[Draft, LogicUnitType, str]]
) -> list[LogicUnit]:
    """A unit for each draft, given with what it is for and what its header says after the section's path."""
    numbers: Counter[str] = Counter()
    units = []
    for draft, kind, lead in drafts:
        section = draft.section
        numbers[section.anchor] += 1
        leads = dict.fromkeys(atom.lead for atom in draft.atoms if atom.lead)
        body = (*(Span(document.id, *lines) for lines in leads), Span(document.id, draft.start, draft.end))
        spans = (*(Span(document.id, *heading) for heading in draft.headings), *body)
        text = "\n".join(source.slice(span.start, span.end) for span in body)
        units.append(
            LogicUnit(
                id="",
                document_id=document.id,
                place=Place(section.anchor, numbers[section.anchor]),
                type=kind,
                header=header.compose(plan.title, section.path, lead),
                prerequisites=tuple(dict.fromkeys(draft.prerequisites)),
                body=text,
                parameters=templates.marked(text),
                steps=draft.steps,
                title=plan.title,
                date=plan.date,
                section=section.path,
                spans=spans,
                body_spans=body,
                aliases=plan.aliases,
                metadata=document.scalars,
            )
        )
    return units
