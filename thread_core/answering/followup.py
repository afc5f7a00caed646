"""A follow-up question as it stands alone: "And on Windows?" asks what was asked before, on another platform.

A question that says what it is about is left alone to the letter. One that does not (it begins with "and", leans on an
"it", names "the second one", or says next to nothing) is about what the person asked last, but for what it contradicts:
another platform, version, alert or product takes the place of the old one. A model may say it better; what it names has
to stand in the conversation, and where it fails, the rule's words are taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from thread_core.answering.conversation import told
from thread_core.errors import BadReply, BudgetSpent, ModelError
from thread_core.llm.asking import Ask, Role, Who, ask_for
from thread_core.llm.prompting import Prompt, chosen, quoted
from thread_core.plan import Plan
from thread_core.ports import Form, Message
from thread_core.text.facts import Kind, facts, pieces
from thread_core.text.header import clip
from thread_core.text.platforms import platforms_in
from thread_core.text.scripts import beginning
from thread_core.text.words import content_words, word_list

FEW = 3
"""Content words and names up to which a question that begins with "and", or that names a step, leans on another."""
LEANING = 6
"""The same for one with an "it" or a "that" for which it names nothing."""
LONGEST = 600
"""Characters; what is longer says what it is about."""
TOPIC_WORDS = 80
"""Of what the person asked last."""
SHOWN = 50_000
"""Characters of the last answer in which a number is looked for."""
ITEM_WORDS = 40
"""Of a step that is named by its number."""
NEW = 1 / 3
"""Part of its content words that a model's question may have beyond those of the conversation."""
EXPECTED = 60
"""Tokens of a reply."""

_LEAD = re.compile(
    r"\s*(?:(?:ok(?:ay)?|so|thanks|thank you|great|hm+)[\s,.!]+)*(?:and|but|or|also|then|what about|how about"
    r"|(?:the )?same (?=for|on|with|in))\b[\s,]*(?:(?:what|how) (?:about|if)\b\s*|if\s+)?",
    re.IGNORECASE,
)
_ASKS = re.compile(r"\s*(?:how|what|why|where|when|which|who|can|could|do|does|did|is|are|should|may)\b", re.IGNORECASE)
_POINTING = re.compile(r"\b(?:it|its|this|that|these|those|them|they|their)\b", re.IGNORECASE)
_POINTS_NOWHERE = re.compile(
    r"\bit\s+(?:be\s+)?(?:takes?|possible|safe|ok(?:ay)?|necessary|better|best|enough|normal|needed|required|allowed"
    r"|means?)\s+(?:\w+\s+){0,2}?(?:to|that|if|when)\b"
    r"|\bthat\s+(?:the|a|an|my|our|your|i|we|you|it|they|there|no|all|some)\b",
    re.IGNORECASE,
)
""""Is it possible to ...", "it says that the ..."."""
_NAMED = re.compile(r"\b(?:the|an?|my|our|your)\s+(?!same\b)\w+", re.IGNORECASE)
_MORE = re.compile(r"\b(?:another|other|others|else|instead|again|more)\b", re.IGNORECASE)
_PREPOSITION = re.compile(r"(?:on|in|for|with|without|from|at|under|using|via|by|as)\b", re.IGNORECASE)
_KINDS = r"one|step|option|way|method|item|point|command|alternative|outcome|case|instruction"
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_ORDINAL = re.compile(
    rf"\bthe\s+(?:very\s+)?(?P<word>{'|'.join(_ORDINALS)}|last|(?P<figure>\d{{1,2}})(?:st|nd|rd|th))"
    rf"(?:\s+(?P<kind>{_KINDS})s?\b|(?=\W*$))"
    rf"|\b(?P<named>{_KINDS}|number)\s+#?(?P<number>\d{{1,2}})\b(?!\.\d)",
    re.IGNORECASE,
)
_OPTIONS = ("option", "way", "alternative", "outcome", "case")
_STEP = re.compile(r"^(\d{1,2})\. (.+?) \[[^\]\n]{1,300}:\d+(?:-\d+)?\]$", re.MULTILINE)
"""A step as our own answers number it."""
_NUMBERED = re.compile(r"^[ \t]*+(\d{1,2})[.)]\s+(\S.*)$", re.MULTILINE)
_BULLET = re.compile(r"^[ \t]*+[-*+•]\s+(\S.*)$", re.MULTILINE)
_OUTCOMES = "\nDepending on the outcome:\n"
_CITED = re.compile(r"\s*\[\d{1,3}(?:\s*[,;]\s*\d{1,3})*\]")
_SURROUNDINGS = re.compile(r"\s*(?:we|i)\b|\s*(?:sorry|no|actually|by the way)\b", re.IGNORECASE)
_IDLE = frozenset(("version", "vers", "release", "relea", "run", "us", "use", "sorry", "no", "actual", "way", "now"))
"""Stems that say nothing beside a version or a platform."""
_PROPER = re.compile(r"\b(?!I\b)[A-Z][\w+-]*(?:\s+(?:[A-Z][\w+-]*|\d[\d.]*))*")


