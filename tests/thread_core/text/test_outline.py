import pytest

from thread_core.text.headings import LONGEST_NAME, slug
from thread_core.text.markdown import parse
from thread_core.text.outline import Outline, outline
from thread_core.text.promises import Role
from thread_core.text.steps import step_named
from thread_core.text.tables import numbered_rows


def cut(text: str, document_id: str = "guides/disk.md", title: str = "") -> Outline:
    return outline(parse(text), document_id, title)


def paths(text: str) -> list[tuple[str, ...]]:
    """The paths of the sections that hold something."""
    return [section.path for section in cut(text).sections if section.blocks]


def anchors(text: str) -> list[str]:
    return [section.anchor for section in cut(text).sections if section.heading]


def role(heading: str) -> Role:
    """The role that a heading gives to its section, in a document that has steps elsewhere."""
    return cut(f"# T\n\n## Steps\n\nDo.\n\n## {heading}\n\ntext").sections[-1].role


class TestPath:
    def test_it_stands_in_no_path(self) -> None:
        assert paths("# T\n\na\n\n## One\n\nb\n\n### Two\n\nc") == [(), ("One",), ("One", "Two")]

    def test_front_matter_s_title_takes_the_place_of_a_missing_top_heading(self) -> None:
        assert paths("---\ntitle: T\n---\n## One\n\na\n\n## Two\n\nb") == [("One",), ("Two",)]

    def test_what_a_template_quotes_is_a_section_s_name(self) -> None:
        sections = cut('# T\n\n## {{< section "prerequisites" >}}\n\na\n\n## Use {{ product }}\n\nb').sections
        found = [(section.title, section.role) for section in sections[2:]]
        assert found == [("prerequisites", Role.PREREQUISITE), ("Use", Role.STEP)]

    def test_a_template_that_quotes_nothing_is_a_section_s_name_as_it_stands(self) -> None:
        assert paths("# T\n\n## {{ name }}\n\na") == [("{{ name }}",)]

    def test_a_name_without_end_is_cut(self) -> None:
        plan = cut("# " + "long " * 500 + "\n\ntext\n\n## " + "x" * 5000 + "\n\ntext")
        assert (len(plan.title), len(plan.sections[-1].title)) == (LONGEST_NAME - 1, LONGEST_NAME)


class TestCases:
    @pytest.mark.parametrize(
        "asked",
        ["Which lamp is lit?", "Go on depending on the state of the lamp.", "What to do depends on which one is lit."],
    )
    def test_headings_below_what_asks_for_the_case_are_cases(self, asked: str) -> None:
        found = paths(
            f"# Pump\n\n## Look\n\nOpen it. {asked}\n\n### It stays red\n\nPress it.\n\n### It stays off\n\nTurn it.\n"
        )
        assert found == [("Look",), ("Look", "In case of It stays red"), ("Look", "In case of It stays off")]

    @pytest.mark.parametrize(
        "titles", [("1. If it is red", "2. If it is off"), ("Method 1", "Method 2"), ("Press it", "Turn it")]
    )
    def test_headings_that_tell_by_themselves_what_they_are_for_stay_as_they_are(self, titles: tuple[str, str]) -> None:
        one, other = titles
        text = f"# Pump\n\n## Look\n\nIt depends on the lamp.\n\n### {one}\n\nPress it.\n\n### {other}\n\nTurn it.\n"
        assert [path[-1] for path in paths(text)] == ["Look", one, other]


