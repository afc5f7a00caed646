"""A question back -> the passage that answers it: of this guide, a glossary, an FAQ, other guides."""

from __future__ import annotations

from collections.abc import Sequence

from thread_core.documents.blocks.shape import outdented
from thread_core.models import LogicUnit, Passage, Span
from thread_core.plan import Plan
from thread_core.retrieval import retrieve as retrieval
from thread_core.retrieval.retrieve import Entry
from thread_core.retrieval.terminology import asked_about
from thread_core.store.requests import Embed
from thread_core.text.words import content_words
from thread_core.walk.questions import Remark

ANSWERS = 0.45
"""From which likeness and words in common, in equal parts, a passage answers a question."""
ELSEWHERE = 0.1
"""How much nearer one of another guide must be."""
SHORT = 600
"""Characters of a unit that is shown whole around the passage."""
EMBEDDED = 400
"""Characters of a passage that are embedded."""
NO_ANSWER = "No guide here answers that. You are still at this step:"


def answer_to(question: str, document_units: Sequence[LogicUnit], shown: Span) -> Plan[Remark]:
    """Find what answers a question, with where it stands; where nothing does, say so."""
    terms = yield from asked_about(question, document_units)
    if terms:
        said = "\n".join(map(str, terms))
        return Remark(f"{said}\n[{terms[0].citation}]", tuple(term.citation for term in terms))
    found = yield from _passages(question, document_units, shown)
    entries: list[Entry] = yield from retrieval.find_entries(question, 2)
    for entry in entries:
        if retrieval.fit([entry]) and entry.document[0].document_id != document_units[0].document_id:
            beside = yield from _passages(question, entry.document, shown)
            found += [(worth - ELSEWHERE, unit, passage) for worth, unit, passage in beside]
    worth, unit, passage = max(found, key=lambda one: one[0], default=(0.0, None, None))
    if unit is None or passage is None or worth < ANSWERS:
        return Remark(NO_ANSWER)
    return passages_cited([(unit, 0, 0) if len(unit.body) <= SHORT else (unit, *passage[:2])])


def passages_cited(places: Sequence[tuple[LogicUnit, int, int]]) -> Remark:
    """Quote some lines of units' bodies, each with where they stand; line 0 stands for all of a body."""
    quoted, citations = [], []
    for unit, first, last in places:
        lines = first or 1, last or unit.body.count("\n") + 1
        citations.append(unit.lines_of(*lines))
        quoted.append(f"{outdented(unit.text_of(*lines))}\n[{citations[-1]}]")
    return Remark("\n\n".join(quoted), tuple(citations))


def _passages(question: str, units: Sequence[LogicUnit], shown: Span) -> Plan[list[tuple[float, LogicUnit, Passage]]]:
    """The passages of some units with how near each is to a question, but those that are on the screen."""
    asked = content_words(question)
    passages = []
    for unit in units if asked else ():
        lines = unit.body.split("\n")
        for one in unit.passages:
            at = unit.lines_of(one.first, one.last)
            if at.document_id != shown.document_id or not shown.start <= at.start <= shown.end:
                said = "\n".join((*unit.section[-1:], *lines[one.first - 1 : one.last]))
                passages.append((unit, one, said))
    if not passages:
        return []
    texts = tuple(dict.fromkeys(text[:EMBEDDED] for _, _, text in passages))
    vectors = yield Embed((question, *texts))
    likeness = dict(zip(texts, (vectors[1:] @ vectors[0]).tolist(), strict=True))
    found = []
    for unit, passage, text in passages:
        worth = likeness[text[:EMBEDDED]] / 2 + len(asked & content_words(text)) / len(asked) / 2
        found.append((worth, unit, passage))
    return found
