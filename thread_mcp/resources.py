"""Guides as resources and as prompts: what a person picks in a client, beside what a model calls."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import dropwhile, islice
from urllib.parse import unquote

from mcp.types import (
    Completion,
    GetPromptResult,
    Prompt,
    PromptArgument,
    PromptMessage,
    Resource,
    ResourceTemplate,
    TextContent,
)

from thread_core.errors import NothingFound
from thread_core.models import LogicUnit, encodable
from thread_core.ports import DocumentNames
from thread_core.store.library import Library
from thread_core.store.requests import read_document
from thread_mcp.answers import uri_of

PAGE = 100
"""Guides that are listed at once."""
PROMPTS = 30
"""Guides up to which each has a prompt: clients show prompts as commands in a menu, and many read one page of them.
Beyond, `walk` has them all, with completion."""
MOST = 100_000
"""Lines of a guide that are read at most: units that were imported may claim any."""
MARKDOWN = "text/markdown"
WALK = "walk"
_URI = re.compile(r"guide:///([^/?#]+)(?:/lines/(\d{1,9})(?:-(\d{1,9}))?)?")
_ASKED = """\
Walk me through the guide “{title}” ({guide}), one step at a time. Call start with the guide {guide!r}, and this as \
the question: {question!r}. Then show me each step in full, its warnings first, and wait for what I say before you \
respond."""

TEMPLATES = [
    ResourceTemplate(
        uriTemplate="guide:///{guide}",
        name="guide",
        title="A guide",
        description="The text of a guide, by its id.",
        mimeType=MARKDOWN,
    ),
    ResourceTemplate(
        uriTemplate="guide:///{guide}/lines/{first}-{last}",
        name="lines",
        title="Lines of a guide",
        description="Some lines of a guide, 1-based and inclusive, as a citation names them.",
        mimeType=MARKDOWN,
    ),
]


class Resources:
    """The guides of a library."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def resources(self, after: str) -> tuple[list[Resource], str | None]:
        """A page of guides by their ids, and after which id the next page begins."""
        page = self._after(after)
        return [_resource(one) for one in page[:PAGE]], page[PAGE - 1].document_id if len(page) > PAGE else None

    def read(self, uri: str) -> str:
        """The text of a guide, line by line as in the document; its headings are written anew, blank lines stay.

        Raises:
            NothingFound: there is no such guide, or no such lines.
        """
        asked = _URI.fullmatch(uri)
        if asked is None:
            raise NothingFound(
                "found another address, expected guide:///ID or guide:///ID/lines/4-9, with the id percent-encoded"
            )
        units = self._units(unquote(asked[1]))
        lines = _lines(units)
        if asked[2] is None:
            return "\n".join(lines)
        first, last = int(asked[2]), int(asked[3] or asked[2])
        if not 1 <= first <= last <= len(lines):
            raise NothingFound(f"found lines {first} to {last}, expected lines between 1 and {len(lines)}")
        return "\n".join(lines[first - 1 : last])

    def prompts(self) -> list[Prompt]:
        """One in which a guide is named, and where there are few guides one for each."""
        guides = self._after("")[: PROMPTS + 1]
        argument = PromptArgument(name="guide", description="The guide's id.", required=True)
        question = PromptArgument(name="question", description="What to solve, if it is not the guide's title.")
        walk = Prompt(
            name=WALK,
            title="Walk through a guide",
            description="Walk through a guide, one step at a time.",
            arguments=[argument, question],
        )
        if len(guides) > PROMPTS:
            return [walk]
        return [
            walk,
            *(
                Prompt(
                    name=f"{WALK}:{one.document_id}",
                    title=one.title or one.document_id,
                    description=f"Walk through {one.title or one.document_id}, one step at a time.",
                    arguments=[question],
                )
                for one in guides
            ),
        ]

    def prompt(self, name: str, given: dict[str, str]) -> GetPromptResult:
        """What a person says to be led through a guide.

        Raises:
            NothingFound: there is no such prompt, or no such guide.
        """
        kind, _, guide = name.partition(":")
        guide = guide or given.get("guide", "")
        if kind != WALK or not guide:
            raise NothingFound(
                f"found no such prompt, expected {WALK} with a guide's id as argument, or {WALK}:ID of a listed guide"
            )
        title = self._units(guide)[0].title or guide
        text = _ASKED.format(title=title, guide=guide, question=given.get("question") or title)
        message = PromptMessage(role="user", content=TextContent(type="text", text=text))
        return GetPromptResult(description=f"Walk through {title}", messages=[message])

    def complete(self, begun: str) -> Completion:
        """The guides in whose ids or titles a text stands."""
        wanted = begun.casefold()
        found = [
            one.document_id
            for one in self._library.documents()
            if wanted in one.document_id.casefold() or wanted in one.title.casefold()
        ]
        return Completion(values=found[:PAGE], total=len(found), hasMore=len(found) > PAGE)

    def _after(self, document_id: str) -> Sequence[DocumentNames]:
        """A page of guides and one more, behind an id."""
        return list(islice(dropwhile(lambda one: one.document_id <= document_id, self._library.documents()), PAGE + 1))

    def _units(self, document_id: str) -> list[LogicUnit]:
        units = [row.unit for row in self._library.run(read_document(encodable(document_id)))]
        if not units:
            raise NothingFound(f"found no guide {document_id[:200]!r}; list the resources, or call search")
        return units


def _resource(one: DocumentNames) -> Resource:
    return Resource.model_validate(
        {"uri": uri_of(one.document_id), "name": one.document_id, "title": one.title or None, "mimeType": MARKDOWN}
    )


def _lines(units: Sequence[LogicUnit]) -> list[str]:
    """A document's lines, as far as its units have them: their bodies, and the headings above them."""
    found: dict[int, str] = {}
    for unit in units:
        if unit.rewritten:
            found.setdefault(unit.start, unit.body)
            continue
        own = dict(zip(unit.numbers, unit.body.split("\n"), strict=False))
        found |= own
        above = [span.start for span in unit.spans if span.start == span.end and span.start not in own]
        names = [f"{'#' * depth} {name}" for depth, name in enumerate((unit.title, *unit.section), 1) if name]
        for number, name in zip(reversed(above), reversed(names), strict=False):
            found.setdefault(number, name)
    return [found.get(number, "") for number in range(1, min(max(found, default=0), MOST) + 1)]
