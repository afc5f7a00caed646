"""What an executor did and saw -> where that leads: to the only outcome that it bears out, by what the guide quotes.

A program's output is no person's report: nobody reads it before the walk goes on. So it counts where a whole line of it
is, to the letter, what one outcome quotes ("primary: none" too, where that is all), and no other outcome's words are
seen. "not synced" is no `synced`.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from thread_core.documents.leaning import OPPOSITE
from thread_core.errors import IllegalStep
from thread_core.models import LogicUnit
from thread_core.plan import Plan
from thread_core.text.denials import is_denial
from thread_core.walk.decider import ChooseWay
from thread_core.walk.execution import CARRIED_OUT, Action, Outcome, OutcomeKind
from thread_core.walk.navigation import go_on, take
from thread_core.walk.options import Case, Screen
from thread_core.walk.positions import screen_shown, unit_at
from thread_core.walk.querying import Next
from thread_core.walk.questions import ask
from thread_core.walk.rendering import Ran
from thread_core.walk.state import RUN, Act, Asked, Choice, SessionState

_QUOTED = re.compile(r"(?P<marks>`+)(?P<code>.+?)(?P=marks)|[\"“](?P<said>[^\"“”]+)[\"”]")
_TELLING = frozenset(
    "a an the it its that this there is are was if when in case of or you see get gets answer answers answered output"
    " outputs result results status state response responds reply replies message line value word text code command"
    " http print prints printed say says said show shows shown read reads return returns returned report reports"
    " display displays give gives contain contains stays remains becomes".split()
)
"""What a condition may say beside what it quotes, and beside the words of the step's header: that it is so."""
_LIMITING = frozenset(
    "other than but except more less fewer most least above below over under before after until unless instead without"
    " only last".split()
)
"""What it may not say even in the words of the header; nor may it deny."""
_VALUE = re.compile(r"[\w .-]+[:=]\s*(?P<value>\S.*)")
"""A line that names what it tells: "primary: none"."""


def executed(
    state: SessionState, action: Action | None, outcome: Outcome | None, *, is_edited: bool
) -> Plan[tuple[SessionState, tuple[Ran, ...]]]:
    """Take in what came of an action: on by itself where that is clear, else the step is the person's.

    Raises:
        IllegalStep: nothing was due.
    """
    if outcome is None or action is None:
        raise IllegalStep("take an outcome in", state.status, "ask `due` for an action first, and pass its outcome")
    ran = Ran(header=action.header, commands=action.commands, outcome=outcome)
    said = (ran,) if outcome.text or outcome.kind is not OutcomeKind.HANDED else ()
    if outcome.kind in CARRIED_OUT:
        state = state.replace(ran=tuple(dict.fromkeys((*state.ran, *action.digests))))
    if is_edited:
        return state.replace(handed="the guide has been edited"), said
    if outcome.kind is OutcomeKind.APPROVAL:
        asked = (Choice(label="Run it", act=Act.RUN), Choice(label="I do it myself", act=Act.MYSELF))
        return ask(state, Asked.APPROVAL, "", asked, about=action.digest), said
    if outcome.kind is not OutcomeKind.OBSERVED:
        return state.replace(handed=outcome.kind.value, approved=""), said
    vouched = (text for text in action.needs if action.is_approved)
    done = state.replace(approved="", confirmed=(*state.confirmed, *vouched))
    if action.commands and not action.complete:
        return done.replace(handed="the step has more to do than what was run"), said
    return (yield from _observed(done, outcome.text)), said


def _observed(state: SessionState, text: str) -> Plan[SessionState]:
    """Where what an executor saw leads: on where nothing is to be decided, along the only option that quotes it."""
    current, units = yield from unit_at(state.trail[-1])
    if current is None:
        return state.replace(handed="the step is no longer in the store")
    at = screen_shown(state.trail[-1], current)
    told = state.with_outcome(RUN)
    if not at.cases:
        return (yield from go_on(told, RUN))
    choice, is_guess = _option(at, text), False
    if choice is None:
        found: Next | None = yield ChooseWay(text, at, units, state.question, state.known)
        choice, is_guess = found.way.choice if found is not None and found.way is not None else None, True
    if choice is not None:
        why = f"the output has: {choice.condition}"
        why = "the model chose it by the output" if is_guess else why
        if (went := (yield from take(told, choice, why, is_guess=is_guess))) is not None:
            return went
    return state.replace(handed="the output fits no outcome clearly")


def _option(at: Screen, seen: str) -> Choice | None:
    """Find the option that an output bears out; None where that is a person's to say, or a model's."""
    lines = [line.strip() for line in seen.splitlines() if line.strip()]
    if len(lines) == 1 and (named := _VALUE.fullmatch(lines[0])):
        lines.append(named["value"])
    quoted = [(case, _quoted(case, at.unit)) for case in at.cases]
    borne_out = [(case, tokens) for case, tokens in quoted if tokens.intersection(lines)]
    if len(borne_out) != 1:
        return None
    [(case, own)] = borne_out
    others = {token for _, tokens in quoted for token in tokens if tokens is not own}
    if any(_stands_in(token, line) for token in others for line in lines if line not in own):
        return None
    if not _only_tells(case.link.condition, own, at.unit.header):
        return None
    same = (choice for choice in at.choices if (choice.condition, choice.first) == (case.link.condition, case.first))
    return next(same, None)


def _quoted(case: Case, unit: LogicUnit) -> frozenset[str]:
    """What the lines that state a case set in backticks or quotation marks, as far as its condition says it."""
    evidence = case.link.evidence
    first = unit.line_in_body(evidence.start) if evidence is not None else None
    if evidence is None or first is None or case.link.condition.startswith(OPPOSITE):
        return frozenset()
    text = " ".join(unit.text_of(first, first + evidence.end - evidence.start).split())
    tokens = ((match["code"] or match["said"]).strip() for match in _QUOTED.finditer(text))
    return frozenset(token for token in tokens if token and _stands_in(token, case.link.condition))


def _only_tells(condition: str, tokens: Collection[str], header: str) -> bool:
    """Whether a condition says no more than that what it quotes is seen, of what the header names."""
    rest = condition
    for token in sorted(tokens, key=len, reverse=True):
        rest = rest.replace(token, " ")
    beside = _words(rest) - _TELLING
    return beside <= _words(header) - _LIMITING and not any(map(is_denial, beside))


def _words(text: str) -> set[str]:
    return set(re.findall(r"[\w'’]+", text.casefold()))


def _stands_in(token: str, text: str) -> bool:
    """Whether a token stands in a text as a whole: `synced` is not in "unsynced"."""
    return re.search(rf"(?<!\w){re.escape(token)}(?!\w)", text) is not None
