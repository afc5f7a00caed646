"""What a program or a tool has printed -> the same without what looks like a secret.

It goes by the words beside it, so it is a net and no wall: a secret that stands alone is not known as one.
"""

from __future__ import annotations

import re

MARK = "[redacted]"

_NAME = (
    r"(?:passw(?:or)?d|passphrase|pwd|secret|token|credentials?"
    r"|(?:api|access|account|private|shared|encryption|signing|[a-z0-9][_-])key)"
)
_STATE = (
    r"(?:true|false|yes|no|not|none|null|unset|set|empty|expired|valid|invalid|missing|required|denied|unknown|ok)"
    r"(?=[\s,;.\"'})]|$)"
)
"""What is said of a secret, and is none: "token: expired"."""
_VALUE = r"(?:\"(?:[^\"\\\n]|\\.)*+\"|'[^'\n]*+'|[^\s\"'][^\s]*+)"
_SECRETS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(-----BEGIN (?:[A-Z]+ ){0,3}PRIVATE KEY-----)[^-]*+",
        rf"({_NAME}[\\\"'\]]{{0,3}}[ \t]{{0,3}}(?:=>|:=|[=:])[ \t]{{0,3}})(?!{_STATE}){_VALUE}",
        rf"((?<![\w-])--?(?:[a-z0-9]{{1,20}}-){{0,3}}{_NAME}[ \t]{{1,3}})(?!-){_VALUE}",
        r"(authorization[\"']?[ \t]{0,3}[:=][ \t]{0,3}[\"']?)(?:\w{1,20}[ \t]{1,3})?[^\s\"']+",
        r"(\bbearer[ \t]{1,3})(?=[^\s\d]*\d)[\w.~+/=-]{8,}",
        r"(://[^\s:/@]{0,100}:)[^\s/@]{1,200}(?=@)",
        r"()\beyJ[\w-]{15,}\.[\w-]+(?:\.[\w-]+)?",
    )
)
"""Each with what stays, in brackets: keys, named values, options, headers, addresses with a password, signed tokens."""


def without_secrets(text: str) -> str:
    """A text with a mark in place of what is said to be a password, a token, a secret or a key.

    Example:
        >>> without_secrets("user=shop DB_PASSWORD=hunter2 lag=12")
        'user=shop DB_PASSWORD=[redacted] lag=12'
    """
    for pattern in _SECRETS:
        text = pattern.sub(rf"\g<1>{MARK}", text)
    return text
