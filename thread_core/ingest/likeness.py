"""Whether two texts say the same: the same words but for articles, and the same of what no likeness outweighs."""

from __future__ import annotations

import re
from functools import lru_cache

from thread_core.documents.blocks.source import Source
from thread_core.documents.code import codes
from thread_core.text.denials import is_denial
from thread_core.text.facts import facts

_TOKEN = re.compile(r"[^\W_]+")
_CONTRACTED = (("’", "'"), ("won't", "will not"), ("cannot", "can not"), ("n't", " not"), ("'re", " are"))
_IDLE = frozenset("a an the that this these those please just also then however but and so now".split())
"""Words that a step may have or lack and still be the same one."""
_LIMITS = frozenset("only unless except".split())
"""Words that say what something does not hold for; see `is_denial` for those that deny it."""
_TELLING = re.compile(r"[<>=≤≥≠%$€£~^\\]|\b[^\W\d_]+[A-Z]\w*")
"""A sign that changes what a number means, or a word with a capital inside: CPU, iPhone."""


@lru_cache(maxsize=4096)
def words(text: str) -> tuple[str, ...]:
    """The words of a text in order, without those that change nothing.

    Example:
        >>> words("Then don't open the valve.")
        ('do', 'not', 'open', 'valve')
    """
    lowered = text.lower()
    for written, said in _CONTRACTED:
        lowered = lowered.replace(written, said)
    return tuple(word for word in _TOKEN.findall(lowered) if word not in _IDLE)


@lru_cache(maxsize=4096)
def exact(text: str) -> tuple[tuple[str, ...], ...]:
    """What has to be the same in two texts that say the same: code, numbers and names, signs, denials.

    Example:
        >>> exact("Do not wait 5 minutes.") == exact("Do not wait five minutes.")
        True
    """
    return (
        tuple(code.text.strip() for code in codes(Source(text))),
        tuple(fact.key for fact in facts(text)),
        tuple(_TELLING.findall(text)),
        tuple(word for word in words(text) if word in _LIMITS or is_denial(word)),
    )
