"""A text as people read it where nobody makes a page of it: what only a site's generator understands in plain words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from thread_core.documents.blocks.dialects import boxes_and_tabs
from thread_core.documents.blocks.markdown import parse, parts
from thread_core.documents.blocks.references import with_links

NEAR = 100
"""Characters before and behind a backslash in which it is looked how others are meant."""

_ALERT = re.compile(r"(?P<before>\s*(?:[-*+]\s+|\d+[.)]\s+)?)>\s?\[!(?P<kind>\w+)\]\s*(?P<title>.*)")
_QUOTE = re.compile(r"(?P<before>\s*)>\s?(?P<said>.*)")
_TAB = re.compile(r"\s*# \[(?P<label>[^\[\]]*+)\]\(#(?:tab|fold)/\)")
_NOTHING = ("", "***", "> <!-- -->")
"""What lines become that only close something."""
_MARKED = re.compile(
    r"(?P<slashes>(?:\\\\)*\\(?P<sign>[!-/:-@\[\]^-`{}~])|\\+)|(?P<break><br\s{0,8}/?>)"
    r"|(?P<code>(?P<ticks>`+)[^`]++(?P=ticks))"
    r"|!?\[(?P<words>(?:[^\[\]`]|`[^`]*+`)*+)\]\((?P<goal>[^()\n]*+)\)"
)
"""A sign that stands for itself, the end of a line, code, or a link."""
_TYPED = re.compile(r"(?<!\\)\\[^\W_]")
_BEGINS_PATH = re.compile(r"(?<![\w\\])\\\\\w")
_ADDRESS = re.compile(r"<?(?:https?|ftp|mailto|tel):", re.IGNORECASE)


def plain(text: str) -> str:
    r"""A text with boxes as labelled paragraphs, tabs as labels, and links that lead nowhere by themselves as words.

    A sign behind a backslash is that sign (`setup\_v2\.exe`), but for a bar, which a table needs; a `<br>` is a stroke.
    Kept are code, byte for byte, addresses on the web, and all other Markdown.

    Example:
        >>> plain("> [!WARNING]\n> It is hot.\n\nSee [the lid](#lid) and `[a](#b)`.")
        'Warning: It is hot.\n\nSee the lid and `[a](#b)`.'
    """
    code = {
        at for block in parts(parse(text).blocks) if block.kind == "code" for at in range(block.start, block.end + 1)
    }
    told = zip(text.split("\n"), with_links(text).split("\n"), strict=True)
    said = [was if number in code else line for number, (was, line) in enumerate(told, start=1)]
    lines = zip(said, boxes_and_tabs("\n".join(said)).split("\n"), strict=True)
    return "\n".join(_lines(lines, code))


def _lines(lines: Iterable[tuple[str, str]], code: set[int]) -> Iterator[str]:
    """Lines, each given as it is and with boxes as quotations; in the numbers of some (1-based) stands code."""
    label = ""  # of a box of which no words were read yet
    is_in_box = False
    for number, (was, line) in enumerate(lines, start=1):
        alert = _ALERT.fullmatch(line) if number not in code else None
        quoted = _QUOTE.fullmatch(line) if is_in_box and alert is None else None
        is_in_box = bool(alert or quoted)
        said = f"{quoted['before']}{quoted['said']}" if quoted else was
        if was != line and was.strip() and line.strip() in _NOTHING:
            continue
        if label and not (quoted and not said.strip()):
            if quoted and number not in code:
                said = f"{label} {said.strip()}"
            else:
                yield label
            label = ""
        if alert:
            label = _label(alert)
        elif number in code:
            yield said
        else:
            tab = _TAB.fullmatch(line) if line != was else None
            yield f"{tab['label']}:" if tab else _MARKED.sub(_in_words, said)
    if label:
        yield label


def _label(alert: re.Match[str]) -> str:
    """What stands before the words of a box; with its title, which may be all that it says."""
    title = _MARKED.sub(_in_words, alert["title"].strip())
    return f"{alert['before']}{alert['kind'].capitalize()}: {title}".rstrip()


def _in_words(found: re.Match[str]) -> str:
    if found["slashes"]:
        return _unescaped(found)
    if found["break"]:
        return " / "
    if found["code"] or _ADDRESS.match(found["goal"].strip()):
        return found[0]
    return _MARKED.sub(_in_words, found["words"])


def _unescaped(found: re.Match[str]) -> str:
    r"""What backslashes and the sign behind them stand for: themselves in a path as it is typed (`C:\temp\*.log`)."""
    sign, text = found["sign"] or "", found.string
    before = text[max(0, found.start() - NEAR) : found.start()].rpartition(" ")[2]
    after = text[found.end() : found.end() + NEAR].partition(" ")[0]
    count = len(found[0]) - len(sign)
    is_typed = _TYPED.search(before) or _TYPED.search(after) if count == 1 else _BEGINS_PATH.match(text, found.start())
    return found[0] if count < 3 and is_typed else "\\" * (count // 2 + (count % 2 and not sign)) + sign
