r"""Steps counted with other signs than Markdown's -> lists that it knows: `1、`, `（1）`, `1\.`; line for line."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from thread_core.text.fences import Fence
from thread_core.text.scripts import SPACELESS

_ITEM = re.compile(
    r"(?P<indent>[ \t\u3000]*)"
    r"(?:(?P<circled>[\u2460-\u2473])|(?P<open>[(（])?(?P<digits>\d{1,2})(?P<end>\\?[.)]|[．、）：]))"
    rf"(?P<space>[ \t\u3000]*)(?=\S)(?P<spaceless>[{SPACELESS}「『“《【])?"
)
_FIRST = re.compile(r"^[ \t\u3000]*(?:\u2460|[(（]?(?:1|[^\x00-\x7f])\\?[.)．、）：])", re.MULTILINE)
"""How the first of such steps begins, more or less."""
_DEEPER = "   "


@dataclass(slots=True)
class _Run:
    """Steps that follow each other by their numbers and are written alike, with their lines."""

    deeper: str
    """How far they stand below the step right above them: "（1）" below "1、"."""
    steps: list[tuple[int, re.Match[str]]]


def as_lists(text: str) -> str:
    r"""A text in which such steps, where two or more follow each other, are a numbered list. Other lines stay.

    Example:
        >>> as_lists("1、打开设置。\n2、选择。\n")
        '1. 打开设置。\n2. 选择。\n'
    """
    if (text.isascii() and "\\" not in text) or not _FIRST.search(text):
        return text
    lines = text.split("\n")
    for run in _runs(lines):
        for at, step in run.steps if len(run.steps) > 1 else ():
            lines[at] = run.deeper + _in_markdown(step) + lines[at][step.end("space") :]
    return "\n".join(lines)


def _in_markdown(step: re.Match[str]) -> str:
    indent, space = (step[name].replace("\u3000", " ") for name in ("indent", "space"))
    return f"{indent}{_number(step)}{')' if _is_bracketed(step) else '.'}{space or ' '}"


def _runs(lines: Sequence[str]) -> list[_Run]:
    found: list[_Run] = []
    still_open: dict[tuple[str | None, ...], _Run] = {}
    for at, step in _steps(lines):
        if step is None:
            still_open.clear()
            continue
        style = (step["indent"], step["open"], step["end"])
        run = still_open.get(style)
        if run and _number(step) == _number(run.steps[-1][1]) + 1:
            run.steps.append((at, step))
        elif _number(step) == 1:
            is_below = _is_bracketed(step) and any(
                one.steps[-1][0] == at - 1 and not _is_bracketed(one.steps[-1][1])
                for (indent, *_), one in still_open.items()
                if indent == step["indent"]
            )
            still_open[style] = _Run(_DEEPER * is_below, [(at, step)])
            found.append(still_open[style])
    return found


def _steps(lines: Sequence[str]) -> Iterator[tuple[int, re.Match[str] | None]]:
    """The lines that may be steps; for each heading, nothing."""
    fence = Fence()
    for at, line in enumerate(lines):
        if fence.reads(line):
            continue
        if line.startswith("#"):
            yield at, None
        elif (found := _ITEM.match(line)) and _is_step(found):
            yield at, found


def _is_step(found: re.Match[str]) -> bool:
    """Whether a line is a step: "1.打开" is, but not "1.5 GB", and "1. Open" is left to Markdown."""
    if found["open"] and not _is_bracketed(found):
        return False
    if found["end"] and found["end"].startswith("\\"):
        return bool(found["space"])
    is_plain = found["digits"] and found["digits"].isascii() and found["open"] != "（" and found["end"] in (".", ")")
    return not is_plain or found["spaceless"] is not None


def _is_bracketed(step: re.Match[str]) -> bool:
    return step["end"] in (")", "\\)", "）", None)


def _number(step: re.Match[str]) -> int:
    return int(unicodedata.numeric(step["circled"])) if step["circled"] else int(step["digits"])
