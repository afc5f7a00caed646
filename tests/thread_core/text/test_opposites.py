import pytest

from thread_core.text.opposites import compare


@pytest.mark.parametrize(
    ("seen", "condition"),
    [
        ("it stays at 4,000 messages", "the queue is stable"),
        ("the number does not change", "the queue is stable"),
        ("it is going up fast", "the queue keeps growing"),
        ("the number went down", "the queue is shrinking"),
        ("no reply until the five seconds are over", "the request times out"),
        ("it has turned green", "the lamp is green"),
        ("it is flashing", "the lamp blinks"),
        ("the pods are not running", "the pods are down"),
        ("the value has not changed", "the numbers are the same"),
        ("there is no such entry", "you can't find the entry"),
        ("there's nothing of the kind", "the file is missing"),
        ("there isn't one", "it is missing"),
        ("the search found none", "no file is found"),
        ("the flag is still NO", "the flag is false"),
        ("it is red, not green", "the lamp is red"),
        ("it grew", "the size differs"),
        ("not all of them have it", "some of them do"),
        ("it gets more and more", "the queue keeps growing"),
        ("fewer and fewer", "the queue is shrinking"),
        ("something else entirely", "none of these fits"),
        ("neither of the two", "you find none of them"),
        ("it answered, but not pong", "any answer other than pong"),
        ("no file of that name can be found", "there are no such files"),
        ("not one of these seven pods is up", "none of the pods runs"),
        ("the red lamp is on", "the red lamp is on"),
        ("Ready: False", "Ready is False"),
        ("the turn failed", "the turn failed"),
    ],
)
def test_what_was_seen_is_what_is_said(seen: str, condition: str) -> None:
    assert compare(seen, condition) == 1


@pytest.mark.parametrize(
    ("seen", "condition"),
    [
        ("it stays at 4,000 messages", "the queue is shrinking"),
        ("the number goes down", "the queue keeps growing"),
        ("it drops", "the queue is stable"),
        ("it has turned green", "the lamp is red"),
        ("a steady light", "the lamp blinks"),
        ("the tank is empty", "the tank is full"),
        ("the pods are not running", "the pods are running"),
        ("it gets longer and longer", "the queue is shrinking"),
        ("nothing of that name is listed", "an entry for it is shown"),
        ("it doesn't work", "it works"),
        ("there is no such entry", "you find the entry"),
        ("it finds nothing new", "a new version is listed"),
        ("it is red, not green", "the lamp is green"),
        ("not a single one of them", "all of the pumps"),
        ("not one of them", "only one of the pumps"),
        ("Pong", "any answer other than pong"),
        ("no longer red", "the lamp is still red"),
        ("the drive showed up", "the drive does not appear"),
        ("the pump started", "the pump does not start"),
        ("the primary is not down", "the primary is down"),
        ("the primary is back", "the primary is down"),
        ("the standby is up again", "the standby is down"),
        ("the red lamp is off", "the red lamp is on"),
        ("all pods are not ready", "all pods are ready"),
        ("not all pods are ready", "no pods are ready"),
        ("the valid certificate is missing", "the valid certificate is present"),
        ("the standby is not synced", "the standby is synced"),
        ("the use is not high", "the use is high"),
        ("the valve could not be turned", "the valve is turned"),
        ("not yet in sync", "the standby is in sync"),
        ("out of sync", "the standby is in sync"),
        ("turn failed", "it says turned"),
        ("it failed to turn the valve", "the valve is turned"),
        ("the valve is turned", "the turn failed"),
        ("no pong", "it prints pong"),
        ("turned: false", "it says turned"),
        ("Valve_IO_Running: No", "the valve is running"),
        ("db is NotReady", "db is ready"),
        ("Ready: False", "Ready is True"),
        ("0 pumps are down", "a pump is down"),
        ("it expired 3 days ago", "it expires in 3 to 30 days"),
    ],
)
def test_both_cannot_be(seen: str, condition: str) -> None:
    assert compare(seen, condition) == -1


@pytest.mark.parametrize(
    ("seen", "condition"),
    [
        ("", "the queue is empty"),
        ("the lamp is red", "the queue holds messages"),
        ("one is running and one is stopped", "the service is running"),
        ("no lamp blinks", "the value is false"),
        ("the node went down", "the node is up in the end and down at first"),
        ("it still grows", "the value is the same"),
        ("the size differs", "it grew"),
        ("it is not green", "the lamp is red"),
        ("it is dark", "any answer other than pong"),
        ("not one failed call", "the count of failed calls stays at 0"),
        ("nobody approved the change", "the change has a number"),
        ("we do not publish a branch", "what is published is a branch"),
        ("nothing is printed", "it prints up"),
        ("nobody approved the change", "the change has an approved number"),
        ("the page does not look the way it should", "the page looks odd"),
    ],
)
def test_nothing_tells(seen: str, condition: str) -> None:
    assert compare(seen, condition) == 0
