"""What a text tells of now: not of another time, not of what is only supposed, nor of what was so until it changed.

What names no other time tells of now: "it was red" is what somebody has just seen. So does what lasts: "down since
Monday". Another time holds on until a clause is in the present, as in a story.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from thread_core.text import opposites
from thread_core.text.denials import straight
from thread_core.text.words import content_words

_PERIOD = (
    r"(?:night|day|week|weekend|month|quarter|year|decade|spring|summer|autumn|winter|morning|afternoon|evening|noon"
    r"|midnight|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september"
    r"|october|november|december|(?:19|20)\d\d)s?"
)
_TIME = (
    r"\b(?:yesterday|tomorrow|tonight|formerly|previously|initially|originally|used to|at first|in the past"
    r"|(?<!as )soon(?! as)|(?<!or )earlier(?! than)|(?<!as )(?<!like )before|(?<!at )once(?! more| again)"
    rf"|(?:last|next|that|those|(?:the )?other) (?:times?|moment|case|{_PERIOD})|back then"
    rf"|(?:in|on|at|by|from|during|over|until|each|every|most|some) (?:the )?{_PERIOD}"
    r"|(?<!\d[smhd] )(?<!\bmin )(?<!\bmins )(?<!minute )(?<!minutes )(?<!second )(?<!seconds )(?<!moment )ago"
    r"|(?:hour|day|week|month|year|while)s? back"
    r"|(?:in|on|at|from|during) (?:the |a |our )?previous)\b"
)
"""What names another time; some minutes ago is now."""
_ANOTHER = re.compile(_TIME, re.IGNORECASE)
_LASTING = re.compile(rf"\b(?:since|as of)\b[^.,\n]{{0,60}}?{_TIME}", re.IGNORECASE)
"""From when on something is so."""
_DONE = (
    r"(?:\w{2,}ed|been|seen|taken|given|broken|fallen|frozen|risen|gone|become|begun|got|lost|hung|run|shut|left|sent"
    r"|come|made|grown|blown|burnt|found|held|kept|stuck)\b"
)
_EARLIER = re.compile(
    rf"(?=.*\b(?:was|were)\b(?! (?:\w+ly )?{_DONE}))"
    r".*\b(?:this (?:morning|afternoon|evening)|at (?:about )?\d{1,2}(?::\d\d)*(?: ?[ap]\.?m\b| o'clock|(?<=\d:\d\d)))",
    re.IGNORECASE,
)
"""How something was at a time of today; what happened then has happened."""
_SUPPOSED = re.compile(
    r"\b(?:(?:will|would|could)\b(?! not\b)|should|shall|may|might|must|ought"
    r"|(?:going|about|supposed|scheduled) to"
    rf"|had (?:(?:already|just|never|once|not|all|\w+ly) ){{0,2}}{_DONE}"
    r"|let(?:'s| me| us)|thinks?|thought|guess\w*|believe\w*|suspect\w*|hop(?:es?|ed|ing)|remember\w*|assum\w+"
    r"|fear(?:s|ed)?|plan(?:s|ned)?|according to|in (?:general|theory|principle|\w+ cases)|hopefully|briefly"
    r"|momentarily"
    r"|(?<!as )expect(?:s|ed)?|suppos\w+|imagin\w+|wish|wonder\w*|(?<!no )doubt\w*|probably|perhaps|maybe|possibly"
    r"|presumably|likely|apparently|allegedly|potentially|sometimes|occasionally|usually|often|typically|generally"
    r"|rarely|normally(?!\W*$))\b"
    r"|'(?:ll|d (?:be|been|have))\b",
    re.IGNORECASE,
)
"""What says of its clause that it is not so, or not yet, or not known, or was so before something else was.

