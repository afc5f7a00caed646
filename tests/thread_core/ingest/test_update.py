"""What a run does with documents that changed, did not, vanished, or cannot be read."""

import asyncio
import gc
import weakref
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import count
from typing import Any

import pytest

from tests.thread_core.ingest.given import MortalStore, Place, Small, content, edited, fresh, guide
from thread_core import Document, RuleExtractor
from thread_core.errors import BadDocument, BadStore, ModelBusy, ModelError, TooLong
from thread_core.extraction.fidelity import Extraction
from thread_core.ingest import Failure, Progress, ThreadIngest, links, run
from thread_core.linking import LinkState
from thread_core.models import Target
from thread_core.places import place_in
from thread_core.ports import rows_of
from thread_core.store.lexical import bring_into_step

GUIDES = [guide(number) for number in range(1, 6)]


class TestUnchanged:
    def test_nothing_is_read_but_ids_and_nothing_is_taken_apart(self) -> None:
        place = fresh(*GUIDES)
        place.store.calls.clear()
        report = place.run(*GUIDES)
        assert (report.unchanged, report.reports, report.changed) == (5, (), False)
        assert place.store.calls == ["ids"]

    def test_one_edited_document_costs_what_it_costs(self) -> None:
        """Of the others some rows are read, to see that the embedding is the store's, and no id."""
        place = fresh(*GUIDES)
        place.store.calls.clear()
        place.embedder.texts.clear()
        report = place.run(edited(GUIDES[2], "wheel 2 of", "lever 2 of"))
        assert (report.added, report.removed, report.unchanged) == (1, 1, 0)
        assert place.store.calls == [*["documents"] * (1 + len(GUIDES)), "write", "unit", "move", "delete"]
        assert sum("lever" in text for text in place.embedder.texts) == 1
        assert len(place.embedder.texts) == 1 + 15
        assert place.is_in_step()

    def test_a_new_body_under_an_old_header_embeds_nothing(self) -> None:
        words = Document("pump-1.md", "# Pump 1\n\n## Turn it\n\n1. Turn the wheel.\n\n   Then wait.\n")
        place = fresh(words)
        place.embedder.texts.clear()
        report = place.run(edited(words, "Then wait.", "Then wait a minute."))
        assert (report.added, report.removed, report.embedded, place.embedder.texts) == (1, 1, 0, [])

    def test_a_store_that_differs_is_believed_more_than_the_ledger(self) -> None:
        place = fresh(*GUIDES)
        place.store.write(gone=[rows_of(place.store, "pump-2.md")[1].unit.id])
        report = place.run(*GUIDES)
        assert (report.unchanged, report.added) == (4, 1)
        assert content(place.store) == content(fresh(*GUIDES).store)

    @pytest.mark.parametrize(
        "other",
        [
            Document("pump-1.md", GUIDES[0].text, "Another title"),
            Document("pump-1.md", GUIDES[0].text, metadata={"team": "storage"}),
            Document("pump-1.md", GUIDES[0].text, metadata={"teams": ["storage"]}),
        ],
        ids=["title", "metadata", "metadata that no unit carries"],
    )
    def test_whatever_decides_the_units_is_part_of_what_is_compared(self, other: Document) -> None:
        place = fresh(*GUIDES)
        assert place.run(other).unchanged == 0
        assert place.run(other).unchanged == 1

    def test_another_way_of_taking_apart_takes_all_apart_again(self) -> None:
        place = fresh(*GUIDES)
        assert place.ingest(merge_chains=500).run(GUIDES).unchanged == 0
        assert place.ingest(merge_chains=500).run(GUIDES).unchanged == 5
        assert place.run(*GUIDES).unchanged == 0

    def test_an_extractor_that_does_not_say_what_it_does_is_asked_each_time(self) -> None:
        class Nameless:
            def attempt_all(self, documents: Iterable[Document], concurrency: int) -> list[Extraction]:
                return [RuleExtractor().extract(document) for document in documents]

        place = Place()
        for _ in range(2):
            assert len(place.ingest(extractor=Nameless()).run(GUIDES).reports) == 5


