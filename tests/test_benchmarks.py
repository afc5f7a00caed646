"""The benchmarks run, their gold quotes what the documents say, and their scores are right where one can count."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "benchmarks"))

import _breaks
import _gold
import _splitters
import _writers
import ablation
import cost
import office
import quality
import scale
import speed
import words
from _breaks import Chunk

from tests.thread_eval.kettle import GUIDE, KETTLE
from thread_core import Document, RuleExtractor, identify
from thread_core.extraction.unit_lines import to_lines
from thread_core.testing.store import MemoryStore
from thread_eval.datasets.gold import problems, read_documents, read_tasks

# -- the gold ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gold", "folder"),
    [(_gold.OWN_GOLD, _gold.OWN_DOCUMENTS), (_gold.HERE / "unseen.jsonl", _gold.HERE / "unseen")],
    ids=["own", "unseen"],
)
def test_our_gold_quotes_what_its_documents_say(gold: Path, folder: Path) -> None:
    assert list(problems(read_tasks(gold), read_documents(folder))) == []


def test_the_checker_fails_on_a_quote_that_is_not_there(tmp_path: Path) -> None:
    gold, folder = write_tiny(tmp_path)
    (folder / "kettle.md").write_text("# Tea\n", encoding="utf-8")
    with pytest.raises(SystemExit, match=r"not in kettle\.md"):
        _gold.main([str(gold), str(folder)])


# -- the ablation's and the speed's own parts ----------------------------------------------------------------------


def test_each_variant_changes_what_it_says() -> None:
    unit = _gold.units_for({"kettle.md": GUIDE}, None)[0]
    assert unit.header == "Kettle is cold: Look at the plug of the kettle"
    assert ablation.first_words_alone(unit).header == "Look at the plug of the kettle"
    assert ablation.path_alone(unit).header == "Kettle is cold"
    nowhere = ablation.leading_nowhere(unit).links
    assert [link.condition for link in nowhere] == [link.condition for link in unit.links]
    assert {link.target.place for link in nowhere if link.target and link.condition} == {unit.place}


# -- Word and PDF ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("writer", _writers.WRITERS)
def test_steps_and_decisions_survive_word_and_pdf(writer: str, tmp_path: Path) -> None:
    if writer in _writers.MISSING:
        pytest.skip(f"no {_writers.MISSING[writer]} is there to write with")
    files = [office.PROCEDURES / f"{name}.md" for name in ("alarm", "boiler", "laptop", "recall")]
    counted = "step" if writer in _writers.UNRULED else ""
    for name, score in office.scored(writer, tmp_path, files):
        assert [one for one in score.lost if one.startswith(counted)] == [], name


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
        "SemanticSplitterNodeParser",
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
def test_words_prints_what_every_size_takes(capsys: pytest.CaptureFixture[str]) -> None:
    words.main(["--units", "200", "400", "--questions", "3"])
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in capsys.readouterr().out.splitlines()[2:]]
    assert [line[0] for line in lines[2:]] == ["200", "400"]
    assert all(float(cell.replace(",", "")) >= 0 for line in lines[2:] for cell in (line[0], *line[2:]))


@pytest.mark.slow
def test_scale_prints_what_every_size_takes(capsys: pytest.CaptureFixture[str]) -> None:
    scale.main(["--units", "20", "40", "--questions", "2", "--edits", "2"])
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in capsys.readouterr().out.splitlines()[2:]]
    assert lines[0][0] == "" and lines[0][1].endswith(" units")
    named = {line[0]: line[1:] for line in lines}
    for name in ("ingest: units/s", "question: ms", "the store's own look-up: ms", "edit of one body: ms"):
        assert float(named[name][0].replace(",", "")) > 0
    assert named["edit of one body: embeddings"][:2] == ["0", "0"]
