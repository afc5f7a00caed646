"""Ctrl-C where it must not come in between."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def held() -> Iterator[None]:
    """Ctrl-C comes afterwards. Processes that are started meanwhile inherit that it is blocked; see `prepare`."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        with _blocked():
            yield
        return
    came = threading.Event()
    signal.signal(signal.SIGINT, lambda *_: came.set())
    try:
        with _blocked():
            yield
    finally:
        signal.signal(signal.SIGINT, before)
        if came.is_set():
            signal.raise_signal(signal.SIGINT)


def prepare() -> None:
    """Start what `multiprocessing` else starts with the first process: until Python 3.14 that opens what is blocked."""
    if hasattr(signal, "pthread_sigmask"):
        from multiprocessing import resource_tracker

        resource_tracker.ensure_running()


@contextmanager
def _blocked() -> Iterator[None]:
    """Blocked for this thread; another that has it open may still take it."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
