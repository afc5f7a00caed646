"""What an executor saw -> whether an outcome is the case for sure, with nobody there who looks.

Likeness ranks the outcomes (`matching`); what is followed has to be borne out by what was printed besides.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from thread_core.text import cases, contrast, opposites
from thread_core.text.code import codes
from thread_core.text.contrast import agreement
from thread_core.text.denials import denies, in_trouble
from thread_core.text.markdown import Source
from thread_core.text.words import content_words
from thread_core.walking.matching import Match, own_words
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
_DOUBT = re.compile(r"\b(?:will|would|should|may|might|could|if|unless|until|pending)\b|\?", re.IGNORECASE)
"""What says beside a word that it is not so, or not yet."""
_NO = re.compile(r"""["'`]?\s*[:=?]\s*["'`]?(?:false|no|none|null|off|0)\b""", re.IGNORECASE)
"""What denies the word before it, as programs print it."""
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
    left = [match for match in ranked if not _is_refuted(outcome, match.candidate)]
    best = left[0].candidate if left else None
    others = [way.condition for way in choices if best is not None and way.condition != best.condition]
    return left if best is not None and _is_sure(outcome, best, others) else []


def printed(outcome: str, way: Candidate) -> int | None:
    """Whether what a way's condition quotes was seen: 1 where it was, 0 where not, -1 where it was denied or doubted.

    None where the condition quotes no code as what is shown. "If it prints `synced`" is for that word alone: not for
    "syncing", "not synced" or "synced: false".
    """
    quoted = _quoted(way)
    if not quoted:
        return None
    expects_trouble = in_trouble(way.condition)
    signs = [_is_printed(outcome, code, expects_trouble) for code in quoted]
    return max(signs) if " or " in way.condition else min(signs)


def _quoted(way: Candidate) -> list[str]:
    """The code that a way's condition says is shown."""
    condition = own_words(way.condition)
    if way.link is None or way.unit.rewritten or denied(condition):
        return []
    inline = {code.text.strip() for code in codes(Source(way.unit.body)) if code.inline} - {""}
    return [code for code in inline if re.search(_SHOWN.format(re.escape(code)), condition, re.IGNORECASE)]


def _is_printed(outcome: str, code: str, expects_trouble: bool) -> int:
    """As `printed`, of one word; a trouble beside it is none where that is what is expected."""
    word = re.compile(rf"(?<![\w-]){re.escape(code)}(?![\w-])", re.IGNORECASE)
    lines = [line for line in outcome.splitlines() if word.search(line)]
    beside = [word.sub(" ; ", line) for line in lines]
    is_doubted = any(denies(text) or _DOUBT.search(text) for text in beside)
    is_troubled = not expects_trouble and any(map(in_trouble, beside))
    is_denied = any(_NO.match(line, found.end()) for line in lines for found in word.finditer(line))
    return -1 if is_doubted or is_troubled or is_denied else int(bool(lines))


def _is_refuted(outcome: str, way: Candidate) -> bool:
    return agreement(outcome, way.condition).sign < 0 or printed(outcome, way) in (0, -1)


def _is_sure(outcome: str, way: Candidate, others: Sequence[str]) -> bool:
    shown = printed(outcome, way)
    if shown is not None or cases.is_rest(way.condition):
        return shown == 1
    if in_trouble(outcome) and not (in_trouble(way.condition) or denied(way.condition)):
        return False
    if contrast.compares(way.condition):
        is_within = agreement(outcome, way.condition) == (1, "amount")
        return is_within and opposites.compare(outcome, way.condition) >= 0
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
