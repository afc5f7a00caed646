"""What a walk puts on the screen besides steps: questions with their options, and where a task ends, how to go on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from thread_core.answering.cards import purpose
from thread_core.models import LogicUnit, LogicUnitType, Span
from thread_core.plan import Plan
from thread_core.retrieval import retrieve as retrieval
from thread_core.retrieval.retrieve import Entry
from thread_core.walk.labels import clip
from thread_core.walk.options import section_choice, shared_path
from thread_core.walk.positions import ruled_out
from thread_core.walk.state import Act, Asked, Choice, Pending, Position, SessionState
from thread_core.walk.states import Status

LISTED, GUIDES = 5, 3
"""Sections, and other guides, that are offered by name where a task has ended."""
HAND_OVER = Choice(label="Hand it over to somebody who knows more", act=Act.HAND_OVER)
SOLVED = Choice(label="It is solved", act=Act.SOLVED)
NONE = Choice(label="None of these", act=Act.NONE)
YES_NO = (Choice(label="Yes", act=Act.YES), Choice(label="No", act=Act.NO))
ROUND = (Choice(label="Once more", act=Act.AGAIN), Choice(label="Continue with the next step", act=Act.NEXT), HAND_OVER)
LAST_WORDS = {
    Status.RESOLVED: "Good: resolved.",
    Status.ESCALATED: "This guide does not solve it. Hand it over to somebody who knows more, with what you saw.",
}
ENDED = "That was the last step of {}. Is it solved?"
GO_ON = "That was the last step of {}. Continue with {}?"
WHICH = "Which of these applies?"


@dataclass(frozen=True, slots=True)
class Remark:
    """A line that stands above what is shown in this turn, and is not kept -> None."""

    text: str
    citations: tuple[Span, ...] = ()
    """Where it stands, where it is a document's."""


def say(state: SessionState, message: str, status: Status) -> SessionState:
    """Put some words on the screen, and no step."""
    return state.replace(status=status, message=message, pending=None, handed="", approved="")


def ended(state: SessionState, status: Status) -> SessionState:
    """End it, solved or not."""
    return say(state, LAST_WORDS[status], status)


def ask(
    state: SessionState,
    kind: Asked,
    question: str,
    choices: Sequence[Choice],
    about: str = "",
    at: Position | None = None,
) -> SessionState:
    """Put a question on the screen; see `Pending`."""
    pending = Pending(kind=kind, question=question, choices=tuple(choices), about=about, at=at)
    return say(state, "", Status.ASKING).replace(pending=pending)


def show(state: SessionState, position: Position) -> SessionState:
    """Put a step on the screen."""
    return say(state, "", Status.AWAITING).replace(trail=(*state.trail, position), reason="")


def which_case(state: SessionState, sections: dict[tuple[str, ...], LogicUnit]) -> SessionState:
    """Ask which of some sections side by side is the case."""
    listed = [section_choice(unit, path[-1]) for path, unit in sections.items()][: LISTED * 2]
    return ask(state, Asked.OUTCOME, WHICH, (*listed, NONE))


def other_guides(state: SessionState, about: str = "") -> Plan[tuple[Choice, ...]]:
    """Offer the guides nearest to the question, and to a report, that were not walked."""
    asked_for = f"{state.question} {about}".strip()
    entries: list[Entry] = yield from retrieval.find_entries(asked_for, GUIDES + 1, state.known)
    return guides(not_walked(entries, state)[:GUIDES])


def not_walked(entries: Iterable[Entry], state: SessionState) -> list[Entry]:
    """Those of some guides that fit, and that nobody has walked yet."""
    walked = {step.document_id for step in state.trail}
    return [one for one in entries if one.unit.document_id not in walked and retrieval.fit([one])]


def goes_on_with(
    state: SessionState, current: LogicUnit, upcoming: LogicUnit, units: Sequence[LogicUnit]
) -> SessionState:
    """Ask whether to go on with the next section of a guide that was asked for as a whole."""
    [name] = upcoming.section[shared_path(upcoming.section, current.section) :][:1] or (upcoming.title,)
    others = [choice for choice in other_sections(state, current, units) if choice.unit_id != upcoming.id]
    return _whether_to_go_on(state, current, section_choice(upcoming, name, "Continue with: {}"), name, others)


def goes_on_below(state: SessionState, current: LogicUnit, first: int, last: int) -> SessionState:
    """Ask whether to go on with some lines below, to which another outcome leads."""
    name = current.text_of(first, first).strip()
    onward = Choice.of(current, f"Continue with: {clip(name)}", Act.SHOW, first=first, last=last)
    return _whether_to_go_on(state, current, onward, name)


def _whether_to_go_on(
    state: SessionState, current: LogicUnit, onward: Choice, name: str, others: Sequence[Choice] = ()
) -> SessionState:
    done = current.section[-1] if current.section else current.title
    question = GO_ON.format(f'"{done}"', f'"{clip(name)}"')
    return ask(state, Asked.ONWARD, question, (onward, SOLVED, *others, HAND_OVER))


def is_it_solved(state: SessionState, current: LogicUnit, others: Sequence[Choice]) -> SessionState:
    """Ask whether the problem is gone, and offer where to go on."""
    name = current.section[-1] if current.section and (state.scope or others) else current.title or current.header
    return ask(state, Asked.SOLVED, ENDED.format(f'"{name}"'), (SOLVED, *others, HAND_OVER))


def other_sections(state: SessionState, current: LogicUnit, units: Sequence[LogicUnit]) -> Iterator[Choice]:
    """What of a guide was not shown: the sections beside the one at hand and those around it, the next ones first."""
    steps = [unit for unit in units if unit.type == LogicUnitType.STEP and unit.section]
    left = [unit for unit in steps if unit.id not in state.seen and not ruled_out(unit, state)]
    firsts: dict[tuple[str, ...], LogicUnit] = {}
    for unit in sorted(left, key=lambda unit: (unit.position < current.position, unit.position)):
        firsts.setdefault(unit.section[: shared_path(unit.section, current.section) + 1], unit)
    for path, unit in list(firsts.items())[:LISTED]:
        yield section_choice(unit, path[-1], "Continue with: {}")


def guides(entries: Sequence[Entry]) -> tuple[Choice, ...]:
    """Offer guides: by title, and by what each is for; by its path where two have the same title."""
    titles = Counter(entry.unit.title for entry in entries)
    return tuple(Choice.of(one.unit, _named(one, is_only=titles[one.unit.title] == 1), Act.GUIDE) for one in entries)


def _named(entry: Entry, *, is_only: bool) -> str:
    unit = entry.unit
    title = unit.title if is_only and unit.title else f"{unit.title} ({unit.document_id})".strip()
    about = clip(purpose(entry.document))
    return f"{title}: {about}" if about else title
