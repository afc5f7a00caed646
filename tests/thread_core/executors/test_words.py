"""Which texts are plain commands, and of which words."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from thread_core.executors.words import LONGEST, Refused, words_of


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("df -h", ("df", "-h")),
        ("  db  ping --port=5432 ", ("db", "ping", "--port=5432")),
        ("grep 'a|b; $c' \"two words\" x'y'z", ("grep", "a|b; $c", "two words", "xyz")),
        ("db say ''", ("db", "say", "")),
        ("/usr/bin/du -s /var/log,old @x %y a+b", ("/usr/bin/du", "-s", "/var/log,old", "@x", "%y", "a+b")),
    ],
)
def test_a_plain_command_is_cut_into_words(command: str, words: tuple[str, ...]) -> None:
    assert words_of(command) == words


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("ls | wc", "it contains |, which has a meaning in a shell"),
        ("ls 'a", "it contains ', which"),
        ('echo "$(ls)"', 'it contains ", which'),
        ("ls \u2014all", "it contains U+2014, which is not a printable ASCII character"),
        ("ls\nrm x", "it contains U+000A"),
        ("PATH=/tmp ls", "PATH=/tmp sets a variable"),
        ("   ", "it names no program"),
        ("''", "it names no program"),
        ("x" * (LONGEST + 1), "it has 4,097 characters, more than 4,096"),
    ],
)
def test_anything_else_is_refused_with_a_reason(command: str, reason: str) -> None:
    with pytest.raises(Refused) as caught:
        words_of(command)
    assert str(caught.value).startswith(reason)


PLAIN = st.sampled_from(["ab", "-c", " ", " ", "'d  e'", '"f;g"', "''", "%=@"])
ODD = st.sampled_from([*"'\"\\$`;|&<>*?~#!(){}[]\n\t", "\u2010"])


@given(st.lists(PLAIN, min_size=3, max_size=8), st.lists(PLAIN | ODD, max_size=2))
def test_what_is_taken_is_the_same_words_to_a_shell(plain: list[str], more: list[str]) -> None:
    command = "".join([*plain, *more])
    try:
        words = words_of(command)
    except Refused:
        reject()
    shell = subprocess.run(["sh", "-c", f"printf '%s\\0' {command}"], capture_output=True, text=True, check=True)
    assert tuple(shell.stdout.split("\0")[:-1]) == words
