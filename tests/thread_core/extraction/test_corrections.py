"""What people have said about links holds over what was read, as long as the words that state them stand there."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest

from thread_core import Document, RuleExtractor
from thread_core.errors import BadFile
from thread_core.extraction.corrections import parsed
from thread_core.extraction.fidelity import Extraction
from thread_core.models import Correction, Goal
from thread_core.shelf import Leads, Shelf

LAMP = """\
# The lamp is dark

## Look

1. Look at the relay.
   - If it is hot, go to step 2.
   - If it hums, wait a minute.
2. Press the button.

## Replace

1. Switch the power off.
2. Take the relay out.
"""
HOT = "- If it is hot, go to step 2."
HUMS = "- If it hums, wait a minute."


def said(text: str, condition: str, leads: Goal, **more: Any) -> Correction:
    at = datetime(2026, 3, 1, tzinfo=UTC)
    fields = {"verdict": "corrected", "by": "Mara", "at": at, **more}
    return Correction(text=text, condition=condition, leads=leads, **fields)


def read(*corrections: Correction, text: str = LAMP) -> Extraction:
    return RuleExtractor().extract(Document("lamp.md", text, corrections=corrections))


def led(extraction: Extraction, condition: str) -> list[tuple[Leads, int | None]]:
    ways = Shelf.of(extraction.units).ways("lamp.md")
    goals = [way.destination for way in ways if way.link.condition == condition]
    return [(goal.leads, goal.unit.start if goal.unit else None) for goal in goals]


REPLACE = said(HUMS, "it hums", Goal.STEP, to="1. Switch the power off.", section="replace")


def test_a_link_leads_where_somebody_says() -> None:
    assert led(read(), "it hums") == [(Leads.INSIDE, 5)]
    corrected = read(REPLACE)
    assert led(corrected, "it hums") == [(Leads.STEP, 12)]
    assert (corrected.report.corrections, corrected.report.problems) == (1, ())


def test_lines_may_move_and_words_may_not() -> None:
    moved = read(REPLACE, text=LAMP.replace("## Look\n", "It hangs in the hall.\n\n## Look\n"))
    assert led(moved, "it hums") == [(Leads.STEP, 14)]
    changed = read(REPLACE, text=LAMP.replace("wait a minute", "wait an hour"))
    assert led(changed, "it hums") == [(Leads.INSIDE, 5)]
    assert changed.report.corrections == 0
    (problem,) = changed.report.problems
    assert "the link that Mara corrected on 2026-03-01 ('it hums') is stale" in problem


@pytest.mark.parametrize(
    ("replaced", "complaint"),
    [
        ("1. Pull the plug.", "no step begins with"),
        ("1. Switch the power off.\n\n## Replace\n\n1. Switch the power off.", ""),
    ],
)
def test_a_step_that_is_not_there_any_more_is_told(replaced: str, complaint: str) -> None:
    found = read(REPLACE, text=LAMP.replace("1. Switch the power off.", replaced))
    if complaint:
        assert led(found, "it hums") == [(Leads.INSIDE, 5)]
        assert complaint in found.report.problems[0]
    else:
        assert led(found, "it hums") == [(Leads.STEP, 12)]


@pytest.mark.parametrize(
    ("correction", "ways"),
    [
        (said(HOT, "it is hot", Goal.RESOLVED), [(Leads.END, None)]),
        (said(HOT, "it is hot", Goal.INSIDE), [(Leads.INSIDE, 5)]),
        (said(HOT, "it is hot", Goal.NOWHERE), []),
        (said(HOT, "it is hot", Goal.DOCUMENT, to="fuse.md"), [(Leads.DANGLING, None)]),
    ],
)
def test_every_goal(correction: Correction, ways: list[tuple[Leads, int | None]]) -> None:
    assert led(read(correction), "it is hot") == ways


def test_what_is_approved_is_as_it_was_read() -> None:
    hot = said(HOT, "it is hot", Goal.INSIDE, verdict="approved")
    hums = said(HUMS, "it hums", Goal.INSIDE, verdict="approved")
    approved = read(hot, hums)
    assert approved.units == read().units
    assert approved.report.corrections == 2


ONE = 'text = "a"\nleads = "resolved"\nverdict = "approved"\nby = "Mara"\nat = 2026-03-01T00:00:00Z\n'


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("version = ", "is not valid TOML"),
        ("[" * 5000, "is not valid TOML"),
        ("", "has version = None, expected 1"),
        ("version = 2", "has version = 2, expected 1"),
        ("version = 1\n[[link]]\ntext = 3", "link.0.text: Input should be a valid string"),
        ("version = 1\n[[links]]", "links: Extra inputs are not permitted"),
        (f"version = 1\n[[link]]\n{ONE}[[link]]\n{ONE}", "has two corrections of the link 'a'"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(text: str, complaint: str) -> None:
    with pytest.raises(BadFile, match=re.escape(complaint)):
        parsed(text)


def test_a_file_is_read_as_it_is_written() -> None:
    (one,) = parsed(f"# by hand\nversion = 1\n\n[[link]]\n{ONE}")
    assert one == said("a", "", Goal.RESOLVED, verdict="approved")
