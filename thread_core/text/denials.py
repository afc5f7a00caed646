"""Words that deny what is said with them: "not", "never", "isn't"."""

from __future__ import annotations

import re

from thread_core.text.words import content_words

_WORDS = frozenset("not no never none cannot without neither nor nothing nobody hardly".split())
_NO_OBJECT = (
    r"(?:as|at|by|during|for|from|in|into|of|on|onto|over|than|through|to|under|with|within|only|just|yet|but|and|or|so"
    r"|because|while|although|though|that|which|who|when|if|after|before|since|until)\b"
)
"""What ends that which a denial before it denies."""
_DENIES = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b|\b[a-z]{{1,6}}n't\b", re.IGNORECASE)

_DENIED = re.compile(
    rf"(?:\b(?:not|no|never|cannot|without)\b|n't\b)(?P<said>(?:[ \t]+(?!{_NO_OBJECT})[\w'-]+){{1,5}})", re.IGNORECASE
)
"""A denial and what it denies."""

_OTHERS = re.compile(
    r"\b(?:nicht|kein\w{0,2}|nie|niemals|ohne|außer|pas|jamais|sans|sauf|sin|nunca|não|nao|sem|bez|oprócz|non(?!-)"
    r"|no (?:tengo|tenemos|uso|usamos|es|hay|soy|estoy))\b"
    r"|ない|ません|なし|以外|没有|沒有|不是|不用|非|无|無|未",
    re.IGNORECASE,
)
"""Words of other languages that deny, or leave out, something that stands anywhere beside them."""


_IS = r"""["'`]?\s*[:=?]\s*["'`]?"""
"""Between a name and its value, as programs print them."""
_NAY = "false|no|none|null"
_PRINTED = re.compile(
    rf"""(?P<name>(?<![\w-])[a-z][\w-]*+){_IS}(?:{_NAY})\b(?=["'`]?\s*(?:[,;.)\]}}|]|$))""",
    re.IGNORECASE | re.MULTILINE,
)
"""A name with a value that says no; not "fenced: no errors"."""
_UNSET = re.compile(rf"{_IS}(?:{_NAY}|off|0)\b", re.IGNORECASE)
"""The same behind a name that is no measure and nothing that may be switched off."""
_ZERO = re.compile(r"(?<![\w.,:/-])0(?=[ \t]+[a-z]{2})")
_TROUBLE = re.compile(
    r"(?<!\bno )(?<!\bnot )\b(?:errors?|fail(?:s|ed|ures?)?|fatal|exceptions?|refused|rejected|denied|unreachable"
    r"|unavailable|unknown|invalid|unable|aborted|crash(?:es|ed)|g(?:ave|iven?) up|tim(?:es|ed|e|ing)?[ -]?out|n/a|null"
    r"|nan)\b(?![\"']?\s*[:=]\s*0\b)",
    re.IGNORECASE,
)
"""What is printed by a program that failed, or does not know."""
_NAMED = re.compile(r"\bNot(?=[A-Z][a-z])")
"""How a name begins that denies the rest of it."""
BAD = (
    r"(?:errors?|alerts?|alarms?|warnings?|problems?|issues?|faults?|failures?|symptoms?|exceptions?|timeouts?|bugs?"
    r"|glitch(?:es)?|crash(?:es)?|backlogs?|lags?|delays?|leaks?|noises?|smells?|smoke|jams?|beep(?:s|ing)?|pop-?ups?"
    r"|(?:blink|flash|flicker)ing|red (?:light|led|lamp|dot))"
)
"""What is bad, so that it is good when it is gone."""


def straight(text: str) -> str:
    """A text with the apostrophe that keyboards have in place of the one that phones and word processors write."""
    return text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")


def is_denial(word: str) -> bool:
    """Whether a word in lower case denies; see `straight`."""
    return word in _WORDS or word.endswith("n't")


def in_words(text: str) -> str:
    """A text with what programs print where people say "not".

    Example:
        >>> in_words("fenced: false"), in_words("the node is NotReady"), in_words("0 pods are up")
        ('; not fenced;', 'the node is not Ready', 'no pods are up')
    """
    return _ZERO.sub("no", _NAMED.sub("not ", _PRINTED.sub(r"; not \g<name>;", text)))


def is_unset(text: str, end: int) -> bool:
    """Whether a word of a text that ends somewhere has a value that denies it: "synced: false", "synced=0"."""
    return _UNSET.match(text, end) is not None


def in_trouble(text: str) -> bool:
    """Whether a text tells of a failure, or that something is not known, as programs print it.

    Example:
        >>> in_trouble("ERROR: connection refused after 2 minutes"), in_trouble("lag: N/A"), in_trouble("0 errors")
        (True, True, False)
    """
    return _TROUBLE.search(in_words(text)) is not None


def without_denials(text: str) -> str:
    """A text without these words; of "doesn't" what is denied stays."""
    return _DENIES.sub(" ", straight(text))


def denied_words(text: str) -> set[str]:
    """The words of a text that carry meaning and that it denies, each within its clause and before any preposition.

    Example:
        >>> sorted(denied_words("No smoke, and it doesn't start on Mondays."))
        ['smok', 'start']
    """
    return {word for match in _DENIED.finditer(straight(text)) for word in content_words(match["said"])}


def denies(text: str) -> bool:
    """Whether a text has any such word.

    Example:
        >>> denies("It doesn’t start."), denies("It starts.")
        (True, False)
    """
    return _DENIES.search(straight(text)) is not None


def may_deny(text: str) -> bool:
    """Whether a text has a word that denies in another language than English: nobody here can tell what.

    Example:
        >>> may_deny("Ich habe kein Windows"), may_deny("It is not Windows")
        (True, False)
    """
    return _OTHERS.search(text) is not None
