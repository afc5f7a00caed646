"""Units that belong together become one (section 3.2): chains within a document, the same step in several documents.

A chain is merged when its document is read, so the next reading undoes it. Of units that say the same nothing is
rewritten: each names the others as its twins, and whoever retrieves them shows one with what the others add
(`twins`). So a source that changes or goes takes its own unit with it, and the others stand as they stood.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from thread_core import places
from thread_core.documents import passages
from thread_core.documents.blocks.source import Source
from thread_core.extraction.fidelity import Extraction, MergeReport
from thread_core.extraction.finishing import finished
from thread_core.ingest.likeness import exact, words
from thread_core.layout import heading, intent, is_next, render
from thread_core.models import Document, Link, LogicUnit, Model, Place, Span, Twin, changed, identify
from thread_core.plan import Plan, given
from thread_core.ports import Hit, Stored
from thread_core.retrieval import twins
from thread_core.retrieval.prerequisites import Known, decidable, is_for_others
from thread_core.store.batches import batches
from thread_core.store.requests import Embed, SearchAlike, read_document
from thread_core.text.words import count_tokens

CHAIN = "each only leads to the next"
"""Why the units of a chain were merged."""
TWINS = "they say the same in several documents"
"""Why similar units were merged."""

AT_ONCE = 100
"""Documents whose headers are embedded together."""
CANDIDATES = 20
"""Units with the nearest headers that are compared with a unit."""
LEAST = 30
"""Tokens of a body; a shorter one ("Restart it.") leans on the document around it."""
NEAR = 0.7
"""Shingles that two bodies have in common, as a share of those of both, below which they are not similar."""
ALIKE = 0.6
"""Cosine of two headers, the titles left out, below which they are not similar."""
SHINGLE = 3
"""Words in a row that are compared as one."""

Decide = Callable[[LogicUnit, LogicUnit], Plan[bool]]
"""Whether two similar units, whose numbers, names, code and denials are the same, are one."""


def merge_chains(extraction: Extraction, document: Document, limit: int) -> Extraction:
    r"""Merge the steps of a section of which each leads on to the next one alone.

    The merged unit's body is cut from the document, from the first step's first line to the last step's last; bodies
    that a model wrote follow each other. It stands where the first one stood and leads where the last one led. Steps
    that a link from elsewhere leads to begin a unit of their own, and numbers of steps and anchors are found as before.

    Args:
        extraction: The document's units.
        document: The text that they were cut from.
        limit: Tokens of a merged unit at most, as `thread_core.text.words.count_tokens` counts what a reader sees; 0
            merges nothing.

    Raises:
        ValueError: the limit is below 0.

    Example:
        >>> steps = [f"{number}. Turn wheel {number}. {'Wait. ' * 100}" for number in (1, 2)]
        >>> document = Document("wheels.md", "\n\n".join(["# Wheels", *steps]))
        >>> extraction = RuleExtractor().extract(document)
        >>> [unit.steps for unit in extraction.units]
        [(1,), (2,)]
        >>> [unit.steps for unit in merge_chains(extraction, document, 500).units]
        [(1, 2)]
    """
    if limit < 0:
        raise ValueError(f"found limit={limit}, expected a number of tokens, 0 or more")
    chains = list(_chains(extraction.units, Source(document.text.removeprefix("\ufeff")), limit)) if limit else []
    if len(chains) == len(extraction.units) or not chains:
        return extraction
    moved = _places(chains)
    units = identify(finished([_moved(unit, moved) for unit, _ in chains]))
    merges = [
        _reported(unit, members, CHAIN) for unit, (_, members) in zip(units, chains, strict=True) if len(members) > 1
    ]
    return Extraction(units, extraction.report.model_copy(update={"merges": tuple(merges)}))


_Chain = tuple[LogicUnit, tuple[LogicUnit, ...]]
"""A unit, and the units of which it was made."""


def _chains(units: Sequence[LogicUnit], source: Source, limit: int) -> Iterator[_Chain]:
    entered = _entered(units)
    chain: _Chain | None = None
    for unit in units:
        joined = _join(chain[0], unit, source) if chain and entered[unit.place] == 1 else None
        if chain and joined is not None and count_tokens(render(joined)) <= limit:
            chain = (joined, (*chain[1], unit))
            continue
        if chain:
            yield chain
        chain = (unit, (unit,))
    if chain:
        yield chain


def _entered(units: Sequence[LogicUnit]) -> Counter[Place]:
    """How many links of the other units lead to each unit."""
    by_place, found_in = {unit.place: unit for unit in units}, places.Places(units)
    found: Counter[Place] = Counter()
    for unit in units:
        for target in (link.target for link in unit.links if link.target and not link.target.document):
            goal = by_place.get(target.place) if target.place else found_in.find(target)
            if goal is not None and goal.place != unit.place:
                found[goal.place] += 1
    return found


def _join(one: LogicUnit, other: LogicUnit, source: Source) -> LogicUnit | None:
    """Two units as one, where the first leads on to the second alone and nothing tells them apart; else None."""
    leads_on = len(one.links) == 1 and is_next(one.links[0])
    if not (leads_on and one.links[0].target and one.links[0].target.place == other.place):
        return None
    if not _beside(one, other):
        return None
    both = {
        "body": f"{one.body}\n\n{other.body}",
        "links": other.links,
        "parameters": {**one.parameters, **other.parameters},
        "steps": (*one.steps, *other.steps),
        "spans": tuple(_fused([*one.spans, *other.spans])),
        "body_spans": tuple(_fused([*one.body_spans, *other.body_spans])),
    }
    if one.rewritten and other.rewritten:  # by a model, of all the lines from which they were written
        return one.model_copy(update=both)
    if not (other.start > one.body_spans[-1].end and _cut(one, source) and _cut(other, source)):
        return None
    own = Span(one.document_id, one.start, other.body_spans[-1].end)
    body_spans = (*one.body_spans[:-1], own)
    between = range(one.body_spans[-1].end + 1, other.start)
    known = [*one.spans, *other.spans]
    whole = all(source.blank(line) or any(span.start <= line <= span.end for span in known) for line in between)
    leads = other.body_spans[:-1]
    has_leads = all(any(span.start <= lead.start and lead.end <= span.end for span in body_spans) for lead in leads)
    if not whole or not has_leads:
        return None
    spans = tuple(_fused([*one.spans, *other.spans, own]))
    cut = {"body": _body(body_spans, source), "spans": spans, "body_spans": body_spans}
    joined = one.model_copy(update=both | cut)
    found = all(_line_of(joined, step) == _line_of(part, step) for part in (one, other) for step in part.steps)
    return joined if found else None


def _line_of(unit: LogicUnit, step: int) -> int:
    """The line of the document at which a step of a unit begins, whose passages are not cut yet."""
    line = places.line_of_step(changed(unit, {"passages": passages.cut(unit.body)}), step)
    return unit.lines_of(line, line).start


def _beside(one: LogicUnit, other: LogicUnit) -> bool:
    """Whether two units stand in one section under the same conditions, and neither changes what the other says."""
    needed, also = set(one.prerequisites), set(other.prerequisites)
    return (
        (one.type, one.section, one.place.anchor) == (other.type, other.section, other.place.anchor)
        and also <= needed
        and not any(map(decidable, needed - also))
        and set(one.steps).isdisjoint(other.steps)
        and all(one.parameters.get(name, value) == value for name, value in other.parameters.items())
    )


def _cut(unit: LogicUnit, source: Source) -> bool:
    """Whether a unit's body stands in a text where the unit says."""
    return all(span.end <= len(source) for span in unit.body_spans) and unit.body == _body(unit.body_spans, source)


