"""The caller's documents -> those that must be taken apart, read one window after the other.

A document is passed over where its fingerprint is the one that the ledger has and the store holds exactly the units
that it had then.
"""

from __future__ import annotations

import json
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property
from hashlib import blake2b
from importlib.metadata import version
from importlib.resources import files
from typing import Protocol

from thread_core import layout
from thread_core.errors import BadDocument
from thread_core.ingest.ledger import Entry, Ledger
from thread_core.ingest.report import Tally
from thread_core.models import Document, encodable
from thread_core.ports import UnitStore
from thread_core.store.versioning import together, version_of

WINDOW = 200
"""Documents that are compared with the ledger at once, and"""
CHARACTERS = 4_000_000
"""characters of such, at least."""

Origin = Callable[[str], str]
"""The id of a document -> where it comes from."""
TWICE = "occurs twice; only the first one counts"
"""Why a document is not taken in whose id came before."""


class Unread(Protocol):
    """A document that is read when its turn comes, by whichever process takes it in."""

    @property
    def id(self) -> str:
        """The document's."""

    def read(self) -> Document | BadDocument:
        """The document, under the same id."""


_ANOTHER = (
    "the store already has a different document with this id, from {!r}; to keep both, give them different ids, such as"
    " their paths below one folder; to replace it, remove it first"
)

_EMPTIED = "is empty now; its old units stay until it has text again or is removed"


class Intake:
    """An iterator over the documents that must be taken apart. It notes in the tally what it passes over.

    Between two of its documents `ahead` reads some more, so that the next ones cost nothing where nothing may block.
    """

    def __init__(
        self,
        documents: Iterable[Document | BadDocument],
        store: UnitStore,
        ledger: Ledger,
        tally: Tally,
        *,
        way: str,
        source: Origin,
        is_first: Callable[[str], bool],
    ) -> None:
        """Say what is read and where each document comes from.

        `way` is all besides a document that decides its units; nothing counts as unchanged where it is empty.
        `is_first` tells whether no document of an id came before.
        """
        self._given = iter(documents)
        self._store = store
        self._ledger = ledger
        self._tally = tally
        self._way = way
        self._source = source
        self._is_first = is_first
        self._waiting: deque[Document] = deque()
        self._wanted = (
            document
            for number, window in enumerate(self._windows())
            for document in self._differing(window, many=number > 0)
        )
        self._under_way: dict[str, tuple[Document, str]] = {}

    def __iter__(self) -> Iterator[Document]:
        return self

    def __next__(self) -> Document:
        return self._waiting.popleft() if self._waiting else next(self._wanted)

    def ahead(self, count: int) -> None:
        """Have so many documents ready, if there are as many."""
        while len(self._waiting) < count and (document := next(self._wanted, None)) is not None:
            self._waiting.append(document)

    def done(self, document_id: str) -> tuple[Document, str]:
        """A document that was taken apart, with its fingerprint; it is not kept here any longer."""
        return self._under_way.pop(document_id)

    def left(self) -> Iterator[str]:
        """The ids of the documents that were not taken apart, after the last one was; the rest is read for that."""
        yield from self._under_way
        for document in self._wanted:
            yield document.id

    def _windows(self) -> Iterator[list[Document]]:
        window: list[Document] = []
        size = 0
        while (document := self._read()) is not None:
            window.append(document)
            size += len(document.text)
            if len(window) == WINDOW or size >= CHARACTERS:
                yield window
                window, size = [], 0
        yield window

    def _read(self) -> Document | None:
        """The next document that can be taken in."""
        while (given := self._next()) is not None:
            admitted = self._admit(given)
            if isinstance(admitted, BadDocument):
                self._tally.failed(admitted)
            elif admitted.text.strip():
                return admitted
            else:
                self._tally.empty(admitted.id)
        return None

    def _next(self) -> Document | BadDocument | None:
        with self._tally.clock("read"):
            return next(self._given, None)

    def _admit(self, given: Document | BadDocument) -> Document | BadDocument:
        document_id = given.id if isinstance(given, Document) else encodable(given.document_id)
        if not self._is_first(document_id):
            return BadDocument(document_id, TWICE)
        if isinstance(given, Document) and not given.text.strip() and self._store.ids([document_id]):
            return BadDocument(document_id, _EMPTIED)
        return given

    def _differing(self, window: Sequence[Document], *, many: bool) -> Iterator[Document]:
        with self._tally.clock("compare"):
            prints = {document.id: self._fingerprint(document) for document in window}
            entries = self._ledger.entries(list(prints))
            likely = [one for one in entries.values() if one.fingerprint and one.fingerprint == prints[one.document_id]]
            unchanged = likely if many and self._is_in_step else _held(likely, self._store)
            for source, moved in self._elsewhere(unchanged).items():
                self._ledger.move(moved, source)
        known = {one.document_id for one in unchanged}
        for document in window:
            if document.id in known:
                self._tally.passed_over()
            elif other := self._in_the_way(entries.get(document.id)):
                self._tally.failed(BadDocument(document.id, _ANOTHER.format(other)))
            else:
                self._under_way[document.id] = document, prints[document.id]
                yield document

    @cached_property
    def _is_in_step(self) -> bool:
        """Whether the store holds what the ledger says of all documents.

        Where many are given, one look at all ids is cheaper than many at those of some documents, which take the longer
        the more there are.
        """
        return version_of(self._store.ids()) == self._ledger.version()

    def _elsewhere(self, unchanged: Sequence[Entry]) -> dict[str, list[str]]:
        """Of some documents those that came from elsewhere before, by where they come from now."""
        moved = defaultdict[str, list[str]](list)
        for one in unchanged:
            if one.source != (source := self._source(one.document_id)):
                moved[source].append(one.document_id)
        return moved

    def _in_the_way(self, known: Entry | None) -> str:
        """Another source that has brought what the store holds of a document; empty where none has."""
        if known is None or not known.source or self._source(known.document_id) in ("", known.source):
            return ""
        return known.source if self._store.ids([known.document_id]) else ""

    def _fingerprint(self, document: Document) -> str:
        return fingerprint(self._way, document)


def fingerprint(way: str, document: Document) -> str:
    """Of all that decides a document's units; empty where the way is."""
    if not way:
        return ""
    parts = (way, document.text, document.title, sorted(document.metadata.items()), document.corrections)
    return blake2b(repr(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def way(extractor: str, merge_chains: int, merge_similar: bool) -> str:
    """What decides a document's units besides itself; empty where the extractor does not say what it does."""
    return json.dumps([_code(), layout.LAYOUT, extractor, merge_chains, merge_similar]) if extractor else ""


def _held(likely: Sequence[Entry], store: UnitStore) -> list[Entry]:
    """Of some documents those of which the store holds exactly the units that the ledger says."""
    ids = store.ids([one.document_id for one in likely]) if likely else []
    if version_of(ids) == together(one.version for one in likely):
        return list(likely)
    return [one for one in likely if version_of(store.ids([one.document_id])) == one.version]


@cache
def _code() -> str:
    """Of the code that takes documents apart: after an upgrade all are taken apart again."""
    known = blake2b(version("pyromark").encode(), digest_size=16)
    core = files("thread_core")
    folders = [core, *map(core.joinpath, ("text", "documents", "extraction", "llm", "prompts"))]
    for folder in folders:
        for file in sorted(folder.iterdir(), key=lambda file: file.name):
            if file.name.endswith((".py", ".md")):
                known.update(file.read_bytes())
            elif file.is_dir() and folder is not core:
                folders.append(file)
    return known.hexdigest()
