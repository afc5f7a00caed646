"""What must hold before a unit applies, and whether it does: met, not met, or ask.

Versions are compared as versions, platforms exclude each other, a step counts as done when it was walked, and a
person's answer is remembered in the words in which it was asked (the paper's selector, section 3.3).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from functools import lru_cache
from typing import Annotated, Literal

from pydantic import AfterValidator

from thread_core.documents.applicability.gates import gate_of, requirements
from thread_core.documents.applicability.platforms import FAMILIES, Family, kinds, named
from thread_core.documents.applicability.roles import claimed, names_role, roles_in
from thread_core.documents.applicability.versions import LONGEST_PHRASE, mentioned, version_range
from thread_core.models import Model
from thread_core.text import sentences
from thread_core.text.denials import denies, may_deny
from thread_core.text.words import content_words

ENOUGH = 0.8
"""Share of a prerequisite's words that a person's sentence or the header of a step done must have, to be about it."""


class Verdict(Enum):
    """The gate's three answers."""

    MET = "met"
    NOT_MET = "not met"
    ASK = "ask"


class Known(Model):
    """What is known so far."""

    said: tuple[str, ...] = ()
    """The question and what the person said since."""
    confirmed: tuple[str, ...] = ()
    """Prerequisites that the person said hold, as written."""
    denied: tuple[str, ...] = ()
    """Prerequisites that the person said do not hold, as written."""
    done: tuple[str, ...] = ()
    """Headers of the units already walked."""

    @property
    def understood(self) -> Iterator[str]:
        """What the person said, the last words first, without what may be denied in another language."""
        return (text for text in reversed(self.said) if not may_deny(text))


class Judgement(Model):
    """An answer with its reason, and the question to put where the answer is to ask."""

    verdict: Verdict
    reason: str
    question: str = ""


class Policy(Enum):
    """What becomes of a unit whose prerequisites are undecided."""

    KEEP = "keep"
    ASK = "ask"
    """Keep it, marked with the question to put."""
    DROP = "drop"


PolicyOrName = Annotated[Policy | Literal["keep", "ask", "drop"], AfterValidator(lambda given: Policy(given))]
"""The policy of a filter, which people write down; it is a `Policy` then.

A function, for pydantic refuses an Enum's class as one from Python 3.12 on.
"""

UNDECIDED = "nothing that was said decides it"
_DONE = content_words("completed completing finished performed done tried followed having after once already")
"""Words that say of a step that it was done."""
_ONLY = re.compile(r"\bonly\b", re.IGNORECASE)


@lru_cache(maxsize=256)  # what a document's units need is asked of each of them
def judge(prerequisite: str, known: Known) -> Judgement:
    """Whether a prerequisite is met by what is known.

    Example:
        >>> judge("Agent 2.3 and later", Known(said=("My agent 2.1 hangs",))).verdict
        <Verdict.NOT_MET: 'not met'>
    """
    if prerequisite in known.confirmed:
        return _found(True, "you confirmed it")
    if prerequisite in known.denied:
        return _found(False, "you said that it does not hold")
    if sentences.warning(prerequisite):
        return _found(True, "a warning does not block a step")
    required = requirements(gate_of(prerequisite))
    if len(required) > 1 or len(required[0]) > 1:
        return _by_all(required, prerequisite, known)
    for decide in (_by_version, _by_platform, _by_role, _by_step_done, _by_words):
        if found := decide(prerequisite, known):
            return found
    return _open(prerequisite)


def _found(met: bool, reason: str) -> Judgement:
    return Judgement(verdict=Verdict.MET if met else Verdict.NOT_MET, reason=reason)


_UNOPPOSED = _found(True, "nothing contradicts it")


def _open(asked: str) -> Judgement:
    text = " ".join((gate_of(asked) or asked).split()).rstrip(" .:")
    return Judgement(
        verdict=Verdict.ASK, reason=UNDECIDED, question=f"Before this step: does this hold for you? {text}"
    )


def _by_all(required: Sequence[Sequence[str]], prerequisite: str, known: Known) -> Judgement:
    """Of several requirements the strictest answer, each the mildest of its alternatives; asked is what is open."""
    judged = [max((judge(text, known) for text in one), key=_mildness) for one in required]
    if against := next((found for found in judged if found.verdict is Verdict.NOT_MET), None):
        return against
    left = [one for one, found in zip(required, judged, strict=True) if found.verdict is Verdict.ASK]
    if not left:
        return judged[0]
    return _open(" or ".join(left[0]) if len(left) < len(required) else prerequisite)


def _mildness(judged: Judgement) -> tuple[int, int]:
    """How mild a verdict is; of several against it the one that says most."""
    order = (Verdict.NOT_MET, Verdict.ASK, Verdict.MET)
    return order.index(judged.verdict), len(judged.reason) if judged.verdict is Verdict.NOT_MET else 0


def judge_all(prerequisites: Iterable[str], known: Known) -> Judgement:
    """The strictest answer: one that is not met decides, then one to ask."""
    asked: Judgement | None = None
    for prerequisite in prerequisites:
        judgement = judge(prerequisite, known)
        if judgement.verdict is Verdict.NOT_MET:
            return judgement
        if judgement.verdict is Verdict.ASK and asked is None:
            asked = judgement
    return asked or _UNOPPOSED