class TestFailures:
    def test_what_somebody_else_embedded_otherwise_is_not_written_to(self) -> None:
        """Even where nothing would be embedded."""
        place = fresh(*GUIDES)

        class Other(Small):
            def embed(self, texts: Sequence[str]) -> list[list[float]]:
                return [[-number for number in vector] for vector in super().embed(texts)]

        shifted = edited(GUIDES[0], "# Pump 1\n", "# Pump 1\n\n")
        with pytest.raises(BadStore, match="differ from those of this embedding"):
            ThreadIngest(place.store, Other()).run([shifted])
        assert content(place.store) == content(fresh(*GUIDES).store)

    def test_what_is_given_twice_is_taken_once(self) -> None:
        place = Place()
        report = place.run(GUIDES[0], edited(GUIDES[0], "wheel", "lever"), GUIDES[1])
        assert report.failures == (Failure(document_id="pump-1.md", reason="occurs twice; only the first one counts"),)
        assert content(place.store) == content(fresh(*GUIDES[:2]).store)

    def test_what_cannot_be_read_or_is_empty_keeps_what_the_store_holds(self) -> None:
        place = fresh(*GUIDES[:2], source="pumps")
        before = content(place.store)
        unread, empty = BadDocument("pump-1.md", "is no text"), Document("pump-2.md", " \n")
        report = place.run(unread, empty, source="pumps", prune=True)
        assert [str(failure) for failure in report.failures] == [
            "pump-1.md: is no text",
            "pump-2.md: is empty now; its old units stay until it has text again or is removed",
        ]
        assert (content(place.store), report.pruned) == (before, ())

    def test_a_file_s_name_may_be_no_text(self) -> None:
        report = Place().run(BadDocument("pump-\udc80.md", "is no text"), GUIDES[0])
        assert [str(failure) for failure in report.failures] == ["pump-\ufffd.md: is no text"]
        assert report.added == 3

    def test_a_store_that_fails_is_one_error_and_the_next_run_mends_it(self) -> None:
        place = fresh(*GUIDES)
        changed = [edited(one, "wheel", "lever") for one in GUIDES]

        def failing(*values: Any, **named: Any) -> None:
            MortalStore.write(place.store, *[part[:2] for part in values], moved=named["moved"])
            raise OSError("no space left on device")

        place.store.write = failing  # type: ignore[method-assign]
        with pytest.raises(BadStore, match=r"the store failed \(OSError: no space left on device\); check that it is"):
            place.run(*changed)
        del place.store.write
        report = place.run(*changed)
        assert len(report.recovered) == 5
        assert place.everything() == fresh(*changed).everything()

    def test_what_a_store_says_of_itself_is_told_as_it_says_it(self) -> None:
        place = fresh(*GUIDES)

        def refusing(*values: Any, **named: Any) -> None:
            raise BadStore("the rows are of another layout")

        place.store.write = refusing  # type: ignore[method-assign]
        with pytest.raises(BadStore, match=r"^the rows are of another layout$"):
            place.run(edited(GUIDES[0], "wheel", "lever"))

    def test_where_reading_fails_what_was_begun_is_let_go(self) -> None:
        def read() -> Iterator[Document]:
            yield GUIDES[0]
            raise RuntimeError("the folder has gone")

        place = Place()
        with pytest.raises(RuntimeError):
            place.ingest().run(read())
        assert place.run(*GUIDES).added == 15


