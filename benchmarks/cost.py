"""What extraction with a model costs: tokens and calls, at first and after an edit, beside the rules.

python benchmarks/cost.py [FOLDER]      the example documents, unless a folder is given

No model is asked. Its replies are simulated: what the rules find is written as a model would write it, as line ranges
(`all` documents, or `auto`: those in which the rules leave a condition without a way on) or as a draft in the paper's
form (`paper`, of all). So sizes are near what a model's would be, calls are counted as
they are, and nothing is said about quality. Tokens are estimated, rather too many than too few.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from _gold import OWN_DOCUMENTS
from _table import show

from thread_core import Document, LogicUnit, RuleExtractor, default_embedding
from thread_core.documents.blocks.markdown import parse
from thread_core.errors import BadDocument
from thread_core.extraction.checking import Division
from thread_core.extraction.extractor import LLMExtractor
from thread_core.extraction.fidelity import Extraction
from thread_core.extraction.pages import Lines, Page
from thread_core.ingest import ThreadIngest
from thread_core.layout import intent
from thread_core.llm.access import ModelAccess
from thread_core.llm.costs import text_tokens
from thread_core.llm.prompting import prompt
from thread_core.models import Link, LinkAction, LogicUnitType, Span
from thread_core.ports import Form, Message, Reply, Usage
from thread_core.store.lexical import SqliteLexicalIndex
from thread_core.testing.store import MemoryStore
from thread_eval.datasets.gold import read_documents

WAYS = ("none", "auto", "all", "paper")
WORDS = 12
"""Of a header, at most."""
EDIT = " Take your time."
"""What is added to a body."""

_NUMBER = re.compile(r"(?m)^(\d+)\|")


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table: what each way costs for a folder of documents."""
    parser = argparse.ArgumentParser(description="What extraction with a model costs; the replies are simulated.")
    parser.add_argument("folder", type=Path, nargs="?", default=OWN_DOCUMENTS)
    given = parser.parse_args(arguments)
    documents = [Document(path, text) for path, text in read_documents(given.folder).items() if text.strip()]
    if not documents:
        raise SystemExit(f"{given.folder}: there is no Markdown document in it")
    size = sum(text_tokens(document.text) for document in documents)
    print(
        f"{len(documents)} documents of {size:,} tokens. Simulated replies: sizes and calls, nothing about quality.\n"
    )
    show([row(way, documents) for way in WAYS])


def row(way: str, documents: Sequence[Document]) -> dict[str, str]:
    """What one way costs."""
    run = Run(way)
    run.take(documents)
    first = run.usage
    by_model = run.by_model
    one = next(document for document in documents if edited(document) != document)
    run.take([edited(one) if document is one else document for document in documents])
    second = run.usage - first
    embedded = run.embedded
    run.take([edited(document) for document in documents])
    return {
        "": way,
        "prompt tokens": f"{first.prompt_tokens:,}",
        "completion tokens": f"{first.completion_tokens:,}",
        "calls": f"{first.calls}",
        "calls per document": f"{first.calls / len(documents):.2f}",
        "by the model": f"{by_model} of {len(documents)}",
        "calls after one edit": f"{second.calls}",
        "headers embedded after editing bodies": f"{run.embedded - embedded}",
    }


class Run:
    """A store into which documents are taken again and again, in one way."""

    def __init__(self, way: str) -> None:
        self._way = way
        self._store = MemoryStore()
        self._words = SqliteLexicalIndex()
        self._kept = Kept()
        self.usage = Usage()
        self.embedded = 0
        """Headers, without those by which each run sees that the embedding is the store's."""
        self.by_model = 0
        """Documents of the last run whose units are the model's."""

    def take(self, documents: Sequence[Document]) -> None:
        """Ingest documents."""
        extractor = None if self._way == "none" else self
        ingest = ThreadIngest(self._store, default_embedding(), words=self._words, extractor=extractor)
        summary = ingest.run(documents)
        self.embedded += summary.embedded
        self.by_model = sum(report.extractor != "rules" for report in summary.reports)

    def attempt_all(self, documents: Iterable[Document], concurrency: int) -> Iterator[Extraction | BadDocument]:
        """Take documents apart with models, one after the other."""
        for document in documents:
            models = ModelAccess(StandIn(document), cache=self._kept)
            extractor = LLMExtractor(
                models, llm_for="auto" if self._way == "auto" else "all", reformulate=self._way == "paper"
            )
            yield from extractor.attempt_all([document], 1)
            self.usage += models.usage


class Kept(dict[str, str]):
    """A cache of replies in memory."""

    def put(self, key: str, text: str) -> None:
        """Keep a reply."""
        self[key] = text


# -- an edit -------------------------------------------------------------------------------------------------------


def edited(document: Document) -> Document:
    """The document with a sentence more in a body, under the same headers; as it was where that has no place."""
    units = RuleExtractor().extract(document).units
    lines = document.text.splitlines(keepends=True)
    for unit in units:
        for span in unit.body_spans:
            text = lines[span.end - 1].rstrip()
            if not text.endswith("."):
                continue
            changed = [*lines[: span.end - 1], f"{text}{EDIT}\n", *lines[span.end :]]
            candidate = document.model_copy(update={"text": "".join(changed)})
            after = RuleExtractor().extract(candidate).units
            if [one.header for one in after] == [one.header for one in units]:
                return candidate
    return document


