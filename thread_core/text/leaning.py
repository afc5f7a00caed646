"""Conditions that lean on what was said before: "otherwise", "if so", "if it did not".

Words only, as in `conditions`: what is asked, expected or stated, and what of it a later condition takes in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from thread_core.text.cases import OTHER_CASES
from thread_core.text.sentences import LONGEST_SENTENCE, instructs, mentions

OPPOSITE = "not: "
"""Stands before a condition that was put together as the opposite of another."""
IN_OTHER_CASES = rf"(?:in|for|under|with) (?:{OTHER_CASES})"
_OPPOSITE = re.compile(rf"otherwise|or else|else|{IN_OTHER_CASES}", re.IGNORECASE)
_SHORT = (
    r"(?:it|they|this|that|you|there)(?:\s+(?P<verb>is|are|was|were|does|do|did|has|have|can|will|could)|['’](?:s|re))"
)
_YES = re.compile(rf"(?:if\s+)?(?:so|yes)|{_SHORT}", re.IGNORECASE)
_NO = re.compile(r"(?:if\s+)?(?:not|no)", re.IGNORECASE)
_IT_IS_NOT = re.compile(rf"{_SHORT}(?:\s*not|n['’]t)", re.IGNORECASE)
_IT_IS = re.compile(r"(?:it|they)(?:\s+(?:is|are)|['’](?:s|re))\s+(?P<rest>\S+(?:\s+\S+){0,3})", re.IGNORECASE)
_SUBJECT = re.compile(
    r"(?!not\b|(?:it|they|this|that|you|there)\b)(?P<subject>.+?)\s+(?P<verb>is|are)\s+\S", re.IGNORECASE
)
"""What "it is" leans on in the sentence right before: "If the value is yes, ... If it is no, ..."."""
_QUESTION = re.compile(
    r"(?:is|are|was|were|do|does|did|has|have|can|could|will)\s+(?P<asked>[^?]{3,})\?\W*", re.IGNORECASE
)
_SHORTENED = re.compile(
    r"\W*+(?:(?:and |but )?what if (?P<if>[^?]{3,})"
    r"|(?!(?:what|which|who|whose|how|why|where|when|would|shall|may|should|(?:any |more |further )?questions?)\b)"
    r"(?P<asked>(?:\S+ ){0,7}[^\s?]+))\?\W*",
    re.IGNORECASE,
)
"""A question that begins with what is asked for: "Not there?", "Asks for a code?"."""
_ASKED = re.compile(
    r"\b(?:(?:check|see|determine|verify|find out|confirm|test|decide)\s+(?:if|whether|that)"
    r"|(?:make sure|ensure)(?!\s+(?:(?:that\s+)?you|to|of)\b)(?:\s+that)?)\s+(?P<asked>[^?]+)",
    re.IGNORECASE,
)
_EXPECTED = re.compile(
    r"(?<!\byou )(?:\bshould|\bmust)\b|\byou should (?:now |then )?(?:see|hear|get|find|notice)\b"
    r"|\b(?:expect(?:ed)?|supposed to)\b",
    re.IGNORECASE,
)
_MAY_LEAN = re.compile(
    r"(?:otherwise|or|else|in|for|under|with|if|so|yes|not?|its?|they|this|that|you|there|these|those)(?!\w)",
    re.IGNORECASE,
)
"""How a condition begins that leans on what was said before."""
_LEANING = re.compile(r"(?:it|this|that|they|so|these|those|not|if so|if not)\b(?:\s+\S+){0,2}", re.IGNORECASE)
_SPEAKS_OF = re.compile(
    r"\b(?:do(?:ing|ne|es)?|perform(?:ing|ed)?) (?:it|this|that|these|those|so)\b(?! \w)|\b(?:it|this|that|them)\W*$",
    re.IGNORECASE,
)
"""What speaks of a thing or a deed that it does not name."""
_CHOICE = re.compile(
    r"(?:choos|select|pick|prefer|tak|us)\w*\s+(?:this|that)\s+(?:option|method|choice|approach|workaround)\b",
    re.IGNORECASE,
)
"""What was said right before: "Keep the old one. If you select this option, ..."."""
_IN_THAT_CASE = re.compile(r"in (?:this|that|such a) (?:case|event|situation)(?P<comma>,)?\s+", re.IGNORECASE)


@dataclass(slots=True)
class Said:
    """What was said before a sentence, for conditions that lean on it: "otherwise", "if so", "if it did not"."""

    condition: str = ""
    """Stated or asked last."""
    is_from_last: bool = False
    """Whether the sentence right before states or asks it."""
    asked: str = ""
    expected: str = ""
    """What should be so, where no condition was stated since."""
    sentence: str = ""
    """The sentence before in the paragraph, where it states no condition."""


def complete(condition: str, said: Said) -> str:
    """A condition that leans on what was said before, with that in it: "otherwise" is the opposite of the one before.

    Example:
        >>> complete("otherwise", Said(condition="the disk is full"))
        'not: the disk is full'
    """
    if said.sentence and _CHOICE.search(condition):
        return f"{condition} ({said.sentence.rstrip(' .?!:*')})"
    if not _MAY_LEAN.match(condition):
        return condition
    if _OPPOSITE.fullmatch(condition) and (found := _expected_last(said) or said.condition or said.expected):
        return _denied(found) or condition
    if _NO.fullmatch(condition) and (found := said.expected or said.condition):
        return _denied(found) or condition
    if (short := _IT_IS_NOT.fullmatch(condition)) and (denied := _denied(_spoken_of(short["verb"] or "", said))):
        return denied
    if _YES.fullmatch(condition) and (found := said.asked or said.expected):
        return found
    if said.is_from_last and (short := _IT_IS.fullmatch(condition)) and (named := _SUBJECT.match(said.condition)):
        return f"{named['subject']} {named['verb']} {short['rest']}"
    if _LEANING.fullmatch(condition) and said.sentence and condition not in said.sentence:
        return f"{condition} ({said.sentence.rstrip(' .?!:')})"
    return condition


def _expected_last(said: Said) -> str:
    """What should be so, where the sentence before says it: "It should be green. Otherwise, ..."."""
    return said.expected if said.sentence.startswith(said.expected) else ""


def _spoken_of(verb: str, said: Said) -> str:
    """What "it is not" and "it has not" deny: a condition before, only with the same verb."""
    same = verb and verb.lower() in said.condition.lower().split()
    return said.expected or said.asked or (said.condition if same else "")


def _denied(condition: str) -> str:
    """The opposite of a condition that is one, and is no opposite itself; else nothing."""
    return f"{OPPOSITE}{condition}" if condition and not condition.startswith(OPPOSITE) else ""


def leans(sentence: str) -> bool:
    """Whether a sentence says nothing by itself of what it speaks of: "Only an engineer may do that."."""
    return _SPEAKS_OF.search(sentence) is not None


def is_otherwise(condition: str) -> bool:
    """Whether a condition is the opposite of the one before it, in one word or two."""
    return _OPPOSITE.fullmatch(condition) is not None


def is_nothing_else(condition: str) -> bool:
    """Whether a condition says nothing without what was said before: "otherwise", "if so", "not"."""
    return any(words.fullmatch(condition) for words in (_OPPOSITE, _YES, _NO))


def in_that_case(sentence: str) -> str:
    """What is to be done in the case that the sentence before states ("In that case, go to B"), or an empty string."""
    match = _IN_THAT_CASE.match(sentence)
    then = sentence[match.end() :] if match else ""
    return then if match and (match["comma"] or instructs(then)) else ""


def that_case(condition: str, sentence: str) -> str:
    """Which case "in that case" means after a sentence that states a condition: what "unless" named last.

    Example:
        >>> that_case("not: it leaks", "Leave it alone unless it leaks.")
        'it leaks'
    """
    named = condition.removeprefix(OPPOSITE)
    return named if sentence.rstrip(" .!").endswith(f"unless {named}") else condition


def asks(sentence: str) -> str:
    """What a sentence asks with yes or no for an answer ("Is it green?"), or an empty string."""
    if "?" not in sentence or len(sentence) > LONGEST_SENTENCE:
        return ""
    if _QUESTION.fullmatch(sentence):
        return sentence.rstrip(" ?")
    match = _SHORTENED.fullmatch(sentence)
    return (match["if"] or match["asked"]) if match else ""


def wonders(sentence: str) -> str:
    """What a sentence tells the reader to find out ("Check whether it is green."), or an empty string."""
    hinted = mentions(sentence, (" if ", "whether ", " that ", "ake sure", "nsure"))
    match = _ASKED.search(sentence) if hinted else None
    return match["asked"].rstrip(" .:!") if match else ""


def expects(sentence: str) -> str:
    """A sentence that says what should be so ("It should turn green."), or an empty string."""
    hinted = "should" in sentence or "must" in sentence or "xpect" in sentence or "upposed" in sentence
    return sentence.rstrip(" .:!") if hinted and _EXPECTED.search(sentence) else ""
