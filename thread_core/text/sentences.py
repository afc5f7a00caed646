"""Blocks -> sentences, and what their first words and letters tell at once."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

BREAK = "\x1e"
"""Stands for a `<br>` in a block's text: white space that ends no line of the source."""
_SENTENCE = re.compile(r"[.!?]([\"')\]*]*)\s+(?:(?=[\"'(\[*]*[A-Z0-9`])|(?<=[^.!?]\?\s)(?=[a-z]))")
_SENTENCE_IN_ANY_SCRIPT = re.compile(
    r"[.!?]([\"')\]*”“»]*)\s+(?:(?=[\"'(\[*¿¡„“«»]*[A-Z0-9`])|(?<=[^.!?]\?\s)(?=[a-z])"
    r"|(?=[\"'(\[*¿¡„“«»]*(?P<first>[^\x00-\x7f])))|[。！？](?P<wide>[」』”’）\"')\]*]*)\s*(?=\S)"
)
"""The same, before letters of any script; `first` may be one that begins no sentence."""
_STOPPED = re.compile(r"[.!?]([\"')\]*]*)\s+$")
_BROKEN = re.compile(rf"(?<=[^\s,])\s*{BREAK}\s*(?:(?:[-*+•–]|\d{{1,2}}[.)])\s+)?")
"""A `<br>`, with the mark of an item behind it."""
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|no|fig|approx|incl|resp|ver|nr|bzw|ggf|evtl|vgl|inkl)\.|\b(?-i:[A-Z])\.)\W*$",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"(?<![^\W_])[^\W\d_]\.\s+[^\W\d_]\.")
"""An abbreviation of several words: "z. B."."""
_NEXT = re.compile(r"[\"'(\[*]*(?:(?:If|When|Otherwise|Then)\b|(?:Yes|No)[:,])")
"""What a sentence begins with, also behind what may be an abbreviation: "Press A. If it hums, ..."."""
_REMARK = re.compile(
    r"\s*(?:\[!\w+\]|(?:note|important|warning|caution|tip|attention|hint)\b\s*[:.–—-]?)\s+(?=(?-i:[A-Z`\"]))",
    re.IGNORECASE,
)
"""What a note begins with."""
_SIGNS = re.compile(r"[^\w\s!-~\u2018-\u201f«»\u2039\u203a→⇒➜]+\s+")
_ASIDE = re.compile(
    r"(?:note|important|warning|caution|tip|attention)\b"
    r"|(?:danger|hint|info|(?:be )?careful|heads[ -]up|reminder|caveat|fyi|nb|n\.b\.)(?=\W*$|\s*[:!–—-])",
    re.IGNORECASE,
)
ALARMS = ("warning", "caution", "danger", "important", "attention")
"""What a warning is called."""
_WARNING = re.compile(
    rf"\W*(?P<label>{'|'.join(ALARMS)})(?:\W*$|\W*[\]:!.–—-]\W*|(?-i:(?<=[A-Z][A-Z]) (?=[A-Z][^A-Z])))", re.IGNORECASE
)
"""With a mark behind it, or in capitals."""
_IMPERATIVE = re.compile(
    r"\W*(?:\d+[.)]\s*)?(?:please |then |first |now |next |optionally |also |step \d+\W+)*"
    r"(?:add|adjust|analy[sz]e|apply|approve|ask|assign|attach|back up|browse|cancel|change|check|choose|clear"
    r"|click|close|collect|configure|confirm|connect|consult|contact|convert|copy|create|delete|detach"
    r"|determine|disable|disconnect|double-click|download|drag|edit|enable|ensure|enter|examine|execute|exit"
    r"|expand|fill|find|fix|follow|get|go|grant|identify|increase|insert|inspect|install|investigate|launch"
    r"|list|locate|log|look|make (?:sure|an?|the|your)|modify|monitor|move|navigate|observe|obtain|open|paste"
    r"|perform|press|provide|put|query|quit|reach out|reboot|rebuild|reconnect|recreate|redeploy|reduce|refer"
    r"|refresh|reinstall|remove|rename|reopen|repair|repeat|replace|reset|restart|restore|retry|review"
    r"|right-click|run|save|scan|scroll|search|select|set|show|shut|sign|specify|start|stop|submit|switch|tap"
    r"|test|try|turn|type|uncheck|uninstall|unplug|update|upgrade|upload|use|validate|verify|view|wait|watch"
    r"|write)\b"
    r"(?!\s+(?:is|are|was|were|has|have|fails?|failed)\b)"
)
"""How an instruction begins, in lower case: to ignore the case takes a pattern of so many words twice as long."""
_NO_VERB = (
    r"i|you|we|they|he|she|it|this|that|these|those|there|who|what|which|where|why|how|whether|note|use[sd]"
    r"|if|when|while|than|as|once|until|till|unless|since|because|although|though|whereas|and|or|but|nor|so|not|then"
    r"|in|on|at|to|of|for|from|with|without|within|by|into|onto|over|under|after|before|during|about|above|below|between"
    r"|through|throughout|via|per|like|against|among|around|behind|beside|near|off|out|up|down|across|along|inside"
    r"|outside|toward|upon|despite|is|are|was|were|be|do|did|has|have|had|can|could|will|would|should|may|might|must"
    r"|shall|also|only|even|just|both|all|half|such|here|often|soon|later|again|still|maybe|perhaps|quite|rather|almost"
    r"|never|always|sometimes|instead|one|some|most|many|none|each|every|any|no|another"
)
"""Words that are no verb in what tells the reader to do something, and may stand before an article."""
_VERB_AND_OBJECT = re.compile(
    rf"\W*+(?:please |then |first |now |next |also )*+(?!(?:{_NO_VERB}|\w+ed|\w+ly|\w*[^\Ws]s|\w*[aeiou]\w*ing)\b)"
    r"[a-z]{2,20}(?:-[a-z]{2,20})?\s+(?-i:the|an?|your|its|it|this|these|those|each|every|all|any|both|them)\b",
    re.IGNORECASE,
)
"""An instruction with a verb that is not among the above: "Fence the node"."""
QUOTES = "\"'\u201c\u2018\u201e\u00ab"
"""What opens a message that is quoted."""
WARNING = "Warning:"
"""What begins a warning that has no label of its own."""
LONGEST_STOP = 6
"""Characters between two sentences, with the mark that ends the first."""
LONGEST_SENTENCE = 600
"""Characters; what runs on longer is data (a log, a minified file), and the patterns are not tried on it."""


