"""What a text is as a whole: a page of HTML, or a part that was cut out with its indentation."""

from __future__ import annotations

import re

_PAGE = re.compile(r"\s*<(?:!doctype html|html)\b", re.IGNORECASE)


def is_page(text: str) -> bool:
    """Whether a text is a page of HTML as it lies in a file, and no Markdown."""
    return _PAGE.match(text) is not None


def outdented(text: str) -> str:
    r"""A part of a document that begins inside of a list or a tab, so that its first line does not read as code.

    Example:
        >>> outdented("    1. Run this:\n\n        ls")
        '1. Run this:\n\n    ls'
    """
    depth = len(text) - len(text.lstrip(" "))
    return re.sub(rf"^ {{1,{depth}}}", "", text, flags=re.MULTILINE) if depth else text
