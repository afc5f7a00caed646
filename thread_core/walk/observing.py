"""What happens in walks, told to whoever counts it; `thread_telemetry` counts it for OpenTelemetry.

Whoever observes does so for the whole process, as the handlers of logs do: every front comes by here, so that none has
an option for it, and what is counted does not depend on how a walk was begun.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, NamedTuple, ParamSpec

from thread_core.plan import Plan
from thread_core.walk.execution import Outcome
from thread_core.walk.rendering import Turn
from thread_core.walk.state import SessionState
from thread_core.walk.states import READING, Event

P = ParamSpec("P")
_LOG = logging.getLogger(__name__)


class Happened(NamedTuple):
    """A turn in which a walk has moved, or an executor has had a step."""

    event: Event
    before: SessionState
    """Where the walk stood. It holds what the person said, as `after` does: pass on no text of either."""
    after: SessionState
    outcome: Outcome | None = None
    """What came of the step, where an executor has had it."""
    seconds: float | None = None
    """What the turn has taken, models and store with it, but no executor; None where agents have led it."""


Observer = Callable[[Happened], None]
"""Called in the thread of the walk, which waits for it."""

_observers: tuple[Observer, ...] = ()


def observe(observer: Observer) -> Callable[[], None]:
    """Have each turn of every walk of this process told to an observer; call what is returned to end that.

    Example:
        >>> stop = observe(lambda happened: print(happened.event, happened.after.status))
        >>> tell(Happened(Event.START, SessionState(), SessionState()))
        start new
        >>> stop()
    """
    global _observers
    _observers = (*_observers, observer)

    def stop() -> None:
        global _observers
        _observers = tuple(one for one in _observers if one is not observer)

    return stop


def tell(happened: Happened) -> None:
    """Tell every observer of a turn, unless it changes nothing. What one raises is logged, and the walk goes on."""
    if happened.event in READING:
        return
    for observer in _observers:
        try:
            observer(happened)
        except Exception:
            _LOG.warning("an observer of walks failed", exc_info=True)


Made = Plan[tuple[SessionState, Turn]]


def observed(
    make: Callable[Concatenate[SessionState, Event, P], Made],
) -> Callable[Concatenate[SessionState, Event, P], Made]:
    """A plan of a turn that is told to the observers once it is made, and how long that took."""

    @wraps(make)
    def made(state: SessionState, event: Event, /, *args: P.args, **kwargs: P.kwargs) -> Made:
        began = time.perf_counter()
        reached, shown = yield from make(state, event, *args, **kwargs)
        outcome = kwargs.get("outcome")
        seconds = time.perf_counter() - began
        tell(Happened(event, state, reached, outcome if isinstance(outcome, Outcome) else None, seconds))
        return reached, shown

    return made
