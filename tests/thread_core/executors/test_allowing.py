"""What a rule lets pass: the words and options that it names, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from thread_core.executors import Allow, Among, Matching, Number, Within
from thread_core.executors.words import Refused, words_of

RULE = Allow(
    "pumpctl",
    ("free", Number(1, 9)),
    options={"--wait": Number(0, 60), "-n": Among("a", "b"), "--all": None, "-v": None},
    rest=Matching("[a-z]{1,5}"),
)


def reason(rule: Allow, command: str, folder: Path = Path("/srv")) -> str:
    """Why a command is refused; empty where it is not."""
    try:
        rule.check(words_of(command), folder)
    except Refused as refused:
        return str(refused)
    return ""


@pytest.mark.parametrize(
    "command",
    [
        "pumpctl free 3",
        "pumpctl free 3 abc de",
        "pumpctl --all free --wait 5 3 -v",
        "pumpctl free 3 --wait=60 -n b -n=a",
    ],
)
def test_what_is_named_passes(command: str) -> None:
    assert reason(RULE, command) == ""


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("pumpctl", "'free' is missing"),
        ("pumpctl free", "a number from 1 to 9 is missing"),
        ("pumpctl stop 3", "found 'stop', expected 'free'"),
        ("pumpctl free 10", "found '10', expected a number from 1 to 9"),
        ("pumpctl free 3.0", "found '3.0', expected a number from 1 to 9"),
        ("pumpctl free 3 ABC", "found 'ABC', expected a text like [a-z]{1,5}"),
        ("pumpctl free 3 --force", "no rule allows the option '--force'"),
        ("pumpctl free 3 --al", "no rule allows the option '--al'"),
        ("pumpctl free 3 --wai=5", "no rule allows the option '--wai'"),
        ("pumpctl free 3 -vn a", "no rule allows the option '-vn'"),
        ("pumpctl free 3 -na", "no rule allows the option '-na'"),
        ("pumpctl free 3 --all=yes", "'--all' takes no value"),
        ("pumpctl free 3 --wait", "'--wait' needs a number from 0 to 60"),
        ("pumpctl free 3 --wait -v", "'--wait' needs a number from 0 to 60"),
        ("pumpctl free 3 --wait=", "found '', expected a number from 0 to 60"),
        ("pumpctl free 3 -n c", "found 'c', expected one of a, b"),
        ("pumpctl free 3 --", "no rule allows the option '--'"),
        ("pumpctl free 3 -", "no rule allows the option '-'"),
        ("pumpctl free 3 ---wait 5", "no rule allows the option '---wait'"),
    ],
)
def test_what_is_not_named_is_refused(command: str, why: str) -> None:
    assert reason(RULE, command) == why


def test_what_a_reader_has_to_fill_in_fits_no_expression() -> None:
    rule = Allow("drop", (Matching(r"[\w%@.]+"),))
    assert reason(rule, "drop db") == ""
    for word in ("DB_NAME", "XXX", "%DB%", "@DB@", "..."):
        assert reason(rule, f"drop {word}") == rf"found {word!r}, expected a text like [\w%@.]+"


def test_a_rule_without_further_words_takes_none() -> None:
    assert reason(Allow("df", options={"-h": None}), "df -h") == ""
    assert reason(Allow("df"), "df /tmp") == "no rule allows '/tmp'"


def test_paths_are_confined_to_their_folders(tmp_path: Path) -> None:
    logs, outside = tmp_path / "logs", tmp_path / "outside"
    (logs / "db").mkdir(parents=True)
    outside.mkdir()
    (logs / "way_out").symlink_to(outside)
    (logs / "way_in").symlink_to(logs / "db")
    (logs / "circle").symlink_to(logs / "circle")
    rule = Allow("du", rest=Within(logs))
    for path in ("db", "./db/../db", ".", "way_in/x", "not/there", str(logs), f"{logs}/db"):
        assert reason(rule, f"du {path}", logs) == "", path
    for path in (
        "..",
        "/etc/passwd",
        "db/../../outside",
        "way_out",
        "way_out/x",
        f"{logs}/../outside",
        f"{logs}2",
        "/",
    ):
        assert reason(rule, f"du {path}", logs).startswith("found "), path
    for path in ("''", "@db", "host:db", "host:/x", "https://host/x", "file:db", "name=db", "name=/etc/passwd"):
        assert reason(rule, f"du {path}", logs).startswith("found "), path
    for path in ("./@db", "./host:db", "db/a=b:c"):
        assert reason(rule, f"du {path}", logs) == "", path
    assert reason(rule, "du circle/x", logs) in ("", f"found 'circle/x', expected a path in {logs}")
    assert reason(rule, "du db", tmp_path / "elsewhere") != "", "a relative path begins in the folder"


@pytest.mark.parametrize(
    "make",
    [
        lambda: Allow("df", "free"),
        lambda: Allow("df", ("free", "--all")),
        lambda: Allow("df", options={"all": None}),
        lambda: Allow("df", options={"--wait=3": None}),
        lambda: Allow("df", options={"--": None}),
        lambda: Within("logs"),
        lambda: Within(),
    ],
)
def test_a_rule_that_says_something_else_is_none(make: object) -> None:
    with pytest.raises(ValueError, match=r"found|is an option"):
        make()  # type: ignore[operator]
