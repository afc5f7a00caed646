import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from thread_core import Document, LogicUnit, LogicUnitType, RuleExtractor, Target
from thread_core.places import place_in

EXAMPLES = Path(__file__).parents[3] / "examples" / "documents"


def read(text: str, document_id: str = "a.md") -> tuple[LogicUnit, ...]:
    return RuleExtractor().extract(Document(document_id, text)).units


def shape(text: str) -> list[str]:
    """Units as "type anchor/number lines of the body"."""
    return [
        f"{unit.type} {unit.place.anchor}/{unit.place.number} "
        + " ".join(f"{span.start}-{span.end}" for span in unit.body_spans)
        for unit in read(text)
    ]


def where(target: Target | None) -> str:
    """A target as `document#anchor:step`, or as its place."""
    if target is None:
        return ""
    if target.place is not None:
        return f"{target.place.anchor}/{target.place.number}"
    return f"{target.document}#{target.anchor}" + (f":{target.step}" if target.step else "")


def links(unit: LogicUnit) -> list[tuple[str, str, str]]:
    """A unit's links as action, condition and where they lead."""
    return [(link.action.value, link.condition, where(link.target)) for link in unit.links]


def only(text: str) -> LogicUnit:
    (unit,) = read(text)
    return unit


class TestStructuredMarkdown:
    text = """\
# Disk full

One filesystem is full.

## Impact

Nothing can be written.

## Prerequisites

- You hold the role `op`.
- A window.

## Diagnosis

1. Show how full the disks are:

   ```sh
   df -h
   ```

   If every disk is below 80 %, skip steps 2 and 3 and go to step 4.

2. If the journal is large, go to [Mitigation](#mitigation).
3. Otherwise, follow [Collect diagnostics](../collect.md#steps).
4. Close the alert.

## Mitigation

Shrink the journal. If it grows again, open a ticket with its owner.

## See also

[Queues](queues.md)
"""

    def test_its_sections_become_units(self) -> None:
        assert shape(self.text) == [
            "background /1 3-3",
            "background impact/1 7-7",
            "background prerequisites/1 11-12",
            "step diagnosis/1 16-26",
            "step mitigation/1 30-30",
            "appendix see-also/1 34-34",
        ]

    def test_a_unit_is_known_by_title_section_and_first_words(self) -> None:
        diagnosis = read(self.text)[3]
        assert diagnosis.header == "Disk full: Diagnosis: Show how full the disks are"
        assert (diagnosis.title, diagnosis.section, diagnosis.steps) == ("Disk full", ("Diagnosis",), (1, 2, 3, 4))

    def test_a_body_is_copied_from_the_source(self) -> None:
        assert read(self.text)[3].body == "\n".join(self.text.split("\n")[15:26])

    def test_the_prerequisites_bind_the_first_step(self) -> None:
        assert [unit.prerequisites for unit in read(self.text) if unit.type == "step"] == [
            ("You hold the role op.", "A window."),
            (),
        ]

    def test_links_lead_where_the_words_say(self) -> None:
        assert links(read(self.text)[3]) == [
            ("CONTINUE", "every disk is below 80 %", "#diagnosis:4"),
            ("CONTINUE", "the journal is large", "#mitigation"),
            ("CROSS", "not: the journal is large", "../collect.md#steps"),
            ("CONTINUE", "", "mitigation/1"),
        ]
        assert links(read(self.text)[4]) == [("ESCALATE", "it grows again (Shrink the journal)", "")]

    def test_a_link_shows_its_evidence(self) -> None:
        evidence = [str(link.evidence) for link in read(self.text)[3].links if link.evidence]
        assert evidence == ["a.md:22", "a.md:24", "a.md:25"]


