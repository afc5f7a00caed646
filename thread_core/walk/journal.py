"""What was answered and what was done, so that neither happens twice: not after a crash, and not in two processes.

One JSON object a line; the file is the audit log too. A line is on the disk before what it announces happens: an
action that has a line `begun` and none `finished` may have been carried out, in part or in whole, and nobody does it
again by itself.

The file holds the answers of people, the commands with their parameters, and what executors saw, as far as they
report it. It never holds an environment. It is made readable for its owner alone.

A file that is renamed is done with: a new one is begun, and the answers of the old one are known for as long as that
one is written. What was run is known until the process ends.
"""

from __future__ import annotations

import copy
import errno
import io
import json
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from thread_core.errors import AnsweredAlready, BadJournal
from thread_core.store.locking import locked
from thread_core.walk.execution import CARRIED_OUT, Action, Outcome, OutcomeKind, digest_of

FORM = 1
"""Of the lines that are read again. A line of form 1 does not say so; one of a later form says `form`."""

_FIRST = b'{"at": "'
"""How every line begins: what a crash left of one can be told from somebody else's file."""
_UNKNOWN = (
    "This was started at {at} by process {process}, and it is not known how it ended: it may have run completely, in"
    " part or not at all, or may still be running. It was not started again. Check what it has changed, then say what"
    " you see."
)
_LOST = (
    "{command} was already run at {at} by this walk, which has no record of it, because it was interrupted or forked."
    " It was not run again. Check what it has changed, then say what you see. Its output then:\n{seen}"
)


class _Begun(NamedTuple):
    """An action that was begun."""

    at: str
    turn: int
    digests: frozenset[str]
    """Of its commands."""


class Journal:
    """Who answered a turn first, and what became of each action. Threads and processes may share one file.

    Every method may raise `BadJournal`.

    Example:
        >>> journal = Journal()  # in memory; `Journal("incident.jsonl")` outlives the process
        >>> journal.answered("a1", 3, "Run it")
        >>> journal.answered("a1", 3, "I do it myself")
        Traceback (most recent call last):
        thread_core.errors.AnsweredAlready: turn 3 of session a1 has been answered already, with 'Run it'; load ...
    """

    def __init__(self, path: str | Path | None = None) -> None:
        """Use a file, which is made where there is none; without a path, memory.

        Raises:
            BadJournal: a line of the file is no entry, or the file cannot be used.
        """
        self._book = _Book(Path(path) if path is not None else None)
        self._facts: dict[str, Any] = {}
        with self._book.open():
            pass

    def noting(self, *, by: str = "", about: Mapping[str, Any] | None = None) -> Journal:
        """The same journal, which says in each line that it writes who moves the walk, and what that is about.

        Args:
            by: The person, as you name them.
            about: Anything that JSON holds: an incident's id, say.

        Example:
            >>> journal = Journal()
            >>> journal.noting(by="ann", about={"incident": 17}).answered("a1", 3, "it is red")
            >>> [(entry["by"], entry["about"], entry["answer"]) for entry in journal.entries()]
            [('ann', {'incident': 17}, 'it is red')]
        """
        noting = copy.copy(self)
        noting._facts = {**self._facts, **({"by": by} if by else {}), **({"about": dict(about)} if about else {})}
        return noting

    def answered(self, session: str, turn: int, answer: str) -> None:
        """Record the answer to a turn. The same answer again is a rerun and passes.

        Raises:
            AnsweredAlready: another answer came first.
        """
        with self._book.open() as file:
            first = self._book.first(session, turn)
            if first is None:
                self._append(file, "answered", **_named_session(session), turn=turn, answer=answer)
            elif first != answer:
                raise AnsweredAlready(session, turn, first)

    def answer_to(self, session: str, turn: int) -> str | None:
        """The answer to a turn that counts; None where there is none yet."""
        with self._book.open():
            return self._book.first(session, turn)

    def has_begun(self, action: Action) -> bool:
        """Whether an action was begun and may have done something, so that it is not begun again."""
        with self._book.open():
            return self._book.came_of(action) is not None

    def begin(self, action: Action) -> Outcome | None:
        """Record that an action is begun now; None means: go ahead.

        Returns:
            What came of it where it was carried out before. UNCERTAIN where it was begun and nothing says how it ended,
            or where one of its commands was, at another step of the walk as it was then: whether it is the same one is
            for a person to say.
        """
        with self._book.open() as file:
            known = self._book.came_of(action)
            if known is not None:
                self._append(file, "repeated", key=action.key, kind=known.kind)
                return known
            self._append(
                file,
                "begun",
                key=action.key,
                **_named_session(action.session),
                turn=action.turn,
                unit=action.unit_id,
                header=action.header,
                commands=action.commands,
                approved=action.approved,
                process=os.getpid(),
            )
        return None

    def finish(self, action: Action, outcome: Outcome) -> None:
        """Record what became of an action. Where nothing was carried out, it may be begun again."""
        with self._book.open() as file:
            self._append(file, "finished", key=action.key, kind=outcome.kind, text=outcome.text)

    def reached(
        self, session: str, turn: int, status: str, question: str, document: str, more: Mapping[str, Any] | None = None
    ) -> None:
        """Record where a turn has led: to what status of the walk, and in which document.

        Args:
            session: The walk's id.
            turn: That was reached.
            status: Of the walk.
            question: With which it began.
            document: Of the step at hand.
            more: What else is known, for `record` and `gaps`: `step`, `asks`, `gap`.
        """
        facts = {"turn": turn, "status": status, "question": question, "document": document, **(more or {})}
        self.note("reached", **_named_session(session), **facts)

    def note(self, event: str, **facts: Any) -> None:
        """Record anything else, as JSON: it is read by people only."""
        with self._book.open() as file:
            self._append(file, event, **facts)

    def entries(self) -> list[dict[str, Any]]:
        """All entries of the file as it is now, the oldest first; each says `at` and `event`."""
        with self._book.open() as file:
            file.seek(0)
            return [json.loads(line) for line in file.read().splitlines()]

    def _append(self, file: io.RawIOBase | io.BytesIO, event: str, **facts: Any) -> None:
        self._book.append(file, event, {**self._facts, **facts})


