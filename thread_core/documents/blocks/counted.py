r"""Lists with other signs than Markdown's -> lists that it knows, line for line: `•`, `a.`, `1、`, `（1）`, `1\.`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from thread_core.documents.blocks.fences import Fence
from thread_core.text.scripts import SPACELESS

CODE = 4
"""Spaces that make code of a line."""
_ITEM = re.compile(
    r"(?P<indent>[ \t\u3000]*)(?:(?P<bullet>[•●∙·‣►➢◦○▪■□–—\uf0b7\uf0a8\uf0d8\uf06f\uf0a7](?=\s)|o(?=\t))"
    r"|(?P<circled>[\u2460-\u2473])|(?P<letters>[A-Za-z]{1,5})(?P<stop>[.)])(?=[ \t])"
    r"|(?P<open>（)?(?P<digits>\d{1,2})(?P<end>\\?[.)]|[．、）：]))"
    rf"(?P<space>[ \t\u3000]*)(?=\S)(?P<spaceless>[{SPACELESS}「『“《【])?"
)
_ANY = re.compile(r"\n[ \t\u3000]*(?:[aiAI][.)][ \t]|o\t|1\\[.)]|（?[^\x00-\x7f]|（?1[．、）：]|1[.)][^\x00-\x7f])")
"""How the first item begins, more or less, behind a line's end."""
_LISTED = re.compile(r"[ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]{1,4}(?=\S)")
_ROMAN = "i ii iii iv v vi vii viii ix x xi xii".split()


class _Item(NamedTuple):
    at: int
    number: int
    """Of bullets, how deep it stands by its sign."""
    found: re.Match[str]


def as_lists(text: str) -> str:
    r"""A text in which such items, where two or more follow each other, are a list of Markdown. Other lines stay.

    Example:
        >>> as_lists("1、打开设置。\n   a. Turn it.\n   b. Lift it.\n2、选择。\n")
        '1. 打开设置。\n   1. Turn it.\n   2. Lift it.\n2. 选择。\n'
    """
    if not _ANY.search(f"\n{text}"):
        return text
    lines = text.split("\n")
    for run in _runs(lines):
        for at, number, found in run if len(run) > 1 else ():
            lines[at] = _in_markdown(number, found) + lines[at][found.end("space") :]
    return "\n".join(lines)


def _in_markdown(number: int, found: re.Match[str]) -> str:
    indent, space = (found[name].replace("\u3000", " ") for name in ("indent", "space"))
    if found["bullet"]:
        return f"{indent}{'  ' * number}-{space}"
    if found["letters"]:  # as many characters as before, so that what stands below belongs to it still
        return f"{indent}{min(number, 9):0{len(found['letters'])}}{found['stop']}{space}"
    return f"{indent}{number}{'.' if (found['end'] or ')')[-1] in '.．、：' else ')'}{space or ' '}"


def _runs(lines: list[str]) -> list[list[_Item]]:
    """The lists that begin in some lines; a heading ends them all."""
    found: list[list[_Item]] = []
    still_open: dict[tuple[str | None, ...], list[_Item]] = {}
    signs: list[str] = []
    inside, after_blank, fence = 0, True, Fence()
    for at, line in enumerate(lines):
        if fence.reads(line):
            continue
        indent = len(line) - len(line.lstrip())
        if line.startswith("#"):
            still_open, signs, inside = {}, [], 0
        elif listed := _LISTED.match(line):
            inside = len(listed[0])
        elif (item := _ITEM.match(line)) and not (after_blank and indent >= inside + CODE):
            if sign := item["bullet"]:
                signs = signs[: signs.index(sign)] if sign in signs else signs
                signs.append(sign)
            for style, number in _readings(item, len(signs)):
                run = still_open.get(style)
                if run is None or not (item["bullet"] or number == run[-1].number + 1):
                    if number > 1 and not item["bullet"]:
                        continue
                    run = still_open[style] = []
                    found.append(run)
                run.append(_Item(at, number, item))
                break
        after_blank = not line.strip()
    return found


def _readings(item: re.Match[str], depth: int) -> Iterator[tuple[tuple[str | None, ...], int]]:
    """As which number of which list an item may be read; as none where Markdown knows it, or it is no item: "1.5"."""
    style = (item["indent"], item["open"], item["end"] or item["stop"])
    if item["bullet"]:
        yield (item["indent"], "bullet"), depth - 1
    elif item["circled"]:
        yield (*style, "circled"), int(unicodedata.numeric(item["circled"]))
    elif mark := item["letters"]:
        case = "upper" if mark.isupper() else "lower"
        if len(mark) == 1:
            yield (*style, case), ord(mark.lower()) - ord("a") + 1
        if mark.lower() in _ROMAN and mark in (mark.lower(), mark.upper()):
            yield (*style, case, "roman"), _ROMAN.index(mark.lower()) + 1
    elif item["end"][0] == "\\":
        if item["space"]:
            yield style, int(item["digits"])
    elif not (item["digits"].isascii() and not item["open"] and item["end"] in (".", ")")) or item["spaceless"]:
        yield style, int(item["digits"])