class TestVanished:
    def test_they_are_named_and_stay_until_they_are_to_be_removed(self) -> None:
        place = fresh(*GUIDES, source="pumps")
        report = place.run(*GUIDES[2:], source="pumps")
        assert (report.vanished, report.pruned) == (("pump-1.md", "pump-2.md"), ())
        asked: list[tuple[str, ...]] = []
        assert place.run(*GUIDES[2:], source="pumps", prune=lambda ids: bool(asked.append(ids))).vanished
        assert asked == [("pump-1.md", "pump-2.md")]
        report = place.run(*GUIDES[2:], source="pumps", prune=lambda ids: True)
        assert (report.vanished, report.pruned, report.removed) == ((), ("pump-1.md", "pump-2.md"), 6)
        assert place.everything() == fresh(*GUIDES[2:], source="pumps").everything()

    def test_documents_of_other_sources_are_left_alone(self) -> None:
        place = fresh(*GUIDES[:2], source="pumps")
        place.run(*GUIDES[2:4], source="others")
        place.run(GUIDES[4])
        assert place.run(GUIDES[2], source="others", prune=True).pruned == ("pump-4.md",)
        assert place.run(GUIDES[1], GUIDES[2], source="others").unchanged == 2
        assert place.run(source="pumps", prune=True).pruned == ("pump-1.md",)

    def test_a_source_must_be_named(self) -> None:
        place = fresh(*GUIDES)
        assert place.run(GUIDES[0]).vanished == ()
        with pytest.raises(ValueError, match="name exactly one source"):
            place.run(GUIDES[0], prune=True)

    def test_they_are_removed_by_name(self) -> None:
        place = fresh(*GUIDES)
        report = place.ingest().remove(["pump-1.md", "nobody.md", "pump-1.md"])
        assert (report.pruned, report.removed) == (("pump-1.md",), 3)
        assert place.everything() == fresh(*GUIDES[1:]).everything()

    def test_one_name_has_to_be_in_a_list_too(self) -> None:
        place = fresh(*GUIDES)
        with pytest.raises(TypeError, match=r"expected a list of document ids; pass \['pump-1\.md'\]"):
            place.ingest().remove("pump-1.md")
        assert place.everything() == fresh(*GUIDES).everything()


class TestLinks:
    LEADING = (guide(1, links=["pump-2.md#step-2"]), guide(2), guide(3))

    def test_those_of_others_that_lead_nowhere_now_are_told_without_reading_the_store(self) -> None:
        place = fresh(*self.LEADING)
        renamed = edited(self.LEADING[1], "## Step 2\n", "## Second step\n")
        report = place.run(renamed)
        assert [str(link) for link in report.newly_dangling] == [
            "pump-1.md:17: pump-2.md leads to #step-2 of pump-2.md, which does not exist"
        ]
        assert place.run(edited(renamed, "wheel", "lever")).newly_dangling == ()
        assert place.run(edited(self.LEADING[2], "wheel", "lever")).newly_dangling == ()

    def test_a_place_that_is_not_there_is_told_until_it_is(self) -> None:
        lost = ["pump-1.md:17: pump-2.md leads to #step-2 of pump-2.md, which does not exist"]
        renamed = edited(self.LEADING[1], "## Step 2\n", "## Second step\n")
        place = fresh(self.LEADING[0], renamed)
        for given, broken in ((renamed, lost), (renamed, lost), (self.LEADING[1], []), (renamed, lost)):
            report = place.run(self.LEADING[0], given)
            assert (report.links, [str(link) for link in report.broken]) == (
                {LinkState.DANGLING if broken else LinkState.FOUND: 1},
                broken,
            )

    def test_a_name_is_looked_up_once_however_many_links_say_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        place, asked = Place(), list[str]()
        look_up = place.words.called
        monkeypatch.setattr(place.words, "called", lambda key: asked.append(key) or look_up(key))
        place.run(guide(1, links=["pump-2.md#step-2"]), guide(2), guide(3, links=["pump-2.md", "pump-2.md#step-1"]))
        assert asked == ["path pump-2"]

    def test_places_are_looked_for_only_in_what_has_changed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        place, read = fresh(*self.LEADING), list[Target]()
        monkeypatch.setattr(links, "place_in", lambda target, units: read.append(target) or place_in(target, units))
        place.run(*self.LEADING, guide(4, links=["pump-3.md#step-1"]))
        assert [target.anchor for target in read] == ["step-1"], "all are resolved again, for there is a new name"
        place.run(*self.LEADING[:2], edited(self.LEADING[2], "wheel", "lever"))
        assert [target.anchor for target in read] == ["step-1"], "no given one leads there"
        place.run(*self.LEADING[:2], guide(3), guide(4, links=["pump-3.md#step-1"]))
        assert [target.anchor for target in read] == ["step-1"] * 2

    def test_so_are_those_to_what_was_removed(self) -> None:
        place = fresh(*self.LEADING)
        report = place.ingest().remove(["pump-2.md"])
        assert [str(link) for link in report.newly_dangling] == [
            "pump-1.md:17: pump-2.md leads to a document that is not in this store"
        ]

    def test_those_that_are_mended_in_the_same_run_are_not_told(self) -> None:
        place = fresh(*self.LEADING)
        moved = edited(self.LEADING[1], "## Step 2\n", "## Second step\n")
        report = place.run(moved, edited(self.LEADING[0], "#step-2", "#second-step"))
        assert report.newly_dangling == ()

    def test_those_of_unchanged_documents_count_as_they_lead_now(self) -> None:
        place = fresh(guide(1, links=["pump-2.md", "pump-9.md"]))
        before = place.run(guide(1, links=["pump-2.md", "pump-9.md"]))
        assert (before.unchanged, before.links) == (1, {LinkState.DANGLING: 2})
        report = place.run(guide(1, links=["pump-2.md", "pump-9.md"]), guide(2))
        assert (report.unchanged, report.links) == (1, {LinkState.FOUND: 1, LinkState.DANGLING: 1})
        assert [str(link) for link in report.broken] == [
            "pump-1.md:21: pump-9.md leads to a document that is not in this store"
        ]