class StandingAlone(Form):
    """A model's reply."""

    question: str


class _Mention(NamedTuple):
    """A name in a text, of a kind of which another name takes its place."""

    kind: str
    start: int
    end: int


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
    topic = shown = ""
    for message in history:
        if message.role == "user":
            topic = _topic_after(message.text, topic)
        elif message.role == "assistant":
            shown = message.text
    return question if not topic or _stands_alone(question) else _completed(question, topic, shown)


def ask_standalone(question: str, history: Sequence[Message], prompts: Mapping[str, Prompt] | None = None) -> Plan[str]:
    """`standalone`, put into words by the query generator, else the selector, where there is a model for one of them.

    It is asked about questions alone that do not stand alone; its words are taken where they name nothing that is not
    in the conversation.

    Args:
        question: What the person asks.
        history: The conversation before it.
        prompts: The user's own instead of the package's, by name; `follow_up` is used here.
    """
    by_rule = standalone(question, history)
    if by_rule == question:
        return question
    for role in (Role.QUERY_GENERATOR, Role.SELECTOR):
        if (yield Who(role)) is not None:
            break
    else:
        return by_rule
    messages = chosen("follow_up", prompts).messages({"history": told(history), "question": quoted(question)})
    try:
        reply: StandingAlone = yield from ask_for(
            Ask(role, tuple(messages), expected=EXPECTED), StandingAlone, keep=True
        )
    except (BadReply, BudgetSpent, ModelError):
        return by_rule
    worded = " ".join(reply.question.split())
    return worded if _is_founded(worded, [question, *(message.text for message in history)]) else by_rule


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


# -- what a question leans on --------------------------------------------------------------------------------------


def _topic_after(said: str, topic: str) -> str:
    """What the conversation is about after the person said something: that, or what it was, with what it changes."""
    if _tells_surroundings(said) or (topic and not _stands_alone(said)):
        return _adapted(topic, said, loosely=_LEAD.match(said) is not None)
    is_one = _weight(said[:LONGEST]) > (0 if _ASKS.match(said) else 1)
    return beginning(said.strip(), TOPIC_WORDS) if is_one else topic


def _stands_alone(text: str) -> bool:
    weight = LEANING + 1 if len(text) > LONGEST else _weight(text)
    if weight > LEANING:
        return True
    pointing = _POINTING.search(_POINTS_NOWHERE.sub("", text))
    if not weight or (pointing and not _is_named(text[: pointing.start()])):
        return False
    if _ORDINAL.search(text) and _weight(_ORDINAL.sub("", text)) <= FEW:
        return False
    leans = _LEAD.match(text) or _is_fragment(text) or _is_bare(text)
    return not (leans and weight <= FEW) and not (_MORE.search(text) and weight < FEW)


def _weight(text: str) -> int:
    """How much a text says: its content words, each name counted once."""
    names = _exact(text)
    return len(names) + len(word_list(_without(text, names)))


def _is_fragment(text: str) -> bool:
    return "," not in text and _PREPOSITION.match(text.strip()) is not None


def _is_named(before: str) -> bool:
    """Whether the words before an "it" name something that it may be."""
    return bool(_NAMED.search(before) or len(word_list(before)) > 2 or any(f.kind is Kind.NAME for f in facts(before)))


def _tells_surroundings(text: str) -> bool:
    """Whether it says what the person has and nothing else: "We run agent 2.1"."""
    if len(text) > LONGEST or not _SURROUNDINGS.match(text):
        return False
    found = [*_platforms(text), *_exact(text)]
    return bool(found) and len(content_words(_without(text, found)) - _IDLE) < 2


def _is_bare(text: str) -> bool:
    """Whether a text is a platform, a version or a name and nothing else."""
    found = [*_platforms(text), *_exact(text)]
    return bool(found) and not content_words(_without(text, found)) - _IDLE


def _without(text: str, mentions: Sequence[_Mention]) -> str:
    for mention in sorted(mentions, key=lambda one: -one.start):
        text = f"{text[: mention.start]} {text[mention.end :]}"
    return text


# -- how it is completed -------------------------------------------------------------------------------------------


