import re
from io import StringIO

import pytest
from rich.console import Console

from thread_core.models import Span
from thread_core.text.safe import clean, one_line
from thread_core.walk.rendering import Turn
from thread_core.walk.states import Status
from thread_rag.rendering import show_document_text, show_turn

OWN_STYLES = re.compile(r"\x1b\[[0-9;]*m")
EVIL = "a\x1b[31mred\x1b]8;;http://evil\x07link\x9b2Jgone\x7f\r\x00 \u202egpj.exe [bold]b[/bold] :smile: [link=http://evil]l"


def shown(text: str, *, terminal: bool = False, width: int = 60) -> str:
    out = StringIO()
    console = Console(file=out, force_terminal=terminal, width=width, markup=False, emoji=False, highlight=False)
    show_document_text(console, text)
    return out.getvalue()


def turn_shown(turn: Turn) -> str:
    out = StringIO()
    show_turn(Console(file=out, width=200, markup=False, emoji=False, highlight=False), turn)
    return out.getvalue()


def test_a_turn_is_shown_without_what_only_a_generator_understands() -> None:
    text = "Tap\n:::warning\nIt is hot.\n:::\n\nRun `tap [a](#b)`, see [spout](#spout)."
    lines = turn_shown(Turn(text=text, status=Status.AWAITING)).split("\n")
    assert [line for line in lines if line] == ["Tap", "Warning: It is hot.", "Run `tap [a](#b)`, see spout."]


def test_cleaning_keeps_text_and_marks_what_a_terminal_obeys() -> None:
    assert clean("Größe 🗑\n\ttab") == "Größe 🗑\n\ttab"
    assert clean(EVIL).startswith("a�[31mred�]8;;http://evil�link�2Jgone��� �gpj.exe [bold]")
    assert one_line("two\r\nlines\x1b") == "two lines�"


@pytest.mark.parametrize("terminal", [False, True])
@pytest.mark.parametrize("around", ["{}", "# {}", "```\n{}\n```", "    {}", "- **{}** `{}`"])
def test_a_document_cannot_steer_the_terminal(terminal: bool, around: str) -> None:
    printed = shown(around.replace("{}", EVIL), terminal=terminal, width=1000)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", OWN_STYLES.sub("", printed))
    assert "�[31mred" in printed
    assert "[bold]b[/bold] :smile: [link=http://evil]l" in printed


def test_text_is_printed_as_it_stands() -> None:
    text = "\n".join(
        ("# Heading", "", "1. Run `df <path>`:", "", "   ```sh", "\tdu -xh | sort" + " -h" * 60, "   ```", "| a | b |")
    )
    assert shown(text) == f"{text}\n"


def test_commands_are_never_broken_in_a_terminal_and_prose_is() -> None:
    command = "\tjournalctl" + " --vacuum-size=200M" * 8
    prose = "word " * 40
    printed = OWN_STYLES.sub("", shown(f"~~~\n{command}\n```\n~~~\n{prose}", terminal=True))
    assert command in printed.splitlines()
    assert max(map(len, printed.split("~~~\n")[2].splitlines())) <= 60


WRAPPED = """\
The queue holds what nobody has read yet, and grows where there are fewer who read than who write. Whoever
sees it grow, looks at
https://example.org/an/address/that/is/longer/than/a/line?of=the&terminal=and&copied=whole and then at the
consumers of the cluster, one after the other in their order, and at what they have read. It ends there.
Here it ends.

1. Look at the number of those who read, which stands in the third column of what the
   command prints, and at that of those who write.

```sh
queue watch --every 5s --format json --fields name,consumers,messages,rate --long --verbose --
again
```

| Column of the table | What it says about the queue and about its consumers |
|---|---|
> A quote whose lines are long enough to be wrapped, and which stays as it was written
> in the document.
- An item of a list that is long enough to be a line by itself, as its author wrote it, and
- another one.

Before you start: you hold the role of an operator in the cluster in which the queue runs
Stop it.

Two lines that are short
stay two lines.
"""


def test_lines_that_their_author_wrapped_are_wrapped_anew_in_a_terminal() -> None:
    assert shown(WRAPPED) == f"{WRAPPED}\n"
    wide, narrow = (OWN_STYLES.sub("", shown(WRAPPED, terminal=True, width=width)) for width in (1000, 40))
    paragraph, item, *verbatim = wide.split("\n\n")
    assert paragraph == " ".join(WRAPPED.split("\n\n")[0].split("\n"))
    assert item == " ".join(line.strip() for line in WRAPPED.split("\n\n")[1].split("\n"))
    assert "\n\n".join(verbatim).rstrip() == "\n\n".join(WRAPPED.split("\n\n")[2:]).rstrip()
    assert narrow.split() == WRAPPED.split()
    own = [line for line in WRAPPED.splitlines() if line.startswith(("queue", "| Column", "https"))]
    assert {*own[1:], own[0].split()[0]} <= set(narrow.splitlines())
    others = [line for line in narrow.splitlines() if line not in {*own[1:], own[0].split()[0]}]
    assert max(map(len, others)) <= 40


def test_lines_of_items_and_quotes_that_are_wrapped_stand_below_their_first_word() -> None:
    words = "word " * 12
    lines = OWN_STYLES.sub("", shown(f"- {words}\n   > {words}\n12. {words}", terminal=True, width=40))
    begun = [line.index("word") for line in lines.splitlines()]
    assert begun == [2, 2, 5, 5, 4, 4]
    turn, out = Turn(text="Look.", status=Status.AWAITING, options=(words,)), StringIO()
    show_turn(Console(file=out, force_terminal=True, width=40), turn)
    assert [line.find("word") for line in OWN_STYLES.sub("", out.getvalue()).splitlines()[-2:]] == [5, 5]


def test_a_paragraph_without_spaces_begins_behind_its_number() -> None:
    assert shown(f"1. {'请检查打印机' * 20}", terminal=True) == f"1. {'请检查打印机' * 20}\n"


def test_harmless_marks_of_direction_are_not_seen() -> None:
    assert clean("\u200fאב\u200e \u061cج") == "אב ج"


def test_a_step_has_its_header_its_citation_and_its_outcomes() -> None:
    turn = Turn(
        text="Disk full: look\nRun `df`.",
        status=Status.AWAITING,
        unit_ids=("a",),
        options=("it is full", "it is \x1b[31mnot"),
        citations=(Span("disk.md", 3, 4), Span("disk.md", 1, 1)),
    )
    assert turn_shown(turn) == ("\nDisk full: look\ndisk.md:3-4\n\nRun `df`.\n\n  1  it is full\n  2  it is �[31mnot\n")


def test_a_question_has_no_header() -> None:
    turn = Turn(text="Do you hold the key?", status=Status.ASKING, unit_ids=("a",), options=("Yes", "No"))
    assert turn_shown(turn) == "\nDo you hold the key?\n\n  1  Yes\n  2  No\n"
