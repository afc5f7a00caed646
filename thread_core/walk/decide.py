"""Whether a report means exactly one option: go there, or ask. Pure: nothing is read, nothing is changed.

A person who is asked loses one turn; one who is led wrong cannot know it. So a report moves the walk only where one
option is meant beyond doubt. Each decision says why, for `why` and for tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from thread_core.documents.leaning import OPPOSITE
from thread_core.text.denials import denies, without_denials
from thread_core.text.opposites import compare
from thread_core.text.words import content_words
from thread_core.walk import quantities
from thread_core.walk.labels import NONE_OF_THEM, is_else, opposed
from thread_core.walk.matcher import Match
from thread_core.walk.reply import hedges
from thread_core.walk.state import Act, Choice

SAID = 0.3
"""Which part of a report's words that are not in the step the words that tell an option have to be to name it."""
NAMED = 0.5
"""Which part of a question's words a report has to share to deny it, or of its own to tell of a step."""
OF_STEP = 0.3
"""Which part of a report's words an instruction of the step has to have for the report to say that it was done."""
MENU = 7
"""Options of a menu at most, beside "none of these"."""

_YES = re.compile(r"\W*(?:yes|yeah|yep|yup|correct|indeed|right)\b", re.IGNORECASE)
_NO = re.compile(r"\W*(?:no|nope|nah)(?:\s*[,.;:!–—-]|\s+(?:it|they|that|this|there|i|we)s?\b|\W*$)", re.IGNORECASE)
_OR = re.compile(r"\b(?:or|other than|except|unless)\b", re.IGNORECASE)
_OUT = re.compile(r"\bout of\b|\boutside\b", re.IGNORECASE)
_WITHOUT_APOSTROPHE = re.compile(r"\b((?:do|does|did|is|are|was|were|has|have|had|ca|wo|could|would|should)n)t\b", re.I)
_CODE = re.compile(r"\b(?:0x[0-9a-f]+|[a-z]{1,9}[-_]?\d\w*|\d{3,})\b", re.IGNORECASE)
_BARE = content_words("yes yeah yep yup no nope nah happening happen case true so that it does is correct right")


@dataclass(frozen=True, slots=True)
class Go:
    """One option is meant."""

    choice: Choice
    reason: str


def menu(options: Sequence[Choice], ranked: Sequence[Match]) -> tuple[Choice, ...]:
    """List the step's own outcomes where they are few, then the nearest ways, each once."""
    own = [option for option in options if option.label != NONE_OF_THEM]
    listed: dict[str, Choice] = {}
    for choice in (*(own if len(own) < MENU else ()), *(match.way.choice for match in ranked)):
        if len(listed) < MENU:
            listed.setdefault((choice.condition or choice.label).casefold(), choice)
    return tuple(listed.values())


def surely(report: str, options: Sequence[Choice], step: str = "") -> Go | None:
    """Find the only option that a report means beyond doubt; None where there is none.

    Args:
        report: What the person saw, in their words.
        options: The outcomes of the step at hand, and of the steps that called this guide.
        step: What the person has read: words of it in a report tell nothing else.

    Example:
        >>> options = [Choice(label=name, act=Act.FOLLOW, condition=name) for name in ("it is red", "it is green")]
        >>> surely("red", options).reason
        '"red" is in one option only'
    """
    if hedges(report):
        return None
    report = _WITHOUT_APOSTROPHE.sub(r"\1't", report)
    if (found := plainly(report, options)) is not None:
        return found
    stated, rest = _parted(options)
    if _is_measured(report, stated):
        return None
    return _by_polarity(report, stated, rest) or _by_words(report, stated, step)


def plainly(report: str, options: Sequence[Choice]) -> Go | None:
    """Find the only option that a report means by its form: an amount, a code, a yes or a no."""
    if hedges(report):
        return None
    stated, rest = _parted(options)
    if (found := _by_amount(report, stated, rest)) is not None:
        return found
    if _is_measured(report, stated):
        return None
    is_answer = _YES.match(report) or _NO.match(report)
    return _by_code(report, stated) or (_by_polarity(report, stated, rest) if is_answer else None)


def coded(report: str, options: Sequence[Choice]) -> Go | None:
    """Find the only option that names a code which a report, or a question, names too."""
    return _by_code(report, [option for option in options if option.condition])


def _parted(options: Sequence[Choice]) -> tuple[list[Choice], Choice | None]:
    """The outcomes that a step states, and what comes where none is the case."""
    stated = [option for option in options if option.condition]
    return stated, next((option for option in options if option.act is Act.NEXT), None)