def admit(prerequisites: Sequence[str], known: Known, policy: Policy = Policy.ASK) -> tuple[bool, Judgement]:
    """Whether a unit with these prerequisites stays, and the judgement that decided it."""
    judgement = judge_all(prerequisites, known)
    if judgement.verdict is not Verdict.ASK:
        return judgement.verdict is Verdict.MET, judgement
    return policy is not Policy.DROP, judgement.model_copy(update={"question": ""} if policy is Policy.KEEP else {})


def is_for_others(title: str, known: Known) -> bool:
    """Whether a title names a platform other than the one that the person has."""
    found = _by_platform(title, known)
    return found is not None and found.verdict is Verdict.NOT_MET


def is_for_a_person(prerequisite: str, known: Known) -> bool:
    """Whether only a person can say that it is all right to go on: a warning, or what nothing said so far settles."""
    return bool(sentences.warning(prerequisite)) or judge(prerequisite, known).verdict is not Verdict.MET


def decidable(prerequisite: str) -> bool:
    """Whether it is of a kind that excludes readers (a version, a platform, a role), not a thing to have at hand."""
    return bool(gate_of(prerequisite)) and not sentences.warning(prerequisite)


def _by_version(prerequisite: str, known: Known) -> Judgement | None:
    gate = gate_of(prerequisite)
    wanted = version_range(gate or prerequisite)
    if wanted is None or (not gate and wanted.low == wanted.high and not wanted.is_standard):
        return None
    for asked, holds in ((known.confirmed, True), (known.denied, False)):
        for answered in asked:
            had = version_range(gate_of(answered) or answered)
            if had and had.is_of(wanted):
                reason = f"you {'confirmed' if holds else 'denied'}: {answered}"
                if had.apart(wanted) if holds else wanted.within(had):
                    return _found(False, reason)
                if had.within(wanted) if holds else had.opposite(wanted):
                    return _found(True, reason)
    for text in known.understood:
        found = [(mention, had) for mention, had in mentioned(text) if had.is_of(wanted)]
        for mention, had in [pair for pair in found if pair[1].product] or found:
            if had.apart(wanted) or had.within(wanted):
                return _found(had.within(wanted), f"you said: {mention}")
    return None


def _by_platform(prerequisite: str, known: Known) -> Judgement | None:
    """What the person has decides each family that the prerequisite names: one against it is enough.

    What is denied in another language decides nothing.
    """
    gate = gate_of(prerequisite)
    if may_deny(prerequisite):
        return None
    text = gate or prerequisite[:LONGEST_PHRASE]
    asked = [(named(text, family), family) for family in FAMILIES]
    if not gate and "Windows" not in prerequisite:
        asked = [(wanted - {"windows"}, family) for wanted, family in asked]  # "close all windows"
    if not any(wanted for wanted, _ in asked):
        return None
    with_version = version_range(text) is not None or any(had.product for _, had in mentioned(text))
    found = [_by_family(wanted, family, known, with_version=with_version) for wanted, family in asked if wanted]
    against = [one for one in found if one and one.verdict is Verdict.NOT_MET]
    return against[0] if against else found[0] if found and all(found) else None


def _by_family(wanted: set[str], family: Family, known: Known, with_version: bool) -> Judgement | None:
    for text in (*known.confirmed, *known.understood):
        had = named(text, family)
        if had and not kinds(wanted) & kinds(had):
            return _found(False, f"you said: {', '.join(sorted(had))}")
        same = wanted & (had | kinds(had))
        if same and not with_version:
            return _found(True, f"you said: {', '.join(sorted(same))}")
        if wanted <= (denied := named(text, family, denied=True)) - had:
            return _found(False, f"you said: not {', '.join(sorted(denied))}")
    return None


def _by_role(prerequisite: str, known: Known) -> Judgement | None:
    if not names_role(gate_of(prerequisite)):
        return None
    wanted = roles_in(prerequisite)
    for asked, holds in ((known.confirmed, True), (known.denied, False)):
        if text := next((text for text in asked if wanted & roles_in(text)), ""):
            return _found(holds, f"you {'confirmed' if holds else 'denied'}: {text}")
    for text in known.understood:
        for words, roles, has in claimed(text):
            if wanted & roles or (_ONLY.search(prerequisite) and has):
                return _found(bool(wanted & roles) and has, f"you said: {words}")
    return None


def _by_step_done(prerequisite: str, known: Known) -> Judgement | None:
    wanted = content_words(prerequisite) - _DONE
    for done in known.done if wanted and not decidable(prerequisite) else ():
        if len(wanted & content_words(done)) >= ENOUGH * len(wanted):
            return _found(True, f"done before: {done}")
    return None


def _by_words(prerequisite: str, known: Known) -> Judgement | None:
    wanted = content_words(prerequisite)
    if len(wanted) < 2 or decidable(prerequisite):
        return None
    for text in known.understood:
        for sentence in re.split(r"(?<=[.!?;])\s+", text):
            if len(wanted & content_words(sentence)) >= ENOUGH * len(wanted):
                return _found(denies(sentence) == denies(prerequisite), f"you said: {sentence.strip()}")
    return None
