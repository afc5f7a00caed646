"""What must hold for the step on the screen: which of it a person's words answer."""

from __future__ import annotations

from collections.abc import Iterable

from thread_core.retrieval.prerequisites import Verdict
from thread_core.text import sentences, tense
from thread_core.text.denials import denies, without_denials
from thread_core.text.roles import claimed, roles_in
from thread_core.text.words import content_words

_OF_ANY = content_words("check checked yes ok now already ready sure really still yet")
"""Words that say of anything that it holds or not."""


def answered(text: str, needed: Iterable[str], conditions: Iterable[str]) -> tuple[str, Verdict] | None:
    """The prerequisite that some words answer, and whether it holds; None where they are about none, or an outcome.

    Example:
        >>> answered("checked, no outage", ["Make sure that there is no outage."], ["the lamp is red"])
        ('Make sure that there is no outage.', <Verdict.MET: 'met'>)
    """
    asked = [one for one in needed if not sentences.warning(one)]
    for one in asked:
        for _, roles, has in claimed(text):
            if roles & roles_in(one):
                return one, Verdict.MET if has else Verdict.NOT_MET
    words = content_words(without_denials(text)) - _OF_ANY
    if not words or tense.unreal(text) or any(words <= content_words(condition) for condition in conditions):
        return None
    about = next((one for one in asked if words <= content_words(one)), None)
    if about is None:
        return None
    said = max((cut.text for cut in sentences.cut(about)), key=lambda cut: len(words & content_words(cut)))
    return about, Verdict.MET if denies(said) == denies(text) else Verdict.NOT_MET
