"""A walk is the same at every front, with one process for all of its turns or one for each."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from tests.conformance.walking import (
    BROAD,
    FRONTS,
    WALKS,
    Place,
    Seen,
    Stores,
    Walk,
    executor,
    put_into,
    seen,
)
from tests.forked import Forks
from thread_core.testing.store import MemoryStore
from thread_core.walk.journal import Journal
from thread_core.walk.reply import parse
from thread_core.walk.session import HowToSession
from thread_core.walk.state import Asked
from thread_core.walk.states import Event, Status

PROCESS = "tests.conformance.walking"
library = cache(lambda: put_into(MemoryStore()))


@cache
def expected(walk: Walk) -> tuple[Seen, ...]:
    """The walk of one session of the core that is never left, over a store in memory."""
    session = HowToSession(library(), executor=executor() if walk.executing else None)
    question, *said = walk.said
    first = seen(session.start(question), session.state)
    return (first, *(seen(session.respond(words), session.state) for words in said))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("walks")


@pytest.fixture(scope="module")
def stores(folder: Path) -> Iterator[Stores]:
    made = Stores.made(folder / "stores")
    yield made
    made.client.close()


def test_the_walks_have_all_that_can_happen() -> None:
    each = [expected(walk) for walk in WALKS]
    turns, states = ([one[part] for walk in each for one in walk] for part in (0, 1))
    events = {parse(said).event for walk in WALKS for said in walk.said[1:]}
    assert events == set(Event) - {Event.START, Event.EXECUTED}
    assert {turn["status"] for turn in turns} == set(Status) - {Status.NEW}
    assert {state["pending"]["kind"] for state in states if state["pending"]} == set(Asked)
    there_and_back = [len(one.state["callers"]) for one in each[-2]]
    assert there_and_back == [0, 0, 1, 0, 0]
    kinds = [[ran["outcome"]["kind"] for ran in turn["ran"]] for turn in turns]
    assert ["observed", "approval"] in kinds
    assert ["observed", "failed"] in kinds


def ran(folder: Path) -> list[str]:
    """What became of what an executor began, from the journal of a walk."""
    finished = [entry["kind"] for entry in Journal(folder / "journal.jsonl").entries() if entry["event"] == "finished"]
    return [kind for kind in finished if kind != "handed"]


def expected_to_run(walk: Walk) -> list[str]:
    return [ran["outcome"]["kind"] for one in expected(walk) for ran in one.turn["ran"]]


PLAYED = [
    pytest.param(front, walk, marks=() if walk is BROAD[0] else pytest.mark.slow)
    for front, walk in product(FRONTS, BROAD)
]
"""The others are played over processes."""


@pytest.mark.parametrize(("front", "walk"), PLAYED, ids=str)
def test_a_walk_is_the_same_at_every_front(front: str, walk: Walk, stores: Stores, tmp_path: Path) -> None:
    for said, wanted in zip(walk.said, expected(walk), strict=True):
        with FRONTS[front](Place(tmp_path, stores, walk.executing), said) as given:
            assert given == wanted
    assert ran(tmp_path) == expected_to_run(walk)


@pytest.mark.slow
def test_a_walk_is_the_same_where_the_process_is_killed_after_each_turn(stores: Stores, folder: Path) -> None:
    """Each process plays a turn of each walk at half of the fronts, and the next turn is one of another hash seed."""
    strict = {"LANGGRAPH_STRICT_MSGPACK": "true"}
    halves = list(FRONTS)[::2], list(FRONTS)[1::2]
    with Forks(PROCESS, **strict) as one, Forks(PROCESS, **strict) as other, ThreadPoolExecutor() as both:
        for index in range(max(len(walk.said) for walk in WALKS)):
            given: dict[tuple[str, int], Seen] = {}
            forks = (one, other) if index % 2 else (other, one)
            turns = [[str(folder), str(index), *fronts] for fronts in halves]
            for process in both.map(lambda forks, words: forks.run(*words), forks, turns):
                assert process.returncode == -signal.SIGKILL, process.stderr
                assert "unregistered type" not in process.stderr
                played = (json.loads(line) for line in process.stdout.splitlines())
                given |= {(front, number): Seen(turn, state) for front, number, turn, state in played}
            assert given == {
                (front, number): expected(walk)[index]
                for front, (number, walk) in product(FRONTS, enumerate(WALKS))
                if index < len(walk.said)
            }
    for front, (number, walk) in product(FRONTS, enumerate(WALKS)):
        assert ran(folder / front / str(number)) == expected_to_run(walk)