Not so what says with "not" that something cannot be done: "it would not start".
"""
_DEPENDS = re.compile(
    r"\b(?:if|unless|whether|until|till|in case|whenever|provided that)\b"
    rf"|^\W*(?:when (?!i\b|we\b)|(?:is|are|was|were|do|does|did|has|have|can)\b.*\?|had (?:\w+ ){{1,3}}{_DONE}"
    r"|were (?:the|it|they|i|we|this|that)\b)",
    re.IGNORECASE,
)
"""What says so of all that is said with it."""
_SENTENCES = re.compile(r"(?<=[.!?;])\s+")
_CONTRASTS = re.compile(r"(?=\b(?:but|however|although|though|whereas)\b)", re.IGNORECASE)
_CLAUSES = re.compile(
    r"[,:](?=\s)|[;()–—]|\s-+\s|(?=\b(?:(?<!back )(?<!since )then|so (?:i|we))\b)"
    r"|(?=\band (?:it|they|that|this|there|the|an?|my|our|i|we|now|then|today|is|are|was|were|has|have|had|will|came"
    r"|went)\b)",
    re.IGNORECASE,
)
_NOW = re.compile(r"\b(?:now|again|back|today|currently|meanwhile|still|(?:any|no) ?(?:more|longer))\b", re.IGNORECASE)
_ONWARD = re.compile(
    rf"^(?:but|however)\b|\b(?:then|afterwards|so (?:i|we))\b|\bsince\W*$|{_NOW.pattern}", re.IGNORECASE
)
"""What says how it is after all, or how it went on."""
_PRESENT = re.compile(
    r"\b(?:is|are|am|has|have|does|do|(?:is|are|has|have|does|do)n't)\b|'(?:s|re|m|ve)\b", re.IGNORECASE
)
_SUBJECT = re.compile(r"(?:(?:but|however|and) )?(?:the|an?|my|our|i|we|you)\b", re.IGNORECASE)
_NEAR = 2
"""Clauses after one that may say how it went on."""

Unreal = Literal["", "another time", "supposed", "over"]
"""Why a clause does not tell of now."""


@dataclass(frozen=True, slots=True)
class _Clause:
    text: str
    sentence: int
    unreal: Unreal = ""

    @property
    def is_present(self) -> bool:
        """Whether it says itself that it is of now."""
        return not self.unreal and any(sign.search(self.text) for sign in (_PRESENT, _NOW))


def of_now(text: str) -> str:
    """The clauses of a text that tell of now; the whole text where nothing speaks against that.

    Example:
        >>> of_now("Yesterday it was fine, today the pump is down."), of_now("it was down but is back")
        ('today the pump is down.', 'but is back')
        >>> of_now("it might be down"), of_now("it has been down since Monday")
        ('', 'it has been down since Monday')
    """
    said = _read(text)
    return " ".join(clause.text for clause in said if not clause.unreal) if any(one.unreal for one in said) else text


def unreal(text: str) -> set[Unreal]:
    """Why some clauses of a text do not tell of now.

    Example:
        >>> unreal("it might be down"), unreal("it is down")
        ({'supposed'}, set())
    """
    return {clause.unreal for clause in _read(text)} - {""}


def _read(text: str) -> list[_Clause]:
    clauses = [clause for line in straight(text).splitlines() for clause in _of_line(line)]
    return [
        replace(clause, unreal="over")
        if any(_supersedes(later, clause) for later in clauses[at + 1 : at + 1 + _NEAR])
        else clause
        for at, clause in enumerate(clauses)
    ]


def _of_line(line: str) -> Sequence[_Clause]:
    sentences = _SENTENCES.split(_LASTING.sub("so far", line))
    clauses = [clause for number, sentence in enumerate(sentences) for clause in _of_sentence(sentence, number)]
    return _held_on(_held_on(clauses), backward=True)


def _held_on(clauses: Sequence[_Clause], *, backward: bool = False) -> list[_Clause]:
    """With another time over what comes after it, or within its sentence before it, until something is of now."""
    found: list[_Clause] = []
    for clause in reversed(clauses) if backward else clauses:
        last = found[-1] if found else None
        goes_on = last is not None and last.unreal == "another time" and not (clause.is_present or clause.unreal)
        is_one = last is not None and (not backward or last.sentence == clause.sentence)
        found.append(replace(clause, unreal="another time") if goes_on and is_one else clause)
    return found[::-1] if backward else found


def _of_sentence(sentence: str, number: int) -> Iterator[_Clause]:
    for part in _CONTRASTS.split(sentence):
        depends = _DEPENDS.search(part) is not None
        clauses = [clause.strip() for clause in _CLAUSES.split(part) if clause.strip()]
        aside = [at for at, clause in enumerate(clauses) if _SUPPOSED.search(clause) and not _says_more(clause)]
        hedged = {max(at - 1, 0) if at else 1 for at in aside}
        for at, clause in enumerate(clauses):
            is_supposed = depends or at in hedged or clause.endswith("?") or _SUPPOSED.search(clause) is not None
            yield _Clause(clause, number, "supposed" if is_supposed else "another time" if _is_past(clause) else "")


def _says_more(clause: str) -> bool:
    """Whether a clause says anything beside that it is supposed: "I think" and "maybe" do not."""
    return bool(content_words(_SUPPOSED.sub(" ", clause)))


def _is_past(clause: str) -> bool:
    return _ANOTHER.search(clause) is not None or _EARLIER.match(clause) is not None


def _supersedes(later: _Clause, clause: _Clause) -> bool:
    """Whether a later clause says how it went on with what a clause tells: "it was down", "but recovered"."""
    if clause.unreal or later.unreal or not _ONWARD.search(later.text):
        return False
    words = content_words(later.text)
    is_other = _SUBJECT.match(later.text) is not None and words.isdisjoint(content_words(clause.text))
    was = _PRESENT.search(clause.text) is None
    return not is_other and (was or opposites.compare(later.text, clause.text) < 0)
