"""Documents, stores and what stands in a store, for the tests of the ingest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from thread_core import Document
from thread_core.errors import BadDocument
from thread_core.ingest import IngestReport, Ledger, ThreadIngest
from thread_core.models import LogicUnit
from thread_core.ports import Vector, rows_of
from thread_core.store.lexical import SqliteLexicalIndex
from thread_core.testing.store import MemoryStore


class Killed(BaseException):
    """No `except Exception` may catch it: the process is gone."""


class Small:
    """An embedding that costs nothing: three numbers from a text's letters."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.texts += texts
        return [[1.0, len(text) % 7, sum(map(ord, text)) % 11] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return self.embed([text])[0]


class MortalStore(MemoryStore):
    """Of the steps of its writes, the process dies at the one that is named: each row is a step of its own.

    So is it where a document is larger than what a store takes in one call: rows that come are written first.
    """

    def __init__(self) -> None:
        super().__init__()
        self.steps_left: int | None = None
        self.calls: list[str] = []

    def write(
        self,
        units: Sequence[LogicUnit] = (),
        vectors: Sequence[Vector] = (),
        *,
        moved: Sequence[LogicUnit] = (),
        gone: Sequence[str] = (),
    ) -> None:
        self._step("write")
        for unit, vector in zip(units, vectors, strict=True):
            super().write([unit], [vector])
            self._step("unit")
        for unit in moved:
            super().write(moved=[unit])
            self._step("move")
        for unit_id in gone:
            super().write(gone=[unit_id])
            self._step("delete")

    def ids(self, document_ids: Sequence[str] | None = None) -> list[str]:
        self.calls.append("ids" if document_ids is not None else "all ids")
        return super().ids(document_ids)

    def documents(self, document_ids: Sequence[str], where: Any = None, **asked: Any) -> dict[str, Any]:
        self.calls.append("documents")
        return super().documents(document_ids, where, **asked)

    def _step(self, what: str) -> None:
        self.calls.append(what)
        if self.steps_left is not None:
            if self.steps_left == 0:
                raise Killed
            self.steps_left -= 1

    @contextmanager
    def dying_after(self, steps: int) -> Iterator[None]:
        """The process dies there, if it comes so far."""
        self.steps_left = steps
        try:
            yield
        except Killed:
            pass
        finally:
            self.steps_left = None


def guide(number: int, *, steps: int = 3, links: Iterable[str] = ()) -> Document:
    """A document with a section a step, and links to others at its end."""
    parts = [f"## Step {step}\n\n{step}. Turn wheel {step} of pump {number}.\n" for step in range(1, steps + 1)]
    more = [f"## More {name}\n\nSee [the other one]({name}).\n" for name in links]
    return Document(f"pump-{number}.md", "\n".join([f"# Pump {number}\n", *parts, *more]))


def edited(document: Document, old: str, new: str) -> Document:
    """With other words."""
    assert old in document.text
    return document.model_copy(update={"text": document.text.replace(old, new)})


def content(store: MemoryStore) -> dict[str, Any]:
    """Everything that a store holds."""
    ids = store.ids()
    documents = {unit.document_id for unit in store.get(ids)}
    return {document_id: rows_of(store, document_id) for document_id in sorted(documents)}


class Place:
    """A store with its words and its ledger, all in memory."""

    def __init__(self, ledger: Ledger | None = None) -> None:
        self.store = MortalStore()
        self.words = SqliteLexicalIndex()
        self.ledger = ledger or Ledger()
        self.embedder = Small()

    def ingest(self, **options: Any) -> ThreadIngest:
        return ThreadIngest(self.store, self.embedder, words=self.words, ledger=self.ledger, **options)

    def run(self, *documents: Document | BadDocument, source: str = "", prune: Any = False) -> IngestReport:
        return self.ingest().run(documents, source=source, prune=prune)

    def everything(self) -> tuple[Any, ...]:
        """What the store, the words and the ledger hold; none of it depends on how it came there."""
        links = sorted(self.ledger._database.read("SELECT * FROM links"), key=repr)
        entries = sorted(self.ledger._database.read("SELECT id, source, fingerprint, version FROM documents"))
        names = [*self.words.names()]
        return content(self.store), self.words.ids(), self.words.version(), names, entries, links

    def is_in_step(self) -> bool:
        return self.words.ids() == set(self.store.ids()) and self.words.version() == self.store.version()


def fresh(*documents: Document, source: str = "") -> Place:
    """A place that has never seen anything else."""
    place = Place()
    place.run(*documents, source=source)
    return place