class TestNumberedGuideline:
    text = """\
# Rotate a certificate

## 1. Look

### 1.1 Read the date

Run `a`. If it is far away, you are finished.

### 1.2 Read the issuer

1. Read it.
2. Decide:
   1. If the issuer is ours, go to step 3.
   2. If the issuer is another, go to [2](#2-renew).
3. Note it.

## 2. Renew

Run `b`.
"""

    def test_its_sections_become_units(self) -> None:
        assert shape(self.text) == [
            "step 11-read-the-date/1 7-7",
            "step 12-read-the-issuer/1 11-15",
            "step 2-renew/1 19-19",
        ]

    def test_numbers_are_no_part_of_the_header(self) -> None:
        assert [unit.header for unit in read(self.text)] == [
            "Rotate a certificate: Look: Read the date: Run a",
            "Rotate a certificate: Look: Read the issuer: Read it",
            "Rotate a certificate: Renew: Run b",
        ]

    def test_headings_without_words_of_their_own_go_with_the_next_unit(self) -> None:
        assert [(span.start, span.end) for span in read(self.text)[0].spans] == [(1, 1), (3, 3), (5, 5), (7, 7)]

    def test_sub_steps_lead_on(self) -> None:
        assert links(read(self.text)[1]) == [
            ("CONTINUE", "the issuer is ours", "#12-read-the-issuer:3"),
            ("CONTINUE", "the issuer is another", "#2-renew"),
            ("CONTINUE", "", "2-renew/1"),
        ]

    @pytest.mark.parametrize(
        ("numbers", "steps"),
        [
            (("1.", "1.", "1."), (1, 2, 3)),
            (("1.", "2.", "4."), (1, 2, 4)),
            (("3.", "4.", "5."), (3, 4, 5)),
            (("1)", "2)", "3)"), (1, 2, 3)),
            (("-", "-", "-"), ()),
        ],
    )
    def test_steps_are_numbered_as_a_reader_sees_them(self, numbers: tuple[str, ...], steps: tuple[int, ...]) -> None:
        text = "# T\n\n## Steps\n\n" + "\n".join(f"{number} Do it." for number in numbers)
        assert only(text).steps == steps

    def test_a_list_that_restarts_keeps_its_numbers(self) -> None:
        assert only("# T\n\n## Steps\n\n1. a\n2. b\n\nThen:\n\n1. c\n2. d\n").steps == (1, 2, 1, 2)

    def test_a_long_procedure_is_cut_between_its_steps(self) -> None:
        text = "# T\n\n## Steps\n\n" + "\n".join(f"{number}. {'word ' * 60}" for number in range(1, 7))
        units = read(text)
        assert [unit.steps for unit in units] == [(1, 2), (3, 4), (5, 6)]
        assert [links(unit) for unit in units] == [
            [("CONTINUE", "", "steps/2")],
            [("CONTINUE", "", "steps/3")],
            [],
        ]

    def test_a_step_keeps_its_code_wherever_the_procedure_is_cut(self) -> None:
        step = "{}. " + "word " * 110 + "\n\n   ```sh\n   run\n   ```\n\n"
        text = "# T\n\n## Steps\n\n" + "".join(step.format(number) for number in range(1, 5))
        assert ["   ```sh\n   run\n   ```" in unit.body for unit in read(text)] == [True] * 4

    def test_a_step_that_is_too_long_to_read_at_once_is_taken_apart(self) -> None:
        text = "# T\n\n## Steps\n\n1. Start.\n\n" + "".join(f"   {'word ' * 100}\n\n" for _ in range(3)) + "2. End.\n"
        assert [unit.steps for unit in read(text)] == [(1,), (), (2,)]


class TestTabularChecklist:
    text = """\
# Gateway checklist

The list of each shift.

## Checks

| Check | Command | If not |
|---|---|---|
| Members | `status` | See [A member](#a-member) |
| Listener | `nc` | Open a ticket with the team |
| Certificate | `show` | Follow [Rotate](rotate.md) |
| Disk | `df` | Free some space |

## A member

Restart it.
"""

    def test_a_small_table_is_one_unit(self) -> None:
        assert shape(self.text) == ["background /1 3-3", "step checks/1 7-12", "step a-member/1 16-16"]

    def test_each_row_is_a_case(self) -> None:
        assert links(read(self.text)[1]) == [
            ("CONTINUE", "Members", "#a-member"),
            ("ESCALATE", "Listener", ""),
            ("CROSS", "Certificate", "rotate.md#"),
            ("CONTINUE", "Disk", "checks/1"),
            ("CONTINUE", "", "a-member/1"),
        ]

    def test_a_large_table_is_cut_between_its_rows_each_part_under_the_head(self) -> None:
        rows = "".join(f"| {number} | {'word ' * 60}|\n" for number in range(1, 5))
        units = read(f"# T\n\n## Checks\n\n| # | Do |\n|---|---|\n{rows}")
        assert [[(span.start, span.end) for span in unit.body_spans] for unit in units] == [
            [(5, 6), (7, 8)],
            [(5, 6), (9, 10)],
        ]
        assert [unit.body.split("\n")[:2] for unit in units] == [["| # | Do |", "|---|---|"]] * 2
        assert [unit.start for unit in units] == [7, 9]

    def test_a_head_that_is_too_long_is_not_repeated(self) -> None:
        rows = "".join(f"| {number} | {'word ' * 60}|\n" for number in range(1, 5))
        units = read(f"# T\n\n## Checks\n\n| # | {'name ' * 300}|\n|---|---|\n{rows}")
        assert [[(span.start, span.end) for span in unit.body_spans] for unit in units] == [
            [(5, 6)],
            [(7, 8)],
            [(9, 10)],
        ]


