"""A follow-up question as it stands alone: "And on Windows?" asks what was asked before, on another platform.

A question that says what it is about is left alone to the letter. One that says next to nothing (it begins with "and",
or leans on an "it") is asked together with the last one that did. A model may say it better; what it names has to stand
in the conversation, and where it fails, the rule's words are taken.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from thread_core.answering.conversation import told
from thread_core.documents.applicability.platforms import platforms_in
from thread_core.errors import BadReply, BudgetSpent, ModelError
from thread_core.llm.asking import Ask, Role, Who, ask_for
from thread_core.llm.prompting import Prompt, chosen, quoted
from thread_core.plan import Plan
from thread_core.ports import Form, Message
from thread_core.text.facts import facts, pieces
from thread_core.text.scripts import beginning
from thread_core.text.words import content_words

FEW = 3
"""Content words up to which a question leans on another that begins with "and", or speaks of "it"."""
LONGEST = 600
"""Characters; what is longer says what it is about."""
TOPIC_WORDS = 80
"""Of what the person asked before."""
NEW = 1 / 3
"""Part of its content words that a model's question may have beyond those of the conversation."""
EXPECTED = 60
"""Tokens of a reply."""

_LEAD = re.compile(
    r"\s*(?:(?:ok(?:ay)?|so|thanks|thank you)[\s,.!]+)*(?:and|but|or|also|then|what about|how about|the same)\b[\s,]*"
    r"(?:(?:what|how) (?:about|if)\b\s*)?",
    re.IGNORECASE,
)
_VERSION = re.compile(r" \d\w*(?:\.\w+)*")
_POINTING = re.compile(r"\b(?:it|its|this|that|these|those|them|they|their|one|step \d+|option \d+)\b", re.IGNORECASE)


class StandingAlone(Form):
    """A model's reply."""

    question: str


def standalone(question: str, history: Sequence[Message]) -> str:
    """A question with what it leans on in the conversation before it, by rules; one that stands alone as it is.

    Chains and engines do this themselves; of a walk it is the caller's: `session.start(standalone(question, history))`.

    Example:
        >>> history = [Message("user", "How do I extend a volume on Linux?"), Message("assistant", "1. Run lvextend.")]
        >>> standalone("And on Windows?", history)
        'How do I extend a volume on Windows?'
        >>> standalone("how do I undo it?", history)
        'how do I undo it? (How do I extend a volume on Linux?)'
        >>> standalone("How do I clean the printer?", history)
        'How do I clean the printer?'
    """
    topic = ""
    for message in history:
        if message.role == "user":
            said = beginning(message.text.strip(), TOPIC_WORDS)
            topic = _adapted(said, topic)[0] if topic and _leans(message.text) else said
    return _completed(question, topic) if topic and _leans(question) else question


def ask_standalone(question: str, history: Sequence[Message], prompts: Mapping[str, Prompt] | None = None) -> Plan[str]:
    """`standalone`, put into words by the query generator, else the selector, where there is a model for one of them.

    It is asked about questions alone that do not stand alone; its words are taken where they name nothing that is not
    in the conversation.
    """
    by_rule = standalone(question, history)
    return question if by_rule == question else (yield from rewritten(question, history, by_rule, prompts))


def rewritten(
    question: str, history: Sequence[Message], otherwise: str, prompts: Mapping[str, Prompt] | None = None
) -> Plan[str]:
    """What somebody said, with what it leans on before it, as a model puts it; `otherwise` where none does it well."""
    for role in (Role.QUERY_GENERATOR, Role.SELECTOR):
        if (yield Who(role)) is not None:
            break
    else:
        return otherwise
    messages = chosen("follow_up", prompts).messages({"history": told(history), "question": quoted(question)})
    try:
        reply: StandingAlone = yield from ask_for(
            Ask(role, tuple(messages), expected=EXPECTED), StandingAlone, keep=True
        )
    except (BadReply, BudgetSpent, ModelError):
        return otherwise
    worded = " ".join(reply.question.split())
    return worded if _is_founded(worded, [question, *(message.text for message in history)]) else otherwise


def _is_founded(worded: str, texts: Sequence[str]) -> bool:
    """Whether a question names nothing, and says little, that some texts do not."""
    if not worded or len(worded) > LONGEST:
        return False
    said = "\n".join(texts)
    known = {*pieces(said), *(fact.key for fact in facts(said))}
    names = {worded[start:end].lower() for _, start, end in platforms_in(worded)}
    words = content_words(worded)
    return (
        all(fact.key in known for fact in facts(worded))
        and all(name in said.lower() for name in names)
        and len(words - content_words(said)) <= NEW * len(words)
    )


def _leans(text: str) -> bool:
    """Whether a question says too little to be looked for by itself."""
    if len(text) > LONGEST:
        return False
    words = content_words(text)
    return len(words) <= FEW and bool(not words or _LEAD.match(text) or _POINTING.search(text))


def _completed(question: str, topic: str) -> str:
    """A question with what it is about; that itself where it only names another platform in the place of one."""
    adapted, besides = _adapted(question, topic)
    return adapted if adapted != topic and not content_words(besides) else f"{question.strip()} ({adapted})"


def _adapted(question: str, topic: str) -> tuple[str, str]:
    """What was asked before, on the platforms that a question names, and what the question says besides them."""
    lead = _LEAD.match(question)
    rest = question[lead.end() if lead else 0 :].strip(" ?.!")
    besides = rest
    for family, start, end in _platforms(rest):
        besides = besides.replace(rest[start:end], " ")
        before = [one for one in _platforms(topic) if one[0] == family]
        if before:
            topic = f"{topic[: before[-1][1]]}{rest[start:end]}{topic[before[-1][2] :]}"
    return topic, besides


def _platforms(text: str) -> list[tuple[int, int, int]]:
    """The families of the platforms that a text names, each with where it stands, its version included."""
    found = []
    for family, start, end in platforms_in(text):
        version = _VERSION.match(text, end)
        found.append((family, start, version.end() if version else end))
    return found
