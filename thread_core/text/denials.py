"""Words that deny what is said with them: "not", "never", "isn't"."""

from __future__ import annotations

import re

_WORDS = frozenset("not no never none cannot without neither nor nothing nobody hardly".split())
_DENIES = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b|\b[a-z]{{1,6}}n't\b", re.IGNORECASE)


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
_ZERO = re.compile(r"(?<![\w.,:/-])0(?=[ \t]+[a-z]{2})")
_NAMED = re.compile(r"\bNot(?=[A-Z][a-z])")
"""How a name begins that denies the rest of it."""


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


def without_denials(text: str) -> str:
    """A text without these words; of "doesn't" what is denied stays."""
    return _DENIES.sub(" ", straight(text))


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
