"""What every form comes to: in which case a document says to do what, in its own words and with its lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from thread_core.documents.blocks.markdown import Hyperlink


class Outcome(NamedTuple):
    """What is to be done in a case, as it is written; where that leads `extraction/linkers` says."""

    condition: str
    """The case, in whole words; empty where it is to be done in any case."""
    then: str
    """What is to be done."""
    first: int
    last: int
    """The lines of the document that say so, 1-based, both included."""
    sentence: str = ""
    """The words that may name the place where it goes on: the whole sentence, or the cells."""
    links: Sequence[Hyperlink] = ()
    is_stated: bool = True
    """Whether its own words state a case, and not those above it."""
