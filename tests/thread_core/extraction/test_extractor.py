"""Which way a document goes, what becomes of it where that way ends, and what it costs."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

import pytest

from thread_core import Document, Extraction, RuleExtractor
from thread_core.errors import BadCache, BadDocument, BudgetSpent, ModelError
from thread_core.extraction.extractor import LLMExtractor
from thread_core.llm.access import ModelAccess
from thread_core.llm.costs import Budget, tokens
from thread_core.llm.prompting import MarkdownPrompt
from thread_core.ports import Form, Message, Reply, Usage
from thread_core.testing.model import ScriptedModel

FILTER = Document("filter.md", "# Clean the filter\n\n1. Open the lid.\n2. Rinse the filter.\n")
GOOD = (
    '{"units": [{"type": "step", "header": "Rinse the filter", "lines": "3-4", "prerequisites": [], "links": [],'
    ' "parameters": []}]}'
)
PAPER = Document(
    "paper.md",
    "# Pump\n\n## Header\n\nStart it\n\n## Body\n\nPress the button.\n\n## Linker\n\n- If it runs, then stop.\n",
)
NOTHING_SAID = Document("empty.md", "# Title\n\n---\n\n[1]: there.md\n")


class Answering:
    """Answers each document by its title: with a good reply, with nonsense, or with an error."""

    name = "answering"
    settings = ""
    context_window = None

    def __init__(self, **faults: str | Exception) -> None:
        self.faults = faults
        self.asked: list[str] = []
        self.most = 0
        self._now = 0
        self._lock = threading.Lock()

    def complete(
        self, messages: Sequence[Message], schema: type[Form] | None = None, limit: int | None = None
    ) -> Reply:
        [title] = re.findall(r"^1\| # (\w+)", messages[1].text.partition("Divide")[2], re.MULTILINE)
        with self._lock:
            self.asked.append(title)
        fault = self.faults.get(title, GOOD)
        if isinstance(fault, Exception):
            raise fault
        return Reply(text=fault)

    async def acomplete(
        self, messages: Sequence[Message], schema: type[Form] | None = None, limit: int | None = None
    ) -> Reply:
        self._now += 1
        self.most = max(self.most, self._now)
        await asyncio.sleep(0)
        self._now -= 1
        return self.complete(messages, schema)

    def stream(self, messages: Sequence[Message], limit: int | None = None) -> Iterator[Reply]:
        raise AssertionError("an extractor does not stream")

    def astream(self, messages: Sequence[Message], limit: int | None = None) -> AsyncIterator[Reply]:
        raise AssertionError("an extractor does not stream")


class Kept(dict[str, str]):
    """A cache in memory."""

    def put(self, key: str, text: str) -> None:
        self[key] = text


def guide(title: str) -> Document:
    return Document(f"{title}.md", f"# {title}\n\n1. Open the lid.\n2. Rinse the filter.\n")


def summary(extracted: Extraction | BadDocument) -> tuple[str, str]:
    if isinstance(extracted, BadDocument):
        return extracted.document_id, extracted.reason
    return extracted.report.document_id, extracted.report.extractor


async def alist(extracted: AsyncIterator[Extraction | BadDocument]) -> list[Extraction | BadDocument]:
    return [one async for one in extracted]


async def test_a_good_reply_is_taken_with_and_without_an_event_loop() -> None:
    said = Reply(text=GOOD, usage=Usage(prompt_tokens=900, completion_tokens=40))
    extraction = LLMExtractor(ScriptedModel(("Rinse", said))).extract(FILTER)
    assert extraction == await LLMExtractor(ScriptedModel(("Rinse", said))).aextract(FILTER)
    assert [one.header for one in extraction.units] == ["Clean the filter: Rinse the filter"]
    assert extraction.report.extractor == "grounded"
    assert extraction.report.usage == Usage(calls=1, prompt_tokens=900, completion_tokens=40)


@pytest.mark.parametrize("document", [PAPER, NOTHING_SAID, Document("a.md", ""), Document("a.md", " \n\n")])
async def test_what_is_divided_already_and_what_says_nothing_costs_nothing(document: Document) -> None:
    extractor = LLMExtractor(ScriptedModel())
    assert extractor.extract(document) == RuleExtractor().extract(document)
    assert await extractor.aextract(document) == RuleExtractor().extract(document)
    assert extractor.estimate(document) == Usage()


BAD = [
    ("", "the reply is empty"),
    ("I am sorry, but no.", "the reply holds no JSON object"),
    ('{"units": [{"type"', "the JSON is broken at line 1, column 19"),
    ('{"units": [{"type": "step",}]}', "the JSON is broken at line 1"),
    ('{"steps": []}', "the reply holds no JSON object with the fields units"),
    (GOOD.replace("3-4", "3-5"), 'unit 1, lines: found "3-5", expected a range within 1-4'),
    (GOOD.replace("3-4", "4-3"), 'unit 1, lines: found "4-3"'),
    (Reply(text=GOOD[:40], end="length"), "the reply was cut off at the longest that the model writes"),
    (Reply(text="", end="refused"), "the model refused to answer"),
]


@pytest.mark.parametrize(("reply", "fault"), BAD)
async def test_a_reply_that_stays_bad_leaves_the_document_to_the_rules(reply: str | Reply, fault: str) -> None:
    cache = Kept()
    for asynchronous in (False, True):
        model = ScriptedModel(("Divide lines 1 to 4 of 4", reply), ("That reply cannot be used", reply))
        extractor = LLMExtractor(ModelAccess(model, cache=cache))
        extraction = await extractor.aextract(FILTER) if asynchronous else extractor.extract(FILTER)
        model.finished()
        assert extraction.units == RuleExtractor().extract(FILTER).units
        assert (extraction.report.extractor, extraction.report.usage.calls) == ("rules", 2)
        [problem] = extraction.report.problems
        assert problem.startswith("read by the rules, because the model's reply could not be used: ")
        assert fault in problem
        assert cache == {}


async def test_where_no_reply_came_extract_falls_back_and_a_plan_raises() -> None:
    error = ModelError("the service answered 401: no such key")
    expected = RuleExtractor().extract(FILTER)
    extraction = LLMExtractor(ScriptedModel(("", error))).extract(FILTER)
    assert extraction.units == expected.units
    assert extraction.report.extractor == "rules"
    assert extraction.report.problems == (
        "read by the rules, because the model gave no reply: the service answered 401: no such key",
    )
    assert extraction.report.usage == Usage(calls=1)
    assert await LLMExtractor(ScriptedModel(("", error))).aextract(FILTER) == extraction
    extractor = LLMExtractor(ScriptedModel(("", error)))
    with pytest.raises(ModelError, match="no such key"):
        extractor.models.run(extractor.plan(FILTER))


async def test_a_budget_that_is_spent_always_comes_through() -> None:
    extractor = LLMExtractor(ModelAccess(ScriptedModel(), budget=Budget(tokens=100)))
    with pytest.raises(BudgetSpent):
        extractor.extract(FILTER)
    with pytest.raises(BudgetSpent):
        await extractor.aextract(FILTER)
    for extract_all in (extractor.extract_all, extractor.attempt_all):
        with pytest.raises(BudgetSpent):
            list(extract_all([FILTER]))
    for aextract_all in (extractor.aextract_all, extractor.aattempt_all):
        with pytest.raises(BudgetSpent):
            await alist(aextract_all([FILTER]))


async def test_many_documents_come_in_order_with_those_that_failed_among_them() -> None:
    documents = [guide(f"Guide{n}") for n in range(12)]
    faults: dict[str, str | Exception] = {"Guide3": "nonsense", "Guide5": ModelError("the key is wrong")}
    expected = [(f"Guide{n}.md", "grounded") for n in range(12)]
    expected[3] = ("Guide3.md", "rules")
    expected[5] = ("Guide5.md", "the model gave no reply: the key is wrong")
    model = Answering(**faults)
    extracted = list(LLMExtractor(model).attempt_all(iter(documents), concurrency=3))
    assert list(map(summary, extracted)) == expected
    assert sorted(model.asked) == sorted([*(f"Guide{n}" for n in range(12)), "Guide3"])
    usages = [one.report.usage.calls for one in extracted if isinstance(one, Extraction)]
    assert usages == [1, 1, 1, 2, *[1] * 7]
    other = Answering(**faults)
    others = await alist(LLMExtractor(other).aattempt_all(documents, concurrency=3))
    assert list(map(summary, others)) == expected
    assert [others[n] for n in range(12) if n != 5] == [extracted[n] for n in range(12) if n != 5]
    assert other.most <= 3
    expected[5] = ("Guide5.md", "rules")
    assert list(map(summary, LLMExtractor(Answering(**faults)).extract_all(documents))) == expected
    assert list(map(summary, await alist(LLMExtractor(Answering(**faults)).aextract_all(documents)))) == expected


async def test_one_document_s_trouble_stops_no_other() -> None:
    documents = [guide(f"Guide{n}") for n in range(3)]
    faults: dict[str, str | Exception] = {"Guide1": RuntimeError("odd")}
    reason = "could not be split (RuntimeError: odd); please report this"
    expected = [("Guide0.md", "grounded"), ("Guide1.md", reason), ("Guide2.md", "grounded")]
    assert list(map(summary, LLMExtractor(Answering(**faults)).attempt_all(documents))) == expected
    assert list(map(summary, await alist(LLMExtractor(Answering(**faults)).aattempt_all(documents)))) == expected


async def test_kept_replies_that_cannot_be_read_end_a_run_after_what_is_finished() -> None:
    class Failing(dict[str, str]):
        """A cache of which nothing can be read once it contains two replies."""

        def get(self, key: str, default: Any = None) -> Any:
            if len(self) == 2:
                raise BadCache("the file is damaged")
            return super().get(key)

        def put(self, key: str, text: str) -> None:
            self[key] = text

    documents = [guide(f"Guide{n}") for n in range(5)]
    done = []
    with pytest.raises(BadCache, match="damaged"):
        for extracted in LLMExtractor(ModelAccess(Answering(), cache=Failing())).attempt_all(documents, concurrency=1):
            done.append(summary(extracted))
    assert done == [("Guide0.md", "grounded"), ("Guide1.md", "grounded")]
    with pytest.raises(BadCache, match="damaged"):
        done += await alist(LLMExtractor(ModelAccess(Answering(), cache=Failing())).aattempt_all(documents, 1))


async def test_a_budget_ends_a_run_after_what_is_finished() -> None:
    documents = [guide(f"Guide{n}") for n in range(20)]
    one = LLMExtractor(Answering()).estimate(documents[0])
    budget = Budget(tokens=4 * (one.prompt_tokens + one.completion_tokens))

    def extractor() -> LLMExtractor:
        return LLMExtractor(ModelAccess(Answering(), budget=budget))

    done = []
    with pytest.raises(BudgetSpent, match="the budget is spent"):
        for extracted in extractor().extract_all(documents, concurrency=1):
            done.append(summary(extracted))
    assert 4 <= len(done) < 20
    assert done == [(f"Guide{n}.md", "grounded") for n in range(len(done))]
    others = []
    with pytest.raises(BudgetSpent, match="the budget is spent"):
        async for extracted in extractor().aextract_all(documents, concurrency=1):
            others.append(summary(extracted))
    assert others == done


async def test_a_run_that_is_left_begins_no_more() -> None:
    documents = [guide(f"Guide{n}") for n in range(50)]
    model = Answering()
    run = LLMExtractor(model).extract_all(documents, concurrency=2)
    assert summary(next(run)) == ("Guide0.md", "grounded")
    run.close()  # type: ignore[attr-defined]
    assert len(model.asked) <= 5
    other = Answering()
    async for extracted in LLMExtractor(other).aextract_all(documents, concurrency=2):
        assert summary(extracted) == ("Guide0.md", "grounded")
        break
    assert len(other.asked) <= 5


def test_trouble_that_nobody_foresaw_costs_its_document_alone() -> None:
    def count(text: str) -> int:
        if "hatch" in text:
            raise ZeroDivisionError("no tokens")
        return 1

    bad = Document("Bad.md", guide("Bad").text.replace("lid", "hatch"))
    found = list(LLMExtractor(Answering(), count=count).attempt_all([guide("Good"), bad, guide("Fine")]))
    assert [isinstance(one, BadDocument) for one in found] == [False, True, False]
    assert "could not be split (ZeroDivisionError: no tokens); please report this" in str(found[1])


@pytest.mark.parametrize("concurrency", [0, -1])
def test_at_least_one_document_is_extracted_at_once(concurrency: int) -> None:
    extractor = LLMExtractor(ScriptedModel())
    with pytest.raises(ValueError, match="found concurrency="):
        extractor.extract_all([], concurrency)
    with pytest.raises(ValueError, match="found concurrency="):
        extractor.aextract_all([], concurrency)


def test_a_good_reply_is_kept_and_taken_again_for_the_same_text() -> None:
    cache = Kept()
    first = LLMExtractor(ModelAccess(ScriptedModel(("", "nonsense"), ("", GOOD)), cache=cache)).extract(FILTER)
    again = LLMExtractor(ModelAccess(ScriptedModel(), cache=cache)).extract(FILTER)
    assert list(map(json.loads, cache.values())) == [json.loads(GOOD)]
    assert again.units == first.units
    assert again.report.usage == Usage(recalled=1)
    edited = Document(FILTER.id, FILTER.text.replace("lid", "cover"))
    model = ScriptedModel(("Open the cover", GOOD))
    LLMExtractor(ModelAccess(model, cache=cache)).extract(edited)
    model.finished()


def test_an_estimate_is_what_the_calls_then_take() -> None:
    model = ScriptedModel(("", GOOD))
    extractor = LLMExtractor(model)
    estimate = extractor.estimate(FILTER)
    assert model.seen == []
    usage = extractor.extract(FILTER).report.usage
    assert (estimate.calls, estimate.prompt_tokens) == (1, tokens(model.seen[0]))
    assert usage.prompt_tokens == estimate.prompt_tokens
    assert usage.completion_tokens <= estimate.completion_tokens
    text = "# Long\n\n" + "".join(f"## Part {n}\n\n{'Some words. ' * 100}\n\n" for n in range(40))
    assert LLMExtractor(ScriptedModel(context_window=8_000)).estimate(Document("long.md", text)).calls > 3


def test_a_prompt_can_be_replaced_and_is_told_the_domain() -> None:
    model = ScriptedModel(("About kettles", GOOD))
    prompt = MarkdownPrompt("Divide $lines", "About $domain, from $first to $last of $all, with $outline")
    LLMExtractor(model, domain="kettles", prompts={"extract": prompt}).extract(FILTER)
    [(system, user)] = model.seen
    assert system.text == "Divide 1| # Clean the filter\n2|\n3| 1. Open the lid.\n4| 2. Rinse the filter."
    assert user.text.endswith("from 1 to 4 of 4, with 1| # Clean the filter")


LAMP = Document("lamp.md", "# Lamp\n\n1. Look at it. If it is red, the fuse has blown.\n2. Pull it out.\n")
LED = (
    '{"units": [{"type": "step", "header": "Look at it", "lines": "3", "links": ["3: it is red -> 4"]},'
    ' {"type": "step", "header": "Pull it out", "lines": "4"}]}'
)


async def test_a_model_may_be_asked_only_where_the_rules_leave_something_open() -> None:
    cache = Kept()
    for _ in range(2):
        model = ScriptedModel(*[("Look at it", LED)] * (not cache))
        extractor = LLMExtractor(ModelAccess(model, cache=cache), llm_for="auto")
        assert extractor.estimate(FILTER) == Usage() != extractor.estimate(LAMP)
        filtered, lamp = [one async for one in extractor.aextract_all([FILTER, LAMP])]
        model.finished()
        assert filtered == RuleExtractor().extract(FILTER)
        report = lamp.report
        assert (report.extractor, report.conditions_linked, report.conditions_linked_by_model) == ("grounded", 1, 1)
        assert RuleExtractor().extract(LAMP).report.conditions_linked == 0
    everything = LLMExtractor(ModelAccess(ScriptedModel()))
    assert extractor.name != everything.name
    with pytest.raises(ValueError, match="found llm_for='some', expected"):
        LLMExtractor(ScriptedModel(), llm_for="some")  # type: ignore[arg-type]
