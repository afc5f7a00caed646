import pytest

from thread_core import Document, Extraction, LogicUnit, LogicUnitType, Place, RuleExtractor, Span
from thread_core.documents.blocks.markdown import parse
from thread_core.extraction.fidelity import LEFTOVER, Decisions, Report, complete, leaves_open, unlinked


def extract(text: str) -> Extraction:
    return RuleExtractor().extract(Document("a.md", text, metadata={"team": "op"}))


def unit(start: int, end: int, text: str) -> LogicUnit:
    """A unit whose body is some lines of a text."""
    span = Span("a.md", start, end)
    return LogicUnit(
        id="",
        document_id="a.md",
        place=Place("x", start),
        type="step",
        header="x",
        body=parse(text).source.slice(start, end),
        spans=(span,),
        body_spans=(span,),
    )


def lines(extraction: Extraction) -> list[list[tuple[int, int]]]:
    return [[(span.start, span.end) for span in unit.spans] for unit in extraction.units]


class TestLeftovers:
    text = "one\n\ntwo\n\nthree\n\nfour\nfive\n"

    def test_lines_that_no_unit_took_become_appendix_units(self) -> None:
        extraction = complete(Document("a.md", self.text), parse(self.text), [unit(3, 3, self.text)])
        assert [(unit.type, unit.place, unit.body) for unit in extraction.units] == [
            (LogicUnitType.APPENDIX, Place(LEFTOVER, 1), "one"),
            (LogicUnitType.STEP, Place("x", 3), "two"),
            (LogicUnitType.APPENDIX, Place(LEFTOVER, 2), "three\n\nfour\nfive"),
        ]
        assert extraction.report.leftovers == (Span("a.md", 1, 1), Span("a.md", 5, 8))

    def test_a_document_without_units_is_kept_whole(self) -> None:
        text = "---\ntitle: From front\ndate: today\n---\n\n[a]: b.md\n"
        (kept,) = extract(text).units
        assert (kept.type, kept.header, kept.body) == (
            LogicUnitType.APPENDIX,
            "From front: appendix: title: From front",
            text.strip(),
        )
        assert (kept.title, kept.date, kept.metadata) == ("From front", "today", {"team": "op"})

    @pytest.mark.parametrize("mark", ["## {}", "**{}**"])
    def test_no_step_that_is_its_own_heading_is_lost_beside_one_that_has_more(self, mark: str) -> None:
        names = ("Open the panel", "Take the battery out", "Close the panel")
        first, second, last = map(mark.format, names)
        units = extract(f"# Replace it\n\n{first}\n\n{second}\n\nKeep it dry.\n\n{last}\n").units
        assert [(unit.type, unit.section, unit.body) for unit in units] == [
            (LogicUnitType.STEP, names[:1], first),
            (LogicUnitType.STEP, names[1:2], "Keep it dry."),
            (LogicUnitType.STEP, names[2:], last),
        ]

    def test_the_definition_of_an_embedded_picture_says_nothing(self) -> None:
        [unit] = extract(f"# T\n\nLook.\n\n![][a]\n\n[a]: <data:image/png;base64,{'iVBORw0K' * 20}>\n").units
        assert (unit.body, unit.spans[-1]) == ("Look.\n\n![][a]", Span("a.md", 7, 7))

    @pytest.mark.parametrize(
        ("text", "bodies"),
        [
            ("# T\n\ntext\n\n## The end\n", ["text", "## The end"]),
            ("---\ntitle: x\n---\n# T\n\nSee [a].\n\n[a]: b.md\n", ["---\ntitle: x\n---", "See [a].", "[a]: b.md"]),
            ("---\n\n***\n", ["---\n\n***"]),
            ("<!-- us\nnever\n-->\n\n# T\n\ntext\n", ["<!-- us\nnever\n-->", "text"]),
        ],
    )
    def test_what_no_rule_reads_is_kept(self, text: str, bodies: list[str]) -> None:
        assert [unit.body for unit in extract(text).units] == bodies

    def test_a_place_that_a_heading_has_is_not_taken(self) -> None:
        extraction = extract("---\ntitle: x\n---\n# T\n\n## Leftover\n\ntext\n")
        assert len({unit.place for unit in extraction.units}) == len(extraction.units) == 2

    @pytest.mark.parametrize("text", ["", "\n\n", "\ufeff", " \t\r\n"])
    def test_an_empty_document_has_no_units_and_is_covered(self, text: str) -> None:
        extraction = extract(text)
        assert extraction.units == ()
        assert (extraction.report.lines, extraction.report.coverage) == (0, 1.0)


class TestMarks:
    @pytest.mark.parametrize(
        ("text", "spans"),
        [("# T\n\n---\n\ntext\n", [[(1, 1), (3, 3), (5, 5)]]), ("---\n\ntext\n", [[(1, 1), (3, 3)]])],
    )
    def test_a_mark_above_words_keeps_the_order(self, text: str, spans: list[list[tuple[int, int]]]) -> None:
        assert lines(extract(text)) == spans

    @pytest.mark.parametrize("mark", ["---", "</details>", "<!-- a comment -->", "***"])
    def test_a_mark_goes_with_the_unit_above_it(self, mark: str) -> None:
        extraction = extract(f"# T\n\n## A\n\na\n\n{mark}\n\n## B\n\nb\n")
        assert [unit.body.split()[0] for unit in extraction.units] == ["a", "b"]
        assert extraction.report.leftovers == ()
        assert extraction.report.coverage == 1.0

    def test_code_is_never_a_mark(self) -> None:
        text = "text\n\n```\n{}\n```\n"
        extraction = complete(Document("a.md", text), parse(text), [unit(1, 1, text)])
        assert [unit.body for unit in extraction.units] == ["text", "```\n{}\n```"]


