"""The table of rules tells the truth: each example gives what it says, and the page is written from them."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from tests.thread_core.rule_examples import PAGE, ROOT, Rule, file_of, function, groups, page
from thread_core.text.headings import slug

RULES = [rule for group in groups() for rule in group.rule]
LONGEST = 16
"""Lines of an example, blank ones included."""


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: slug(rule.name))
def test_an_example_gives_what_its_rule_says(rule: Rule) -> None:
    assert rule.reading() == rule.result


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: slug(rule.name))
def test_a_rule_is_one_sentence_with_an_example_that_is_read_at_a_glance(rule: Rule) -> None:
    assert rule.does.endswith(".")
    assert "|" not in rule.does + rule.name
    assert 1 < len(rule.example.splitlines()) <= LONGEST


@pytest.mark.parametrize("where", sorted({where for rule in RULES for where in rule.where}))
def test_a_rule_lives_where_it_says(where: str) -> None:
    assert callable(function(where))


@pytest.mark.parametrize(
    "module", ["cells", "context", "drafts", "following", "linkers", "outline", "paragraphs", "rules", "tasks"]
)
def test_every_function_over_words_that_the_extractor_calls_is_in_the_table(module: str) -> None:
    source = (ROOT / file_of(module)).read_text(encoding="utf-8")
    called = set(re.findall(r"\b(?:cases|conditions|directions|leaning|sentences)\.[a-z]\w*", source))
    called -= {"conditions.hints", "sentences.mentions", "sentences.lowered"}  # no rules: they save work
    assert called <= {where for rule in RULES for where in rule.where}


def test_links_of_the_page_have_one_goal() -> None:
    anchors = Counter(slug(name) for name in [*(group.title for group in groups()), *(rule.name for rule in RULES)])
    assert [anchor for anchor, count in anchors.items() if count > 1] == []


def test_the_page_is_written_from_the_examples() -> None:
    written = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    assert written == page(), "docs/rules.md is not what the examples say; write it with: make docs"
