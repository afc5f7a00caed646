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
        *_, diagnosis, mitigation, _ = read(self.text)
        assert diagnosis.header == "Disk full: Diagnosis: Show how full the disks are"
        assert (diagnosis.title, diagnosis.section, diagnosis.steps) == ("Disk full", ("Diagnosis",), (1, 2, 3, 4))
        assert diagnosis.body == "\n".join(self.text.split("\n")[15:26])
        assert [unit.prerequisites for unit in (diagnosis, mitigation)] == [("You hold the role op.", "A window."), ()]

    def test_links_lead_where_the_words_say(self) -> None:
        assert links(read(self.text)[3]) == [
            ("CONTINUE", "every disk is below 80 %", "#diagnosis:4"),
            ("CONTINUE", "the journal is large", "#mitigation"),
            ("CROSS", "not: the journal is large", "../collect.md#steps"),
            ("CONTINUE", "", "mitigation/1"),
        ]
        assert links(read(self.text)[4]) == [("ESCALATE", "it grows again (Shrink the journal)", "")]
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

    def test_its_sections_become_units_whose_headers_have_no_numbers(self) -> None:
        assert shape(self.text) == [
            "step 11-read-the-date/1 7-7",
            "step 12-read-the-issuer/1 11-15",
            "step 2-renew/1 19-19",
        ]
        assert [unit.header for unit in read(self.text)] == [
            "Rotate a certificate: Look: Read the date: Run a",
            "Rotate a certificate: Look: Read the issuer: Read it",
            "Rotate a certificate: Renew: Run b",
        ]
        assert [span.start for span in read(self.text)[0].spans] == [1, 3, 5, 7]
        assert links(read(self.text)[1]) == [
            ("CONTINUE", "the issuer is ours", "#12-read-the-issuer:3"),
            ("CONTINUE", "the issuer is another", "#2-renew"),
            ("CONTINUE", "", "2-renew/1"),
        ]

    @pytest.mark.parametrize(
        ("numbers", "steps"),
        [
            *((("1.", "1.", "1."), (1, 2, 3)), (("1.", "2.", "4."), (1, 2, 4)), (("3.", "4.", "5."), (3, 4, 5))),
            *(
                (("1)", "2)", "3)"), (1, 2, 3)),
                (("-", "-", "-"), ()),
                (("1.", "2.", "\nThen:\n\n1.", "2."), (1, 2, 1, 2)),
            ),
        ],
    )
    def test_steps_are_numbered_as_a_reader_sees_them(self, numbers: tuple[str, ...], steps: tuple[int, ...]) -> None:
        text = "# T\n\n## Steps\n\n" + "\n".join(f"{number} Do it." for number in numbers)
        assert only(text).steps == steps

    def test_a_long_procedure_is_cut_between_its_steps_and_a_step_too_long_to_read_at_once_taken_apart(self) -> None:
        text = "# T\n\n## Steps\n\n" + "\n".join(f"{number}. {'word ' * 60}" for number in range(1, 7))
        units = read(text)
        assert [unit.steps for unit in units] == [(1, 2), (3, 4), (5, 6)]
        long = "# T\n\n## Steps\n\n1. Start.\n\n" + "".join(f"   {'word ' * 100}\n\n" for _ in range(3)) + "2. End.\n"
        assert [unit.steps for unit in read(long)] == [(1,), (), (2,)]
        assert [links(unit) for unit in units] == [
            [("CONTINUE", "", "steps/2")],
            [("CONTINUE", "", "steps/3")],
            [],
        ]

    def test_a_step_keeps_its_code_wherever_the_procedure_is_cut(self) -> None:
        step = "{}. " + "word " * 110 + "\n\n   ```sh\n   run\n   ```\n\n"
        text = "# T\n\n## Steps\n\n" + "".join(step.format(number) for number in range(1, 5))
        assert ["   ```sh\n   run\n   ```" in unit.body for unit in read(text)] == [True] * 4


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

    def test_a_small_table_is_one_unit_and_each_row_a_case(self) -> None:
        assert shape(self.text) == ["background /1 3-3", "step checks/1 7-12", "step a-member/1 16-16"]
        assert links(read(self.text)[1]) == [
            ("CONTINUE", "Members", "#a-member"),
            ("ESCALATE", "Listener", ""),
            ("CROSS", "Certificate", "rotate.md#"),
            ("CONTINUE", "Disk", "checks/1"),
            ("CONTINUE", "", "a-member/1"),
        ]

    @pytest.mark.parametrize(
        ("head", "cut"),
        [("Do", [[(5, 6), (7, 8)], [(5, 6), (9, 10)]]), ("name " * 300, [[(5, 6)], [(7, 8)], [(9, 10)]])],
        ids=["under the head", "a head that is too long is not repeated"],
    )
    def test_a_large_table_is_cut_between_its_rows(self, head: str, cut: list[list[tuple[int, int]]]) -> None:
        rows = "".join(f"| {number} | {'word ' * 60}|\n" for number in range(1, 5))
        units = read(f"# T\n\n## Checks\n\n| # | {head} |\n|---|---|\n{rows}")
        assert [[(span.start, span.end) for span in unit.body_spans] for unit in units] == cut
        assert [unit.start for unit in units] == [spans[-1][0] for spans in cut]


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

    def test_headings_that_state_conditions_are_the_branches_of_the_step_before_them(self) -> None:
        before, grows, stable, _ = read(self.text)
        assert links(before)[:4] == [
            ("CONTINUE", "the line ends in paused", "getting-an-impression/1"),
            ("CONTINUE", "not: the line ends in paused", "getting-an-impression/1"),
            ("CONTINUE", "the queue grows", "if-the-queue-grows/1"),
            ("CONTINUE", "the queue is stable", "if-the-queue-is-stable/1"),
        ]
        assert [condition for _, condition, _ in links(grows)] == ["they stop again (Count the consumers)", ""]
        assert links(grows)[-1] == ("CONTINUE", "", "afterwards/1")
        assert links(stable)[0] == ("RESOLVED", "the oldest message is young", "")

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

    @pytest.mark.parametrize(
        ("said", "found"),
        [
            ("1. Skip step 2.\n2. b\n3. c", [("CONTINUE", "", "#steps:3")]),
            ("1. If it is full, repeat step 1.", [("CONTINUE", "it is full", "#steps:1")]),
            ("If it is full, go to [the guide](b.md#c).", [("CROSS", "it is full", "b.md#c")]),
            ("If it is full, see [below](#Later).", [("CONTINUE", "it is full", "#later")]),
            ("See <https://a.example/b>.", [("CROSS", "", "https://a.example/b#")]),
            ("If it is full, the issue is resolved.", [("RESOLVED", "it is full", "")]),
            ("If it is full, contact support.", [("ESCALATE", "it is full", "")]),
            ("If it is full, tell the team, and the issue is resolved.", [("RESOLVED", "it is full", "")]),
            ("1. If it is full, free some space.", [("CONTINUE", "it is full", "steps/1")]),
            ("1. **Disk full**: free some space", [("CONTINUE", "Disk full", "steps/1")]),
            (
                "See the guide. If /a is full, see [the guide](b.md). If /b is full, see [the guide](c.md).",
                [("CROSS", "/a is full", "b.md#"), ("CROSS", "/b is full", "c.md#")],
            ),
            ("[pod debug](a/pod.md) [gather](a/all.md)", [("CROSS", "", "a/pod.md#"), ("CROSS", "", "a/all.md#")]),
            *(("Do it, then go to Method 7.", []), ("![p](p.png) [![q](q.png)]() Look.", [])),
        ],
    )
    def test_a_sentence_is_a_link(self, said: str, found: list[tuple[str, str, str]]) -> None:
        assert links(only(f"# T\n\n## Steps\n\n{said}\n")) == found

    @pytest.mark.parametrize(
        ("said", "goal"),
        [
            *(("go to step 2b", "#oil:2"), ("go to step 2.2", "#oil:2"), ("repeat steps 2-4", "#oil:2")),
            *(("go to step 3.2", "#32-dry"), ("return to step 4a", "#step-4a-shut"), ("go to step 5c", "oil/1")),
        ],
    )
    def test_a_part_of_a_step_is_a_section_or_in_its_step(self, said: str, goal: str) -> None:
        steps = f"1. Open it.\n2. Oil it:\n   1. Shake.\n   2. Pour.\n3. Look. If it hums, {said}.\n"
        text = f"# T\n\n## Oil\n\n{steps}\n## 3.2 Dry\n\n1. Wipe.\n\n## Step 4a: Shut\n\n1. Shut.\n"
        found = [link for link in links(read(text)[0]) if link[1].startswith("it hums")]
        assert [where for _, _, where in found] == [goal]

    def test_a_part_of_a_step_may_be_an_item_below_its_heading(self) -> None:
        text = "# T\n\n## Step 2: Oil\n\na. Shake.\nb. Pour.\nc. If it hums, go to step 2b.\n\n## Step 3\n\nShut it.\n"
        assert links(read(text)[0])[0] == ("CONTINUE", "it hums", "#step-2-oil:2")

    @pytest.mark.parametrize(
        "said",
        [
            *("Select **View** > **Fit to page**.", "- **View** > **Fit to page** > **All**", "- *View* > *All*"),
            "1. Open **View** -> **Fit to page**.",
        ],
    )
    def test_a_path_of_menus_leads_nowhere(self, said: str) -> None:
        assert links(read(f"# T\n\n## Look\n\n{said}\n\n## Fit to page\n\n1. Fit.\n")[0]) == [
            ("CONTINUE", "", "fit-to-page/1")
        ]

    def test_after_what_is_repeated_it_goes_on(self) -> None:
        text = (
            "# T\n\n## Oil\n\n1. Open it.\n2. Oil it.\n3. Repeat steps 1 and 2 for each lid.\n\n## Shut\n\n1. Shut.\n"
        )
        assert links(read(text)[0]) == [("CONTINUE", "", "#oil:1"), ("CONTINUE", "", "shut/1")]

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
        text = (
            "# T\n\n:::info Before you begin\nThe address of the proxy. The role. The role.\n:::\n\n## Steps\n\nDo.\n"
        )
        assert read(text)[-1].prerequisites == ("The address of the proxy.", "The role.")


