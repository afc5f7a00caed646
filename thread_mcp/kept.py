"""Sessions on disk: for each client a folder, in it for each session its state and its journal, as the command's are.

They are their owner's: a client knows none but its own, whoever tells it an id. Ids have 122 random bits.

Sessions are pruned when the server starts and once an hour: those that have ended, ENDED days after they were moved
last, and those that were left open, OPEN days after that. One that is being moved is never pruned.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from thread_core.errors import BadSession, ThreadError
from thread_core.store.locking import Held, holding
from thread_core.walk.saving import SessionFile
from thread_core.walk.state import SessionState
from thread_core.walk.states import STEPPED

LOCAL = "local"
"""The client that needs no token: who can run the server, or reach its socket."""
ENDED, OPEN = 30, 90
"""Days for which a session is kept that nobody moves."""
PATIENCE = 30.0
"""Seconds to wait for another call that moves the same session."""
_DAY, _HOUR = 86_400.0, 3_600.0
_ID = re.compile(r"[0-9a-f]{32}")
CLIENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_SUFFIX, _LOCK, _JOURNAL = ".json", ".lock", ".json.journal"


class NoSession(ThreadError):
    """This client has no session of that id."""


class SessionFolder:
    """The sessions of all clients. Processes may share one folder."""

    def __init__(self, folder: Path, *, clock: Callable[[], float] = time.time) -> None:
        """Use a folder, which is made where it is missing.

        Raises:
            BadSession: it cannot be made.
        """
        self._folder = folder
        self._clock = clock
        self._pruned = 0.0
        self._mine(LOCAL)

    @contextmanager
    def new(self, client: str) -> Iterator[tuple[SessionState, SessionFile]]:
        """A session that has not begun, and where it is kept."""
        self.prune()
        state = SessionState()
        path = self._path(client, state.id)
        try:
            with self._alone(client, state.id) as file:
                yield state, file
        finally:
            if not path.is_file():  # it did not come to be
                _remove(path)

    @contextmanager
    def opened(self, client: str, session: str) -> Iterator[tuple[SessionState, SessionFile]]:
        """Where a session of a client stands, and where it is kept; nobody else moves it meanwhile.

        Raises:
            NoSession: the client has no such session.
            BadSession: it cannot be read, or another call is at it for too long.
        """
        none = NoSession(
            f"found no session {session[:40]!r} of yours; call start, or pass the id that it returned, without the turn"
        )
        if not _ID.fullmatch(session) or not self._path(client, session).is_file():
            raise none
        with self._alone(client, session) as file:
            if not self._path(client, session).is_file():  # it was pruned just now
                raise none
            yield file.read(), file

    def prune(self) -> None:
        """Remove the sessions that nobody goes on with; not more often than once an hour."""
        now = self._clock()
        if now - self._pruned < _HOUR:
            return
        self._pruned = now
        for path in self._folder.glob(f"*/*{_SUFFIX}"):
            with suppress(OSError, Held):
                if _ID.fullmatch(path.stem) and now - path.stat().st_mtime > ENDED * _DAY:
                    with holding(path.with_suffix(_LOCK), 0):
                        self._prune(path, now)

    def _prune(self, path: Path, now: float) -> None:
        with suppress(BadSession):  # what cannot be read is somebody's to look after
            days = OPEN if SessionFile(path).read().status in STEPPED else ENDED
            if now - path.stat().st_mtime > days * _DAY:
                _remove(path)

    @contextmanager
    def _alone(self, client: str, session: str) -> Iterator[SessionFile]:
        path = self._path(client, session)
        try:
            with holding(path.with_suffix(_LOCK), PATIENCE):
                yield SessionFile(path)
        except Held:
            raise BadSession(
                f"another call is working on session {session}; wait for its result, then call where"
            ) from None

    def _path(self, client: str, session: str) -> Path:
        return self._mine(client) / f"{session}{_SUFFIX}"

    def _mine(self, client: str) -> Path:
        """A client's folder."""
        if not CLIENT.fullmatch(client):
            raise ValueError(f"found the client {client!r}, expected at most 40 letters, digits, - and _")
        folder = self._folder / client
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise BadSession(
                f"{folder} cannot be created ({error.strerror}); choose another folder for sessions"
            ) from error
        return folder


def _remove(path: Path) -> None:
    for ending in (_SUFFIX, _JOURNAL, _LOCK):
        path.with_suffix(ending).unlink(missing_ok=True)
