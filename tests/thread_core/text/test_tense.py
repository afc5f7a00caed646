"""What a text tells of now."""

from __future__ import annotations

import pytest

from thread_core.text.tense import of_now, unreal


@pytest.mark.parametrize(
    "text",
    [
        "the tank has run dry",
        "the order was refused",
        "the lamp was red when I looked just now",
        "the tank has been dry since last week",
        "it leaks again, as before",
        "the pump won't start",
        "it would not start",
        "the host could not be reached",
        "it is up and running",
        "it works as expected",
        "we had 3 errors",
        "it failed this morning",
        "it failed 5 minutes ago",
        "the pod on the old node was evicted",
        "errors in some pods",
        "the service is temporarily unavailable",
        "it crashes when I print",
        "failed (exit code 1) since Mon 2026-11-23 08:00:00 UTC; 3 days ago",
        "pod-1 0/1 CrashLoopBackOff 7 (2d ago) 5d",
    ],
)
def test_what_names_no_other_time_tells_of_now(text: str) -> None:
    assert of_now(text) == text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("the tank was dry yesterday", "another time"),
        ("the tank was dry two weeks ago", "another time"),
        ("the tank used to be dry", "another time"),
        ("the tank was dry this morning", "another time"),
        ("the tank was dry at 3 am", "another time"),
        ("the tank is dry at night", "another time"),
        ("back then the tank was dry", "another time"),
        ("the tank was dry two releases ago", "another time"),
        ("the tank is dry each morning", "another time"),
        ("the tank had been dry", "supposed"),
        ("the tank would be dry", "supposed"),
        ("the tank might be dry", "supposed"),
        ("maybe the tank is dry", "supposed"),
        ("the tank is dry, I think", "supposed"),
        ("the tank is usually dry", "supposed"),
        ("if the tank is dry, we close", "supposed"),
        ("the tank was dry until I filled it", "supposed"),
        ("had the tank emptied, I would know", "supposed"),
        ("is the tank dry?", "supposed"),
        ("in theory the tank is dry", "supposed"),
        ("according to the ticket the tank was dry", "supposed"),
        ("were the tank dry, I would know", "supposed"),
    ],
)
def test_what_is_of_another_time_or_only_supposed_does_not(text: str, why: str) -> None:
    assert (of_now(text), unreal(text)) == ("", {why})


@pytest.mark.parametrize(
    ("text", "now"),
    [
        ("yesterday it was full, today the tank is dry", "today the tank is dry"),
        ("the tank was dry but is full again", "but is full again"),
        ("the tank was dry. It is full now", "It is full now"),
        ("the tank was dry, then it filled", "then it filled"),
        ("it was dry so I filled it", "so I filled it"),
        ("it should be dry, but it is full", "but it is full"),
        ("the tank is dry, what do I do?", "the tank is dry"),
        ("expected 200 but got 503", "but got 503"),
    ],
)
def test_of_several_clauses_those_of_now_are_left(text: str, now: str) -> None:
    assert of_now(text) == now


def test_another_time_holds_on_until_something_is_of_now() -> None:
    assert of_now("We moved it last week. The tank was dry.") == ""
    assert of_now("We moved it last week. The tank is dry.") == "The tank is dry."
    assert of_now("moved: last week\nthe tank was dry") == "the tank was dry"


def test_what_another_thing_does_takes_nothing_back() -> None:
    text = "the order was refused but the shop is open"
    assert of_now(text) == text
