"""Question -> entry units -> what their linkers lead to, in reading order, within a budget (section 3.3).

Documents are ranked first, by header vectors and words together; then the entry is chosen inside each, then the
document is read on from there. Ranking units across documents instead loses a fifth of the steps.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from thread_core import layout, places
from thread_core.linking import Resolution
from thread_core.models import Link, LinkAction, LogicUnit, Model, Target
from thread_core.plan import Plan
from thread_core.ports import Hit, Stored, Vector
from thread_core.retrieval import terminology, twins
from thread_core.retrieval.above import above
from thread_core.retrieval.entrance import TO_DO, choose_entry
from thread_core.retrieval.prerequisites import Known, Verdict, is_for_others, judge_all
from thread_core.retrieval.shortened import shortened
from thread_core.store.one_version import in_one_version
from thread_core.store.requests import (
    EmbedQuestion,
    ReadDocuments,
    ReadVectors,
    Refresh,
    Resolve,
    SearchHeaders,
    SearchWords,
    read_document,
)
from thread_core.text.words import content_words, count_tokens

_NAME = re.compile(
    r"\b(?:0x[0-9a-f]+|(?-i:[A-Z]{4,}\w*)|[a-z]+\d[\w.]*|\d+[a-z]\w*|\d+\.\d+|\d{3,}|\w+_\w+)\b", re.IGNORECASE
)
"""Codes and names that are no words: 0x80070005, SERVFAIL, x509, v2, 4.14, disk_full."""

_NUMBER = re.compile(r"[\d.]+$")

ENTRIES = 5
"""How many documents a question enters by default: the paper's top-K."""
UNITS = 30
"""Units that a retrieval gives at most by default."""
BUDGET = 2000
"""Tokens that a retrieval gives at most by default; see `words.count_tokens`."""
NO_SUCH = (
    "a ThreadRetriever takes no {unknown}; use k (the most units), entries (how many documents the question enters),"
    " budget (the most tokens) and {filter} (what the metadata must be)"
)
"""What to use instead of the bounds of other retrievers, such as `similarity_top_k`."""

CANDIDATES = 100
"""Units that each kind of evidence may put forward."""
DOCUMENTS = 8
"""Documents that are looked into."""
LEXICAL_WEIGHT = 0.75
"""Weight of the words beside the vectors, each scaled to its best candidate."""
SPARE = 3
"""Documents that are looked into beyond those asked for, because some turn out not to apply."""
SHARED = 0.5
"""What a document gets for having all words of the question, anywhere."""
NAMED = 0.6
"""What a document gets at most for codes and names of the question that few of those at hand have."""
NEAR = 1.5
"""What a document gets for its nearest header's cosine, beside how it compares with the other candidates."""
AGREEMENT = 0.3
"""Share of a document's next best units that counts for it."""
OTHER_PLATFORM = 0.5
"""Taken off a document whose title names another platform than the question."""
RELATED = 0.45
"""Of a document's best header's cosine and half the share of the question's words in one unit: less does not fit.

Of 169 questions about documents 5 had less, and of 676 about other documents 392. The words of the whole document part
them less well: a long one has a few of any question.
"""
SURE = 0.5
"""The same from which a document may be what is meant, unless others fit it as well.

A document whose header has a code of the question has that much.
"""
MOST_RELATED = 1.5
"""What that is where the header says what the question does, and a unit has all of its words."""
ELSEWHERE = 0.3
"""How much better than the headers of its own document another one's must fit a link's query for it to lead there."""
QUERIES = 4
"""Links without a target that a retrieval follows at most: each takes a search of its own."""


