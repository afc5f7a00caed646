"""Pages as HTML: Jinja escapes whatever is put in, so that no document's text becomes part of a page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from textwrap import dedent
from typing import Any, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined

from thread_core.documents.blocks.fences import Fence
from thread_core.errors import NothingFound
from thread_core.models import Correction
from thread_core.shelf import Shelf
from thread_core.walk.rendering import Turn
from thread_core.walk.states import Status
from thread_view.addresses import Addresses
from thread_view.comparing import compare
from thread_view.findings import Finding
from thread_view.guide import Guide, between, guide_of
from thread_view.walks import Answer

LONGEST = 2000
"""Characters that a person may say at once."""
_QUOTED = "   > "
"""How a line of a menu begins that quotes what an option leads to."""
_INLINE = re.compile(r"`+([^`]+)`+|\*\*([^*\n]+)\*\*|\*([^*\n]+)\*|!?\[([^\[\]]+)\]\([^()\s]*\)")
"""Code, strong and emphasised words, and links: of these the words, for where they lead the options say."""
_TAGS = ("code", "strong", "em", "span")
_BEGINS = re.compile(r"\s*(?:[-*+>|#]|\d+[.)]\s)")
"""How a line begins that goes on with none before it."""

ASSETS = ("view.css", "view.js", "map.js", "icon.svg", "dagre/dagre.min.js", "dagre/LICENSE")
"""The files that pages are drawn with."""


class Entry(NamedTuple):
    """A guide in the list."""

    document_id: str
    title: str
    findings: int


class Kept(NamedTuple):
    """What somebody has said about a link, for the list below a guide."""

    said: Correction
    leads: str
    key: str
    """What a form sends to take it back."""
    is_stale: bool


class Bit(NamedTuple):
    """Some words of a turn, and the element for them."""

    text: str
    tag: str


class Block(NamedTuple):
    """A paragraph or a code block of a turn."""

    tag: str
    bits: Sequence[Bit]


class OptionShown(NamedTuple):
    """An option of a turn."""

    label: str
    hint: str
    """How what it leads to begins, in a menu."""


class Shown(NamedTuple):
    """A turn as a page has it."""

    blocks: Sequence[Block]
    options: Sequence[OptionShown]
    also: Sequence[str]
    cited: str


class Pages:
    """Makes the pages of a shelf."""

    def __init__(
        self,
        shelf: Shelf,
        to: Addresses,
        *,
        findings: Sequence[Finding] = (),
        other: Shelf | None = None,
        other_name: str = "",
    ) -> None:
        """Say what is shown.

        Args:
            shelf: The guides.
            to: Where each page is.
            findings: What a check of them has found.
            other: The same guides as another store has them, to be compared with, and
            other_name: what that is called.
        """
        self.shelf = shelf
        self._to = to
        self._findings = findings
        self._other = other
        self._other_name = other_name
        counts: dict[str, int] = {}
        for one in findings:
            counts[one.document_id] = counts.get(one.document_id, 0) + 1
        self.entries = [Entry(one, shelf.titles[one] or one, counts.get(one, 0)) for one in shelf.ids]

    def read(self, document_id: str) -> Guide:
        """A guide, for a page."""
        return guide_of(self.shelf, document_id, self._findings)

    def home(self, token: str = "") -> str:
        """The list of all guides."""
        return self._render("home", entries=self.entries, token=token)

    def guide(
        self,
        guide: Guide,
        *,
        verdicts: Mapping[str, Correction] | None = None,
        kept: Sequence[Kept] = (),
        corrects: bool = False,
        token: str = "",
        told: str = "",
        closed: str = "",
    ) -> str:
        """A guide: its map and its steps.

        Args:
            guide: Which one.
            verdicts: What somebody has said about its links, by their names.
            kept: All of that, also what is stale.
            corrects: Whether more may be said.
            token: What its forms send.
            told: What has just been done.
            closed: Why nothing may be said about its links.
        """
        return self._render(
            "guide",
            guide=guide,
            verdicts=verdicts or {},
            kept=kept,
            corrects=corrects,
            token=token,
            told=told,
            closed=closed,
            compared=self._other is not None,
        )

    def walk(
        self,
        turn: Turn | None,
        *,
        question: str = "",
        before: Sequence[Answer] = (),
        guide: Guide | None = None,
        path: Sequence[int] = (),
        token: str = "",
        told: str = "",
    ) -> str:
        """A walk, with the way taken on the map of its guide."""
        shown = _shown(turn) if turn is not None else None
        return self._render(
            "walk", turn=shown, question=question, before=before, guide=guide, path=path, token=token, told=told
        )

    def correct(self, guide: Guide, link: str, **more: Any) -> str:
        """The form in which a link of a guide, by its name, is approved or corrected."""
        step, option = next((s, o) for s in guide.steps for o in s.options if o.name == link)
        return self._render("correct", guide=guide, step=step, option=option, entries=self.entries, **more)

    def compare(self, guide: Guide) -> str:
        """A guide beside the other store's.

        Raises:
            NothingFound: there is no other store.
        """
        if self._other is None:
            raise NothingFound("There is no other store to compare with. Name one with --compare.")
        found = compare(guide, guide_of(self._other, guide.document_id))
        return self._render("compare", guide=guide, comparison=found, other=self._other_name)

    def _render(self, template: str, /, **values: Any) -> str:
        return _rendered(self._to, template, **values)


def problem(to: Addresses, heading: str, said: str) -> str:
    """A page that says why there is no other."""
    return _rendered(to, "problem", heading=heading, said=said)


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("thread_view"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _rendered(to: Addresses, template: str, /, **values: Any) -> str:
    return _environment().get_template(f"{template}.html").render(to=to, longest=LONGEST, **values)


def asset(name: str) -> Traversable:
    """One of the `ASSETS`."""
    return files("thread_view").joinpath("assets", *name.split("/"))


def _shown(turn: Turn) -> Shown:
    """A turn for a page, which has buttons where the text lists options by their numbers."""
    text: list[str] = []
    hints = [""] * len(turn.options)
    numbered = enumerate(turn.options, 1) if turn.lists_options else ()
    listed = {f"{number}. {option}": number - 1 for number, option in numbered}
    at: int | None = None
    for line in turn.text.split("\n"):
        if line in listed:
            at = listed[line]
        elif at is not None and line.startswith(_QUOTED):
            hints[at] = line.removeprefix(_QUOTED)
        else:
            text.append(line)
    where = [f"{one.document_id}, line{'s' * (one.end > one.start)} {between(one)}" for one in turn.citations[:1]]
    options = [OptionShown(*one) for one in zip(turn.options, hints, strict=True)]
    is_step = turn.status is Status.AWAITING and bool(turn.unit_ids) and not turn.ran
    heading = [Block("h2", (Bit(text.pop(0), "span"),))] if is_step else []
    return Shown([*heading, *_blocks(text)], options, turn.also, "".join(where))


def _blocks(lines: Iterable[str]) -> Iterator[Block]:
    """Paragraphs and code blocks, these without their fences."""
    fence = Fence()
    said: list[str] = []
    code: list[str] = []
    for line in lines:
        was_open = fence.is_open
        is_code = fence.reads(line)
        if is_code and was_open and fence.is_open:
            code.append(line)
            continue
        if said and (is_code or not line.strip()):
            yield _paragraph(said)
            said = []
        if code:
            yield _code(code)
            code = []
        if not is_code and line.strip():
            said.append(line)
    if said:
        yield _paragraph(said)
    if code:
        yield _code(code)


def _code(lines: Sequence[str]) -> Block:
    return Block("pre", (Bit(dedent("\n".join(lines)), "code"),))


def _paragraph(lines: Sequence[str]) -> Block:
    """Lines as one text, broken only where one begins an item, a row or the like."""
    text = lines[0]
    for line in lines[1:]:
        text += f"\n{line}" if _BEGINS.match(line) or text.endswith(":") else f" {line.strip()}"
    return Block("p", tuple(_bits(text)))


def _bits(text: str) -> Iterator[Bit]:
    at = 0
    for found in _INLINE.finditer(text):
        if found.start() > at:
            yield Bit(text[at : found.start()], "span")
        group = found.lastindex or 1
        yield Bit(found[group], _TAGS[group - 1])
        at = found.end()
    if at < len(text):
        yield Bit(text[at:], "span")
