"""The thing that a question is about, and whether a document speaks of it.

Two texts about a fault of anything are alike: "the fridge is warm" is near to how a radiator gets warm. What tells them
apart is the thing that has the fault.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from thread_core.models import LogicUnit
from thread_core.text.denials import straight, without_denials
from thread_core.text.english import is_clearly_english
from thread_core.text.questions import asks
from thread_core.text.words import content_words, word_list

ENOUGH = 2
"""Words of a question that a document has, from which on it may well call the thing otherwise."""
FEW = 3
"""Words of a question at least whose first one is taken for the thing where no verb tells where its name ends."""
_VERB = (
    r"(?:(?:is|are|was|were|has|have|had|does|do|did|will|would|wo|ca|can|could|should)(?:n't|nt)?"
    r"|cannot|not|no|never)\b"
)
_VERBS = re.compile(rf"\b{_VERB}", re.IGNORECASE)
_THING = re.compile(rf"(?:^\W*|\b(?:my|our|the)\s+)(?P<name>(?:(?!{_VERB})[\w-]+\s+){{1,4}}?){_VERB}", re.IGNORECASE)
"""What stands before a verb that has no meaning of its own: "my desk lamp is", "lamp not"."""
_NAME = re.compile(r"(?<![.?!:]\s)(?<!\A)(?<![\w'’.-])(?!I(?:['’]\w+)?\b)[A-Z][\w.+-]*\w")
"""A capital letter that no sentence asks for."""
_PARTED = re.compile(r"\b(?:of|in|on|at|for|from|to|with|and|or|by|under|over)\b", re.IGNORECASE)


def foreign(question: str, documents: Mapping[str, Sequence[LogicUnit]]) -> set[str]:
    """Those of some documents that have hardly a word of a question, where none speaks of the thing it is about."""
    thing = subject(question)
    spoken = {
        document_id: content_words("\n".join((*(unit.header for unit in units), *(unit.body for unit in units))))
        for document_id, units in (documents.items() if thing is not None else ())
    }
    if any(thing in words for words in spoken.values()):
        return set()
    wanted = set(_telling(question))
    return {document_id for document_id, words in spoken.items() if len(wanted & words) < ENOUGH}


def unspoken(question: str, units: Iterable[LogicUnit]) -> tuple[str, ...]:
    """The names in a question that no unit says: products, places, alerts. None where nothing tells names from words.

    Example:
        >>> unspoken("How do I pay with Acme at the Lumen desk?", [])
        ('Acme', 'Lumen')
    """
    named = tuple(dict.fromkeys(_NAME.findall(question)))
    if not is_clearly_english(question) or 2 * len(named) > len(question.split()):
        return ()  # in other languages, in titles and in shouting, any word may have a capital
    text = "\n".join(f"{unit.header}\n{unit.body}" for unit in units) if named else ""
    said = content_words(text)
    return tuple(name for name in named if name.lower() not in text.lower() and not said.issuperset(word_list(name)))


def subject(question: str) -> str | None:
    """The stem of the word for the thing that a question is about, as far as its form tells.

    Example:
        >>> subject("my desk lamp is dark"), subject("coffee machine leaks badly"), subject("how do I paint it green")
        ('lamp', 'coffe', None)
    """
    said = straight(question)
    for match in _THING.finditer(said):
        names = word_list(_PARTED.split(match["name"])[0])
        if names:
            return names[-1]
    words = [] if asks(question) else _telling(question)
    return words[0] if len(words) >= FEW else None


def _telling(question: str) -> list[str]:
    """The stems of a question's words without verbs that have no meaning of their own, and without denials."""
    return word_list(_VERBS.sub(" ", without_denials(question)))
