"""Has the log say that models fail: at once, and then at intervals, for one that is down is down for everybody."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from thread_core.errors import BudgetSpent, ModelError

if TYPE_CHECKING:
    from thread_core.llm.asking import Role

AGAIN = 60.0
"""Seconds in which the same is not said twice."""


class Rarely:
    """A logger that says of each kind of trouble when it begins, and then at intervals how often it was met."""

    def __init__(self, logger: logging.Logger, clock: Callable[[], float] = time.monotonic) -> None:
        self._logger = logger
        self._clock = clock
        self._lock = threading.Lock()
        self._said: dict[str, tuple[float, int]] = {}
        """When each kind was said last, and how often it was met since."""

    def warning(self, kind: str, message: str) -> None:
        """Say what was met, unless the like was said just now."""
        with self._lock:
            last, met = self._said.get(kind, (-math.inf, 0))
            now = self._clock()
            is_due = now - last >= AGAIN
            self._said[kind] = (now, 0) if is_due else (last, met + 1)
        if is_due:
            self._logger.warning("%s%s", message, f" ({met} times since the last message)" if met else "")


_rarely = Rarely(logging.getLogger(__name__))


def tell(role: Role, error: Exception, reason: str) -> None:
    """Say that a role's model is done without. Of documents' own troubles their reports and the ingest's speak."""
    if role.is_waited_for:
        name = role.replace("_", " ")
        _rarely.warning(f"{role} {type(error).__name__}", f"the {name} works without a model: {reason}")


@contextmanager
def told(role: Role) -> Iterator[None]:
    """Say so where no reply comes; the error goes on."""
    try:
        yield
    except (BudgetSpent, ModelError) as error:
        tell(role, error, str(error))
        raise
