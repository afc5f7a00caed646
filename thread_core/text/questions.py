"""Whether a line asks something, and what of it does."""

from __future__ import annotations

import re
from collections.abc import Sequence

from thread_core.text.denials import straight
from thread_core.text.words import content_words

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_BEFORE = (
    r"(?:(?:u+h+|u+m+|h+m+|oh|ok(?:ay)?|so|and|but|then|well|wait|done|sorry|please|pls|yes|yeah|also|lol|h(?:i|ey|ello))\b"
    r"[\s,.!:–—-]*)*"
)
"""What may stand before a question."""
_PERSON = r"(?:i|we|you|u|they|he|she|any(?:one|body|thing)|some(?:one|body|thing)|every(?:one|body|thing))"
_THING = r"(?:it|this|that|these|those|what)"
_NOUN = r"(?:the|an?|my|your|our|his|her|their|its|one|all|both|another)\s+(?!same\b|trick\b|job\b|\W*$)\w+"
_NOT = r"(?:n't|nt|not)?"
_MAY = rf"(?:can|could|will|would|should|shall|may|must|might|ca|wo){_NOT}"
_IS = rf"(?:is|are|am|was|were){_NOT}"
_DOES = rf"(?:do|does|did){_NOT}"
_HAS = rf"(?:have|has|had){_NOT}"
_VERB = rf"(?:{_MAY}|{_IS}|{_DOES}|{_HAS})"
_AGAIN = r"(?:again|too|also|still|every|when\w*|each|all|now|sometimes|as|with|not|nothing|but|and)\b"
"""What follows a verb whose subject is left out: "does that again"."""
_INVERTED = (
    rf"{_MAY}\s+(?:{_PERSON}\b|{_THING}\b|{_NOUN})|(?:{_IS}|{_DOES}|{_HAS})\s+{_PERSON}\b|{_IS}\s+{_THING}\b"
    rf"|does{_NOT}\s+(?:{_THING}\b(?!\W*$|\s+{_AGAIN})|{_NOUN})"
    r"|(?:is|are|was|were)\s+there\s+(?:an?|any\w*|some\w*|another|other|more|the)\b"
)
"""A verb and its subject after it, however the line ends. "Is red" and "does not start" have none."""
_INVERTED_AND_MARKED = rf"{_VERB}\s+(?:{_PERSON}\b|{_THING}\b|{_NOUN}|there\b)[^?]*\?\W*$"
_OF_SUBJECT = (
    r"(?!(?:i|we|you|u|they|he|she|it|this|that|these|those|there|the|an?|my|your)\b"
    r"|\w+(?:[^s]s|ed)\s+(?:is|was)\b[^?]*$)"
)
"""No subject of the question's own clause: "what I see is E7" and "what happened is" state something."""
_ASKED = (
    rf"(?:what|which|whose|how)\s+(?:{_OF_SUBJECT}[a-z-]+\s+){{0,2}}{_VERB}\b"
    rf"|(?:when|where|who)\s+(?:exactly\s+|else\s+)?{_VERB}\b"
    r"|why\b|(?:what|where|when|who|how)(?:'s|s|'re|re)\b|(?:what|where|how|which|who|when)\s+(?:to|about|if)\b"
    r"|how\s+(?:come|long|much|many|often|far|do)\b|what\s+(?:(?:you|u)\s+mean|for|(?:kind|sort|type)s?\s+of)\b"
    r"|(?:what|where|when|who|how|which)(?:\s+exactly|\s+ones?)?\W*$|(?:what|which|whose)"
    rf"\s+{_OF_SUBJECT}[a-z-]+(?:\s+[a-z-]+)?\W*$|(?:what|where|when|who|whose|how|which)\b[^?]*\?\W*$"
)
"""A question word and a verb or what takes its place. "When I unplug it it works" has none."""
_WANTED = (
    r"(?:tell|show|send|give|help|text|remind)\s+(?:me|us)\b|explain\b|any\s+(?:idea|chance|way)\b|i\s+wonder\b"
    r"|i(?:'d|\s+would)?\s+(?:like|want|need)\s+to\s+(?:know|understand)\b"
)
"""What is wanted of whoever guides."""
_HELP = re.compile(
    r"\bwho(?:m|ever)?\s+(?:else\s+)?(?:do|can|should|to|must|could|shall|would)\b.*"
    r"\b(?:call|contact|phone|ring|ask|tell|talk|speak|write|turn)\b"
    r"|\b(?:how|where)\s+(?:do|can|should|to|could)\s+(?:\w+\s+)?(?:reach|contact|call|phone|get\s+help)\b"
    r"|\b(?:phone|telephone|hotline|contact)\s+number\b",
    re.IGNORECASE,
)
"""What asks whom to call, and how."""
_ASKS = re.compile(rf"\W*{_BEFORE}(?:{_INVERTED}|{_INVERTED_AND_MARKED}|{_ASKED}|{_WANTED})", re.IGNORECASE)
_WHETHER = re.compile(rf"\W*{_BEFORE}(?:{_INVERTED}|{_INVERTED_AND_MARKED})", re.IGNORECASE)
_SUPPOSES = re.compile(
    rf"\W*{_BEFORE}(?:(?:why\s+{_VERB}|how\s+come)\s+(?!{_PERSON}\b)|what\s+(?:does|do)\s+(?!{_PERSON}\b).*\bmean\b"
    r"|what\s+(?:(?:should|do|can)\s+i|to)\s+do\s+(?:if|when|now)\b)",
    re.IGNORECASE | re.DOTALL,
)
"""A question that says what is the case: "why is it red", "what does E7 mean"."""


def asks(line: str) -> bool:
    """Whether a line asks something or wants something, and reports nothing.

    Example:
        >>> asks("where is that"), asks("blinking red?"), asks("which one? the red one"), asks("is there but grey")
        (True, False, False, False)
    """
    return bool(line.strip()) and not reported(line).strip()


def reported(line: str) -> str:
    """A line without the sentences that ask something: what is left is an outcome."""
    said = _SENTENCE.split(line.strip())
    kept = [sentence for sentence in said if not _ASKS.match(straight(sentence))]
    return line if kept == said else " ".join(kept)


def asked(line: str) -> str:
    """The sentences of a line that ask something."""
    return " ".join(said for said in _SENTENCE.split(line.strip()) if _ASKS.match(straight(said)))


def supposes(line: str, options: Sequence[str]) -> bool:
    """Whether a question takes for granted what one of some outcomes says: "why is it red?", of "the lamp is red".

    What all of them have in common tells nothing: "lamp".
    """
    if _SUPPOSES.match(straight(line)) is None:
        return False
    words = [content_words(option) for option in options]
    shared = set.intersection(*words) if len(words) > 1 else set()
    return any(own - shared and own - shared <= content_words(line) for own in words)


def asks_whether(line: str) -> bool:
    """Whether a line is a question that is answered by a yes or a no: "can I drive with it?"."""
    return _WHETHER.match(straight(line)) is not None


def asks_for_help(line: str) -> bool:
    """Whether a line asks whom to call, or how: "so who do i call"."""
    return _HELP.search(straight(line)) is not None
