import pytest

from thread_core.documents.blocks.plain import plain


@pytest.mark.parametrize(
    "box",
    [
        "> [!WARNING]\n> It is hot.",
        "> [!warning] It is hot.",
        ":::warning\nIt is hot.\n:::",
        "!!! warning\n    It is hot.",
        "{% warning %}\nIt is hot.\n{% endwarning %}",
        "{{< warning >}}\nIt is hot.\n{{< /warning >}}",
    ],
)
def test_a_box_is_a_paragraph_with_a_label(box: str) -> None:
    assert plain(f"Open it.\n\n{box}\n\nClose it.") == "Open it.\n\nWarning: It is hot.\n\nClose it."


def test_what_stands_in_a_box_is_kept() -> None:
    box = '!!! danger "Mind the lid"\n    It is hot.\n\n    - Wait.\n\n    ```sh\n    ls  [a](#b)\n    ```\n\nNext.'
    assert plain(box) == "Danger: Mind the lid. It is hot.\n\n- Wait.\n\n```sh\nls  [a](#b)\n```\n\nNext."


def test_boxes_one_after_the_other_have_a_label_each() -> None:
    assert plain("> [!NOTE]\n> One.\n\n> [!TIP]\n> - Two.") == "Note: One.\n\nTip: - Two."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See [the lid](#lid).", "See the lid."),
        ("See [the *lid*](lid.md#open) and ![a lid](lid.png).", "See the *lid* and a lid."),
        ("See [`lid`](../lid.md).", "See `lid`."),
        ("See [the lid](https://lid.example/#a).", "See [the lid](https://lid.example/#a)."),
        ("Write [us](mailto:a@b.example).", "Write [us](mailto:a@b.example)."),
        ("Run `[a](#b)` or ``[a](#b)``.", "Run `[a](#b)` or ``[a](#b)``."),
        ("Take [1] (red).", "Take [1] (red)."),
        (
            r"Run setup\_v2\.exe from \\\srv-01\share$\x, \[a](#b).",
            r"Run setup_v2.exe from \\srv-01\share$\x, [a](#b).",
        ),
        (r"Run `a\_b` in [C:\\\_tmp](#a).", r"Run `a\_b` in C:\_tmp."),
        (
            r"Type \\srv\share, del C:\temp\*.log, \d+\.\d+, \\`a`.",
            r"Type \\srv\share, del C:\temp\*.log, \d+\.\d+, \`a`.",
        ),
        (r"Type C:\temp\\\*.log and \\\\srv\\share.", r"Type C:\temp\*.log and \\srv\share."),
        (r"| a \| b | Wait<br>a day<br/>or two |", r"| a \| b | Wait / a day / or two |"),
    ],
)
def test_a_mark_that_says_nothing_to_a_person_is_words(text: str, expected: str) -> None:
    assert plain(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Run:\n\n    ls [a](#b)\n\nThen:\n\n```\n> [!NOTE]\n:::tip\n[a](#b)\n```",
        "> **Note:** It is hot.\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\na. One\nb. Two",
        "",
        "\n",
    ],
)
def test_code_and_other_markdown_are_kept(text: str) -> None:
    assert plain(text) == text


def test_a_tab_is_a_label() -> None:
    assert (
        plain('Open it.\n\n=== "Linux"\n\n    Run `ls`.\n\nClose it.')
        == "Open it.\n\nLinux:\n\n    Run `ls`.\n\nClose it."
    )
