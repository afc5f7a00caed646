"""Which ways on there are from a step, and in which order a menu has them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.thread_core.guides import library_of, units_of
from thread_core.plan import Plan, decided
from thread_core.walk.matcher import Match, Rank, Way, deletes, rank, ways_on
from thread_core.walk.options import screen_at
from thread_core.walk.session import HowToSession
from thread_core.walk.states import Status

PUMP = """\
# The pump hums

## Look

Look at the gauge.

- If the gauge is empty, fill in water.
- If the gauge is full, go to [Valve](#valve).

## Valve

Turn the valve.

## Clean

Wipe the housing with a cloth.

## Reset

Forget all readings:

```sh
pumpctl purge --all
```

## Meaning

The gauge tells how much water there is.
"""
UNITS = units_of(PUMP)


def test_outcomes_and_passages_of_steps_are_ways_on_but_not_what_is_shown_or_deletes() -> None:
    ways = [
        (way.condition, way.passage.partition("\n")[0], way.distance) for way in ways_on(screen_at(UNITS[0]), UNITS)
    ]
    assert ways == [
        ("the gauge is empty", "- If the gauge is empty, fill in water.", 0),
        ("the gauge is full", "- If the gauge is full, go to [Valve](#valve).", 0),
        ("", "Turn the valve.", 1),
        ("", "Wipe the housing with a cloth.", 2),
    ]


@pytest.mark.parametrize(
    ("passage", "is_one"),
    [
        ("Run `rm -rf /srv`.", True),
        ("```sh\nkubectl delete pod a\n```", True),
        ("Run `snap prune` or `db --purge-all`.", True),
        ("Remove the cover.", False),
        ("Run `systemctl restart db`.", False),
        ("Format the letter, then run `ls`.", False),
    ],
)
def test_a_passage_with_a_command_that_deletes_is_known(passage: str, is_one: bool) -> None:
    assert deletes(passage) is is_one


def ranked(report: str, ways: Sequence[Way]) -> list[Match]:
    """Ways in the order of the default."""

    def nobody(request: object) -> Plan[None] | None:
        return answer() if isinstance(request, Rank) else None

    def answer() -> Plan[None]:
        yield from ()

    return library_of(None).run(decided(rank(report, ways), nobody))


def test_the_nearest_way_comes_first() -> None:
    found = ranked("the housing is dirty, with what do I wipe it?", list(ways_on(screen_at(UNITS[0]), UNITS)))
    assert found[0].way.passage == "Wipe the housing with a cloth."
    assert [match.score for match in found] == sorted((match.score for match in found), reverse=True)
    assert ranked("anything", []) == []


def test_a_matcher_that_is_given_orders_the_menu() -> None:
    class Last:
        def score(self, report: str, passages: Sequence[str]) -> Sequence[float]:
            return [float(at) / len(passages) for at in range(len(passages))]

    session = HowToSession(library_of(None, pump=PUMP), matcher=Last())
    session.start("The pump hums")
    asked = session.respond("I think the housing of the pump shakes")
    assert asked.status is Status.ASKING
    offered = [option for option in asked.options if "Wipe" in option or "Turn" in option]
    assert ["Wipe" in option for option in offered] == [True, False]
