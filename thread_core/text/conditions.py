"""Sentences -> the conditions that they state.

Words only. Each pattern is one way in which people write "if the outcome is this, then that" (the paper's linker,
section 3.2).
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from thread_core.text import consequences
from thread_core.text.cases import IF, heading_condition, stated
from thread_core.text.consequences import DASH, NEAR, PARTS, PLACE
from thread_core.text.contrast import bounds_an_amount
from thread_core.text.denials import denies
from thread_core.text.directions import directs, ending, may_jump
from thread_core.text.leaning import IN_OTHER_CASES, expects, is_nothing_else, is_otherwise, wonders
from thread_core.text.roles import names_readers
from thread_core.text.scripts import COLONS
from thread_core.text.sentences import (
    LONGEST_SENTENCE,
    Sentence,
    beginnings,
    instructs,
    lowered,
    mentions,
    places,
    without_remark,
)

_LEADING = re.compile(
    r"(?:(?:then|but|and|or|also|however|alternatively|only|even|otherwise|now|next|so)[, ]+)*"
    r"(?:(?:in|on|at|from|under|with|for)\s[^,.:;]{2,60},\s+)?"
    rf"(?P<word>{IF})\b(?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)
LONGEST_COMMAND = 2
"""Words of what a menu calls by a verb: "Save as"."""
_MEANING = ("indicat", "mean", "impli", "suggest", "point", "confirm")
_TRAILERS = ("if", "unless", "case", "event", "when", "as long", "as soon", "once")
_ARROWS = ("->", "=>", "→", "⇒", "➜")
_COMPARISONS = ("<", ">", "=", "≤", "≥", "≠")
_COMPARISON = r"\S\s*(?:[<>]=?|[≤≥])\s*\d|\S\s+(?:[!=]=|[=≠])\s+\S"
_COMPARES = re.compile(_COMPARISON)
_IS_NO_ORDER = re.compile(r"[!=]=|≠")
"""A sign with which nobody is told to do anything, as by "Set x = 3"."""
_STATING = (
    *beginnings("if", "when", "unless", "case", "event", "should", "once", "assuming", "otherwise", "else", *_MEANING),
    *beginnings("situation", "circumstance"),
    *((word, re.compile(rf"as(?<=\bas)\s+{word}")) for word in ("long", "soon")),
    *((sign, re.compile(sign)) for sign in (*_ARROWS, *_COMPARISONS)),
)
"""Of these every statement of a condition has one: looked for first, because few sentences have it."""
_MAY_STATE = tuple(part for part, _ in _STATING)
"""The same by the letters alone."""
_BEGINNING = ("if ", "when ", "unless ", "in case")
_HALVING = (
    ";",
    "therwise",
    "lse ",
    "LSE ",
    "other ",
    *(f"{mark}{word}" for mark in " (–—" for word in _BEGINNING),
)
"""Of these the second half of a sentence has one."""
_IF_AGAIN = re.compile(rf"{IF}\b\s*+(?!to\b).", re.IGNORECASE)
_OTHERWISE = re.compile(
    rf"(?:(?:but|and)\b,?\s+)?(?P<condition>otherwise|or else|else|if (?:not|so|yes|no)|{IN_OTHER_CASES})\b"
    r"(?P<mark>\s*[,:–—-]|\s+then\b)?[\s:]*(?P<then>[^\s:].*)",
    re.IGNORECASE | re.DOTALL,
)
_OTHERWISE_LAST = re.compile(rf",?\s+(?P<condition>{IN_OTHER_CASES})\W*$", re.IGNORECASE)


def _half(comparison: str = "") -> re.Pattern[str]:
    return re.compile(
        r"(?=[\s,;:(–—])(?:(?P<stop>[;:](?=\s)|\s--?(?=\s)|\s?[–—])|(?P<comma>,)(?=\s)|(?P<bracket>\s?\()|(?<!\s)(?=\s))\s*+"
        r"(?=(?P<joint>(?:but|and|or|then)\b,?\s+)?"
        rf"(?:(?P<other>otherwise|or else|else|{IN_OTHER_CASES})\b|(?:if|when|unless|in case)\b{comparison}"
        r"|(?P<onward>(?:(?:go|continue|proceed|return|skip|jump)\s+)?(?:(?:back\s+|on\s+)?(?:to|with|at)\s+)?"
        r"steps?\s+\d+,?\s+(?:if|when|unless|in case)\b)))",
        re.IGNORECASE,
    )


_HALF = _half()
"""Where the second half of a sentence may begin, which states another condition."""
_HALF_OR_COMPARISON = _half(rf"|[^\s,;:.][^,;:.]{{0,60}}?(?:{_COMPARISON})")
"""The same where a comparison may be one, for which each word's followers are looked through."""
_VALUES = re.compile(
    r"(?P<what>[^,;:]{2,80}?\s(?:returns?|prints?|shows?|reports?|outputs?|gives?|equals))\s+(?P<one>[\w.-]+)\s+"
    r"(?:if|when)\s+(?P<case>[^,;]+?)\s*,?\s*\b(?:or|and)\s+(?P<other>[\w.-]+)\s+"
    r"(?:otherwise|(?:if|when)\s+(?:not|(?P<otherwise>[^,;]+?)))[.!]?",
    re.IGNORECASE,
)
"""Two values of one thing and what each of them means, said the other way round."""
_TRAILING = re.compile(
    r"(?P<then>.+?[^, (])[, (]+(?P<word>only if|if|unless|in (?:the )?(?:case|event) (?:of|that|when)|in case|when"
    r"|as long as|as soon as|(?<!at )(?<!than )once(?! (?:an?|per|more|again|every)\b))\s+"
    r"(?P<condition>(?:\([^()]*\)|[^,;()]){3,}?)\)?(?:,\s+(?:and\s+)?then\s.+)?[.!;]?$",
    re.IGNORECASE | re.DOTALL,
)
_IN_WHICH_CASE = re.compile(
    rf"\b{IF}\s+(?P<condition>[^,;]{{3,}})[,;]?\s+in (?:which|that|this) case,?\s+(?P<then>.+)",
    re.IGNORECASE | re.DOTALL,
)
_MEANS = re.compile(
    r"(?P<condition>(?!(?:it|this|that|which|these|they)\s+(?:[\w-]+\s+){0,2}"
    r"(?:indicat|mean|impl|suggest|point|confirm)).{2,}?)(?<!\byou)(?<!\bwe)(?<!\bto)(?<!really)"
    r"\s+(?:(?:usually|normally|typically|often|generally|mostly|probably|most likely|likely|always)\s+)?"
    r"(?:indicates?|means?|implies|suggests?|points? to|confirms?)\s+"
    r"(?!(?:how|what|which|where|whether|who|when)\b)(?P<then>(?:that\s+)?.{6,})",
    re.IGNORECASE | re.DOTALL,
)
_NO_SIGN = re.compile(
    r"(?:[,:;]|\b(?:and|or|then|please|the|an?)|(?:\bnot|n['’]t)(?:\s+\w+ly)?|^(?:more|less))\s*$|^during\b",
    re.IGNORECASE,
)
"""Before what `_MEANS` takes for a verb: it is an instruction ("Before you start, confirm that"), denied, or a noun.

What is so during something only tells when.
"""
_SIGN = re.compile(r"-+>|=+>|[→⇒➜]")
_ARROW = re.compile(rf"(?P<condition>.{{2,}}?)\s*(?:{_SIGN.pattern})\s*(?P<then>.{{3,}})", re.DOTALL)
_IN_A_MENU = re.compile(
    r"(?:[(\[]|\b(?:in|on|at|to|under|via|from|through|using)\s+(?:the\s+)?(?:(?:tab|menu|page|screen|section)\s+)?)"
    r"[*\"'“]*(?-i:[A-Z])[\w&.-]*(?:\s+(?:(?-i:[A-Z0-9])[\w&.-]*|and|&|of)){0,3}[*\"'”]*\s*$",
    re.IGNORECASE,
)
"""How a clause ends that says where a name stands: "is shown on the Observe", "(Observe"."""
_NAMED = re.compile(r"[*\"'“]*[A-Z]")
_PART = re.compile(r"[,:;]\s+|\b(?:and|then)\s+")
_INDIRECT = re.compile(
    r"\b(?:check|see|determine|verify|find out|confirm|test|decide|know|look|learn|tell|ask(?:ed)?|note|wonder|sure"
    r"|what (?:to do|happens)|as|(?:time|date|moment|day|point|cases?|situations?|example))\W*$",
    re.IGNORECASE,
)
"""Before "if" or "when": what follows is asked, told, named or compared with, and no condition."""
_IDLE = re.compile(
    r"(?:(?:you(?:['’]re| are)|it(?:['’]s| is)|this is|that is)\s+)?"
    r"(?:done|finished|ready|prompted|asked|in doubt|necessary|absolutely necessary|needed|required"
    r"|possible|applicable|desired|appropriate|available)"
    r"|you(?:'d|’d| would)?\s+(?:still\s+)?(?:like|want|wish|prefer|need|have|require)\b(?:\s+to\s+\w+)?"
    r"(?:\s+(?:any|some|more|further|additional|other|about|detailed|technical))*"
    r"(?:\s+(?:information|details|help|assistance|questions?|guidance|feedback|support)\b.*)?"
    r"|you\b.*\b(?:incorrectly|improperly)",
    re.IGNORECASE | re.DOTALL,
)
_LABEL_END = re.compile(r":\s|：")
_LABEL = re.compile(r"(?P<condition>[^:：]{2,80}|[^\W!-~])(?::\s+|：[\s*]*)(?P<then>.{3,})", re.DOTALL)
_LISTED = re.compile(r"\b(?:following|these|those|any|both|all)\b[^:]*$", re.IGNORECASE)
"""How a condition ends that is not complete before what it announces."""


