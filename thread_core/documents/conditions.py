"""Sentences -> the conditions that they state.

Three ways in which people write "if the outcome is this, then that" (the paper's linker, section 3.2): the condition
first, the condition last, and "otherwise". What else states one is told by structure: labels, arrows, comparisons.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from thread_core.documents.cases import IF, stated
from thread_core.documents.directions import jump
from thread_core.documents.leaning import OTHERWISE
from thread_core.text.sentences import LONGEST_SENTENCE, Sentence, instructs, lowered, mentions, without_remark

_POINTER = r"(?:-+>|=+>|[→⇒➜])"
_LEADING = re.compile(
    r"(?:(?:then|but|and|or|also|however|alternatively|only|even|otherwise|now|next|so)[, ]+)*"
    r"(?:(?:in|on|at|from|under|with|for)\s[^,.:;]{2,60},\s+)?"
    rf"(?P<word>{IF})\b(?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)
_LATER = re.compile(
    rf"(?:(?:but|and)\b,?\s+)?(?P<condition>{OTHERWISE})\b(?P<mark>\s*(?:{_POINTER}|[,:–—-])|\s+then\b)?"
    r"[\s:]*(?P<then>[^\s:].*)",
    re.IGNORECASE | re.DOTALL,
)
_TRAILING = re.compile(
    r"(?P<then>.+?[^, (])[, (]+(?P<word>only if|if|unless|in (?:the )?(?:case|event) (?:of|that|when)|in case)\s+"
    r"(?P<condition>(?:\([^()]*\)|[^,;()]){3,}?)\)?(?:,\s+(?:and\s+)?then\s.+)?[.!;]?$",
    re.IGNORECASE | re.DOTALL,
)
_TRAILING_WORDS = ("if", "unless", "case", "event")
_INDIRECT = re.compile(
    r"\b(?:check|see|determine|verify|find out|confirm|test|decide|know|look|learn|tell|note|wonder|sure|what to do|as"
    r"|(?:ask|tell)(?:ed)?(?:\s+\S+){0,3})\W*$",
    re.IGNORECASE,
)
"""Before "if": what follows is asked, told or compared with, and no condition."""
LISTED_WORDS = 4
"""Between two commas, so few words are one of several things that the condition names."""
_STATING = ("if", "when", "unless", "case", "event", "should", "once", "assuming", "otherwise", "else", "as long")
_ARROWS = ("->", "=>", "→", "⇒", "➜")
_COMPARISONS = ("<", ">", "=", "≤", "≥", "≠")
_STATES = (*_STATING, "as soon", " other ", "yes", "no:", "no ", *_ARROWS, *_COMPARISONS)
"""Of these every statement of a condition has one: looked for first, because few sentences have it."""
_COMPARES = re.compile(r"\S\s*(?:[<>]=?|[≤≥])\s*\d|\S\s+(?:[!=]=|[=≠])\s+\S")
_ARROW = re.compile(rf"(?P<condition>.{{2,}}?)\s*{_POINTER}\s*(?P<then>.{{3,}}|\d.?)", re.DOTALL)
_HALF = re.compile(
    rf"(?:(?P<mark>[;,])|\s?[–—]|\s--?(?=\s))\s+(?=(?:(?:but|and)\s+)?(?P<other>{OTHERWISE})\b)"
    r"|(?:;|,?\s+(?:or|and|but),?)\s+(?=(?:if|when|unless|in case)\b)",
    re.IGNORECASE,
)
"""Where the second half of a sentence begins that states another condition."""
_HALVING = (";", "therwise", "lse", "f not", "f so", " other ", " if ", " when ", " unless ")
_ENDS = re.compile(
    r"[,:]\s+(?:then\s+)?|(?<!\band)(?<!\bis)(?<!\bare)\s+then\s+|\s+[-–—]\s+(?:then\s+)?|;\s+", re.IGNORECASE
)
"""What may end a condition that stands first."""
_MAIN = re.compile(r"\s(?=(?:you|it|we)\s+(?:can|should|may|must)\b)", re.IGNORECASE)
"""Where what is to be done begins without a comma before it."""
_KEPT = re.compile(r'"[^"]*"|“[^”]*”|\([^()]*\)')
"""No comma in quotation marks or parentheses ends a condition."""
_GOES_ON = re.compile(
    r"(?:or|and|nor|but|if|e\.g\.|i\.e\.|such as|for example|which|who|like|including)\b", re.IGNORECASE
)
"""What follows a comma inside a condition."""
_JOINS = re.compile(r"\b(?:and|or|nor)\b(?!\s+(?:then|if)\b)", re.IGNORECASE)
_ADVERB = re.compile(r"^\w+ly\s+")
_SEE = re.compile(r"(?:please )?(?:see|follow|continue|proceed|contact|steps? \d)\b", re.IGNORECASE)
_ANSWER = re.compile(r"\W*(?:yes|no)\b", re.IGNORECASE)
_ANSWERED = re.compile(r"\W*(?P<condition>yes|no)\W{0,2}\s*(?::|[–—-](?=\s))\s*(?P<then>.+)", re.IGNORECASE | re.DOTALL)
"""One of two answers, with what to do then: "Yes: go to 2."."""
_IDLE = re.compile(
    r"(?:you\s+)?(?:(?:are|it(?:['’]s| is)|this is)\s+)?(?:done|finished|ready|prompted|asked|in doubt|necessary|needed"
    r"|required|possible|applicable|desired|appropriate|available)"
    r"|(?:you\s+)?(?:would\s+)?(?:still\s+)?(?:like|want|wish|prefer|need|have|require)\b(?:\s+to\s+\w+)?"
    r"(?:\s+(?:any|some|more|further|additional|other|about))*(?:\s+(?:information|details|help|questions?)\b.*)?"
    r"|you\b.*\b(?:incorrectly|improperly)",
    re.IGNORECASE | re.DOTALL,
)
_LABEL = re.compile(r"(?P<condition>[^:：]{2,80}|[^\W!-~])(?::\s+|：[\s*]*)(?P<then>.{3,})", re.DOTALL)
_LISTED = re.compile(r"\b(?:following|these|those|any|both|all)\b[^:]*$", re.IGNORECASE)
"""How a condition ends that is not complete before what it announces."""


class Clause(NamedTuple):
    """`condition` selects `consequence`; an empty condition means always."""

    condition: str
    consequence: str


def may_state(said: str) -> bool:
    """Whether words in lower case may state a condition: many times as fast as to look for one."""
    return mentions(said, _STATES)


def halves(sentence: Sentence, text: str) -> Iterator[Sentence]:
    """Cut a sentence of a block's text where another condition begins: at "otherwise", or behind a semicolon.

    Example:
        >>> text = "If it is red, press Reset; otherwise, close the lid."
        >>> [half.text for sentence in cut(text) for half in halves(sentence, text)]
        ['If it is red, press Reset.', 'otherwise, close the lid.']
    """
    start, line = sentence.start, sentence.first
    may = len(sentence.text) <= LONGEST_SENTENCE and mentions(sentence.text, _HALVING)
    for match in _HALF.finditer(text, start, sentence.stop) if may else ():
        said = " ".join(text[start : match.start()].split())
        is_joined = match["other"] is None and text[match.start()] != ";"
        if said and (clause(said) or (instructs(said) and not is_joined)):
            last = line + text.count("\n", start, match.end())
            yield Sentence(said + ("." if text[match.start()] == ";" else ""), line, last, start, match.end())
            start, line = match.end(), last
    if start == sentence.start:
        yield sentence
    elif rest := " ".join(text[start : sentence.stop].split()):
        yield Sentence(rest, line, sentence.last, start, sentence.stop)


def clause(sentence: str) -> Clause | None:
    """The condition in a sentence and what follows from it, or None.

    Example:
        >>> clause("If the pod is not running, restart it.")
        Clause(condition='the pod is not running', consequence='restart it.')
    """
    said = lowered(sentence) if len(sentence) <= LONGEST_SENTENCE else ""
    if not may_state(said):
        return None
    if answered := _ANSWERED.fullmatch(sentence):
        return Clause(answered["condition"].lower(), answered["then"])
    sentence = without_remark(sentence)
    sentence = sentence[1:-1] if sentence[0] == "(" and sentence[-1] == ")" else sentence
    later = _LATER.match(sentence)
    if later and (later["mark"] or " " not in later["condition"] or instructs(later["then"])):
        return Clause(later["condition"].lower(), later["then"])
    if leading := _LEADING.match(sentence):
        split = _cut(leading["rest"])
        return Clause(stated(leading["word"], split[0]), split[1]) if split else None
    if (
        mentions(said, _COMPARISONS)
        and _COMPARES.search(sentence)
        and not instructs(sentence)
        and (split := _cut(sentence))
    ):
        found = Clause(split[0].strip(), split[1])
        return found if compares(found) and instructs(found.consequence) else None
    arrow = _ARROW.fullmatch(sentence) if mentions(said, _ARROWS) else None
    if arrow and not instructs(arrow["condition"]) and (_ANSWER.match(sentence) or _leads(arrow)):
        return Clause(arrow["condition"].rstrip("?: ").lstrip(), arrow["then"].strip())
    trailing = _TRAILING.match(sentence) if sentence[-1] != "?" and mentions(said, _TRAILING_WORDS) else None
    if trailing and not _INDIRECT.search(trailing["then"]):
        return Clause(stated(trailing["word"], trailing["condition"]), trailing["then"])
    return None


def _cut(rest: str) -> tuple[str, str] | None:
    """Cut "the disk is full, or the quota is, free some space" where what is to be done begins.

    That is the first mark behind which an instruction stands, or at least neither the condition goes on nor a list of
    what it names: "hums, stalls, or leaks". An arrow before it cuts too, but in the name of a menu: "File -> Print is
    grey, press F2".
    """
    arrow = _ARROW.fullmatch(rest) if mentions(rest, _ARROWS) else None
    cut = _cut_at_a_mark(rest)
    if arrow is None:
        return cut
    if cut is not None:
        is_later = len(cut[0]) <= len(arrow["condition"])
        is_menu = _tells(cut[1]) and not _tells(arrow["then"])
        if is_later or is_menu:
            return cut
    return arrow["condition"], arrow["then"]


def _cut_at_a_mark(rest: str) -> tuple[str, str] | None:
    kept = [match.span() for match in _KEPT.finditer(rest)]
    marks = [mark for mark in _ENDS.finditer(rest) if not any(a < mark.start() < b for a, b in kept)]
    after = [(mark, rest[mark.end() :]) for mark in marks if rest[: mark.start()].strip() and rest[mark.end() :]]
    ends = (
        at
        for at, (_, then) in enumerate(after)
        if not _GOES_ON.match(then) and (_tells(then) or not _is_listed(after[at:]))
    )
    at = next(ends, None)
    mark = after[at][0] if at is not None else _MAIN.search(rest)
    return (rest[: mark.start()], rest[mark.end() :]) if mark is not None else None


def _is_listed(after: Sequence[tuple[re.Match[str], str]]) -> bool:
    """Whether a few words behind a comma are one of several things: "hums, stalls, or leaks", "`a`, `b` or `c`"."""
    for (mark, _), (following, then) in itertools.pairwise(after):
        item = mark.string[mark.end() : following.start()]
        if mark[0][0] != "," or len(item.split()) > LISTED_WORDS:
            return False
        if _JOINS.match(then) or _JOINS.search(item):
            return True
    return False


def _tells(then: str) -> bool:
    return instructs(_ADVERB.sub("", then)) or _SEE.match(then) is not None


def _leads(arrow: re.Match[str]) -> bool:
    """Whether what an arrow points to is an instruction, or a step or section."""
    return _tells(arrow["then"]) or jump(arrow[0]) is not None


def compares(found: Clause) -> bool:
    """Whether a condition compares what is seen with an amount or a value."""
    return _COMPARES.search(found.condition) is not None or found.condition[:1] in _COMPARISONS


def is_idle(condition: str) -> bool:
    """Whether a condition says nothing that can be seen: a purpose, a wish or a manner of speaking ("if necessary")."""
    return _IDLE.fullmatch(condition) is not None


def announced(sentence: str) -> str:
    """The condition of a sentence that is nothing else and announces what to do ("If the lamp is red:")."""
    said = sentence.rstrip(" :：")
    if len(said) > LONGEST_SENTENCE or said.endswith((".", "!", "?", ",", ";")) or _LISTED.search(said):
        return ""
    if re.fullmatch(OTHERWISE, said, re.IGNORECASE):
        return said.lower()
    match = _LEADING.fullmatch(said)
    return stated(match["word"], match["rest"]) if match and not clause(said) else ""


def label(text: str) -> Clause | None:
    """`Current size is 1 TB: ask for more` -> the label is the condition."""
    match = _LABEL.match(text)
    return Clause(match["condition"].strip(" *_"), match["then"]) if match else None