# -- a model that writes what the rules find -----------------------------------------------------------------------


@dataclass(frozen=True)
class StandIn:
    """A model that was told what the rules make of one document."""

    document: Document
    name: str = "stand-in"
    settings: str = ""
    context_window: int | None = None

    def complete(
        self, messages: Sequence[Message], schema: type[Form] | None = None, limit: int | None = None
    ) -> Reply:
        """The reply to a question about some lines of the document."""
        numbers = [int(number) for number in _NUMBER.findall(messages[1].text)]
        part = Lines(numbers[0], numbers[-1])
        units = [unit for unit in RuleExtractor().extract(self.document).units if _begins_in(unit, part)]
        if schema is Division:
            return Reply(text=division(units, part, Page(self.document, parse(self.document.text))))
        if messages[0].text == prompt("refine").messages(dict.fromkeys(prompt("refine").fields, ""))[0].text:
            return Reply(text="UNCHANGED")
        return Reply(text=draft(units))

    async def acomplete(
        self, messages: Sequence[Message], schema: type[Form] | None = None, limit: int | None = None
    ) -> Reply:
        """`complete`."""
        return self.complete(messages, schema)

    def stream(self, messages: Sequence[Message], limit: int | None = None) -> Iterator[Reply]:
        """Nobody listens."""
        raise NotImplementedError

    def astream(self, messages: Sequence[Message], limit: int | None = None) -> AsyncIterator[Reply]:
        """Nobody listens."""
        raise NotImplementedError


def division(units: Sequence[LogicUnit], part: Lines, page: Page) -> str:
    """Units as line ranges: the reply to the prompt `extract`."""
    named: list[tuple[LogicUnit, Lines]] = []
    before = part.start - 1
    for unit in units:
        start = max(before + 1, unit.body_spans[0].start)
        lines = page.trimmed(Lines(start, max(start, min(part.end, unit.body_spans[-1].end))))
        if lines:
            named.append((unit, lines))
            before = lines.end
    places = {unit.place: lines.start for unit, lines in named}
    sections: dict[str, int] = {}
    for unit, lines in named:
        sections.setdefault(unit.place.anchor, lines.start)
    return json.dumps(
        {
            "units": [
                {
                    "type": str(unit.type),
                    "header": _header(unit),
                    "lines": str(lines),
                    "prerequisites": unit.prerequisites,
                    "links": [text for link in unit.links if (text := _way(link, places, sections, part))],
                    "parameters": [],
                }
                for unit, lines in named
            ]
        },
        separators=(",", ":"),
    )


def _way(link: Link, places: Mapping[object, int], sections: Mapping[str, int], part: Lines) -> str:
    """A link as a line; empty for what a model need not say: the next unit, and what is said in lines not shown."""
    if not link.evidence or not part.start <= link.evidence.start <= link.evidence.end <= part.end:
        return ""
    evidence = Lines(link.evidence.start, link.evidence.end)
    target = link.target
    if target and not target.document and (line := places.get(target.place) or sections.get(target.anchor)):
        where = str(line)
    else:
        where = f"{link.action.name} {_short(link.query)}"
    condition = link.condition.replace("not: ", "not ")
    return f"{evidence}: {condition} -> {where}" if condition or target else ""


def draft(units: Sequence[LogicUnit]) -> str:
    """Units with their bodies: the reply to the prompt `reformulate`; without those that hold addresses alone."""
    return "\n".join(_written(unit) for unit in units if parse(unit.body).blocks)


def _written(unit: LogicUnit) -> str:
    """A unit of a draft; what the rules put in words of their own is left out, for a draft may not say it."""
    prerequisites = [text for text in unit.prerequisites if _stands_in(unit.body, text)]
    links = [link for link in unit.links if _stands_in(unit.body, link.condition, link.query)]
    kind = "Appendix" if unit.type is LogicUnitType.BACKGROUND else str(unit.type).title()
    parts = [f"## {kind} (lines {', '.join(map(_lines, unit.body_spans))})"]
    if prerequisites:
        parts += ["### Prerequisite", *(f"- {text}" for text in prerequisites)]
    parts += ["### Header", _header(unit), "### Body", unit.body]
    if links:
        parts += ["### Linker", *map(_entry, links)]
    return "\n".join((*parts, ""))


def _stands_in(body: str, *texts: str) -> bool:
    """Whether texts stand in a body, marks aside; one with a placeholder has lost the marks that make it code."""
    return all("<" not in text and _plain(text) in _plain(body) for text in texts)


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[`*_]", "", text).split())


def _entry(link: Link) -> str:
    mark = link.action.name if link.action in (LinkAction.CONTINUE, LinkAction.CROSS) else "MITIGATE"
    said = f"If {link.condition}, then {link.query}" if link.condition else f"Then {link.query}"
    return f"- {said.rstrip('.')}. [{mark}]"


def _header(unit: LogicUnit) -> str:
    """As the prompts want it: without title and section, and short."""
    return _short(intent(unit).rpartition(": ")[2]) or unit.title


def _short(text: str) -> str:
    return " ".join(text.split()[:WORDS])


def _lines(span: Span) -> str:
    return str(Lines(span.start, span.end))


def _begins_in(unit: LogicUnit, part: Lines) -> bool:
    return bool(unit.body_spans) and part.start <= unit.body_spans[0].start <= part.end


if __name__ == "__main__":
    main()
