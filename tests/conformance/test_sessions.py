"""A walk is the same at every front, with one process for all of its turns or one for each."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
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
    answered,
    executor,
    put_into,
    seen,
)
from thread_core.replies import read_event
from thread_core.session import HowToSession
from thread_core.states import Event, Status
from thread_core.testing.store import MemoryStore
from thread_core.trail import Asked

ROOT = Path(__file__).parents[2]
library = cache(lambda: put_into(MemoryStore()))


@cache
def expected(walk: Walk) -> tuple[Seen, ...]:
    """The walk of one session of the core that is never left, over a store in memory."""
    session = HowToSession(library(), executor=executor() if walk.executing else None)
    question, *said = walk.said
    first = seen(session.start(question), session.state)
    return (first, *(seen(answered(session, words), session.state) for words in said))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("walks")


@pytest.fixture(scope="module")
def stores(folder: Path) -> Stores:
    return Stores.made(folder / "stores")


def test_the_walks_have_all_that_can_happen() -> None:
    all_seen = [one for walk in WALKS for one in expected(walk)]
    events = {read_event(said) for walk in WALKS for said in walk.said[1:]}
    assert events == set(Event) - {Event.START, Event.EXECUTED}
    assert {one.turn["status"] for one in all_seen} == set(Status) - {Status.NEW}
    assert {one.state["pending"]["kind"] for one in all_seen if one.state["pending"]} == set(Asked)
    ran = [[ran["outcome"]["kind"] for ran in one.turn["ran"]] for one in all_seen]
    assert ["observed", "approval"] in ran
    assert ["observed", "failed"] in ran


PLAYED = [(front, walk) for front, walk in product(FRONTS, WALKS) if walk in BROAD or front == "langchain"]
"""Some of them: those that are left out are played over processes."""


@pytest.mark.parametrize(("front", "walk"), PLAYED, ids=str)
def test_a_walk_is_the_same_at_every_front(front: str, walk: Walk, stores: Stores, tmp_path: Path) -> None:
    for said, wanted in zip(walk.said, expected(walk), strict=True):
        with FRONTS[front](Place(tmp_path, stores, walk.executing), said) as given:
            assert given == wanted


@pytest.mark.slow
def test_a_walk_is_the_same_where_the_process_is_killed_after_each_turn(stores: Stores, folder: Path) -> None:
    """Each process plays a turn of each walk."""
    for index in range(max(len(walk.said) for walk in WALKS)):
        process = subprocess.run(
            [sys.executable, "-m", "tests.conformance.walking", str(folder), str(index)],
            cwd=ROOT,
            env=os.environ | {"LANGGRAPH_STRICT_MSGPACK": "true"},
            capture_output=True,
            text=True,
        )
        assert process.returncode == -signal.SIGKILL, process.stderr
        assert "unregistered type" not in process.stderr
        played = (json.loads(line) for line in process.stdout.splitlines())
        given = {(front, number): Seen(turn, state) for front, number, turn, state in played}
        assert given == {
            (front, number): expected(walk)[index]
            for front, (number, walk) in product(FRONTS, enumerate(WALKS))
            if index < len(walk.said)
        }
