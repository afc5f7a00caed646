"""Findings: the same of documents and of a shelf, with the lines of the document; comments; hostile guides."""

from __future__ import annotations

import time

import pytest

from thread_core import Document, RuleExtractor
from thread_core.shelf import Shelf
from thread_lint import RULES, Severity, check
from thread_lint.baseline import to_lines, without_known
from thread_lint.choosing import chosen, named

GUIDE = "# Disk full\n\n1. Look at the disk.\n2. Follow [the form](form.md).\n"


def test_a_finding_says_where_and_what() -> None:
    units = RuleExtractor().extract(Document("disk.md", GUIDE)).units
    found = check([Document("disk.md", GUIDE)])
    assert [str(one) for one in found] == [
        "disk.md:4: TR201 dangling-link: there is no guide form.md; correct the link, or add the guide"
    ]
    assert (found[0].severity, found[0].first, found[0].last) == (Severity.ERROR, 4, 4)
    assert found[0].unit_id == units[0].id
    assert check(Shelf.of(units)) == found


def test_a_fingerprint_stays_where_lines_move_and_tells_equal_lines_apart() -> None:
    before = check([Document("disk.md", GUIDE)])
    after = check([Document("disk.md", GUIDE.replace("1. Look", "It is full.\n\n1. Look") + GUIDE.splitlines()[-1])])
    assert [one.fingerprint for one in after][:1] == [one.fingerprint for one in before]
    assert len({one.fingerprint for one in after}) == 2


def test_a_baseline_takes_away_what_it_knows() -> None:
    known = check([Document("disk.md", GUIDE)])
    more = check([Document("disk.md", "See [that](that.md).\n\n" + GUIDE)])
    left = without_known(more, "\n".join(to_lines(known)), "known.json")
    assert [one.first for one in left] == [1]


@pytest.mark.parametrize(
    "text",
    [
        "<!-- thread-rag-disable-next-line TR201 -->\n\nSee [it](it.md).\n",
        "<!-- thread-rag-disable-next-line long-step, dangling-link -->\nSee [it](it.md).\n".replace("long-step, ", ""),
        "See [it](it.md). <!-- thread-rag-disable-line dangling-link -->\n",
        "{/* thread-rag-disable-line dangling-link */} See [it](it.md).\n",
        "See [it](it.md) and [that](that.md).\n\n<!-- thread-rag-disable-file TR201 -->\n",
        "<!-- thread-rag-disable-next-line TR401 -->\n```sh\nls\necho 'x\n```\n",
    ],
)
def test_a_comment_disables_a_rule(text: str) -> None:
    assert check([Document("a.md", text)]) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("<!-- thread-rag-disable-next-line TR201 -->\nGo on.\n", "TR201 finds nothing there"),
        ("<!-- thread-rag-disable-line TR9999 -->\n", "there is no rule TR9999"),
        ("<!-- thread-rag-disable-file -->\n", "this comment names no rule"),
    ],
)
def test_a_comment_that_disables_nothing_is_reported(text: str, told: str) -> None:
    found = check([Document("a.md", text)])
    assert [one.name for one in found] == ["unused-disable"]
    assert found[0].message.startswith(told)


def test_comments_in_code_are_code_and_those_of_rules_that_are_not_looked_for_are_not_judged() -> None:
    shown = (
        "```md\n<!-- thread-rag-disable-file TR201 -->\n```\n\n`<!-- thread-rag-disable-line -->`\n\nSee [it](it.md).\n"
    )
    assert [one.first for one in check([Document("a.md", shown)])] == [7]
    unused = "<!-- thread-rag-disable-file TR201 -->\n"
    assert check([Document("a.md", unused)], chosen(["TR0", "TR4"], [])) == []


def test_rules_are_chosen_by_code_name_and_beginning() -> None:
    assert [rule.code for rule in chosen(["TR2"], ["moved-link", "TR201"])] == ["TR202", "TR203"]
    assert chosen([], []) == [rule for rule in RULES if rule.is_usual]
    assert [rule.name for rule in chosen(["TR402"], [])] == ["unwarned-deletion"]
    with pytest.raises(ValueError, match="found 'nope', expected a rule"):
        named("nope")


HOSTILE = {
    "links": "[a](a.md) " * 20_000,
    "anchors": "[a](#a) " * 20_000,
    "comments": "<!-- thread-rag-disable-line " * 20_000,
    "brackets": "(" * 50_000 + "ABC)" * 5_000,
    "short forms": "".join(
        f"A{chr(65 + n % 26)}{chr(65 + n // 26 % 26)} b ({chr(65 + n % 26)}B) " for n in range(9_000)
    ),
    "quotes": "> " * 5_000 + "x",
    "code": "```sh\n" + "$(" * 20_000 + "\n```\n",
    "headings": "# a\n" * 20_000,
    "nul": "```sh\nrm -rf /\0\n```\n[a](\0.md)\n",
    "one line": "1. " + "word " * 100_000,
    "flowchart": "```mermaid\nflowchart TD\n" + "".join(f"N{n}-->N{n + 1}\n" for n in range(5_000)) + "```\n",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_guides_do_no_harm(name: str) -> None:
    begun = time.monotonic()
    check([Document("a.md", HOSTILE[name])], RULES)
    assert time.monotonic() - begun < 60
