import time

import pytest

from thread_core.text.words import content_words, count_tokens, first_tokens, query_words, stem, word_list


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(
            ("restarting", "restarted"),
            ("policy", "policies"),
            ("queue", "queues"),
            ("stop", "stopped"),
            ("fill", "filling"),
        ),
    ],
)
def test_forms_of_a_word_have_one_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize("word", ["", "up", "ing", "503", "x86", "4ed", "red"])
def test_short_words_and_numbers_are_their_own_stem(word: str) -> None:
    assert stem(word) == word


def test_words_without_meaning_are_left_out() -> None:
    assert content_words("How do I restart the node after it is full?") == {"restart", "node", "full"}


def test_words_keep_their_order_and_their_number() -> None:
    assert word_list("Node full, node empty") == ["node", "full", "node", "empty"]


def test_a_name_counts_with_its_parts() -> None:
    assert content_words("KubePodNotReady") == {"kubepodnotready", "kube", "pod", "not", "ready"}


def test_a_query_has_each_word_once_as_written() -> None:
    found = query_words("restarting KubePodNotReady, restarting the node")
    assert found == "restarting kubepodnotready node kube pod not ready".split()


@pytest.mark.parametrize("text", ["", " ", "_ _", "\ud800", "the of and", "!?", "\x1f"])
def test_a_text_may_have_no_words(text: str) -> None:
    assert (content_words(text), word_list(text), query_words(text)) == (set(), [], [])


def test_a_long_text_of_names_takes_time_in_proportion() -> None:
    started = time.process_time()
    word_list(" ".join(f"aLongName{number}Here" for number in range(20_000)))
    assert time.process_time() - started < 5


def test_tokens_are_words_and_marks() -> None:
    assert count_tokens("") == 0
    assert count_tokens("Run `df -h`, then wait.") == 10


def test_a_long_word_is_several_tokens_and_the_first_of_a_text_can_be_taken() -> None:
    assert [count_tokens(text) for text in ("x" * 160, "墨盒", "a b\nc", "")] == [10, 2, 3, 0]
    assert [first_tokens("go on,\nthen stop", most) for most in (0, 2, 4, 9)] == [
        "",
        "go on",
        "go on,\nthen",
        "go on,\nthen stop",
    ]