class Found(Model):
    """A unit that a question led to."""

    unit: LogicUnit
    score: float
    """How much its document, or the one whose link leads to it, fits the question: 0 to 1.

    The best document's is two thirds its nearest header's cosine and one third the share of the question's words that
    a unit of it has; the others' are less, as they are ranked. What one document brings has one score.
    """


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a question enters a document."""

    unit: LogicUnit
    score: float
    document: tuple[LogicUnit, ...]
    """All units of the document in reading order."""
    related: float
    """How much the document has to do with the question; see RELATED."""


@in_one_version
def retrieve(
    question: str, *, k: int = UNITS, entries: int = ENTRIES, budget: int = BUDGET, known: Known | None = None
) -> Plan[list[Found]]:
    """The best entry units, one a document, then what their linkers lead to, in reading order; background comes last.

    Of units that say the same in several documents (twins) the first comes, with the prerequisites, links and lines
    of all. What explains the names in the prerequisites (`terminology`) comes at the end, and what stands before makes
    room for it. At most `entries` documents are entered, and at most `k` units and `budget` tokens come. A first unit
    that is longer comes as far as it fits, and its body ends with "..."; nothing comes where not even what stands
    around its body fits, and where nothing has to do with the question.
    """
    facts = known or Known(said=(question,))
    entered: list[Entry] = yield from find_entries(question, entries, facts)
    if not fit(entered):
        return []
    found: dict[str, tuple[LogicUnit, float]] = {}
    scores = _scores(entered)
    orders = [reading_order(entry, facts) for entry in entered]
    linked: list[list[LogicUnit]] = yield from linked_steps(orders, facts)
    for entry, score, order, further in zip(entered, scores, orders, linked, strict=True):
        for unit in (_begun(entry), *order, *further):
            found.setdefault(unit.id, (unit, score))
    for entry, score in zip(entered, scores, strict=True):
        for unit in entry.document:
            if applies(unit, facts):
                found.setdefault(unit.id, (unit, score))
    shown: list[Found] = yield from _within(found.values(), k, budget)
    at_hand = [unit for entry in entered for unit in entry.document if applies(unit, facts)]
    supplement = yield from terminology.explain([one.unit for one in shown], at_hand, question)
    return _with_room(shown, supplement, k, budget)


def _scores(entries: Sequence[Entry]) -> list[float]:
    """Those of `Found`, one a document: how much they have to do with the question, less as they are ranked."""
    related = min(1.0, max(entry.related for entry in entries) / MOST_RELATED)  # A cosine may be a hair above 1.
    best = entries[0].score
    return [related * max(entry.score, 0.0) / best if best > 0 else related for entry in entries]


def applies(unit: LogicUnit, known: Known) -> bool:
    """Whether nothing that is known rules a unit out."""
    return judge_all(unit.prerequisites, known).verdict is not Verdict.NOT_MET


def find_entries(question: str, documents: int = DOCUMENTS, known: Known | None = None) -> Plan[list[Entry]]:
    """The documents nearest to a question, best first, each with the unit at which it is entered; see `fit`."""
    facts = known or Known(said=(question,))
    by_header, by_words, documents_read = yield from _search(question, documents + SPARE)
    scores = fuse(by_header, by_words)
    best: dict[str, float] = defaultdict(float)
    for hit in by_header:
        best[hit.document_id] = max(best[hit.document_id], hit.score)
    read = {document_id: tuple(row.unit for row in rows) for document_id, rows in documents_read.items()}
    named = shared_names(question, read)
    codes = {code.lower() for code in _NAME.findall(question) if re.search(r"[\d_]", code) and not _NUMBER.match(code)}
    entries = []
    for document_id, score in rank_documents(scores, [*by_header, *by_words]):
        units = read.get(document_id, ())
        admitted = [unit for unit in units if applies(unit, facts)]
        if admitted:
            share, most = shared_words(question, units)
            held = score + NEAR * best[document_id] + SHARED * share + NAMED * named[document_id]
            held -= OTHER_PLATFORM if is_for_others(units[0].title, facts) else 0.0
            related = best[document_id] + most / 2
            if any(_whole(code).search(unit.header.lower()) for code in codes for unit in units):
                related = max(related, SURE)
            entries.append(Entry(choose_entry(question, admitted, scores), held, units, related))
    entries.sort(key=lambda entry: -entry.score)
    return entries[:documents]


def _search(question: str, documents: int) -> Plan[tuple[list[Hit], list[Hit], dict[str, list[Stored]]]]:
    """The units found by header and by words, and the documents that they lead to.

    A document that is ingested anew meanwhile may be found by its headers in one version and by its words in another,
    and would count half: so what has changed is taken in then, and one search more is made. A document is read once.
    """
    read: dict[str, list[Stored]] = {}
    for again in (False, True):
        if again:
            yield Refresh()
        nearest: list[Hit] = yield SearchHeaders(question, CANDIDATES)
        by_words: list[Hit] = yield SearchWords(question, CANDIDATES)
        hits = [*nearest, *by_words]
        ranked = rank_documents(fuse(nearest, by_words), hits)[:documents]
        read |= yield ReadDocuments(tuple(document_id for document_id, _ in ranked if document_id not in read))
        ids = {row.unit.id for rows in read.values() for row in rows}
        if all(hit.unit_id in ids for hit in hits if hit.document_id in read):
            break
    return nearest, by_words, read


def _cosine(stored: Vector, vector: np.ndarray[Any, Any]) -> float:
    """Of a header's vector with one of length 1."""
    header = np.asarray(stored, dtype=np.float32)
    length = float(np.linalg.norm(header))
    return float(header @ vector) / length if length else 0.0


