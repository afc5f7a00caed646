"""Hugo's links -> links of Markdown, line for line: `{{< ref "page.md#part" >}}`.

No line comes or goes, and code stays as it is. What readers are shown are the document's own lines.
"""

from __future__ import annotations

import re
from itertools import groupby

from thread_core.documents.blocks.fences import Fence

LABEL = "##"
"""How an address begins that names a label, in whichever document it stands: reStructuredText's become that."""

_CODE = r"(?P<code>\\[`\[{:]|(?<!`)(?P<ticks>`++)[^`]++(?P=ticks)(?!`))"
"""Inline code, and what is escaped: nothing is a link in it."""
_BEFORE = r"(?P<before>\]\([ ]{0,3}<?|^[ ]{0,3}\[[^\[\]\n]{1,200}\]:[ ]{0,3}<?|=[ ]{0,3}[\"']?)"
"""What stands before an address."""
_SHORTCODE = re.compile(
    rf"{_CODE}|{_BEFORE}?\{{\{{[<%]\s*(?:rel)?ref\s+(?:path\s*=\s*)?"
    r"(?:(?P<quote>[\"'`])(?P<quoted>[^\"'`\n]{1,300})(?P=quote)|(?P<plain>[^\s\"'`<>%{}]{1,300}))"
    r"[^{}\n]{0,200}[%>]\}\}",
    re.MULTILINE,
)
_ENDING = {ord(sign): f"%{ord(sign):X}" for sign in " ()<>"}
"""What would end an address."""


def with_links(text: str) -> str:
    r"""A text in which the links of Hugo are written as Markdown has them.

    Example:
        >>> with_links('See [the lid]({{< ref "lid.md#on" >}}) and `{{< ref a.md >}}`.')
        'See [the lid](lid.md#on) and `{{< ref a.md >}}`.'
    """
    if "ref " not in text or "{{" not in text:
        return text
    runs = groupby(text.split("\n"), key=Fence().reads)
    told = ("\n".join(lines) if is_code else _SHORTCODE.sub(_linked, "\n".join(lines)) for is_code, lines in runs)
    return "\n".join(told)


def _linked(match: re.Match[str]) -> str:
    if match["code"]:
        return match[0]
    goal = match["quoted"] or match["plain"]
    address = goal.translate(_ENDING)
    return f"{match['before']}{address}" if match["before"] else f"[{goal}]({address})"
