"""Facts -> logic units: the lines are the body, and each fact is a link whose condition is the relation."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable
from itertools import groupby

from thread_core.documents.blocks.markdown import parse, parts
from thread_core.documents.forms.tables import parted
from thread_core.documents.sections import outline
from thread_core.models import Document, Link, LinkAction, LogicUnit, Place, Span, Target, identify
from thread_core.text import header
from thread_eval.systems.relations.facts import Fact

FACT = "fact"
"""The type of these units."""


def fact_units(document: Document, facts: Iterable[Fact]) -> tuple[LogicUnit, ...]:
    """A unit for the lines of each fact, in reading order; facts of the same lines are one unit."""
    markdown = parse(document.text)
    plan = outline(markdown, document.id, document.title)
    begins = [section.heading[0] if section.heading else 1 for section in plan.sections]
    tables = [block for block in parts(markdown.blocks) if block.kind == "table"]
    heads = {row.start: head for head, rows in map(parted, tables) for row in rows}
    units: list[LogicUnit] = []
    for (first, last), group in groupby(sorted(facts), key=lambda fact: fact[:2]):
        own, about = Span(document.id, first, last), list(group)
        section = plan.sections[max(0, bisect_right(begins, first) - 1)]
        above = [Span(document.id, heads[first].start, heads[first].end)] if first in heads else []
        spans = (*above, own)
        units.append(
            LogicUnit(
                id="",
                document_id=document.id,
                place=Place(section.anchor, 1 + len(units)),
                type=FACT,
                header=header.compose(plan.title, section.path, _said(about, (plan.title, *section.path))),
                body="\n".join(markdown.source.slice(span.start, span.end) for span in spans),
                links=tuple(_link(fact, own) for fact in about if fact.value),
                title=plan.title,
                date=plan.date,
                section=section.path,
                spans=spans,
                body_spans=spans,
                aliases=plan.aliases,
                metadata=document.scalars,
            )
        )
    return identify(units)


def _said(facts: Iterable[Fact], above: Collection[str]) -> str:
    """What a header says after the title and the section's path."""
    said: list[str] = []
    for fact in facts:
        said += [*([] if fact.entity in above else [fact.entity]), fact.relation]
        said += [] if fact.value in fact.relation else [fact.value]
    return ": ".join(dict.fromkeys(said))


def _link(fact: Fact, evidence: Span) -> Link:
    target = Target(document=fact.document) if fact.document else None
    return Link(fact.relation, fact.value, LinkAction.CROSS, target, evidence)