def fit(entries: Sequence[Entry]) -> bool:
    """Whether anything that was found has to do with the question."""
    return any(entry.related >= RELATED for entry in entries)


def shared_words(question: str, units: Sequence[LogicUnit]) -> tuple[float, float]:
    """Which share of the question's words some units have, 0 to 1: together, and the one that has most of them."""
    wanted = content_words(question)
    found: set[str] = set()
    most = 0
    for text in (f"{unit.header}\n{unit.body}" for unit in units):
        plain = text.lower()
        # A word may stand there in "-ies"; to read the text takes longest.
        may_have = {stem for stem in wanted if stem.removesuffix("y") in plain} if plain.isascii() else wanted
        if len(may_have) > most or may_have - found:
            had = wanted & content_words(text)
            found |= had
            most = max(most, len(had))
    return len(found) / max(1, len(wanted)), most / max(1, len(wanted))


def _whole(name: str) -> re.Pattern[str]:
    """What finds a name that is no part of another word."""
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")


def shared_names(question: str, documents: Mapping[str, Sequence[LogicUnit]]) -> dict[str, float]:
    """How much the codes and names of a question speak for each document, 0 to 1: the fewer have one, the more."""
    texts = {
        document_id: "\n".join(f"{unit.header}\n{unit.body}" for unit in units).lower()
        for document_id, units in documents.items()
    }
    found = dict.fromkeys(documents, 0.0)
    for name in {match.lower() for match in _NAME.findall(question)}:
        having = [document_id for document_id, text in texts.items() if _whole(name).search(text)]
        for document_id in having if 2 * len(having) <= len(texts) else ():
            found[document_id] = min(1.0, found[document_id] + 1 / len(having))
    return found


def fuse(by_header: Sequence[Hit], by_words: Sequence[Hit]) -> dict[str, float]:
    """One score a unit: nearness of its header and weight of its words, each relative to the best candidate."""
    scores: dict[str, float] = defaultdict(float)
    for hits, weight in ((by_header, 1.0), (by_words, LEXICAL_WEIGHT)):
        best = max((hit.score for hit in hits), default=0.0)
        for hit in hits:
            scores[hit.unit_id] += weight * max(hit.score, 0.0) / best if best > 0 else 0.0
    return scores


def rank_documents(scores: dict[str, float], hits: Iterable[Hit]) -> list[tuple[str, float]]:
    """Documents by their best unit and, a little, by how many others agree."""
    units: dict[str, dict[str, float]] = defaultdict(dict)
    for hit in hits:
        units[hit.document_id][hit.unit_id] = scores[hit.unit_id]
    ranked = []
    for document_id, own in units.items():
        best = sorted(own.values(), reverse=True)
        ranked.append((document_id, best[0] + AGREEMENT * sum(best[1:4])))
    return sorted(ranked, key=lambda pair: (-pair[1], pair[0]))


def reading_order(entry: Entry, known: Known) -> list[LogicUnit]:
    """The entry and what it goes on with, then the steps before it."""
    units = [unit for unit in entry.document if unit.id == entry.unit.id or entry.unit.goes_on_with(unit)]
    admitted = [unit for unit in units if applies(unit, known)]
    return sorted(admitted, key=lambda unit: unit.start < entry.unit.start)


def _begun(entry: Entry) -> LogicUnit:
    """The entry with what must hold before the first step of its document."""
    before = above(entry.unit, entry.document)
    if not before:
        return entry.unit
    return entry.unit.model_copy(update={"prerequisites": tuple(dict.fromkeys((*before, *entry.unit.prerequisites)))})


