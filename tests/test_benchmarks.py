"""The benchmarks run, their gold quotes what the documents say, and their scores are right where one can count."""

from __future__ import annotations

import copy
import json
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "benchmarks"))

import _breaks
import _gold
import _metrics
import _splitters
import ablation
import cost
import quality
import scale
import speed
from _breaks import Chunk
from _gold import BadGold, Branch, Quote, Task
from _metrics import AGREED, DONE, Reply

from thread_core import Document, RuleExtractor, identify
from thread_core.extraction.unit_lines import to_lines
from thread_core.testing.store import MemoryStore

GUIDE = """# Kettle is cold

1. Look at the plug of the kettle.
   - If it is out, go to step 2.
   - If it is in, call the electrician. Open a ticket with the house desk.
2. Push the plug into the wall until it clicks.
3. Switch the kettle on. If the lamp is lit, the issue is resolved.
"""

FIRST, SECOND, THIRD = "Look at the plug", "Push the plug into the wall", "Switch the kettle on"


def quote(text: str) -> Quote:
    return Quote(document="kettle.md", quote=text)


def branch(after_step: int, outcome: str, target: str) -> Branch:
    return Branch(after_step=after_step, outcome=outcome, next=target if target == "resolved" else quote(target))


KETTLE = Task(
    id="kettle",
    question="Why is my tea cold?",
    steps=(quote(FIRST), quote(SECOND), quote(THIRD)),
    branches=(branch(0, "it is out", SECOND), branch(2, "it shines", "resolved")),
)


class Scripted:
    """Says its replies one after the other, and to each outcome what the script has for it."""

    name = "scripted"

    def __init__(self, replies: list[Reply], outcomes: dict[str, list[Reply]] | None = None) -> None:
        self._replies = tuple(replies)
        self._outcomes = outcomes or {}
        self.heard: list[str] = []

    def retrieve(self, question: str) -> list[str]:
        return [reply.text for reply in self._replies]

    def start(self, question: str) -> Reply:
        self._rest, self._told = self._replies, 0
        return self.respond("")

    def respond(self, said: str) -> Reply:
        self.heard.append(said)
        if said in self._outcomes:
            self._told += 1
            return self._outcomes[said][self._told - 1]
        reply, *rest = self._rest or (Reply("", "resolved"),)
        self._rest = tuple(rest)
        return reply

    def fork(self) -> Scripted:
        return copy.copy(self)


STEPS = [Reply(f"{FIRST}."), Reply(f"{SECOND}."), Reply(f"{THIRD}.")]


# -- the gold ------------------------------------------------------------------------------------------------------


def test_our_gold_quotes_what_the_example_documents_say() -> None:
    documents = _gold.read_documents(_gold.OWN_DOCUMENTS)
    assert list(_gold.problems(_gold.read_tasks(_gold.OWN_GOLD), documents)) == []


def test_a_quote_may_run_over_lines_and_list_marks() -> None:
    task = Task(id="t", question="q", steps=(quote("wall until it clicks. Switch the kettle on."),))
    assert list(_gold.problems([task], {"kettle.md": GUIDE})) == []


def test_every_fault_of_a_gold_file_is_named() -> None:
    elsewhere = Quote(document="tea.md", quote="Boil the water")
    wrong = Task(id="t", question="q", steps=(quote("Buy a kettle"), elsewhere), branches=(branch(2, "done", FIRST),))
    assert list(_gold.problems([wrong, KETTLE, KETTLE], {"kettle.md": GUIDE})) == [
        "t: a branch after step 2, and steps 0 to 1",
        "t: not in kettle.md: Buy a kettle",
        "t: there is no document tea.md",
        "kettle: another task has this id",
    ]


@pytest.mark.parametrize("line", ["{", '{"id": "t", "question": "q", "steps": []}', '{"id": "t", "answer": "a"}'])
def test_a_line_that_is_no_task_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text(f"{KETTLE.model_dump_json()}\n{line}\n", encoding="utf-8")
    with pytest.raises(BadGold, match=r"gold\.jsonl:2: "):
        _gold.read_tasks(path)


def test_the_checker_fails_on_a_quote_that_is_not_there(tmp_path: Path) -> None:
    gold, folder = write_tiny(tmp_path)
    (folder / "kettle.md").write_text("# Tea\n", encoding="utf-8")
    with pytest.raises(SystemExit, match=r"not in kettle\.md"):
        _gold.main([str(gold), str(folder)])


# -- the scores ----------------------------------------------------------------------------------------------------


