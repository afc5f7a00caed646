"""What the terminal shows. Document text is untrusted: it passes `clean`, and nothing in it is read as markup.

Text of a document is printed as it stands, with colours for headings and code and no character dropped or
added, because people copy commands from it.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console
from rich.segment import Segment, Segments
from rich.text import Text

from thread_core.documents.blocks.fences import Fence
from thread_core.documents.leaning import OPPOSITE
from thread_core.documents.printed import PRINTED, Printed, cited, printed_at
from thread_core.extraction.fidelity import unlinked
from thread_core.models import Document, Link, LogicUnit, Model
from thread_core.shelf import Destination, Shelf
from thread_core.text.safe import clean, json_line, one_line
from thread_core.text.scripts import is_spaceless
from thread_core.walk.actions import action_of
from thread_core.walk.options import line_after, screen_at
from thread_core.walk.rendering import Turn
from thread_core.walk.state import SessionState
from thread_core.walk.states import Status
from thread_rag.reflowing import reflowed
from thread_rag.showing import in_words, lines_of

if TYPE_CHECKING:
    pass

LISTED = 10
"""Broken links, problems and documents left that are printed one by one."""

_DUMB = ("dumb", "unknown")
"""Terminals that rich takes for ones of 80 columns."""
_WORDS = re.compile(r"\s*\S+\s*")
_NEWLINE = re.compile(r"\r\n|\r|\n")
_VERBATIM = re.compile(r" {4}|\t|\s*\|")
_MARKER = re.compile(r"\s*(?:(?:[-*+•]|\d+[.)]|>)\s+)+")
"""What stands before an item or a quote, whose lines are all as far in as its first word."""
_HEADING = re.compile(r"#{1,6}\s")
_INLINE = ((re.compile(r"`[^`]+`"), "cyan"), (re.compile(r"\*\*[^*]+\*\*"), "bold"))


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to who knows how a command ends (`ending`)."""
        raise BrokenPipeError(errno.EPIPE, "the reader has closed it")


def a_console(*, stderr: bool = False) -> Console:
    """A console that takes every text literally."""
    columns, lines = shutil.get_terminal_size()
    is_dumb = os.environ.get("TERM", "").lower() in _DUMB
    size: dict[str, int] = {"width": columns, "height": lines} if is_dumb else {}
    return _Console(markup=False, emoji=False, highlight=False, stderr=stderr, **size)  # type: ignore[arg-type]


def show_turn(console: Console, turn: Turn) -> None:
    """A step with its citation and its numbered outcomes, or what else a session says."""
    # A step's first line is its header.
    told = turn.plain
    header, break_, rest = told.partition("\n")
    is_step = bool(turn.unit_ids and break_) and turn.status is not Status.ASKING
    text = rest if is_step else told
    console.print()
    if is_step:
        say(console, header, "bold")
    if turn.citations:
        say(console, f"{one_line(cited(turn.citations[0], turn.printed))}\n", "dim")
    show_document_text(console, _cropped(text, console.width) if turn.lists_options and console.is_terminal else text)
    if turn.options and not turn.lists_options:
        console.print()
    for number, option in enumerate(() if turn.lists_options else turn.options, start=1):
        numbered = f"  {number}  "
        print_text(console, Text.assemble((numbered, "bold green"), one_line(option)), indent=len(numbered))
    for note in turn.notes:
        say(console, f"\nnote: {note}", "yellow")


def _cropped(text: str, width: int) -> str:
    """A menu whose quotes have a line each, so that all of its options are seen at once."""
    lines = [Text(line) for line in text.split("\n")]
    for line in lines:
        if line.plain.startswith("   > "):
            line.truncate(width, overflow="ellipsis")
    return "\n".join(line.plain for line in lines)


def say(console: Console, text: str, style: str = "") -> None:
    """A text that holds no code, wrapped in a terminal."""
    print_text(console, Text(clean(text), style=style))


def show_document_text(console: Console, text: str) -> None:
    """Markdown as it stands; in a terminal prose is wrapped anew, code and tables never are."""
    for line, is_code in reflowed(_marked(text)) if console.is_terminal else _marked(text):
        if is_code or _VERBATIM.match(line):
            # A Text would turn the tabs of a command into spaces.
            verbatim = Segment(f"{clean(line)}\n", console.get_style("cyan" if is_code else "none"))
            console.print(Segments([verbatim]), soft_wrap=True)
            continue
        prose = Text(clean(line), style="bold" if _HEADING.match(line) else "")
        for pattern, style in _INLINE:
            prose.highlight_regex(pattern, style)
        marker = _MARKER.match(line)
        print_text(console, prose, indent=marker.end() if marker else 0)