class Failing:
    """A model that fails from some document on."""

    name = "failing"

    def __init__(self, error: Exception, first: int) -> None:
        self.error, self.first, self.asked = error, first, 0

    def attempt_all(self, documents: Iterable[Document], concurrency: int) -> Iterator[Extraction | BadDocument]:
        for document in documents:
            self.asked += 1
            if self.asked < self.first:
                yield RuleExtractor().extract(document)
            else:
                failed = BadDocument(document.id, f"the model gave no reply: {self.error}")
                failed.__cause__ = self.error
                yield failed

    async def aattempt_all(
        self, documents: Iterable[Document], concurrency: int
    ) -> AsyncIterator[Extraction | BadDocument]:
        for one in self.attempt_all(documents, concurrency):
            yield one


class TestStopping:
    MANY = tuple(guide(number, steps=1) for number in range(40))

    @pytest.mark.parametrize("error", [ModelError("the service refused the key"), ModelBusy("it is down")])
    @pytest.mark.parametrize("on_loop", [False, True])
    def test_a_model_that_fails_for_all_is_not_asked_on(self, error: ModelError, on_loop: bool) -> None:
        place, model = Place(), Failing(error, 3)
        ingest = place.ingest(extractor=model)
        documents = [*self.MANY, BadDocument("unread.md", "is no text")]
        report = asyncio.run(ingest.arun(documents)) if on_loop else ingest.run(documents)
        assert (model.asked, len(report.reports), len(report.failures)) == (7, 2, 6)
        assert report.stopped == f"the model failed for 5 documents in a row, so the rest were not tried: {error}"
        assert report.left == tuple(document.id for document in self.MANY[7:])
        assert content(place.store) == content(fresh(*self.MANY[:2]).store)

    def test_what_is_about_a_document_does_not_stop_the_others(self) -> None:
        model = Failing(TooLong("longer than the model can read"), 3)
        report = Place().ingest(extractor=model).run(self.MANY)
        assert (model.asked, report.stopped, len(report.failures)) == (40, "", 38)

    def test_a_run_that_stopped_removes_nothing(self) -> None:
        place = fresh(*GUIDES, source="pumps")
        ingest = place.ingest(extractor=Failing(ModelError("no"), 1))
        report = ingest.run(self.MANY[10:], source="pumps", prune=True)
        assert (report.pruned, report.vanished, len(place.store.ids())) == ((), (), 15)


def test_progress_counts_every_document_and_none_goes_back() -> None:
    place = fresh(GUIDES[0])
    seen: list[Progress] = []
    place.ingest().run([GUIDES[0], BadDocument("x", "no"), *GUIDES[1:]], progress=seen.append)
    assert [one.documents for one in seen] == sorted(one.documents for one in seen)
    assert (seen[-1].documents, seen[-1].units, seen[-1].written) == (6, 12, 12)


def test_the_report_says_how_long_each_stage_took_and_is_json_both_ways() -> None:
    report = Place().run(*TestLinks.LEADING, guide(4, links=["x.md"]))
    assert set(report.seconds) == {"read", "extract", "compare", "embed", "write"}
    assert type(report).model_validate_json(report.model_dump_json()) == report