def _body(spans: Sequence[Span], source: Source) -> str:
    return "\n".join(source.slice(span.start, span.end) for span in spans)


def _fused(spans: Sequence[Span]) -> Iterator[Span]:
    """The same lines in reading order, those that adjoin as one span."""
    start = end = 0
    for span in sorted(spans, key=lambda span: span.start):
        if start and span.start > end + 1:
            yield Span(span.document_id, start, end)
            start = 0
        start, end = start or span.start, max(end, span.end)
    if start:
        yield Span(spans[0].document_id, start, end)


def _places(chains: Sequence[_Chain]) -> dict[Place, Place]:
    """Where each unit stands when the units of every section are counted anew."""
    numbers: Counter[str] = Counter()
    moved: dict[Place, Place] = {}
    for unit, members in chains:
        anchor = unit.place.anchor
        numbers[anchor] += 1
        moved |= {member.place: Place(anchor, numbers[anchor]) for member in members}
    return moved


def _moved(unit: LogicUnit, places: dict[Place, Place]) -> LogicUnit:
    """A unit at its new place, with links to the new places of others."""

    def follow(link: Link) -> Link:
        if link.target is None or link.target.place is None:
            return link
        place = places.get(link.target.place, link.target.place)
        return link.model_copy(update={"target": link.target.model_copy(update={"place": place})})

    return unit.model_copy(update={"place": places[unit.place], "links": tuple(map(follow, unit.links))})


