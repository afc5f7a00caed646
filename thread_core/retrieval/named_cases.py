"""How plainly a question names something by what it is called: a section by its heading."""

from __future__ import annotations

import re

from thread_core.models import LogicUnit
from thread_core.text.denials import denies, without_denials
from thread_core.text.words import content_words

SHARED = 2
"""Words that a question and a name have in common at least, where it does not say all of the name."""
STATED = 3 / 4
"""Which part of what a name says a question has to say, the words of the title aside, to name it."""
SAID = 1 / 2
"""Which part of what a question says a name has to say: one that says more is about more than that."""
_OR = re.compile(r"\bor\b", re.IGNORECASE)


def titled(unit: LogicUnit) -> set[str]:
    """The words by which a unit's document is called."""
    return content_words("\n".join((unit.title, *(name for name in unit.aliases if not name.startswith("#")))))


def plainness(question: str, named: str, titles: set[str]) -> float:
    """How much of what a question says is what something is called; nothing where it does not say that plainly.

    That is most of the name, and of what may stand for one another in it one ("bent or torn"), and not much besides.

    Args:
        question: What was asked.
        named: A heading.
        titles: The words of the title, of which every question may say some or none.
    """
    said, stated = content_words(without_denials(question)), content_words(without_denials(named))
    shared = (stated & said) - titles
    if denies(question) != denies(named) or not any(map(str.isalpha, shared)):
        return 0.0
    needed = len(stated) - len(_OR.findall(named))
    covered = len(stated & (said | titles)) / max(1, needed)
    if covered < STATED or len(shared) < SAID * len(said - titles):
        return 0.0
    return len(shared) + min(1.0, covered) if len(shared) >= SHARED or covered >= 1 else 0.0
