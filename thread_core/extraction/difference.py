"""What a text that was written from a source has lost of it, and what it has invented.

Deterministic and linear in the text, so that a rewriting by a model (the paper's reformulation) can be checked and
its faults named. Facts (code, numbers, names, paths, URLs) have to be the same; of sentences, most content words have
to stand in one sentence of the other text or in neighbours; of conditions and negations, that they are still stated.
Order, layout, list numbers, front matter and the labels of the paper's form do not count.
"""

from __future__ import annotations

import heapq
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from thread_core.documents.code import Code
from thread_core.documents.promises import promise
from thread_core.extraction.statements import Reading, Statement, bare, even, lines_of, share
from thread_core.text.facts import Kind, pieces
from thread_core.text.words import stem

_SHARE = 0.5
"""More than this part of a sentence's content words has to stand in the other text's sentence."""
_LONG = 5
"""Content words from which on a sentence may be split, or put together from neighbours."""
_NEIGHBOURHOODS = 3
"""Sentences whose neighbours are looked at, the best ones."""
_SHOWN = 200
"""Characters of what is lost or invented that are shown."""

_GUIDING = frozenset(map(stem, "if then otherwise step next following follow continue proceed go section".split()))
"""Words that say where the text goes on, which is said otherwise when it is put in order."""
_FORM = _GUIDING | frozenset(
    map(stem, "prerequisite header body linker cross mitigate none issue problem resolved solved".split())
)
"""Words that the paper's form asks for: a draft may say them though the source does not."""
_SHELLS = frozenset(("", "bash", "sh", "shell", "console", "zsh", "powershell", "cmd", "bat", "terminal"))
_ARGUMENT = re.compile(r"\s(?:--?\w|[|/<$~]|\S*[\d/=])")


class Finding(NamedTuple):
    """Something that one text says and the other does not."""

    kind: Kind
    text: str
    line: int
    """1-based, in the text in which it stands; of a number or a name the first one of its sentence."""

    def __str__(self) -> str:
        """`the command "kubectl drain node-1 --force"`, in one line, long texts cut."""
        return f"the {self.kind} {clip(self.text)}"


def clip(text: str) -> str:
    """A text as it is shown: in one line, in quotation marks, its end cut off where it is long."""
    flat = even(text)
    return f'"{flat[:_SHOWN]}"' + ("..." if len(flat) > _SHOWN else "")


def lost(source: Reading, draft: Reading) -> list[Finding]:
    """What a draft has lost of its source, in reading order; lines are those of the source."""
    return _missing(source, draft, _GUIDING, strict=True)


def invented(source: Reading, draft: Reading) -> list[Finding]:
    """What a draft says and its source does not, in reading order; lines are those of the draft."""
    return _missing(draft, source, _FORM, strict=False)


def unfounded(source: str | Reading, answer: str) -> tuple[Finding, ...]:
    """Code, numbers, names, paths and URLs of an answer in words of its own, in any language, that its source lacks.

    Example:
        >>> [str(found) for found in unfounded("Run `drain node-1`.", "Erst `drain node-2` ausführen.")]
        ['the command "drain node-2"']
    """
    reading = source if isinstance(source, Reading) else Reading(source)
    return tuple(_exact(Reading(answer), reading, {}))


# -- what one text says and the other does not -------------------------------------------------------------------------


def _missing(one: Reading, other: Reading, granted: frozenset[str], *, strict: bool) -> list[Finding]:
    """What one text says and the other does not, in reading order.

    `granted` are words that need not stand in the other text. Where it is `strict`, a condition has to be a condition
    there too, and a sentence that stands in both texts speaks for itself alone.
    """
    found: list[Finding] = []
    words: dict[int, set[str]] = {}
    """Words of what is missing as a whole, by line: parts of that are not named again."""
    for finding, end in _Missing(one, other, granted, strict).findings():
        found.append(finding)
        if finding.kind is Kind.SENTENCE:
            _note(finding, end, words)
    found += _exact(one, other, words)
    return sorted(dict.fromkeys(found), key=lambda finding: finding.line)


def _exact(one: Reading, other: Reading, whole: dict[int, set[str]]) -> Iterator[Finding]:
    """Code and facts that are missing, but no part of what is missing as a whole: its words, by line."""
    for finding, end in _missing_code(one, other):
        if not whole.get(finding.line, set()).issuperset(bare(finding.text)):
            yield finding
            _note(finding, end, whole)
    for finding in _missing_facts(one, other):
        if not whole.get(finding.line, set()).issuperset(bare(finding.text)):
            yield finding


def _note(finding: Finding, end: int, words: dict[int, set[str]]) -> None:
    for line in range(finding.line, end + 1):
        words.setdefault(line, set()).update(bare(finding.text))


