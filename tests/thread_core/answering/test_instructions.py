"""What a document tells the reader to do, as a flat list, and what several documents tell together."""

from __future__ import annotations

import pytest

from tests.thread_core.guides import units_of
from thread_core import Span
from thread_core.answering.instructions import Instruction, Repeat, procedure, without
from thread_core.models import LogicUnit


def told(text: str) -> list[str]:
    return [one.text for one in procedure(units_of(text)).instructions]


def test_headings_without_anything_below_them_are_told() -> None:
    steps = "# Lamp\n\n### Step 1: Unplug it\n\n![](a.png)\n\n### Step 2: Wait 30 seconds\n\n### Result\n"
    assert told(steps) == ["Unplug it", "Wait 30 seconds"]


def test_what_is_struck_out_is_not_told() -> None:
    steps = "# Lamp\n\n1. Unplug it. ~~Shake it.~~\n2. <del>Press the button.</del>\n3. ~~Wait.~~\n4. Plug it in.\n"
    assert told(steps) == ["Unplug it.", "Plug it in."]


def test_of_what_is_not_english_nothing_is_left_out() -> None:
    german = """\
# Pumpe

Ziehen Sie den Stecker, und warten Sie eine Minute.

1. Ist der Filter voll?
   - Ja: Filter reinigen mit:

     ```sh
     pumpe spülen
     ```

   - Nein: Klappe schließen.

> Achtung: Die Klappe ist heiß.

| Lampe | Maßnahme |
|---|---|
| rot | Filter tauschen |
"""
    assert told(german) == [
        "Ziehen Sie den Stecker, und warten Sie eine Minute.",
        "Ist der Filter voll?",
        "Ja: Filter reinigen mit:\n\n```sh\npumpe spülen\n```",
        "Nein: Klappe schließen.",
        "Achtung: Die Klappe ist heiß.",
        "rot: Filter tauschen",
    ]
    assert told("# 水泵\n\n首先拔下插头。然后等待一分钟。\n\n- 清洁过滤器。\n- 合上盖子。\n") == [
        "首先拔下插头。然后等待一分钟。",
        "清洁过滤器。",
        "合上盖子。",
    ]


# -- one document --------------------------------------------------------------------------------------------------


def test_items_are_instructions_with_their_lines_and_code_stays_verbatim() -> None:
    text = """\
# Lamp

1. Open the **cover**.
2. Read the state:

   ```sh
   lampctl  state --all   # two spaces
   ```

3. Close it with `lampctl close`.
"""
    assert procedure(units_of(text, "lamp.md")).instructions == (
        Instruction(text="Open the **cover**.", citations=(Span("lamp.md", 3, 3),)),
        Instruction(
            text="Read the state:\n\n```sh\nlampctl  state --all   # two spaces\n```",
            citations=(Span("lamp.md", 4, 8),),
        ),
        Instruction(text="Close it with `lampctl close`.", citations=(Span("lamp.md", 10, 10),)),
    )


def test_there_are_no_sublists() -> None:
    text = """\
# Lamp

1. Prepare the lamp:
   - Remove the plug.
   - Let it cool.

     Wait 5 minutes.
2. Choose one of the modes:
   * bright
   * dim;
3. Switch it on.
"""
    assert told(text) == [
        "Prepare the lamp:",
        "Remove the plug.",
        "Let it cool.",
        "Wait 5 minutes.",
        "Choose one of the modes: bright; dim",
        "Switch it on.",
    ]


def test_of_a_list_in_which_few_items_tell_something_these_are_taken() -> None:
    text = "# Lamp\n\n## Signs\n\n- The lamp is old. Replace it. It is cheap.\n- It is dark.\n- It is hot.\n"
    assert told(text) == ["Replace it."]


def test_what_announces_steps_is_none() -> None:
    assert told("# Lamp\n\nFollow these steps:\n\n1. Unplug it.\n2. Turn it.\n") == ["Unplug it.", "Turn it."]


