import pytest

from thread_core.text.opposites import compare

IS_SO = """
it stays at 4,000 messages | the queue is stable
the number does not change | the queue is stable
no reply until the five seconds are over | the request times out
it has turned green | the lamp is green
the pods are not running | the pods are down
the value has not changed | the numbers are the same
it is red, not green | the lamp is red
it grew | the size differs
not all of them have it | some of them do
something else entirely | none of these fits
neither of the two | you find none of them
no file of that name can be found | there are no such files
the red lamp is on | the red lamp is on
the turn failed | the turn failed
"""
CANNOT_BE = """
it stays at 4,000 messages | the queue is shrinking
it has turned green | the lamp is red
a steady light | the lamp blinks
the tank is empty | the tank is full
the pods are not running | the pods are running
nothing of that name is listed | an entry for it is shown
it doesn't work | it works
it is red, not green | the lamp is green
not one of them | only one of the pumps
no longer red | the lamp is still red
the pump started | the pump does not start
the primary is not down | the primary is down
the red lamp is off | the red lamp is on
not all pods are ready | no pods are ready
the valid certificate is missing | the valid certificate is present
the standby is not synced | the standby is synced
the valve could not be turned | the valve is turned
turned: false | it says turned
Valve_IO_Running: No | the valve is running
db is NotReady | db is ready
0 pumps are down | a pump is down
it expired 3 days ago | it expires in 3 to 30 days
"""
NOTHING_TELLS = """
the lamp is red | the queue holds messages
one is running and one is stopped | the service is running
no lamp blinks | the value is false
the node went down | the node is up in the end and down at first
it still grows | the value is the same
the size differs | it grew
it is not green | the lamp is red
it is dark | any answer other than pong
"""


@pytest.mark.parametrize(("pairs", "sign"), [(IS_SO, 1), (CANNOT_BE, -1), (NOTHING_TELLS, 0)], ids=["1", "-1", "0"])
def test_what_was_seen_is_what_a_condition_says_or_cannot_be(pairs: str, sign: int) -> None:
    for pair in pairs.strip().split("\n"):
        seen, condition = pair.split(" | ")
        assert compare(seen, condition) == sign, pair


def test_nothing_seen_tells_nothing() -> None:
    assert compare("", "the queue is empty") == 0
