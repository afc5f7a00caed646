"""What a text says, so that another text can be held against it: its sentences, what they state, its code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from textwrap import dedent

from thread_core.documents import conditions
from thread_core.documents.blocks.markdown import CELL, Block, BlockKind, Markdown, parse, visible
from thread_core.documents.code import Code, codes
from thread_core.text import header
from thread_core.text.facts import Fact, facts, pieces
from thread_core.text.sentences import cut, lowered
from thread_core.text.words import stem, word_list

_TWIN = 0.8
"""Sentences that share so much of their words (Dice) state the same, and have to state the same facts."""
_DISTINCT = 3
"""Words from which on a sentence is told from others by its words."""
_POSTINGS = 32
"""Sentences that are looked at for each word, so that a text of like sentences stays linear."""
_RAREST = 4
"""Words for which sentences are looked up, the rarest first."""
_REACH = 5
"""Content words after a denial that it denies."""
_DENIED = 120
"""Characters in which they stand."""
_LONGEST_QUOTE = 12
"""Words of inline code that are found in the other text without its backticks."""

_STATES = re.compile(r"\b(?:if|unless|otherwise|when(?:ever)?|in case|as long as|provided that)\b")
_DENIAL = re.compile(
    r"(?<![-\w])(?:not|never|no|none|cannot|without|neither|nor|avoid|nothing|nobody)(?![-\w])|n['’]t\b"
    r"|\bunless\b(?!.{0,120}\bin (?:which|that) case\b)"
)
_CLAUSE_END = re.compile(r"[,;:.!?—()]|\b(?:and|but|or|so|because|if|unless|when|until)\b")
_EDGES = "`*_\"'“”’.,;:!?()[]|"


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence, or half of one that states two conditions, and what it states."""

    text: str
    line: int
    end: int
    words: frozenset[str]
    """Stems of its content words without digits in them, which are left to the facts."""
    facts: tuple[Fact, ...]
    denied: tuple[frozenset[str], ...]
    """For each denial in it, the words after it."""
    condition: frozenset[str] | None
    """Words of the condition that it states; none where it only says "otherwise"."""
    kind: BlockKind
    """Of the block in which it stands; a code block is one statement, a table's head is a heading."""

    @property
    def is_heading(self) -> bool:
        """Whether it is what something is called."""
        return self.kind == "heading"

    @property
    def is_code(self) -> bool:
        """Whether it is no sentence but a code block."""
        return self.kind == "code"

    @property
    def may_state(self) -> bool:
        """Whether it states a condition, or may do so as a heading or a row of a table does."""
        return self.condition is not None or self.kind in ("heading", "row")


