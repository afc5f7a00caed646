"""What looks like a secret is kept by nobody, and what is said of one is."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.thread_core.actions import action
from tests.thread_core.executors.programs import Programs
from thread_core.executors import Allow, CallableExecutor, CommandExecutor, Matching, without_secrets
from thread_core.walk.execution import perform
from thread_core.walk.journal import Journal

SECRET = "hunter2"


@pytest.mark.parametrize(
    "text",
    [
        "DB_PASSWORD=hunter2",
        "  password: hunter2",
        '{"lag": 5, "dbPassword": "hunter2 \\" hunter2", "up": true}',
        "export API_KEY='hunter2 hunter2'",
        "psql --password hunter2",
        "Authorization: Bearer hunter2",
        "authorization=hunter2",
        "Bearer hunter2hunter2",
        "postgres://shop:hunter2@db:5432/shop",
        "client_secret => hunter2",
        "-----BEGIN RSA PRIVATE KEY-----\nhunter2\nhunter2=\n-----END RSA PRIVATE KEY-----",
        "eyJhbGciOiJIUzI1NiJ9.hunter2.hunter2",
    ],
)
def test_a_secret_is_cut_out(text: str) -> None:
    assert SECRET in text and SECRET not in without_secrets(text)
    assert "[redacted]" in without_secrets(text)


@pytest.mark.parametrize(
    "text",
    [
        "The token is expired",
        "token: expired",
        "secret: not found",
        "tokens: 512, token_count=5",
        "primary key: id",
        "http://db:5432/shop",
        "-" * 80,
    ],
)
def test_what_is_said_of_a_secret_stays(text: str) -> None:
    assert without_secrets(text) == text


def test_an_output_is_read_before_anybody_keeps_it(programs: Programs, tmp_path: Path) -> None:
    programs.add("dump", "echo DB_PASSWORD=hunter2; echo lag 12; exit $1")
    journal = Journal(tmp_path / "walk.jsonl")
    executor = CommandExecutor([Allow("dump", rest=Matching(".*"), ask=False)], journal=journal)
    assert perform(executor, action("dump 0"), journal).text == "DB_PASSWORD=[redacted]\nlag 12"
    assert SECRET not in perform(executor, action("dump 1"), journal).text
    assert SECRET not in (tmp_path / "walk.jsonl").read_text()


def test_a_secret_is_known_by_its_name_where_that_is_left_out(programs: Programs) -> None:
    programs.add("dump", f"head -c 100000 /dev/zero | tr '\\0' x; echo; echo DB_PASSWORD={SECRET * 10}")
    assert "hunter" not in CommandExecutor([Allow("dump", ask=False)], output=40).run(action("dump")).text


def test_a_tools_result_and_its_errors_are_read_too() -> None:
    def dump() -> str:
        return "token=hunter2"

    def fail() -> str:
        raise OSError("postgres://shop:hunter2@db is down")

    executor = CallableExecutor({"dump": dump, "fail": fail})
    for name in ("dump", "fail"):
        for outcome in (executor.run(action(name)), asyncio.run(executor.arun(action(name)))):
            assert "[redacted]" in outcome.text and SECRET not in outcome.text


def test_how_it_is_read_is_up_to_you(programs: Programs) -> None:
    programs.add("dump", "echo PASSWORD=hunter2")
    rules = [Allow("dump", ask=False)]
    assert CommandExecutor(rules, redact=str).run(action("dump")).text == "PASSWORD=hunter2"
    assert CommandExecutor(rules, redact=lambda text: text.lower()).run(action("dump")).text == "password=hunter2"
