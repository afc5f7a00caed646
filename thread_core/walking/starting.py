"""Where a walk enters the documents: by a question, by the guide that was chosen, or by what a model selected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from thread_core import branching
from thread_core.layout import leads_inside
from thread_core.models import LogicUnit, LogicUnitType
from thread_core.places import first_step
from thread_core.plan import Plan
from thread_core.retrieval import named_cases, prerequisites
from thread_core.retrieval import retrieve as retrieval
from thread_core.retrieval.retrieve import Entry
from thread_core.text.words import content_words
from thread_core.walking import ahead, asides, matching
from thread_core.walking.guide import ChooseEntry, Chosen
from thread_core.walking.moving import NEAREST, WHICH_IS_IT, ask, ask_prerequisite, follow, offer, say, visit
from thread_core.walking.observing import MARGIN
from thread_core.walking.showing import Remark, units_of
from thread_core.walking.states import Status
from thread_core.walking.trail import Asked, Lead, Passage, Pending, Position, SessionState
from thread_core.walking.ways import Candidate

CANDIDATES = 2
"""Documents that a question leads to: the best one, and the next when that has ended."""
UNKNOWN = "Nothing in this store fits the question. Try other words, or name the product, the alert or the error."
ABOUT = 0.25
"""What a trouble is worth by meaning and words from which on a question is about it; what is not reached 0.23."""
SEVERAL = "Several guides are about that. First: {}. After it: {}."


def start(state: SessionState, question: str) -> Plan[SessionState]:
    """Where a question enters the documents."""
    state = state.but(question=question, said=state.said or (question,))
    chosen: Chosen | None = yield ChooseEntry(question, state.known)
    if chosen is not None:
        return (yield from enter(state, chosen))
    facts = prerequisites.Known(said=state.said)
    entries: list[Entry] = yield from retrieval.find_entries(question, max(CANDIDATES, NEAREST), facts)
    if not retrieval.fit(entries):
        return offer(state, entries, UNKNOWN)
    first, *others = [entry for entry in entries if retrieval.fit([entry])][:CANDIDATES]
    state = state.but(documents=tuple(entry.unit.document_id for entry in others))
    if asked := (yield from _several(question)):
        first, *more = asked
        state = state.but(asides=tuple(entry.unit.document_id for entry in more))
        titles = ", ".join(entry.unit.title for entry in more)
        yield Remark(SEVERAL.format(first.unit.title, titles))
    return (yield from enter_guide(state, question, first))


def enter_guide(state: SessionState, question: str, entry: Entry) -> Plan[SessionState]:
    """Where a question enters a guide that is about it: at the case that it names already, else at the entry."""
    state = state.but(question=question)
    begun = _begun(entry, state)
    if (led := (yield from _to_case(state, begun, entry.document))) is not None:
        return led
    return (yield from _enter_at(state, begun, entry.document, Lead("it fits the question best")))


def _several(question: str) -> Plan[list[Entry]]:
    """Where each of several things that are asked about at once enters its guide; none where it is one."""
    found: dict[str, Entry] = {}
    parts = asides.several(question, asides.AND_MY)
    for part in parts if len(parts) > 1 else ():
        entry = yield from asides.named_elsewhere(part)
        if entry is not None:
            found.setdefault(entry.unit.document_id, entry)
    return list(found.values()) if len(found) > 1 else []


def _to_case(state: SessionState, begun: LogicUnit, units: Sequence[LogicUnit]) -> Plan[SessionState | None]:
    """Where the case leads that the question names already; to the case where it says itself what to do.

    None where no case is named. One that ends the walk is read first.
    """
    case = named_cases.named(state.question, [begun])
    link = case[1] if case is not None else None
    if link is None or link.evidence is None:
        return None
    lead = Lead(f'"{state.question}" names: {link.condition}', link.condition)
    if link.action.ends or leads_inside(begun, link):
        return (yield from visit(state, begun, link.evidence.start, units, lead))
    quoted = Passage.of(begun, link.evidence.start, link.evidence.end)
    return (yield from follow(state, begun, link, units, lead._replace(quoted=quoted)))


def _begun(entry: Entry, state: SessionState) -> LogicUnit:
    """Where a guide is begun: where no step of it is for the person, at the first, so that they are told why."""
    steps = [unit for unit in entry.document if unit.type == LogicUnitType.STEP]
    return steps[0] if steps and all(ahead.ruled_out(unit, state) for unit in steps) else entry.unit


def _enter_at(state: SessionState, begun: LogicUnit, units: Sequence[LogicUnit], lead: Lead) -> Plan[SessionState]:
    """At a unit; of a guide with a section for each trouble, at the one that is meant, and else it is asked which."""
    troubles = branching.troubles_at(begun, units)
    open_to = {name: unit for name, unit in troubles.items() if not ahead.ruled_out(unit, state)}
    if len(open_to) > 1 and not ahead.ruled_out(begun, state):
        meant = yield from _meant(state.question, open_to, units)
        if meant is None and begun in troubles.values():
            if (first := _before(begun, units, state)) is not None:
                return (yield from visit(state, first, first.start, units, lead))
            asked = Pending(kind=Asked.OUTCOME, question=WHICH_IS_IT, at=Position.of(begun, begun.start, lead))
            return ask(state, asked)
        begun = meant or begun
    return (yield from visit(state, begun, begun.start, units, lead))


def _before(begun: LogicUnit, units: Sequence[LogicUnit], state: SessionState) -> LogicUnit | None:
    """What is to be done before any trouble beside one, which may tell which of them it is; None where nothing is."""
    branches = branching.Branches.of(units)
    above = (branches.trouble(begun) or begun.section)[:-1]
    beside = [unit for unit in units if unit.section[: len(above)] == above and unit.type == LogicUnitType.STEP]
    left = (unit for unit in beside if unit.section not in branches.resorts and not ahead.ruled_out(unit, state))
    first = next(left, None)
    return first if first is not None and branches.trouble(first) is None else None


def _meant(question: str, troubles: Mapping[str, LogicUnit], units: Sequence[LogicUnit]) -> Plan[LogicUnit | None]:
    """Where the trouble is dealt with that a question is about; None where it may be about another one as well.

    What the guide is called is left out of the question: it says nothing of which of them it is.
    """
    named = content_words(units[0].title)
    own = " ".join(word for word in question.split() if not content_words(word) or content_words(word) - named)
    if not content_words(own):
        return None
    said = {
        name: "\n".join((name, *(one.body for one in units if one.section == unit.section)))
        for name, unit in troubles.items()
    }
    choices = [Candidate(unit, unit.start, unit.start, name, said[name], 1) for name, unit in troubles.items()]
    best, second, *_ = yield from matching.rank(own, choices)
    is_clear = best.likeness >= ABOUT and best.score >= second.score + MARGIN
    return best.candidate.unit if is_clear else None


def restart(state: SessionState) -> Plan[SessionState]:
    """The same question, with what was learned about the person's surroundings."""
    anew = _anew(state).but(confirmed=state.confirmed, denied=state.denied)
    return (yield from start(anew, state.question))