class TestNarrativeProse:
    text = """\
# Queue backlog

## Getting an impression

Watch the queue for five minutes. If the line ends in paused, somebody has stopped it: leave the
queue alone. Otherwise go on with the section that fits.

### If the queue grows

Count the consumers. Should they stop again, follow [Service A](service.md).

### If the queue is stable

If the oldest message is young, consider the alert a false alarm.

## Afterwards

Tell the team.
"""

    def test_its_sections_become_units(self) -> None:
        assert shape(self.text) == [
            "step getting-an-impression/1 5-6",
            "step if-the-queue-grows/1 10-10",
            "step if-the-queue-is-stable/1 14-14",
            "step afterwards/1 18-18",
        ]

    def test_headings_that_state_conditions_are_the_branches_of_the_step_before_them(self) -> None:
        assert links(read(self.text)[0])[:4] == [
            ("CONTINUE", "the line ends in paused", "getting-an-impression/1"),
            ("CONTINUE", "not: the line ends in paused", "getting-an-impression/1"),
            ("CONTINUE", "the queue grows", "if-the-queue-grows/1"),
            ("CONTINUE", "the queue is stable", "if-the-queue-is-stable/1"),
        ]

    def test_a_branch_does_not_offer_its_alternatives(self) -> None:
        assert {condition for _, condition, _ in links(read(self.text)[1])} == {
            "they stop again (Count the consumers)",
            "",
        }

    def test_a_branch_goes_on_after_its_alternatives(self) -> None:
        assert links(read(self.text)[1])[-1] == ("CONTINUE", "", "afterwards/1")

    def test_sentences_end_the_procedure(self) -> None:
        assert links(read(self.text)[2])[0] == ("RESOLVED", "the oldest message is young", "")

    @pytest.mark.parametrize(
        "text", ["Restart it. If it hangs, open a ticket.", "# T\n\nRestart it. If it hangs, open a ticket."]
    )
    def test_prose_without_sections_is_a_procedure(self, text: str) -> None:
        assert (only(text).type, links(only(text))) == ("step", [("ESCALATE", "it hangs (Restart it)", "")])