def test_a_report_in_words_is_what_a_log_should_have() -> None:
    report = fresh(GUIDES[0]).run(GUIDES[0], GUIDES[1], BadDocument("x.md", "cannot be read"))
    assert str(report) == (
        "documents: 1 ingested, 1 unchanged, 1 failed; units: 3 added, 0 moved, 0 removed\nfailed: x.md: cannot be read"
    )
    assert f"{report.model_copy(update={'stopped': 'no money'})}".endswith("\nstopped: no money")


@pytest.mark.slow
def test_what_is_in_memory_is_bounded_however_many_documents_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "BATCH", 300)
    alive: weakref.WeakSet[Any] = weakref.WeakSet()
    most = 0

    class Counted(str):
        """A text that can be counted; `Document` values cannot be."""

    def read() -> Iterator[Document]:
        nonlocal most
        for number in range(2000):
            text = Counted(guide(number, steps=1).text)
            alive.add(text)
            yield Document.model_construct(id=f"pump-{number}.md", text=text, title="", metadata={})
            most = max(most, len(alive))

    class Blind(MortalStore):
        """Reads nothing, so that a test of many documents is quick."""

        def documents(self, document_ids: Sequence[str], where: Any = None, **asked: Any) -> dict[str, Any]:
            return {}

    place = Place()
    place.store = Blind()
    gc.collect()
    report = place.ingest().run(read())
    assert (len(report.reports), report.added) == (2000, 2000)
    assert most <= 2 * 200 + 2


class TestReadersMeanwhile:
    """A reader brings the words into step with the store when it finds them out of step, whatever is going on."""

    @pytest.mark.parametrize("moment", range(8))
    def test_none_at_any_moment_undoes_what_is_written(self, moment: int, monkeypatch: pytest.MonkeyPatch) -> None:
        place = fresh(guide(1, links=["pump-2.md"]))
        moments = count()

        def read(step: Callable[..., None], *values: Any, **named: Any) -> None:
            for do in (lambda: None, lambda: step(*values, **named)):
                do()
                if next(moments) == moment:
                    bring_into_step(place.words, place.store, place.store.version())

        monkeypatch.setattr(place.ledger, "intend", partial(read, place.ledger.intend))
        monkeypatch.setattr(place.words, "update", partial(read, place.words.update))
        monkeypatch.setattr(place.store, "write", partial(read, place.store.write))
        report = place.run(guide(1, links=["pump-2.md"]), guide(2))
        assert next(moments) > moment
        assert report.links == {LinkState.FOUND: 1}
        assert place.everything() == fresh(guide(1, links=["pump-2.md"]), guide(2)).everything()


class TestOnALoop:
    def test_the_end_is_the_same(self) -> None:
        place = Place()
        report = asyncio.run(place.ingest().arun(iter(GUIDES), source="pumps"))
        assert (report.added, report.units) == (15, {"step": 15})
        again = asyncio.run(place.ingest().arun(iter(GUIDES[1:]), source="pumps", prune=True))
        assert (again.unchanged, again.pruned) == (4, ("pump-1.md",))
        assert place.everything() == fresh(*GUIDES[1:], source="pumps").everything()

    async def test_a_run_that_was_cancelled_lets_go_of_the_store(self) -> None:
        place = Place()
        begun, never = asyncio.Event(), asyncio.Event()

        class Waiting:
            async def aattempt_all(self, documents: Iterable[Document], concurrency: int) -> AsyncIterator[Extraction]:
                begun.set()
                await never.wait()
                yield RuleExtractor().extract(GUIDES[0])

        ingest = place.ingest(extractor=Waiting())
        running = asyncio.ensure_future(ingest.arun(GUIDES))
        await begun.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert (await place.ingest().arun(GUIDES)).added == 15


def test_ingest_takes_a_store_alone() -> None:
    """Neither words nor a ledger are needed."""
    store = MortalStore()
    place = Place()
    assert ThreadIngest(store, place.embedder).run([guide(1, links=["pump-2.md"]), guide(2)]).links == {
        LinkState.FOUND: 1
    }