class Reading:
    """A text with what can be looked up in it."""

    def __init__(self, text: str) -> None:
        markdown = parse(text)
        self._source = markdown.source
        self.codes = codes(markdown.source, markdown.front_lines[1] if markdown.front_lines else 0)
        self.sentences = list(_statements(markdown))
        self.links = [
            (link.href, link.line)
            for block in _blocks(markdown)
            for link in block.links
            if not link.href.startswith("#")
        ]
        self._postings: dict[str, list[int]] = {}
        self.spoken: dict[frozenset[str], int] = {}
        """The first sentence of these words."""
        for index, sentence in enumerate(self.sentences):
            self.spoken.setdefault(sentence.words, index)
            for word in sentence.words:
                self._postings.setdefault(word, []).append(index)
        self._quotes: dict[int, frozenset[str]] = {}
        self.denied = {scope for sentence in self.sentences for scope in sentence.denied}

    @cached_property
    def known(self) -> frozenset[str]:
        """Keys of all that it says exactly, in code too, and of their parts."""
        said = {fact.key for sentence in self.sentences for fact in sentence.facts}
        for code in self.codes:
            said.update(fact.key for fact in facts(code.text))
        said.update(href.rstrip("/") for href, _ in self.links)
        said.update(pieces(self._source.text))
        return frozenset(said)

    @cached_property
    def blocks(self) -> frozenset[str]:
        """Its code blocks, common indentation and line ends taken off."""
        return frozenset("\n".join(lines_of(code)) for code in self.codes if not code.inline)

    @cached_property
    def code_lines(self) -> dict[str, list[int]]:
        """Where each line of its code blocks stands, all of them counted through."""
        found: dict[str, list[int]] = {}
        lines = (line for code in self.codes if not code.inline for line in lines_of(code))
        for number, line in enumerate(lines):
            found.setdefault(line, []).append(number)
        return found

    @cached_property
    def inline(self) -> frozenset[str]:
        """Its inline code, white space made even."""
        return frozenset(even(code.text) for code in self.codes if code.inline)

    @cached_property
    def even_lines(self) -> frozenset[str]:
        """The lines of its code blocks, white space made even."""
        return frozenset(map(even, self.code_lines))

    def quotes(self, words: Sequence[str]) -> bool:
        """Whether a few words follow each other anywhere in it."""
        count = len(words)
        if count > _LONGEST_QUOTE:
            return False
        if count not in self._quotes:
            tokens = self._tokens
            self._quotes[count] = frozenset(" ".join(tokens[at : at + count]) for at in range(len(tokens) - count + 1))
        return " ".join(words) in self._quotes[count]

    @cached_property
    def _tokens(self) -> list[str]:
        return bare(self._source.text)

    def near(self, words: frozenset[str]) -> list[int]:
        """Sentences that share some of the rarest of some words; the first with exactly these words is among them."""
        held = sorted((len(at), word) for word in words if (at := self._postings.get(word)))
        found = dict.fromkeys([self.spoken[words]] if words in self.spoken else [])
        for _, word in held[:_RAREST]:
            found.update(dict.fromkeys(self._postings[word][:_POSTINGS]))
        return list(found)

    def part_said(self, words: frozenset[str]) -> float:
        """Which part of some words it says anywhere."""
        return sum(word in self._postings for word in words) / len(words)

    def around(self, at: int) -> frozenset[str]:
        """The words of a sentence and of its neighbours."""
        return frozenset().union(*(sentence.words for sentence in self.sentences[max(0, at - 1) : at + 2]))

    def twin(self, sentence: Statement) -> Statement | None:
        """The sentence that says the same in nearly the same words; of several, the one with most of its facts."""
        if len(sentence.words) < _DISTINCT or sentence.is_heading:
            return None
        keys = {fact.key for fact in sentence.facts}
        alike = [
            (same, sum(fact.key in keys for fact in other.facts), -at)
            for at in self.near(sentence.words)
            if (other := self.sentences[at]).kind not in ("heading", "code")
            and (same := _dice(sentence.words, other.words)) >= _TWIN
        ]
        return self.sentences[-max(alike)[2]] if alike else None


def _blocks(markdown: Markdown) -> Iterator[Block]:
    return (part for block in markdown.blocks for part in block.walk())


def _statements(markdown: Markdown) -> Iterator[Statement]:
    heads = {block.children[0].start for block in _blocks(markdown) if block.kind == "table" and block.children}
    for block in _blocks(markdown):
        if block.kind == "code":
            yield Statement(block.text, block.start, block.end, _words(block.text), (), (), None, "code")
            continue
        kind: BlockKind = "heading" if block.kind == "row" and block.start in heads else block.kind
        text = visible(block.text) if block.kind == "html" else block.text.replace(CELL, " ")
        said = header.unnumbered(text) if kind == "heading" else text
        for whole in cut(said):
            for half in conditions.halves(whole, said):
                written = said[half.start : half.stop]
                line = block.start + half.first
                end = line + written.strip().count("\n")
                found = tuple(facts(written)), tuple(denied(half.text)), _condition(half.text)
                yield Statement(half.text, line, end, _words(half.text), *found, kind)


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in word_list(text) if word.isalpha())


def denied(text: str) -> Iterator[frozenset[str]]:
    """For each denial in a sentence, the first content words after it, which it denies."""
    said = lowered(text)
    for match in _DENIAL.finditer(said):
        furthest = match.end() + _DENIED
        end = _CLAUSE_END.search(said, match.end(), furthest)
        rest = said[match.end() : end.start() if end else furthest]
        if scope := frozenset(word_list(rest)[:_REACH]):
            yield scope


def _condition(text: str) -> frozenset[str] | None:
    if clause := conditions.clause(text):
        return _words(clause.condition) - {stem("otherwise")}
    match = _STATES.search(said := lowered(text))
    return _words(said[match.end() :]) if match else None


def lines_of(code: Code) -> list[str]:
    """The lines of a code block, common indentation and blank lines around them taken off."""
    return [line.rstrip() for line in dedent(code.text.expandtabs()).strip("\n").split("\n")]


def even(text: str) -> str:
    """A text with one space wherever it has white space."""
    return " ".join(text.split())


def bare(text: str) -> list[str]:
    """Its words without the marks around them."""
    return [word for token in text.split() if (word := token.strip(_EDGES))]


def share(words: Set[str], others: Set[str]) -> float:
    """Which part of some words, at least one, is among others."""
    return len(words & others) / len(words)


def _dice(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other))