class TestOtherSections:
    @pytest.mark.parametrize(
        ("section", "units"),
        [
            (
                "Glossary\n\n**CA**: signs.\n\n**CSR**: asks.",
                ["terminology glossary/1 9-9", "terminology glossary/2 11-11"],
            ),
            (
                "FAQ\n\n### How?\n\n1. So.\n2. Or so.\n\n### Why?\n\nBecause.\n\nOf that.",
                ["faq how/1 11-12", "faq why/1 16-18"],
            ),
            ("FAQ\n\n**Q: How?**\nA: So.\n\n**Q: Why?**\nA: Because.", ["faq faq/1 9-10", "faq faq/2 12-13"]),
            ("Appendix A: names\n\nOne, two.", ["appendix appendix-a-names/1 9-9"]),
        ],
    )
    def test_terms_questions_and_appendices_are_looked_up_and_not_walked_through(
        self, section: str, units: list[str]
    ) -> None:
        text = f"# Guide\n\n## Steps\n\nDo.\n\n## {section}\n"
        assert shape(text) == ["step steps/1 5-5", *units]
        assert links(read(text)[0]) == []

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

    def test_what_repeats_or_is_of_another_document_has_another_id(self) -> None:
        first, _, third = read(self.text)
        assert first.body == third.body
        assert first.id != third.id
        assert set(self.ids(self.text)).isdisjoint(self.ids(self.text, "b.md"))

    def test_an_edit_of_one_step_leaves_the_other_ids(self) -> None:
        before, after = self.ids(self.text), self.ids(self.text.replace("Do that", "Try that"))
        assert [one == other for one, other in zip(before, after, strict=True)] == [True, False, True]

    @pytest.mark.parametrize(("old", "new"), [("\n\n", "\n\n\n\n"), ("\n", "\r\n")])
    def test_lines_that_move_and_line_ends_of_another_kind_leave_the_ids(self, old: str, new: str) -> None:
        assert self.ids(self.text.replace(old, new)) == self.ids(self.text)


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


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (
            "| Check | Yes | No |\n|---|---|---|\n| Is the lamp on? | Wait. | Call the help desk. |\n",
            [("Is the lamp on", "Wait."), ("not: Is the lamp on", "Call the help desk.")],
        ),
        (
            "| # | Check | If it fails |\n|---|---|---|\n| 1 | Ring. | Oil it. |\n| 2 | Pull. | Grease it. |\n",
            [("it fails (Ring)", "Oil it."), ("it fails (Pull)", "Grease it.")],
        ),
    ],
    ids=["answers", "failures"],
)
def test_a_column_says_in_which_case_its_cells_hold(table: str, expected: list[tuple[str, str]]) -> None:
    [unit] = read(f"# Gate\n\n## Look at it\n\n{table}")
    assert [(link.condition, link.query) for link in unit.links if link.condition] == expected


