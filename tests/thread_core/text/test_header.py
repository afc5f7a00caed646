import time

import pytest

from thread_core.text.header import FULL_LENGTH, LEAD_WORDS, PART_LENGTH, TITLE_LENGTH, clip, compose, heading, spaced


@pytest.mark.parametrize(
    ("title", "path", "lead", "header"),
    [
        ("Disk full", ("Mitigation", "CPU"), "Look first", "Disk full: Mitigation: CPU: Look first"),
        ("Disk full", (), "", "Disk full"),
        ("Disk full", ("disk full", "Fix"), "", "Disk full: Fix"),
        ("KubePodNotReady", ("Fix:",), "", "Kube Pod Not Ready: Fix"),
        ("T", ("a\u2028b\x0bc\nd",), "e\r\nf", "T: a b c d: e f"),
        ("", (), "", "untitled"),
        ("...", (":",), " ", "untitled"),
    ],
)
def test_a_header_is_one_line_of_title_path_and_first_words(
    title: str, path: tuple[str, ...], lead: str, header: str
) -> None:
    assert compose(title, path, lead) == header


def test_its_parts_are_cut_at_a_word() -> None:
    title, part, lead = compose("ab " * 200, ("cd " * 200,), "efghijkl " * 200).split(": ")
    assert (title, part, lead) == (
        ("ab " * (TITLE_LENGTH // 3)).strip(),
        ("cd " * (PART_LENGTH // 3)).strip(),
        ("efghijkl " * (PART_LENGTH // 9)).strip(),
    )


def test_the_last_heading_is_read_in_full_above_what_it_heads() -> None:
    long = "If the wheel still does not turn once the brake is off, lift the rear of the cart and run the motor alone"
    assert heading("The cart", ("Wheels", f"Step 2: {long}:")) == f"The cart: Wheels: {long}"
    assert heading("The cart", (long, "Wheels")) == f"The cart: {long[:PART_LENGTH].rsplit(' ', 1)[0]}: Wheels"
    assert heading("The cart", ("long " * 100,)) == f"The cart: {('long ' * (FULL_LENGTH // 5)).strip()}"
    assert heading("", ()) == "untitled"
    assert heading("The cart", ("Wheels",) * 5000) == "The cart: Wheels"


def test_a_clip_has_the_first_words() -> None:
    assert clip(" a  b\nc ", 2) == "a b"
    assert clip("w " * 100) == " ".join("w" * LEAD_WORDS)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        *(("KubePodNotReady", "Kube Pod Not Ready"), ("kubePodNotReady fires", "kube Pod Not Ready fires")),
        *(("CPUThrottlingHigh", "CPU Throttling High"), ("macOS, CentOS and iPhone", "macOS, CentOS and iPhone")),
        ("GitHub, PowerShell and OneDrive", "GitHub, PowerShell and OneDrive"),
        ("NodeFilesystemAlmostOutOfSpace", "Node Filesystem Almost Out Of Space"),
        *(("snake_case and Title", "snake_case and Title"), ("", "")),
    ],
)
def test_a_name_is_spaced_at_its_humps(text: str, words: str) -> None:
    assert spaced(text) == words


def test_a_long_name_with_an_underscore_takes_no_time() -> None:
    started = time.process_time()
    spaced("ab" + "A" * 10_000 + "_")
    assert time.process_time() - started < 1
