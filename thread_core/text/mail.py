"""E-mail that is kept as text: what its head says."""

from __future__ import annotations

import re
from collections.abc import Sequence

_FIELD = re.compile(r"([A-Z][\w-]{1,30}):[ \t]*(\S.*)?")
_FIRST = ("from:", "to:", "date:", "sent:", "subject:", "cc:", "reply-to:", "message-id:", "received:", "return-path:")
_NEEDED = frozenset(("from", "subject"))
_REPLY = re.compile(r"(?:(?:re|fwd?|aw|wg)\s*:\s*)+", re.IGNORECASE)
"""Before the subject of a reply, or of what was sent on."""


def head(lines: Sequence[str]) -> tuple[dict[str, str], int]:
    """The fields of the head with which a mail begins, and how many lines it has; none where a text is no mail.

    Its subject is its title, and the day on which it was sent its date.

    Example:
        >>> head(["From: Ann", "Subject: RE: The saw hums", "", "Wait."])
        ({'from': 'Ann', 'subject': 'RE: The saw hums', 'title': 'The saw hums'}, 2)
    """
    if not lines or not lines[0].lower().startswith(_FIRST):
        return {}, 0
    fields: dict[str, str] = {}
    last, length = "", 0
    for line in lines:
        if not line.strip():
            break
        if field := _FIELD.fullmatch(line.rstrip()):
            last = field[1].lower()
            fields.setdefault(last, field[2] or "")
        elif last and line.startswith((" ", "\t")):
            fields[last] = f"{fields[last]} {line.strip()}".strip()
        else:
            return {}, 0
        length += 1
    if not fields.keys() >= _NEEDED:
        return {}, 0
    if title := _REPLY.sub("", fields["subject"], count=1).strip():
        fields["title"] = title
    if sent := fields.get("sent"):
        fields.setdefault("date", sent)
    return fields, length