def test_of_prose_the_sentences_that_tell_something_are_taken() -> None:
    text = """\
# Lamp

## Fix

The lamp is old. Remove the bulb, please. It may be hot.

In the *Mode* box, type `dim`. If it stays dark, press the button. You should replace the bulb.
For more information, see [Bulbs](bulbs.md). You can find bulbs in any shop.
"""
    assert told(text) == [
        "Remove the bulb, please.",
        "In the *Mode* box, type `dim`.",
        "If it stays dark, press the button.",
        "You should replace the bulb.",
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "Read the display.",
        "Then carefully take out the bulb.",
        "Unplug it.",
        "Rinse `a.conf` and brush it.",
        "If it hums, feed the pump.",
        "Press Enter.",
    ],
)
def test_a_verb_with_its_object_is_an_instruction(sentence: str) -> None:
    assert told(f"# Lamp\n\n## Fix\n\nThe lamp is old. {sentence}\n") == [sentence]


@pytest.mark.parametrize(
    "sentence",
    [
        "Logs the pump writes fill the disk.",
        "Restarting the pump takes a minute.",
        "Is the pump old?",
        "Therefore the pump stops.",
        "Given a pump, all is well.",
        "Nothing the pump does helps.",
    ],
)
def test_other_words_with_one_are_none(sentence: str) -> None:
    assert told(f"# Lamp\n\n## Fix\n\nOpen it. {sentence}\n") == ["Open it."]


def test_notes_and_what_programs_print_are_left_out() -> None:
    text = """\
# Lamp

1. Run `lampctl state`. Note: Do not touch it.

   > [!NOTE]
   > Check the cable first.

   Example output:

   ```console
   state: on
   ```

   **Important:** Run it as root.
2. Close it.
"""
    assert told(text) == ["Run `lampctl state`.", "Close it."]


def test_code_below_words_that_tell_nothing_is_to_be_run_where_it_can_be() -> None:
    text = "# Lamp\n\n## Look\n\nThe state of the lamp:\n\n```sh\nlampctl state\n```\n\nThe log has:\n\n```\nE17\n```\n"
    assert told(text) == ["The state of the lamp:\n\n```sh\nlampctl state\n```"]


@pytest.mark.parametrize(
    "announced",
    [
        "You can read the state with:",
        "You can look at its logs by running the following command:",
        "To read the state:",
        "Then, to read the state, type in this command:",
        "Next, regardless of the mode, run these commands:",
        "And take the lid off, then run this command to read the state:",
    ],
)
@pytest.mark.parametrize("language", ["", "console"])
def test_code_that_words_ask_the_reader_to_run_is_told_whatever_its_fence_says(announced: str, language: str) -> None:
    code = f"```{language}\nlampctl state\n```"
    assert told(f"# Lamp\n\n## Look\n\nIt is old.\n\n{announced}\n\n{code}\n") == [f"{announced}\n\n{code}"]


@pytest.mark.parametrize(
    "said", ["You can see this in its log:", "The output of the command:", "The log has an entry:"]
)
def test_code_that_words_show_is_not(said: str) -> None:
    assert told(f"# Lamp\n\n## Look\n\nOpen it.\n\n{said}\n\n```console\nE17\n```\n") == ["Open it."]


def test_code_between_the_numbered_items_of_a_list_belongs_to_the_one_above() -> None:
    text = "# Lamp\n\n1. Open a shell\n```\nsh\n```\n2. Read the state\n\n```\nlampctl state\n```\n"
    assert told(f"{text}\nIt has:\n\n```\non\n```\n") == [
        "Open a shell\n\n```\nsh\n```",
        "Read the state\n\n```\nlampctl state\n```",
    ]


def test_a_paragraph_of_code_alone_belongs_to_what_is_to_be_done_with_it() -> None:
    text = (
        "# Lamp\n\n## Edit the settings\n\n`lampctl edit  settings`\n\nType this in a shell:\n\n`lampctl apply now`\n"
    )
    assert told(f"{text}\nIt says:\n\n`lamp is on`\n") == [
        "Edit the settings\n\n`lampctl edit  settings`",
        "Type this in a shell:\n\n`lampctl apply now`",
    ]


def test_a_heading_that_says_what_to_do_is_told_where_nothing_below_it_does() -> None:
    text = """\
# Lamp

## 1) Drain the tank

... because of the pressure.

## 2) Read the logs of the lamp

The exact error is in there.

```console
lampctl logs --all
```

Look for a number.

## 3) Wash it

Brush the lamp.

## 4) Results

That's it.
"""
    assert told(text) == [
        "Drain the tank",
        "Read the logs of the lamp\n\n```console\nlampctl logs --all\n```",
        "Look for a number.",
        "Brush the lamp.",
    ]


