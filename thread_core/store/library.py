"""Who answers what plans ask for: a store, an embedder and a lexical index, kept in step.

The lexical index is brought into step with what the store holds, and again when the store has changed; documents are
looked up by the names that it keeps. So a retriever needs nothing but a store. A look at all ids says whether
it has changed; where they are few, one is taken before each plan, otherwise for a small share of the time.
"""

from __future__ import annotations

import copy
import math
import threading
import time
import warnings
from collections import OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import aclosing
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Protocol, Self, TypeVar

import numpy as np

from thread_core import layout
from thread_core import plan as plans
from thread_core.errors import BadStore, full_name, kind_of
from thread_core.linking import Catalog
from thread_core.llm.access import ModelAccess, anobody, nobody
from thread_core.models import LogicUnit
from thread_core.plan import Plan, answered
from thread_core.ports import SHORTEST, DocumentNames, Embedder, Hit, LexicalIndex, UnitStore, Vector, Where, rows_of
from thread_core.store.lexical import SqliteLexicalIndex, bring_into_step
from thread_core.store.requests import (
    OF_THE_WHOLE,
    Embed,
    EmbedQuestion,
    ReadDocuments,
    ReadUnits,
    ReadVectors,
    Refresh,
    Request,
    Resolve,
    SearchAlike,
    SearchHeaders,
    SearchWords,
)
from thread_core.store.versioning import count_of

T = TypeVar("T")

SAMPLED = 20
"""Rows of which it is looked whether this embedding made them, and"""
FROM = 5
"""documents that they are of, at most."""
COMPARED = 8
"""Of these rows, those whose texts are embedded, too, where the headers' vectors are others;"""
LONGEST = 2000
"""characters of a text at most."""
SAME = 0.99
"""Mean cosine from which headers and what is stored for them are the same, but for how a service rounds."""
ALIKE = 0.9
"""Mean cosine from which they are taken to be of one embedding, where no better reason for the difference is found."""
WIDER = 4
"""How many times more units are looked for by their words where too few of those found meet a filter."""
FEW = 2000
"""Units up to which a store is looked at before every plan, so that every change is seen at once."""
LONG = 1.0
"""Seconds from which a look counts as long although the units are few, because of a collection's other rows."""
RARELY = 20
"""How many times as long as the last look the next one waits, where looks are long or units are many."""
REMEMBERED = 4096
"""Texts whose vectors are kept: the conditions and headers of the documents that are being walked."""


EMPTY = (
    "the collection has no logic units, so nothing is found; split documents with LogicUnitTextSplitter or"
    " LogicUnitNodeParser and add the result, or run `thread-rag ingest`"
)


@dataclass(slots=True)
class _Looks:
    """When a store is looked at as a whole; libraries that are made of one another share it."""

    clock: Callable[[], float]
    lock: threading.Lock = field(default_factory=threading.Lock)
    rare: bool = False
    """Whether time passes between one look and the next."""
    next: float = -math.inf
    checked: bool = False
    """Whether the embeddings were found to fit, or complained about."""
    empty: bool = False
    """Whether there was no unit at the last look."""
    under_way: Future[None] | None = None
    """The look that a thread is taking."""

    @property
    def due(self) -> bool:
        return self.clock() >= self.next

    def join(self, look: Future[None]) -> Future[None] | None:
        """Begin a look; or have the one that is under way, and begin none."""
        with self.lock:
            other = self.under_way
            self.under_way = other or look
        return other

    def took(self, seconds: float, units: int) -> None:
        """Note how long a look took at how many units."""
        self.rare = units > FEW or seconds > LONG
        self.next = self.clock() + RARELY * seconds if self.rare else -math.inf


class Reader(Protocol):
    """A retriever of ours."""

    @property
    def library(self) -> Library:
        """What it reads, and walks over it read."""


