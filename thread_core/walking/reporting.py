"""What a person says of the step at hand -> where the walk goes.

A report is matched with the conditions and passages around the current step. Where none of them is meant, it is asked
again with the options, then headers are searched, then it is said that nothing fits.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from thread_core.models import LogicUnit, LogicUnitType
from thread_core.places import place_in
from thread_core.plan import Plan
from thread_core.retrieval import retrieve as retrieval
from thread_core.retrieval.retrieve import Entry
from thread_core.text import cases, contrast, directions, opposites, tense
from thread_core.text.denials import denies, without_denials
from thread_core.text.platforms import platforms_in
from thread_core.text.versions import mentioned
from thread_core.text.words import content_words
from thread_core.walking import ahead, concluding, matching, moves, progress, showing, trail, turns, ways, weighing
from thread_core.walking.endings import (
    is_no_complaint,
    is_nothing_new,
    may_be_solved,
    sounds_solved,
    sounds_unsolved,
)
from thread_core.walking.guide import ChooseWay
from thread_core.walking.heard import Report
from thread_core.walking.matching import Match
from thread_core.walking.moving import LAST_WORDS, NEAREST, ask, calling, go, go_on, offer, say, visit
from thread_core.walking.observing import CLEAR, admitted, clear, uncontradicted
from thread_core.walking.querying import Next
from thread_core.walking.replies import answer, as_corrected, corrects, is_bare, is_unsure, puts_off, refuses
from thread_core.walking.showing import Remark
from thread_core.walking.solving import (
    SURE,
    WEAK,
    ended,
    ends_otherwise,
    is_not_reached,
    is_told_of,
    states,
    whether_solved,
)
from thread_core.walking.spelling import plain
from thread_core.walking.states import ENDED
from thread_core.walking.trail import Asked, Lead, Pending, SessionState
from thread_core.walking.ways import Candidate

UNFIT = 0.2
"""Scores below this say that no passage here is meant: above, one here is right more often than a header elsewhere."""
UNLIKE = 0.1
"""What a way is worth by meaning and words from which on a report without a word in common has to do with it, and from
which on it leads to a section that is not on the screen. Higher, it is asked about much that is right."""
WILL = content_words("want wish like intend going willing refuse rather thanks way then")
"""Words of who will not do something, beside what that is."""
UNSURE = 0.5
"""Outcome scores below this may mean that the next step is due."""
CLOSE = 0.2
"""Other ways on that fit nearly as well, by this much, are shown below the first."""
WHICH = "I cannot tell which of these you mean:"
ELSE = "I cannot tell where that leads. Say it in other words, or say next."
AGAIN = "I cannot tell what you mean by that. Choose one of these, or say what you see:"
LEAVE = "I cannot tell whether that is a yes, and nothing was run. Say yes or no, or what you see:"
LOOK = "Then look at the step once more. Choose what fits or say what you see; say next to go on anyway, or give up."
DO = "Then do what the step says as far as you can, and say what you see; say next to go on anyway, or give up."
NOTHING = "Nothing in these guides says where that leads. Say next to go on, or hand it over."


def report(state: SessionState, text: str, current: LogicUnit, units: Sequence[LogicUnit]) -> Plan[SessionState]:
    """Match what the person saw with the ways on; ask where two are equally near.

    Where what they say does not tell of now, or of a failure where an amount is asked for, what it leads to is a guess.
    """
    reached = yield from _reported(state, text, current, units)
    waiting = reached.pending.at if reached.pending is not None else None
    led = next((step for step in (*reached.trail[len(state.trail) :], waiting) if step is not None), None)
    if led is None:
        return reached
    said = plain(text)
    is_sure = concluding.is_of_now(said, led.condition) and not concluding.measures_trouble(said, led.condition)
    return reached if is_sure else trail.guessed(reached, len(state.trail))


def is_in_doubt(before: SessionState, reached: SessionState) -> bool:
    """Whether it is asked what a report means, or what it leads to is a guess."""
    if reached.asks(Asked.OUTCOME):
        return reached.pending is not None and reached.pending.question in (WHICH, ELSE)
    return any(position.is_guess for position in reached.trail[len(before.trail) :])


def _reported(state: SessionState, text: str, current: LogicUnit, units: Sequence[LogicUnit]) -> Plan[SessionState]:
    said, about = as_corrected(plain(text)), ". ".join((state.question, current.title, *current.section[-1:]))
    told = state.telling(text, said=text)
    was_ruled_out = ahead.ruled_out(current, state)
    if not was_ruled_out and ahead.ruled_out(current, told) and (meant := meant_by(said, current, units)) is not None:
        lead = Lead(f'"{text}" rules out the step before, and is what this one is for')
        return (yield from visit(told, meant, meant.start, units, lead))
    choices = admitted(current, units, told, was_ruled_out)
    choices = _left_to_try(choices, current, units) if sounds_unsolved(said, about) else choices
    heard = Report(text, said, about, state, told, current, units, choices)
    ranked = yield from matching.rank(said, choices, about)
    now = tense.of_now(said)
    if ranked and now != said and matching.contradicts(now, ranked[0].candidate):
        ranked = yield from matching.rank(now, choices, about)
    return (yield from _by_model(heard, ranked)) or (yield from _by_words(heard, ranked))


def _by_model(heard: Report, ranked: Sequence[Match]) -> Plan[SessionState | None]:
    """Where a model says that it leads; None where there is none, or where it was asked again and does not know."""
    ways_on = [match.candidate for match in ranked]
    before = heard.before
    found: Next | None = yield ChooseWay(heard.text, heard.current, ways_on, before.question, before.known)
    if found is None:
        return None
    led = yield from _led(heard, found)
    return led if led is not None or heard.is_again else (yield from unclear(before, heard.text))


def _by_words(heard: Report, ranked: Sequence[Match]) -> Plan[SessionState]:
    """Where it leads by what it says and is most like, and not beside a branch that was chosen and not taken back."""
    if not corrects(heard.text):
        beside = ahead.beside_chosen(heard.current, heard.units, heard.told)
        ranked = [match for match in ranked if not _is_beside(match.candidate, heard, beside)]
        ranked = [match for match in ranked if match.score >= SURE or not _is_for_another(match.candidate, heard)]
    fitting = [match for match in ranked if not ends_otherwise(match.candidate, heard.said, heard.about)]
    if fitting[:1] != ranked[:1] and not heard.is_solved:
        meant = ranked[0].candidate
        below = (yield from _below(heard, meant)) if is_not_reached(heard, meant) else None
        if below is not None or not heard.is_again:
            return below or (yield from unclear(heard.before, heard.text))
    reached = (
        (yield from _of_nothing_seen(heard))
        or (yield from _by_answer(heard, fitting))
        or (yield from _of_what_was_done(heard, fitting))
        or (yield from _most_like(heard, fitting))
    )
    asked = reached.pending.question if reached.pending is not None and heard.is_for_one_trouble else ""
    is_good = (asked == ELSE and is_no_complaint(heard.said)) or (asked == WHICH and may_be_solved(heard.said))
    return whether_solved(heard) if is_good else reached


def _is_beside(way: Candidate, heard: Report, beside: Collection[str]) -> bool:
    """Whether a way is in one of the units that are ruled out, or leads to one and its condition is not named."""
    target = way.link.target if way.link is not None else None
    if way.unit.id in beside or way.distance == 0 or target is None or target.document:
        return way.unit.id in beside
    goal = place_in(target, heard.units)
    is_named = not content_words(heard.said).isdisjoint(content_words(way.condition))
    return goal is not None and goal.id in beside and not is_named


def _is_for_another(way: Candidate, heard: Report) -> bool:
    """Whether a way is for another trouble than the one at hand."""
    return way.distance != 0 and heard.is_for_one_trouble and heard.branches.passes(heard.current, way.unit)


def _of_nothing_seen(heard: Report) -> Plan[SessionState | None]:
    """What is asked of who has not done it, does not know, says no twice, or has no news after the end; else None."""
    state = heard.before
    relapsed = state.status in ENDED and is_nothing_new(heard.said)
    here = [way for way in heard.choices if way.distance == 0]
    none_of_them = heard.is_again and is_bare(heard.said) and answer(heard.said) is False
    says_none = (relapsed or none_of_them or is_unsure(heard.said)) and not matching.agrees(heard.said, here)
    if not (says_none or _is_refused(heard) or puts_off(heard.said)):
        return None
    if _is_put_again(state):
        return (yield from unclear(state, heard.text))
    question = LOOK if turns.offered(heard.current) else DO
    return ask(state, Pending(kind=Asked.OUTCOME, question=question, about=heard.text))


def _is_refused(heard: Report) -> bool:
    """Whether they will not do something of which no condition speaks: that is no outcome."""
    words = content_words(without_denials(heard.said)) - WILL
    return refuses(heard.said) and all(words.isdisjoint(content_words(way.condition)) for way in heard.choices)


def _by_answer(heard: Report, ranked: Sequence[Match]) -> Plan[SessionState | None]:
    """Where a yes, a no or a code leads that is not listed; None where it is none of them."""
    text, units = heard.text, heard.units
    asked = matching.answered(heard.said, heard.choices)
    if asked is not None and not (ranked and ranked[0].score >= SURE):
        return (yield from go(heard.told, asked, units, f'"{text}" answers: {asked.condition}'))
    if (other := _other_answer(heard.said, heard.current, units)) is not None:
        return (yield from visit(heard.told, other, other.start, units, Lead(f'"{text}" is the other answer')))
    if (headed := matching.headed_by_code(heard.said, heard.current, units)) is not None and not (
        denies(heard.said) or ahead.ruled_out(headed, heard.told)
    ):
        lead = Lead(f'"{text}" names a code that the heading of this section does')
        return (yield from visit(heard.told, headed, headed.start, units, lead))
    if (rest := matching.left_over(heard.said, heard.choices)) is not None:
        return (yield from go(heard.told, rest, units, f'nothing else names what "{text}" does'))
    return None


def _of_what_was_done(heard: Report, ranked: Sequence[Match]) -> Plan[SessionState | None]:
    """What comes below what they say that they did; None where they may tell of what came of it."""
    words = content_words(heard.said)
    if heard.is_solved and heard.names_the_question:
        return None
    best = ranked[0].candidate if ranked else None
    if best is not None and best.distance == 0 and best.link is not None and words & content_words(best.condition):
        return None
    why = f'"{heard.text}" is done'
    reached = progress.reached(heard.said, heard.before, heard.current, heard.units)
    if reached is None:
        is_done = moves.says_it_is_done(heard.said)
        return (yield from go_on(heard.told, heard.current, heard.units, why, is_guess=True)) if is_done else None
    if reached.below is None:
        return (yield from go_on(heard.told, reached.unit, heard.units, why, is_guess=True))
    unit, line = reached.below
    lead = Lead(why, within=unit.id == heard.current.id, is_guess=True)
    return (yield from visit(heard.told, unit, line, heard.units, lead))


def _most_like(heard: Report, ranked: Sequence[Match]) -> Plan[SessionState]:
    """Where the way leads that it is most like, behind what comes before any way; asked where that is doubtful."""
    said, is_opposed = heard.said, bool(ranked) and matching.contradicts(heard.said, ranked[0].candidate)
    if is_opposed:
        ranked = sorted(uncontradicted(said, ranked), key=lambda match: not _is_agreed(said, said, match))
    for reading in (ended, _not_approved, _of_the_opposite, _of_one_trouble):
        if (reached := (yield from reading(heard, ranked))) is not None:
            return reached
    if not ranked:
        return (yield from go_on(heard.told, heard.current, heard.units, "nothing else is said about that"))
    best = ranked[0]
    is_doubtful = is_opposed and not _is_agreed(said, said, best)
    if not heard.is_again and (is_doubtful or _is_to_be_asked(best, heard)):
        return (yield from unclear(heard.before, heard.text))
    if heard.is_again and best.score < UNFIT and not is_bare(said):
        return (yield from _searched(heard))
    return (yield from _after_it(heard, best.candidate)) or (yield from _along(heard, ranked))


def _not_approved(heard: Report, ranked: Sequence[Match]) -> Plan[SessionState | None]:
    """The question whether to run something, put again where nothing clear was seen instead; None elsewhere."""
    if not heard.before.asks(Asked.APPROVAL) or clear(ranked) is not None:
        return None
    return (yield from unclear(heard.before, heard.text))


def _of_the_opposite(heard: Report, ranked: Sequence[Match]) -> Plan[SessionState | None]:
    """What comes below the one way of which they say the opposite and nothing else; None where another is for that."""
    denied = None if is_bare(heard.said) else matching.denied_alone(heard.said, heard.choices)
    if denied is None or (ranked and _is_agreed(denied.condition, heard.said, ranked[0])):
        return None
    why = f'"{heard.text}" is the opposite of: {denied.condition}'
    below = yield from _below(heard, denied)
    return below or (yield from go_on(heard.told, heard.current, heard.units, why, is_guess=True))


def _of_one_trouble(heard: Report, ranked: Sequence[Match]) -> Plan[SessionState | None]:
    """Whether it is solved, of who says in the section for one trouble that something is so now that was not."""
    yield from ()
    may_be = heard.is_for_one_trouble and not heard.is_again and may_be_solved(heard.said)
    return whether_solved(heard) if may_be and not is_told_of(ranked[0] if ranked else None, heard) else None


def _along(heard: Report, ranked: Sequence[Match]) -> Plan[SessionState]:
    """Along the likeliest way."""
    best = ranked[0]
    choice = ways.as_chosen(best.candidate) if best.score >= SURE else best.candidate
    why = f'"{heard.text}" fits: {choice.condition or choice.unit.header}'
    is_guess = _is_guess(best, heard.said)
    return (yield from go(heard.told, choice, heard.units, why, _others(heard, ranked), is_guess=is_guess))


def _is_guess(best: Match, text: str) -> bool:
    """Whether what was said may well mean another way: the best fits badly, or one of the two denies something."""
    way = best.candidate
    return best.score < CLEAR or is_bare(text) or denies(text) != denies(way.condition)


def _after_it(heard: Report, way: Candidate) -> Plan[SessionState | None]:
    """Where it goes on when what the step says to do in a case was done, and that is still the case.

    None where it is not said to remain, or where the way was not the one that has led to what is on the screen.
    """
    here = heard.before.trail[-1]
    led_here = way.link is not None and (way.unit.id, way.condition) == (here.unit_id, here.condition)
    if not led_here or not sounds_unsolved(heard.said):
        return None
    words = content_words(heard.said)
    later = heard.choices[heard.choices.index(way) + 1 :]
    same = [one for one in later if one.unit.id == way.unit.id and one.end == way.end and one.link is not None]
    again = (one for one in same if words & content_words(one.condition) and states(heard.said, one) >= 0)
    if (still := next(again, None)) is not None:
        return (yield from go(heard.told, still, heard.units, f'"{heard.text}" fits: {still.condition}'))
    return (yield from _below(heard, way))


def _below(heard: Report, way: Candidate) -> Plan[SessionState | None]:
    """The rest of the step at hand below a way that is not the case, without passages for the opposite of what is said.

    None where nothing is left of it.
    """
    current = heard.current
    seen = max(way.end, heard.told.trail[-1].line)
    opposed = (one for one in current.links if contrast.agreement(heard.said, one.condition).sign < 0)
    passed = {one.evidence.start for one in opposed if one.evidence}
    left = (line for line, end, _ in ways.passages(current) if line > seen and passed.isdisjoint(range(line, end + 1)))
    below = None if heard.told.ended else next(left, None)
    if below is None:
        return None
    lead = Lead(f'"{heard.text}" is not: {way.condition}', within=True)
    return (yield from visit(heard.told, current, below, heard.units, lead))


def _is_to_be_asked(best: Match, heard: Report) -> bool:
    """Whether it is asked what a report means: where options fit badly, and where it has to do with no way on.

    A way that ends the walk has to fit well, and so has another section. No number may be in question or be that of a
    failure, and no word that its condition quotes be doubted. That all is as it was has to do with any step, and so has
    which platform or version somebody has.
    """
    text, choices, offered = heard.said, heard.choices, bool(turns.offered(heard.current))
    link = best.candidate.link
    ends = link is not None and link.action.ends
    if offered and (best.score < (CLEAR if ends else WEAK) or is_bare(text)):
        return True
    condition = best.candidate.condition
    if contrast.is_unread(text, condition) or concluding.measures_trouble(text, condition):
        return True
    if concluding.printed(text, best.candidate) == -1:
        return True
    if _names_only_what_to_do(best.candidate, heard):
        return True
    if best.likeness >= UNLIKE:
        return False
    if _is_elsewhere(best, heard):
        return True
    if sounds_unsolved(text) or any(platforms_in(text)) or any(mentioned(text)):
        return False
    words = content_words(text)
    shared = any(words & content_words(f"{way.condition} {way.passage}") for way in choices)
    return (offered or not shared) and not matching.agrees(text, choices)


def _names_only_what_to_do(way: Candidate, heard: Report) -> bool:
    """Whether words are shared with what is to be done in a case of another step, and none with the case itself.

    Who tells what they did would be led into a case that nobody has seen.
    """
    if way.link is None or not way.link.condition or way.distance == 0 or sounds_unsolved(heard.said):
        return False
    words = content_words(heard.said)
    is_shared = not words.isdisjoint(content_words(way.link.query))
    return is_shared and words.isdisjoint(content_words(way.condition)) and not matching.agrees(heard.said, [way])


def _is_elsewhere(best: Match, heard: Report) -> bool:
    """Whether a way is in a section that is not on the screen, and not for the end or the system that they tell of."""
    way, units = best.candidate, heard.units
    on_screen = {heard.current.id, *(position.unit_id for position in heard.before.shown)}
    if way.unit.section in {unit.section for unit in units if unit.id in on_screen}:
        return False
    if any(platforms_in(heard.said)) or any(part.name in ("in turn", "admitted") for part in best.parts):
        return False
    if heard.is_solved:
        return not sounds_solved(way.condition, None)
    stated = way.link.condition if way.link is not None else ""
    is_next = not turns.offered(heard.current) and way.unit is ahead.after(heard.current, units, heard.told)
    return not (sounds_unsolved(heard.said) and (is_next or (bool(stated) and is_nothing_new(stated))))


def _other_answer(text: str, current: LogicUnit, units: Sequence[LogicUnit]) -> LogicUnit | None:
    """The first step under the answer that was given, where the step at hand stands under the other: "Yes, I do"."""
    *above, taken = cases.case_of(current.section) or ("",)
    said = answer(text) if is_bare(text) else None
    if said is None or answer(taken) is not (not said):
        return None
    beside = (unit for unit in units if list(unit.section[: len(above)]) == above and len(unit.section) > len(above))
    return next((unit for unit in beside if answer(unit.section[len(above)]) is said), None)


def _is_agreed(about: str, text: str, match: Match) -> bool:
    """Whether a report is on the side of a way's condition and fits it at all, and that is about what is spoken of."""
    way = match.candidate
    return match.score >= WEAK and matching.agrees(text, [way]) and opposites.alike(about, way.condition)


