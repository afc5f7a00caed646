"""Documents -> units in the store, so that a run that is cut short loses nothing and the next one completes it.

    read -> extract -> compare -> embed -> write

Documents are read one window after the other (`intake`), taken apart in this process, in several or by a model,
gathered into batches of whole documents, and written (`writing`). What is in memory is a window, what is under way and
a batch, and a report for each document. The loop is a plan: it asks for the next document that was taken apart, and
whoever drives it waits for that in its own way.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import ExitStack, aclosing, closing
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from thread_core import plan as plans
from thread_core.errors import BadCache, BadDocument, BadWorkers, BudgetSpent, ModelBusy, ModelError, TooLong
from thread_core.extraction.extractor import AHEAD, CONCURRENCY
from thread_core.extraction.fidelity import RULES, Extraction
from thread_core.extraction.rules import RuleExtractor
from thread_core.ingest import intake, links, merging, recovery, shards
from thread_core.ingest.changes import Taken
from thread_core.ingest.extracting import Extracted, Extractor, each, off_loop
from thread_core.ingest.guarded import guarded
from thread_core.ingest.intake import Intake, Origin
from thread_core.ingest.ledger import Ledger
from thread_core.ingest.report import IngestReport, Progress, Tally
from thread_core.ingest.sameness import judged
from thread_core.ingest.shards import LinkName, Piece, Runner
from thread_core.ingest.workers import ByRules
from thread_core.ingest.writing import Holdings, Writer
from thread_core.llm.access import ModelAccess
from thread_core.models import Document
from thread_core.plan import Plan
from thread_core.ports import Embedder, LexicalIndex, UnitStore
from thread_core.store.lexical import NoWords
from thread_core.store.library import Library

BATCH = 1000
"""Units of whole documents that are written at once, at least."""
NAMES = "names"
"""What the name of the file beside the ledger ends with that keeps the documents' names where no words are kept."""
ALIKE = 5
"""Documents in a row for which a model failed alike, after which it is not asked for more."""