def test_units_are_cut_where_the_tokens_run_out() -> None:
    assert _metrics.clip(["one two", "three, four"], 4) == ["one two", "three,"]
    assert _metrics.clip(["one two", "three"], 2) == ["one two"]
    assert _metrics.clip(["one two"], 9) == ["one two"]
    assert _metrics.clip(["one"], 0) == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("1. Push the  plug\n   into the WALL.", True),
        ("- Push\n> the plug into the wall", True),
        ("Push the plug into a wall", False),
        ("Push it. The plug is white. Many a house has such a plug, and into each wall the builders put two.", False),
    ],
)
def test_a_step_is_shown_verbatim(text: str, shown: bool) -> None:
    assert _metrics.shows(text, SECOND) is shown


def test_a_step_is_shown_when_nearly_all_of_its_words_stand_together() -> None:
    wanted = "Write down the fullest filesystem and go to the search for the cause"
    assert _metrics.shows("Write down the fullest filesystem, and go to the search for a cause", wanted)
    assert not _metrics.shows("Write down the fullest filesystem", wanted)
    assert not _metrics.shows(f"Write down the fullest {'word ' * 40} filesystem and go to the search for the", wanted)


def test_recall_counts_the_steps_within_the_budget() -> None:
    filler = "word " * 300
    scores = _metrics.score_retrieval(Scripted([STEPS[0], Reply(filler), STEPS[1]]), [KETTLE])
    assert scores.recall == {250: 1 / 3, 500: 2 / 3, 1000: 2 / 3, 2000: 2 / 3}
    assert scores.complete == 0
    assert scores.unit_tokens == pytest.approx((5 + 300 + 7) / 3)


def test_a_walk_says_done_and_answers_a_question_with_yes() -> None:
    system = Scripted([STEPS[0], Reply("Is it yours?", "asking"), STEPS[1], Reply("Good.", "resolved"), STEPS[2]])
    turns = list(_metrics.walk(system, "Why?"))
    assert [turn.text for turn in turns][-1] == "Good."
    assert system.heard == ["", DONE, AGREED, DONE]


def test_a_walk_ends_when_patience_does() -> None:
    assert len(list(_metrics.walk(Scripted([Reply("word " * 1000)] * 9), "Why?"))) == 3


FAR = Reply(f"{'word ' * 300}{SECOND}.", first="Something else.")
OVER = Reply(f"{SECOND}.", "escalate")


@pytest.mark.parametrize(
    ("steps", "out", "shines", "scored"),
    [
        (STEPS, [STEPS[1]], [Reply("Good.", "resolved")], (1, 1, 1, 1, (1, 1))),
        (STEPS, [FAR], [FAR], (1, 1, 0, 0, (0, 1))),
        (STEPS, [OVER], [OVER], (1, 0, 0, 0, (0, 1))),
        (STEPS, [Reply("Which one?", "asking"), STEPS[1]], [STEPS[0]], (1, 1, 1, 1, (0, 1))),
        (STEPS[1:2], [STEPS[1]], [], (1 / 3, 0, 0, 0, (0, 1))),
    ],
    ids=["right", "only in the wide score", "ends the walk", "asks first", "its step is never shown"],
)
def test_right_branches_and_endings_count(
    steps: list[Reply], out: list[Reply], shines: list[Reply], scored: tuple[object, ...]
) -> None:
    scores = _metrics.score_walks(Scripted(steps, {"it is out": out, "it shines": shines}), [KETTLE])
    assert (scores.recall, scores.wide, scores.narrow, scores.first, scores.endings) == scored


def test_a_prerequisite_counts_when_a_turn_of_the_walk_shows_it() -> None:
    needy = KETTLE.model_copy(update={"prerequisites": (quote(SECOND), quote("call the electrician"))})
    assert _metrics.score_walks(Scripted(STEPS), [needy]).prerequisites == 0.5
    assert _metrics.score_walks(Scripted(STEPS), [KETTLE]).prerequisites is None


# -- the ablation's and the speed's own parts ----------------------------------------------------------------------


def test_each_variant_changes_what_it_says() -> None:
    unit = _gold.units_for({"kettle.md": GUIDE}, None)[0]
    assert unit.header == "Kettle is cold: Look at the plug of the kettle"
    assert ablation.first_words_alone(unit).header == "Look at the plug of the kettle"
    assert ablation.path_alone(unit).header == "Kettle is cold"
    nowhere = ablation.leading_nowhere(unit).links
    assert [link.condition for link in nowhere] == [link.condition for link in unit.links]
    assert {link.target.place for link in nowhere if link.target and link.condition} == {unit.place}