def _reported(unit: LogicUnit, members: Sequence[LogicUnit], why: str) -> MergeReport:
    return MergeReport(
        into=unit.id,
        header=unit.header,
        units=tuple(member.id for member in members),
        spans=unit.spans,
        why=why,
        tokens_before=sum(count_tokens(render(member)) for member in members),
        tokens_after=count_tokens(render(unit)),
    )


class Twinned(Model):
    """Which units say the same: what is to be written, and what was merged."""

    units: tuple[LogicUnit, ...]
    """Units whose twins are others now; `UnitStore.write(moved=...)` writes them."""
    merges: tuple[MergeReport, ...]


def same_words(one: LogicUnit, other: LogicUnit) -> Plan[bool]:
    """The rule: two bodies are one where they say the same words, but for articles and the like.

    A word in the place of another ("import" for "export") may make it another step. A rule cannot tell a synonym from
    an opposite; a model can.
    """
    return given(words(one.body) == words(other.body))


def find_twins(documents: Iterable[str], decide: Decide = same_words) -> Plan[Twinned]:
    """The units of some documents that say the same as a unit of another document of the store.

    Candidates are the units with the nearest headers. Whether one is a twin, `decide` says, a rule or a model; it is
    asked only about units of one type whose headers and bodies are similar, and whose numbers, names, code, denials,
    versions and platforms are the same. A unit has one twin at most in each document.

    Example:
        found = library.run(find_twins(["login.md", "reset.md"]))
        library.store.write(moved=found.units)
    """
    search = _TwinSearch(decide)
    wanted = list(dict.fromkeys(documents))
    for some in batches(wanted, AT_ONCE):
        yield from search.place_all(some)
    return (yield from search.result())