class TestAnchors:
    @pytest.mark.parametrize(
        ("heading", "anchor"),
        [
            ("Method 2: use the CLI", "method-2-use-the-cli"),
            ("2.4 Journal", "24-journal"),
            ("`df` & `du`", "df--du"),
            ("Über_alles", "über_alles"),
            ("u\u0308ber", "\u00fcber"),
            ("प्रिंटर", "प्रिंटर"),
            ("⚠️ Stop", "-stop"),
            ("???", ""),
        ],
    )
    def test_a_slug_is_what_code_hosts_make_of_a_heading(self, heading: str, anchor: str) -> None:
        assert slug(heading.replace("`", "")) == anchor

    def test_a_heading_that_repeats_is_numbered(self) -> None:
        assert anchors("# T\n## Fix\n## Fix\n## fix") == ["", "fix", "fix-1", "fix-2"]

    @pytest.mark.parametrize("attributes", ["{#mend}", "{: #Mend .wide }", "{ #mend }", "{/* #mend */}"])
    def test_a_heading_says_itself_what_its_anchor_is(self, attributes: str) -> None:
        found = cut(f"# Disk\n\n## Repair it {attributes}\n\nDo it.\n")
        assert [(one.title, one.anchor) for one in found.sections if one.title] == [("Repair it", "mend")]
        assert found.ids == {"repair-it": "mend"}

    def test_attributes_that_name_no_anchor_are_no_part_of_it(self) -> None:
        assert anchors("# Disk\n\n## Repair it {.wide}\n\nDo it.\n\n## Set {name}\n") == ["", "repair-it", "set-name"]

    def test_a_name_above_a_heading_is_one_more_anchor(self) -> None:
        text = "# Disk\n\nRead it.\n\n(mend)=\n\n## Repair\n\nDo it.\n"
        assert cut(text).ids == {"mend": "repair"}
        assert "(mend)=" not in "".join(block.text for section in cut(text).sections for block in section.blocks)

    def test_a_number_never_meets_a_heading_that_is_called_so(self) -> None:
        assert anchors("# T\n## Fix\n## Fix 1\n## Fix\n## Fix") == ["", "fix", "fix-1", "fix-2", "fix-3"]

    def test_the_title_s_slug_is_taken(self) -> None:
        assert anchors("# Fix\n## Fix") == ["", "fix-1"]

    def test_what_follows_a_fold_has_the_anchor_of_the_section_around_it(self) -> None:
        text = "# T\n## Fix\na\n## Fix\nb\n\n<details>\n<summary>S</summary>\n\nc\n\n</details>\n\nd"
        assert [section.anchor for section in cut(text).sections if section.blocks] == ["fix", "fix-1", "s", "fix-1"]


