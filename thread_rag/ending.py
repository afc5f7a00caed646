"""Being told to stop: by Ctrl-C, or by whoever ends processes politely."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn


class Stopped(KeyboardInterrupt):
    """Somebody ends the process with a signal other than Ctrl-C's."""


@contextmanager
def ending_politely() -> Iterator[None]:
    """Have SIGTERM raise `Stopped`, so that what was opened is closed as it is after a Ctrl-C."""
    before = signal.signal(signal.SIGTERM, _stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def exit_code(stopped: KeyboardInterrupt) -> int:
    """What shells expect of a process that a signal has ended."""
    return 128 + (signal.SIGTERM if isinstance(stopped, Stopped) else signal.SIGINT)


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    raise Stopped
