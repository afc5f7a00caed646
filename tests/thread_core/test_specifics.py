from __future__ import annotations

import pytest

from thread_core.specifics import Original, specifics

GUIDE = Original(
    """\
Run `df  -h` on node-7 (Agent 2.3 or later). If `/var/log` is more than 80 % full, or the code is 0x80070005,
see https://help.example/disk#full and set MAX_SIZE=16MB. The alert KubePodNotReady fires after 5min; wait 1,000 s.
""",
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Free some space and start again.", []),
        ("It's well-known, e.g. by the owner's team (see below).", []),
        ("Wait 5min, then 10 s, or 80%.", ["5", "10", "80"]),
        ("Ask `df -h` and ``a `b` c``", ["df -h", "a `b` c"]),
        ("`" * 200, []),
        ("Agent 2.3, v1.2 or SEV1 on node-7", ["2.3", "v1.2", "SEV1", "node-7"]),
        (
            "see https://help.example/disk, /var/log or help.example.",
            ["https://help.example/disk", "/var/log", "help.example"],
        ),
        (
            "KubePodNotReady, MAX_SIZE, --force, <pump>, a@b.example",
            ["KubePodNotReady", "MAX_SIZE", "--force", "<pump>", "a@b.example"],
        ),
        ("The CPU and the DLQs of A", ["CPU", "DLQs"]),
    ],
)
def test_what_no_plain_word_is_must_stand_in_the_original(text: str, found: list[str]) -> None:
    assert list(specifics(text)) == found


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("Run `df -h` on NODE-7", []),
        ("more than 80% full after 5 minutes", []),
        ("set it to 16 MB", []),
        ("code 0x80070005 on KubePodNotReady", []),
        ("wait 1,000 s", []),
        ("8 percent", ["8"]),
        ("1 second or 000", ["1", "000"]),
        ("Agent 2", ["2"]),
        ("node-77", ["node-77"]),
        ("https://help.example/disk#full", []),
        ("https://evil.example", ["https://evil.example"]),
        ("`rm -rf /`, `rm -rf /`", ["rm -rf /"]),
    ],
)
def test_white_space_capitals_and_units_make_no_difference_and_parts_do(text: str, missing: list[str]) -> None:
    assert GUIDE.missing(text) == missing


@pytest.mark.parametrize(
    ("text", "strange"),
    [
        ("Look at the alert when the node is full", False),
        ("Transfer money abroad tonight", True),
        ("Abroad", False),
        ("请检查磁盘 空间 是否 已满", False),
    ],
)
def test_most_words_are_those_of_the_original(text: str, strange: bool) -> None:
    assert GUIDE.is_strange(text) is strange
