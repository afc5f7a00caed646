"""Being alone with something, of all threads and processes: the operating system's locks on files.

A process that dies lets go of what it held.
"""

from __future__ import annotations

import errno
import io
import json
import os
import platform
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from thread_core.models import Model

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_FAR = 0x7FFF_0000
"""Windows keeps others from reading what is locked, so a byte is locked that no file of ours reaches."""
_PAUSE = 0.1
"""Seconds between two attempts to get a lock."""
_MOMENT = 10.0
"""Seconds for which those in `unheld`, who do not say who they are, are waited for in any case."""


class Holder(Model):
    """Who holds a lock."""

    process: int
    host: str
    since: str
    """ISO 8601, UTC."""

    @classmethod
    def me(cls) -> Holder:
        """This process, from now on."""
        now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        return cls(process=os.getpid(), host=platform.node(), since=now)

    def __str__(self) -> str:
        """For a message."""
        return f"process {self.process} on {self.host}, since {self.since}"


class Held(Exception):
    """Somebody else holds the lock; the message says who, as far as that can be known."""


@contextmanager
def locked(file: io.FileIO) -> Iterator[None]:
    """Alone with a file, however long others take; whoever closes the file lets go of it."""
    if sys.platform == "win32":
        while not _try(file):
            time.sleep(_PAUSE)
    else:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX)
    try:
        yield
    finally:
        _let_go(file)


@contextmanager
def holding(path: Path, patience: float, *, shared: bool = False) -> Iterator[None]:
    """Alone with whatever a file stands for. It is made where it is missing, stays, and says who holds it.

    Where it is shared, others may hold it who also share it; of those, it does not say who they are.

    Raises:
        Held: others did not let go of it for `patience` seconds.
        OSError: the file cannot be used.
    """
    began = time.monotonic()
    with open(path, "a+b", buffering=0) as file:
        while not _try(file, together=shared):
            patient = patience if _is_held(file) else max(patience, _MOMENT)
            if (left := began + patient - time.monotonic()) <= 0:
                raise Held(_holder(file))
            time.sleep(min(_PAUSE, left))
        try:
            if not shared:
                _say(file, Holder.me().model_dump_json())
            yield
        finally:
            if not shared:
                _say(file, "")
            _let_go(file)


@contextmanager
def unheld(path: Path) -> Iterator[bool]:
    """Whether nobody holds what a file stands for; as long as that is so in here, nobody comes to.

    Any number may be in here at once. Be quick: whoever wants to hold it waits for that, `_MOMENT` in any case.

    Raises:
        OSError: the file cannot be used.
    """
    with open(path, "a+b", buffering=0) as file:
        if not _try(file, together=True):
            yield False
            return
        try:
            if _is_held(file):  # it says so, and was killed
                _say(file, "")
            yield True
        finally:
            _let_go(file)


def _try(file: io.FileIO, *, together: bool = False) -> bool:
    """Take the lock, unless somebody holds it; `together` with others who do so, where the system has that."""
    try:
        if sys.platform == "win32":
            os.lseek(file.fileno(), _FAR, os.SEEK_SET)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(file.fileno(), (fcntl.LOCK_SH if together else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EAGAIN, errno.EDEADLK):
            return False
        raise
    return True


def _let_go(file: io.FileIO) -> None:
    if sys.platform == "win32":
        os.lseek(file.fileno(), _FAR, os.SEEK_SET)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)
    else:
        fcntl.flock(file.fileno(), fcntl.LOCK_UN)


def _is_held(file: io.FileIO) -> bool:
    """Whether somebody has said that they hold it."""
    return os.fstat(file.fileno()).st_size > 0


def _say(file: io.FileIO, text: str) -> None:
    file.truncate(0)
    file.write(text.encode())


def _holder(file: io.FileIO) -> str:
    file.seek(0)
    try:
        return str(Holder(**json.loads(file.read())))
    except (ValueError, TypeError):
        return "another process"
