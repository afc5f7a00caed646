"""Of a long text, the lines that matter to something: which lines of a command's output a step is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from thread_core.text import sentences
from thread_core.text.facts import facts
from thread_core.text.words import content_words, count_tokens

LOOKED_AT = 500
"""Lines of a text, the last ones: what a command prints says at its end how it went."""
LINE = 2000
"""Characters of a line that are looked at."""
WORD = 6
"""Characters of a token: a text of a few endless words is a long one too."""
NEAR = 0.25
"""Lines that count less than this part of the one that counts most are left out."""


@lru_cache(maxsize=512)
def relevant_lines(text: str, to: str, bound: int) -> str:
    r"""The lines of a text that have to do with something, in order; a text that is short as it is, whole.

    A line counts by the words, codes, numbers and names that it shares, those that few lines have more than others.
    Where none counts, the last lines are taken. Of a line that is too long, sentences are taken.

    Args:
        text: What is shortened.
        to: What it has to do with.
        bound: Tokens of the result at most, of `WORD` characters at most.

    Example:
        >>> relevant_lines("node-1 is ready\nnode-2 has a full disk\nnode-3 is ready", "The disk is full", 8)
        'node-2 has a full disk'
    """
    if _fits(text, bound):
        return text
    lines = list(dict.fromkeys(piece for line in text.splitlines() for piece in _pieces(line, bound)))[-LOOKED_AT:]
    scores = _scores(lines, to)
    enough = NEAR * max(scores, default=0)
    likely = [at for at, score in enumerate(scores) if score >= enough > 0] or range(len(lines))
    kept: list[int] = []
    for at in sorted(likely, key=lambda at: (-scores[at], -at)):
        if _fits("\n".join(lines[each] for each in (*kept, at)), bound):
            kept.append(at)
    return "\n".join(lines[at] for at in sorted(kept))


def _fits(text: str, bound: int) -> bool:
    return len(text) <= WORD * bound and count_tokens(text) <= bound


def _pieces(line: str, bound: int) -> Iterator[str]:
    """A line, or its sentences where it is too long; one that is too long even so is cut."""
    whole = line[:LINE].rstrip()
    pieces = [whole] if _fits(whole, bound) else [sentence.text for sentence in sentences.cut(whole)]
    yield from (piece if _fits(piece, bound) else piece[:bound] for piece in pieces if piece.strip())


def _scores(lines: list[str], to: str) -> list[float]:
    """How much each line has to do with a text."""
    wanted, exact = content_words(to), {fact.key for fact in facts(to)}
    shared = [content_words(line) & wanted for line in lines]
    seen = Counter(word for words in shared for word in words)
    return [
        sum(1 / seen[word] for word in words) + sum(fact.key in exact for fact in facts(line))
        for line, words in zip(lines, shared, strict=True)
    ]
