"""What a model says of a unit besides its body, held against the document: the same for both ways of asking one.

What is not found there is a fault of that prerequisite, link or header alone, and can be left out by itself. Words are
compared in any script; which ending a sentence says is read in English.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple, TypeVar

from thread_core.documents import conditions, directions
from thread_core.extraction import difference
from thread_core.extraction.difference import clip
from thread_core.extraction.pages import Page
from thread_core.extraction.statements import Reading, denied, share
from thread_core.models import LinkAction
from thread_core.text import opposites, sentences
from thread_core.text.facts import Kind, facts, pieces
from thread_core.text.words import content_words

UNLESS = re.compile(r"\b(?:unless|otherwise|else|except|until|without)\b", re.IGNORECASE)
"""After one of these, the opposite of what a text says is said."""
_OPPOSED = re.compile(
    rf"{UNLESS.pattern}|\b(?:not|cannot|no|none|nothing|nobody|never|neither|nor|other than|whether)\b|n['’]t\b|\?",
    re.IGNORECASE,
)
CODES = (Kind.CODE, Kind.COMMAND, Kind.INLINE)
"""What is said exactly as it stands."""
_OUTCOME = content_words(
    "continue follow go next proceed return issue problem resolved solved done finished not no none other anything else"
    " otherwise case line lines output see again nothing something more do help still"
)
"""Words with which any outcome and what comes next may be said."""
_HAVING = content_words(
    "have hold need require required must know access available only role permission permissions right rights"
)
"""Words with which it may be said that something must hold."""
_VALUES = frozenset("true false yes no on off enabled disabled".split())
_INTENT = _OUTCOME | content_words(
    "check verify confirm evaluate assess decide determine find understand review read look see inspect test identify"
    " use do perform complete start begin handle what how when whether why way step action result outcome state status"
    " impact effect usage overview introduction summary note"
)
"""Words with which it may be said what any unit is for."""
HALF = 0.5
"""Of the words of a header or a prerequisite."""
ENDINGS = (LinkAction.RESOLVED, LinkAction.ESCALATE)

T = TypeVar("T")


class Part(StrEnum):
    """What a model says of a unit besides its body."""

    HEADER = "header"
    PREREQUISITE = "prerequisite"
    LINK = "link"
    PARAMETER = "parameter"


class Fault(NamedTuple):
    """What is wrong with one part of a unit, which can be left out without the others."""

    part: Part
    at: int
    """Among the unit's parts of this kind, 0-based."""
    text: str
    """What is wrong, as a sentence goes on after the name of the part: `says "..."`."""

    @property
    def name(self) -> str:
        """Which part it is, as a reader counts."""
        return str(self.part) if self.part is Part.HEADER else f"{self.part} {self.at + 1}"

    @property
    def told(self) -> str:
        """What is wrong with which part."""
        return f"{self.name}: {self.text}"

    @property
    def mended(self) -> str:
        """The same, with what becomes of the part."""
        instead = "the rules' stands there" if self.part is Part.HEADER else "it is left out"
        return f"{self.told}; {instead}"


class Outcome(NamedTuple):
    """Where a unit leads, as a model says it."""

    condition: str
    action: LinkAction
    query: str
    lines: Set[int]
    """The lines that say so."""


class Claims(NamedTuple):
    """All that a model says of a unit besides its body."""

    header: str
    prerequisites: Sequence[str]
    outcomes: Sequence[Outcome]
    lines: Set[int]
    """The unit's own."""


@dataclass(frozen=True)
class Basis:
    """What may be said of a document's units."""

    page: Page
    context: str = ""
    """What may be said besides."""

    @cached_property
    def text(self) -> str:
        """All of it."""
        return self.page.source.text + self._allowed

    @cached_property
    def reading(self) -> Reading:
        """The same, to be looked up."""
        return Reading(self.text)

    @cached_property
    def words(self) -> Set[str]:
        """Its words that carry meaning."""
        return content_words(self.text)

    def around(self, lines: Set[int]) -> str:
        """The same with what goes with whatever stands in the document."""
        return self.page.words_of(self.page.whole(lines) | self.page.shared) + self._allowed

    @property
    def _allowed(self) -> str:
        return f"\n\n{self.page.plan.title}\n\n{self.context}"


