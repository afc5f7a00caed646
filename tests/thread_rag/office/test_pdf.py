"""A PDF says where letters stand; its Markdown says what is a step, a column, a table."""

from __future__ import annotations

import re
import signal
import subprocess

import pytest
from fpdf import FPDF

from thread_core.errors import BadDocument
from thread_rag.office import apart
from thread_rag.office.pdf import pdf_to_markdown

LINE = 14.0
"""Points from one line to the next."""


class Sheet(FPDF):
    """A PDF on which lines are put where a test wants them, in points."""

    def __init__(self) -> None:
        super().__init__(unit="pt", format=(400, 500))
        self.set_font("Helvetica", size=10)
        self.set_auto_page_break(False)

    def put(self, left: float, top: float, *lines: str, size: float = 10, font: str = "Helvetica") -> float:
        self.set_font(font, size=size)
        for number, line in enumerate(lines):
            self.text(left, top + number * LINE, line)
        return top + len(lines) * LINE

    def text_of(self) -> str:
        return pdf_to_markdown(self.data(), "manual.pdf").text

    def data(self) -> bytes:
        return bytes(self.output())


def sheet(pages: int = 1) -> Sheet:
    made = Sheet()
    for _ in range(pages):
        made.add_page()
    return made


def test_steps_and_what_is_within_them() -> None:
    pdf = sheet()
    pdf.put(40, 60, "Replace the pump", size=18)
    pdf.put(40, 90, "1.")
    pdf.put(60, 90, "Close both valves. If one of them does not turn, go to step")
    pdf.put(60, 90 + LINE, "3. Then wait.")
    for top, label, words in ((130, "a)", "the inlet"), (144, "b)", "the outlet")):
        pdf.put(60, top, label)
        pdf.put(80, top, words)
    pdf.put(60, 170, "ls -l /var", "  pwd", font="Courier")
    pdf.put(40, 210, "2.")
    pdf.put(60, 210, "Lift it.")
    pdf.put(40, 240, "That is all.")
    assert pdf.text_of().split("\n") == [
        "# Replace the pump",
        "",
        "1. Close both valves. If one of them does not turn, go to step 3. Then wait.",
        "",
        "   a) the inlet",
        "   b) the outlet",
        "",
        "   ```",
        "   ls -l /var",
        "     pwd",
        "   ```",
        "2. Lift it.",
        "",
        "That is all.",
        "",
    ]


def test_columns_are_read_one_after_the_other_and_parted_words_joined() -> None:
    pdf = sheet()
    pdf.put(40, 60, "A heading over both of the columns", size=18)
    pdf.put(40, 100, "1. Open the cover and take the car-", "tridge out of the well-", "known place.", "2. Shake it.")
    pdf.put(
        220, 100, "3. Put it back in.", "4. Close the cover.", "5. Print a page on the well-known paper.", "6. Done."
    )
    assert pdf.text_of().split("\n")[2:] == [
        "1. Open the cover and take the cartridge out of the well-known place.",
        "2. Shake it.",
        "3. Put it back in.",
        "4. Close the cover.",
        "5. Print a page on the well-known paper.",
        "6. Done.",
        "",
    ]


def test_running_heads_are_left_out_and_a_list_goes_on_overleaf() -> None:
    pdf = Sheet()
    for number, steps in enumerate((("1. Open.", "2. Close."), ("3. Lock.", "4. Go."), ("5. Write.",)), start=1):
        pdf.add_page()
        pdf.put(40, 30, f"Works manual, chapter {number}", size=8)
        pdf.put(190, 480, f"- {number} -", size=8)
        pdf.put(40, 100, *steps)
    made = pdf_to_markdown(pdf.data(), "manual.pdf")
    assert made.text == "1. Open.\n2. Close.\n3. Lock.\n4. Go.\n5. Write.\n"
    assert str(made.printed) == "page 2:1 4:2 5:3"
    assert made.problems == ()


def test_a_table_keeps_its_rows_and_goes_on_overleaf() -> None:
    pdf = sheet()
    with pdf.table(width=300) as table:
        for row in (("Lamp", "What to do"), ("red", "go to step 4"), ("green", "nothing")):
            table.row(row)
    pdf.add_page()
    with pdf.table(width=300) as table:
        for row in (("Lamp", "What to do"), ("dark", "call us")):
            table.row(row)
    assert pdf.text_of().split("\n")[2:] == ["| red | go to step 4 |", "| green | nothing |", "| dark | call us |", ""]


