"""What a step says to do, and what came of it: the port to whoever carries steps out.

The paper hands the action to an execution engine or shows it to the user (section 3.3). Here an executor decides
for each action; whatever it does not do for sure goes to the person.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from pydantic import NonNegativeInt

from thread_core.models import Model, Span, Text

if TYPE_CHECKING:
    from thread_core.walk.journal import Journal

LONGEST_REASON = 500
"""Characters of what is said of an error."""


class OutcomeKind(StrEnum):
    """What became of an action."""

    OBSERVED = "observed"
    """It was carried out; the text is what was seen."""
    HANDED = "handed"
    """It was not carried out: the person is to do it. The text says why, or is empty."""
    APPROVAL = "approval"
    """It was not carried out: the person is asked first, with the text."""
    FAILED = "failed"
    """It was carried out and failed; the text is what was seen."""
    UNCERTAIN = "uncertain"
    """It was begun, and nobody knows how it ended."""


CARRIED_OUT = frozenset({OutcomeKind.OBSERVED, OutcomeKind.FAILED, OutcomeKind.UNCERTAIN})
"""Kinds of what was done, to whatever end, and is not done a second time."""


class Outcome(Model):
    """What became of an action."""

    kind: OutcomeKind
    text: Text = ""


class Action(Model):
    """What one step says to do, with its parameters filled in."""

    key: str
    """The same for the same turn of the same session, in every process: who has it done already does it no more."""
    session: str
    turn: NonNegativeInt = 0
    """In which it is due."""
    began: NonNegativeInt = 0
    """The turn in which the walk was begun: what was run in one before it was for another question."""
    unit_id: str
    header: str
    text: str
    """The step as the person was shown it, parameters filled in."""
    commands: tuple[str, ...] = ()
    """The code of the step that is to be run whatever comes of it, in order, parameters filled in."""
    complete: bool = False
    """Whether the commands are all that the step says to do, up to its first branch; if not, a person has to go on."""
    reason: str = ""
    """Why code of the step is left to the person: "it says ..."; empty where there is none to run."""
    branches: bool = False
    """Whether there is such a branch: what is seen decides how to go on."""
    parameters: Mapping[str, str] = {}
    missing: tuple[str, ...] = ()
    """Placeholders in the commands for which nobody gave a value."""
    citation: Span
    needs: tuple[str, ...] = ()
    """What only a person can vouch for: warnings that hold for the step, and what must be at hand or done before."""
    repeats: tuple[str, ...] = ()
    """Digests of those of its commands of which the walk knows that it has run them; `needs` says so."""
    approved: str = ""
    """The digest that the person has approved; empty where none was."""

    @property
    def digest(self) -> str:
        """Of what would be done, to the letter, and what it needs: an approval of anything else is none."""
        would = [self.unit_id, self.commands, sorted(self.parameters.items()), *([self.needs] if self.needs else [])]
        return hashlib.sha256(json.dumps(would).encode()).hexdigest()

    @property
    def digests(self) -> tuple[str, ...]:
        """Of each of its commands, to the letter."""
        return tuple(map(digest_of, self.commands))

    @property
    def is_approved(self) -> bool:
        """Whether the person has approved it as it is."""
        return self.approved == self.digest


def digest_of(command: str) -> str:
    """Of a command, to the letter."""
    return hashlib.sha256(command.encode("utf-8", "surrogatepass")).hexdigest()[:16]


class Executor(Protocol):
    """Carries out actions. One that has `arun` as well is awaited by callers with an event loop."""

    def run(self, action: Action) -> Outcome:
        """Carry out an action, ask for it, or say that the person is to do it. Whatever it raises counts as failed.

        One that `needs` something and is not approved (`is_approved`) is never carried out: ask for it.
        """


def unordered(action: Action) -> Outcome:
    """Of an action without commands: it is the person's, with the reason where it has code that might be run."""
    return Outcome(kind=OutcomeKind.HANDED, text=f"Not run: {action.reason}" if action.reason else "")


class ManualExecutor:
    """Hands every action to the person."""

    def run(self, action: Action) -> Outcome:
        """The person is to do it; nothing is said about that."""
        return Outcome(kind=OutcomeKind.HANDED)


def perform(executor: Executor, action: Action, journal: Journal) -> Outcome:
    """Have an action carried out once, whatever happens in between: a rerun gets what is recorded.

    Returns:
        What the executor says; FAILED with one line where it raises; UNCERTAIN where an earlier run was cut short, or
        the walk has run it already and does not know of that.

    Raises:
        BadJournal: the journal cannot be used. Before the action, nothing was carried out; after it, the next run
            with the same journal is told UNCERTAIN.
    """
    if (known := journal.begin(action)) is not None:
        return known
    try:
        outcome = executor.run(action)
    except Exception as error:
        outcome = failed(error)
    journal.finish(action, outcome)
    return outcome


async def aperform(executor: Executor, action: Action, journal: Journal) -> Outcome:
    """`perform` on an event loop: awaits the executor's `arun` where it has one, else does it all in a thread.

    A thread goes on where the caller is cancelled, and what it has seen is in the journal.
    """
    arun = getattr(executor, "arun", None)
    if arun is None:
        return await asyncio.to_thread(perform, executor, action, journal)
    if (known := await asyncio.to_thread(journal.begin, action)) is not None:
        return known
    try:
        outcome: Outcome = await arun(action)
    except Exception as error:
        outcome = failed(error)
    await asyncio.to_thread(journal.finish, action, outcome)
    return outcome


def failed(error: Exception) -> Outcome:
    """What is said of an error that an executor has met."""
    said = " ".join(f"{type(error).__name__}: {error}".split())
    return Outcome(kind=OutcomeKind.FAILED, text=said[:LONGEST_REASON])
