"""Documents -> logic units with a model; what a model cannot do, the rules do.

`LLMExtractor` has the same front as `RuleExtractor`. Which way a document goes is decided here: one that is written
as units already is read as it is written; the others are read in place (`grounded`) or written anew first
(`reformulation`).
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Literal, TypeVar, get_args

from thread_core.documents.blocks.markdown import Markdown, parse
from thread_core.errors import BadCache, BadDocument, BadReply, BudgetSpent, ModelError
from thread_core.extraction import grounded, paper_form, reformulation
from thread_core.extraction.bound import MOST, Bound
from thread_core.extraction.fidelity import Extraction, leaves_open
from thread_core.extraction.pages import Page
from thread_core.extraction.rules import RuleExtractor
from thread_core.llm.access import ModelAccess
from thread_core.llm.asking import Role, Spent
from thread_core.llm.prompting import Prompt, chosen
from thread_core.models import Document
from thread_core.plan import Plan
from thread_core.ports import LLM, Usage
from thread_core.text.words import count_tokens

E = TypeVar("E", Extraction, Extraction | BadDocument)

LLMFor = Literal["all", "auto"]
"""Which documents a model is asked about: all, or those in which the rules leave a condition without a way on."""
CONCURRENCY = 4
"""Documents that are extracted at once."""
AHEAD = 2
"""So many times as many are begun or wait, so that a long document does not hold up the others."""


class LLMExtractor:
    """Splits documents with a model, which names the lines of each unit. The report has the cost and the problems.

    A wrong link, prerequisite or unit is corrected by the model once, or omitted. Lines that this leaves over become
    the rules' units, and `report.problems` names each case. If nothing in a reply is usable, the rules split the
    document (`report.extractor` is `rules`). If the model does not reply, or its rewritten document still has invented
    text in a body, `extract` falls back in the same way, while `plan` raises and `attempt_all` gives a `BadDocument`,
    so that you can try that document again later. A spent budget is always raised.

    Example:
        extractor = LLMExtractor(ModelAccess(llm, budget=Budget(tokens=200_000)))
        extraction = extractor.extract(Document("disk.md", text))
        print(extraction.report.extractor, extraction.report.usage)
    """

    def __init__(
        self,
        models: ModelAccess | LLM,
        *,
        llm_for: LLMFor = "all",
        reformulate: bool = False,
        domain: str = "",
        search: Callable[[str], str] | None = None,
        prompts: Mapping[str, Prompt] | None = None,
        max_tokens: int = MOST,
        count: Callable[[str], int] = count_tokens,
    ) -> None:
        """Give the model, or the access to several.

        Args:
            models: Who is asked; the role is `extractor`.
            llm_for: "all" documents, or "auto": only those in which the rules leave a condition without a way on, or
                that are not English.
            reformulate: Whether documents are written anew before they are read, as in the paper.
            domain: What the documents are about, in a sentence or two: the model is told.
            search: Where reformulating may look things up: a question -> what is known about it.
            prompts: Other prompts than the package's, by their names.
            max_tokens: How much a unit's body holds at most; see `RuleExtractor`.
            count: Counts the tokens of a text.

        Raises:
            ValueError: `llm_for` is neither, or `max_tokens` is below 1.
        """
        if llm_for not in get_args(LLMFor):
            raise ValueError(f'found llm_for={llm_for!r}, expected "all" or "auto"')
        self._llm_for = llm_for
        self.models = models if isinstance(models, ModelAccess) else ModelAccess(models)
        self._reformulate = reformulate
        self._domain = domain
        self._search = search
        self._prompts = prompts or {}
        self._bound = Bound(max_tokens, count)
        self._rules = RuleExtractor(max_tokens=max_tokens, count=count)

    @property
    def name(self) -> str:
        """All that decides what is made of a document, besides the document: two of one name make the same units."""
        search = getattr(self._search, "__qualname__", type(self._search).__name__) if self._search else ""
        prompts = sorted((name, repr(prompt)) for name, prompt in self._prompts.items())
        model = (self.models.name(Role.EXTRACTOR), self.models.settings(Role.EXTRACTOR))
        bound = [self._bound.name] if self._bound.name else []
        return json.dumps(["model", *model, self._llm_for, self._reformulate, self._domain, search, prompts, *bound])

    def plan(self, document: Document) -> Plan[Extraction]:
        """The extraction as a plan, which asks nothing but models.

        Raises:
            BadDocument: written anew, the document says what it did not say before.
            ModelError: the model gave no reply.
            BudgetSpent: the next call was not made.
        """
        markdown = parse(document.text)
        page = Page(document, markdown)
        if by_rules := self._without_a_model(page, markdown):
            return by_rules
        before: Usage = yield Spent()
        try:
            extraction = yield from self._read(page, markdown)
        except BadReply as error:
            extraction = self._by_rules(document, f"the model's reply could not be used: {error}")
        spent: Usage = yield Spent()
        return _with_report(extraction, usage=spent - before)

    def extract(self, document: Document) -> Extraction:
        """Turn one document into logic units and the report of what they cover and cost.

        Raises:
            BudgetSpent: the next call was not made.
        """
        return self.models.run(self._in_any_case(document))

    async def aextract(self, document: Document) -> Extraction:
        """`extract`, on the caller's event loop."""
        return await self.models.arun(self._in_any_case(document))

    def extract_all(self, documents: Iterable[Document], concurrency: int = CONCURRENCY) -> Iterator[Extraction]:
        """`extract` many documents, several at once, and give them in order.

        Where the budget ends, no more documents are begun, those that are finished are still given, and then the error
        is raised.

        Raises:
            BudgetSpent: after the last document that is finished.
            BadCache: likewise, where the kept replies cannot be read.
            ValueError: `concurrency` is below 1.
        """
        return self._each(documents, self._in_any_case, _at_least_one(concurrency))

    def aextract_all(self, documents: Iterable[Document], concurrency: int = CONCURRENCY) -> AsyncIterator[Extraction]:
        """`extract_all`, on the caller's event loop."""
        return self._aeach(documents, self._in_any_case, _at_least_one(concurrency))

    def attempt_all(
        self, documents: Iterable[Document], concurrency: int = CONCURRENCY
    ) -> Iterator[Extraction | BadDocument]:
        """`extract_all`, where a document that cannot be extracted comes as a `BadDocument`.

        Such as one for which the model gave no reply: its `__cause__` is what went wrong with the model then.
        """
        return self._each(documents, self._or_what_went_wrong, _at_least_one(concurrency))

    def aattempt_all(
        self, documents: Iterable[Document], concurrency: int = CONCURRENCY
    ) -> AsyncIterator[Extraction | BadDocument]:
        """`attempt_all`, on the caller's event loop."""
        return self._aeach(documents, self._or_what_went_wrong, _at_least_one(concurrency))

    def estimate(self, document: Document) -> Usage:
        """What extracting a document will cost, in calls and tokens, where every reply is good. Nothing is asked."""
        markdown = parse(document.text)
        page = Page(document, markdown)
        if self._without_a_model(page, markdown):
            return Usage()
        if self._reformulate:
            looks_up = self._search is not None
            plan = reformulation.estimate(page, domain=self._domain, looks_up=looks_up, prompts=self._prompts)
        else:
            plan = grounded.estimate(page, chosen("extract", self._prompts), self._domain)
        return self.models.run(plan)

    def _each(
        self, documents: Iterable[Document], extracted: Callable[[Document], Plan[E]], concurrency: int
    ) -> Iterator[E]:
        spent = _Spent()
        begun: deque[Future[E | None]] = deque()
        with ThreadPoolExecutor(concurrency) as pool:
            try:
                for document in documents:
                    begun.append(pool.submit(self.models.run, spent.within(extracted, document)))
                    if len(begun) == AHEAD * concurrency and (result := begun.popleft().result()) is not None:
                        yield result
                    if spent.error:
                        break
                while begun:
                    if (result := begun.popleft().result()) is not None:
                        yield result
            finally:
                for one in begun:
                    one.cancel()
        if spent.error:
            raise spent.error

    async def _aeach(
        self, documents: Iterable[Document], extracted: Callable[[Document], Plan[E]], concurrency: int
    ) -> AsyncIterator[E]:
        spent = _Spent()
        free = asyncio.Semaphore(concurrency)

        async def attempt(document: Document) -> E | None:
            async with free:
                return await self.models.arun(spent.within(extracted, document))

        begun: deque[asyncio.Task[E | None]] = deque()
        try:
            for document in documents:
                begun.append(asyncio.ensure_future(attempt(document)))
                if len(begun) == AHEAD * concurrency and (result := await begun.popleft()) is not None:
                    yield result
                if spent.error:
                    break
            while begun:
                if (result := await begun.popleft()) is not None:
                    yield result
        finally:
            for one in begun:
                one.cancel()
        if spent.error:
            raise spent.error

    def _or_what_went_wrong(self, document: Document) -> Plan[Extraction | BadDocument]:
        try:
            return (yield from self.plan(document))
        except ModelError as error:
            failed = BadDocument(document.id, f"the model gave no reply: {error}")
            failed.__cause__ = error
            return failed
        except BadDocument as error:
            return error
        except (BudgetSpent, BadCache):
            raise
        except Exception as error:  # one document's trouble must not stop the others
            reason = f"could not be split ({type(error).__name__}: {error}); please report this"
            return BadDocument(document.id, reason)

    def _in_any_case(self, document: Document) -> Plan[Extraction]:
        before: Usage = yield Spent()
        try:
            return (yield from self.plan(document))
        except (ModelError, BadDocument) as error:
            spent: Usage = yield Spent()
            problem = error.reason if isinstance(error, BadDocument) else f"the model gave no reply: {error}"
            return _with_report(self._by_rules(document, problem), usage=spent - before)

    def _without_a_model(self, page: Page, markdown: Markdown) -> Extraction | None:
        """What the rules make of a document for which no model is asked; None where one is."""
        if not page.required or paper_form.is_written_so(markdown):  # nothing to divide, or divided already
            return self._rules.extract(page.document)
        if self._llm_for == "auto" and not leaves_open(by_rules := self._rules.extract(page.document)):
            return by_rules
        return None

    def _read(self, page: Page, markdown: Markdown) -> Plan[Extraction]:
        if self._reformulate:
            return reformulation.extract(
                page, markdown, domain=self._domain, search=self._search, prompts=self._prompts, bound=self._bound
            )
        return grounded.extract(page, markdown, chosen("extract", self._prompts), self._domain, self._bound)

    def _by_rules(self, document: Document, reason: str) -> Extraction:
        extraction = self._rules.extract(document)
        return _with_report(extraction, problems=(*extraction.report.problems, f"read by the rules, because {reason}"))


class _Spent:
    """Whether a run has come to its end early, and why."""

    error: BudgetSpent | BadCache | None = None

    def within(self, extracted: Callable[[Document], Plan[E]], document: Document) -> Plan[E | None]:
        """Extract a document as long as nothing has ended the run; None where it has."""
        if self.error is not None:
            return None
        try:
            return (yield from extracted(document))
        except (BudgetSpent, BadCache) as error:
            self.error = error
            return None


def _at_least_one(concurrency: int) -> int:
    if concurrency < 1:
        raise ValueError(f"found concurrency={concurrency}, expected at least 1")
    return concurrency


def _with_report(extraction: Extraction, **values: object) -> Extraction:
    return Extraction(extraction.units, extraction.report.model_copy(update=values))