Given = TypeVar("Given")
"""A document as the caller has it."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Next:
    """What became of the next document -> Extracted, or None after the last one."""


@dataclass(frozen=True, slots=True)
class _Enough:
    """No more documents are to be taken apart -> None."""


class Ingest(Generic[Given]):
    """Takes documents into a store, given as a framework has them: a subclass says in `_read` how they are read."""

    def __init__(
        self,
        store: UnitStore,
        embedder: Embedder,
        *,
        words: LexicalIndex | None = None,
        ledger: Ledger | None = None,
        extractor: Extractor | RuleExtractor | None = None,
        workers: int = 1,
        concurrency: int = CONCURRENCY,
        merge_chains: int = 0,
        merge_similar: bool = False,
        models: ModelAccess | None = None,
        patience: float = 0.0,
        runner: Runner | None = None,
    ) -> None:
        """Say where documents go, and how.

        Args:
            store: Where the units go.
            embedder: Makes the headers' vectors.
            words: Where the words go; they are in step with the store afterwards if they were before, or were empty.
            ledger: What is remembered between runs. Without one, every document is taken apart and compared with the
                store in the first run.
            extractor: Takes the documents apart, such as an `LLMExtractor`; the rules where None.
            workers: Processes in which the rules do that.
            concurrency: Documents that a model is asked about at once.
            merge_chains: Tokens up to which steps that only lead on to the next one are merged; 0 merges none.
            merge_similar: Show units that say the same in several documents as one. One recorded as such stays one
                until its document says something else.
            models: Who tells whether similar units say the same in other words; without them, the same words say so.
            patience: Seconds to wait for another ingest into the same store.
            runner: Has writers elsewhere take documents in, such as a `thread_ray.RayRunner`; this process where None.

        Raises:
            ValueError: there are no workers.
            TypeError: the ledger is none.
        """
        if not isinstance(ledger, Ledger | None):
            raise TypeError(f"found {type(ledger).__name__}, expected a Ledger; pass ledger=Ledger(path)")
        self._store = store
        ledger = ledger or Ledger()
        names = words or NoWords(ledger.beside(NAMES))
        self.holdings = Holdings(guarded(store), embedder, names, ledger)
        """Where it puts what it makes, and what it knows."""
        if extractor is None or isinstance(extractor, RuleExtractor):
            extractor = ByRules(workers, extractor)
        self._extractor: Extractor = extractor
        self._concurrency = concurrency
        self._merge_chains = merge_chains
        self._merge_similar = merge_similar
        self._models = models
        self._patience = patience
        self._runner = runner

    def _read(self, documents: Iterable[Given]) -> Iterable[shards.Given]:
        """The documents, and what became of those that cannot be read, one by one as they are needed."""
        raise NotImplementedError

    def _noted(self, documents: Iterable[Document | BadDocument]) -> Iterable[Document | BadDocument]:
        """The same documents, as they are taken in by this process; what a store needs to know of them is noted."""
        return documents

    def run(
        self,
        documents: Iterable[Given],
        *,
        source: str | Origin = "",
        prune: bool | Callable[[tuple[str, ...]], bool] = False,
        progress: Callable[[Progress], None] | None = None,
    ) -> IngestReport:
        """Take documents in.

        Args:
            documents: All of them, or some: the others of the store stay. They are read as they are needed.
            source: Where these documents come from, such as a folder: all that is there now. Where they come from
                several, who is asked with a document's id; then `Ledger.vanished` says which are not there any more.
                A document that would take the place of another source's is refused, as far as the ledger knows.
            prune: Whether to remove the documents that came from there before and were not given now; or who is asked,
                with their ids, when all others have been taken in. A run that stopped early removes nothing, and the
                report of one that does not prune says which ones have vanished.
            progress: Is told after each document and each write how far the run has come.

        Raises:
            ValueError: it is to prune, and not one source is named.
            StoreBusy: another ingest is at work on the store.
            BadStore: the store was written with another embedding or with whole texts embedded, and nothing new was
                written; or it failed.
            BadIndex: the words cannot be written.
            BadLedger: the ledger cannot be written.
        """
        tally, given = Tally(progress), self._read(documents)
        documents_to_take = self._intake(given, tally, _asked(source))
        return self._drive(documents_to_take, self._run(given, documents_to_take, tally, source, prune))

    async def arun(
        self,
        documents: Iterable[Given],
        *,
        source: str | Origin = "",
        prune: bool | Callable[[tuple[str, ...]], bool] = False,
        progress: Callable[[Progress], None] | None = None,
    ) -> IngestReport:
        """`run`, with models asked on the caller's event loop, and all that blocks in threads.

        `documents` are read, and `progress` and `prune` are called, in a thread.
        """
        tally, given = Tally(progress), self._read(documents)
        documents_to_take = self._intake(given, tally, _asked(source))
        ahead = AHEAD * self._concurrency
        attempt = getattr(self._extractor, "aattempt_all", None) or off_loop(self._extractor)
        extracted: AsyncGenerator[Extracted, None] = attempt(documents_to_take, self._concurrency)

        async def answer(request: _Next | _Enough) -> Extracted | None:
            if isinstance(request, _Next):
                return await anext(extracted, None)
            await extracted.aclose()
            return None

        async with aclosing(extracted):
            plan = self._run(given, documents_to_take, tally, source, prune, ahead=ahead)
            return await plans.arun(plan, answer, off_loop=True)

    def remove(self, document_ids: Iterable[str]) -> IngestReport:
        """Remove documents from the store; those that it does not hold are passed over.

        Its report has the links of the documents that the last run with this ledger was given, as they lead now.

        Raises:
            TypeError: it is one id, and not in a list.
            StoreBusy: another ingest is at work on the store.
            BadStore: it failed. So do `BadIndex` and `BadLedger`.
        """
        if isinstance(document_ids, str):
            raise TypeError(f"found one text, expected a list of document ids; pass [{document_ids!r}]")
        tally = Tally()
        with self.holdings.ledger.alone_with(self._store, self._patience):
            writer = self._begin(tally, anew=False)
            writer.remove(list(dict.fromkeys(document_ids)))
            return tally.report(**self._links(tally, writer))

    def use(self, *, extractor: Extractor | None = None, embedder: Embedder | None = None) -> None:
        """From now on, have others take documents apart or embed headers; where None, who does so stays."""
        self._extractor = extractor or self._extractor
        self.holdings = self.holdings._replace(embedder=embedder or self.holdings.embedder)

    def take_piece(self, piece: Piece, tally: Tally, lost: list[LinkName]) -> IngestReport:
        """Take in a piece of a run that others begin and end: `shards.Shard` asks for it.

        Links whose places go are added to `lost`.
        """

        def source(document_id: str) -> str:
            return piece.sources.get(document_id, "")

        documents = self._intake(piece.documents, tally, source, is_first=lambda _: True)
        writer = Writer(self.holdings, tally, self._merge_similar, lost)
        stopped = self._drive(documents, self._take_all(documents, tally, writer, source, 0))
        return tally.report(left=tuple(documents.left()) if stopped else (), stopped=stopped)

    def _drive(self, documents: Intake, plan: Plan[T]) -> T:
        """Carry out a plan that takes documents in."""
        extracted = each(self._extractor, documents, self._concurrency)

        def answer(request: _Next | _Enough) -> Extracted | None:
            if isinstance(request, _Next):
                return next(extracted, None)
            extracted.close()
            return None

        with closing(extracted):
            return plans.run(plan, answer)

    def _intake(
        self,
        documents: Iterable[shards.Given],
        tally: Tally,
        source: Origin,
        is_first: Callable[[str], bool] | None = None,
    ) -> Intake:
        name = getattr(self._extractor, "name", "")
        way = intake.way(name, self._merge_chains, self._merge_similar)
        store, _, _, ledger = self.holdings
        given = self._noted(shards.read(documents))
        return Intake(
            given,
            store,
            ledger,
            tally,
            way=way,
            source=source,
            is_first=is_first or (lambda one: bool(ledger.give([one]))),
        )

    def _begin(self, tally: Tally, *, anew: bool = True) -> Writer:
        lost = recovery.recover(self.holdings, tally)
        self.holdings.ledger.begin(anew=anew)
        return Writer(self.holdings, tally, self._merge_similar, lost)

    def _run(
        self,
        given: Iterable[shards.Given],
        documents: Intake,
        tally: Tally,
        source: str | Origin,
        prune: bool | Callable[[tuple[str, ...]], bool],
        *,
        ahead: int = 0,
    ) -> Plan[IngestReport]:
        if prune and (callable(source) or not source):
            raise ValueError(
                "name exactly one source, so that its missing documents can be removed; otherwise use `remove`"
            )
        with self.holdings.ledger.alone_with(self._store, self._patience), ExitStack() as at_work:
            writer = self._begin(tally)
            elsewhere: shards.Run | None = None
            if self._runner is not None:
                crew = at_work.enter_context(self._runner.crew(self.holdings.ledger.admit()))
                elsewhere = shards.Run(crew, self.holdings, tally, writer.lost)
                stopped, left = elsewhere.take_all(given, _asked(source))
            else:
                stopped = yield from self._take_all(documents, tally, writer, _asked(source), ahead)
                left = tuple(documents.left()) if stopped else ()
            one = "" if callable(source) or stopped else source
            vanished = tuple(self.holdings.ledger.vanished(one)) if one else ()
            if vanished and (prune(vanished) if callable(prune) else prune):
                writer.remove(vanished)
                vanished = ()
            if self._merge_similar:
                self._find_twins(tally)
            if elsewhere is not None:
                elsewhere.judge()
            return tally.report(**self._links(tally, writer), vanished=vanished, left=left, stopped=stopped)

    def _links(self, tally: Tally, writer: Writer) -> dict[str, Any]:
        store, _, words, ledger = self.holdings
        catalog = links.catalog_of(words)
        with tally.clock("compare"):
            for document_ids in ledger.unjudged():
                links.judge(document_ids, ledger, catalog, store)
        return {
            "links": ledger.states(),
            "broken": tuple(links.broken(ledger, catalog, store)),
            "newly_dangling": tuple(links.newly_dangling(writer.lost, ledger, catalog, store)),
        }

    def _take_all(self, documents: Intake, tally: Tally, writer: Writer, source: Origin, ahead: int) -> Plan[str]:
        """Take in what there is; why it came to its end early, if it did."""
        batch: list[Taken] = []
        units = 0
        streak = _Streak()
        stopped = ""
        try:
            while not stopped:
                documents.ahead(ahead)
                with tally.clock("extract"):
                    extracted: Extracted | None = yield _Next()
                if extracted is None:
                    break
                if isinstance(extracted, BadDocument):
                    documents.done(extracted.document_id)
                    tally.failed(extracted)
                else:
                    batch.append(self._taken(extracted, documents, tally, source))
                    units += len(extracted.units)
                stopped = streak.after(extracted)
                if units >= BATCH:
                    writer.write(batch)
                    batch, units = [], 0
        except (BudgetSpent, BadCache, BadWorkers) as error:
            stopped = str(error)
        if stopped:
            yield _Enough()
        writer.write(batch)
        return stopped

    def _taken(self, extraction: Extraction, documents: Intake, tally: Tally, source: Origin) -> Taken:
        document, fingerprint = documents.done(extraction.report.document_id)
        merged = merging.merge_chains(extraction, document, self._merge_chains)
        tally.took(merged)
        # The rules have taken a document whose model gave no good reply: it is asked again next time.
        fell_back = merged.report.extractor == RULES and merged.report.usage.calls
        return Taken(document.id, source(document.id), "" if fell_back else fingerprint, merged.units)

    def _find_twins(self, tally: Tally) -> None:
        """Record which units say the same. Nothing else is written about them, so an edit of one undoes it."""
        store, embedder, words, ledger = self.holdings
        library = Library(store, embedder, words, self._models)
        with tally.clock("compare"):
            while some := ledger.alone():
                if store.ids(some):
                    found = library.run(merging.find_twins(some, judged()))
                    store.write(moved=found.units)
                    tally.merges += found.merges
                ledger.compared(some)


class ThreadIngest(Ingest[shards.Given]):
    """Takes documents into a store. Documents of the store that are not among them stay as they are.

    Example:
        ingest = ThreadIngest(store, default_embedding(), ledger=Ledger("store/ledger.sqlite3"))
        report = ingest.run([Document("disk.md", text)])
    """

    def _read(self, documents: Iterable[shards.Given]) -> Iterable[shards.Given]:
        return documents


class _Streak:
    """How many documents in a row a model failed for in the same way."""

    def __init__(self) -> None:
        self._last = ""
        self._count = 0

    def after(self, extracted: Extracted) -> str:
        """Why to go no further; empty as long as there is hope."""
        error = extracted.__cause__ if isinstance(extracted, BadDocument) else None
        if not isinstance(error, ModelError) or isinstance(error, TooLong):
            self._last, self._count = "", 0
            return ""
        kind = "busy" if isinstance(error, ModelBusy) else str(error)
        self._count = self._count + 1 if kind == self._last else 1
        self._last = kind
        if self._count < ALIKE:
            return ""
        return f"the model failed for {ALIKE} documents in a row, so the rest were not tried: {error}"


def _asked(source: str | Origin) -> Origin:
    return source if callable(source) else lambda document_id: source
