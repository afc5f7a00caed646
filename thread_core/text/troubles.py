"""Headings -> whether they say what is wrong: "Lid does not close", "Strange noise", "The display is dark"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from thread_core.text.cases import heading_condition
from thread_core.text.denials import BAD, denies, in_trouble, straight
from thread_core.text.directions import is_counted
from thread_core.text.header import unnumbered
from thread_core.text.promises import Role, promise
from thread_core.text.sentences import explains, instructs

_IS_BAD = re.compile(rf".*\b{BAD}\W*$", re.IGNORECASE)
_LACKS = re.compile(r"(?:unable to|fails? to|missing|stuck)\b|.*\b(?:missing|broken|stuck)\W*$", re.IGNORECASE)
_ACTS = re.compile(
    r"(?:\w+ ){1,4}(?:\w+[^\Wsu]s (?:up|off|out|on|down|after|when|while|too|very|as|by itself|again|\w+ly)\b"
    r"|(?:stay|keep|remain|look|sound|feel|smell|seem)s? \w)",
    re.IGNORECASE,
)
"""A verb, and how or when: "Belt slips off"; or how something is all the time: "Radiators stay cold"."""
_NO_TROUBLE = re.compile(
    r"(?:please )?(?:do not|don't|never|avoid)\b"
    r"|(?:wh\w+|how|for|methods?|ways?|steps?|options?|examples?|possible|common|known)\b",
    re.IGNORECASE,
)
"""How advice begins, and what only speaks of troubles."""
_DEALING = re.compile(r"\w+ing (?!(?:is|are|was|does|has|takes|keeps|stops|fails)\b)", re.IGNORECASE)
"""How begins what deals with what it names: "Correcting errors"; not "Printing is slow"."""

_GATHERS = re.compile(
    r"\b(?:trouble-?(?:shooting|s)|problems|issues|faults|errors|symptoms|goes wrong)\b", re.IGNORECASE
)
"""What heads a collection of troubles."""


class _Said(NamedTuple):
    """What a heading says."""

    may_be: bool = False
    """Nothing speaks against its being for a trouble."""
    states: bool = False
    """A clause: that something is so."""
    is_bad: bool = False
    """By its words."""


@lru_cache(maxsize=1024)
def _said(heading: str) -> _Said:
    said = straight(heading).strip()
    if unnumbered(said) != said or said.endswith("?") or is_counted(said) or _NO_TROUBLE.match(said):
        return _Said()
    if instructs(said) or promise(said) or heading_condition(said) or _DEALING.match(said):
        return _Said()
    lacks = denies(said) or _LACKS.match(said) is not None
    is_bad = lacks or in_trouble(said) or _IS_BAD.match(said) is not None
    return _Said(True, lacks or explains(said) or _ACTS.match(said) is not None, is_bad)


def _gathers(heading: str) -> bool:
    """Whether a heading is of several troubles; "Troubleshooting: the lid does not close" is of one."""
    one = _said(heading.partition(":")[2].strip())
    return _GATHERS.search(heading) is not None and not (one.states or one.is_bad)


def are_causes(above: Sequence[str]) -> bool:
    """Whether what stands below some headings is looked at in turn, and read on behind: "Diagnosis", "Resolution"."""
    return any(promise(heading) is Role.STEP and not _GATHERS.match(heading) for heading in above)


def troubles_in(headings: Sequence[str], above: Sequence[str]) -> Sequence[int]:
    """Which of some headings side by side are for a trouble each; none where they are not read so.

    Two say so, and one of these by a word for what is bad; where what stands above them gathers troubles, one is
    enough. Most of what comes after the first of them has to be one too. Below "Diagnosis" a noun alone ("Disk issue")
    names a cause, and causes are looked at in turn.

    Args:
        headings: In their order.
        above: The headings above them, the title first.

    Example:
        >>> troubles_in(["Set it up", "Lid does not close", "The display is dark"], ["Toaster"])
        [1, 2]
    """
    in_turn = are_causes(above[1:])
    gathers = not in_turn and any(map(_gathers, above))
    said = [_said(heading) for heading in headings]
    found = [at for at, one in enumerate(said) if one.states or (one.is_bad and not in_turn)]
    bad = gathers or any(said[at].is_bad for at in found)
    if not bad or len(found) < (1 if gathers else 2):
        return []
    named = [at for at, one in enumerate(said) if one.may_be and (gathers or at >= found[0])]
    return named if len(named) > 1 and 2 * len(named) > len(headings) - named[0] else []