class TestJumps:
    def test_a_method_is_the_one_of_the_same_platform(self) -> None:
        text = (
            "# Printer\n\n## Windows\n\n### Method 1\n\nIf it fails, go to Method 2.\n\n### Method 2\n\nAdd it.\n\n"
            "## macOS\n\n### Method 1\n\nIf it fails, go to Method 2.\n\n### Method 2\n\nAdd it again.\n"
        )
        units = read(text)
        assert links(units[0])[0] == ("CONTINUE", "it fails", "#method-2")
        assert links(units[2])[0] == ("CONTINUE", "it fails", "#method-2-1")

    def test_a_step_is_the_one_of_the_section_that_the_sentence_links_to(self) -> None:
        text = "# T\n\n## Look\n\n1. Look.\n\n## Act\n\n1. Act. If it fails, repeat step 1 of [the look](#look).\n"
        assert read(text)[1].links[0].target == Target(anchor="look", step=1)

    def test_methods_lead_to_each_other_by_name(self) -> None:
        text = (
            "# Printer\n\n## Method 1: clear\n\nClear it. If the job stays, go to Method 3.\n\n"
            "## Method 2: add\n\nAdd it.\n\n## Method 3: check\n\nCheck it. If not, try Method 1.\n"
        )
        first, second, third = read(text)
        assert links(first) == [("CONTINUE", "the job stays", "#method-3-check"), ("CONTINUE", "", "method-2-add/1")]
        assert links(second) == [("CONTINUE", "", "method-3-check/1")]
        assert links(third)[0][2] == "#method-1-clear"

    def test_a_jump_to_a_section_that_is_not_there_is_none(self) -> None:
        assert links(only("# T\n\n## Method 1\n\nDo it, then go to Method 7.\n")) == []

    @pytest.mark.parametrize(
        ("sentence", "link"),
        [
            ("Skip step 2.", ("CONTINUE", "", "#steps:3")),
            ("If it is full, repeat step 1.", ("CONTINUE", "it is full", "#steps:1")),
            ("If it is full, go to [the guide](b.md#c).", ("CROSS", "it is full", "b.md#c")),
            ("If it is full, see [below](#Later).", ("CONTINUE", "it is full", "#later")),
            ("See <https://a.example/b>.", ("CROSS", "", "https://a.example/b#")),
            ("If it is full, the issue is resolved.", ("RESOLVED", "it is full", "")),
            ("If it is full, contact support.", ("ESCALATE", "it is full", "")),
            ("If it is full, free some space.", ("CONTINUE", "it is full", "steps/1")),
            ("`full` -> free some space", ("CONTINUE", "full", "steps/1")),
            ("**Disk full**: free some space", ("CONTINUE", "Disk full", "steps/1")),
        ],
    )
    def test_a_sentence_is_a_link(self, sentence: str, link: tuple[str, str, str]) -> None:
        assert links(only(f"# T\n\n## Steps\n\n1. {sentence}\n2. b\n3. c\n")) == [link]

    def test_a_link_belongs_to_its_own_sentence(self) -> None:
        sentences = "See the guide. If /a is full, see [the guide](b.md). If /b is full, see [the guide](c.md)."
        assert links(only(f"# T\n\n## Steps\n\n{sentences}\n")) == [
            ("CROSS", "/a is full", "b.md#"),
            ("CROSS", "/b is full", "c.md#"),
        ]

    def test_links_without_a_sentence_are_links(self) -> None:
        text = "# T\n\n## Helpers\n\n[pod debug](helpers/pod.md) [gather](helpers/gather.md)\n"
        assert links(only(text)) == [("CROSS", "", "helpers/pod.md#"), ("CROSS", "", "helpers/gather.md#")]

    def test_a_picture_is_no_link(self) -> None:
        assert links(only("# T\n\n## Steps\n\n![p](p.png) [![q](q.png)]() Look.\n")) == []

    def test_a_sentence_without_end_keeps_its_links_and_no_more(self) -> None:
        text = "# T\n\n## Steps\n\n" + " ".join(f"see [a{number}](b{number}.md)" for number in range(100)) + "\n"
        unit = only(text)
        assert [link.query for link in unit.links] == [f"a{number}" for number in range(100)]


class TestPrerequisites:
    def test_a_version_heading_binds_all_under_it(self) -> None:
        text = (
            "# T\n\n## Revive\n\n### Agent 2.3 and later\n\nPing.\n\n#### Windows\n\nClick.\n\n"
            "### Before Agent 2.3\n\nRun status.\n\n## Afterwards\n\nTell.\n"
        )
        assert [unit.prerequisites for unit in read(text)] == [
            ("Agent 2.3 and later",),
            ("Agent 2.3 and later", "Windows"),
            ("Before Agent 2.3",),
            (),
        ]

    def test_what_must_be_done_beforehand_binds_the_first_step(self) -> None:
        text = "# T\n\nIt fails. You need the role op.\n\n## Steps\n\nDo.\n\n## More steps\n\nDo more.\n"
        assert [unit.prerequisites for unit in read(text)] == [(), ("You need the role op.",), ()]

    def test_what_a_box_of_prerequisites_says_must_hold_and_its_title_is_none(self) -> None:
        text = "# T\n\n:::info Before you begin\nThe address of the proxy. The role.\n:::\n\n## Steps\n\nDo.\n"
        assert read(text)[-1].prerequisites == ("The address of the proxy.", "The role.")

    def test_a_prerequisite_is_stated_once(self) -> None:
        text = "# T\n\n## Before you begin\n\n- The role.\n- The role.\n\n## Steps\n\nDo.\n"
        assert read(text)[-1].prerequisites == ("The role.",)


