"""A session in a file: left at any turn, gone on with later, here or by somebody else."""

from __future__ import annotations

from pathlib import Path

from thread_core.errors import BadSession
from thread_core.store.replacing import replacing
from thread_core.walk.journal import Journal, private
from thread_core.walk.state import SessionState, loaded


class SessionFile:
    """The JSON of a session's state, and beside it the journal that keeps two people from answering one turn.

    Both hold what the person said, and are made readable for their owner alone.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def journal(self) -> Journal:
        """Which turns were answered."""
        return Journal(self.journal_path)

    @property
    def journal_path(self) -> Path:
        """Where the journal is."""
        return self._path.with_name(f"{self._path.name}.journal")

    def is_new(self) -> None:
        """Raise BadSession where there is a session already, or a folder."""
        if self._path.is_dir():
            raise BadSession(f"{self._path} is a folder, expected a file")
        if self._path.exists():
            raise BadSession(
                f"{self._path} holds a session; go on with `thread-rag resume {self._path}`, or name another"
            )

    def read(self) -> SessionState:
        """The state.

        Raises:
            BadSession: there is none, or it cannot be read.
        """
        try:
            return loaded(self._path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not text"
            raise BadSession(
                f"{self._path} cannot be read ({reason}); expected a file written by `thread-rag ask --session`"
            ) from error
        except BadSession as error:
            raise BadSession(f"{self._path}: {error}") from error

    def write(self, state: SessionState) -> None:
        """Put a state in the place of the one before; what breaks off leaves that one.

        Raises:
            BadSession: it cannot be written.
        """
        try:
            with replacing(self._path, private) as file:
                file.write(state.model_dump_json(indent=1))
        except OSError as error:
            raise BadSession(f"{self._path} cannot be written: {error}; the session was not saved") from error
