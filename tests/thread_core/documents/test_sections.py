import pytest

from thread_core.documents.blocks.markdown import parse
from thread_core.documents.forms.tables import numbered_rows
from thread_core.documents.headings import LONGEST_NAME, slug
from thread_core.documents.promises import Role
from thread_core.documents.sections import Outline, outline
from thread_core.documents.steps import step_named


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
        text = '# T\n\n## {{< section "prerequisites" >}}\n\na\n\n## Use {{ product }}\n\nb\n\n## {{ name }}\n\nc'
        found = [(section.title, section.role) for section in cut(text).sections[2:]]
        assert found == [("prerequisites", Role.PREREQUISITE), ("Use", Role.STEP), ("{{ name }}", Role.STEP)]

    def test_a_name_without_end_is_cut(self) -> None:
        plan = cut("# " + "long " * 500 + "\n\ntext\n\n## " + "x" * 5000 + "\n\ntext")
        assert (len(plan.title), len(plan.sections[-1].title)) == (LONGEST_NAME - 1, LONGEST_NAME)


class TestAnchors:
    @pytest.mark.parametrize(
        ("heading", "anchor"),
        [
            *(("Method 2: use the CLI", "method-2-use-the-cli"), ("2.4 Journal", "24-journal")),
            *(("`df` & `du`", "df--du"), ("Über_alles", "über_alles"), ("u\u0308ber", "\u00fcber")),
            *(("प्रिंटर", "प्रिंटर"), ("⚠️ Stop", "-stop"), ("???", "")),
        ],
    )
    def test_a_slug_is_what_code_hosts_make_of_a_heading(self, heading: str, anchor: str) -> None:
        assert slug(heading.replace("`", "")) == anchor

    @pytest.mark.parametrize(
        ("text", "found"),
        [
            ("# T\n## Fix\n## Fix\n## fix", ["", "fix", "fix-1", "fix-2"]),
            ("# T\n## Fix\n## Fix 1\n## Fix\n## Fix", ["", "fix", "fix-1", "fix-2", "fix-3"]),
            ("# Fix\n## Fix", ["", "fix-1"]),
            ("# Disk\n## Repair it {.wide}\n## Set {name}", ["", "repair-it", "set-name"]),
        ],
    )
    def test_a_heading_that_repeats_is_numbered_and_the_number_is_not_taken(self, text: str, found: list[str]) -> None:
        assert anchors(text) == found

    @pytest.mark.parametrize("attributes", ["{#mend}", "{: #Mend .wide }", "{ #mend }", "{/* #mend */}"])
    def test_a_heading_says_itself_what_its_anchor_is(self, attributes: str) -> None:
        found = cut(f"# Disk\n\n## Repair it {attributes}\n\nDo it.\n")
        assert [(one.title, one.anchor) for one in found.sections if one.title] == [("Repair it", "mend")]
        assert (found.ids["repair-it"], found.aliases) == ("mend", ("#mend",))

    def test_a_label_above_a_heading_is_its_anchor_and_a_name_for_other_documents(self) -> None:
        found = cut("(top)=\n# Disk\n\nRead it.\n\n(Mend)=\n\n## Repair\n\nDo it.\n\n(within)=\n\nWait.\n")
        assert [section.anchor for section in found.sections if section.blocks] == ["", "mend"]
        assert [found.ids[name] for name in ("top", "mend", "repair", "within")] == ["", "mend", "mend", "mend"]
        assert found.aliases == ("#top", "#mend")
        assert ")=" not in "".join(block.text for section in found.sections for block in section.blocks)

    def test_a_label_takes_no_other_heading_s_anchor(self) -> None:
        found = cut("# Disk\n\n(mend)=\n\n## Repair\n\na\n\n## Mend\n\nb\n")
        assert [section.anchor for section in found.sections if section.blocks] == ["repair", "mend"]
        assert (found.ids["mend"], found.aliases) == ("repair", ())

    def test_an_anchor_in_html_is_one_more_name(self) -> None:
        found = cut('# Disk\n\nRead it.\n\n<a id="mend"></a>\n\n## Repair\n\nDo it.\n')
        assert (found.ids["mend"], found.aliases) == ("repair", ())

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
            *("**Do not do this.**", "**Stop!**", "**Note**", "**Important:**", "**Warning: the data is lost**", ":"),
            *(
                "**Part** of it",
                "**" + "x" * 91 + "**",
                "**Two\nlines**",
                "Select:\n\n**Settings**",
                "First,\n\n**Set**",
            ),
            *("Note:", "Follow these steps:", "Fix it:", "Press this button:", "Steps"),
            *("Step 1: Use the menu\n\nStep 2: Use the keys", "Step 1: Use the menu"),
            *(
                "Step 1: Use the menu.\n\na\n\nStep 2: Use the keys.",
                "Step 1: Use\nthe menu\n\na\n\nStep 2: Use\nthe keys",
            ),
            "Step 1: " + "x" * 90 + "\n\na\n\nStep 2: " + "x" * 90,
            "See step 1: Use the menu\n\na\n\nSee step 2: Use the keys",
        ],
    )
    def test_emphasis_notes_and_what_announces_or_ends_a_sentence_head_nothing(self, line: str) -> None:
        assert paths(f"# T\n\na\n\n{line}\n\nb") == [()]

    @pytest.mark.parametrize("line", ["Prerequisites:", "Equipment:", "Steps:", "Solution:"])
    def test_a_line_that_names_a_kind_of_section_heads_what_follows(self, line: str) -> None:
        assert paths(f"# T\n\na\n\n{line}\n\nb") == [(), (line[:-1],)]

    @pytest.mark.parametrize(
        "begins",
        ["Dip twice:\n\n1. Down.", "1. Dip."],
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

    @pytest.mark.parametrize("kind", ["Method", "Step", "option"])
    def test_lines_with_the_name_and_number_of_a_method_head_what_follows(self, kind: str) -> None:
        text = f"# T\n\n**New**\n\n{kind} 1: Use the menu\n\na\n\n**Note that**\n\nb\n\n{kind} 2: Use the keys\n\nc"
        first, second = f"{kind} 1: Use the menu", f"{kind} 2: Use the keys"
        assert paths(text) == [("New", first), ("New", first, "Note that"), ("New", second)]

    def test_a_bold_line_stands_under_any_heading(self) -> None:
        text = "# T\n\n**A**\n\na\n\n###### Deep\n\n**B**\n\nb\n\n## Next\n\nc"
        assert paths(text) == [("A",), ("Deep", "B"), ("Next",)]

    def test_a_fold_is_a_section_up_to_its_end(self) -> None:
        text = (
            "# T\n\n## Remove\n\nbefore\n\n<details>\n<summary><b>Credentials</b></summary>\n\ninside\n\n"
            "**More**\n\nmore inside\n\n</details>\n\nafter"
        )
        assert paths(text) == [("Remove",), ("Remove", "Credentials"), ("Remove", "Credentials", "More"), ("Remove",)]

    @pytest.mark.parametrize(
        ("folds", "found"),
        [
            ("[A]a[/][B]b[/]c", [("A",), ("B",), ()]),
            ("[A]a[B]b", [("A",), ("B",)]),
            ("[A]**L**\n\na[B]b\n\n**M**\n\nc[//]d", [("A", "L"), ("A", "L", "B"), ("A", "L", "B", "M"), ()]),
            ("[A]a[B]b[/]c[/]d", [("A",), ("A", "B"), ("A",), ()]),
            ("[A][?]a[/]b[/]c", [("A",), ()]),
            ("[?]a[/]b", [()]),
        ],
    )
    def test_folds_stand_side_by_side_or_in_each_other(self, folds: str, found: list[tuple[str, ...]]) -> None:
        marks = {"[?]": "<details>", "[/]": "</details>", "[//]": "</details>\n</details>"}
        marks |= {f"[{name}]": f"<details>\n<summary>{name}</summary>" for name in "AB"}
        for mark, html in marks.items():
            folds = folds.replace(mark, f"\n\n{html}\n\n")
        assert paths(f"# T\n\n{folds}") == found

    def test_folds_do_not_pile_up(self) -> None:
        opened = "<details>\n<summary>A</summary>\n\na\n\n" * 500
        assert max(map(len, paths(opened + "</details>\n\n" * 500))) < 10

    def test_a_fold_of_one_block_keeps_its_words(self) -> None:
        text = "# T\n\n<details><summary>A</summary>inside</details>\n\nafter"
        sections = cut(text).sections
        assert [(s.path, s.heading, [b.text for b in s.blocks]) for s in sections if s.blocks] == [
            (("A",), None, ["<details><summary>A</summary>inside</details>"]),
            ((), None, ["after"]),
        ]

    def test_a_tab_is_named_by_its_words(self) -> None:
        text = "# T\n\n### [Error 1](#tab/Error-1)\n\na\n\n### [Error 1](#tab/Error-1)\n\nb"
        named = [("In case of Error 1",), ("In case of Error 1",)]
        assert (paths(text), anchors(text)) == (named, ["", "error-1", "error-1-1"])

    def test_a_rule_ends_the_last_tab(self) -> None:
        text = "# T\n\n### [A](#tab/a)\n\na\n\n---\n\n### [B](#tab/b)\n\n#### C\n\nb\n\n---\n\nc"
        assert paths(text) == [("In case of A",), ("In case of B", "C"), ()]
        assert paths("# T\n\n### [A](#tab/a)\n\na\n\n## [B](b.md)\n\nb\n\n---\n\nc") == [("In case of A",), ("B",)]


class TestRoles:
    @pytest.mark.parametrize(
        ("expected", "headings"),
        [
            (
                Role.PREREQUISITE,
                "Prerequisites | 1. Before you begin | What you'll need | Tools needed",
            ),
            (
                Role.PREREQUISITE,
                "System requirements | Required roles | Parts and tools | Ingredients",
            ),
            (Role.TERMINOLOGY, "Glossary of terms | Abbreviations used | Key terms | Definitions and abbreviations"),
            (
                Role.FAQ,
                "FAQ | Frequently asked questions | Common questions | FAQs about returns",
            ),
            (
                Role.APPENDIX,
                "See also | Appendix A: names | Table of contents | In this article | What's next",
            ),
            (Role.APPENDIX, "Related issues | Contact us | Revision history | Affected pumps and hoses: | Environment"),
            (
                Role.BACKGROUND,
                "Symptoms of a leak | Cause 1 | Common root causes | Impact on guests",
            ),
            (Role.BACKGROUND, "Description of the pump | How it works | Limitations | Meaning | What is a queue?"),
            (Role.BACKGROUND, "Why it happens | Steps to reproduce the leak | Expected result | Safety instructions"),
            (Role.STEP, "Mitigation | How to resolve it | Method 1 | Anything else | 1 2 3 4 5 | Cause 1: a worn belt"),
            (Role.STEP, "Add a description | Enter details | How it works out for you | Why must I clean the filter?"),
            (Role.STEP, "Steps to repair the leak | Set up the environment"),
        ],
    )
    def test_a_heading_promises_a_role(self, headings: str, expected: Role) -> None:
        for heading in headings.split(" | "):
            assert role(heading) is expected, heading

    def test_a_section_without_a_promise_has_the_role_of_the_one_above(self) -> None:
        sections = cut("# T\n\n## Steps\n\na\n\n## Symptoms\n\nb\n\n### On the node\n\nc").sections
        assert [section.role for section in sections if section.path] == [Role.STEP, Role.BACKGROUND, Role.BACKGROUND]

    @pytest.mark.parametrize(
        ("above", "heading", "below", "expected"),
        [
            ("Symptoms", "The lamp is off", "1. Press the button.\n2. Wait.", Role.STEP),
            ("Symptoms", "The lamp is off", "We make lamps.", Role.BACKGROUND),
            ("How to reproduce it", "In the new version", "1. Press the button.\n2. Wait.", Role.BACKGROUND),
            ("Why is it dark?", "Symptoms", "1. Open the lid.\n2. Close the lid.", Role.BACKGROUND),
        ],
    )
    def test_a_section_that_counts_steps_is_no_description_for_what_stands_above_it(
        self, above: str, heading: str, below: str, expected: Role
    ) -> None:
        text = f"# T\n\n## {above}\n\n### {heading}\n\n{below}\n\n## Fix\n\n1. Open it."
        assert [section.role for section in cut(text).sections if section.blocks] == [expected, Role.STEP]

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
    ("text", "number"),
    [
        *(("Step 1: loosen", 1), ("step 12. Loosen", 12), ("Step 3 - Loosen", 3), ("(Step 3)", 3), ("Step 4", 4)),
        *(("Step 2 of 3: loosen", 2), ("Step 2 of the guide", None), ("Steps 1 and 2", None)),
        *(("Step 1.5 loosen", None), ("See step 1: it tells", None), ("", None)),
    ],
)
def test_a_step_may_be_called_by_its_number(text: str, number: int | None) -> None:
    assert step_named(text) == number


@pytest.mark.parametrize(
    ("head", "cells", "numbers"),
    [
        *(("Step", ("1", "2."), {3: 1, 4: 2}), ("#", ("Step 1", "Step 2"), {3: 1, 4: 2}), ("No.", ("1", "two"), {})),
        *(("Blinks", ("1", "2"), {}), ("", ("1", "2"), {3: 1, 4: 2}), ("", ("2", "1"), {})),
        *(("Step", ("1", ""), {3: 1}), ("Step", ("NaN", "2"), {4: 2}), ("Unnamed: 0", ("1", "2"), {3: 1, 4: 2})),
    ],
)
def test_the_first_column_of_a_table_may_number_its_rows(
    head: str, cells: tuple[str, str], numbers: dict[int, int]
) -> None:
    table = parse(f"| {head} | Do |\n|---|---|\n| {cells[0]} | a |\n| {cells[1]} | b |\n").blocks[0]
    assert numbered_rows(table) == numbers
