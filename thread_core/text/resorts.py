"""Sections that nobody reads unasked: how a task is undone, what to do where it went wrong, whom to call.

"Rollback" below "Upgrade Keystore" is for whoever needs it. Below "Keystore is slow" it is what helps.
"""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache

from thread_core.text.denials import denies, in_trouble
from thread_core.text.directions import is_counted
from thread_core.text.header import spaced, unnumbered
from thread_core.text.sentences import tells
from thread_core.text.words import content_words


class Resort(Enum):
    """What a section is for that is only entered when it is needed."""

    UNDO = "undo"
    REMOVE = "remove"
    RECOVER = "recover"
    MEND = "mend"
    KNOWN = "known"
    CALL = "call"


_NAMES = {
    Resort.UNDO: r"roll(?:ing)?[ -]?back|back(?:ing)?[ -]?out|undo(?:ing)?|revert(?:ing)?",
    Resort.REMOVE: r"un-?install(?:ing|ation)?",
    Resort.RECOVER: r"(?:disaster )?recover(?:y|ing)?",
    Resort.MEND: r"trouble-?shoot(?:ing)?",
    Resort.KNOWN: r"known (?:issue|problem|bug|limitation)s?",
    Resort.CALL: r"(?:when (?:and how )?to )?escalat(?:e|ing|ions?)"
    r"|(?:when (?:and how )?to )?contact(?:ing)? (?:us|support|your|our|if|when)|when to (?:call|get|ask|see)",
}
_HEADINGS = {
    kind: re.compile(rf"(?:how to |optional:? |emergency |the )?(?:{name})(?P<rest>(?:\s+\S+){{0,6}})", re.IGNORECASE)
    for kind, name in _NAMES.items()
}
_TITLES = {kind: re.compile(rf"\b(?:{name})", re.IGNORECASE) for kind, name in _NAMES.items()}
_GOING_ON = re.compile(r"\b(?:and|then|re-?install)\b", re.IGNORECASE)
_REPLACES = re.compile(r"\b(?:migrat|mov(?:e|ing)|replac|decommission|switch|convert)", re.IGNORECASE)
"""A task that takes something away."""
_FAULT = re.compile(
    r"\b(?:fail|error|issue|problem|fault|crash|slow|broken|stuck|outage|incident|alert|missing|lost|corrupt|unavailable"
    r"|unreachable|timeout|hang|wrong|down\b|after\b|during\b|fix|repair|resolv|diagnos|troubleshoot|respond|recover)",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"(?:how (?:to|do (?:i|we|you)|can (?:i|we|you))|runbook|guide|procedure|howto)\b\W*", re.IGNORECASE
)
"""What may stand before a task."""
_TASK = re.compile(
    r"[a-z]+ing\s|.*\b(?:upgrade|update|install(?:ation)?|deployment|migration|rollout|release|maintenance|patching|set-?up"
    r"|configuration|change|replacement|rotation|onboarding|switch-?over)"
    r"(?:\s+(?:runbook|guide|procedure|plan|checklist|instructions)|\s+(?:of|to|from)\s.*)?\W*$",
    re.IGNORECASE,
)
"""What is to be done: "Upgrading Keystore", "Keystore upgrade runbook"."""


_HELP = re.compile(
    r"(?:.*[?!:.–—]\s+)?(?:(?:when|how|where|who|whom) to )?(?:contacts?|contacting|call(?:ing)?|phone|hotline"
    r"|(?:customer |technical )?support|help ?(?:desk|line)|escalat\w+|get(?:ting)? help|report (?:a|the) \w+)\b.*",
    re.IGNORECASE,
)


@lru_cache(maxsize=1024)
def resort(heading: str, title: str) -> Resort | None:
    """What a section of a document is for, where it is only entered when it is needed.

    Example:
        >>> resort("Rollback plan", "Upgrade Keystore"), resort("Rollback plan", "Roll back Keystore")
        (<Resort.UNDO: 'undo'>, None)
    """
    if is_counted(heading):
        return None
    named = unnumbered(heading).strip(" :.*")
    for kind, pattern in _HEADINGS.items():
        found = pattern.fullmatch(named)
        if found and not _TITLES[kind].search(title):
            return kind if _is_unasked(kind, found["rest"], spaced(title)) else None
    return None


def _is_unasked(kind: Resort, what: str, title: str) -> bool:
    """Whether what a document is about needs no section of a kind: a task is done without, a fault may be undone."""
    if kind is Resort.CALL:
        return True
    if denies(title) or _FAULT.search(title) or _GOING_ON.search(what):
        return False
    if kind is Resort.REMOVE and (_REPLACES.search(title) or not content_words(what) <= content_words(title)):
        return False
    return kind in (Resort.UNDO, Resort.KNOWN) or is_task(title)


def is_task(title: str) -> bool:
    """Whether a title says what is to be done: "How to upgrade Keystore", "Keystore upgrade"."""
    asked = _ASKED.match(title)
    named = title[asked.end() :] if asked else title
    return tells(named) or (asked is not None and "how" in asked[0].lower()) or _TASK.match(named) is not None


def is_routine(title: str) -> bool:
    """Whether a title says what is to be done where nothing is wrong.

    Example:
        >>> is_routine("How to upgrade Keystore"), is_routine("How to repair Keystore"), is_routine("Keystore")
        (True, False, False)
    """
    return is_task(title) and not tells_of_fault(title)


def tells_of_fault(text: str) -> bool:
    """Whether a title or a question is about something that is wrong, by its words."""
    return denies(text) or in_trouble(text) or _FAULT.search(text) is not None


def is_help(heading: str) -> bool:
    """Whether a section says whom to call, by its name: "Contact us if", "Call an engineer"."""
    return _HELP.fullmatch(unnumbered(heading)) is not None
