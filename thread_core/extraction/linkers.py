"""Units -> linkers: where what their words state leads; what follows by the order of units is `following`'s.

The forms of a document give outcomes, and here alone they become links. Targets in other documents stay as they are
written; `linking` resolves them when they are read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from thread_core import linking
from thread_core.documents import cases, directions
from thread_core.documents.blocks.markdown import Block, Hyperlink
from thread_core.documents.forms import causes, prose, rows
from thread_core.documents.forms.context import Context
from thread_core.documents.forms.outcome import Outcome
from thread_core.documents.forms.tables import Table, numbered_rows
from thread_core.documents.sections import Outline
from thread_core.extraction import charts, following
from thread_core.extraction.drafts import Draft
from thread_core.extraction.sections import Sections
from thread_core.models import Link, LinkAction, LogicUnit, LogicUnitType, Span, Target
from thread_core.text import header, sentences
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
    lists = (block for section in plan.sections for block in section.blocks if block.kind == "list")
    findings = {line: case for one in lists for line, case in causes.findings(one).items()}
    for index, (unit, draft) in enumerate(zip(units, drafts, strict=True)):
        stated = _links(unit, draft, sections, findings) if unit.type != LogicUnitType.BACKGROUND else ()
        links = [link for one in stated if (link := following.settled(one, unit, plan.ids))]
        links += following.alternatives(index, units, drafts, offered)
        yield following.with_links(unit, links)


def _links(unit: LogicUnit, draft: Draft, sections: Sections, findings: Mapping[int, str]) -> Iterator[Link]:
    numbered = {atom.start: atom.number for atom in draft.atoms if atom.number is not None}
    context = Context(draft.blocks, numbered)
    names_sections = sections.are_named_in(draft.all_said) or any(block.kind == "row" for block in draft.blocks)
    for block, outcome in _outcomes(draft, sections if names_sections else None, context, findings):
        yield from _leads(outcome, _target(outcome, block, unit, sections, context, names_sections), unit)


def _outcomes(
    draft: Draft, sections: Sections | None, context: Context, findings: Mapping[int, str]
) -> Iterator[tuple[Block, Outcome]]:
    """What each block of a unit states, by the form in which it is written.

    Args:
        draft: The unit in the making.
        sections: Those of the document, where its words name any.
        context: Where the reading stands.
        findings: See `causes`; of the whole document.
    """
    bullets: set[int] = set()
    apart = cases.side_by_side(block.flat for block in draft.blocks if block.text.endswith(COLONS))
    table = next((atom.table for atom in draft.atoms if atom.table), None)
    names_documents = linking.may_mention(draft.all_said)
    for index, (block, said) in enumerate(zip(draft.blocks, draft.said, strict=True)):
        context.leave(block.start)
        found: Iterator[Outcome] = iter(())
        if block.start in findings and block.kind == "paragraph":
            yield block, prose.announced_case(findings[block.start], block, draft.blocks, index, context)
        elif block.kind == "paragraph":
            mentions = block.marked or (names_documents and linking.may_mention(said))
            block = linking.with_mentions(block) if mentions else block
            if prose.is_silent(block, said, context) and not (sections and sections.are_named_in(said)):
                continue
            announced = prose.announcement(draft.blocks, index)
            is_apart, is_listed = bool(apart) and block.flat in apart, block.start in bullets
            found = prose.outcomes(block, context, announced, is_apart=is_apart, is_listed=is_listed)
        elif block.kind == "list":
            context.enter(block.end)
            context.numbered |= {item.start: item.number for item in block.children if item.number is not None}
        elif block.kind == "item" and block.number is None:
            bullets.add(block.start)
        elif block.kind == "table":
            table = Table(block)
            context.numbered |= numbered_rows(block)
        elif block.kind == "row" and table and block.start > table.head.end and not table.explains():
            found = rows.outcomes(block, table, context)
        for outcome in found:
            yield block, outcome


def _target(
    outcome: Outcome, block: Block, unit: LogicUnit, sections: Sections, context: Context, may_name: bool
) -> Target | None:
    """The place in the document, or the step of another one, that an outcome's words name; a title where they may."""
    said = sentences.lowered(outcome.sentence)
    jump = directions.jump(outcome.sentence) if directions.may_jump(said) else None
    found = None
    if jump or (may_name and sections.are_named_in(said)):
        found = sections.meant_by(outcome.sentence, jump, unit, outcome.links, context.numbered.values())
    if found is None and outcome.condition and directions.goes_on(outcome.sentence):
        line = min((line for line in context.numbered if line > block.end), default=None)
        if line is not None:
            return Target(place=unit.place, step=context.numbered[line])
        return sections.after(unit)
    return found


def _leads(outcome: Outcome, target: Target | None, unit: LogicUnit) -> Iterator[Link]:
    """The links of an outcome: to what it names, to an end, to where its hyperlinks lead, or to its own words."""
    case, then, links = outcome.condition, outcome.then, outcome.links
    ending = directions.ending(then) if case and not target else None
    is_own = bool(case) and outcome.is_stated
    if not (target or ending or links or is_own):
        return
    evidence = Span(unit.document_id, outcome.first, outcome.last)
    only_refers = directions.refers(outcome.sentence) and not outcome.is_stated
    if target:
        action = LinkAction.CROSS if target.document else LinkAction.CONTINUE
        yield Link("" if only_refers else case, then, action, target, evidence)
    elif ending and not any(link.href.startswith("#") for link in links):
        yield Link(case, then, ending, None, evidence)
    elif links and len(outcome.sentence) > sentences.LONGEST_SENTENCE:
        for link in links:
            yield following.hyperlink(link.href, "", link.text, Span(unit.document_id, link.line, link.line))
    elif links:
        named = [case for _ in links] if case and not only_refers else _names(links, outcome.sentence)
        for link, name in zip(links, named, strict=True):
            yield following.hyperlink(link.href, name, then, evidence)
    else:
        yield Link(case, then, LinkAction.CONTINUE, Target(place=unit.place), evidence)


def _names(links: Sequence[Hyperlink], sentence: str) -> list[str]:
    """What the links of a sentence are called, each a case, where it offers one of several documents; else blanks."""
    names = [header.clip(" ".join(link.text.split())) for link in links]
    documents = {link.href for link in links if linking.is_document(link.href.partition("#")[0])}
    differ = len(set(map(str.casefold, names))) == len(documents) == len(names) > 1
    offered = sentences.instructs(sentence) or directions.sends_on(sentence) or " or " in sentence
    only_reads = directions.refers(sentence) or directions.ending(sentence) is not None
    return names if differ and offered and not only_reads else ["" for _ in links]