def test_a_fence_in_code_does_not_end_it() -> None:
    text = "# Lamp\n\n1. Write:\n\n   ~~~~md\n   ```sh\n   ls\n   ```\n   ~~~~\n"
    assert told(text) == ["Write:\n\n~~~md\n```sh\nls\n```\n~~~"]


def test_a_table_is_rows_that_tell_something_or_belongs_to_what_announces_it() -> None:
    rows = "# Lamp\n\n## Signs\n\n| Sign | Remedy |\n|---|---|\n| red | Press `Reset`. |\n| green | none |\n"
    assert told(rows) == ["red: Press `Reset`."]
    table = "| Mode | Value |\n|---|---|\n| dim | 1 |"
    assert told(f"# Lamp\n\n## Mode\n\nSet the value of the mode:\n\n{table}\n") == [
        f"Set the value of the mode:\n\n{table}"
    ]


def test_the_condition_of_a_heading_or_of_the_sentence_above_stands_with_each() -> None:
    text = """\
# Lamp

## If the lamp is dark

1. Turn the bulb.

## On Windows

Start `lamp.exe`.

## Check

If the fuse is blown:

- Replace the fuse.
- Press the button.
"""
    assert [(one.when, one.text) for one in procedure(units_of(text)).instructions] == [
        ("the lamp is dark", "Turn the bulb."),
        ("On Windows", "Start `lamp.exe`."),
        ("the fuse is blown", "Replace the fuse."),
        ("the fuse is blown", "Press the button."),
    ]


def test_one_of_several_ways_is_named_and_a_numbered_case_is_a_case() -> None:
    text = """\
# Lamp

## 1. If the lamp is dark

Turn the bulb.

## Case 2: the lamp flickers

Press the button.

## 2. Method 1: Brush it

### Step 1: Open it

Take the lid off.

## Method 2

Take the lid off. Replace the lamp.
"""
    assert [(one.when, one.text) for one in procedure(units_of(text)).instructions] == [
        ("the lamp is dark", "Turn the bulb."),
        ("the lamp flickers", "Press the button."),
        ("Method 1: Brush it", "Take the lid off."),
        ("Method 2", "Take the lid off."),
        ("Method 2", "Replace the lamp."),
    ]


def test_a_document_may_tell_the_same_twice_but_not_twice_in_a_row() -> None:
    text = "# Lamp\n\n1. Press the red button.\n2. Press the red button.\n3. Wait.\n4. Press the red button.\n"
    assert told(text) == ["Press the red button.", "Wait.", "Press the red button."]


def test_background_and_terms_tell_nothing() -> None:
    background = units_of("# Lamp\n\n## Meaning\n\nCheck the lamp.\n")
    assert [unit.type for unit in background] == ["background"]
    assert procedure(background).instructions == ()


def test_a_body_that_begins_inside_of_a_list_is_read_as_one() -> None:
    unit = units_of("# Lamp\n\n1. Open it.\n2. Close it.\n")[0]
    inside = unit.model_copy(update={"body": "      - Turn the bulb.\n      - Wait.\n"})
    assert [(one.text, str(one.citations[0])) for one in procedure([inside]).instructions] == [
        ("Turn the bulb.", "pump.md:3"),
        ("Wait.", "pump.md:4"),
    ]


def test_a_rewritten_body_is_cited_whole() -> None:
    unit = units_of("# Lamp\n\n1. Open it.\n2. Close it.\n")[0]
    rewritten = unit.model_copy(update={"body": "Open it.\n\nClose it.", "rewritten": True})
    assert {str(one.citations[0]) for one in procedure([rewritten]).instructions} == {"pump.md:3-4"}


def test_the_lines_of_twins_are_cited_too() -> None:
    unit = units_of("# Lamp\n\n1. Open it.\n")[0]
    elsewhere = Span("torch.md", 7, 7)
    with_twin = unit.model_copy(update={"spans": (*unit.spans, elsewhere)})
    assert procedure([with_twin]).instructions[0].citations == (Span("pump.md", 3, 3), elsewhere)


# -- several documents ---------------------------------------------------------------------------------------------

