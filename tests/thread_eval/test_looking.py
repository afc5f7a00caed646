"""What a report tells a person to look at, and to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.thread_eval.kettle import FIRST, GUIDE, KETTLE, STEPS, Scripted
from thread_eval import runs
from thread_eval.datasets.own import Flaw
from thread_eval.kinds.walks import Walks, task_cases
from thread_eval.looking import ADVICE, Look, look
from thread_eval.system import Reply
from thread_eval.systems import Offer, Setup

FLAW = Flaw(kind="dead end", where="tea.md:3-4", text="Wait.")
GUIDES = {"kettle.md": GUIDE, "tea.md": "# Tea\n\nPour it.\nWait.\n"}


def looked(folder: Path, monkeypatch: pytest.MonkeyPatch, replies: list[Reply], out: Reply) -> Look:
    """At a walk through the kettle's guide, in which `out` comes of the first outcome and the second one ends it."""
    outcomes = {"it is out": [out] * 2, "it shines": [Reply("Good.", "resolved")]}
    offer = Offer("langchain", lambda setup: Scripted(replies, outcomes), is_ours=True)
    monkeypatch.setattr(runs, "SYSTEMS", {"ours": offer})
    kind, cases = Walks(), task_cases([KETTLE], GUIDES)
    run = runs.Run(folder, {"systems": ["ours"]})
    run.ask(kind, cases, lambda documents: Setup(documents, []))
    return look(kind, run, run.score(kind, cases), cases, "ours", [FLAW])


def at(reply: Reply, place: str) -> Reply:
    return Reply(reply.text, reply.status, place=place)


STANDING = [at(step, f"kettle.md:{number}") for number, step in enumerate(STEPS)]


def test_an_outcome_that_leads_elsewhere_is_named_with_its_place_and_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = looked(tmp_path, monkeypatch, STANDING, Reply("Tea is nice.", place="tea.md:1"))
    assert found.told == "1 question: 1 right. 2 outcomes: 1 led elsewhere, 1 right."
    (bad,) = found.bad
    assert (bad.worst.said, bad.worst.came, bad.worst.place) == ("it is out", "led elsewhere", "kettle.md:6")
    assert bad.worst.came in ADVICE
    assert [(guide.name, guide.right, guide.asked, guide.flaws) for guide in found.guides] == [
        ("kettle.md", 2, 3, 0),
        ("tea.md", 0, 0, 1),
    ]


def test_what_goes_well_is_not_to_be_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = looked(tmp_path, monkeypatch, STANDING, STANDING[1])
    assert (found.bad, [guide.name for guide in found.guides]) == ([], ["tea.md"])


def test_where_no_guide_fits_the_nearest_is_gone_into_and_a_heading_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nearest = Reply("Nothing fits.", "unknown", options=("Kettle",))
    found = looked(tmp_path, monkeypatch, [nearest, *STANDING], STANDING[1])
    assert [one.came for one in found.bad[0].shown] == ["only among the nearest", "right", "right"]
    assert FIRST in found.bad[0].worst.wanted
