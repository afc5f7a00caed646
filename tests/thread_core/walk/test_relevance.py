from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thread_core.text.words import count_tokens
from thread_core.walk.relevance import WORD, relevant_lines

PODS = "\n".join(f"pod-{number} 1/1 Running 0 {number}d" for number in range(60))
DISKS = "\n".join(f"/dev/sda{number} 10G 4G {number}% /mnt/{number}" for number in range(20, 80))


def test_a_short_text_stays_as_it_is() -> None:
    assert relevant_lines(" nothing to do\n\nwith it ", "The pump", 20) == " nothing to do\n\nwith it "
    assert relevant_lines("", "The pump", 20) == ""


def test_a_line_counts_by_the_words_that_few_lines_share() -> None:
    crashed = PODS.replace("pod-17 1/1 Running", "pod-17 0/1 CrashLoopBackOff")
    assert (
        relevant_lines(crashed, "Restart the pod: it is in CrashLoopBackOff", 40) == "pod-17 0/1 CrashLoopBackOff 0 17d"
    )


def test_a_line_counts_by_the_name_or_number_that_it_shares() -> None:
    assert relevant_lines(DISKS, "Free space on /mnt/33", 40) == "/dev/sda33 10G 4G 33% /mnt/33"


def test_a_line_counts_by_a_number_however_it_is_written() -> None:
    waits = "\n".join(f"job-{letter} waited {number} min" for number, letter in enumerate("abcdefghijklmnop", start=20))
    assert relevant_lines(f"{waits}\njob-z waited 5 min\n{waits}", "It lasts five minutes", 20) == "job-z waited 5 min"


def test_lines_keep_their_order_and_are_not_repeated() -> None:
    text = f"rotor: stuck at E17\n{PODS}\ndisplay: E17\nrotor: stuck at E17"
    assert relevant_lines(text, "Free the rotor where the display says E17", 40) == "rotor: stuck at E17\ndisplay: E17"


def test_where_nothing_matters_the_end_is_kept() -> None:
    assert relevant_lines(PODS, "The kettle", 24).splitlines()[-1] == "pod-59 1/1 Running 0 59d"


def test_of_a_long_line_the_sentences_that_matter_are_kept() -> None:
    said = f"{'I went to the cellar and looked around. ' * 10}The display shows E17. It is cold."
    assert relevant_lines(said, "Where it shows E17, free the rotor", 20) == "The display shows E17."


@pytest.mark.parametrize("text", ["x" * 10_000, "{" * 10_000, "a,b;" * 3000, "\n" * 5000, "A word. " * 4000])
def test_whatever_has_no_lines_is_bounded_too(text: str) -> None:
    kept = relevant_lines(text, "a word", 30)
    assert count_tokens(kept) <= 30 and len(kept) <= 30 * WORD


@settings(max_examples=40, deadline=None)
@given(st.text(), st.text(), st.integers(1, 30))
def test_the_result_fits_and_is_made_of_the_text(text: str, to: str, bound: int) -> None:
    kept = relevant_lines(text, to, bound)
    assert count_tokens(kept) <= bound and len(kept) <= bound * WORD
    assert relevant_lines(kept, to, bound) == kept
    assert bool(kept.strip()) is bool(text.strip())