class TestOtherSections:
    def test_each_term_is_a_unit(self) -> None:
        text = "# Guide\n\n## Steps\n\nDo.\n\n## Glossary\n\n**CA**: signs.\n\n**CSR**: asks.\n"
        assert shape(text) == ["step steps/1 5-5", "terminology glossary/1 9-9", "terminology glossary/2 11-11"]

    def test_each_question_is_a_unit(self) -> None:
        questions = "### How?\n\n1. So.\n2. And so.\n\n### Why?\n\nBecause.\n\nOf that.\n"
        text = f"# Guide\n\n## Steps\n\nDo.\n\n## FAQ\n\n{questions}"
        assert shape(text) == ["step steps/1 5-5", "faq how/1 11-12", "faq why/1 16-18"]

    def test_questions_without_headings_are_units(self) -> None:
        text = "# Guide\n\n## Steps\n\nDo.\n\n## FAQ\n\n**Q: How?**\nA: So.\n\n**Q: Why?**\nA: Because.\n"
        assert shape(text) == ["step steps/1 5-5", "faq faq/1 9-10", "faq faq/2 12-13"]

    def test_an_appendix_is_looked_up_and_not_walked_through(self) -> None:
        text = "# Guide\n\n## Steps\n\nDo.\n\n## Appendix A: names\n\nOne, two.\n"
        step, appendix = read(text)
        assert (links(step), appendix.type) == ([], "appendix")

    def test_a_fold_is_a_section(self) -> None:
        text = "# T\n\n<details>\n<summary>Method 1</summary>\n\nClear.\n\n</details>\n\n**Method 2**\n\nAdd.\n"
        assert shape(text) == ["step method-1/1 6-6", "step method-2/1 12-12"]

    def test_a_note_stays_with_its_step(self) -> None:
        text = "# T\n\n## Steps\n\n" + "word " * 130 + "\n\nNote: " + "word " * 100 + "\n"
        assert shape(text) == ["step steps/1 5-7"]

    def test_a_sentence_that_announces_a_list_stays_with_it(self) -> None:
        text = "# T\n\n## Steps\n\n" + "word " * 100 + "\n\nSelect one of:\n\n- a " + "word " * 100 + "\n- b\n"
        assert [unit.body.split("\n")[0][:14] for unit in read(text)] == ["word word word", "Select one of:"]

    def test_front_matter_gives_aliases_and_a_date(self) -> None:
        text = "---\ntitle: From front\ndate: today\n---\n# T\n\nKB-123456\n\n## Steps\n\nDo.\n"
        step = read(text)[-1]
        assert (step.aliases, step.date) == (("From front", "KB123456"), "today")


class TestIds:
    text = (
        "# T\n\n## A\n\nDo this.\n\n## B\n\nDo that and more of it and more of it and more of it.\n\n## A\n\nDo this.\n"
    )

    @staticmethod
    def ids(text: str, document_id: str = "a.md") -> list[str]:
        return [unit.id for unit in read(text, document_id)]

    def test_the_same_text_has_the_same_ids(self) -> None:
        assert self.ids(self.text) == self.ids(self.text)

    @pytest.mark.slow
    def test_another_process_gives_the_same_ids(self) -> None:
        program = (
            "import json, sys; from thread_core import Document, RuleExtractor;"
            "units = RuleExtractor().extract(Document('a.md', sys.stdin.read())).units;"
            "print(json.dumps([unit.id for unit in units]))"
        )
        outputs = [
            subprocess.run(
                [sys.executable, "-c", program],
                input=self.text,
                env={"PYTHONHASHSEED": seed},
                capture_output=True,
                check=True,
                text=True,
            ).stdout
            for seed in ("0", "12345")
        ]
        assert [json.loads(output) for output in outputs] == [self.ids(self.text)] * 2

    def test_what_repeats_has_another_id(self) -> None:
        first, _, third = read(self.text)
        assert first.body == third.body
        assert first.id != third.id

    def test_an_edit_of_one_step_leaves_the_other_ids(self) -> None:
        before, after = self.ids(self.text), self.ids(self.text.replace("Do that", "Try that"))
        assert [one == other for one, other in zip(before, after, strict=True)] == [True, False, True]

    def test_lines_that_move_leave_the_ids(self) -> None:
        assert self.ids(self.text.replace("\n\n", "\n\n\n\n")) == self.ids(self.text)

    def test_line_ends_of_another_kind_in_one_paragraph_leave_the_ids(self) -> None:
        assert self.ids(self.text.replace("\n", "\r\n")) == self.ids(self.text)

    def test_another_document_has_other_ids(self) -> None:
        assert set(self.ids(self.text)).isdisjoint(self.ids(self.text, "b.md"))


