"""Two things in one message: which is reported, and what is left aside."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from thread_core.models import LogicUnit
from thread_core.plan import Plan
from thread_core.retrieval import retrieve as retrieval
from thread_core.retrieval.retrieve import ELSEWHERE, Entry
from thread_core.text.denials import denies, straight, without_denials
from thread_core.text.words import content_words
from thread_core.walking import endings, matching

_BUT = re.compile(r"(?:\s*[,;.])?\s+(?:but|however|though|although)\s+|;\s+", re.IGNORECASE)
ALSO = r"and\s+also|(?:also|plus)(?=\s+(?:my|our)\s)|another\s+thing\W*"
"""What parts two things in a report."""
AND_MY = rf"{ALSO}|and(?=\s+(?:my|our)\s)"
"""The same in a question; in a report it may part what was seen."""
_MENDED = re.compile(
    r"\b(?:fixed|solved|resolved|repaired|sorted|work(?:s|ed|ing)?|(?:is|are|'s) (?:ok(?:ay)?|fine))\b", re.I
)


def remaining(text: str) -> str:
    """What a message reports besides what it says is mended; all of it where it does not say both.

    Example:
        >>> remaining("fixed the printer but the network is still slow"), remaining("it is red but dim")
        ('the network is still slow', 'it is red but dim')
    """
    halves = _BUT.split(text)
    left = [half for half in halves if not _is_mended(half)]
    rest = ", ".join(left)
    remains = endings.takes_back(rest) or endings.sounds_unsolved(rest)
    return rest if remains and len(left) < len(halves) else text


def _is_mended(half: str) -> bool:
    return _MENDED.search(straight(half)) is not None and not (denies(half) or endings.takes_back(half))


def several(text: str, parted_by: str = ALSO) -> list[str]:
    """The things that a message speaks of one after the other: "the lamp is off and also my printer is silent"."""
    return [
        part for part in re.split(rf"(?:\s*[,;.])?\s+(?:{parted_by})\s+", text, flags=re.IGNORECASE) if part.strip()
    ]


def named_elsewhere(words: str, current: LogicUnit | None = None) -> Plan[Entry | None]:
    """The guide that some words are about, and that the one at hand is not called as."""
    said = content_words(words)
    if current is not None and said & content_words(current.title):
        return None
    entries: list[Entry] = yield from retrieval.find_entries(words, 1)
    if not retrieval.fit(entries) or not said & content_words(entries[0].unit.title):
        return None
    return None if current is not None and entries[0].unit.document_id == current.document_id else entries[0]


def turned_to(words: str, units: Sequence[LogicUnit], left: Collection[str]) -> Plan[Entry | None]:
    """The guide that a whole message is about rather than the one at hand; None where that is not plain.

    It is called by a word of the message that the guide at hand is not called by, has more of its words and more than
    one, and fits it plainly better. What the guide at hand has words of may be an outcome of its step: then the other
    one is called by two. A code that only its title has is enough.

    Args:
        words: What the person said.
        units: Those of the guide at hand.
        left: The documents that the person was led from, and is to come back to.
    """
    entries: list[Entry] = yield from retrieval.find_entries(words)
    if (coded := _called_by_code(words, entries, units)) is not None:
        return coded
    here = max((entry.related for entry in entries if entry.unit.document_id == units[0].document_id), default=0.0)
    first = next((entry for entry in entries if entry.unit.document_id not in left), None)
    if first is None or not retrieval.fit([first]) or first.related < here + ELSEWHERE:
        return None
    said = content_words(without_denials(words))
    called = said & (content_words(first.unit.title) - content_words(units[0].title))
    share, own = retrieval.shared_words(words, first.document), retrieval.shared_words(words, units)
    has_more = share > own and share * len(content_words(words)) > 1
    return first if has_more and len(called) > (1 if own else 0) else None


def _called_by_code(words: str, entries: Sequence[Entry], units: Sequence[LogicUnit]) -> Entry | None:
    """The only guide whose title has a code of the message that nothing in the guide at hand has."""
    seen = matching.codes(words)
    if seen:
        seen -= matching.codes("\n".join(f"{unit.header}\n{unit.body}" for unit in units))
    called = [entry for entry in entries if seen & matching.codes(entry.unit.title)]
    return called[0] if len(called) == 1 else None
