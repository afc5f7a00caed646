"""A person's line against what is on the screen -> the option that is said in its words, else what its form means."""

from __future__ import annotations

from thread_core.documents.leaning import in_english
from thread_core.plan import Plan
from thread_core.walk.labels import is_question
from thread_core.walk.rendering import choices
from thread_core.walk.reply import parse
from thread_core.walk.state import SessionState
from thread_core.walk.states import ENDED, Event, Status


def meant(state: SessionState, event: Event, text: str) -> Plan[tuple[Event, str]]:
    """Give the option that is said in its words, as listed or in full, whatever else they mean; else the event."""
    said = _as_said(text)
    if event in (Event.START, Event.EXECUTED, Event.CHOOSE) or not said:
        return event, text
    offered = yield from choices(state)
    stated = ["" if is_question(one.condition) else in_english(one.condition) for one in offered]
    for texts in ([one.label for one in offered], stated):
        names = [_as_said(name) for name in texts]
        if names.count(said) == 1:
            return Event.CHOOSE, str(names.index(said) + 1)
    return event, text


def is_answer(state: SessionState, line: str) -> Plan[bool]:
    """Tell whether a line is surely an answer to what an open walk shows: a command, a number, an option's words."""
    if state.status in (Status.NEW, *ENDED):
        return False
    event, _ = yield from meant(state, *parse(line))
    return event not in (Event.ASK, Event.REPORT)


def _as_said(words: str) -> str:
    """An option's words in one case, without the dots of one that was cut to what is listed."""
    return " ".join(words.casefold().split()).rstrip(" .…")