def meant_by(text: str, current: LogicUnit, units: Sequence[LogicUnit]) -> LogicUnit | None:
    """The step that is for whom a person says they are, nearest to one that is not: "sorry, it runs Ubuntu"."""
    meant = [unit for unit in units if unit.type == LogicUnitType.STEP and weighing.is_admitted(unit, text)]
    here = current.section

    def shared(unit: LogicUnit) -> int:
        return next((depth for depth in range(len(here), 0, -1) if unit.section[:depth] == here[:depth]), 0)

    return max(meant, key=lambda unit: (shared(unit), -unit.start), default=None)


def unclear(state: SessionState, text: str) -> Plan[SessionState]:
    """Ask again what was meant, with what was offered; a question that is open stays, and is put again."""
    if _is_put_again(state):
        yield Remark(LEAVE if state.asks(Asked.APPROVAL) else AGAIN)
        return state
    offered = yield from showing.options(state)
    return ask(state, Pending(kind=Asked.OUTCOME, question=WHICH if offered else ELSE, about=text))


def _is_put_again(state: SessionState) -> bool:
    """Whether a question is open that waits for a yes or a no of its own, and is not answered by what was seen."""
    return state.asks(Asked.APPROVAL) or state.asks(Asked.LOOP)


def _left_to_try(choices: Sequence[Candidate], current: LogicUnit, units: Sequence[LogicUnit]) -> list[Candidate]:
    """The ways on where nothing has helped: of counted methods the first one first, and none that led to this one."""
    if any(map(directions.is_counted, current.section)):
        return [way for way in choices if way.distance >= 0 or not _leads_to(current, way, units)]
    first = weighing.next_in_turn(choices)
    return [
        *(way for way in choices if first is None or way.distance <= 0),
        *([ways.beginning(first)] if first else []),
    ]