def find_goal(link: Link, unit: LogicUnit, known: Known | None = None) -> Plan[Entry | None]:
    """Where a link without a target leads: to what its query fits best by header, here or in another document.

    Never to the unit that has the link. A link to another document (`LinkAction.CROSS`) leaves its own; any other stays
    unless another document fits plainly better. None where nothing has to do with the query.
    """
    if not link.query.strip():
        return None
    facts = known or Known(said=(link.query,))
    entries: list[Entry] = yield from find_entries(link.query, 2, facts)
    goals: list[tuple[float, Entry]] = []
    for entry in entries:
        if entry.unit.document_id != unit.document_id:
            near: list[Entry] = yield from _by_header(link.query, entry.unit.document_id, facts)
            related = max((one.related for one in near), default=0.0)
            goals.append((related - ELSEWHERE, replace(entry, related=related)))
    if link.action is not LinkAction.CROSS:
        own: list[Entry] = yield from _by_header(link.query, unit.document_id, facts)
        goals += [(one.related, one) for one in own if one.unit.id != unit.id and one.unit.type in TO_DO]
    best = max(goals, key=lambda goal: goal[0], default=None)
    return best[1] if best and best[1].related >= SURE else None


def _by_header(query: str, document_id: str, known: Known) -> Plan[list[Entry]]:
    """The units of a document that apply, each with how much its header and its words have to do with a query."""
    vector = yield EmbedQuestion(query)
    rows: list[Stored] = yield from read_document(document_id)
    vectors: dict[str, Vector | None] = yield ReadVectors(document_id)
    document = tuple(row.unit for row in rows)
    found = []
    for unit in document:
        if applies(unit, known):
            stored = vectors.get(unit.id)
            related = (0.0 if stored is None else _cosine(stored, vector)) + shared_words(query, [unit])[1] / 2
            found.append(Entry(unit, related, document, related))
    return found


def linked_steps(orders: Sequence[Sequence[LogicUnit]], known: Known) -> Plan[list[list[LogicUnit]]]:
    """For each document's steps those of the documents that they send the reader to, from where the link says on.

    Links without a target are searched for, the first few of all.
    """
    leads: list[dict[str, Target]] = []
    searched = 0
    for units in orders:
        own: dict[str, Target] = {}
        leads.append(own)
        crossing = [(link, one) for one in units for link in one.links if link.action is LinkAction.CROSS]
        for link, unit in crossing:
            if link.target is not None:
                resolution: Resolution = yield Resolve(link.target.document, unit.document_id)
                if resolution.leads and resolution.document_id != unit.document_id:
                    own.setdefault(resolution.document_id, link.target)
            elif searched < QUERIES:
                searched += 1
                goal: Entry | None = yield from find_goal(link, unit, known)
                if goal is not None:
                    own.setdefault(goal.unit.document_id, Target(place=goal.unit.place))
    read: dict[str, list[Stored]] = yield ReadDocuments(tuple(document_id for own in leads for document_id in own))
    documents = {document_id: [row.unit for row in rows] for document_id, rows in read.items()}
    return [
        [step for document_id, target in own.items() for step in _steps_from(target, documents.get(document_id, ()))]
        for own in leads
    ]


def _steps_from(target: Target, units: Sequence[LogicUnit]) -> list[LogicUnit]:
    start = places.place_in(target, units)
    if start is None:
        return []
    return [unit for unit in units if unit.start >= start.start and (unit.id == start.id or start.goes_on_with(unit))]


def _within(found: Iterable[tuple[LogicUnit, float]], k: int, budget: int) -> Plan[list[Found]]:
    shown: dict[str, Found] = {}
    stood_for: set[str] = set()
    left = budget
    for own, score in found:
        if own.id in stood_for or any(twin.unit_id in shown for twin in own.twins):
            continue
        others: list[LogicUnit] = yield from twins.read(own)
        unit: LogicUnit = yield from twins.extended(own, others)
        if not shown:
            unit = shortened(unit, budget)
        left -= count_tokens(layout.render(unit))
        if len(shown) == k or left < 0:
            break
        shown[unit.id] = Found(unit=unit, score=score)
        stood_for.update(other.id for other in others)
    return list(shown.values())


def _with_room(shown: Sequence[Found], supplement: Sequence[LogicUnit], k: int, budget: int) -> list[Found]:
    """What is shown, with what explains it at the end, as far as that fits beside the first."""
    if not supplement or not shown:
        return list(shown)
    ids = {unit.id for unit in supplement}
    first, *others = [one for one in shown if one.unit.id not in ids] or shown[:1]
    added = [Found(unit=unit, score=shown[-1].score) for unit in supplement if unit.id != first.unit.id]
    for pieces, beside in ((added, []), (others, added)):
        while pieces and not _fits([first, *pieces, *beside], k, budget):
            pieces.pop()
    return [first, *others, *added]


def _fits(found: Sequence[Found], k: int, budget: int) -> bool:
    return len(found) <= k and sum(count_tokens(layout.render(one.unit)) for one in found) <= budget