def start_again(state: SessionState, question: str, said: tuple[str, ...] = ()) -> Plan[SessionState]:
    """Another question in the same walk; nothing that was walked or confirmed counts any more."""
    return (yield from start(_anew(state).but(said=said), question))


def _anew(state: SessionState) -> SessionState:
    """The walk before its first step; what was run in it stays known."""
    return SessionState(id=state.id, turn=state.turn, began=state.began, policy=state.policy, ran=state.ran)


def asked_anew(state: SessionState, text: str) -> Plan[SessionState]:
    """Where words lead before any step: with the question so far, and without it where nothing fits it so well."""
    question = f"{state.question} {text}".strip()
    if state.status is Status.UNKNOWN and state.question:
        alone: list[Entry] = yield from retrieval.find_entries(text)
        both: list[Entry] = yield from retrieval.find_entries(question)
        nearest = (max((entry.related for entry in entries), default=0.0) for entries in (alone, both))
        question = text if retrieval.fit(alone) and next(nearest) >= next(nearest) else question
    return (yield from start_again(state, question, (*state.said, text)))


def enter(state: SessionState, chosen: Chosen) -> Plan[SessionState]:
    """Begin at the first unit that a model chose, or with what it wants to know before."""
    selection = chosen.selection
    if not selection.units:
        return offer(state, chosen.entries, UNKNOWN)
    first, *others = chosen.entries
    met = tuple(text for text in selection.met if prerequisites.decidable(text))
    entered = state.but(
        documents=tuple(dict.fromkeys(entry.unit.document_id for entry in others)),
        confirmed=tuple(dict.fromkeys((*state.confirmed, *met))),
    )
    lead = Lead("the model chose it for the question")
    for one in selection.open:
        if one.unit_id == first.unit.id:
            question = f"{one.question} (What must hold: {one.prerequisite})"
            return ask_prerequisite(
                entered, Position.of(first.unit, first.unit.start, lead), one.prerequisite, question
            )
    return (yield from visit(entered, first.unit, first.unit.start, first.document, lead))


def begin(state: SessionState, document_id: str) -> Plan[SessionState]:
    """At the first step of a guide that was chosen."""
    units = yield from units_of(document_id)
    first = first_step(units)
    if first is None:
        return say(state, "That guide is no longer in the store.", Status.UNKNOWN)
    return (yield from _enter_at(state, first, units, Lead(f"you chose {first.title}")))