class TestReport:
    @pytest.mark.parametrize(
        ("text", "english"),
        [("Open the case and wait.", True), ("Ouvrez le capot et attendez que le voyant s'allume.", False)],
    )
    def test_it_says_whether_sentences_were_read(self, text: str, english: bool) -> None:
        assert extract(f"# T\n\n{text}\n").report.english is english

    def test_it_counts_what_was_kept(self) -> None:
        text = (
            "---\ntitle: x\n---\n# T\n\n1. If the disk is full, see [a](b.md).\n\n   ```sh\n   df # if\n   ```\n\n"
            "2. Restart it. Whenever, wherever.\n\n[c]: d.md\n"
        )
        extraction = extract(text)
        assert extraction.report == Report(
            document_id="a.md",
            lines=10,
            lines_read=6,
            lines_kept=10,
            code_blocks=1,
            code_blocks_kept=1,
            conditions=2,
            conditions_linked=1,
            decisions=Decisions(onward=1),
            unlinked=(12,),
            links=1,
            links_kept=1,
            leftovers=(Span("a.md", 1, 3), Span("a.md", 14, 14)),
        )

    def test_it_says_where_the_outcomes_lead_that_were_read(self) -> None:
        text = (
            "# T\n\n- If it hums, call the vendor.\n- If it rattles, go to [Bearing](#bearing).\n- E12: open the tap.\n"
            "- If it leaks, see [Seal](#seal).\n\n## Bearing\n\nFit a new one.\n"
        )
        decisions = extract(text).report.decisions
        assert decisions == Decisions(onward=1, ending=1, here=1, lost=1)
        assert decisions.found == 4

    def test_code_that_is_torn_is_not_kept(self) -> None:
        text = "```\na\nb\n```\n"
        report = complete(Document("a.md", text), parse(text), [unit(1, 2, text), unit(3, 4, text)]).report
        assert (report.code_blocks, report.code_blocks_kept) == (1, 0)

    def test_a_hyperlink_is_kept_where_a_link_leads_there(self) -> None:
        text = "# T\n### Header\nh\n### Body\nb\n### Linker\n- If x, then see [c](d.md). [CROSS]\n- If y, then z.\n"
        report = extract(text).report
        assert (report.links, report.links_kept) == (1, 1)

    def test_it_survives_json(self) -> None:
        extraction = extract("# T\n\nIf a, see [b](c.md).\n\n[x]: y\n")
        assert Extraction.model_validate_json(extraction.model_dump_json()) == extraction


def test_conditions_that_no_link_has_are_told_by_their_lines() -> None:
    found = extract(
        "# A\n\nFind out if the belt is torn.\n\n```\nif x\n```\n\n1. Wait.\n2. If it is red, go to step 1.\n"
    )
    assert found.report.unlinked == (3,)
    assert list(unlinked(found.units)) == [(3, "Find out if the belt is torn.")]


def test_ids_are_given_in_reading_order() -> None:
    first, second = extract("# T\n\n## A\n\nsame\n\n## A\n\nsame\n").units
    assert first.id != second.id
    assert first.content_hash == second.content_hash


class TestRewrittenBodies:
    text = "Run this, see [list](a.md):\n\n```\nls -l\n```\n\nIf it hangs, wait.\n"

    def report(self, body: str, start: int = 1) -> Report:
        span = Span("a.md", start, 7)
        written = unit(1, 7, self.text).model_copy(
            update={"body": body, "rewritten": True, "spans": (Span("a.md", 1, 7),), "body_spans": (span,)}
        )
        return complete(Document("a.md", self.text), parse(self.text), [written], "paper").report

    def test_code_and_links_count_where_they_stand_in_what_was_written(self) -> None:
        kept = self.report("List them (see [list](a.md)).\n\n```\nls -l\n```")
        assert (kept.extractor, kept.code_blocks_kept, kept.links_kept) == ("paper", 1, 1)

    def test_lines_alone_prove_nothing(self) -> None:
        lost = self.report("List them.\n\n```\nls -a\n```")
        assert (lost.code_blocks, lost.code_blocks_kept, lost.links, lost.links_kept) == (1, 0, 1, 0)

    def test_what_was_written_from_other_lines_does_not_count(self) -> None:
        assert self.report("```\nls -l\n```", start=7).code_blocks_kept == 0


NEXT_LINE = "# T\n\nLook at the lamp. If it is red, the fuse has blown.\nPull it out.\n"
TOLD = "# T\n\nLook at the lamp. If it is red, replace the fuse.\n"


@pytest.mark.parametrize(("text", "linked"), [(NEXT_LINE, 0), (TOLD, 1)])
def test_a_condition_is_linked_where_its_link_leads_on_or_says_what_to_do(text: str, linked: int) -> None:
    extraction = RuleExtractor().extract(Document("t.md", text))
    report = extraction.report
    assert (report.conditions, report.conditions_linked, report.unlinked) == (1, linked, () if linked else (3,))
    assert report.conditions_linked_by_model == 0
    assert leaves_open(extraction) is not bool(linked)


def test_the_rules_leave_a_language_open_that_they_do_not_know() -> None:
    text = "# Die Lampe\n\nWenn die Lampe rot ist, dann ist die Sicherung nicht in Ordnung und wird nun getauscht.\n"
    assert leaves_open(RuleExtractor().extract(Document("t.md", text)))
