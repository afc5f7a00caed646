"""Headings -> the cases that they state: "If the queue grows", "Case 2: the queue grows", "Otherwise"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

IF = (
    r"(?:if|when|whenever|unless|in (?:the )?(?:case|event) (?:of|that|when|where)|in case|should|once"
    r"|as long as|as soon as(?! possible)|assuming)"
)
"""What a case begins with, in a heading as in a sentence."""
_IF_HEADING = re.compile(rf"{IF}\b\s*+(?!to\b)(?P<condition>.+)", re.IGNORECASE)
_WHEN_ASKED = re.compile(r"(?:when|should)\b.*\?\s*$", re.IGNORECASE)
"""A question that begins as a case does: "When do I get it?"."""
_CASE_HEADING = re.compile(
    r"(?:case|scenario|situation)\s+(?:\d{1,2}|(?-i:[A-Z]))\s*[:.)–-]\s*(?:if\s+)?(?P<condition>.+)", re.IGNORECASE
)
_ANSWER_HEADING = re.compile(r"(?:yes|no)(?:\s*[,:;.!–—-].*|\s+(?:i|we|it|they|there|you)\b.*)?", re.IGNORECASE)
"""The answer to the question above it: "Yes, I have it"."""
OTHER_CASES = r"(?:(?:the|all|any|every) ){0,2}other (?:cases?|situations?|circumstances?)|(?:any|every) ?thing else"
"""What is denied of all cases before it."""
_OTHERWISE_HEADING = re.compile(
    rf"otherwise|else|if not|(?:(?:in|for) )?(?!other\b)(?:{OTHER_CASES})"
    r"|if none (?:of .+|fits|applies|matches)|none of (?:these|the above|them)",
    re.IGNORECASE,
)
_FOR = re.compile(
    r"(?:for|with|without) (?!(?:example|instance|more|further|additional|information|reference|this|these|each|every"
    r"|all|any|both)\b)[^,.:;]{2,80}:",
    re.IGNORECASE,
)
"""A line that says for whom or what the lines below it are."""
_REST = re.compile(
    r"(?:(?:you|it|they|the \w+) \w+ (?=(?:any|some|every) ?thing (?:else|different)))?(?:(?:in |for )?"
    r"(?:all|any|every|some) ?(?:thing (?:else|different)|others?\b.{0,30})|(?:any)?others?(?: \w+){0,2}|else|default"
    r"|\*|otherwise|none of .{1,40}|(?:unknown|unlisted)(?: \w+)?|not listed(?: \w+)?)",
    re.IGNORECASE,
)
"""What a row of a table is for that takes what no other row names."""
OTHERWISE = "otherwise"
"""The condition of a heading that denies those of the headings beside it."""


AS_CASE = "In case of "
"""Before what is a case by where it stands: a tab among others, an answer to a question."""


@lru_cache(maxsize=1024)
def heading_condition(heading: str) -> str:
    """The condition that a heading states ("If the queue grows", "Case 2: the queue grows"), or an empty string.

    "Yes, I have it" states one too: the answer to the question above it.
    """
    if _ANSWER_HEADING.fullmatch(heading):
        return heading.rstrip(" :.")
    if _OTHERWISE_HEADING.fullmatch(heading.rstrip(" :.")):
        return OTHERWISE
    if match := _CASE_HEADING.match(heading):
        return stated("if", match["condition"]).rstrip(" :.")
    match = None if _WHEN_ASKED.match(heading) else _IF_HEADING.match(heading)
    return stated(heading.split(maxsplit=1)[0], match["condition"]).rstrip(" :.") if match else ""


def side_by_side(lines: Iterable[str]) -> frozenset[str]:
    """Of some lines those that tell cases apart: "For two nodes:", where another such line is among them.

    Example:
        >>> side_by_side(["For two nodes:", "Stop it.", "For example:"])
        frozenset()
    """
    found = frozenset(line for line in lines if _FOR.fullmatch(line))
    return found if len(found) > 1 else frozenset()


def is_rest(condition: str) -> bool:
    """Whether a condition is for all that the others beside it do not name: "any other code"."""
    return _REST.fullmatch(condition.strip(" :.")) is not None


def case_of(path: Sequence[str]) -> tuple[str, ...]:
    """The path of headings down to the first that states a condition; empty where none does.

    Sections whose paths differ in the last of it alone are branches side by side: one of them is taken.
    """
    for depth, heading in enumerate(path):
        if heading_condition(heading):
            return tuple(path[: depth + 1])
    return ()


def stated(word: str, condition: str) -> str:
    """A condition, given with the word before it: what follows "unless" is denied."""
    condition = " ".join(condition.split()).strip(" ,:")
    return f"not: {condition}" if word.lower() == "unless" else condition