@dataclass(frozen=True, slots=True)
class _Missing:
    """Which sentences of one text, conditions and negations in them, the other one does not say."""

    one: Reading
    other: Reading
    granted: frozenset[str]
    strict: bool

    def findings(self) -> Iterator[tuple[Finding, int]]:
        """What is missing, with the last line of each."""
        for sentence in self.one.sentences:
            if not sentence.is_code and (kind := self._of(sentence)):
                yield Finding(kind, sentence.text, sentence.line), sentence.end

    def _of(self, sentence: Statement) -> Kind | None:
        words = sentence.words - self.granted
        rest = words - (sentence.condition or frozenset())
        if not self._holds(words, sentence) and not (rest and self._holds(rest, sentence)):
            return Kind.SENTENCE
        if not self._is_stated(sentence):
            return Kind.CONDITION
        return None if all(self._is_denied(scope, sentence) for scope in sentence.denied) else Kind.NEGATION

    def _holds(self, words: frozenset[str], sentence: Statement) -> bool:
        """Whether most of some words stand in one sentence, many words in neighbours; of a heading's, anywhere."""
        if not words or words in self.other.spoken:
            return True
        if sentence.is_heading:
            return self.other.part_said(words) >= _SHARE or promise(sentence.text) is not None
        shares = ((share(words, self.other.sentences[at].words), at) for at in self._near(words, sentence))
        best = heapq.nlargest(_NEIGHBOURHOODS, shares)
        if best and best[0][0] > _SHARE:
            return True
        return len(words) >= _LONG and any(share(words, self.other.around(at)) > _SHARE for _, at in best)

    def _is_stated(self, sentence: Statement) -> bool:
        """Whether the other text states its condition, or where that is not asked for, says its words.

        Half of these may stand in neighbours: "the lag is low" where the source says "Ask for the lag. If it is low".
        """
        if sentence.condition is None:
            return True
        condition = sentence.condition - self.granted
        if not self.strict:
            near_at = self._near(condition, sentence)
            return not condition or any(share(condition, self.other.around(at)) >= _SHARE for at in near_at)
        sought = condition or sentence.words - self.granted
        near = (self.other.sentences[at] for at in self._near(sought, sentence))
        return not sought or any(found.may_state and share(sought, found.words) > _SHARE for found in near)

    def _is_denied(self, scope: frozenset[str], sentence: Statement) -> bool:
        """Whether the other text has a sentence with most of the words, and denies some of them."""
        near = (self.other.sentences[at] for at in self._near(scope, sentence))
        said = (one.denied for one in near if share(scope, one.words.union(*one.denied)) > _SHARE)
        return scope in self.other.denied or any(not scope.isdisjoint(one) for denials in said for one in denials)

    def _near(self, words: frozenset[str], sentence: Statement) -> Iterator[int]:
        for at in self.other.near(words):
            said = self.other.sentences[at].words
            if not (self.strict and said != sentence.words and said in self.one.spoken):
                yield at


def _missing_code(one: Reading, other: Reading) -> Iterator[tuple[Finding, int]]:
    """Code blocks or the lines of them, and inline code, with the last line of each."""
    for code in one.codes:
        if code.inline:
            text = even(code.text)
            if not (text in other.inline or text in other.even_lines or other.quotes(bare(text))):
                kind = Kind.COMMAND if _ARGUMENT.search(text) or text.startswith("sudo ") else Kind.INLINE
                yield Finding(kind, text, code.line), code.line
        elif "\n".join(lines_of(code)) not in other.blocks:
            yield from _missing_lines(code, other)


def _missing_lines(code: Code, other: Reading) -> Iterator[tuple[Finding, int]]:
    """A block as a whole where nothing of it is there or its lines are in another order, else the lines."""
    lines = lines_of(code)
    first = code.line + len(code.text) - len(code.text.lstrip("\n"))
    said = [(number, line) for number, line in enumerate(lines, start=first) if line.strip()]
    missing = [(number, line) for number, line in said if not _is_there(line, other)]
    is_mixed = not missing and not _in_order([line for _, line in said], other.code_lines)
    if is_mixed or len(missing) == len(said) > 1:
        yield Finding(Kind.CODE, "\n".join(lines), first), first + len(lines) - 1
        return
    for number, line in missing:
        kind = Kind.COMMAND if code.language in _SHELLS else Kind.CODE
        yield Finding(kind, line.strip(), number), number


def _is_there(line: str, other: Reading) -> bool:
    return line in other.code_lines or (not line.startswith(" ") and even(line) in other.inline)


def _in_order(lines: list[str], places: dict[str, list[int]]) -> bool:
    """Whether some lines follow each other in this order, whatever stands between them."""
    at = -1
    for line in lines:
        found = places.get(line, [])
        following = bisect_right(found, at)
        if found and following == len(found):
            return False
        at = found[following] if found else at
    return True


def _missing_facts(one: Reading, other: Reading) -> Iterator[Finding]:
    """Numbers, names, paths and URLs that the other text does not say, or not in the sentence that says the same."""
    for sentence in (said for said in one.sentences if not said.is_code):
        twin = other.twin(sentence) if sentence.facts else None
        there = {*pieces(twin.text), *(fact.key for fact in twin.facts)} if twin else other.known
        for fact in sentence.facts:
            if fact.key not in there or fact.key not in other.known:
                yield Finding(fact.kind, fact.text, sentence.line)
    for href, line in one.links:
        if href.rstrip("/") not in other.known:
            yield Finding(Kind.URL, href, line)
