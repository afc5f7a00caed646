"""What a walk goes past: sections for an outcome that nobody has reported."""

import pytest

from tests.thread_core.guides import library_of
from thread_core.walking.session import HowToSession
from thread_core.walking.states import Status
from thread_core.walking.turns import Turn

LOOK = """\
# Tank alarm

## Look

1. Open the lid.
2. Read the gauge.{}

"""
DRAIN = "## Drain it\n\nOpen the drain with `tankctl drain`.\n\n"
CLOSE = "## Shut it\n\nShut the lid.\n\n"
CASES = {
    "a case": "\n   - If the gauge leaks, [drain it](#drain-it).",
    "a sentence": " If the gauge leaks, go to [Drain it](#drain-it).",
    "a label": "\n   - **The gauge leaks**: [drain it](#drain-it).",
    "a row": "\n\n| Gauge | Do |\n|---|---|\n| leaks | see [Drain it](#drain-it) |",
    "one of two": "\n   - If the gauge leaks, [drain it](#drain-it).\n   - If the gauge is dirty, wipe it.",
    "or else": "\n   - If the gauge leaks, [drain it](#drain-it).\n   - Otherwise, [shut it](#shut-it).",
}


def walk(guide: str, *said: str) -> Turn:
    """The last turn of a walk that begins with looking at the tank."""
    session = HowToSession(library_of(None, guide=guide))
    turn = session.start("tank alarm, look")
    assert "Read the gauge." in turn.text
    for text in said:
        turn = session.respond(text)
    return turn


@pytest.mark.parametrize("case", CASES.values(), ids=[*CASES])
@pytest.mark.parametrize("done", ["done", "ok", "next"])
def test_who_is_done_is_asked_about_the_section_that_only_a_case_leads_to(case: str, done: str) -> None:
    guide = LOOK.format(case) + DRAIN + CLOSE
    asked = walk(guide, done)
    assert asked.status is Status.ASKING
    assert "gauge leaks" in asked.options[0] or asked.options[0] == "leaks"
    assert "tankctl drain" in walk(guide, done, "1").text
    assert walk(guide, done, done).text.endswith("Shut the lid.")


def test_whether_the_one_case_is_it_is_answered_by_yes_and_no() -> None:
    guide = LOOK.format(CASES["a case"]) + DRAIN + CLOSE
    assert walk(guide, "done").text == "Is this the case? Say next if it is not."
    assert "tankctl drain" in walk(guide, "done", "yes").text
    for said in ("no", "ok", "done"):
        assert walk(guide, "done", said).text.endswith("Shut the lid.")


def test_the_section_for_a_case_is_named_at_the_end_and_not_read_after_others_either() -> None:
    guide = LOOK.format(CASES["a case"]) + CLOSE + DRAIN
    assert walk(guide, "done").text.endswith("Shut the lid.")
    end = walk(guide, "done", "done")
    assert end.text == 'That was the last step here. Only for when it is needed, there is also: "Drain it".'
    assert walk(guide, "done", "done", "done").status is Status.RESOLVED
    assert "tankctl drain" in walk(guide, "the gauge leaks").text


@pytest.mark.parametrize(
    "case",
    [
        " If it still rings, [drain it](#drain-it).",
        " If the leak is fixed, go on with [Drain it](#drain-it).",
        " Once the gauge is read, go to [Drain it](#drain-it).",
        " If the gauge leaks, go to [Drain it](#drain-it). Then go to [Drain it](#drain-it).",
    ],
)
def test_what_follows_where_all_is_well_or_nothing_has_helped_is_read_in_its_order(case: str) -> None:
    assert "tankctl drain" in walk(LOOK.format(case) + DRAIN + CLOSE, "done").text


def test_what_stood_before_the_beginning_is_not_made_up_for_where_it_is_for_a_case() -> None:
    guide = "# Tank\n\n## Fill\n\nOpen the tap. If it leaks, see [Drain](#drain).\n\n"
    guide += "## Drain\n\nOpen the drain with `tankctl drain`.\n\n## Paint\n\nBrush the paint on.\n"
    session = HowToSession(library_of(None, guide=guide))
    assert "Brush the paint on." in session.start("paint the tank, brush").text
    shown = [session.respond("done").text for _ in range(3)]
    assert "Open the tap." in shown[0]
    assert not any("tankctl drain" in text for text in shown)


def test_what_stands_within_the_section_for_a_case_is_read_by_who_is_there() -> None:
    guide = "# Tank\n\nIf the gauge leaks, see [Seal](#seal). If it is loud, see [Oil](#oil).\n\n## The gauge leaks\n\n"
    guide += "Shut the tap.\n\n### Seal\n\nChange the seal.\n\n## It is loud\n\nWait.\n\n### Oil\n\nOil it.\n"
    session = HowToSession(library_of(None, guide=guide))
    assert "Shut the tap." in session.start("tank: the gauge leaks, shut the tap").text
    assert "Change the seal." in session.respond("done").text
