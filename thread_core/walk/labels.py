"""What an outcome is called where it is listed, by its condition: "Yes", "No", "Otherwise", or its own words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from thread_core.documents.cases import is_rest
from thread_core.documents.leaning import OPPOSITE, in_english
from thread_core.text.header import cut

LABEL_WORDS = 14
OTHERWISE, NONE_OF_THEM = "Otherwise", "None of these"
_ASKING = frozenset("is are was were do does did has have had can could will would should".split())


def is_else(condition: str, conditions: Sequence[str]) -> bool:
    """Tell whether a condition holds wherever none of some others does."""
    return is_rest(condition) or condition.removeprefix(OPPOSITE) in set(conditions) - {condition}


def labels_of(conditions: Sequence[str]) -> Iterator[str]:
    """List conditions: of one question and its opposite, which stand above them, yes and no."""
    asked = opposed(conditions)
    told = asked or sorted({condition.removeprefix(OPPOSITE) for condition in conditions})
    question = told[0] if len(told) == 1 and is_question(told[0]) else None
    for condition in conditions:
        if question is not None and condition.removeprefix(OPPOSITE) == question:
            yield "No" if condition.startswith(OPPOSITE) else "Yes"
        elif condition.startswith(OPPOSITE) and condition.removeprefix(OPPOSITE) in asked:
            yield OTHERWISE
        else:
            yield by_itself(condition)


def by_itself(condition: str) -> str:
    """Say an outcome as it is listed alone."""
    return answered(condition) if condition.startswith(OPPOSITE) else clip(condition)


def opposed(conditions: Sequence[str]) -> list[str]:
    """List the conditions among some of which the opposite is among them too."""
    return [one for one in dict.fromkeys(conditions) if f"{OPPOSITE}{one}" in conditions]


def answered(condition: str) -> str:
    """Say an outcome by itself: of a question with its answer, "Is it lit? No"."""
    question = condition.removeprefix(OPPOSITE).rstrip("?")
    if is_question(condition) or condition.endswith("?"):
        return f"{clip(question)}? {'Yes' if condition == condition.removeprefix(OPPOSITE) else 'No'}"
    return clip(in_english(condition))


def is_question(condition: str) -> bool:
    """Tell whether a condition is a question: "Is the lamp lit", or "Lamp lit?"."""
    said = condition.removeprefix(OPPOSITE).lstrip("*_ ").partition(" ")[0].casefold()
    return said in _ASKING or condition.endswith("?")


def clip(text: str) -> str:
    """Cut an outcome to as much as is listed."""
    return cut(text, LABEL_WORDS)