class Clause(NamedTuple):
    """`condition` selects `consequence`; an empty condition means always."""

    condition: str
    consequence: str


def halves(sentence: Sentence, text: str, lead: str = "") -> Iterator[Sentence]:
    """Cut a sentence of a block's text where a condition begins that has what follows from it behind it.

    Before it stands another condition and what follows from that, or a clause of its own.

    Args:
        sentence: One of the block.
        text: The block's.
        lead: With what the block begins, where that is a label and no clause.

    Example:
        >>> text = "If it is red, press Reset; otherwise, close the lid. Ping it – if it fails, call."
        >>> [half.text for sentence in cut(text) for half in halves(sentence, text)]
        ['If it is red, press Reset.', 'otherwise, close the lid.', 'Ping it', 'if it fails, call.']
        >>> text = "The test returns 1 if it is up, or 0 if not."
        >>> [half.text for sentence in cut(text) for half in halves(sentence, text)]
        ['If The test returns 1, it is up.', 'If The test returns 0, not: it is up.']
    """
    if values := _VALUES.fullmatch(sentence.text) if _has_values(sentence.text) else None:
        for value, said in (("one", values["case"]), ("other", values["otherwise"] or f"not: {values['case']}")):
            yield sentence._replace(text=f"If {values['what']} {values[value]}, {said}.")
        return
    start, line = sentence.start, sentence.first
    for stop, following in _cuts(sentence, text, lead) if mentions(sentence.text, _HALVING) else ():
        said = " ".join(text[start:stop].split()).lstrip(",; ")
        last = line + text.count("\n", start, following)
        yield Sentence(said + ("." if text[stop] == ";" else ""), line, last, start, following)
        start, line = following, last
    if start == sentence.start:
        yield sentence
    elif rest := " ".join(text[start : sentence.stop].split()).strip(",; ").lstrip(".!?)"):
        yield Sentence(rest, line, sentence.last, start, sentence.stop)


