import pytest

from thread_core.text.contrast import Agreement, agreement, exclude


@pytest.mark.parametrize(
    ("seen", "condition"),
    [
        ("all three are around 60 percent", "every filesystem is below 80 %"),
        ("only 3 MB", "the lag is below 16 MB"),
        ("it took 4 seconds", "it takes more than 500 ms"),
        ("ten days left", "fewer than 30 days are left"),
        ("three members", "two or more members failed"),
        ("the About box tells me 14.3.9", "the version number is 14.2.0 or above"),
        ("it answers 503", "the logs show 5xx errors"),
        ("error 401", "401 and 403 codes"),
        ("not a 403 after all, it is a 503", "5xx errors"),
        ("this is release 2010", "2007 or a later release"),
        ("this is release 2010", "it is older than 2013"),
        ("the oldest is an hour old", "it is 15 minutes or more"),
        ("it is from half an hour ago", "it is newer than an hour"),
        ("that was a week ago", "the note is older than a day"),
        ("the pods are not running", "the pods are down"),
        ("the pods are stopped", "not: the pods are running"),
        ("it is at 93 percent", "Disk not: every filesystem is below 80 %"),
        ("20 percent", "the use does not exceed 80 %"),
        ("40 seconds", "it does not respond for more than 30 seconds"),
        ("15 minutes", "it has not changed in more than 10 minutes"),
        ("12 minutes", "no traffic for at least 10 minutes"),
        ("80 percent", "the use is not above 80 %"),
        ("5 minutes", "it takes no more than 5 minutes"),
        ("5 of them", "no less than 5 answer"),
        ("half an hour", "it is not older than 1 hour"),
        ("1,500 MB", "it is larger than 1 GB"),
        ("the pod isn’t running", "the pod is stopped"),
        ("it is at 95 percent", "90–97 %"),
        ("95", "it shows 90 to 97 %"),
        ("95", "above 90 %"),
        ("4 minutes", "between two and five minutes"),
        ("90 seconds", "it takes 1-2 min"),
        ("12", "10-20"),
        ("7", "< 10"),
        ("a 503", "500–599"),
        ("e3", "E1 to E5"),
        ("E14 blinks", "E10–E19"),
        ("version 14.2.5", "14.2.0 - 14.3.1"),
        ("40 thousand entries wait", "there are over 10,000 of them"),
        ("some 12k messages", "more than 10,000 messages"),
        ("the node is missing", "it is not (The node is seen again)"),
        ("the node can be seen", "it is (The node is seen again)"),
        ("lag 1.5M", "the lag is above 100,000"),
        ("lag 1,5 Mio", "the lag is above 100,000"),
        ("lag > 100000", "the lag is above 100,000"),
        ("between 3 and 4 minutes", "it takes less than 5 minutes"),
        ("the file is 12G", "it is larger than 10 GB"),
        ("2026-11-23T12:00:01Z use=97%", "the use is above 90 %"),
        ("the 3rd disk is at 97 %", "the use is above 90 %"),
        ("up to 95 %", "the use is above 90 %"),
        ("it is 10.4", "the system is older than 10.11"),
        ("it shows v2.10", "version 2.9 or later"),
        ("11.2.1", "older than 12"),
        ("it is 4.9", "the version is between 4.8 and 4.12"),
        ("it takes 4.5 s in version 2", "it takes more than 4.25 s"),
    ],
)
def test_it_agrees(seen: str, condition: str) -> None:
    assert agreement(seen, condition).sign == 1


@pytest.mark.parametrize(
    ("seen", "condition"),
    [
        ("it is at 93 percent", "every filesystem is below 80 %"),
        ("it is at 80 %", "the use is below 80 %"),
        ("40 MB behind", "the lag is below 16 MB"),
        ("it is 10.11", "the system is older than 10.4"),
        ("it is 4.14", "the version is between 4.8 and 4.12"),
        ("5 minutes later it is 0.5", "the ratio is below 0.45"),
        ("the About box tells me 14.1.4", "the version number is 14.2.0 or above"),
        ("it answers 503", "401 and 403 codes"),
        ("not a 403 after all, it is a 503", "401 and 403 codes"),
        ("0x80070005", "it ends with 0x80070002"),
        ("the oldest is an hour old", "it is below 15 minutes"),
        ("two hours", "the note is older than a day"),
        ("two hours", "it is an hour or newer"),
        ("the pods are not running", "the pods are running"),
        ("the pods are running", "not: the pods are running"),
        ("95 %", "the use doesn't exceed 80 %"),
        ("95 %", "the use doesn’t exceed 80 %"),
        ("95 %", "the use is not above 80 %"),
        ("7 minutes", "it takes no more than 5 minutes"),
        ("4 of them", "no less than 5 answer"),
        ("0,5 hours", "it is older than 3 hours"),
        ("the pod isn’t running", "the pod is running"),
        ("99 %", "90–97 %"),
        ("8 minutes", "between two and five minutes"),
        ("404", "500-599"),
        ("12", "< 10"),
        ("E9", "E1-E5"),
        ("E9", "the display shows E7"),
        ("E7 is not shown", "E7 is shown"),
        ("lag 2M", "the lag is below 10,000"),
        ("lag > 100000", "the lag is between 10,000 and 100,000"),
        ("more than 10 minutes", "it takes less than 5 minutes"),
        ("m1 is down", "m1 is up"),
        ("m1 is not fenced", "m1 is fenced"),
        ("a 503 is gone", "a 503 is shown"),
    ],
)
def test_it_contradicts(seen: str, condition: str) -> None:
    assert agreement(seen, condition).sign == -1


