"""How far a person has come in the procedure on the screen: "tap is closed and it's unplugged", "step 2 is done".

Who walks through steps says of each that it was done, in the words in which the step tells to do it. That is no
outcome: nothing is looked for elsewhere, and what comes next is what stands below.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from thread_core.models import LogicUnit, LogicUnitType
from thread_core.text import sentences
from thread_core.text.denials import denies, in_trouble
from thread_core.text.words import content_words
from thread_core.walking import ways
from thread_core.walking.endings import sounds_unsolved
from thread_core.walking.trail import SessionState

_STEPS = re.compile(r"\bsteps? (?:\d{1,2}\s*(?:-|–|to|through|and|,)\s*)?(?P<last>\d{1,2})\b", re.IGNORECASE)
_LIGHT = content_words(
    """
    yes yeah ok okay well so now then already again back too both once twice step steps done finished completed took
    take taken put went gone go come came found find see i've it's good right still off on in out all
    """
)
"""Words that say that something was done, or how it is now, and not what it is."""


class Reached(NamedTuple):
    """What comes below a step that was done."""

    unit: LogicUnit
    """The unit of that step."""
    below: tuple[LogicUnit, int] | None
    """The unit on the screen and the line at which the next step stands; None where it is another screen's."""


def reached(said: str, state: SessionState, current: LogicUnit, units: Sequence[LogicUnit]) -> Reached | None:
    """How far a person has come who says what they did of the steps on the screen, or of those after them.

    It is said in plain words. None where anything else is said, something is denied or asked, or no step tells to do
    all that is named.
    """
    if "?" in said or denies(said) or in_trouble(said) or sounds_unsolved(said):
        return None
    counted = _STEPS.search(said)
    words = content_words(_STEPS.sub(" ", said)) - _LIGHT
    steps = list(_steps(state, current, units))
    shown = {position.unit_id for position in state.shown}
    for at, step in enumerate(steps):
        if words:
            is_done = len(words) > (step.unit.id not in shown) and words <= content_words(step.text)
        else:
            is_done = counted is not None and ways.number_of(step.text) == int(counted["last"])
        if is_done and sentences.instructs(ways.words_of(step.text)):
            following = next((one for one in steps[at + 1 :] if one.unit.id in {*shown, step.unit.id}), None)
            return Reached(step.unit, (following.unit, following.line) if following else None)
    return None


class _Step(NamedTuple):
    """A passage of the procedure."""

    unit: LogicUnit
    line: int
    text: str


def _steps(state: SessionState, current: LogicUnit, units: Sequence[LogicUnit]) -> Iterator[_Step]:
    """The passages from the screen on, to the end of its section."""
    lines = {position.unit_id: position.line for position in state.shown}
    for unit in units:
        is_ahead = unit.position > current.position and unit.section == current.section
        if unit.type == LogicUnitType.STEP and (unit.id in lines or is_ahead):
            passages = ways.passages(unit)
            yield from (_Step(unit, line, text) for line, _, text in passages if line >= lines.get(unit.id, 0))