@pytest.mark.parametrize(
    ("red", "green"),
    [
        ("- 红色：请参阅[甲](#甲)", "- 绿色：请参阅[乙](#乙)"),
        ("- 赤：[甲](#甲)を参照", "- 緑：[乙](#乙)を参照"),
        ("- **红色**：请参阅[甲](#甲)", "- **绿色**：请参阅[乙](#乙)"),
        ("- **红色：**请参阅[甲](#甲)", "- **绿色：**请参阅[乙](#乙)"),
    ],
)
def test_a_label_may_end_in_a_full_width_colon(red: str, green: str) -> None:
    text = f"# 灯\n\n## 看\n\n看灯。\n\n{red}\n{green}\n\n## 甲\n\n1. 关。\n\n## 乙\n\n1. 等。\n"
    stated = [(condition, place) for _, condition, place in links(read(text)[0]) if condition]
    assert stated in ([("红色", "#甲"), ("绿色", "#乙")], [("赤", "#甲"), ("緑", "#乙")])


def test_the_documents_of_the_examples_are_covered() -> None:
    for path in sorted(EXAMPLES.glob("*.md")):
        extraction = RuleExtractor().extract(Document(path.name, path.read_text(encoding="utf-8")))
        report = extraction.report
        assert (report.coverage, report.code_blocks_kept) == (1.0, report.code_blocks), path.name
        assert any(unit.links for unit in extraction.units), path.name


def test_an_extraction_can_be_awaited() -> None:
    document = Document("a.md", "# T\n\nDo it.")
    assert asyncio.run(RuleExtractor().aextract(document)) == RuleExtractor().extract(document)


def test_the_document_s_metadata_reaches_its_units() -> None:
    document = Document("a.md", "# T\n\n1. a\n2. b\n\n[x]: y", metadata={"team": "op", "tags": ["a"]})
    assert [unit.metadata for unit in RuleExtractor().extract(document).units] == [{"team": "op"}] * 2


def test_a_step_that_is_its_own_heading_is_led_to_by_its_number() -> None:
    steps = (
        "### Step 1: Unplug it\n\n### Step 2: Wait a minute\n\n### Step 3: Plug it in\n\nIf it is dark, go to step 2.\n"
    )
    units = read(f"# Lamp\n\n{steps}")
    assert [unit.steps for unit in units] == [(1,), (2,), (3,)]
    [link] = units[2].links
    assert link.target and place_in(link.target, units) is units[1]


@pytest.mark.parametrize(
    "table",
    [
        "| Audience | Severity |\n|---|---|\n| DBA | high |\n| Night shift | low |\n",
        "| Lamp | What to do |\n|---|---|\n| Audience | Service desk |\n",
    ],
)
def test_whom_a_table_is_for_is_no_outcome(table: str) -> None:
    units = RuleExtractor().extract(Document("gate.md", f"# Gate\n\nLook at it.\n\n{table}")).units
    assert not [link for unit in units for link in unit.links if link.condition]


def test_steps_that_are_called_by_a_question_are_no_answers_to_questions() -> None:
    steps = "**Step 1: Is it plugged in?**\nLook at the plug.\n\n**Step 2: Is the bulb torn?**\nLook at it.\n"
    [unit] = read(f"# Lamp\n\n## It is dark\n\n{steps}")
    assert (unit.type, unit.steps) == (LogicUnitType.STEP, (1, 2))
