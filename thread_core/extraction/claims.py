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

from thread_core.extraction.pages import Page
from thread_core.extraction.passages import DENIAL, Passage, passages
from thread_core.models import LinkAction
from thread_core.text import difference
from thread_core.text.difference import Finding
from thread_core.text.facts import Kind, facts
from thread_core.text.statements import Reading, denied
from thread_core.text.words import content_words

_OPPOSED = re.compile(rf"{DENIAL.pattern}|\bwhether\b|\?", re.IGNORECASE)
_SPECIAL = re.compile(r"[\\`*_<>\[\]&~|#]")
CODES = (Kind.CODE, Kind.COMMAND, Kind.INLINE)
"""What is said exactly as it stands."""
_OUTCOME = content_words(
    "continue follow go next proceed return issue problem resolved solved done finished not no none other anything else"
    " otherwise case line lines output see again"
)
"""Words with which any outcome and what comes next may be said."""
_SOLVED = content_words("issue problem resolved solved fixed done finished end ends procedure all well none")
"""Words with which it may be said that there is nothing left to do."""
_HAVING = content_words(
    "have hold need require required must know access available only role permission permissions right rights"
)
"""Words with which it may be said that something must hold."""
_INTENT = _OUTCOME | content_words(
    "check verify confirm evaluate assess decide determine find understand review read look see inspect test identify"
    " use do perform complete start begin handle what how when whether why way step action result outcome state status"
    " impact effect usage overview introduction summary note"
)
"""Words with which it may be said what any unit is for."""
_ENDINGS = (LinkAction.RESOLVED, LinkAction.ESCALATE)

SHOWN = 200
"""Characters of what is invented that are shown."""

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

    def near(self, lines: Set[int]) -> str:
        """Some lines whole, and what may be said besides."""
        return self.page.words_of(self.page.whole(lines)) + self._allowed

    def around(self, lines: Set[int]) -> str:
        """The same with what goes with whatever stands in the document."""
        return self.page.words_of(self.page.whole(lines) | self.page.shared) + self._allowed

    @cached_property
    def shared_words(self) -> Set[str]:
        """Words of what goes with whatever stands in the document."""
        return content_words(self.page.words_of(self.page.shared))

    @property
    def _allowed(self) -> str:
        return f"\n\n{self.page.plan.title}\n\n{self.context}"


def faults(claims: Claims, basis: Basis) -> Iterator[Fault]:
    """What a model says of a unit and the document does not.

    Conditions and endings have to stand in the unit's lines and in those that the link names; what a unit is for, what
    must hold and what comes next, anywhere in the document. All of them may say what the context says.
    """
    for text in _beyond(claims.header, basis, _INTENT, strict=False):
        yield Fault(Part.HEADER, 0, text)
    own = _Source(basis, frozenset(claims.lines))
    for index, said in enumerate(claims.prerequisites):
        for text in _beyond(said, basis, _HAVING, opposed=own.is_opposed):
            yield Fault(Part.PREREQUISITE, index, text)
    sources = {own.lines: own}
    for index, outcome in enumerate(claims.outcomes):
        lines = frozenset(claims.lines | outcome.lines if outcome.condition else outcome.lines)
        source = sources.setdefault(lines, _Source(basis, lines))
        told = [*_of_condition(outcome, source), *_beyond(outcome.query, basis, _OUTCOME)]
        for text in told or _of_ending(outcome, source):
            yield Fault(Part.LINK, index, text)


def _beyond(text: str, basis: Basis, form: Set[str], *, strict: bool = True, opposed: bool = True) -> Iterator[str]:
    """What a text says and the document does not: most of its words, or something exact.

    Where it is not `strict`, exact words may stand apart in the document: a header is put together from all of a unit.
    """
    silent = (Kind.CONDITION, Kind.NEGATION) if opposed else (Kind.CONDITION,)
    found = [one for one in _invented(basis.reading, escaped(text)) if one.kind not in silent] if strict else []
    told = [*_unknown(text, basis.reading), *(f"the {one.kind} {clip(one.text)}" for one in found)]
    if _is_strange(text, basis.words, form, strict=strict):
        told.append(clip(text))
    yield from (f"says {one}, and the document does not" for one in dict.fromkeys(told))


def _invented(source: Reading, said: str) -> list[Finding]:
    """What is invented in words that are put together from all over the source."""
    if not said.strip():
        return []
    return [one for one in difference.invented(source, Reading(said)) if one.kind is not Kind.SENTENCE]


def _unknown(text: str, source: Reading) -> Iterator[str]:
    """Code, numbers, names, paths and addresses that stand nowhere in the source, wherever in a text they hide."""
    codes = difference.unfounded(source, f"Text {text}") if "`" in text else ()
    yield from (f"the {one.kind} {clip(one.text)}" for one in codes if one.kind in CODES)
    yield from (f"the {fact.kind} {clip(fact.text)}" for fact in facts(text) if fact.key not in source.known)


