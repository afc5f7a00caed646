import itertools

import pytest

from thread_core import Document, RuleExtractor, default_embedding, states
from thread_core.errors import IllegalStep
from thread_core.library import Library
from thread_core.states import TABLE, Event, Status
from thread_core.testing.store import MemoryStore
from thread_core.trail import SessionState
from thread_core.walk import turn

QUEUE = """\
# Queue stuck

## Agent 2.3 and later

Restart the agent with `agent restart`. If the queue is empty, the issue is resolved.
If the queue is as long as before, open a ticket with the queue team.
"""
QUESTION = "What do I do when the queue is stuck?"
WORDS = {Event.START: QUESTION, Event.CHOOSE: "1", Event.REPORT: "nothing has changed"}
WAYS: dict[Status, list[tuple[Event, str]]] = {
    Status.NEW: [],
    Status.ASKING: [(Event.START, QUESTION)],
    Status.AWAITING: [(Event.START, QUESTION), (Event.REPORT, "yes")],
    Status.RESOLVED: [(Event.START, QUESTION), (Event.REPORT, "yes"), (Event.CHOOSE, "1")],
    Status.ESCALATED: [(Event.START, QUESTION), (Event.REPORT, "yes"), (Event.CHOOSE, "2")],
    Status.UNKNOWN: [(Event.START, "bake a chocolate cake")],
}
"""How a person gets there."""
PAIRS = list(itertools.product(Status, Event))


@pytest.fixture(scope="module")
def library() -> Library:
    store = MemoryStore()
    units = RuleExtractor().extract(Document("queue.md", QUEUE)).units
    store.upsert(units, default_embedding().embed([unit.header for unit in units]))
    return Library(store, default_embedding())


def reach(status: Status, library: Library) -> SessionState:
    state = SessionState()
    for event, words in WAYS[status]:
        state, _ = library.run(turn(state, event, words))
    assert state.status is status
    return state


@pytest.mark.parametrize(("status", "event"), PAIRS)
def test_an_event_leads_where_the_table_says_or_is_refused(status: Status, event: Event, library: Library) -> None:
    state = reach(status, library)
    before = state.model_dump_json()
    try:
        reached, shown = library.run(turn(state, event, WORDS.get(event, "")))
    except IllegalStep as refusal:
        # A row says what is possible; before the first step there is nothing to go back to.
        assert (status, event) not in TABLE or event is Event.BACK
        assert (refusal.event, refusal.status) in ((event, status), ("go back in", status))
    else:
        assert reached.status is shown.status
        assert shown.status in TABLE[status, event]
    assert state.model_dump_json() == before


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
    answers = (Event.START, Event.NEXT, Event.CHOOSE, Event.REPORT)
    assert all((status, event) in TABLE for status in set(Status) - {Status.NEW} for event in answers)