class TestPseudoHeadings:
    @pytest.mark.parametrize("line", ["**Workaround**", "**Workaround**:", "**Workaround:**", "__Workaround__"])
    def test_a_bold_line_heads_what_follows(self, line: str) -> None:
        assert paths(f"# T\n\na\n\n{line}\n\nb") == [(), ("Workaround",)]

    @pytest.mark.parametrize(
        "line",
        [
            "**Do not do this.**",
            "**Stop!**",
            "**Note**",
            "**Important:**",
            "**Warning: the data is lost**",
            "**Part** of it",
            "**" + "x" * 91 + "**",
            "**Two\nlines**",
            ":",
        ],
    )
    def test_emphasis_and_notes_head_nothing(self, line: str) -> None:
        assert paths(f"# T\n\na\n\n{line}\n\nb") == [()]

    @pytest.mark.parametrize("announcement", ["Select:", "First,"])
    def test_a_bold_line_that_is_announced_is_its_end(self, announcement: str) -> None:
        assert paths(f"# T\n\n{announcement}\n\n**Settings**\n\nb") == [()]

    @pytest.mark.parametrize("line", ["Prerequisites:", "Equipment:", "Steps:", "Solution:"])
    def test_a_line_that_names_a_kind_of_section_heads_what_follows(self, line: str) -> None:
        assert paths(f"# T\n\na\n\n{line}\n\nb") == [(), (line[:-1],)]

    @pytest.mark.parametrize(
        "begins",
        ["To oil it:\n\n- Dip.", "To oil it, open the tin.", "Dip twice:\n\n1. Down.", "1. Dip.", "Open the tin."],
    )
    def test_a_procedure_ends_the_prerequisites_that_a_line_heads(self, begins: str) -> None:
        assert paths(f"# T\n\n## A\n\n**Tools:**\n\n- A brush.\n\n{begins}") == [("A", "Tools"), ("A",)]

    @pytest.mark.parametrize(
        "further", ["- A tin.", "You need a tin.", "Ensure that it is dry.", "To the left:\n\n- A.", "On the bench:"]
    )
    def test_what_else_must_hold_stays_with_the_prerequisites(self, further: str) -> None:
        assert paths(f"# T\n\n## A\n\n**Tools:**\n\nA brush.\n\n{further}") == [("A", "Tools")]

    def test_a_heading_holds_all_prerequisites_below_it(self) -> None:
        assert paths("# T\n\n## Tools\n\n- A brush.\n\nTo clean it:\n\n1. Dip.") == [("Tools",)]

    @pytest.mark.parametrize("line", ["Note:", "Follow these steps:", "Fix it:", "Press this button:", "Steps", ":"])
    def test_a_line_that_announces_heads_nothing(self, line: str) -> None:
        assert paths(f"# T\n\na\n\n{line}\n\nb") == [()]

    @pytest.mark.parametrize("kind", ["Method", "Step", "option"])
    def test_lines_with_the_name_and_number_of_a_method_head_what_follows(self, kind: str) -> None:
        text = f"# T\n\n**New**\n\n{kind} 1: Use the menu\n\na\n\n**Note that**\n\nb\n\n{kind} 2: Use the keys\n\nc"
        first, second = f"{kind} 1: Use the menu", f"{kind} 2: Use the keys"
        assert paths(text) == [("New", first), ("New", first, "Note that"), ("New", second)]

    @pytest.mark.parametrize(
        "lines",
        [
            ["Step 1: Use the menu", "Step 2: Use the keys"],
            ["Step 1: Use the menu", "a"],
            ["Step 1: Use the menu.", "a", "Step 2: Use the keys.", "b"],
            ["Step 1: Use\nthe menu", "a", "Step 2: Use\nthe keys", "b"],
            ["Step 1: " + "x" * 90, "a", "Step 2: " + "x" * 90, "b"],
            ["See step 1: Use the menu", "a", "See step 2: Use the keys", "b"],
        ],
    )
    def test_other_lines_with_a_number_head_nothing(self, lines: list[str]) -> None:
        assert paths("# T\n\n" + "\n\n".join(lines)) == [()]

    def test_a_bold_line_stands_under_any_heading(self) -> None:
        text = "# T\n\n**A**\n\na\n\n###### Deep\n\n**B**\n\nb\n\n## Next\n\nc"
        assert paths(text) == [("A",), ("Deep", "B"), ("Next",)]

    def test_a_fold_is_a_section_up_to_its_end(self) -> None:
        text = (
            "# T\n\n## Remove\n\nbefore\n\n<details>\n<summary><b>Credentials</b></summary>\n\ninside\n\n"
            "**More**\n\nmore inside\n\n</details>\n\nafter"
        )
        assert paths(text) == [("Remove",), ("Remove", "Credentials"), ("Remove", "Credentials", "More"), ("Remove",)]

    def test_folds_side_by_side_are_sections_side_by_side(self) -> None:
        fold = "<details>\n<summary>{0}</summary>\n\n{0}\n\n</details>\n"
        text = fold.format("A") + fold.format("B") + "\nc"
        assert paths(text) == [("A",), ("B",), ()]

    def test_a_fold_in_a_fold_is_a_section_of_it(self) -> None:
        inner = "<details>\n<summary>B</summary>\n\nb\n\n**Bold**\n\nc\n"
        text = f"# T\n\n<details>\n<summary>A</summary>\n\n**Label**\n\na\n\n{inner}\n</details>\n</details>\n\nd"
        inside = ("A", "Label", "B")
        assert paths(text) == [("A", "Label"), inside, (*inside, "Bold"), ()]

    def test_what_follows_a_fold_in_a_fold_is_the_outer_one_s(self) -> None:
        inner = "<details>\n<summary>B</summary>\n\nb\n\n</details>\n"
        text = f"# T\n\n<details>\n<summary>A</summary>\n\na\n\n{inner}\nc\n\n</details>\n\nd"
        assert paths(text) == [("A",), ("A", "B"), ("A",), ()]

    def test_a_fold_without_a_name_ends_no_other(self) -> None:
        text = "# T\n\n<details>\n<summary>A</summary>\n\n<details>\n\na\n\n</details>\n\nb\n\n</details>\n\nc"
        assert paths(text) == [("A",), ()]

    def test_folds_do_not_pile_up(self) -> None:
        opened = "<details>\n<summary>A</summary>\n\na\n\n" * 500
        assert max(map(len, paths(opened + "</details>\n\n" * 500))) < 10

    def test_a_fold_after_one_whose_end_was_forgotten_stands_beside_it(self) -> None:
        fold = "<details>\n<summary>{0}</summary>\n\n{0}\n\n"
        text = "# T\n\n" + fold.format("A") + fold.format("B") + "</details>\n\nc"
        assert paths(text) == [("A",), ("B",), ()]

    def test_a_fold_of_one_block_keeps_its_words(self) -> None:
        text = "# T\n\n<details><summary>A</summary>inside</details>\n\nafter"
        sections = cut(text).sections
        assert [(s.path, s.heading, [b.text for b in s.blocks]) for s in sections if s.blocks] == [
            (("A",), None, ["<details><summary>A</summary>inside</details>"]),
            ((), None, ["after"]),
        ]

    def test_a_fold_without_a_summary_is_no_section(self) -> None:
        assert paths("# T\n\n<details>\n\na\n\n</details>\n\nb") == [()]

    def test_a_tab_is_named_by_its_words(self) -> None:
        text = "# T\n\n### [Error 1](#tab/Error-1)\n\na\n\n### [Error 1](#tab/Error-1)\n\nb"
        named = [("In case of Error 1",), ("In case of Error 1",)]
        assert (paths(text), anchors(text)) == (named, ["", "error-1", "error-1-1"])

    def test_a_rule_ends_the_last_tab(self) -> None:
        text = "# T\n\n### [A](#tab/a)\n\na\n\n---\n\n### [B](#tab/b)\n\n#### C\n\nb\n\n---\n\nc"
        assert paths(text) == [("In case of A",), ("In case of B", "C"), ()]

    def test_a_rule_ends_no_other_section(self) -> None:
        text = "# T\n\n### [A](#tab/a)\n\na\n\n## [B](b.md)\n\nb\n\n---\n\nc"
        assert paths(text) == [("In case of A",), ("B",)]

    def test_a_setext_heading_is_a_heading(self) -> None:
        text = "Disk\n====\n\na\n\nCause\n-----\n\nb"
        assert [(s.path, s.heading) for s in cut(text).sections if s.heading] == [((), (1, 2)), (("Cause",), (6, 7))]


