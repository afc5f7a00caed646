"""The cases in which a text sends people to safety or calls for help: wherever they stand, they are warnings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from thread_core.text import conditions, sentences
from thread_core.text.boxes import Told
from thread_core.text.denials import denies
from thread_core.text.markdown import Block, parse
from thread_core.text.shape import outdented

REMEMBERED = 1024
"""Texts whose cases are kept: each report is compared with those of its document."""
HINTS = ("out", "leave", "evacuate", "call", "dial", "ring", "phone", "fresh air")
"""Of these a text in lower case has one that sends people to safety."""
_TO_SAFETY = re.compile(
    r"\b(?:(?:get|go|move)(?: (?:everyone|everybody|people|all(?: people)?|yourself))?"
    r" (?:out|outside|outdoors|into (?:the )?(?:fresh|open) air)(?=\W*$|[,.;!]| (?:and|of|at)\b)"
    r"|leave (?:the|your) (?:house|home|building|room|flat|apartment|area|site|hall|boat)|evacuate"
    r"|(?:call|dial|ring|phone)(?: (?:the|an|for))? (?:\d{3}\b|ambulance|fire (?:brigade|department|service)"
    r"|emergency (?:services?|number)|poison (?:control|cent\w+)|gas (?:company|supplier)))",
    re.IGNORECASE,
)


@lru_cache(maxsize=REMEMBERED)
def emergencies(text: str) -> tuple[Told, ...]:
    r"""The cases of a text that are answered by getting out or calling for help, each as a sentence of its own.

    Example:
        >>> emergencies("- It is red\n  - There is smoke\n    - Get out, call 112.")[0].text
        'If There is smoke, Get out, call 112.'
    """
    if not sentences.mentions(sentences.lowered(text), HINTS):
        return ()
    return tuple(_cases(parse(outdented(text)).blocks))


def _cases(blocks: Iterable[Block]) -> Iterator[Told]:
    for block in blocks:
        if block.kind == "item" and block.children:
            own, *below = block.children
            first = next((one.text for child in below for one in child.walk() if one.text), "")
            if own.kind == "paragraph" and _flees(first) and not _flees(own.flat):
                yield Told(f"If {own.flat.rstrip(' :.')}, {' '.join(first.split())}", block.start, block.end)
        for sentence in sentences.cut(block.flat) if block.kind == "paragraph" else ():
            said = conditions.clause(sentence.text)
            if said is not None and said.condition and _flees(said.consequence):
                yield Told(sentence.text, block.start, block.end)
        yield from _cases(block.children)


def _flees(text: str) -> bool:
    """Whether a text tells people to get out or to call for help."""
    found = _TO_SAFETY.search(text)
    return found is not None and not denies(text[: found.start()])