def _has_values(text: str) -> bool:
    """Whether `_VALUES` may match a text: looked for first, because it rarely does."""
    return (
        len(text) <= LONGEST_SENTENCE
        and mentions(text, (" or ", ",or ", " and ", ",and "))
        and not text.startswith("If")
    )


def _cuts(sentence: Sentence, text: str, lead: str) -> Iterator[tuple[int, int]]:
    """Where a part of a sentence ends, and where the next one begins; what stands in brackets is a part of its own."""
    if len(sentence.text) > LONGEST_SENTENCE:
        return
    start = sentence.start
    half = _HALF_OR_COMPARISON if mentions(sentence.text, _COMPARISONS) else _HALF
    for match in filter(_is_set_off, itertools.islice(half.finditer(text, start, sentence.stop), PARTS)):
        said = " ".join(text[start : match.start()].split())
        end = text.find(")", match.end(), sentence.stop) if match["bracket"] else sentence.stop
        if said in ("", lead) or not _begins_half(match, said, " ".join(text[match.end() : end].split())):
            continue
        yield match.start(), match.end()
        start = match.end()
        if match["bracket"]:
            yield end, end + 1
            start = end + 1


def _is_set_off(match: re.Match[str]) -> bool:
    """Whether a mark or a word stands between two parts of a sentence, or the second one begins in capitals."""
    between = match["stop"] or match["comma"] or match["joint"] or match["bracket"]
    return between is not None or (match["other"] or "").isupper()