# -- what is broken ------------------------------------------------------------------------------------------------

PLAIN = """# Lamp

Read [the manual][m] first, it is long.

1. Look.

   ```sh
   if on; then
     off
   fi
   ```

2. Wait.
3. Go.

[m]: manual.md
"""


def breaks(*chunks: Chunk) -> dict[str, str]:
    return {name: said.split()[0] for name, said in _breaks.count_breaks({"a": PLAIN}, {"a": chunks}).row().items()}


NOTHING_BROKEN = dict.fromkeys(breaks(Chunk(PLAIN)), "0")


def test_a_whole_document_breaks_nothing() -> None:
    assert breaks(Chunk(PLAIN)) == NOTHING_BROKEN
    assert _breaks.count_breaks({"a": PLAIN}, {"a": [Chunk(PLAIN)]}) == ((0, 1), (0, 1), (0, 1), (0, 1), (0, 10))


def test_code_without_its_indentation_is_changed() -> None:
    assert breaks(Chunk(PLAIN.replace("     off", "   off"))) == {**NOTHING_BROKEN, "code blocks changed": "1"}


def test_a_procedure_in_two_chunks_is_split_and_may_be_led_through() -> None:
    first, second = PLAIN[: PLAIN.index("2. Wait")], PLAIN[PLAIN.index("2. Wait") :]
    beside = "the manual manual.md"
    split = {**NOTHING_BROKEN, "procedures split": "1"}
    assert breaks(Chunk(first, beside), Chunk(second)) == {**split, "with no way on": "1"}
    assert breaks(Chunk(first, beside, frozenset({1})), Chunk(second)) == split


def test_a_link_is_lost_where_its_words_do_not_say_where_it_leads() -> None:
    words, definition = PLAIN[: PLAIN.index("[m]:")], PLAIN[PLAIN.index("[m]:") :]
    assert breaks(Chunk(words), Chunk(definition)) == {**NOTHING_BROKEN, "links lost": "1"}


def test_a_line_is_lost_unless_it_stands_whole_or_in_two_pieces() -> None:
    cut = PLAIN.index("first, it")
    assert breaks(Chunk(PLAIN[:cut]), Chunk(PLAIN[cut:]), Chunk(PLAIN[50:]))["lines lost"] == "0"
    assert breaks(Chunk(PLAIN.replace(" it is long.", "")))["lines lost"] == "1"


@pytest.mark.parametrize("name", ["RuleExtractor", "LogicUnitTextSplitter", "LogicUnitNodeParser"])
def test_units_break_nothing_of_it(name: str) -> None:
    splitter = _splitters.SPLITTERS[name]
    chunks = splitter.chunks(splitter.split(splitter.handed({"a": PLAIN, "kettle.md": GUIDE})))
    found = _breaks.count_breaks({"a": PLAIN, "kettle.md": GUIDE}, chunks)
    assert [broken for broken, _ in (found.code, found.no_way_on, found.lines)] == [0, 0, 0]


# -- the commands --------------------------------------------------------------------------------------------------


def write_tiny(folder: Path) -> tuple[Path, Path]:
    documents = folder / "documents"
    documents.mkdir()
    (documents / "kettle.md").write_text(GUIDE, encoding="utf-8")
    gold = folder / "gold.jsonl"
    gold.write_text(json.dumps(KETTLE.model_dump(mode="json")) + "\n", encoding="utf-8")
    return gold, documents