@pytest.mark.parametrize(
    ("sentence", "condition"),
    [
        ("If the lamp is then lit, write it down.", "the lamp is then lit"),
        ("If the lamp is lit then write it down.", "the lamp is lit"),
    ],
)
def test_then_ends_a_condition_that_is_whole(sentence: str, condition: str) -> None:
    [unit] = read(f"# Lamp\n\nPress the switch. {sentence}\n")
    assert unit.links[0].condition == condition


@pytest.mark.parametrize(
    ("sentence", "condition"),
    [
        ("If the label is `/`, `/srv` or `/var`, remove old images.", "the label is /, /srv or /var"),
        ("If you use Debian, Ubuntu or Linux Mint, the lamp has a driver.", "you use Debian, Ubuntu or Linux Mint"),
        ("If the lamp is dim, call the vendor and wait, then leave.", "the lamp is dim"),
        ("If the bulb hums, you will then need a socket, a bulb, or a cord.", "the bulb hums"),
    ],
    ids=["code", "names", "an instruction", "a list of what is needed"],
)
def test_a_comma_between_things_that_a_condition_lists_does_not_end_it(sentence: str, condition: str) -> None:
    [unit] = read(f"# Lamp\n\nPress the switch. {sentence}\n")
    assert [link.condition for link in unit.links] == [condition]


def test_steps_that_are_called_by_a_question_are_no_answers_to_questions() -> None:
    steps = "**Step 1: Is it plugged in?**\nLook at the plug.\n\n**Step 2: Is the bulb torn?**\nLook at it.\n"
    [unit] = read(f"# Lamp\n\n## It is dark\n\n{steps}")
    assert (unit.type, unit.steps) == (LogicUnitType.STEP, (1, 2))


def test_a_hyperlink_says_better_than_its_words_which_section_is_meant() -> None:
    text = (
        "# Fix\n\n1. If the disk is old, see [Resolution for Cause 2](#resolution-for-cause-2).\n\n## Cause 2\n\nAge.\n"
    )
    units = RuleExtractor().extract(Document("a.md", f"{text}\n## Resolution for Cause 2\n\nReplace it.\n")).units
    assert units[0].links[0].target == Target(anchor="resolution-for-cause-2")
