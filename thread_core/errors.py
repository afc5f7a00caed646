"""What can go wrong, and what to do about it.

ThreadError
├── BadDocument      a document cannot be read or is not text
├── BadStore         a collection does not hold what we need
│   └── StoreBusy    somebody else is taking documents into it
├── BadIndex         the file that keeps the words cannot be used
├── BadCache         the file that keeps models' replies, or vectors, cannot be used
├── BadLedger        the file that keeps what an ingest knows cannot be used
├── BadWorkers       processes that take documents apart cannot be started
├── BadFile          a file of units is damaged, or a file that was named cannot be used
├── BadJournal       the file that keeps what was done cannot be used
├── AnsweredAlready  this turn of a session has another answer already
├── NothingFound     a folder without documents
├── BadSession       what is to be resumed is not a session, or of another version
├── IllegalStep      an event that does not fit the session's state
├── BadReply         a model's reply that cannot be used
├── ModelError       a model gave no reply
│   ├── ModelBusy    for now: asked too often, out of order, too slow, cut off
│   ├── TooLong      what it was asked is longer than it reads
│   └── CallRefused  its service does not take the call as it was made
└── BudgetSpent      the next call could cost more than what is left

Wrong arguments are ValueError or TypeError.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from thread_core.extraction.fidelity import Extraction


def missing(error: ModuleNotFoundError, extra: str) -> ModuleNotFoundError:
    """The error of an import that failed, with what to install: what the extra brings has to fit together."""
    return ModuleNotFoundError(f'{error.msg}; it comes with: pip install "thread-rag[{extra}]"', name=error.name)


def kind_of(value: object) -> str:
    """What a value is that was given in another's place, with its module: two frameworks call many classes alike.

    Example:
        >>> kind_of(ModuleNotFoundError()), kind_of(ThreadError())
        ('ModuleNotFoundError', 'thread_core.errors.ThreadError')
    """
    return f"the class {full_name(value)}" if isinstance(value, type) else full_name(type(value))


def full_name(kind: type) -> str:
    """A class's name with its module."""
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


class ThreadError(Exception):
    """Root of all errors of this project: the message says what was found, what was expected, what to do."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors travel between processes as they are, and are not made again of their message."""
        return _as_it_was, (type(self), self.args), self.__dict__


def _as_it_was(kind: type[ThreadError], said: tuple[Any, ...]) -> ThreadError:
    return kind.__new__(kind, *said)


class BadDocument(ThreadError):
    """A document that cannot be taken in; the others of the same run are not touched."""

    def __init__(self, document_id: str, reason: str) -> None:
        super().__init__(f"{document_id}: {reason}")
        self.document_id = document_id
        self.reason = reason


class BadStore(ThreadError):
    """The store does not fit: it cannot be read, or was embedded with another model."""


class StoreBusy(BadStore):
    """Another ingest is at work on the same store; this one has begun nothing."""


class BadIndex(ThreadError):
    """The file of a lexical index cannot be read or written, or is none. The store is not touched by that."""


class BadCache(ThreadError):
    """The file of kept replies or vectors cannot be read or written, or is none. Nothing but their price is lost."""

    done: Sequence[Extraction] = ()
    """The documents, in order, that a splitter or a parser had finished before."""


class BadLedger(ThreadError):
    """The file of an ingest's ledger cannot be read or written, or is none. The store is not touched by that."""


class BadWorkers(ThreadError):
    """Processes that take documents apart cannot be started. What was taken in until then counts."""


class BadFile(ThreadError):
    """A file that somebody named is damaged, or cannot be read or written. Nothing was done with what it holds."""


class BadJournal(ThreadError):
    """The file of a journal cannot be read or written, or a line of it is no entry. Nothing was begun, nothing lost."""


class AnsweredAlready(ThreadError):
    """A turn of a session has another answer, which counts. The session is left as it was.

    Somebody else was first; or the same person, in a call that was cancelled or killed before it gave its turn. Where a
    session still stands at that turn when it is loaded anew, nobody goes on with it: `answer`, given again, does.
    """

    def __init__(self, session: str, turn: int, answer: str | None = None) -> None:
        said = "" if answer is None else f", with {answer!r}"
        again = "" if answer is None else "; if it is still at that turn, give the same answer again"
        super().__init__(
            f"turn {turn} of session {session} has been answered already{said}; "
            f"load the session again, and answer what it asks now{again}"
        )
        self.session = session
        self.turn = turn
        self.answer = answer
        """The answer that counts, as it may be given again; None where only the turn is known."""


class NothingFound(ThreadError):
    """No document where some were expected."""


class BadSession(ThreadError, ValueError):
    """The state of a session cannot be read; nothing was done with it."""


class IllegalStep(ThreadError):
    """The session is left as it was."""

    def __init__(self, event: str, status: str, advice: str) -> None:
        super().__init__(f"cannot {event} a session that is {status}: {advice}")
        self.event = event
        self.status = status


class BadReply(ThreadError):
    """A model's reply that could not be used; `raw` holds it."""

    def __init__(self, reason: str, raw: str) -> None:
        super().__init__(reason)
        self.raw = raw


class ModelError(ThreadError):
    """A model gave no reply, or not all of it; asking the same again will not help."""

    was_read: bool = False
    """Whether the service has read what it was asked, as far as can be known: it counts that, reply or no reply."""

    def __init__(self, reason: str, *, said: str = "") -> None:
        super().__init__(reason)
        self.said = said
        """What had come of a reply before it broke off."""


class ModelBusy(ModelError):
    """A model gave no reply this time; asking again may help."""

    def __init__(self, reason: str, *, said: str = "", retry_after: float | None = None) -> None:
        super().__init__(reason, said=said)
        self.retry_after = retry_after
        """Seconds that the service asks to wait."""


class TooLong(ModelError):
    """A conversation is longer than what the model reads."""


class CallRefused(ModelError):
    """The service does not take a call as it was made (HTTP 400 or 422); made otherwise, it may."""


class BudgetSpent(ThreadError):
    """A call was not made, because it could have cost more than what is left of the budget; or was cut off there."""

    done: Sequence[Extraction] = ()
    """The documents, in order, that a splitter or a parser had finished before."""
