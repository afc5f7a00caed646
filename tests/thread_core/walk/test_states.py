"""The table of the session, and that every walk keeps to it."""

import itertools
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.thread_core import session_table
from tests.thread_core.guides import library_of
from thread_core.errors import IllegalStep
from thread_core.store.library import Library
from thread_core.walk import states
from thread_core.walk.execution import Outcome, OutcomeKind
from thread_core.walk.rendering import Turn
from thread_core.walk.state import Asked, SessionState, loaded
from thread_core.walk.states import READING, TABLE, Event, Status
from thread_core.walk.walk import due, turn

QUEUE = """\
# Queue stuck

## Agent 2.3 and later

Restart the agent with `agent restart`. If the queue is empty, the issue is resolved.
If the queue is as long as before, open a ticket with the queue team.
If it prints "grown", follow [Consumers](consumers.md).
"""
CONSUMERS = """\
# Consumers

Count the consumers with `consumers count`. If there is none, follow [Queue stuck](queue.md).
"""
KETTLE = "# Kettle\n\n## Lid does not close\n\nWipe the rim.\n\n## Water is not hot\n\nTurn the knob to the right.\n"
QUESTION = "What do I do when the queue is stuck?"
OBSERVED, APPROVAL, FAILED = (
    Outcome(kind=kind, text="grown") for kind in (OutcomeKind.OBSERVED, OutcomeKind.APPROVAL, OutcomeKind.FAILED)
)
WORDS = {Event.START: QUESTION, Event.CHOOSE: "1", Event.REPORT: "nothing has changed", Event.ASK: "what is a queue?"}
Move = tuple[Event, str | Outcome]
STEP: list[Move] = [(Event.START, QUESTION), (Event.YES, "yes")]
ROUND: list[Move] = [(Event.CHOOSE, "3"), (Event.CHOOSE, "1")]
LID: Move = (Event.START, "The lid of the kettle does not close")
SITUATIONS: dict[str, tuple[Status, list[Move]]] = {
    "nothing was asked": (Status.NEW, []),
    "a prerequisite is asked about": (Status.ASKING, [(Event.START, QUESTION)]),
    "a step is shown": (Status.AWAITING, STEP),
    "it is asked which outcome is meant": (Status.ASKING, [*STEP, (Event.REPORT, "the queue looks odd")]),
    "nothing here speaks of what was said": (Status.ASKING, [*STEP, (Event.REPORT, "purple")]),
    "it is asked whether it is solved in the middle": (Status.ASKING, [*STEP, (Event.SOLVED, "it is solved")]),
    "an approval is asked for": (Status.ASKING, [*STEP, (Event.EXECUTED, APPROVAL)]),
    "an approval was given": (Status.AWAITING, [*STEP, (Event.EXECUTED, APPROVAL), (Event.CHOOSE, "1")]),
    "an approval was refused": (Status.AWAITING, [*STEP, (Event.EXECUTED, APPROVAL), (Event.CHOOSE, "2")]),
    "what was run has failed": (Status.AWAITING, [*STEP, (Event.EXECUTED, FAILED)]),
    "what was run has led on": (Status.AWAITING, [*STEP, (Event.EXECUTED, OBSERVED)]),
    "it goes round in circles": (Status.ASKING, [*STEP, *ROUND * 3]),
    "another document is shown": (Status.AWAITING, [*STEP, (Event.CHOOSE, "3")]),
    "the task has ended": (Status.ASKING, [LID, (Event.DONE, "done")]),
    "it has not helped": (Status.ASKING, [LID, (Event.DONE, "done"), (Event.NO, "no")]),
    "a section has ended": (Status.ASKING, [(Event.START, "How do I use the kettle?"), (Event.DONE, "done")]),
    "a condition has ended it well": (Status.RESOLVED, [*STEP, (Event.CHOOSE, "1")]),
    "the person has ended it": (Status.RESOLVED, [LID, (Event.SOLVED, "it is solved")]),
    "a condition has handed it over": (Status.ESCALATED, [*STEP, (Event.CHOOSE, "2")]),
    "the person has given up": (Status.ESCALATED, [*STEP, (Event.HAND_OVER, "")]),
    "nothing fits": (Status.UNKNOWN, [(Event.START, "bake a chocolate cake")]),
    "several guides fit": (Status.ASKING, [(Event.START, "Kettle, queue stuck")]),
}
"""What a person may be looking at, and how they got there."""
PAIRS = list(itertools.product(Status, Event))


@pytest.fixture(scope="module")
def library() -> Library:
    return library_of(None, queue=QUEUE, consumers=CONSUMERS, kettle=KETTLE)


def move(library: Library, state: SessionState, event: Event, said: str | Outcome) -> tuple[SessionState, Turn]:
    if isinstance(said, Outcome):
        return library.run(turn(state, event, outcome=said))
    return library.run(turn(state, event, said))


@cache
def reach(situation: str, library: Library) -> tuple[SessionState, Turn | None]:
    status, moves = SITUATIONS[situation]
    state, shown = SessionState(), None
    for event, said in moves:
        state, shown = move(library, state, event, said)
    assert state.status is status, shown
    return state, shown