def test_a_roman_list_begins_with_the_letter_i() -> None:
    pdf = sheet()
    pdf.put(40, 60, "1. Fill the tank, and while you")
    pdf.put(40, 60 + LINE, "    do that:")
    for at, label in enumerate(("i.", "ii.", "iii.", "iv.", "v.", "vi.")):
        pdf.put(60, 60 + (at + 2) * LINE, f"{label} look at gauge {at}")
    pdf.put(40, 60 + 8 * LINE, "2. Go.")
    made = pdf_to_markdown(pdf.data(), "manual.pdf")
    assert [line for line in made.text.split("\n") if line] == [
        "1. Fill the tank, and while you do that:",
        *(f"   {label} look at gauge {at}" for at, label in enumerate(("i.", "ii.", "iii.", "iv.", "v.", "vi."))),
        "2. Go.",
    ]
    assert made.problems == ()


def test_a_number_alone_on_its_line_is_a_step_where_it_is_the_next_one() -> None:
    pdf = sheet()
    pdf.put(40, 60, "1. Close the valve.", "2.")
    pdf.put(60, 60 + 2 * LINE, "a. Lift it.", "b. Turn it.")
    pdf.put(40, 60 + 4 * LINE, "3. Wait.")
    made = pdf_to_markdown(pdf.data(), "manual.pdf")
    assert made.text.split() == "1. Close the valve. 2. a. Lift it. b. Turn it. 3. Wait.".split()
    assert [line[:5] for line in made.text.split("\n") if line.strip()] == ["1. Cl", "2.", "   a.", "   b.", "3. Wa"]
    assert made.problems == ()


def test_numbered_headings_below_each_other_stay_apart() -> None:
    pdf = sheet()
    pdf.put(40, 60, "1. Look at the", "lamp", "2. Look at the fuse", size=14)
    pdf.put(40, 120, "Both may be dark, and then nobody in the hall sees a thing.")
    assert pdf.text_of().split("\n\n")[:2] == ["# 1. Look at the lamp", "# 2. Look at the fuse"]


def test_a_link_to_a_place_without_a_name_leads_there() -> None:
    pdf = sheet()
    goal = pdf.add_link(y=200, page=1)
    pdf.put(40, 60, "If the lamp is dark, look at the fuse below.")
    pdf.link(40, 50, 300, 14, goal)
    pdf.put(40, 210, "Fuse", size=18)
    found = re.fullmatch(r"\[If .*\]\(#(.+)\)\n\n# (.*)\n", pdf.text_of())
    assert found is not None
    assert found[2] == f'<a id="{found[1]}"></a>Fuse'


def test_numbers_that_do_not_follow_each_other_are_told() -> None:
    pdf = sheet()
    pdf.put(40, 60, "1. Open.", "2. Close.", "5. Lock.")
    assert pdf_to_markdown(pdf.data(), "manual.pdf").problems == (
        'page 1: number 5. "Lock." follows 2; check whether steps are missing',
    )


def test_words_over_words_are_told() -> None:
    pdf = sheet()
    pdf.put(40, 60, "1. Open the cover of it.", "2. Close it.")
    pdf.put(70, 60, "something else")
    assert "overlapping words" in pdf_to_markdown(pdf.data(), "manual.pdf").problems[0]


def test_pages_without_letters_are_refused() -> None:
    with pytest.raises(BadDocument, match=r"has no text.*ocrmypdf"):
        pdf_to_markdown(sheet().data(), "scan.pdf")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"MZ\x00", "is not a PDF"),
        (b"%PDF-1.7\n1 0 obj", "is damaged or cut off"),
    ],
)
def test_what_is_no_pdf_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(BadDocument, match=reason):
        pdf_to_markdown(data, "a.pdf")


def test_an_encrypted_pdf_is_refused() -> None:
    pdf = sheet()
    pdf.put(40, 60, "Secret")
    pdf.set_encryption(owner_password="a", user_password="b")
    with pytest.raises(BadDocument, match="is encrypted"):
        pdf_to_markdown(pdf.data(), "a.pdf")


def test_a_pdf_is_read_in_a_process_of_its_own() -> None:
    pdf = sheet()
    pdf.put(40, 60, "1. Open.", "2. Close.")
    assert apart.pdf_read_apart(pdf.data(), "a.pdf") == pdf_to_markdown(pdf.data(), "a.pdf")
    with pytest.raises(BadDocument, match=r"^a\.pdf: is damaged or cut off"):
        apart.pdf_read_apart(b"%PDF-1.7\n", "a.pdf")


@pytest.mark.parametrize(
    ("ended", "reason"),
    [
        (subprocess.CompletedProcess([], -signal.SIGPROF, b"", b""), "seconds for one page"),
        (subprocess.CompletedProcess([], 1, b"", b"MemoryError"), "GB of memory"),
        (
            subprocess.CompletedProcess([], 1, b"", b"Traceback\nKeyError: 3\n"),
            r"could not be converted \(KeyError: 3\)",
        ),
    ],
)
def test_where_that_process_dies_one_document_fails(
    ended: subprocess.CompletedProcess[bytes], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apart.subprocess, "run", lambda *_, **__: ended)
    with pytest.raises(BadDocument, match=reason):
        apart.pdf_read_apart(b"", "a.pdf")