def _begins_half(match: re.Match[str], said: str, rest: str) -> bool:
    """Whether a sentence is cut between two parts, as the mark or the word between them has it."""
    if match["other"]:
        return match["stop"] != ":" and (_is_whole(said) or _is_denied(said, rest))
    if match["onward"]:
        return _is_whole(said)
    led = _led(rest)
    if led is None:
        return False
    if match["bracket"]:
        return not match["joint"] and "(" not in rest and (_is_whole(said) or not _IF_AGAIN.match(said))
    return _is_whole(said) or _is_clause(match, said, rest, led.consequence)


def _is_denied(said: str, rest: str) -> bool:
    """Whether "otherwise" denies what should be so or is looked for: "It should be red; otherwise press Reset"."""
    opposed = _opposed(rest) if expects(said) or wonders(said) else None
    return opposed is not None and instructs(opposed.consequence)


def _is_clause(match: re.Match[str], said: str, rest: str, consequence: str) -> bool:
    """Whether words before a condition are a clause: an instruction, a command, or what a semicolon or a dash sets off.

    Between two dashes a condition is only inserted.
    """
    if match["stop"] == ":":
        return instructs(said) or (said[0].islower() and " " in said)  # a label begins with a capital
    if match["stop"] is None:
        return instructs(said) and bool(match["joint"] or instructs(consequence))
    return match["stop"] == ";" or not DASH.search(rest, 0, len(rest) - len(consequence))


def _is_whole(said: str) -> bool:
    """Whether words state a condition and what follows from it: not yet "If it is red", and if it is hot, ..."."""
    if led := _led(said):
        return not _IF_AGAIN.match(led.consequence)
    return _opposed(said) is not None or (instructs(said) and clause(said) is not None)


class Hints(NamedTuple):
    """What the words of a block let expect: where one of these is false, no sentence of the block is so."""

    states: list[int]
    """Where words stand that state a condition: characters before them."""
    jumps: bool
    """A step or a section is named."""
    labels: bool
    """A label begins it."""
    asks: bool
    """Something is asked, or to be found out."""

    def state_in(self, sentence: Sentence) -> bool:
        """Whether a sentence of the block may state a condition."""
        at = bisect_left(self.states, sentence.start)
        return at < len(self.states) and self.states[at] < sentence.stop


def hints(said: str) -> Hints:
    """What the sentences of a block, given in lower case, may say about the way on; of most blocks, nothing."""
    return Hints(
        states=sorted(places(said, _STATING)),
        jumps=may_jump(said),
        labels=mentions(said, COLONS) and _LABEL_END.search(said) is not None,
        asks="?" in said or "whether" in said,
    )


def clause(sentence: str) -> Clause | None:
    """The condition in a sentence and what follows from it, or None.

    Example:
        >>> clause("If the pod is not running, restart it.")
        Clause(condition='the pod is not running', consequence='restart it.')
    """
    said = lowered(sentence) if len(sentence) <= LONGEST_SENTENCE else ""
    if not mentions(said, _MAY_STATE):
        return None
    sentence = without_remark(sentence)
    sentence = sentence[1:-1] if sentence[0] == "(" and sentence[-1] == ")" else sentence
    if mentions(said, ("in which case", "in that case", "in this case")) and (match := _IN_WHICH_CASE.search(sentence)):
        # "Leave it alone, unless it leaks, in which case close the valve": what follows is for when it leaks.
        return Clause(match["condition"], match["then"])
    if found := _opposed(sentence) or _led(sentence):
        return found
    if mentions(said, (" other ", " else")) and (found := _opposed_last(sentence)):
        return found
    match = _ARROW.fullmatch(sentence) if mentions(said, _ARROWS) else None
    if match and not (_is_menu(match["condition"], match["then"]) or names_readers(match["condition"])):
        condition = match["condition"].rstrip("? ").lstrip()
        return Clause(heading_condition(condition) or condition, match["then"].strip())
    trailing = _TRAILING.match(sentence) if mentions(said, _TRAILERS) and sentence[-1] != "?" else None
    if trailing and not _INDIRECT.search(trailing["then"], max(0, trailing.end("then") - NEAR)):
        return Clause(stated(trailing["word"], trailing["condition"]), trailing["then"])
    meaning = _MEANS.match(sentence) if mentions(said, _MEANING) and sentence[-1] != "?" else None
    if meaning and not (
        _NO_SIGN.search(meaning["condition"]) or any(map(instructs, _PART.split(meaning["condition"])))
    ):
        return Clause(meaning["condition"].strip(), meaning["then"].strip())
    return None


