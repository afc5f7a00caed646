"""The tools as functions: a client and what it says -> an answer. No executor is here: every step is a person's.

A walk stands on disk between two calls. Each answer names the turn that it answers, and counts once.
"""

from __future__ import annotations

from thread_core import layout
from thread_core.answering.answer import Answer, answer_question
from thread_core.errors import AnsweredAlready, NothingFound, ThreadError
from thread_core.models import encodable
from thread_core.places import text_at
from thread_core.plan import Plan
from thread_core.retrieval.retrieve import Entry, find_entries, fit
from thread_core.store.library import Library
from thread_core.store.requests import read_document
from thread_core.walk.agents import FIRST
from thread_core.walk.rendering import Turn
from thread_core.walk.reply import parse
from thread_core.walk.session import HowToSession
from thread_core.walk.state import Asked, SessionState
from thread_mcp.answers import Citation, Found, Guides, PlanStep, Step, WholePlan
from thread_mcp.kept import SessionFolder

TWICE = "This answer to turn {} came twice and counts once. The walk is here now:"
_OTHER = (
    "turn {turn} was already answered with {first!r}, and that counts; the walk is at turn {now}: call where, and"
    " answer what it shows"
)


class NotThatTurn(ThreadError):
    """An answer names a turn that is not the one at hand."""


class Walks:
    """The walks of all clients, over one library. Safe to share between threads."""

    def __init__(self, library: Library, sessions: SessionFolder) -> None:
        self._library = library
        self._sessions = sessions

    def search(self, question: str, limit: int) -> Guides:
        """The guides that may answer, best first."""
        entries: list[Entry] = self._library.run(find_entries(question, limit))
        return Guides(
            guides=[
                Found(
                    guide=entry.unit.document_id,
                    title=entry.unit.title or entry.unit.document_id,
                    part=": ".join(entry.unit.section) or entry.unit.header,
                    fits=fit([entry]),
                    citation=Citation.of(entry.unit.body_spans[-1]),
                )
                for entry in entries
            ]
        )

    def plan(self, question: str) -> WholePlan:
        """All steps in one answer."""
        answer: Answer = self._library.run(answer_question(question))
        steps = [
            PlanStep(
                number=number,
                heading=step.heading or step.header,
                text=step.filled or step.text,
                needs=list(step.prerequisites),
                above=step.above,
                citation=Citation.of(step.citation),
            )
            for number, step in enumerate(answer.steps, 1)
        ]
        return WholePlan(
            text=answer.text,
            steps=steps,
            outcomes=list(answer.outcomes),
            questions=list(answer.questions),
            warnings=list(answer.warnings),
        )

    def start(self, client: str, question: str, guide: str = "") -> Step:
        """A new walk: by a question, in a guide where one is named.

        Raises:
            NothingFound: there is no such guide.
        """
        library = self._library.within({layout.DOCUMENT_ID: guide}) if guide else self._library
        if guide and not library.run(read_document(guide)):
            raise NothingFound(f"found no guide {guide!r}; call search, and pass an id that it returns")
        with self._sessions.new(client) as (state, file):
            walk = HowToSession(library, journal=file.journal().noting(by=client)).resumed(state)
            shown = walk.start(question)
            if guide and shown.asked is Asked.GUIDE:  # the question is in other words, and the guide is the only one
                shown = walk.respond(1)
            file.write(walk.state)
            return self._step(walk.state, shown)

    def where(self, client: str, session: str) -> Step:
        """The step at hand, as the guides have it now. Nothing is moved."""
        with self._sessions.opened(client, session) as (state, file):
            return self._step(state, HowToSession(self._library, journal=file.journal()).resumed(state).show())

    def respond(self, client: str, session: str, turn: int, answer: str) -> Step:
        """The turn that an answer leads to; where it has led there already, that.

        Raises:
            NotThatTurn: that turn has another answer, or is not there.
        """
        with self._sessions.opened(client, session) as (state, file):
            journal = file.journal().noting(by=client)
            walk = HowToSession(self._library, journal=journal).resumed(state)
            if turn > state.turn:
                raise NotThatTurn(
                    f"found turn {turn}, but the walk is at turn {state.turn}; pass the turn that was shown"
                )
            if turn < state.turn:
                first = journal.answer_to(state.id, turn)
                if first != parse(encodable(answer)).text:
                    raise NotThatTurn(_OTHER.format(turn=turn, first=first, now=state.turn))
                return self._step(state, walk.show(), TWICE.format(turn))
            above = ""
            try:
                shown = walk.respond(answer)
            except AnsweredAlready as error:  # the server was ended before it could keep what came of that
                if error.answer is None:
                    raise
                above, shown = FIRST.format(error.answer), walk.respond(error.answer)
            file.write(walk.state)
            return self._step(walk.state, shown, above)

    def _step(self, state: SessionState, shown: Turn, above: str = "") -> Step:
        warnings = self._library.run(_warnings(shown))
        return Step.of(state.root, state.turn, shown, warnings, [above] if above else ())


def _warnings(shown: Turn) -> Plan[list[str]]:
    """What the guide warns of at the units that are shown."""
    warned: dict[str, None] = {}
    for document_id in dict.fromkeys(span.document_id for span in shown.citations):
        units = [row.unit for row in (yield from read_document(document_id))]
        for unit in (unit for unit in units if unit.id in shown.unit_ids):
            warned |= dict.fromkeys(text for span in unit.warnings if (text := text_at(span, units)))
    return list(warned)