class TestRoles:
    @pytest.mark.parametrize(
        ("heading", "expected"),
        [
            ("Prerequisites", Role.PREREQUISITE),
            ("1. Before you begin", Role.PREREQUISITE),
            ("What you'll need", Role.PREREQUISITE),
            ("What you will need", Role.PREREQUISITE),
            ("Before you get started", Role.PREREQUISITE),
            ("Before starting", Role.PREREQUISITE),
            ("System requirements", Role.PREREQUISITE),
            ("Prerequisites and requirements", Role.PREREQUISITE),
            ("Required roles", Role.PREREQUISITE),
            ("Tools needed", Role.PREREQUISITE),
            ("Materials", Role.PREREQUISITE),
            ("Parts and tools", Role.PREREQUISITE),
            ("Ingredients", Role.PREREQUISITE),
            ("Things you need", Role.PREREQUISITE),
            ("Access required", Role.PREREQUISITE),
            ("Requirements for the night shift", Role.PREREQUISITE),
            ("Abbreviations used", Role.TERMINOLOGY),
            ("Other resources", Role.APPENDIX),
            ("What next?", Role.APPENDIX),
            ("Table of contents", Role.APPENDIX),
            ("In this article", Role.APPENDIX),
            ("Common root causes", Role.BACKGROUND),
            ("Symptoms of a leak", Role.BACKGROUND),
            ("Symptom 2", Role.BACKGROUND),
            ("Cause 1", Role.BACKGROUND),
            ("Most common reason", Role.BACKGROUND),
            ("Possible reason 2", Role.BACKGROUND),
            ("Reason for the noise", Role.BACKGROUND),
            ("Cause 1: a worn belt", Role.STEP),
            ("Impact on guests", Role.BACKGROUND),
            ("Alert description", Role.BACKGROUND),
            ("Description of the pump", Role.BACKGROUND),
            ("How it works", Role.BACKGROUND),
            ("Limitations", Role.BACKGROUND),
            ("Add a description", Role.STEP),
            ("Enter details", Role.STEP),
            ("How it works out for you", Role.STEP),
            ("Key terms", Role.TERMINOLOGY),
            ("Glossary of terms", Role.TERMINOLOGY),
            ("Definitions and abbreviations", Role.TERMINOLOGY),
            ("Common questions", Role.FAQ),
            ("FAQs about returns", Role.FAQ),
            ("Questions & answers", Role.FAQ),
            ("Useful links", Role.APPENDIX),
            ("Related issues", Role.APPENDIX),
            ("Applicable versions", Role.APPENDIX),
            ("Affected products", Role.APPENDIX),
            ("Related", Role.APPENDIX),
            ("Contact us", Role.APPENDIX),
            ("What's next", Role.APPENDIX),
            ("Revision history", Role.APPENDIX),
            ("Tips and tricks", Role.APPENDIX),
            ("Summary", Role.APPENDIX),
            ("Why it happens", Role.BACKGROUND),
            ("Why a clean filter is important", Role.BACKGROUND),
            ("Why must I clean the filter?", Role.STEP),
            ("Steps to reproduce the leak", Role.BACKGROUND),
            ("Steps to repair the leak", Role.STEP),
            ("Expected result", Role.BACKGROUND),
            ("Affected pumps and hoses:", Role.APPENDIX),
            ("Affected models", Role.APPENDIX),
            ("Environment", Role.APPENDIX),
            ("Set up the environment", Role.STEP),
            ("Related readings in our manual:", Role.APPENDIX),
            ("When to use this method", Role.BACKGROUND),
            ("Safety instructions", Role.BACKGROUND),
            ("Error message", Role.BACKGROUND),
            ("Glossary", Role.TERMINOLOGY),
            ("FAQ", Role.FAQ),
            ("Frequently asked questions", Role.FAQ),
            ("See also", Role.APPENDIX),
            ("Appendix A: names", Role.APPENDIX),
            ("More information", Role.APPENDIX),
            ("Meaning", Role.BACKGROUND),
            ("Root cause", Role.BACKGROUND),
            ("What is a queue?", Role.BACKGROUND),
            ("Mitigation", Role.STEP),
            ("How to resolve it", Role.STEP),
            ("Method 1", Role.STEP),
            ("Anything else", Role.STEP),
            ("1 2 3 4 5", Role.STEP),
        ],
    )
    def test_a_heading_promises_a_role(self, heading: str, expected: Role) -> None:
        assert role(heading) is expected

    def test_a_section_without_a_promise_has_the_role_of_the_one_above(self) -> None:
        sections = cut("# T\n\n## Steps\n\na\n\n## Symptoms\n\nb\n\n### On the node\n\nc").sections
        assert [section.role for section in sections if section.path] == [Role.STEP, Role.BACKGROUND, Role.BACKGROUND]

    @pytest.mark.parametrize(
        "above",
        ["Symptoms", "What does the light say?", "Causes", "Error messages", "Overview", "Safety", "Why is it dark?"],
    )
    @pytest.mark.parametrize(
        "below",
        [
            "1. Press the button.\n2. Wait.",
            "- If it is hot, wait an hour.\n- If it is cold, press the button.",
            "| Colour | What to do |\n|---|---|\n| Red | Press the button |",
            "Press the button. If it stays dark, change the bulb.",
        ],
    )
    def test_what_a_section_has_outweighs_what_a_heading_above_it_is_called(self, above: str, below: str) -> None:
        text = f"# T\n\n## {above}\n\n### The lamp is off\n\n{below}\n\n### The maker\n\nWe make lamps."
        assert [section.role for section in cut(text).sections if section.blocks] == [Role.STEP, Role.BACKGROUND]

    def test_sections_beside_most_that_have_steps_are_steps_too(self) -> None:
        steps = "".join(f"### {name}\n\n1. Press it.\n\n" for name in ("Off", "Dim"))
        text = f"# T\n\n## Symptoms\n\n{steps}### Blinking\n\nThat is the timer. Press it.\n\n## Impact\n\nNo light."
        roles = [section.role for section in cut(text).sections if section.blocks]
        assert roles == [Role.STEP, Role.STEP, Role.STEP, Role.BACKGROUND]

    @pytest.mark.parametrize(
        ("heading", "below", "expected"),
        [
            ("Error messages", "| Code | What to do |\n|---|---|\n| E1 | Restart it |\n| E2 | Contact us |", Role.STEP),
            ("Error messages", "| Code | Meaning |\n|---|---|\n| E1 | No water |\n| E2 | Too hot |", Role.BACKGROUND),
            ("Symptoms", "- It is off: press the button.\n- It blinks: change the bulb.", Role.STEP),
            ("Symptoms", "- It is off: no light comes.\n- It blinks: it is broken.", Role.BACKGROUND),
            ("Symptoms", "1. Open the lid.\n2. Close the lid.\n\nThe lamp stays dark.", Role.BACKGROUND),
            ("What does 'dim' mean?", "1. Open the lid.\n2. Change the bulb.", Role.STEP),
            ("Safety", "- If it is hot, open the lid.\n- If it smells, stop it.", Role.BACKGROUND),
            ("Meaning", "- If it is hot, the lamp is red.\n- If it is cold, the lamp is green.", Role.BACKGROUND),
        ],
    )
    def test_a_section_of_cases_and_what_to_do_is_no_description(
        self, heading: str, below: str, expected: Role
    ) -> None:
        text = f"# T\n\n## {heading}\n\n{below}\n\n## Fix\n\n1. Open it."
        assert [section.role for section in cut(text).sections if section.blocks] == [expected, Role.STEP]

    @pytest.mark.parametrize("above", ["Steps to reproduce it", "How to reproduce it"])
    def test_what_is_done_to_reproduce_something_stays_told(self, above: str) -> None:
        text = f"# T\n\n## {above}\n\n### In the new version\n\n1. Press the button.\n\n## Fix\n\n1. Open it."
        assert [section.role for section in cut(text).sections if section.blocks] == [Role.BACKGROUND, Role.STEP]

    def test_words_under_the_title_are_background_where_steps_follow(self) -> None:
        assert [s.role for s in cut("# T\n\nabout\n\n## Steps\n\nDo.").sections if s.blocks] == [
            Role.BACKGROUND,
            Role.STEP,
        ]

    @pytest.mark.parametrize("text", ["Do it.", "# T\n\nDo it.", "# T\n\n1. Do it.\n2. Check."])
    def test_a_document_without_sections_is_a_procedure(self, text: str) -> None:
        assert [section.role for section in cut(text).sections if section.blocks] == [Role.STEP]


