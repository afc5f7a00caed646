"""Where a condition ends, and what follows from it begins.

A comma, a dash or the subject of the main clause stands there; many a comma stands inside the condition.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from thread_core.text.sentences import instructs, lowered

_BREAK = re.compile(r"[,:]\s+(?:then\s+)?|\s+then\s+", re.IGNORECASE)
_MAIN = re.compile(r"\s(?=(?:you|it|we)\s+(?:can|should|may|must)\b)", re.IGNORECASE)
"""Where a main clause begins without a comma before it."""
_GO = (
    *(rf"(?<!\b{word})" for word in "to you we not can must should could may might will would does did and or".split()),
    r"(?<!n't)(?<!n’t)\s+",
    r"(?=(?:go (?:back )?to|continue (?:with|at)|proceed (?:to|with)|return to|skip to|jump to|see|follow)\s",
)
_GO_TO_STEP = re.compile(rf"{''.join(_GO)}+step\s+\d)", re.IGNORECASE)
"""The same before "go to step 2"."""
_GO_ELSEWHERE = re.compile(rf"(?:it|this|that)\s[^,;:]+?{''.join(_GO)})", re.IGNORECASE)
"""The same before "go to Tides": of "it" one would say "goes"."""
_FAILS = re.compile(
    r"(?:it|this|that|which)\s+(?:still\s+|also\s+)?"
    r"(?:fails?|works?|helps?|succeeds?|happens|(?:does not|doesn['’]t|did not|didn['’]t)\s+(?:help|work|succeed))\s+",
    re.IGNORECASE,
)
"""What says all that a condition has to say of what was done, before an instruction without a comma."""
_MARK = re.compile(r"[,;:]")
_OPEN = re.compile(r"\b(?:and|or|but|as|than|that|which|what|who|how|why|where|when|whether|if|so)$", re.IGNORECASE)
"""What comes before a clause that is no main clause."""
DASH = re.compile(r"(?:\s+[-–—]|\s*--|\s*[–—]|;)\s*(?:then\s+)?", re.IGNORECASE)
"""What ends a condition where no comma does."""
_GOES_ON = re.compile(
    r"(?:or|and|nor|if|e\.g\.|i\.e\.|such as|for example|for instance|which|whose|who|like|including)\b",
    re.IGNORECASE,
)
"""What follows a comma inside a condition."""
_KEPT = re.compile(r'"[^"]*"|“[^”]*”|\([^()]*\)')
"""No comma in quotation marks or parentheses ends a condition."""
_QUOTED_COMMA = re.compile(r",([\"”])(?=\s)")
"""A comma that stands before a quotation mark and is meant after it."""
_INSERTED = re.compile(r"(?:^|\b(?:and|or|but|(?<!after )(?<!before )(?<!like )that))\s*$", re.IGNORECASE)
"""Before a comma with which something is inserted into a condition."""
_JOINED = re.compile(r"(?:or|and|nor)\b", re.IGNORECASE)
_JOINS = re.compile(r"\b(?:or|and)\b", re.IGNORECASE)
PLACE = re.compile(r"(?:in|on|from|under|via|using|through|by|at|to)\b", re.IGNORECASE)
"""How words begin that say where something is."""
LISTED = 6
"""Commas at most between things that a condition names."""
LISTED_WORDS = 4
"""Between two commas, so few words are one of several things that the condition names."""
NEAR = 80
"""Characters before a mark or a condition in which it may be taken for something else."""
PARTS = 10
"""Places in a sentence where a condition may begin or end; a person has lost the thread long before."""


def cut(rest: str) -> tuple[str, str] | None:
    """Cut "the disk is full, or the quota is, free some space" where the main clause begins."""
    found = _GO_TO_STEP.search(rest) if "step" in lowered(rest) else None
    if found and not _MARK.search(rest, 0, found.start()):
        return rest[: found.start()], rest[found.end() :]  # "it is red go to step 2, then wait"
    rest = _QUOTED_COMMA.sub(r"\1,", rest) if ',"' in rest or ",”" in rest else rest
    return _cut_at(_BREAK, rest) or _cut_at(DASH, rest) or _cut_unmarked(rest)


def _cut_unmarked(rest: str) -> tuple[str, str] | None:
    """Cut "it still hums you can restart it", which has no comma, before the subject or the verb of the main clause."""
    rest = rest.strip()
    if "," in rest or PLACE.match(rest):
        return None
    if (found := _FAILS.match(rest)) and instructs(rest[found.end() :]):
        return found[0].rstrip(), rest[found.end() :]
    if found := _GO_ELSEWHERE.match(rest):
        return found[0].rstrip(), rest[found.end() :]
    found = _MAIN.search(rest)
    if found is None or _OPEN.search(rest[: found.start()]):
        return None
    return rest[: found.start()], rest[found.end() :]


def _cut_at(mark: re.Pattern[str], rest: str) -> tuple[str, str] | None:
    breaks = list(itertools.islice(mark.finditer(rest), PARTS))
    if not breaks:
        return None
    if kept := [match.span() for match in _KEPT.finditer(rest)]:
        breaks = [found for found in breaks if not any(a < found.start() < b for a, b in kept)]
    inserted = False
    for index, found in enumerate(breaks):
        if found[0][0] == ":" and not instructs(rest[found.end() :]) and _tells_later(rest, breaks[index + 1 :]):
            continue  # "if the status is Error: Not found, select Change": the colon is part of what is seen
        if inserted or _INSERTED.search(rest, max(0, found.start() - NEAR), found.start()):
            inserted = not inserted  # "if, after two minutes, it is red": neither comma ends the condition
            continue
        after = rest[found.end() :]
        if (
            after
            and not _GOES_ON.match(after)
            and (instructs(after) or not _is_listed(rest, breaks[index : index + LISTED]))
        ):
            return rest[: found.start()], after
    return None


def _tells_later(rest: str, breaks: Sequence[re.Match[str]]) -> bool:
    return any(instructs(rest[found.end() :]) for found in breaks[:LISTED])


def _is_listed(rest: str, breaks: Sequence[re.Match[str]]) -> bool:
    """Whether a few words after a comma are one of several things: "hums, stalls, or leaks, ..."."""
    for found, following in itertools.pairwise(breaks):
        part = rest[found.end() : following.start()]
        if _JOINS.search(part) and len(part.split()) <= LISTED_WORDS:
            return True
        if len(part.split()) > LISTED_WORDS or instructs(part):
            return _JOINED.match(part) is not None and found is not breaks[0]
    return False