def _leads_to(goal: LogicUnit, way: Candidate, units: Sequence[LogicUnit]) -> bool:
    target = way.link.target if way.link is not None else None
    return target is not None and not target.document and place_in(target, units) is goal


def _led(heard: Report, found: Next) -> Plan[SessionState | None]:
    """Where a model says that a report leads; None where that is nowhere."""
    state, units = heard.told, heard.units
    if found.ended is not None:
        return say(state, LAST_WORDS[found.ended], found.ended)
    taken = f'"{heard.text}" was taken by the model for'
    if found.way is not None:
        return (yield from go(state, found.way, units, f"{taken}: {found.way.condition or found.way.unit.header}"))
    if found.done and not state.asks(Asked.APPROVAL):
        return (yield from go_on(state, heard.current, units, f"{taken}: done"))
    if not found.query:
        return None
    goal, _ = yield from _other_step(state, found.query)
    if goal is None:
        return None
    return (yield from visit(state, goal.unit, goal.unit.start, goal.document, Lead(f"{taken}: {found.query}")))


def _searched(heard: Report) -> Plan[SessionState]:
    """No outcome fits: to the step of any guide whose header does, else say so."""
    state = heard.told
    goal, entries = yield from _other_step(state, heard.text)
    if goal is None:
        return offer(state, entries, NOTHING)
    called = calling(state, heard.current, state.trail[-1].why, goal.unit)
    why = f'"{heard.text}" is no outcome of the step before; its words lead here'
    return (yield from visit(called, goal.unit, goal.unit.start, goal.document, Lead(why, is_guess=True)))


def _other_step(state: SessionState, words: str) -> Plan[tuple[Entry | None, list[Entry]]]:
    """The best entry for some words that was not shown yet, if any fits; and all that were found."""
    entries: list[Entry] = yield from retrieval.find_entries(words, NEAREST, state.known)
    fits = retrieval.fit(entries)
    return next((entry for entry in entries if fits and entry.unit.id not in state.seen), None), entries


def _others(heard: Report, ranked: Sequence[Match]) -> list[Candidate]:
    """What is shown below the best match: what takes it up, the next step where it is unsure, and what fits alike."""
    best, *rest = ranked
    found = []
    if (taken_up := matching.taken_up(best.candidate, heard.choices)) is not None:
        found.append(taken_up)
    upcoming = ahead.after(heard.current, heard.units, heard.told) if best.score < UNSURE else None
    if upcoming is not None and not ahead.ruled_out(upcoming, heard.told):
        found.append(ways.beginning(upcoming))
    return found + [match.candidate for match in rest if match.score >= best.score - CLOSE]