def test_the_situations_are_all_there_are(library: Library) -> None:
    reached = [reach(situation, library)[0] for situation in SITUATIONS]
    assert {state.status for state in reached} == set(Status)
    assert {state.pending.kind for state in reached if state.pending} == set(Asked)


@pytest.mark.parametrize("event", Event)
@pytest.mark.parametrize("situation", SITUATIONS)
def test_an_event_leads_where_the_table_says_or_is_refused(situation: str, event: Event, library: Library) -> None:
    state, _ = reach(situation, library)
    before = state.model_dump_json()
    can_run = library.run(due(state)) is not None
    try:
        reached, shown = move(library, state, event, FAILED if event is Event.EXECUTED else WORDS.get(event, event))
    except IllegalStep as refusal:
        assert (state.status, event) not in TABLE or (event is Event.EXECUTED and not can_run)
        assert refusal.status is state.status
    else:
        assert reached.status is shown.status
        assert shown.status in TABLE[state.status, event]
        assert reached.turn == state.turn + (event not in READING)
        assert loaded(reached.model_dump_json()) == reached
    assert state.model_dump_json() == before


@pytest.mark.parametrize("situation", SITUATIONS)
def test_what_is_shown_can_be_shown_again(situation: str, library: Library) -> None:
    state, shown = reach(situation, library)
    if shown is None:
        return
    again, seen = move(library, state, Event.WHERE, "")
    ran = shown.text.removesuffix(seen.text)
    assert (again, seen) == (state, shown.model_copy(update={"text": seen.text, "ran": ()}))
    assert bool(ran) == bool(shown.ran)


@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_step_back_undoes_everything(situation: str, library: Library) -> None:
    """Whatever is done next: back shows what was shown, and the facts are those of then."""
    state, shown = reach(situation, library)
    for event in Event if shown is not None else ():
        if event in (Event.BACK, Event.START, Event.RESTART, Event.EXECUTED) or (state.status, event) not in TABLE:
            continue
        reached, _ = move(library, state, event, WORDS.get(event, event))
        if len(reached.past) == len(state.past):
            continue
        undone, seen = move(library, reached, Event.BACK, "")
        assert seen.text == move(library, state, Event.WHERE, "")[1].text
        changed = {"turn": 0, "handed": "", "approved": "", "notes": (), "reason": "", "gap": None}
        assert undone.replace(**changed) == state.replace(**changed)


EVENTS = st.sampled_from([event for event in Event if event is not Event.EXECUTED])
SAID = st.sampled_from(
    [QUESTION, "1", "2", "3", "yes", "no", 'it prints "grown"', "it is solved", "bake a cake", "?", "the kettle"]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(EVENTS, SAID), max_size=12), st.lists(st.sampled_from([OBSERVED, APPROVAL, FAILED])))
def test_no_walk_leaves_the_table(said: list[tuple[Event, str]], outcomes: list[Outcome]) -> None:
    library = small_library()
    state, _ = move(library, SessionState(), Event.START, QUESTION)
    for event, words in said:
        words = words if event is not Event.CHOOSE or words.isdigit() else "1"
        state, shown = move(library, state, event, words)
        if outcomes and library.run(due(state)) is not None:
            state, shown = move(library, state, Event.EXECUTED, outcomes.pop())
        assert shown.text
        assert loaded(state.model_dump_json()) == state


@cache
def small_library() -> Library:
    return library_of(None, queue=QUEUE, consumers=CONSUMERS, kettle=KETTLE)


def test_the_diagram_in_the_docs_is_drawn_from_the_table() -> None:
    assert session_table.PAGE.read_text() == session_table.page(), "run `make docs`"


@pytest.mark.parametrize(("status", "event"), PAIRS)
def test_what_has_no_row_is_refused(status: Status, event: Event) -> None:
    if (status, event) in TABLE:
        states.check(status, event)
    else:
        with pytest.raises(IllegalStep, match=f"cannot {event} a session that is {status}: "):
            states.check(status, event)


@pytest.mark.parametrize(("status", "event"), sorted(TABLE))
def test_no_other_status_is_reached_than_the_row_names(status: Status, event: Event) -> None:
    for reached in Status:
        if reached in TABLE[status, event]:
            assert states.arrive(status, event, reached) is reached
        else:
            with pytest.raises(IllegalStep, match=f"it cannot become {reached}"):
                states.arrive(status, event, reached)


def test_a_session_that_was_not_started_can_only_be_started() -> None:
    assert [event for event in Event if (Status.NEW, event) in TABLE] == [Event.START]


def test_no_session_becomes_new_again() -> None:
    assert all(Status.NEW not in reached for reached in TABLE.values())


def test_every_session_that_was_started_can_be_answered() -> None:
    answers = (Event.START, Event.RESTART, Event.NEXT, Event.CHOOSE, Event.REPORT, Event.HAND_OVER, Event.WHERE)
    assert all((status, event) in TABLE for status in set(Status) - {Status.NEW} for event in answers)