def _is_menu(before: str, after: str) -> bool:
    """Whether an arrow stands between the names of a menu: "Click File -> Save as", "Settings → Pump → Reset"."""
    if PLACE.match(before) or any(map(instructs, _PART.split(before))):
        return True
    is_path = _SIGN.search(after) is not None
    if (
        _IN_A_MENU.search(before)
        and _NAMED.match(after)
        and (is_path or not instructs(after) or len(after.split()) <= LONGEST_COMMAND)
    ):
        return True
    return is_path and not instructs(after)


def _opposed(sentence: str) -> Clause | None:
    """What follows from "otherwise" or "if not"; "If not fixed, ..." is a condition of its own."""
    match = _OTHERWISE.match(sentence)
    if match is None:
        return None
    alone = match["mark"] or is_otherwise(match["condition"]) or instructs(match["then"])
    return Clause(match["condition"].lower(), match["then"]) if alone else None


def _opposed_last(sentence: str) -> Clause | None:
    """The same where it stands last: "Call the desk in all other cases"."""
    match = _OTHERWISE_LAST.search(sentence)
    if match is None or denies(sentence[: match.start()]):
        return None
    return Clause(match["condition"].lower(), sentence[: match.start()])


def _led(sentence: str) -> Clause | None:
    """The clause of a sentence that begins with its condition."""
    if (match := _LEADING.match(sentence)) and (split := consequences.cut(match["rest"])):
        return Clause(stated(match["word"], split[0]), split[1])
    return _compared(sentence) if mentions(sentence, _COMPARISONS) else None


def _compared(sentence: str) -> Clause | None:
    """What is to be done where a comparison holds that a sentence begins with: "p99 > 2 s, restart it"."""
    match = _COMPARES.search(sentence)
    is_order = match is not None and instructs(sentence) and not _IS_NO_ORDER.search(match[0])
    split = consequences.cut(sentence) if match and not is_order else None
    if split is None:
        return None
    condition, then = split[0].strip(), split[1]
    if _COMPARES.search(condition) and (further := _compared(then)):
        return Clause(f"{condition}, {further.condition}", further.consequence)
    found = Clause(condition, then)
    return found if compares(found) and _is_told(found) else None


def compares(found: Clause) -> bool:
    """Whether a condition compares what is seen with an amount, or with a value where something is to be done then."""
    return bounds_an_amount(found.condition) or (_is_told(found) and _COMPARES.search(found.condition) is not None)


def _is_told(found: Clause) -> bool:
    then = found.consequence
    return instructs(then) or directs(then) or ending(then) is not None


def is_idle(condition: str) -> bool:
    """Whether a condition says nothing that can be seen: a purpose, a wish or a manner of speaking ("if necessary")."""
    return _IDLE.fullmatch(condition) is not None or _IDLE.fullmatch(f"you {condition}") is not None


def announced(sentence: str) -> str:
    """The condition of a sentence that is nothing else and announces what to do ("If the lamp is red:")."""
    said = sentence.rstrip(" :：")
    if len(said) > LONGEST_SENTENCE or said.endswith((".", "!", "?", ",", ";")) or _LISTED.search(said):
        return ""
    if is_nothing_else(said):
        return said.lower()
    match = _LEADING.fullmatch(said)
    return stated(match["word"], match["rest"]) if match and not clause(said) else ""


def label(text: str) -> Clause | None:
    """`Current size is 1 TB: ask for more` -> the label is the condition."""
    match = _LABEL.match(text)
    return Clause(match["condition"].strip(" *_"), match["then"]) if match else None