@pytest.mark.parametrize("text", ["", "\n\n", "#", "**", "<summary></summary>", "<details>\n<summary>", "</details>"])
def test_a_document_without_a_heading_has_no_path(text: str) -> None:
    assert {section.path for section in cut(text).sections} == {()}


@pytest.mark.parametrize(
    ("asked", "heads", "are_cases"),
    [
        ("Which lamp is lit?", ("The red one", "The green one"), True),
        ("Look at the lamps. What do you see?", ("Red", "Green"), True),
        ("Is the lamp red or green?", ("Red", "Green"), True),
        ("Is it lit?", ("Yes", "No, it is dark"), True),
        ("Is it lit?", ("Red", "Green"), False),
        ("What now?", ("Red", "Green"), False),
        ("Which lamp is lit? Wait.", ("Red", "Green"), False),
        ("Which lamp is lit?", ("Red",), False),
        ("Which steps are next?", ("Open the lid", "Close the lid"), False),
        ("Which way is best?", ("Method 1", "Method 2"), False),
        ("Which system is it?", ("Windows", "Linux"), False),
    ],
)
def test_headings_below_a_question_may_be_its_answers(asked: str, heads: tuple[str, ...], are_cases: bool) -> None:
    text = f"# T\n\n## Look\n\n{asked}\n\n" + "".join(f"**{head}**\n\nWait.\n\n" for head in heads)
    named = (
        tuple(head if head.startswith(("Yes", "No")) else f"In case of {head}" for head in heads)
        if are_cases
        else heads
    )
    assert paths(text + "## End\n\nGo.")[1:] == [*(("Look", name) for name in named), ("End",)]