def clip(text: str) -> str:
    """A text as it is shown: in one line, in quotation marks, its end cut off where it is long."""
    flat = " ".join(text.split())
    return f'"{flat[:SHOWN]}"' + ("..." if len(flat) > SHOWN else "")


def escaped(text: str) -> str:
    """Words as Markdown that means no more than them."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def _is_strange(text: str, known: Set[str], form: Set[str], *, strict: bool = True) -> bool:
    """Whether most of a text's words, or where it is not `strict` more than half of them, stand nowhere."""
    words = content_words(text) - form
    found = 2 * len(words & known)
    return bool(words) and (found <= len(words) if strict else found < len(words))


def kept(texts: Sequence[T], part: Part, wrong: Collection[Fault]) -> list[T]:
    """Those of a unit's parts of one kind with which nothing is wrong."""
    bad = {fault.at for fault in wrong if fault.part is part}
    return [text for index, text in enumerate(texts) if index not in bad]


# -- conditions and endings --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Source:
    """The lines from which the outcomes of a unit are said."""

    basis: Basis
    lines: frozenset[int]

    @cached_property
    def own(self) -> str:
        return self.basis.page.words_of(self.basis.page.whole(self.lines))

    @cached_property
    def is_opposed(self) -> bool:
        """Whether they deny anything, or ask whether it is so: the opposite of what they say may be meant."""
        return _OPPOSED.search(self.own) is not None

    @cached_property
    def _near(self) -> Reading:
        return Reading(self.basis.near(self.lines))

    @cached_property
    def _around(self) -> Reading:
        return Reading(self.basis.around(self.lines))

    def invented(self, condition: str) -> list[str]:
        """What a condition says exactly, or denies, and they do not; headings are read only where these lines fail."""
        found = self._beyond(condition, self._near)
        return found and self._beyond(condition, self._around)

    def _beyond(self, condition: str, reading: Reading) -> list[str]:
        found = _invented(reading, f"If {escaped(condition)}, then continue.")
        told = [f"the {one.kind} {clip(one.text)}" for one in found if one.kind is not Kind.NEGATION]
        if not self.is_opposed and any(denied(condition)):
            told.append(f"the {Kind.NEGATION} {clip(condition)}")
        return [*_unknown(condition, reading), *told]

    @cached_property
    def words(self) -> Set[str]:
        """Words that carry meaning, of what goes with them too."""
        return content_words(self.basis.near(self.lines)) | self.basis.shared_words

    @cached_property
    def passages(self) -> list[Passage]:
        """What is said in them."""
        page = self.basis.page
        lines = page.whole(self.lines)
        return list(passages(page.blocks_in(lines), lines))


def _of_condition(outcome: Outcome, source: _Source) -> Iterator[str]:
    condition = outcome.condition
    if not condition:
        return
    told = source.invented(condition)
    if _is_strange(condition, source.words, _OUTCOME) or not _is_touched(outcome, source):
        told.append(clip(condition))
    yield from (f"says {one}, and its lines do not" for one in dict.fromkeys(told))


def _is_touched(outcome: Outcome, source: _Source) -> bool:
    """Whether the lines that say so have a word of the condition, or one after which its opposite is said."""
    page = source.basis.page
    named = page.words_of(page.whole(outcome.lines) | page.heads(outcome.lines))
    words = content_words(outcome.condition) - _OUTCOME
    return not words or not words.isdisjoint(content_words(named)) or _OPPOSED.search(named) is not None


def _of_ending(outcome: Outcome, source: _Source) -> Iterator[str]:
    if outcome.action in _ENDINGS and not _is_said(outcome, source):
        when = f" where {clip(outcome.condition)}" if outcome.condition else ""
        yield f"says {clip(f'{outcome.action} {outcome.query}')}{when}, and its lines do not"


def _is_said(outcome: Outcome, source: _Source) -> bool:
    """Whether a passage that states the condition says the ending too."""
    if not outcome.condition:
        return any(not passage.states and _ends(passage, outcome) for passage in source.passages)
    words = content_words(outcome.condition) - _OUTCOME
    is_denied = DENIAL.search(outcome.condition) is not None
    most = max((words & passage.words for passage in source.passages), key=len, default=words)
    stating = [
        passage
        for passage in source.passages
        if (len(words & passage.words) == len(most) or not words & passage.words <= most)
        and (not words or passage.denies(words) is is_denied)
    ]
    if not any(words and words <= (passage.condition or set()) for passage in stating):
        stating += (passage for passage in source.passages if passage.leans(is_denied))
    return any(_ends(passage, outcome) for passage in stating)


def _ends(passage: Passage, outcome: Outcome) -> bool:
    """Whether a passage says an ending: its words, or where it has none, nothing else to do."""
    words = content_words(outcome.query) - _SOLVED
    if words:
        return 2 * len(words & passage.words) > len(words)
    if outcome.action in passage.endings:
        return True
    return outcome.action is LinkAction.RESOLVED and not (passage.endings or passage.is_order)