class Library:
    """Answers the requests of plans. Safe to share between threads."""

    def __init__(
        self,
        store: UnitStore,
        embedder: Embedder,
        lexical: LexicalIndex | None = None,
        models: ModelAccess | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if isinstance(lexical, type) or not isinstance(lexical, LexicalIndex | None):
            raise TypeError(
                f"found {lexical!r}, expected a lexical index: SqliteLexicalIndex(path) or NoWords() from"
                " thread_core.store.lexical"
            )
        self.store = store
        self.embedder = embedder
        self.models = models or ModelAccess({})
        """Who answers what plans ask of models; of no role where none were given."""
        self.where: Where | None = None
        """What every row that is read meets; all are where it is None."""
        self._lexical: LexicalIndex = lexical or SqliteLexicalIndex()
        self._catalog = Catalog(self._lexical.called)
        self._looks = _Looks(clock)
        self._lock = threading.Lock()
        self._vectors: OrderedDict[str, np.ndarray[Any, Any]] = OrderedDict()
        self._asked: tuple[str, np.ndarray[Any, Any]] | None = None
        """The last question and its vector."""
        self._known: tuple[str, np.ndarray[Any, Any]] | None = None
        """A question whose vector was given; see `knowing`."""

    @staticmethod
    def of(retriever: object, ours: type[Reader], instead: str) -> Library:
        """What a retriever of ours reads.

        Args:
            retriever: One of ours, it is hoped. What only passes on a retriever's attributes is none: it may keep
                the retriever to a filter of its own.
            ours: The class.
            instead: How one is made, for who has given another.

        Raises:
            TypeError: it is another retriever, which knows no way from one unit to the next.
        """
        if not isinstance(retriever, ours):
            raise TypeError(
                f"found {kind_of(retriever)}, expected a {full_name(ours)}, which can follow links; make one with"
                f" {instead}"
            )
        return retriever.library

    def with_models(self, models: ModelAccess) -> Self:
        """The same store and words, and other models."""
        other = copy.copy(self)
        other.models = models
        return other

    def within(self, where: Where | None) -> Self:
        """The same store and words, of which only the rows that meet a filter are read, besides one set before.

        Raises:
            TypeError: it is no filter.

        Example:
            mine = library.within({"team": "storage"})
        """
        if not isinstance(where, Mapping | None):
            raise TypeError(f'found {type(where).__name__} as filter, expected one such as {{"team": "storage"}}')
        other = copy.copy(self)
        other.where = _both(self.where, where)
        return other

    def knowing(self, question: str, vector: Vector) -> Self:
        """The same store and words; that question has this vector, and is not embedded."""
        other = copy.copy(self)
        other._known = (question, _direction(vector))
        return other

    def answer(self, request: Request) -> Any:
        """Answer one request; of a large store's changes see `refresh`.

        Raises:
            BadStore: the collection holds vectors of another length.
        """
        if isinstance(request, OF_THE_WHOLE):
            self.refresh()
        return self._answer(request)

    def run(self, plan: Plan[T], besides: Callable[[Any], Any] = nobody) -> T:
        """Drive a plan to its end. Whether the store has changed is looked at first, and where the plan asks for it.

        Args:
            plan: What is asked for.
            besides: Answers requests that are none of a library's.

        Raises:
            BadStore: as in `answer`.
        """
        self.refresh()
        return self.models.run(self._asking_models(plan), besides)

    async def arun(self, plan: Plan[T], besides: Callable[[Any], Awaitable[Any]] = anobody) -> T:
        """`run` off the event loop: stores and embedders block. Models are asked on it."""
        await plans.in_a_thread(self.refresh)
        return await self.models.arun(self._asking_models(plan), besides, off_loop=True)

    def stream(self, plan: Plan[T]) -> Generator[str | T, None, None]:
        """`run`, with what the plan says to the person in pieces as it comes, and its result last."""
        self.refresh()
        yield from self.models.tell(self._asking_models(plan))

    async def astream(self, plan: Plan[T]) -> AsyncGenerator[str | T, None]:
        """`stream`, as `arun`."""
        await plans.in_a_thread(self.refresh)
        async with aclosing(self.models.atell(self._asking_models(plan), off_loop=True)) as pieces:
            async for piece in pieces:
                yield piece

    def _asking_models(self, plan: Plan[T]) -> Plan[T]:
        """A plan that asks for nothing any more that is answered here."""
        return answered(plan, self._answer, lambda request: isinstance(request, Request))

    def _answer(self, request: Request) -> Any:
        match request:
            case SearchHeaders(text, k, where):
                return self.store.search(self._question(text).tolist(), k, _both(self.where, where))
            case SearchAlike(header, k):
                return self.store.search(self._embed((header,))[0].tolist(), k, self.where)
            case EmbedQuestion(text):
                return self._question(text)
            case SearchWords(text, k):
                return self._words(text, k)
            case ReadDocuments(document_ids):
                return self.store.documents(document_ids, self.where)
            case ReadVectors(document_id):
                return {row.unit.id: row.vector for row in rows_of(self.store, document_id, self.where)}
            case ReadUnits(ids):
                return self.store.get(ids, self.where)
            case Embed(texts):
                return self._embed(texts)
            case Refresh():
                return self.refresh()
            case Resolve(key, source):
                found = self._catalog.resolve(key, source)
                return found.among(lambda other: other == source or self._holds(other)) if self.where else found
        raise TypeError(f"not a request of a plan: {request!r}")

    def documents(self) -> Iterator[DocumentNames]:
        """The documents and what they are called, by id; those of which a unit meets the filter, where there is one."""
        self.refresh()
        return (one for one in self._lexical.names() if not self.where or self._holds(one.document_id))

    def refresh(self) -> None:
        """Take in what has changed in the store; the first time, look whether it is embedded as it will be asked.

        Up to `FEW` units every call looks at the ids of all, so whatever has changed is seen at once, whoever changed
        it. Of more units that takes long (of 10,000 in Chroma 30 ms, of 40,000 0.1 s), and the next look comes when
        `RARELY` times as long has passed; one thread looks then, while others go on. In between, headers and documents
        are read as the store has them, and words and names as the index has them: what an ingest writes to the same
        index counts at once. Of what others write, such as a framework's own methods, words and names come with the
        next look: a new document is found by its headers only and links do not lead to it yet; units that are gone
        are not shown, and a link to a document that is gone leads nowhere.

        Where there is no logic unit, nothing is found, and a warning says so once.

        Raises:
            BadStore: its vectors have another length.
        """
        while self._looks.due:
            mine: Future[None] = Future()
            other = self._looks.join(mine)
            if other is None:
                self._take(mine)
                return
            if self._looks.rare:
                return
            other.result()

    def _take(self, look: Future[None]) -> None:
        """Look at the store. Whoever waits for this look fails as it does, so that nobody waits for a store twice."""
        failure: Exception | None = None
        try:
            self._look()
        except Exception as error:
            failure = error
            raise
        finally:
            self._looks.under_way = None
            look.set_exception(failure) if failure else look.set_result(None)

    def _look(self) -> None:
        began = self._looks.clock()
        version = self.store.version()
        seconds = self._looks.clock() - began
        if version and not self._looks.checked and (complaint := self.complaint()):
            _warn(complaint)
        if not version and not self._looks.empty:
            _warn(EMPTY)
        bring_into_step(self._lexical, self.store, version)
        self._looks.empty = not version
        self._looks.checked = self._looks.checked or bool(version)
        self._looks.took(seconds, count_of(self._lexical.version()))

    def complaint(self) -> str:
        """What is wrong with the embeddings, found by embedding some stored headers again; empty when nothing is.

        Raises:
            BadStore: the stored vectors have another length.
        """
        rows = self._some_rows()
        if not rows:
            return ""
        stored = [vector for _, vector in rows]
        again = self.embedder.embed([unit.header for unit, _ in rows])
        if len(again[0]) != len(stored[0]):
            raise BadStore(
                f"the collection's vectors have {len(stored[0])} dimensions, but this embedding has {len(again[0])};"
                " open it with the embedding that it was written with, or ingest again"
            )
        self._looks.checked = True
        likeness = _likeness(again, stored)
        if likeness >= SAME:
            return ""
        if self._are_of_texts(rows, again):
            return (
                "the stored vectors are those of whole texts, but units are found by their headers; ingest into a new"
                " collection, in LangChain with HeaderEmbeddings around the embedding"
            )
        if likeness < ALIKE:
            return (
                "the stored vectors differ from those of this embedding (another model, or other texts were embedded);"
                " open the collection with the embedding that it was written with, or ingest again"
            )
        return ""

    def _are_of_texts(self, rows: Sequence[tuple[LogicUnit, Vector]], headers: Sequence[Vector]) -> bool:
        """Whether stored vectors are nearer to those of texts, of which the shortest few tell, than of headers."""
        # Without its first words, or an embedding that looks for headers would see the header alone.
        texts = [layout.row_text(unit).removeprefix(layout.HEADER_PREFIX)[:LONGEST] for unit, _ in rows]
        short = sorted(range(len(rows)), key=lambda at: len(texts[at]))[:COMPARED]
        stored = [rows[at][1] for at in short]
        by_header = _likeness([headers[at] for at in short], stored)
        return _likeness(self.embedder.embed([texts[at] for at in short]), stored) > max(by_header, ALIKE)

    def _some_rows(self) -> list[tuple[LogicUnit, Vector]]:
        """Units of several documents, of large ones of fewer, with their vectors."""
        named = [one.document_id for one in islice(self._lexical.names(), FROM)]
        if not named and (ids := self.store.ids()):
            some = self.store.get(ids[:: len(ids) // FROM + 1])
            named = list(dict.fromkeys(unit.document_id for unit in some))
        found: list[tuple[LogicUnit, Vector]] = []
        for document_id in named:
            rows = rows_of(self.store, document_id)
            found += [(unit, vector) for unit, vector in rows if vector is not None]
            if len(found) > FROM * SAMPLED:
                break
        return found[:: len(found) // SAMPLED + 1]

    def _words(self, text: str, k: int) -> list[Hit]:
        """The best units by their words. The index knows no metadata: more are looked for until k meet the filter."""
        wanted, looked, kept = k, set[str](), set[str]()
        while True:
            hits = self._lexical.search(text, wanted)
            if not self.where:
                return hits
            new = [hit.unit_id for hit in hits if hit.unit_id not in looked]
            kept.update(unit.id for unit in self.store.get(new, self.where))
            if len(kept) >= k or len(hits) < wanted:
                return [hit for hit in hits if hit.unit_id in kept][:k]
            looked.update(new)
            wanted *= WIDER

    def _holds(self, document_id: str) -> bool:
        return bool(self.store.documents([document_id], self.where))

    def _question(self, text: str) -> np.ndarray[Any, Any]:
        asked = next((one for one in (self._known, self._asked) if one and one[0] == text), None)
        if asked is None:
            asked = self._asked = (text, _direction(self.embedder.embed_query(text)))
        return asked[1]

    def _embed(self, texts: tuple[str, ...]) -> np.ndarray[Any, Any]:
        with self._lock:
            known = {text: self._vectors[text] for text in texts if text in self._vectors}
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if new:
            for text, vector in zip(new, self.embedder.embed(new), strict=True):
                known[text] = _direction(vector)
            with self._lock:
                self._vectors.update((text, known[text]) for text in new)
                while len(self._vectors) > REMEMBERED:
                    self._vectors.popitem(last=False)
        return np.stack([known[text] for text in texts]) if texts else np.zeros((0, 0), dtype=np.float32)


def _warn(complaint: str) -> None:
    warnings.warn(complaint, UserWarning, stacklevel=5)


def _likeness(some: Sequence[Vector], others: Sequence[Vector]) -> float:
    """The mean cosine of vectors with their counterparts; what has no length is like anything."""
    pairs = zip(map(_direction, some), map(_direction, others), strict=True)
    return float(np.mean([one @ other if one.any() and other.any() else 1.0 for one, other in pairs]))


def _direction(numbers: Vector) -> np.ndarray[Any, Any]:
    """A vector with the length 1; of one without a length, zeros."""
    vector = np.asarray(numbers, dtype=np.float32)
    length = float(np.linalg.norm(vector))
    return vector / length if length > SHORTEST else np.zeros_like(vector)


def _both(one: Where | None, other: Where | None) -> Where | None:
    """A filter that is met where both are."""
    return {"$and": [one, other]} if one and other else one or other or None