def _by_amount(report: str, stated: Sequence[Choice], rest: Choice | None) -> Go | None:
    """The option in whose range an amount lies, or the rest where it lies outside of all."""
    conditions = [option.condition for option in stated]
    bounded = [option for option in stated if quantities.bounds(option.condition) is not None]
    others = [option for option in stated if option not in bounded]
    is_of_one = bool(others) and not all(is_else(option.condition, conditions) for option in others)
    if is_of_one and not any(_words(option.condition) & _words(report) for option in bounded):
        return None  # they may measure something else
    at = quantities.only_one(report, conditions)
    if at is not None:
        return Go(stated[at], f"the amount is in the range: {conditions[at]}")
    other = [option for option in others if is_else(option.condition, conditions)]
    left = other[0] if len(other) == 1 else rest
    known = [option.condition for option in bounded]
    if left is not None and known and len(known) + len(other) == len(stated) and quantities.outside_all(report, known):
        return Go(left, "the amount is outside the other ranges")
    return None


def _is_measured(report: str, stated: Sequence[Choice]) -> bool:
    """Whether a report has an amount, and an option a range: then no word of either tells."""
    return bool(quantities.amounts(report)) and any(quantities.bounds(option.condition) for option in stated)


def _by_code(report: str, stated: Sequence[Choice]) -> Go | None:
    """The only option that names a code that was seen."""
    seen = set() if denies(report) else _codes(report)
    having = [option for option in stated if seen & _codes(option.condition)]
    if len(having) == 1 and len(seen) == 1:
        return Go(having[0], f"only this option names {next(iter(seen))}")
    return None


def _codes(text: str) -> set[str]:
    return {found.casefold() for found in _CODE.findall(text)}


def _by_polarity(report: str, stated: Sequence[Choice], rest: Choice | None) -> Go | None:
    """What a report says to the one question that is open: that of a condition and its opposite, or of one alone."""
    conditions = [option.condition for option in stated]
    asked = opposed(conditions) or (conditions if len(conditions) == 1 and rest is not None else [])
    if len(asked) != 1:
        return None
    question = asked[0].removeprefix(OPPOSITE)
    if len(stated) > 2 and _words(report) <= _BARE:
        return None  # a yes alone may be one to any of them
    sign = polarity(report, question)
    holds = next((option for option in stated if option.condition == question), rest)
    fails = next((option for option in stated if option.condition == f"{OPPOSITE}{question}"), rest)
    chosen = holds if sign > 0 else fails if sign < 0 else None
    return Go(chosen, f"it means {'yes' if sign > 0 else 'no'} to: {question}") if chosen is not None else None


def tells_done(report: str, instructions: Iterable[str], *, leads_on: bool) -> bool:
    """Tell whether a report of a step at which nothing is to be decided says in its words that something was done.

    Less has to be said where the guide `leads_on` from there.
    """
    said, needed = content_words(report), OF_STEP if leads_on else NAMED
    shared = max((len(said & content_words(one)) for one in instructions), default=0)
    return not denies(_WITHOUT_APOSTROPHE.sub(r"\1't", report)) and shared > 1 and shared >= needed * len(said)


def polarity(report: str, question: str) -> int:
    """Tell whether a report says yes (1) or no (-1) to a question or a condition; 0 where that is not sure."""
    said, asked = _words(report), _words(question)
    is_denied = denies(report) or _OUT.search(report) is not None
    if _YES.match(report):
        return 0 if is_denied else 1
    if _NO.match(report):
        return -1
    if said <= _BARE:
        return -1 if is_denied else 1 if said else 0
    own = question.partition(" (")[0]
    if denies(own) or _OR.search(own):
        return 0  # whoever neither says yes nor no may mean either side of it
    share = max(len(said & asked) / max(1, len(asked)), float(said <= asked))
    sign = compare(report, question)
    if is_denied:
        return -1 if share >= NAMED and sign <= 0 else 0
    if sign:
        return sign if share >= NAMED else 0
    return 1 if asked <= said and len(asked) > 1 else 0


def _words(text: str) -> set[str]:
    """The words of a text without those that deny, and without what a condition leans on: "it rings (the alarm)"."""
    own = content_words(without_denials(text.partition(" (")[0]))
    return own or content_words(without_denials(text))


def _by_words(report: str, stated: Sequence[Choice], step: str) -> Go | None:
    """The only option whose own words are said, those that tell it from the others, and that is not denied."""
    words = [_words(option.condition) for option in stated]
    said, known = _words(report), content_words(step)
    named = []
    for at, option in enumerate(stated):
        own = words[at] - set().union(*(other for beside, other in enumerate(words) if beside != at))
        if hits := own & said:
            foreign = said - known - hits
            is_whole = own <= said and len(hits) >= SAID * len(hits | foreign)
            named.append((option, is_whole or not foreign, hits))
    if len(named) != 1 or len(stated) < 2:
        return None
    option, is_said, hits = named[0]
    if not is_said or denies(report) != denies(option.condition) or compare(report, option.condition) < 0:
        return None
    return Go(option, f'"{" ".join(sorted(hits))}" is in one option only')
