"""Messages of programs and devices with which a block begins, as documents set them off."""

from __future__ import annotations

import re

from thread_core.text.markdown import Block

_QUOTED = re.compile(r"\"[^\"\n]{2,80}\"|“[^”\n]{2,80}”")
_COMMAND = re.compile(r"(?:^|\s)-|[/\\=$<>{}|*\[\]]")
"""What is in a command or a setting, and in few messages."""


def message_of(block: Block) -> str:
    """The words in inline code, or in quotation marks, with which a block begins; empty where they are no message.

    One word may be the name of anything, and with signs among them they are a command.
    """
    code = block.text[: block.code[0][1]] if begins_with_code(block) else ""
    quoted = None if code else _QUOTED.match(block.text)
    found = code or (quoted[0] if quoted else "")
    return found if " " in found.strip() and not _COMMAND.search(found) else ""


def begins_with_code(block: Block) -> bool:
    """Whether a block begins with inline code."""
    return bool(block.code) and block.code[0][0] == 0
