"""How a model is set up, told in a few letters: replies of two set-ups are two samples, and are kept apart."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel

_LETTERS = 16
_SECRET = re.compile(
    r"(^|[_-])(key|keys|token|auth|cookie)($|[_-])|api_?key|key_id|secret|passw|credential|authori|bearer|header",
    re.IGNORECASE,
)
"""Names of credentials, and of what may hold some."""
_IDLE = re.compile(
    r"^(name|verbose|tags|metadata|profile|context_window|output_version|organization)$"
    r"|timeout|retr(y|ies)|callback|cache|rate_limit|stream|proxy|client|socket|tokenizer|tiktoken|organization",
    re.IGNORECASE,
)
"""Names of what changes no reply: how long is waited for one, how often, who listens, who pays."""


_ADDRESS = re.compile(r"(\w+://)(?:[^/\s@]*@)?([^\s?#]*)\S*")


def digest(settings: Mapping[str, Any]) -> str:
    """Letters that differ where settings, or the service's address, do.

    Only what may change a reply counts, and only where it is plain: numbers, texts, lists, tables. Credentials are left
    out, those within an address too.

    Example:
        digest({"seed": 1, "base_url": "http://host:8000/v1", "api_key": "...", "timeout": 30})
    """
    return hashlib.sha256(json.dumps(_plain(settings), sort_keys=True).encode()).hexdigest()[:_LETTERS]


def _plain(value: Any) -> Any:
    match value:
        case BaseModel():
            return _plain(dict(value))
        case Mapping():
            named = {str(name): _plain(one) for name, one in value.items() if _counts(str(name))}
            return {name: one for name, one in named.items() if one is not None}
        case str():
            address = _ADDRESS.fullmatch(value)
            return f"{address[1]}{address[2].rstrip('/')}" if address else value
        case int() | float():
            return float(value)
        case Sequence() | set() | frozenset() if not isinstance(value, bytes):
            return [_plain(one) for one in value]
    return None


def _counts(name: str) -> bool:
    return not _SECRET.search(name) and not _IDLE.search(name)