def faults(claims: Claims, basis: Basis) -> Iterator[Fault]:
    """What a model says of a unit and the document does not.

    What is said exactly has to stand in the document, and most words of a header and of a prerequisite. An outcome may
    be said in other words, or as the opposite of one that is stated; an ending is refused where the lines that state
    the outcome say the other one. All of them may say what the context says.
    """
    found = [(Part.HEADER, 0, text) for text in _of_header(claims.header, basis)]
    own = basis.page.words_of(basis.page.whole(claims.lines)) if claims.prerequisites else ""
    is_opposed = _OPPOSED.search(own) is not None
    for index, said in enumerate(claims.prerequisites):
        found += ((Part.PREREQUISITE, index, text) for text in _of_prerequisite(said, basis, is_opposed))
    for index, outcome in enumerate(claims.outcomes):
        found += ((Part.LINK, index, text) for text in _of_outcome(outcome, basis))
    yield from (Fault(part, index, unsaid(text)) for part, index, text in dict.fromkeys(found))
    for index, outcome in enumerate(claims.outcomes):
        yield from (Fault(Part.LINK, index, text) for text in _of_ending(outcome, basis.page))


def unsaid(text: str) -> str:
    """What is wrong with a part that says something of its own."""
    return f"says {text}, and the document does not"


def _of_header(said: str, basis: Basis) -> Iterator[str]:
    """A header is put together from all of a unit: half of its words are the document's."""
    yield from _unknown(said, basis.reading)
    words = content_words(said) - _INTENT
    if words and share(words, basis.words) < HALF:
        yield clip(said)


def _of_prerequisite(said: str, basis: Basis, is_opposed: bool) -> Iterator[str]:
    """Most words of a prerequisite are the document's, and it denies nothing where the unit's lines do not."""
    yield from _unknown(said, basis.reading)
    denials = difference.invented(basis.reading, Reading(said)) if not is_opposed and any(denied(said)) else []
    yield from (str(one) for one in denials if one.kind is Kind.NEGATION)
    words = content_words(said) - _HAVING
    if words and share(words, basis.words) <= HALF:
        yield clip(said)


def _of_outcome(outcome: Outcome, basis: Basis) -> Iterator[str]:
    for said in (outcome.condition, outcome.query):
        yield from _unknown(said, basis.reading)
        words = content_words(said) - _OUTCOME - opposites.WORDS
        counts = said is outcome.condition or outcome.action in ENDINGS  # other queries are only searched for
        if counts and len(words) > 1 and words.isdisjoint(basis.words):
            yield clip(said)


def _of_ending(outcome: Outcome, page: Page) -> Iterator[str]:
    if outcome.action in ENDINGS:
        endings = set(_endings(outcome, page))
        if endings and outcome.action not in endings:
            yield f"says {outcome.action}, and its lines say {min(endings)}"


def _endings(outcome: Outcome, page: Page) -> Iterator[LinkAction]:
    """How the sentences end that state an outcome's condition."""
    words = content_words(outcome.condition) - _OUTCOME
    is_denied = any(denied(outcome.condition))
    text = page.words_of(page.whole(outcome.lines))
    for sentence in sentences.cut(text):
        for half in conditions.halves(sentence, text):
            stated = (conditions.clause(half.text) is not None) is bool(outcome.condition)
            same = words <= content_words(half.text) and any(denied(half.text)) is is_denied
            if stated and (same or not words) and (ending := directions.ending(half.text)):
                yield ending


def _unknown(text: str, source: Reading) -> Iterator[str]:
    """Code, numbers, names, paths and addresses that stand nowhere in the source, wherever in a text they hide."""
    codes = difference.unfounded(source, f"Text {text}") if "`" in text else ()
    found = [(one.kind, one.text) for one in codes if one.kind in CODES]
    found += [(fact.kind, fact.text) for fact in facts(text) if fact.key not in source.known]
    yield from (f"the {kind} {clip(said)}" for kind, said in found if not _is_opposite(kind, said, source))


def _is_opposite(kind: Kind, code: str, source: Reading) -> bool:
    """Whether code is the source's but for its value: `resize: false` where that says `resize: true`."""
    parts = list(pieces(code)) if kind in (*CODES, Kind.NAME) else []
    values = [part for part in parts if part.lower() in _VALUES]
    return bool(values) and len(values) < len(parts) and all(part in values or part in source.known for part in parts)


def kept(texts: Sequence[T], part: Part, wrong: Collection[Fault]) -> list[T]:
    """Those of a unit's parts of one kind with which nothing is wrong."""
    bad = {fault.at for fault in wrong if fault.part is part}
    return [text for index, text in enumerate(texts) if index not in bad]
