"""What happens in a walk is counted alike at every front, in figures that hold no word of a document or a person."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import HistogramDataPoint, InMemoryMetricReader

from tests.conformance.walking import FRONTS, Place, Stores, put_into
from thread_core.testing.store import MemoryStore
from thread_core.walk.desk import Desk
from thread_core.walk.execution import OutcomeKind
from thread_core.walk.observing import Happened, observe
from thread_core.walk.session import HowToSession
from thread_core.walk.state import Asked
from thread_core.walk.states import Event, Status
from thread_core.walk.team import hear
from thread_core.walk.team_tools import call
from thread_telemetry import instrument

SHUT = "The sluice does not open"
SAID = (SHUT, "Run it", "lol it is purple", "the crank is missing", "done", "water flows", "I give up")
"""A walk with an executor, which asks before its second step and fails at the third."""

library = cache(lambda: put_into(MemoryStore()))


class Figures:
    """What was counted so far."""

    def __init__(self) -> None:
        self._reader = InMemoryMetricReader()
        self.provider = MeterProvider([self._reader])

    def read(self) -> dict[str, dict[tuple[Any, ...], float]]:
        """Of each instrument, by the values of its attributes: the sum of a counter, how often a histogram was told."""
        found: dict[str, dict[tuple[Any, ...], float]] = {}
        for name, point in self._points():
            value = point.count if isinstance(point, HistogramDataPoint) else point.value
            found.setdefault(name, {})[tuple(point.attributes.values())] = value
        return found

    def turns_of_walks(self) -> float:
        """In how many turns the walks have ended, together."""
        return sum(point.sum for name, point in self._points() if name == "thread_rag.walk.turns")

    def _points(self) -> Iterator[tuple[str, Any]]:
        data = self._reader.get_metrics_data()
        for metric in data.resource_metrics[0].scope_metrics[0].metrics if data else ():
            yield from ((metric.name, point) for point in metric.data.data_points)


@contextmanager
def counted(**options: Any) -> Iterator[Figures]:
    figures = Figures()
    stop = instrument(figures.provider, **options)
    try:
        yield figures
    finally:
        stop()


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stores]:
    made = Stores.made(tmp_path_factory.mktemp("telemetry") / "stores")
    yield made
    made.client.close()


@pytest.mark.parametrize("front", FRONTS)
def test_every_front_counts_the_same(front: str, stores: Stores, tmp_path: Path) -> None:
    place = Place(tmp_path, stores, executing=True)
    with counted() as figures:
        for said in SAID:
            with FRONTS[front](place, said):
                pass
    found = figures.read()
    durations = found.pop("thread_rag.turn.duration")
    assert found == {
        "thread_rag.turns": {
            ("start", "awaiting"): 1,
            ("executed", "awaiting"): 4,
            ("executed", "asking"): 2,
            ("report", "asking"): 2,
            ("report", "awaiting"): 2,
            ("done", "awaiting"): 1,
            ("hand over", "escalated"): 1,
        },
        "thread_rag.guides.entered": {(): 2},
        "thread_rag.menus.shown": {("approval",): 2, ("outcome",): 1},
        "thread_rag.reports.not_covered": {(): 1},
        "thread_rag.steps.executed": {("observed",): 2, ("failed",): 1},
        "thread_rag.walk.turns": {("escalated",): 1},
    }
    assert sum(durations.values()) == sum(found["thread_rag.turns"].values())
    assert figures.turns_of_walks() == 13


def test_a_guide_is_named_where_that_is_asked_for() -> None:
    with counted(guides=True) as figures:
        HowToSession(library()).start(SHUT)
    assert figures.read()["thread_rag.guides.entered"] == {("sluice.md",): 1}


def test_no_figure_holds_words_of_a_document_or_a_person() -> None:
    with counted(guides=True) as figures:
        session = HowToSession(library())
        session.start(SHUT)
        for said in SAID[2:]:
            session.respond(said)
    held = {value for points in figures.read().values() for values in points for value in values}
    ours = {value.value for values in (Event, Status, Asked, OutcomeKind) for value in values}
    assert held - ours == {"sluice.md"}


def test_nothing_is_counted_before_it_is_asked_for_or_after_it_is_stopped() -> None:
    figures = Figures()
    instrument(figures.provider)()
    HowToSession(library()).start(SHUT)
    assert figures.read() == {}


def test_looking_at_a_walk_is_no_turn() -> None:
    session = HowToSession(library())
    session.start(SHUT)
    with counted() as figures:
        session.show()
        session.respond("why?")
    assert figures.read() == {}


def test_of_a_guide_that_agents_open_the_one_that_they_enter_is_counted() -> None:
    told = library().run(hear(Desk(), SHUT))
    assert told.desk.agent is not None
    numbers = {document: number for number, (document, _) in told.desk.found.items()}
    with counted(guides=True) as figures:
        opened = library().run(call(told.desk, "open_guide", {"number": numbers["sluice.md"]})).desk
        moved = library().run(call(opened, "go_to", {"number": "1"}))
    assert moved.shown is not None, moved.text
    found = figures.read()
    assert found["thread_rag.guides.entered"] == {("sluice.md",): 1}
    assert found["thread_rag.turns"] == {("start", "awaiting"): 1}
    assert "thread_rag.turn.duration" not in found


def test_an_observer_that_fails_stops_no_walk(caplog: pytest.LogCaptureFixture) -> None:
    seen: list[Event] = []

    def failing(happened: Happened) -> None:
        raise ZeroDivisionError

    stops = [observe(failing), observe(lambda happened: seen.append(happened.event))]
    HowToSession(library()).start(SHUT)
    for stop in stops:
        stop()
    assert seen == [Event.START]
    assert "an observer of walks failed" in caplog.text
