"""What was seen -> whether an outcome is the case for sure, with nobody there who looks.

Likeness ranks the outcomes (`matching`); what is followed has to be borne out by what was printed besides, and to be so
now (`tense`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from thread_core.text import cases, contrast, opposites, tense
from thread_core.text.code import codes
from thread_core.text.contrast import agreement
from thread_core.text.denials import denies, in_trouble, is_unset
from thread_core.text.source import Source
from thread_core.text.words import content_words
from thread_core.walking.matching import CLAUSES, Match, own_words
from thread_core.walking.ways import Candidate
from thread_core.walking.weighing import denied

_PRINTING = (
    "prints printed says said shows shown reads returns reports displays answers outputs contains finds gives".split()
)
_SHOWN = (
    rf"(?:\b(?:see|is|are|{'|'.join(_PRINTING)})(?:\W+\w+){{{{0,3}}}}?\W+|[:=]\s*|^\W*){{0}}\W*$"
    r"|(?<!\w){0}(?!\w).{{0,20}}\b(?:is|are|was|were) (?:printed|shown|displayed|returned|logged|listed)|{0} appears\b"
)
"""How a condition speaks of what is shown; the rest of the code that it names is no output."""
_NOT_YET = re.compile(r"\bpending\b", re.IGNORECASE)
_TROUBLES = ("it failed", "it hangs")
_PART = re.compile(r"\b(\d+)\s*(?:/|(?:out )?of)\s*(?!\1\b)\d+\b|\bexcept\b", re.IGNORECASE)
"""What is so of a part alone: 2/3, "1 of 2"."""
_WORD = re.compile(r"[\w-]{2,}")


def borne_out(outcome: str, ranked: Sequence[Match], choices: Sequence[Candidate]) -> list[Match]:
    """The ways that may be the case, the best first; none where that one is not for sure.

    What its condition quotes has to be printed, its amounts have to be seen, or else the last of its words that no
    other condition has; and the program must have had no trouble. What is for all else is nobody's to conclude.

    Args:
        outcome: What was seen.
        ranked: The ways that it does not contradict.
        choices: All ways.
    """
    shown = [(match, printed(outcome, match.candidate)) for match in ranked]
    left = [(match, sign) for match, sign in shown if sign not in (0, -1) and not _is_opposed(outcome, match.candidate)]
    if not left:
        return []
    (best, sign), *_ = left
    others = [way.condition for way in choices if way.condition != best.candidate.condition]
    is_sure = _is_sure(told(outcome, best.candidate.condition), best.candidate, sign, others)
    return [match for match, _ in left] if is_sure else []


def told(outcome: str, condition: str) -> str:
    """What of an outcome may be held against a condition: what tells of now, unless both speak of another time."""
    return outcome if tense.unreal(outcome) <= tense.unreal(condition) else tense.of_now(outcome)


def is_of_now(outcome: str, condition: str) -> bool:
    """Whether what speaks for a condition was said of now: all words of it, and that it is on the condition's side.

    Example:
        >>> is_of_now("the pump was down last week, now it is slow", "the pump is down")
        False
    """
    now = told(outcome, condition)
    if now == outcome:
        return True
    sign, words = agreement(now, condition).sign, content_words(own_words(condition)) & content_words(outcome)
    if sign < max(0, agreement(outcome, condition).sign) or not words <= content_words(now):
        return False
    return sign > 0 or bool(words)


def printed(outcome: str, way: Candidate) -> int | None:
    """Whether what a way's condition quotes was seen: 1 where it was, 0 where not, -1 where it was denied or doubted.

    None where the condition quotes no code as what is shown. "If it prints `synced`" is for that word alone: not for
    "syncing", "not synced" or "synced: false".
    """
    quoted = _quoted(way)
    if not quoted:
        return None
    expects_trouble = in_trouble(way.condition)
    now = told(outcome, way.condition)
    signs = [_is_printed(outcome, now, code, expects_trouble) for code in quoted]
    return max(signs) if " or " in way.condition else min(signs)


def measures_trouble(outcome: str, condition: str) -> bool:
    """Whether the amount that speaks for a condition is of a failure, of which the condition does not speak.

    An amount beside which nothing of the condition is named belongs to what was said before it.

    Example:
        >>> measures_trouble("it timed out after 5 minutes", "the lag is more than 3 minutes")
        True
    """
    if agreement(outcome, condition).by != "amount" or _is_trouble(condition):
        return False
    failed, wanted = False, contrast.measured(condition)
    for clause in CLAUSES.split(outcome):
        failed = _is_trouble(clause) or (failed and wanted.isdisjoint(contrast.measured(clause)))
        if failed and contrast.tells_amounts(clause) and not contrast.bounds_an_amount(clause):
            return True
    return False


def _is_trouble(text: str) -> bool:
    return in_trouble(text) or denied(text) or any(opposites.compare(text, said) > 0 for said in _TROUBLES)


def _quoted(way: Candidate) -> list[str]:
    """The code that a way's condition says is shown."""
    condition = own_words(way.condition)
    if way.link is None or way.unit.rewritten or denied(condition):
        return []
    inline = {code.text.strip() for code in codes(Source(way.unit.body)) if code.inline} - {""}
    return [code for code in inline if re.search(_SHOWN.format(re.escape(code)), condition, re.IGNORECASE)]


def _is_printed(outcome: str, now: str, code: str, expects_trouble: bool) -> int:
    """As `printed`, of one word; a trouble beside it is none where that is what is expected."""
    word = re.compile(rf"(?<![\w-]){re.escape(code)}(?![\w-])", re.IGNORECASE)
    lines = [line for line in now.splitlines() if word.search(line)]
    beside = [word.sub(" ; ", line) for line in lines]
    is_doubted = any(denies(text) or _NOT_YET.search(text) for text in beside)
    is_troubled = not expects_trouble and any(map(in_trouble, beside))
    is_denied = any(is_unset(line, found.end()) for line in lines for found in word.finditer(line))
    if is_doubted or is_troubled or is_denied or (not lines and word.search(outcome)):
        return -1
    return int(bool(lines))


def _is_opposed(outcome: str, way: Candidate) -> bool:
    return agreement(told(outcome, way.condition), way.condition).sign < 0


def _is_sure(outcome: str, way: Candidate, shown: int | None, others: Sequence[str]) -> bool:
    if shown is not None or cases.is_rest(way.condition):
        return shown == 1
    if in_trouble(outcome) and not (in_trouble(way.condition) or denied(way.condition)):
        return False
    if contrast.compares(way.condition):
        is_within = agreement(outcome, way.condition) == (1, "amount")
        return (
            is_within
            and not measures_trouble(outcome, way.condition)
            and opposites.compare(outcome, way.condition) >= 0
        )
    if _PART.search(outcome) and not _PART.search(way.condition):
        return False
    said = _words(own_words(way.condition))
    named = {word for condition in others for word in _words(condition)}.intersection(said)
    seen, stated = _without(outcome, named), _without(way.condition, named)
    if opposites.compare(seen, stated) > 0 or agreement(seen, stated) == (1, "code"):
        return True
    own = [word for word in said if word not in named] or said
    return bool(own) and own[-1] in _words(outcome)


def _words(text: str) -> list[str]:
    """The words that carry meaning, letter for letter; the last of a condition says what is the case."""
    return [word for word in _WORD.findall(text.lower()) if content_words(word) and word not in _PRINTING]


def _without(text: str, words: Collection[str]) -> str:
    return _WORD.sub(lambda match: "" if match[0].lower() in words else match[0], text)