class Sentence(NamedTuple):
    """A sentence of a block: its words in one line, and the lines (0-based, from the block's first) that hold it."""

    text: str
    first: int
    last: int
    start: int
    stop: int
    """Characters of the block's text, the last one not included."""


def cut(text: str, code: Sequence[tuple[int, int]] = ()) -> Iterator[Sentence]:
    """Cut a block's words into sentences; a line that begins with a mark of its own stays with its sentence.

    Args:
        text: The block's.
        code: Where inline code begins and ends in it: what it begins with may be small.
    """
    start = line = 0
    ends = sorted({*_ends(text), *_before(text, code)}) if code else _ends(text)
    for stop, following in itertools.chain(ends, ((len(text), len(text)),)):
        if following < len(text) and _goes_on(text, start, stop, following):
            continue
        piece = text[start:stop]
        last = line + piece.count("\n")
        flat = " ".join(piece.split())
        if flat:
            yield Sentence(flat, line, last, start, stop)
        line = last + text.count("\n", stop, following)
        start = following


def _ends(text: str) -> Iterable[tuple[int, int]]:
    """Where sentences may end, and where the following ones begin."""
    return _with_breaks(text) if BREAK in text else _stops(text)


def _before(text: str, code: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The same before inline code: "It is off. `lamp` says so."."""
    for start, _ in code:
        if match := _STOPPED.search(text, max(0, start - LONGEST_STOP), start):
            yield match.end(1), start


def _with_breaks(text: str) -> Iterator[tuple[int, int]]:
    begun = 0
    for stop, following in sorted((*_breaks(text), *_stops(text)), key=lambda end: (end[0], -end[1])):
        if stop >= begun:
            yield stop, following
            begun = following


def _breaks(text: str) -> Iterator[tuple[int, int]]:
    """The same at the `<br>` before which no comma stands, and behind which no small letter."""
    for match in _BROKEN.finditer(text):
        if not text[match.end() : match.end() + 1].islower():
            yield match.span()


def _stops(text: str) -> Iterator[tuple[int, int]]:
    """The same where a mark says so."""
    if text.isascii():
        for match in _SENTENCE.finditer(text):
            yield match.end(1), match.end()
        return
    for match in _SENTENCE_IN_ANY_SCRIPT.finditer(text):
        first = match["first"]
        if first is None or first.isupper() or (first.isalpha() and first.lower() == first.upper()):
            yield max(match.end(1), match.end("wide")), match.end()


def _goes_on(text: str, start: int, stop: int, following: int) -> bool:
    """Whether a sentence goes on after what may be its end."""
    if _LETTERS.match(text, max(start, stop - 2)):
        return True
    return _ABBREVIATION.search(text[max(start, stop - 12) : stop]) is not None and not _NEXT.match(text, following)


def lowered(text: str) -> str:
    """A text in lower case as patterns that ignore case see it: they take three letters more for an `i` or an `s`."""
    if text.isascii():
        return text.lower()
    return text.replace("\u0130", "i").replace("\u0131", "i").replace("\u017f", "s").lower()


def mentions(said: str, parts: Iterable[str]) -> bool:
    """Whether a text in lower case has one of some parts of words: many times as fast as a pattern."""
    for part in parts:  # noqa: SIM110 (`any` takes half as long again)
        if part in said:
            return True
    return False


Part = tuple[str, re.Pattern[str]]
"""A part of a word, and the pattern that is tried only on texts in which it stands."""


def wholes(*words: str) -> tuple[Part, ...]:
    """Words that end where they end here."""
    return tuple((word, re.compile(rf"{word}(?<=\b{word})\b")) for word in words)


def places(said: str, parts: Iterable[Part]) -> list[int]:
    """Where any of some words stand in a text in lower case; a pattern for all of them takes several times as long."""
    return [match.start() for part, pattern in parts if part in said for match in pattern.finditer(said)]


def without_signs(text: str) -> str:
    """A text without the emoji and other signs that begin it."""
    found = _SIGNS.match(text)
    return text[found.end() :] if found else text


def without_remark(text: str) -> str:
    """A text without the signs and the "Note:" or "Important:" that begin it."""
    text = without_signs(text)
    found = _REMARK.match(text)
    return text[found.end() :] if found else text


def is_aside(text: str) -> bool:
    """Whether a text says of itself that it is a note, a warning or a tip."""
    return _ASIDE.match(text) is not None


def warning(text: str) -> str:
    """A text that says of itself that it is a warning, with its label before it; empty where it does not say so.

    Example:
        >>> warning("[!CAUTION] The plate is hot."), warning("Important people wait here.")
        ('Caution: The plate is hot.', '')
    """
    found = _WARNING.match(text)
    said = without_remark(text[found.end() :]).strip() if found else ""
    return f"{found['label'].capitalize()}: {said}" if found and said else ""


def tells(text: str) -> bool:
    """Whether a text begins by telling the reader to do something: "Check the logs", not "Disk full"."""
    return _IMPERATIVE.match(lowered(text)) is not None


def instructs(text: str) -> bool:
    """Whether a text `tells` something, or begins with any other verb and what it is done to: "Fence the node"."""
    return tells(text) or _VERB_AND_OBJECT.match(text) is not None
