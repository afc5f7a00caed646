"""Links that only a site's generator understands -> links of Markdown, line for line.

Shortcodes (Hugo), tags and filters (Jekyll), roles (Sphinx, MyST) and identifiers (MkDocs' autorefs) name a document
or a label. No line comes or goes, and code stays as it is. What readers are shown are the document's own lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from functools import partial
from itertools import groupby

from thread_core.documents.blocks.fences import Fence
from thread_core.text.sentences import mentions

LABEL = "##"
"""How an address begins that names a label, in whichever document it stands."""

_CODE = r"(?P<code>\\[`\[{:]|(?<!`)(?P<ticks>`++)[^`]++(?P=ticks)(?!`))"
"""Inline code, and what is escaped: nothing is a link in it."""
_BEFORE = r"(?P<before>\]\([ ]{0,3}<?|^[ ]{0,3}\[[^\[\]\n]{1,200}\]:[ ]{0,3}<?|=[ ]{0,3}[\"']?)"
"""What stands before an address."""
_SITE = re.compile(rf"{_CODE}|{_BEFORE}\{{\{{-?\s*site\.[\w.]{{1,40}}\s*-?\}}\}}(?=[/{{])", re.MULTILINE)
"""`{{ site.baseurl }}` before the rest of an address."""
_LIQUID = re.compile(
    rf"{_CODE}|{_BEFORE}(?:\{{%-?\s*(?:link\s+(?P<page>[^\s%{{}}]{{1,300}})|post_url\s+(?P<post>[^\s%{{}}]{{1,300}}))"
    r"\s*-?%\}|\{\{-?\s*[\"'](?P<path>[^\"'{}\n]{1,300})[\"']\s*\|\s*(?:relative|absolute)_url\s*-?\}\})",
    re.MULTILINE,
)
"""`{% link _docs/page.md %}`, `{% post_url 2024-05-01-page %}`, `{{ "/page" | relative_url }}`."""
_SHORTCODE = re.compile(
    rf"{_CODE}|{_BEFORE}?\{{\{{[<%]\s*(?:rel)?ref\s+(?:path\s*=\s*)?"
    r"(?:(?P<quote>[\"'`])(?P<quoted>[^\"'`\n]{1,300})(?P=quote)|(?P<plain>[^\s\"'`<>%{}]{1,300}))"
    r"[^{}\n]{0,200}[%>]\}\}",
    re.MULTILINE,
)
"""`{{< ref "page.md#part" >}}`."""
_ROLE = re.compile(
    rf"{_CODE}|(?:\{{|(?<![\w:]):)(?:[a-z]{{1,20}}:)?"
    r"(?:(?P<label>ref|numref|any)|(?P<document>doc|download)|guilabel|menuselection|kbd|term|abbr|command|file|program)"
    r"[}:](?P<said>`[^`]{1,400}`)(?!`)"
)
"""``{ref}`the part <label>` ``, ``:doc:`page` ``; others only set words apart."""
_TITLED = re.compile(r"(?P<words>[^<>]*[^<>\s])(?P<space>\s*)<(?P<goal>[^<>\n]+)>")
_IDENTIFIED = re.compile(
    rf"{_CODE}|(?<![\w\]!])\[(?P<words>(?:[^\[\]\n`]|`[^`\n]{{1,100}}`){{1,200}})\]"
    r"\[(?P<identifier>[^\[\]\s]{1,200})?\](?![\[(:])"
)
"""`[the part][a-label]`, `[a-label][]`."""
_IDENTIFIER = re.compile(r"[A-Za-z]\w+(?:[-.:/]\w+)+")
"""One of two words or more: a single one in brackets is seldom the name of a place."""
_DEFINED = re.compile(r"^[ \t>]{0,9}\[([^\[\]\n]{1,200})\]:", re.MULTILINE)
_WORDLESS = re.compile(rf"{_CODE}|(?<![!\w])\[\]\((?P<goal>[^\s()<>{{}}]{{1,300}})\)")
"""`[](page.md)`, to which MyST adds the words."""
_ENDING = {ord(sign): f"%{ord(sign):X}" for sign in " ()<>"}
"""What would end an address."""

_Rewrite = Callable[[re.Match[str]], str]


def with_links(text: str) -> str:
    r"""A text in which the links of generators are written as Markdown has them.

    Example:
        >>> with_links('See {ref}`the lid <lid>`, [it]({{< ref "lid.md#on" >}}) and `[a][b-c]`.')
        'See [the lid](##lid), [it](lid.md#on) and `[a][b-c]`.'
    """
    found = [(pattern, rewrite) for signs, pattern, rewrite in _KINDS if mentions(text, signs)]
    if "][" in text:
        found.append((_IDENTIFIED, _identified({_folded(name) for name in _DEFINED.findall(text)})))
    if not found:
        return text
    runs = groupby(text.split("\n"), key=Fence().reads)
    return "\n".join(_rewritten("\n".join(lines), () if is_code else found) for is_code, lines in runs)


def _rewritten(text: str, kinds: Iterable[tuple[re.Pattern[str], _Rewrite]]) -> str:
    for pattern, rewrite in kinds:
        text = pattern.sub(partial(_unless_code, rewrite), text)
    return text


def _unless_code(rewrite: _Rewrite, match: re.Match[str]) -> str:
    return match[0] if match["code"] else rewrite(match)


def _liquid(match: re.Match[str]) -> str:
    # What is linked is named from the root of the site, and a post by its name alone.
    goal = f"/{match['page'].lstrip('/')}" if match["page"] else match["path"] or match["post"].rpartition("/")[2]
    return match["before"] + goal.translate(_ENDING)


def _shortcode(match: re.Match[str]) -> str:
    goal = match["quoted"] or match["plain"]
    address = goal.translate(_ENDING)
    return f"{match['before']}{address}" if match["before"] else f"[{goal}]({address})"


def _role(match: re.Match[str]) -> str:
    if not (match["label"] or match["document"]):
        return match["said"]
    said = match["said"][1:-1]
    titled = _TITLED.fullmatch(said)
    words, goal = (titled["words"] + titled["space"], titled["goal"]) if titled else (said, " ".join(said.split()))
    return f"[{words.rstrip(' ')}]({LABEL if match['label'] else ''}{goal.strip().translate(_ENDING)})"


def _identified(defined: Collection[str]) -> _Rewrite:
    """What is between brackets as a link to a label, where the text itself defines no address for it."""

    def rewrite(match: re.Match[str]) -> str:
        words, identifier = match["words"], match["identifier"] or match["words"].strip("`")
        is_defined = _folded(identifier) in defined or _folded(words) in defined
        return match[0] if is_defined or not _IDENTIFIER.fullmatch(identifier) else f"[{words}]({LABEL}{identifier})"

    return rewrite


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()


def _wordless(match: re.Match[str]) -> str:
    goal = match["goal"]
    is_label = goal.startswith("#") and not goal.startswith(LABEL)
    return f"[{goal.strip('#')}]({'#' * is_label}{goal})"


_KINDS: tuple[tuple[tuple[str, ...], re.Pattern[str], _Rewrite], ...] = (
    (("{{ site.", "{{site."), _SITE, lambda match: match["before"]),
    (("{%", "_url "), _LIQUID, _liquid),
    (("ref ",), _SHORTCODE, _shortcode),
    (("}`", ":`"), _ROLE, _role),
    (("[](",), _WORDLESS, _wordless),
)
"""What a text has one of in which there is something of a kind, how that is written, and what it becomes."""