class _Book:
    """The lines of a journal, in a file or in memory, and what they say."""

    def __init__(self, path: Path | None) -> None:
        self.outcomes: dict[str, Outcome] = {}
        self._walks: dict[str, dict[str, _Begun]] = {}
        self._path = path
        self._mutex = threading.Lock()
        self._answers: dict[tuple[str, int], str] = {}
        self._earlier: dict[tuple[str, int], str] = {}
        self._memory = io.BytesIO()
        self._lines = 0
        self._size = 0
        self._file = (0, 0)

    def first(self, session: str, turn: int) -> str | None:
        """The first answer to a turn."""
        return self._answers.get((session, turn), self._earlier.get((session, turn)))

    def came_of(self, action: Action) -> Outcome | None:
        """What came of an action where it was begun, or of one that the walk has lost; None where it is new."""
        if action.key in self.outcomes:
            return self.outcomes[action.key]
        new = {digest_of(command): command for command in action.commands}
        for digest in action.repeats:
            new.pop(digest, None)
        for key, begun in self._walks.get(action.session, {}).items():
            lost = [command for digest, command in new.items() if digest in begun.digests]
            if lost and key in self.outcomes and begun.turn >= action.began:
                seen = self.outcomes[key]
                if seen.kind is OutcomeKind.UNCERTAIN:
                    return seen
                text = _LOST.format(command=lost[0], at=begun.at, seen=seen.text)
                return Outcome(kind=OutcomeKind.UNCERTAIN, text=text.strip())
        return None

    @contextmanager
    def open(self) -> Iterator[io.RawIOBase | io.BytesIO]:
        """The file, locked and read to its end."""
        with self._mutex:
            if self._path is None:
                yield self._memory
                return
            try:
                with self._current(self._path) as file:
                    self._catch_up(file, self._path)
                    yield file
            except OSError as error:
                raise BadJournal(
                    f"the journal {self._path} cannot be used ({error}); free some space, give this user access to it,"
                    " or choose another file"
                ) from error

    @contextmanager
    def _current(self, path: Path) -> Iterator[io.FileIO]:
        """The file of that name, locked: not one that was renamed before it could be."""
        while True:
            with open(path, "a+b", buffering=0, opener=private) as file, locked(file):
                if _named(path) == _identity(os.fstat(file.fileno())):
                    yield file
                    return

    def _catch_up(self, file: io.FileIO, path: Path) -> None:
        """Read what others have written since."""
        status = os.fstat(file.fileno())
        if self._file not in ((0, 0), _identity(status)):
            self._turn_over(path)
        self._file = _identity(status)
        if status.st_size < self._size:
            raise self._bad(
                f"is shorter than before ({status.st_size} bytes, {self._size} were read); restore its lines"
            )
        torn = self._read_on(file)
        if torn and not (torn.startswith(_FIRST) or _FIRST.startswith(torn)):
            self._read(torn)
            raise self._bad(f"line {self._lines + 1}: does not end with a newline")
        if torn:  # whoever wrote it was killed before anything came of it
            file.truncate(self._size)

    def _turn_over(self, path: Path) -> None:
        """Begin a new file, once the end of the old one is read, where it lies beside under another name."""
        old = next((one for one in path.parent.iterdir() if _named(one) == self._file), None)
        if old is not None:
            with open(old, "rb", buffering=0) as file, locked(file):
                self._read_on(file)
        self._earlier, self._answers = self._answers, {}
        self._lines = self._size = 0

    def _read_on(self, file: io.FileIO) -> bytes:
        """Know the lines that were not read yet -> what stands after the last of them."""
        file.seek(self._size)
        *lines, torn = file.read().split(b"\n")
        for line in lines:
            self._take(self._read(line))
            self._size += len(line) + 1
        return torn

    def _read(self, line: bytes) -> dict[str, Any]:
        try:
            entry = json.loads(line)
            at, event = entry["at"], entry["event"]
        except (ValueError, TypeError, KeyError, RecursionError):
            raise self._bad(f"line {self._lines + 1}: {line[:60]!r} is not an entry of a journal") from None
        if entry.get("form", 1) != FORM:
            raise BadJournal(
                f"{self._path}: line {self._lines + 1} has format {entry['form']}, but this release reads format"
                f" {FORM}; continue with the release that wrote it"
            )
        return {"at": str(at), "event": str(event), **entry}

    def append(self, file: io.RawIOBase | io.BytesIO, event: str, facts: Mapping[str, Any]) -> None:
        """Write a line."""
        at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line = json.dumps({"at": at, "event": event, **facts}).encode() + b"\n"
        file.seek(self._size)
        try:
            written = file.write(line)
            if written != len(line):
                raise OSError(errno.ENOSPC, f"only {written} of {len(line)} bytes were written")
            if self._path is not None:
                os.fsync(file.fileno())
        except OSError:
            file.truncate(self._size)
            raise
        self._size += len(line)
        self._take(json.loads(line))

    def _take(self, entry: dict[str, Any]) -> None:
        """Know what an entry says."""
        try:
            match entry["event"]:
                case "answered":
                    session = "/".join([entry["session"], *([entry["pause"]] if "pause" in entry else [])])
                    self._answers.setdefault((session, entry["turn"]), entry["answer"])
                case "begun":
                    text = _UNKNOWN.format(at=entry["at"], process=entry["process"])
                    begun = _Begun(entry["at"], entry["turn"], frozenset(map(digest_of, entry["commands"])))
                    self._walks.setdefault(entry["session"], {})[entry["key"]] = begun
                    self.outcomes[entry["key"]] = Outcome(kind=OutcomeKind.UNCERTAIN, text=text)
                case "finished":
                    outcome = Outcome(kind=entry["kind"], text=entry["text"])
                    self.outcomes[entry["key"]] = outcome
                    if outcome.kind not in CARRIED_OUT:
                        del self.outcomes[entry["key"]]
        except (KeyError, TypeError, ValueError):
            number = self._lines + 1
            raise self._bad(f"line {number}: an incomplete entry {entry['event']!r}") from None
        self._lines += 1

    def _bad(self, reason: str) -> BadJournal:
        return BadJournal(
            f"{self._path}: {reason}. Without it, something could be run a second time: restore the"
            " file from a copy, or move it away and check by hand what was done."
        )


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def _named(path: Path) -> tuple[int, int] | None:
    """Which file has a name; None where none has."""
    try:
        return _identity(path.stat())
    except FileNotFoundError:
        return None


def private(path: str, flags: int) -> int:
    """Opens a file that is made readable for its owner alone, for `open(..., opener=private)`."""
    return os.open(path, flags, 0o600)


def _named_session(session: str) -> dict[str, str]:
    """A session by its id; where it is one pause or one call of it, which of them stands for itself."""
    name, _, pause = session.partition("/")
    return {"session": name, "pause": pause} if pause else {"session": name}