def show_numbered(console: Console, document: Document) -> None:
    """A text as it stands, with the numbers of its lines, and the pages or paragraphs of its file that they are of."""
    written = _NEWLINE.split(document.text)
    if len(written) > 1 and not written[-1]:
        written.pop()
    lines = list(enumerate(written, start=1))
    printed = Printed.read(document.metadata.get(PRINTED))
    places = [f"{printed.unit} {printed.at(number)}" if printed and line.strip() else "" for number, line in lines]
    width, wide = len(str(len(lines))), max(map(len, places))
    told = ""
    for (number, line), place in zip(lines, places, strict=True):
        beside = f"{place if place != told else '':{wide}}  " if printed else ""
        told = place or told
        shown = (Segment(f"{number:>{width}}  {beside}", console.get_style("dim")), Segment(f"{clean(line)}\n"))
        console.print(Segments(shown), soft_wrap=True)


def show_units(console: Console, units: Sequence[LogicUnit], shelf: Shelf, *, commands: bool = False) -> None:
    """A document's units: what each needs, where each outcome leads, and which conditions no outcome has.

    With `commands`, also what an executor would be given.
    """
    first = units[0]
    lines = dict(unlinked(units))
    heading = f"{first.title}: " if first.title else ""
    counted = "1 unit" if len(units) == 1 else f"{len(units)} units"
    say(console, f"{heading}{first.document_id}, {counted}", "bold")
    for unit in units:
        console.print()
        print_text(console, Text.assemble((f"{one_line(str(unit.type))}  ", "green"), (one_line(unit.header), "bold")))
        printed = f", {one_line(printed_at(unit))}" if printed_at(unit) else ""
        say(console, f"  lines {', '.join(map(lines_of, unit.spans))}{printed}", "dim")
        for prerequisite in unit.prerequisites:
            say(console, f"  needs: {one_line(prerequisite)}")
        for link in unit.links:
            print_text(console, _link(unit, link, shelf.destination(unit, link)))
        for number in (number for span in unit.body_spans for number in range(span.start, span.end + 1)):
            if number in lines:
                say(console, f"  line {number}, not linked: {one_line(lines[number])}", "yellow")
        if commands:
            _show_commands(console, unit)


def _show_commands(console: Console, unit: LogicUnit) -> None:
    """What a unit says to run, screen by screen, and why no more of it is."""
    line = 1
    while line:
        at = screen_at(unit, line)
        action = action_of(at, state=SessionState())
        for command in action.commands:
            say(console, f"  to run: {one_line(command)}")
        if action.reason:
            say(console, f"  left to the person: {one_line(action.reason)}")
        line = line_after(unit, at.last)


def show_json(console: Console, values: Iterable[Model]) -> None:
    """Values as JSON lines: escapes keep the text whole and the terminal safe."""
    is_ascii = not console.encoding.startswith("utf")
    for value in values:
        line = json.dumps(value.model_dump(mode="json"), ensure_ascii=is_ascii)
        console.print(Text(json_line(line)), soft_wrap=True)


def print_text(console: Console, text: Text, *, indent: int = 0) -> None:
    """Print a text with lines that end between words, the later ones further in."""
    # A paragraph without spaces would begin a new line after "1. "; the terminal itself ends lines anywhere.
    if not console.is_terminal or is_spaceless(text.plain):
        console.print(text, soft_wrap=True)
        return
    # So it does within a word that is longer than a line, such as an address, which is copied whole then.
    for line in text.split(allow_blank=True):
        for number, part in enumerate(line.divide(_ends_of_lines(line.plain, console.width, indent))):
            part.rstrip()
            console.print(Text.assemble(" " * indent if number else "", part), soft_wrap=True)


def _ends_of_lines(text: str, width: int, indent: int) -> Iterator[int]:
    """Where lines of a width in cells end: before the word that does not fit. All but the first are indented."""
    column = 0
    for word in _WORDS.finditer(text):
        taken = cell_len(word[0].rstrip())
        if column > indent and column + taken > width:
            yield word.start()
            column = indent
        column += cell_len(word[0])


def _marked(text: str) -> Iterator[tuple[str, bool]]:
    """Lines, and whether each belongs to a fenced code block."""
    fence = Fence()
    for line in _NEWLINE.split(text):
        yield line, fence.reads(line)


def list_some(console: Console, lines: Sequence[str], kind: str) -> None:
    """Print the first of some lines, and how many more there are of that kind."""
    for line in islice(lines, LISTED):
        console.print(Text(one_line(line), style="yellow"), soft_wrap=True)
    if len(lines) > LISTED:
        console.print(f"and {len(lines) - LISTED} more {kind}")


def _link(unit: LogicUnit, link: Link, goal: Destination) -> Text:
    stated = one_line(link.condition.removeprefix(OPPOSITE))
    said = f"{'unless' if link.condition.startswith(OPPOSITE) else 'if'} {stated}: " if link.condition else "then: "
    return Text.assemble("  ", said, (one_line(in_words(unit, link, goal)), "red" if goal.is_broken else "cyan"))
