"""Approving and correcting links: from what a form says to what is kept of it, and back.

Where the file is and how its document is taken in again, a `Desk` knows, which whoever serves the pages brings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from hashlib import sha256
from typing import Protocol

from thread_core.documents.blocks.source import Source
from thread_core.errors import ThreadError
from thread_core.extraction.corrections import Key, beginning, beginnings, keyed
from thread_core.models import Correction, Goal, Link, LogicUnit
from thread_core.shelf import Leads
from thread_view.guide import Guide, Option
from thread_view.pages import Kept

WORDS = {
    Goal.INSIDE: "the step itself says what to do then",
    Goal.RESOLVED: "the problem is solved",
    Goal.ESCALATE: "hand it over",
    Goal.NOWHERE: "it is not a link",
}


class CannotCorrect(ThreadError):
    """Nothing can be kept about the links of a document, or not this; nothing was."""


class Desk(Protocol):
    """Where what is said about links is kept."""

    def sheet(self, document_id: str) -> tuple[str, Source, tuple[Correction, ...]]:
        """The file's name, the document's text, and what was said about its links.

        Raises:
            CannotCorrect: the document's file is not at hand, or says something else than the store.
        """

    def keep(self, document_id: str, said: Mapping[Key, Correction | None]) -> str:
        """Keep what was said about links, or with None take it back; then take the document in again.

        Returns:
            What was done, for the person.

        Raises:
            CannotCorrect: the file cannot be written.
        """


@dataclass(frozen=True)
class Sheet:
    """A guide with what was said about its links."""

    guide: Guide
    file: str
    source: Source
    said: tuple[Correction, ...]

    @classmethod
    def of(cls, desk: Desk, guide: Guide) -> Sheet:
        """Read what a desk keeps of a guide; see `Desk.sheet`."""
        return cls(guide, *desk.sheet(guide.document_id))

    @cached_property
    def keys(self) -> Mapping[str, Key]:
        """What corrections call each link, by its name on the page."""
        units = [step.unit for step in self.guide.steps]
        gone = [one.key for one in self.said if one.leads is Goal.NOWHERE]
        return {f"{one.at + 1}-{one.nth}": one.key for one in keyed(units, self.source, gone)}

    @property
    def verdicts(self) -> Mapping[str, Correction]:
        """What was said, by the names of the links."""
        said = {one.key: one for one in self.said}
        return {name: said[key] for name, key in self.keys.items() if key in said}

    def kept(self) -> Iterator[Kept]:
        """All that was said, also what is stale."""
        present = set(self.keys.values())
        lines = "\n".join(line.strip() for line in self.source.lines if line.strip())
        for one in self.said:
            is_stale = one.text not in lines if one.leads is Goal.NOWHERE else one.key not in present
            leads = WORDS.get(one.leads) or f"{one.to}{f' (#{one.section})' if one.section else ''}"
            yield Kept(one, leads, digest(one.key), is_stale)

    def correction(self, name: str, goal: str | None, by: str) -> Correction:
        """What somebody says about a link: that it is right, where the goal is None, or where it leads instead.

        Raises:
            CannotCorrect: it cannot be kept so, or not be told from others.
        """
        by = " ".join(by.split())
        if not by:
            raise CannotCorrect("Please enter your name, so that others know whom to ask.")
        option, link, unit = self._found(name)
        leads, to, section = self._as_read(option, link, unit) if goal is None else self._goal(goal, unit)
        text, condition, next_step, nth = self.keys[name]
        return Correction(
            text=text,
            condition=condition,
            next_step=next_step,
            nth=nth,
            leads=leads,
            to=to,
            section=section,
            verdict="approved" if goal is None else "corrected",
            by=by,
            at=datetime.now(UTC).replace(microsecond=0),
        )

    def quoted(self, name: str) -> str:
        """The words by which a link is known."""
        return self.keys[name][0]

    def _found(self, name: str) -> tuple[Option, Link, LogicUnit]:
        for step in self.guide.steps:
            for option, link in zip(step.options, step.unit.links, strict=True):
                if option.name == name:
                    return option, link, step.unit
        raise CannotCorrect("This guide no longer has this link; reload the guide.")

    def _as_read(self, option: Option, link: Link, unit: LogicUnit) -> tuple[Goal, str, str]:
        match option.leads:
            case Leads.END:
                return Goal(option.ending), "", ""
            case Leads.INSIDE:
                return Goal.INSIDE, "", ""
            case Leads.STEP if option.step is not None:
                return self._goal(f"step {option.step}", unit)
            case Leads.STEP | Leads.OUTSIDE if link.target is not None:
                return Goal.DOCUMENT, link.target.document, link.target.anchor
        raise CannotCorrect("This link leads nowhere, so it cannot be approved. Choose where it leads.")

    def _goal(self, said: str, unit: LogicUnit) -> tuple[Goal, str, str]:
        kind, _, which = said.partition(" ")
        if kind == "document" and which:
            return Goal.DOCUMENT, which, ""
        if kind != "step":
            if kind not in WORDS:
                raise CannotCorrect("Choose where the link leads.")
            return Goal(kind), "", ""
        goal = next((step.unit for step in self.guide.steps if str(step.number) == which), None)
        if goal is None:
            raise CannotCorrect(f"This guide no longer has step {which}; reload the guide.")
        if goal is unit:
            return Goal.INSIDE, "", ""
        to, section = beginning(goal, self.source), goal.place.anchor
        if len(beginnings((step.unit for step in self.guide.steps), self.source)[to, section]) > 1:
            raise CannotCorrect(
                f"Several steps of that section begin with {to!r}; first make them differ in the document."
            )
        return Goal.STEP, to, section


def digest(key: Key) -> str:
    """A key as a form sends it."""
    return sha256(repr(key).encode("utf-8", "surrogatepass")).hexdigest()
