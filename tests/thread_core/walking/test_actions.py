"""What a turn's step says to do: its text, its commands with their parameters, its key."""

from __future__ import annotations

from typing import Any

from tests.thread_core.guides import units_of
from thread_core import LogicUnit, Span
from thread_core.walking.actions import action_of
from thread_core.walking.execution import Action

STANDBY = """\
# Standby lags behind

## Look

Ping the primary with `db ping <node-name> --port 5432`. If it is silent, restart it with `db restart <node-name>`.

## Catch up

1. Run `db pause`.
2. Run `db replay --from <start>`:

   ```console
   $ db replay --status
   95%
   ```

3. Is it done?

   - If it is not done, run `db rebuild`.

## Tidy

Remove the files with `db tidy`.

## End

Run `db end`. If it fails, call the on-call engineer.
"""
LOOK, CATCH_UP, TIDY, END = units_of(STANDBY, "standby.md")


def made(unit: LogicUnit, *said: str, line: int = 0, **others: Any) -> Action:
    values = {"said": said, "session": "s", "turn": 3}
    return action_of([unit], line or unit.start, **{**values, **others})


def test_an_action_holds_the_step_with_its_parameters_filled_in() -> None:
    action = made(LOOK, "the node is called db-2", "node name: db-3")
    assert action.commands == ("db ping db-3 --port 5432",)
    assert action.text.splitlines() == [
        "Standby lags behind: Look",
        "Ping the primary with `db ping db-3 --port 5432`. If it is silent, restart it with `db restart db-3`.",
    ]
    assert (action.parameters["<node-name>"], action.missing) == ("db-3", ())
    assert (str(action.citation), action.unit_id, action.header) == ("standby.md:5", LOOK.id, LOOK.header)
    assert action.complete


def test_placeholders_without_a_value_are_missing() -> None:
    assert made(LOOK).missing == ("<node-name>",)
    action = made(CATCH_UP)
    assert action.commands == ("db pause", "db replay --from <start>", "db replay --status")
    assert action.missing == ("<start>",)


def test_a_value_that_is_more_than_a_word_is_none() -> None:
    for value in ("--all", "a;reboot", "$(reboot)", "a|b", "<b>"):
        assert made(LOOK, f"node name: {value}").missing == ("<node-name>",), value


def test_a_default_in_the_code_is_not_run_where_another_value_cannot_be_read() -> None:
    named = LOOK.model_copy(update={"body": LOOK.body.replace("<node-name>", "db-1"), "parameters": {"node": "db-1"}})
    assert made(named).commands == ("db ping db-1 --port 5432",)
    action = made(named, 'node="db 2"')
    assert (action.commands, action.missing) == (("db ping <node> --port 5432",), ("<node>",))


def test_a_branch_that_led_to_the_step_is_followed() -> None:
    silent = made(LOOK, "node name: db-3", condition="it is silent")
    assert silent.commands == ("db ping db-3 --port 5432", "db restart db-3")


def test_only_what_is_shown_is_run() -> None:
    assert made(CATCH_UP, line=CATCH_UP.start + 1).commands == ("db replay --from <start>", "db replay --status")
    assert made(CATCH_UP, line=CATCH_UP.start + 1).text.splitlines()[1].startswith("2. Run")


def test_the_unit_that_is_shown_below_is_read_after_it() -> None:
    both = action_of([LOOK, TIDY], LOOK.start, said=(), session="s", turn=1)
    assert both.commands == ("db ping <node-name> --port 5432",)
    assert action_of([TIDY, END], TIDY.start, said=(), session="s", turn=1).commands == ("db tidy", "db end")


def test_a_rewritten_body_is_read_whole() -> None:
    rewritten = LOOK.model_copy(update={"rewritten": True, "body": "Run `db ping`. If it is silent, run `db restart`."})
    assert made(rewritten).commands == ("db ping",)


def test_a_key_belongs_to_session_turn_unit_and_commands() -> None:
    action = made(LOOK)
    assert made(LOOK, approved=action.digest).key == action.key == made(LOOK, "the pump hums").key
    others = [made(LOOK, session="t"), made(LOOK, turn=4), made(CATCH_UP), made(LOOK, "node name: db-3")]
    assert len({action.key, *(other.key for other in others)}) == 5


def test_lines_that_a_unit_only_claims_take_no_memory() -> None:
    endless = Span("standby.md", END.start, 10**12)
    claiming = END.model_copy(update={"body_spans": (endless,)})
    assert made(claiming).commands == ("db end",)
    assert claiming.lines_of(1, 2) == Span("standby.md", END.start, END.start + 1)
    assert claiming.model_copy(update={"rewritten": True}).lines_of(1, 2) == endless


def test_nothing_is_taken_below_a_heading_that_says_so() -> None:
    [unit] = units_of("# Pump\n\n## Do not do this\n\nRun `a`.\n", "pump.md")
    assert made(unit).commands == ()
