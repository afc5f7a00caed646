from thread_core.models import Span
from thread_core.walk import agents
from thread_core.walk.rendering import ANSWER, Turn
from thread_core.walk.states import Status


def test_below_a_turn_and_its_outcomes_stands_what_to_do() -> None:
    shown = Turn(text="Look at the lamp.", status=Status.AWAITING, options=("it is lit", "it is dark"))
    assert agents.told(shown) == (
        f"Look at the lamp.\n\n{ANSWER}\n1. it is lit\n2. it is dark\n\n"
        "(Do this, or have it done; then call again with the outcome.)"
    )
    assert agents.told(shown, "Wait.").endswith("\n\n(Wait.)")


def test_the_source_is_the_first_lines_of_each_document() -> None:
    cited = (Span("disk.md", 4, 9), Span("disk.md", 1, 1), Span("logs.md", 7, 7))
    shown = Turn(text="Look at the lamp.", status=Status.AWAITING, citations=cited)
    assert agents.told(shown).split("\n\n")[1] == "Source: disk.md:4-9, logs.md:7"


def test_a_model_is_told_what_to_do_in_every_status_that_is_shown() -> None:
    advice = {agents.told(Turn(text="", status=status)) for status in Status if status is not Status.NEW}
    assert len(advice) == len(Status) - 1