def test_quality_compares_both_frameworks_with_splitters_and_a_floor(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold, documents = write_tiny(tmp_path)
    quality.main(["--documents", str(documents), "--gold", str(gold)])
    printed = capsys.readouterr().out
    assert printed.startswith("1 tasks, 2 branches, 1 documents, embedding: default\n")
    assert [line.split("|")[1].strip() for line in printed.splitlines()[4:]] == [
        "Thread, LangChain",
        "Thread, LlamaIndex",
        "RecursiveCharacterTextSplitter 1000",
        "RecursiveCharacterTextSplitter 2000",
        "MarkdownHeaderTextSplitter",
        "SentenceSplitter 512",
        "MarkdownNodeParser",
        "whole documents",
        "floor: reads on",
    ]


def exported(folder: Path, document_id: str) -> Path:
    """A file as `thread-rag export` writes it, of the guide as one unit."""
    unit = RuleExtractor().extract(Document(document_id, GUIDE)).units[0]
    whole = unit.model_copy(update={"body": GUIDE, "links": ()})
    store = MemoryStore()
    store.write(identify([whole]), [[1.0]])
    file = folder / "units.jsonl"
    file.write_text("\n".join(to_lines(store)) + "\n", encoding="utf-8")
    return file


def test_units_of_any_extractor_are_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, documents = write_tiny(tmp_path)
    given = ["--documents", str(documents), "--gold", str(gold)]
    other = [*given, "--units", str(exported(tmp_path, "kettle.md"))]
    for measured in (quality, ablation):
        rows = []
        for arguments in (given, other):
            measured.main([*arguments, "--embedding", "langchain_thread:DefaultEmbeddings"])
            rows.append(capsys.readouterr().out.splitlines()[4:])
        assert rows[0] != rows[1]


def test_units_of_other_documents_are_refused(tmp_path: Path) -> None:
    gold, documents = write_tiny(tmp_path)
    file = exported(tmp_path, "teapot.md")
    with pytest.raises(SystemExit, match=r"only on one side are: kettle\.md, teapot\.md"):
        quality.main(["--documents", str(documents), "--gold", str(gold), "--units", str(file)])


@pytest.mark.slow
def test_speed_prints_extraction_ingest_embedding_and_waiting(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, documents = write_tiny(tmp_path)
    speed.main([str(documents), "--megabytes", "0.001", "--rounds", "1", "--units", "5"])
    printed = capsys.readouterr().out
    rows = ("RuleExtractor", "MarkdownNodeParser", "ThreadIngest", "IngestionPipeline, MarkdownNodeParser", "headers")
    for name in (*rows, "a turn of a session"):
        assert f"| {name}" in printed


def test_speed_says_when_there_is_nothing_to_measure(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="no Markdown document"):
        speed.main([str(tmp_path)])


# -- the cost's own parts ------------------------------------------------------------------------------------------


def write_guides(folder: Path) -> list[Document]:
    kettle = Document("kettle.md", GUIDE)
    toaster = Document("toaster.md", GUIDE.replace("kettle", "toaster").replace("Kettle", "Toaster"))
    for document in (kettle, toaster):
        (folder / document.id).write_text(document.text)
    return [kettle, toaster]


@pytest.mark.parametrize(
    ("way", "calls", "after_one_edit", "by_model"),
    [("none", 0, 0, 0), ("auto", 0, 0, 0), ("all", 2, 1, 2), ("paper", 4, 2, 2)],
)
def test_an_edit_costs_the_calls_of_one_document_and_no_embedding(
    way: str, calls: int, after_one_edit: int, by_model: int, tmp_path: Path
) -> None:
    row = cost.row(way, write_guides(tmp_path))
    assert row["calls"] == str(calls)
    assert row["calls per document"] == f"{calls / 2:.2f}"
    assert row["calls after one edit"] == str(after_one_edit)
    assert row["headers embedded after editing bodies"] == "0"
    assert row["by the model"] == f"{by_model} of 2"
    assert (row["prompt tokens"] == row["completion tokens"] == "0") == (calls == 0)


def test_an_edit_changes_a_body_and_no_header() -> None:
    before = Document("kettle.md", GUIDE)
    after = cost.edited(before)
    old, new = (RuleExtractor().extract(document).units for document in (before, after))
    assert [unit.header for unit in new] == [unit.header for unit in old]
    assert sum(one.body != other.body for one, other in zip(old, new, strict=True)) == 1
    nothing = Document("empty.md", "# Kettle\n")
    assert cost.edited(nothing) == nothing


def test_cost_prints_each_way_and_that_the_replies_are_simulated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_guides(tmp_path)
    cost.main([str(tmp_path)])
    printed = capsys.readouterr().out
    assert printed.startswith("2 documents of ") and "Simulated replies" in printed
    for way in cost.WAYS:
        assert f"| {way} " in printed


# -- the scale -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_scale_prints_what_every_size_takes(capsys: pytest.CaptureFixture[str]) -> None:
    scale.main(["--units", "20", "40", "--questions", "2", "--edits", "2"])
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in capsys.readouterr().out.splitlines()[2:]]
    assert lines[0][0] == "" and lines[0][1].endswith(" units")
    named = {line[0]: line[1:] for line in lines}
    for name in ("ingest: units/s", "question: ms", "the store's own look-up: ms", "edit of one body: ms"):
        assert float(named[name][0].replace(",", "")) > 0
    assert named["edit of one body: embeddings"][:2] == ["0", "0"]
