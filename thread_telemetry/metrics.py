"""What is counted of walks, under names after OpenTelemetry's conventions; the table of them is in operations.md.

Attributes have few values, all of them ours: no text of a document, nothing that a person has said.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version

from opentelemetry.metrics import MeterProvider, get_meter

from thread_core.walk.execution import CARRIED_OUT
from thread_core.walk.observing import Happened, observe
from thread_core.walk.reporting import is_not_covered
from thread_core.walk.state import SessionState
from thread_core.walk.states import ENDED, Event

EVENT, STATUS, MENU, OUTCOME, GUIDE = (
    f"thread_rag.{name}" for name in ("event", "status", "menu", "outcome", "guide.id")
)
"""Names of attributes; all but the last have the values of an enumeration of ours."""
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
"""Bounds of a turn's time: without a model it is some milliseconds, with one some seconds."""
TURNS = (1, 2, 3, 5, 8, 13, 21, 34, 55)
_ANEW = frozenset({Event.START, Event.RESTART})


def instrument(meter_provider: MeterProvider | None = None, *, guides: bool = False) -> Callable[[], None]:
    """Count what happens in every walk of this process, at whatever front, from now on.

    Where no SDK is set up, nothing comes of it. Call it once: a second time counts everything twice.

    Args:
        meter_provider: Where the figures go; the global one, where it is not given.
        guides: Whether to say of which guide, by its id, what was entered or not covered. Each guide is then a time
            series of its own, which a few hundred may be; an id is a path or an address, and may tell what is private.

    Returns:
        What ends it.

    Example:
        >>> stop = instrument()
        >>> stop()
    """
    return observe(_Metrics(meter_provider, guides).count)


class _Metrics:
    """The instruments."""

    def __init__(self, meter_provider: MeterProvider | None, guides: bool) -> None:
        meter = get_meter("thread_rag", version("thread-rag"), meter_provider)
        self._guides = guides
        self._turns = meter.create_counter("thread_rag.turns", "{turn}", "Turns in which a walk moved")
        self._entered = meter.create_counter("thread_rag.guides.entered", "{guide}", "Guides that walks entered")
        self._menus = meter.create_counter("thread_rag.menus.shown", "{menu}", "Questions with options that were asked")
        self._not_covered = meter.create_counter(
            "thread_rag.reports.not_covered", "{report}", "Reports that the current guide says nothing about"
        )
        self._executed = meter.create_counter(
            "thread_rag.steps.executed", "{step}", "Steps that an executor carried out"
        )
        self._duration = meter.create_histogram(
            "thread_rag.turn.duration", "s", "Time of a turn", explicit_bucket_boundaries_advisory=SECONDS
        )
        self._walk = meter.create_histogram(
            "thread_rag.walk.turns", "{turn}", "Turns until a walk ended", explicit_bucket_boundaries_advisory=TURNS
        )

    def count(self, happened: Happened) -> None:
        """Count a turn."""
        event, before, after = happened.event, happened.before, happened.after
        self._turns.add(1, {EVENT: event.value, STATUS: after.status.value})
        if happened.seconds is not None:
            self._duration.record(happened.seconds, {EVENT: event.value})
        if happened.outcome is not None and happened.outcome.kind in CARRIED_OUT:
            self._executed.add(1, {OUTCOME: happened.outcome.kind.value})
        if after.step is not None and (event in _ANEW or after.step.document_id not in _documents(before)):
            self._entered.add(1, self._guide(after))
        if after.pending is not None and after.pending != before.pending:
            self._menus.add(1, {MENU: after.pending.kind.value})
            if is_not_covered(after):
                self._not_covered.add(1, self._guide(after))
        if after.status in ENDED and before.status not in ENDED:
            self._walk.record(after.turn - after.began, {STATUS: after.status.value})

    def _guide(self, state: SessionState) -> dict[str, str]:
        return {GUIDE: state.step.document_id} if self._guides and state.step is not None else {}


def _documents(state: SessionState) -> set[str]:
    return {step.document_id for step in state.trail}