def test_what_stands_in_an_answer_keeps_its_place() -> None:
    text = "## Look\n\nWhich?\n\n### Red\n\n#### Lid\n\nOpen.\n\n### Green\n\nWait."
    red = ("Look", "In case of Red")
    assert paths(f"# T\n\n{text}")[1:] == [(*red, "Lid"), ("Look", "In case of Green")]
    assert anchors(f"# T\n\n{text}")[2:] == ["red", "lid", "green"]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Step 1: loosen", 1),
        ("step 12. Loosen", 12),
        ("Step 3 - Loosen", 3),
        ("(Step 3)", 3),
        ("Step 4", 4),
        ("Step 2 of 3: loosen", 2),
        ("Step 2 of the guide", None),
        ("Steps 1 and 2", None),
        ("Step 1.5 loosen", None),
        ("See step 1: it tells", None),
        ("", None),
    ],
)
def test_a_step_may_be_called_by_its_number(text: str, number: int | None) -> None:
    assert step_named(text) == number


@pytest.mark.parametrize(
    ("head", "cells", "numbers"),
    [
        ("Step", ("1", "2."), {3: 1, 4: 2}),
        ("#", ("Step 1", "Step 2"), {3: 1, 4: 2}),
        ("No.", ("1", "two"), {}),
        ("Blinks", ("1", "2"), {}),
        ("", ("1", "2"), {3: 1, 4: 2}),
        ("", ("2", "1"), {}),
        ("Step", ("1", ""), {3: 1}),
        ("Step", ("NaN", "2"), {4: 2}),
        ("Unnamed: 0", ("1", "2"), {3: 1, 4: 2}),
    ],
)
def test_the_first_column_of_a_table_may_number_its_rows(
    head: str, cells: tuple[str, str], numbers: dict[int, int]
) -> None:
    table = parse(f"| {head} | Do |\n|---|---|\n| {cells[0]} | a |\n| {cells[1]} | b |\n").blocks[0]
    assert numbered_rows(table) == numbers