def _completed(question: str, topic: str, shown: str) -> str:
    lead = _LEAD.match(question)
    rest = question[lead.end() if lead else 0 :].strip(" ?.!")
    if item := _item(question, shown):
        says_more = content_words(_ORDINAL.sub("", rest))
        return f"{question.strip()} ({item}; {topic})" if says_more else f"{item} ({topic})"
    adapted = _adapted(topic, rest, loosely=bool(lead) or _is_bare(rest) or _is_fragment(rest))
    names = [*_platforms(rest), *_exact(rest), *_proper(rest)]
    changed = adapted != topic or any(rest[one.start : one.end].lower() in topic.lower() for one in names)
    if changed and not content_words(_without(rest, names)) - _IDLE:
        return adapted
    if _is_fragment(rest) and _weight(rest) <= FEW:
        return f"{adapted.rstrip(' ?.!')} {rest}?"
    return f"{question.strip()} ({adapted})"


def _adapted(topic: str, said: str, *, loosely: bool) -> str:
    """A topic with what was said in the place of what it contradicts; loosely: plain numbers and names too."""
    adapted = _replaced(topic, said, _platforms)
    besides = _without(said, _platforms(said))
    if not loosely:
        return _replaced(adapted, besides, _versions)
    return _replaced(_replaced(adapted, besides, _exact), besides, _proper)


def _replaced(topic: str, said: str, find: Callable[[str], list[_Mention]]) -> str:
    """A topic with each name that was said in the place of the last one of its kind, unless the topic has it."""
    for new in find(said):
        name = said[new.start : new.end]
        old = [one for one in find(topic) if one.kind == new.kind]
        if old and name.lower() not in topic.lower():
            topic = f"{topic[: old[-1].start]}{name}{topic[old[-1].end :]}"
    return topic


def _platforms(text: str) -> list[_Mention]:
    """Platforms, each with the number of its version: "Windows 10"."""
    return [
        _Mention(f"platform of family {family}", start, end + len(version[0]) if version else end)
        for family, start, end in platforms_in(text)
        for version in [re.match(r"\s+\d+(?:\.\d+)*\b", text[end:])]
    ]


def _exact(text: str) -> list[_Mention]:
    """Versions, alerts and other names that are no words, codes, numbers: each kind by its form."""
    return [
        _Mention(_form(fact.key), fact.start, fact.start + len(fact.text))
        for fact in facts(text)
        if fact.kind in (Kind.NUMBER, Kind.NAME)
    ]


def _versions(text: str) -> list[_Mention]:
    """The same without plain numbers, which count anything."""
    return [mention for mention in _exact(text) if not mention.kind.isdigit()]


def _form(key: str) -> str:
    """`0.0` for a version, as many 0 as digits for a plain number, `a` for a name of letters alone."""
    if key.isdigit():
        return "0" * len(key)
    form = re.sub(r"\d+", "0", re.sub(r"[^\W\d_]+", "a", key))
    return re.sub(r"0(?:\.0)+", "0.0", form)


def _proper(text: str) -> list[_Mention]:
    """The only name with a capital in a text, but for platforms and the word that begins a sentence."""
    platforms = _platforms(text)
    found = [
        match
        for match in _PROPER.finditer(text)
        if (match.start() or " " not in text.strip())
        and not any(one.start < match.end() and match.start() < one.end for one in platforms)
    ]
    return [_Mention("name", *found[0].span())] if len(found) == 1 else []


def _item(question: str, shown: str) -> str:
    """What the last answer has under the number that a question names; empty where it names none, or there is none."""
    match = _ORDINAL.search(question)
    if not match:
        return ""
    items = _items(shown[:SHOWN], (match["kind"] or match["named"] or "").lower())
    at = _index(match, len(items))
    return clip(_CITED.sub("", items[at]).strip(), ITEM_WORDS) if 0 <= at < len(items) else ""


def _index(match: re.Match[str], count: int) -> int:
    if figure := match["figure"] or match["number"]:
        return int(figure) - 1
    return count - 1 if match["word"].lower() == "last" else _ORDINALS.index(match["word"].lower())


def _items(shown: str, kind: str) -> list[str]:
    """The steps of an answer as it numbers them, or its options."""
    before, _, outcomes = shown.partition(_OUTCOMES)
    bullets = _BULLET.findall(outcomes or shown)
    numbered: dict[int, str] = {}
    for number, text in _STEP.findall(before) or _NUMBERED.findall(before):
        numbered.setdefault(int(number), text)
    steps = [numbered[number] for number in _counted(numbered)]
    return (bullets or steps) if kind in _OPTIONS else (steps or bullets)


def _counted(numbered: Mapping[int, str]) -> Iterator[int]:
    """1, 2, 3 and so on, as far as there are such."""
    number = 1
    while number in numbered:
        yield number
        number += 1