@pytest.mark.parametrize(
    ("seen", "condition"),
    [
        ("", "the queue is empty"),
        ("it took 4 seconds", "the use is below 80 %"),
        ("7 of them", "the lag is below 16 MB"),
        ("503 pages", "the printer is offline"),
        ("rows 1,5,6", "more than 3 rows"),
        ("0x8", "E12 blinks"),
        ("3 pods", "it is below 80 %"),
        ("40", "repeat steps 2-5"),
        ("40", "press 2 and 5"),
        ("12 minutes", "5 lamps to 10 minutes"),
        ("the use is over the limit of 80 %", "the use is at most 90 %"),
        ("the lag is over 9000", "the lag is above 100,000"),
        ("web-1 is slow", "more than 10 requests fail"),
        ("lag 00:12:00", "the lag is 5 minutes or less"),
        ("5", "250 000 or more"),
        ("2026-11-23", "it is below 10,000"),
    ],
)
def test_nothing_tells(seen: str, condition: str) -> None:
    assert agreement(seen, condition).sign == 0


@pytest.mark.parametrize(
    "number",
    [
        "250 000",
        "250_000",
        "1'500'000",
        "2.5e5",
        "1e6",
        "0x30d40",
        "-1",
        "250.000",
        "1.500.000",
        "3/4",
        "6m",
        "> 250 000",
    ],
)
def test_a_number_that_cannot_be_read_is_neither_small_nor_large(number: str) -> None:
    assert agreement(f"the lag is {number}", "the lag is below 10,000").sign == 0
    assert agreement(f"the lag is {number}", "the lag is above 10,000").sign == 0


def test_numbers_outweigh_words() -> None:
    assert agreement("it works at 40 %", "it fails below 80 %") == (1, "amount")
    assert agreement("it fails with 503", "it works, or 5xx errors are shown") == (1, "code")


def test_an_amount_that_a_condition_excludes_is_none_that_it_admits() -> None:
    assert agreement("it is at 93 percent", "not: it is below 80 %") == (1, "amount")
    assert agreement("it is at 60 percent", "not: it is below 80 %") == (-1, "amount")


@pytest.mark.parametrize(
    ("one", "other", "excluded"),
    [
        ("it is above 80 %", "it is below 80 %", True),
        ("it is below 80 %", "it is below 80 %", False),
        ("it is 80 % or more", "it is below 80 %", True),
        ("it is below 60 %", "it is below 80 %", False),
        ("it is above 80 %", "it is below 80 MB", False),
        ("it is red", "it is below 80 %", False),
        ("version 10.4 or older", "version 10.11 or newer", True),
    ],
)
def test_two_conditions_exclude_each_other_by_their_bounds(one: str, other: str, excluded: bool) -> None:
    assert exclude(one, other) is exclude(other, one) is excluded


@pytest.mark.parametrize(
    ("seen", "condition", "found"),
    [
        ("the fuse is not blown", "Not blown", Agreement(1, "denial")),
        ("no request came", "no request comes", Agreement(1, "denial")),
        ("no request came", "no code is asked for", Agreement(0, "")),
        ("we don't publish from a branch", "you do not pull from a branch", Agreement(0, "")),
    ],
)
def test_what_is_denied_agrees_with_what_denies_it_too(seen: str, condition: str, found: Agreement) -> None:
    assert agreement(seen, condition) == found


@pytest.mark.parametrize(
    ("seen", "condition", "sign"),
    [
        ("3 years", "it is more than 10 years old", -1),
        ("two months", "it is more than 30 days late", 1),
        ("it is 12 years old", "it is more than 10 years old", 1),
        ("-3 °C", "the logger shows 0 °C or less", 1),
        ("it was 3 degrees", "the logger shows 0 °C or less", -1),
        ("util is 95", "util is over 90 %", 1),
        ("3 pods", "util is over 90 %", 0),
        ("between 2 -3 °C", "the logger shows 0 °C or less", -1),
    ],
)
def test_years_degrees_and_bare_numbers_of_what_is_measured_are_amounts(seen: str, condition: str, sign: int) -> None:
    assert agreement(seen, condition).sign == sign
