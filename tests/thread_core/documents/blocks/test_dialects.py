"""What documentation generators write, read as the Markdown that means the same."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thread_core import Document, RuleExtractor
from thread_core.documents.blocks.dialects import HINTS, in_commonmark, only_opens_or_closes
from thread_core.documents.blocks.source import Source
from thread_core.documents.code import codes
from thread_core.models import LogicUnit

TABS = {
    "MkDocs": '=== "Linux"\n\n    1. Open a terminal.\n\n=== "Windows"\n\n    1. Open the menu.\n\n',
    "MkDocs, chosen first": "===+ 'Linux'\n    1. Open a terminal.\n===+ 'Windows'\n    1. Open the menu.\n\n",
    "MkDocs, folded": '??? note "Linux"\n\n    1. Open a terminal.\n\n???+ "Windows"\n\n    1. Open the menu.\n\n',
    "Docusaurus": (
        '<Tabs groupId="os">\n<TabItem value="linux" label="Linux" default>\n\n1. Open a terminal.\n\n</TabItem>\n'
        "<TabItem value='win' label='Windows'>\n\n1. Open the menu.\n\n</TabItem>\n</Tabs>\n\n"
    ),
    "Mintlify": (
        '<Tabs>\n  <Tab title="Linux">\n\n1. Open a terminal.\n\n  </Tab>\n  <Tab title="Windows">\n\n'
        "1. Open the menu.\n\n  </Tab>\n</Tabs>\n\n"
    ),
    "Hugo": (
        '{{< tabs name="os" >}}\n{{% tab name="Linux" %}}\n\n1. Open a terminal.\n\n{{% /tab %}}\n'
        '{{% tab name="Windows" %}}\n\n1. Open the menu.\n\n{{% /tab %}}\n{{< /tabs >}}\n\n'
    ),
    "GitBook": (
        '{% tabs %}\n{% tab title="Linux" %}\n1. Open a terminal.\n{% endtab %}\n\n{% tab title="Windows" %}\n'
        "1. Open the menu.\n{% endtab %}\n{% endtabs %}\n\n"
    ),
    "MyST": (
        "::::{tab-set}\n\n:::{tab-item} Linux\n1. Open a terminal.\n:::\n\n:::{tab-item} Windows\n1. Open the menu.\n"
        ":::\n\n::::\n\n"
    ),
    "MyST, between backticks": (
        "`````{tab-set}\n:sync-group: os\n\n````{tab-item} Linux\n:sync: linux\n\n1. Open a terminal.\n````\n\n"
        "````{tab-item} Windows\n1. Open the menu.\n````\n`````\n\n"
    ),
    "MyST, in no set": "```{tab} Linux\n1. Open a terminal.\n```\n```{tab} Windows\n1. Open the menu.\n```\n\n",
    "MyST, folded": (
        "```{dropdown} Linux\n:open:\n\n1. Open a terminal.\n```\n~~~{dropdown} Windows\n1. Open the menu.\n~~~\n\n"
    ),
    "Starlight, indented": (
        '<Tabs syncKey="os">\n  <TabItem label="Linux" icon="linux">\n    1. Open a terminal.\n  </TabItem>\n'
        '  <TabItem label="Windows">\n\n    1. Open the menu.\n\n  </TabItem>\n</Tabs>\n\n'
    ),
    "VitePress, folded": (
        "::: details Linux\n1. Open a terminal.\n:::\n\n::: details Windows\n1. Open the menu.\n:::\n\n"
    ),
}
BOXES = {
    "MkDocs": "!!! warning\n    If it hums, press Reset.\n\n    Then wait.\n",
    "MkDocs, titled": '!!! danger "Mind your hands"\n\n    If it hums, press Reset.\n\n    Then wait.\n',
    "MkDocs, folded": "??? tip\n    If it hums, press Reset.\n\n    Then wait.\n",
    "MkDocs, beside": "!!! note inline end\n    If it hums, press Reset.\n\n    Then wait.\n",
    "Docusaurus": ":::note Mind your hands\n\nIf it hums, press Reset.\n\nThen wait.\n\n:::\n",
    "VuePress": "::: warning\nIf it hums, press Reset.\n\nThen wait.\n:::\n",
    "MyST": ":::{tip}\nIf it hums, press Reset.\n\nThen wait.\n:::\n",
    "MyST, between backticks": "```{tip}\n:class: dropdown\nIf it hums, press Reset.\n\nThen wait.\n```\n",
    "Quarto": "::: {.callout-note}\nIf it hums, press Reset.\n\nThen wait.\n:::\n",
    "an alert of Hugo": '{{< alert type="note" >}}\nIf it hums, press Reset.\n\nThen wait.\n{{< /alert >}}\n',
    "Hugo": "{{< note >}}\nIf it hums, press Reset.\n\nThen wait.\n{{< /note >}}\n",
    "Liquid": "{% warning %}\n\nIf it hums, press Reset.\n\nThen wait.\n\n{% endwarning %}\n",
}


def units_of(text: str) -> tuple[LogicUnit, ...]:
    return RuleExtractor().extract(Document("pump.md", text)).units


@pytest.mark.parametrize("tabs", TABS.values(), ids=TABS)
def test_a_tab_is_a_section_below_the_one_in_which_it_stands(tabs: str) -> None:
    text = f"# Pump\n\n## Start it\n\n{tabs}Then wait.\n"
    units = units_of(text)
    assert [unit.section for unit in units] == [("Start it", "Linux"), ("Start it", "Windows"), ("Start it",)]
    assert [unit.body.strip() for unit in units] == ["1. Open a terminal.", "1. Open the menu.", "Then wait."]
    assert [unit.prerequisites for unit in units] == [("Linux",), ("Windows",), ()]
    held = {number for unit in units for span in unit.spans for number in range(span.start, span.end + 1)}
    assert held >= {number for number, line in enumerate(text.splitlines(), start=1) if line.strip()}


@pytest.mark.parametrize("box", BOXES.values(), ids=BOXES)
def test_a_box_is_read_and_stays_with_the_step_in_which_it_stands(box: str) -> None:
    (unit,) = units_of(f"# Pump\n\nStart the pump.\n\n{box}")
    assert [(link.condition, link.query) for link in unit.links] == [("it hums", "press Reset.")]
    assert unit.body.endswith(("Then wait.", ":::", "```"))
    inside = "".join(f"    {line}\n" if line else "\n" for line in box.splitlines())
    (unit,) = units_of(f"# Pump\n\n1. Start the pump.\n\n{inside}\n2. Open the valve.\n")
    assert unit.steps == (1, 2)
    assert [link.condition for link in unit.links] == ["it hums"]


def test_tabs_are_cases_of_the_step_before_them_and_what_is_unfolded_is_none() -> None:
    tabs = '=== "Hand pump"\n\n    Turn it.\n\n=== "Motor pump"\n\n    Press it.\n\n'
    before, hand, motor, after = units_of(f"# Pump\n\n## Start it\n\nPut it down.\n\n{tabs}Then wait.\n")
    assert [(link.condition, link.target.place) for link in before.links if link.target][:2] == [
        ("Hand pump", hand.place),
        ("Motor pump", motor.place),
    ]
    assert [link.target.place for unit in (hand, motor) for link in unit.links if link.target] == [after.place] * 2
    folds = '??? tip "How it works"\n\n    It turns.\n\n::: details Its parts\nThe wheel.\n:::\n'
    assert [unit.section for unit in units_of(f"# Pump\n\nPut it down.\n\n{folds}")][1:] == [
        ("How it works",),
        ("Its parts",),
    ]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (
            ":::note\n:::note\nMind.\n:::\nWait.\n:::\nGo.\n",
            "> [!NOTE]\n> > [!NOTE]\n> > Mind.\n>\n> Wait.\n\nGo.\n",
        ),
        (
            "````{note}\n```\n:::tip\n```\nMind.\n````\nGo.\n",
            "> [!NOTE]\n> ```\n> :::tip\n> ```\n> Mind.\n\nGo.\n",
        ),
        ("```{note}\nMind.\n````\nGo.\n", "> [!NOTE]\n> Mind.\n\nGo.\n"),
        (
            '<Tab title="a">\n  ```yaml\n  a:\n b\n  ```\n  Go.\n</Tab>\nWait.\n',
            "# [a](#tab/)\n```yaml\na:\nb\n```\nGo.\n\nWait.\n",
        ),
    ],
    ids=[
        *("a box in a like box", "code in a box", "more marks close a box", "code in tags may be indented less"),
    ],
)
def test_what_stands_in_tabs_and_boxes_ends_where_they_end(text: str, read: str) -> None:
    assert in_commonmark(text) == read


def test_headings_in_a_tab_stand_below_it() -> None:
    text = (
        '# Pump\n\n## Start it\n\n=== "Old pump"\n\n    ### Prepare\n\n    Oil it.\n\n    ### Begin\n\n    Turn it.\n\n'
    )
    text += '=== "New pump"\n\n    Press Start.\n\n## Stop it\n\nPress Stop.\n'
    assert [unit.section for unit in units_of(text)] == [
        ("Start it", "In case of Old pump", "Prepare"),
        ("Start it", "In case of Old pump", "Begin"),
        ("Start it", "In case of New pump"),
        ("Stop it",),
    ]


@pytest.mark.parametrize(
    "text",
    [
        *('```md\n=== "Linux"\n\n    1. Open it.\n```\n', 'Title\n===\n\n=== "a" and\n', "<TabItem>\n"),
        *("1. ```md\n   :::note\n   ```\n\n   :::image source='a.png':::\n", "::: unheard-of\nx\n:::\n", ":::\n"),
        *("```{code-block} sh\n.. tab:: a\n\n   b\n```\n", ".. image:: a.png\n   :alt: a\n"),
        *("```{note} Mind `this`\n", ":sync: a\n"),
        *("{% include note.html %}\n{{< param note >}}\n", "!!! Do not stop the pump !!!\n"),
        ":::zone pivot='a'\n\nx\n\n:::zone-end\n" * 20,
    ],
)
def test_everything_else_stays_as_it_is(text: str) -> None:
    assert in_commonmark(text) == text


def test_code_in_a_tab_is_found_where_it_stands() -> None:
    text = (
        'Äpfel\n\n=== "Linux"\n\n    Run `ls`:\n\n    ```sh\n    if ä; then\n      df\n    fi\n    ```\n\nRun `du`.\n'
    )
    found = codes(Source(text))
    assert [code.text for code in found] == ["ls", "if ä; then\n  df\nfi\n", "du"]
    assert [[text[start:end] for start, end in code.ranges] for code in found] == [
        ["ls"],
        ["if ä; then\n", "  df\n", "fi\n"],
        ["du"],
    ]
    assert [code.line for code in found] == [5, 8, 13]


def test_what_is_nested_too_deep_is_left_as_it_is() -> None:
    text = "".join(f"{' ' * 4 * depth}!!! note\n" for depth in range(200))
    assert max(map(len, in_commonmark(text).splitlines())) <= max(map(len, text.splitlines()))


@pytest.mark.parametrize("opening", ["{{< note >}}", '{{% warning "hot" %}}', "{% tip %}", ":::note"])
def test_a_box_that_is_never_closed_holds_no_further_section(opening: str) -> None:
    text = f"# Pump\n\n## Start it\n\n{opening}\n\nMind your hands.\n\n## Stop it\n\n1. Press Stop.\n"
    assert [(unit.section, unit.steps) for unit in units_of(text)] == [(("Start it",), ()), (("Stop it",), (1,))]


@pytest.mark.parametrize(
    ("box", "quote"),
    [
        ('!!! tip inline "If it hums"\n    Stop it.\n', "> [!TIP] If it hums.\n> Stop it.\n>"),
        ('!!! warning "Don\'t stop it"\n    Wait.\n', "> [!WARNING] Don't stop it.\n> Wait.\n>"),
        ("::: tip TIP\nStop it.\n:::\n", "> [!TIP]\n> Stop it.\n\n"),
        (":::note[Mind!]\nStop it.\n:::\n", "> [!NOTE] Mind!\n> Stop it.\n\n"),
        ('{{< alert type="warning" >}}\nHot.\n{{< /alert >}}\n', "> [!WARNING]\n> Hot.\n\n"),
        ("{{< alert title='Hot' color='danger' >}}\nHot.\n{{< /alert >}}\n", "> [!DANGER]\n> Hot.\n\n"),
        ("{{< alert >}}\nHot.\n{{< /alert >}}\n", "> [!NOTE]\n> Hot.\n\n"),
    ],
)
def test_a_box_has_its_kind_and_its_title_is_a_sentence_of_its_own(box: str, quote: str) -> None:
    assert in_commonmark(box) == quote


@pytest.mark.parametrize(
    "tabs",
    [
        """=== "I don't use Docker"\n\n    Install it.\n\n=== 'The "new" pump'\n\n    Turn it.\n\n""",
        """<Tab title="I don't use Docker">\n\nInstall it.\n\n</Tab>\n<Tab title='The "new" pump'>\n\nTurn it.\n""",
        """{% tab title="I don't use Docker" %}\nInstall it.\n{% tab title='The "new" pump' %}\nTurn it.\n""",
        """{{< tab "I don't use Docker" >}}\nInstall it.\n{{< tab 'The "new" pump' >}}\nTurn it.\n""",
    ],
    ids=["MkDocs", "Mintlify", "GitBook", "Hugo"],
)
def test_a_title_ends_at_the_mark_with_which_it_began(tabs: str) -> None:
    units = units_of(f"# Pump\n\n## Start it\n\n{tabs}")
    assert [unit.section[1:] for unit in units] == [
        ("In case of I don't use Docker",),
        ('In case of The "new" pump',),
    ]


LINES = st.lists(
    st.sampled_from(
        [
            *(*HINTS, "", "    x", "        y", "```", "text", ":::", ":::: tabs", '=== "b"', "!!! note"),
            *("````{tab-set}", "```{tab-item} a", "````", "  :sync: a", '<Tab title="a">', "</Tab>", "## b"),
        ]
    ),
    max_size=30,
)


@given(LINES)
def test_no_line_comes_or_goes(lines: list[str]) -> None:
    assert len(in_commonmark("\n".join(lines)).split("\n")) == len("\n".join(lines).split("\n"))


@given(LINES)
def test_code_stands_where_it_is_said_to_stand(lines: list[str]) -> None:
    text = "\n".join(lines)
    for code in codes(Source(text)):
        assert "".join(text[start:end] for start, end in code.ranges).strip("\n") == code.text.strip("\n")


@pytest.mark.parametrize(
    "line",
    [
        *("````{tab-set}", "````", "~~~", ":::", ":::: tabs", "<Tabs>", "</TabItem>", "{% endtab %}", "   :sync: a"),
        ":class-content: b c",
    ],
)
def test_a_line_that_only_opens_or_closes_is_known(line: str) -> None:
    assert only_opens_or_closes(line)


@pytest.mark.parametrize("line", ['=== "a"', "```{note}", "```sh", ":warning: Stop it.", "</details>"])
def test_a_line_that_says_something_is_none_that_only_opens_or_closes(line: str) -> None:
    assert not only_opens_or_closes(line)


@pytest.mark.parametrize(
    "text",
    [
        *("```{tab} a\nx\n" * 20_000, '<Tab title="a">\n x\n' * 20_000),
        *("\n".join(" " * min(depth, 200) + '=== "a"' for depth in range(20_000)), "{{< tab" + " " * 50_000),
    ],
    ids=["fences", "tags", "ever deeper", "spaces in a tag"],
)
def test_what_nobody_closes_takes_linear_time(text: str) -> None:
    began = process_time()
    in_commonmark(text)
    assert process_time() - began < 5


@pytest.mark.parametrize("line", ["import Tabs from '@theme/Tabs';", 'import Tabs, {Tab} from "./tabs"'])
def test_lines_of_a_program_between_the_words_say_nothing(line: str) -> None:
    assert in_commonmark(f"{line}\n\n# T\n\nDo.\n") == "\n\n# T\n\nDo.\n"
    assert only_opens_or_closes(line)
    assert in_commonmark(f"```js\n{line}\n```\n") == f"```js\n{line}\n```\n"


@pytest.mark.parametrize("line", ["import the file from 'a'", "export the list", "import all data", "  import 'a'"])
def test_words_about_an_import_are_no_program(line: str) -> None:
    assert in_commonmark(f"# T\n\n{line}\n") == f"# T\n\n{line}\n"