class _TwinSearch:
    """What one search has read, and the groups that it has made of units that say the same."""

    def __init__(self, decide: Decide) -> None:
        self._decide = decide
        self._documents: dict[str, tuple[LogicUnit, ...]] = {}
        self._groups: dict[str, list[LogicUnit]] = {}

    def read(self, document_id: str) -> Plan[tuple[LogicUnit, ...]]:
        """A document's units, read once."""
        if document_id not in self._documents:
            stored: list[Stored] = yield from read_document(document_id)
            self._documents[document_id] = tuple(row.unit for row in stored)
        return self._documents[document_id]

    def place_all(self, documents: Iterable[str]) -> Plan[None]:
        """Put the units of some documents with those that say the same, unless they are recorded with some already."""
        units: list[LogicUnit] = []
        for document_id in documents:
            for unit in (yield from self.read(document_id)):
                own: list[LogicUnit] = yield from self._group(unit)
                if len(own) == 1 and count_tokens(unit.body) >= LEAST:
                    units.append(unit)
        yield Embed(tuple(map(intent, units)))
        for unit in units:
            yield from self._place(unit)

    def _place(self, unit: LogicUnit) -> Plan[None]:
        if len(self._groups[unit.id]) > 1:
            return
        hits: list[Hit] = yield SearchAlike(intent(unit), CANDIDATES)
        for other in (yield from self._similar(unit, hits)):
            group: list[LogicUnit] = yield from self._group(other)
            if unit.document_id in {member.document_id for member in group}:
                continue
            if (yield from self._decide(unit, other)):
                group.append(unit)
                self._groups[unit.id] = group
                return

    def result(self) -> Plan[Twinned]:
        """Each unit with its twins as they are now, where they were others."""
        changed: list[LogicUnit] = []
        merges: list[MergeReport] = []
        for group in {id(group): group for group in self._groups.values()}.values():
            members = sorted(group, key=lambda unit: unit.document_id)
            all_of_them = [Twin(unit.document_id, unit.id) for unit in members]
            now = [
                unit.model_copy(update={"twins": tuple(twin for twin in all_of_them if twin.unit_id != unit.id)})
                for unit in members
            ]
            others = [unit for unit, before in zip(now, members, strict=True) if unit.twins != before.twins]
            changed += others
            if others and len(now) > 1:
                whole: LogicUnit = yield from twins.extended(now[0], now[1:])
                merges.append(_reported(whole, now, TWINS))
        return Twinned(units=tuple(changed), merges=tuple(merges))

    def _group(self, unit: LogicUnit) -> Plan[list[LogicUnit]]:
        """A unit with its twins that are still in the store."""
        if unit.id not in self._groups:
            recorded: list[LogicUnit] = yield from twins.read(unit)
            group = [unit, *recorded]
            self._groups |= {member.id: group for member in group}
        return self._groups[unit.id]

    def _similar(self, unit: LogicUnit, hits: Sequence[Hit]) -> Plan[list[LogicUnit]]:
        """The units of other documents among those that were found that are similar and say nothing else."""
        others: list[LogicUnit] = []
        for hit in hits:
            if hit.document_id != unit.document_id:
                units: tuple[LogicUnit, ...] = yield from self.read(hit.document_id)
                found = (one for one in units if one.id == hit.unit_id)
                others += [other for other in found if _are_near(unit, other) and _agree(unit, other)]
        vectors = yield Embed((intent(unit), *map(intent, others)))
        return [other for other, vector in zip(others, vectors[1:], strict=True) if float(vectors[0] @ vector) >= ALIKE]


def _are_near(one: LogicUnit, other: LogicUnit) -> bool:
    shorter, longer = sorted((len(one.body), len(other.body)))
    if one.type != other.type or shorter < NEAR * longer:
        return False
    ours, theirs = _shingles(one.body), _shingles(other.body)
    return len(ours & theirs) >= NEAR * len(ours | theirs)


@lru_cache(maxsize=1024)
def _shingles(text: str) -> frozenset[tuple[str, ...]]:
    said = words(text)
    return frozenset(said[at : at + SHINGLE] for at in range(max(1, len(said) - SHINGLE + 1)))


def _agree(one: LogicUnit, other: LogicUnit) -> bool:
    """Whether what no likeness outweighs is the same: for whom, and numbers, names, code and denials."""
    gates, theirs = (set(filter(decidable, unit.prerequisites)) for unit in (one, other))
    ours, heading_of_other = heading(one), heading(other)
    apart = is_for_others(ours, Known(said=(heading_of_other,))) or is_for_others(heading_of_other, Known(said=(ours,)))
    return (
        gates == theirs
        and not apart
        and _numbers(ours) == _numbers(heading_of_other)
        and exact(one.body) == exact(other.body)
    )


def _numbers(text: str) -> set[str]:
    return {word for word in text.split() if any(map(str.isdigit, word))}
