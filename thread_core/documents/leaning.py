"""Conditions that lean on what was said before: "otherwise", "if so", "if it did not"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from thread_core.documents.cases import OTHER_CASES
from thread_core.text.denials import denies
from thread_core.text.sentences import LONGEST_SENTENCE, lowered, mentions

OPPOSITE = "not: "
"""Stands before a condition that was put together as the opposite of another."""
IN_OTHER_CASES = rf"(?:in|for|under|with) (?:{OTHER_CASES})"
OTHERWISE = rf"otherwise|or else|else|if (?:not|so|yes|no)|{IN_OTHER_CASES}"
"""What stands for a condition and says nothing by itself."""
_OPPOSITE = re.compile(rf"(?:if )?(?:not|no)|otherwise|or else|else|{IN_OTHER_CASES}", re.IGNORECASE)
_SAME = re.compile(
    r"(?:if )?(?:so|yes)|(?:it|they|this|that|you|there)\s+(?:is|are|does|do|did|has|have|can)", re.IGNORECASE
)
_LEANING = re.compile(r"(?:it|this|that|they|these|those)\b(?:\s+\S+){0,2}", re.IGNORECASE)
_ASKS = re.compile(r"(?:is|are|was|were|do|does|did|has|have|can|could|will)\s", re.IGNORECASE)
_QUESTION = re.compile(
    rf"{_ASKS.pattern}+[^?]{{3,}}\?\W*"
    r"|(?!(?:wh\w+|how|would|shall|may|should|(?:any |more |further )?questions?)\b)(?:\S+ ){0,7}[^\s?]+\?\W*",
    re.IGNORECASE,
)
"""A whole question, or a short one: "Not there?"."""
_ASKED = re.compile(
    r"\b(?:whether|(?:check|see|determine|verify|find out|confirm|test|decide)\s+(?:if|that)"
    r"|(?:make sure|ensure)(?!\s+(?:(?:that\s+)?you|to|of)\b)(?:\s+that)?)\s+(?P<asked>[^?]+)",
    re.IGNORECASE,
)
_FINDING = (
    *("whether", "check", "see", "determine", "verify", "find out", "confirm", "test", "decide", "make sure", "ensure"),
)
"""Of these what is to be found out has one before it."""
_EXPECTED = re.compile(r"(?<!\byou )(?:\bshould|\bmust)\b|\b(?:expect(?:ed)?|supposed to)\b", re.IGNORECASE)
_EXPECTING = ("should", "must", "expect", "supposed to")
_IN_THAT_CASE = re.compile(r"in (?:this|that|such a) (?:case|event|situation),\s+", re.IGNORECASE)
_QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"|“[^”]*”")
_AUXILIARY = re.compile(r"\b(?:is|are|was|were|does|can|could|will|would|(?:has|have|had)(?= been\b))\b", re.IGNORECASE)
_NOT_SO_SIMPLE = re.compile(
    r"[,;:?]|\b(?:and|or|but|nor|if|when|while|because|unless|until|after|before|though|which|who|whose|where|that|there"
    r"|some\w*|any\w*|all|every\w*|each|both|either|one|two|many|most|more|few\w*|several|least|only|still|already|also"
    r"|just|even|yet|too|again)\b|\d.*\b(?:are|were)\b",
    re.IGNORECASE,
)
"""With these, "not" behind the verb would not deny the whole: "some pods are not up", "it is up and is not full"."""


@dataclass(slots=True)
class Said:
    """What was said before a sentence, for conditions that lean on it."""

    condition: str = ""
    """Stated or asked last."""
    asked: str = ""
    """What was asked, or to be found out, where no other condition was stated since."""
    expected: str = ""
    """What should be so, likewise."""
    sentence: str = ""
    """The sentence before in the paragraph, where it states no condition."""


def complete(condition: str, said: Said) -> str:
    """A condition that leans on what was said before, with that in it: "otherwise" is the opposite of the one before.

    Example:
        >>> complete("otherwise", Said(condition="the disk is full"))
        'not: the disk is full'
    """
    if _OPPOSITE.fullmatch(condition):
        found = said.expected or said.condition
        return f"{OPPOSITE}{found}" if found and not found.startswith(OPPOSITE) else condition
    if _SAME.fullmatch(condition) and (found := said.asked or said.expected):
        return found
    if _LEANING.fullmatch(condition) and said.sentence and condition not in said.sentence:
        return f"{condition} ({said.sentence.rstrip(' .?!:')})"
    return condition


def joined(condition: str) -> tuple[str, str]:
    """The word that joins a condition to what is to be done in its case, and what stands behind that word.

    Example:
        >>> joined("it is red"), joined("not: it is red")
        (('if', 'it is red'), ('unless', 'it is red'))
    """
    is_opposite = condition.startswith(OPPOSITE)
    return "unless" if is_opposite else "if", condition.removeprefix(OPPOSITE)


def in_english(condition: str) -> str:
    """A condition as a person says it: one that was put together as the opposite of another is denied in its words.

    Example:
        >>> in_english("not: the lamp is red"), in_english("not: the lamp blinks"), in_english("it is red")
        ('the lamp is not red', 'unless the lamp blinks', 'it is red')
    """
    word, said = joined(condition)
    if word == "if":
        return condition
    own = _QUOTED.sub(lambda quoted: "x" * len(quoted[0]), said.partition(" (")[0])
    verbs = list(_AUXILIARY.finditer(own))
    if len(verbs) != 1 or not verbs[0].start() or denies(own) or _NOT_SO_SIMPLE.search(own):
        return f"unless {said}"
    end = verbs[0].end()
    return f"{said[:end]}{'not' if verbs[0][0].lower() == 'can' else ' not'}{said[end:]}"


def in_that_case(sentence: str) -> str:
    """What is to be done in the case that the sentence before states ("In that case, go to B"), or an empty string."""
    match = _IN_THAT_CASE.match(sentence)
    return sentence[match.end() :] if match else ""


def asks(sentence: str) -> str:
    """What a sentence asks with yes or no for an answer ("Is it green?"), or an empty string.

    The question mark goes where the words say by themselves that it is a question.
    """
    is_one = "?" in sentence and len(sentence) <= LONGEST_SENTENCE and _QUESTION.fullmatch(sentence)
    asked = sentence.rstrip(" ?") if is_one else ""
    return f"{asked}?" if asked and not _ASKS.match(asked) else asked


def wonders(sentence: str) -> str:
    """What a sentence tells the reader to find out ("Check whether it is green."), or an empty string."""
    match = _ASKED.search(sentence) if mentions(lowered(sentence), _FINDING) else None
    return match["asked"].rstrip(" .:!") if match else ""


def expects(sentence: str) -> str:
    """A sentence that says what should be so ("It should turn green."), or an empty string."""
    is_one = mentions(lowered(sentence), _EXPECTING) and _EXPECTED.search(sentence)
    return sentence.rstrip(" .:!") if is_one else ""