WINDOWS = """\
# Reset the password on a PC

1. Open the settings of your account.
2. Select **Security**.
3. Press `Ctrl+R` to begin.
4. Wait 5 minutes for the code.
5. Enter the code that came by mail.
"""
MAC = """\
# Reset the password on a notebook

1. Open the settings of your account.
2. Select **Security**.
3. Press `Cmd+R` to begin.
4. Wait 10 minutes for the code.
5. Allow the camera.
6. Enter the code that came by mail.
"""


def both(one: str = WINDOWS, other: str = MAC) -> tuple[LogicUnit, ...]:
    return (*units_of(one, "pc.md"), *units_of(other, "notebook.md"))


def test_common_steps_are_one_and_what_differs_in_a_fact_is_an_alternative() -> None:
    listed = procedure(both()).instructions
    assert [(one.text, [str(span) for span in one.citations]) for one in listed] == [
        ("Open the settings of your account.", ["pc.md:3", "notebook.md:3"]),
        ("Select **Security**.", ["pc.md:4", "notebook.md:4"]),
        ("Press `Ctrl+R` to begin.", ["pc.md:5"]),
        ("Wait 5 minutes for the code.", ["pc.md:6"]),
        ("Allow the camera.", ["notebook.md:7"]),
        ("Enter the code that came by mail.", ["pc.md:7", "notebook.md:8"]),
    ]
    assert [(other.text, other.source, *map(str, other.citations)) for one in listed for other in one.alternatives] == [
        ("Press `Cmd+R` to begin.", "Reset the password on a notebook", "notebook.md:5"),
        ("Wait 10 minutes for the code.", "Reset the password on a notebook", "notebook.md:6"),
    ]


def test_what_a_document_says_already_is_named_by_its_lines() -> None:
    repeats = procedure(both()).repeats
    (unit,) = units_of(MAC, "notebook.md")
    assert repeats == {
        unit.id: (
            Repeat(1, 1, Span("pc.md", 3, 3)),
            Repeat(2, 2, Span("pc.md", 4, 4)),
            Repeat(6, 6, Span("pc.md", 7, 7)),
        )
    }
    assert without(unit.body, repeats[unit.id]) == (
        "(As in pc.md:3-4.)\n"
        "3. Press `Cmd+R` to begin.\n"
        "4. Wait 10 minutes for the code.\n"
        "5. Allow the camera.\n"
        "(As in pc.md:7.)"
    )


def test_a_third_document_that_says_as_the_second_is_named_with_it() -> None:
    tablet = units_of(MAC.replace("notebook", "tablet"), "tablet.md")
    listed = procedure((*both(), *tablet)).instructions
    assert [other.source for one in listed for other in one.alternatives] == [
        "Reset the password on a notebook; Reset the password on a tablet"
    ] * 2
    assert [str(span) for span in listed[0].citations] == ["pc.md:3", "notebook.md:3", "tablet.md:3"]


@pytest.mark.parametrize(
    "other",
    [
        "Do not open the settings of your account.",
        "Open the settings of your account with `sudo`.",
        "Open the settings of account 7.",
    ],
)
def test_denials_codes_and_numbers_make_another_step(other: str) -> None:
    changed = MAC.replace("Open the settings of your account.", other)
    first, *_ = procedure(both(other=changed)).instructions
    assert [str(span) for span in first.citations] == ["pc.md:3"]


def test_different_procedures_stay_apart_though_they_share_a_step() -> None:
    other = "# Print\n\n1. Choose a printer.\n2. Open the settings of your account.\n3. Load the paper tray.\n"
    listed = procedure(both(other=other)).instructions
    assert [one.text for one in listed] == [*told(WINDOWS), *told(other)]
    assert procedure(both(other=other)).repeats == {}


def test_another_condition_makes_another_step() -> None:
    one = "# A\n\n## On Windows\n\n1. Open the settings of your account.\n"
    other = "# B\n\n## On a Mac\n\n1. Open the settings of your account.\n"
    assert [one.when for one in procedure(both(one, other)).instructions] == ["On Windows", "On a Mac"]


def test_a_body_without_repeats_is_itself() -> None:
    assert without("One.\n\nTwo.", []) == "One.\n\nTwo."


def test_what_is_nested_without_end_is_read_as_far_as_a_person_would() -> None:
    deep = units_of("# Lamp\n\n1. Open it.\n")[0].model_copy(update={"body": f"Open it.\n\n{'> ' * 3000}Close it.\n"})
    assert [one.text for one in procedure([deep]).instructions] == ["Open it."]
