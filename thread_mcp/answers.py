"""What the tools return: fields for programs, and one text for a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from pydantic import BaseModel, Field

from thread_core.models import Span
from thread_core.text.safe import clean
from thread_core.walk.rendering import ANSWER, Turn
from thread_core.walk.state import Asked
from thread_core.walk.states import Status

NEXT = {
    Status.AWAITING: "Show the person this step in full, warnings first, and let them do it. Then call respond with"
    " what was really seen: the number of the option that fits, or their words.",
    Status.ASKING: "The person decides this: ask them, then call respond with the number of their answer.",
    Status.UNKNOWN: "No guide clearly fits. Call respond with the number of one of these, or start with other words.",
    Status.RESOLVED: "The walk has ended: the problem is solved.",
    Status.ESCALATED: "The walk has ended without a solution. Give the person this report: somebody has to take over.",
}
"""What the model should do next, by status."""


class Citation(BaseModel):
    """Lines of a guide."""

    guide: str
    first_line: int = Field(description="1-based.")
    last_line: int
    uri: str = Field(description="The resource with these lines.")

    @classmethod
    def of(cls, span: Span) -> Citation:
        """Of lines of a document."""
        uri = f"{uri_of(span.document_id)}/lines/{span.start}-{span.end}"
        return cls(guide=span.document_id, first_line=span.start, last_line=span.end, uri=uri)


class Option(BaseModel):
    """A known outcome, or answer."""

    number: int = Field(description="Pass it as the answer to choose this.")
    text: str


class Step(BaseModel):
    """Where a walk stands: one step, or one question."""

    session: str = Field(description="Pass it in each call about this walk, also in another conversation.")
    turn: int = Field(description="Pass it with the answer: it says which turn is answered.")
    status: Status
    text: str = Field(description="The step, quoted from the guide: show it in full.")
    warnings: list[str] = Field(description="The guide's warnings here: show them before the step.")
    options: list[Option] = Field(description="The possible outcomes or answers. Choose by number.")
    asked: Asked | None = Field(description="What the person is asked, if the status is asking.")
    also: list[str] = Field(description="What else may be answered.")
    citations: list[Citation] = Field(description="The lines that this quotes, the first ones first.")
    notes: list[str] = Field(
        description="Remarks on this turn, such as an answer that came twice, or a model that failed."
    )
    next: str = Field(description="What you should do now.")

    @classmethod
    def of(cls, session: str, turn: int, shown: Turn, warnings: Sequence[str], notes: Sequence[str] = ()) -> Step:
        """Of a turn of a walk."""
        return cls(
            session=session,
            turn=turn,
            status=shown.status,
            text=shown.plain,
            warnings=list(warnings),
            options=[Option(number=number, text=label) for number, label in enumerate(shown.options, 1)],
            asked=shown.asked,
            also=list(shown.also),
            citations=[Citation.of(span) for span in shown.citations],
            notes=[*notes, *shown.notes],
            next=NEXT[shown.status],
        )

    def __str__(self) -> str:
        """Return the text for a model that reads no fields."""
        listed = [f"{option.number}. {option.text}" for option in self.options]
        parts = [*self.notes, *_unsaid(self.warnings, self.text), self.text]
        if listed and not set(listed) <= set(self.text.split("\n")):
            parts.append("\n".join((ANSWER, *listed)))
        if self.citations:
            parts.append(f"Source: {_said(self.citations[0])}")
        return "\n\n".join((*parts, f"(Session {self.session}, turn {self.turn}. {self.next})"))


class Found(BaseModel):
    """A guide that a search has found."""

    guide: str = Field(description="Its id. Pass it to start to walk through this guide.")
    title: str
    part: str = Field(description="The part that the question is about.")
    fits: bool = Field(description="Whether it fits the question. If no guide does, say so.")
    citation: Citation


class Guides(BaseModel):
    """What a search has found, best first."""

    guides: list[Found]
    next: str = (
        "Call start with the question, and with a guide if it clearly is the right one; otherwise the person is asked."
    )

    def __str__(self) -> str:
        """Return the text for a model that reads no fields."""
        listed = [
            f"{number}. {one.title} ({one.guide}): {one.part}{'' if one.fits else ' [may not fit]'}"
            for number, one in enumerate(self.guides, 1)
        ]
        return "\n".join([*(listed or ["No guide found. Try other words."]), "", f"({self.next})"])


class PlanStep(BaseModel):
    """One part of a plan."""

    number: int
    heading: str
    text: str = Field(description="Quoted from the guide.")
    needs: list[str] = Field(description="Its prerequisites.")
    above: str = Field(description="A remark above the step, such as that another guide begins here.")
    citation: Citation


class WholePlan(BaseModel):
    """A whole plan in one answer."""

    text: str = Field(description="The whole plan as one text with citations.")
    steps: list[PlanStep]
    outcomes: list[str] = Field(description="The conditions under which another path is taken.")
    questions: list[str] = Field(description="What to ask the person first.")
    warnings: list[str] = Field(description="What to check against the guides.")

    def __str__(self) -> str:
        """Return the text for a model that reads no fields."""
        return self.text


def uri_of(document_id: str) -> str:
    """The resource that is a guide: its id is one segment, so that no server takes a part of it for a path."""
    return f"guide:///{quote(document_id, safe='')}"


def cleaned(value: Any) -> Any:
    """What documents say, as JSON has it, with a visible mark in the place of each control character."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {name: cleaned(one) for name, one in value.items()}
    return [cleaned(one) for one in value] if isinstance(value, list) else value


def _unsaid(warnings: Sequence[str], text: str) -> list[str]:
    """The warnings that a text does not have already."""
    said = " ".join(text.split())
    return [warning for warning in warnings if " ".join(warning.split()) not in said]


def _said(citation: Citation) -> str:
    return str(Span(citation.guide, citation.first_line, citation.last_line))
