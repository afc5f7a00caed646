"""Which code of a step an executor is given, by how the step is built."""

from __future__ import annotations

import pytest

from tests.thread_core.guides import units_of
from thread_core import Document, RuleExtractor
from thread_core.walk.actions import (
    BEFORE,
    DENIED,
    IN_PARTS,
    NO_CODE,
    OUTPUT,
    POINTS,
    REMARKS,
    REWRITTEN,
    SEVERAL,
    STRUCK,
    action_of,
)
from thread_core.walk.execution import Action
from thread_core.walk.options import screen_at
from thread_core.walk.state import SessionState


def block(code: str, language: str = "sh", indent: str = "") -> str:
    return "\n".join(indent + line for line in (f"```{language}", *code.split("\n"), "```")) + "\n"


def numbered(*steps: str, mark: str = "{}.") -> str:
    return "\n".join(f"{mark.format(at)} {step}" for at, step in enumerate(steps, 1))


def step(said: str, code: str) -> str:
    return f"{said}\n\n{block(code, indent='   ')}"


def given(text: str, *said: str) -> Action:
    [unit] = units_of(f"# Pump\n\n## Free it\n\n{text}\n")
    return action_of(screen_at(unit), state=SessionState(said=said))


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        (block("a"), ["a"]),
        ("Run this:\n\n" + block("a\n\nb -c"), ["a", "b -c"]),
        ("Run this:\n\n~~~bash title=x\na\n~~~", ["a"]),
        (block("# Why\na \\\n  -b", "zsh"), ["a    -b"]),
        (block("# a remark \\\nb"), ["b"]),
        (block("$ a\nprinted\n$ b \\\n    c", "console"), ["a", "b      c"]),
        (block("$ a\nrm -rf /"), ["a"]),
        (block("ann@web1:~/x$ a\nprinted\n[root@web1 ~]# b", "console"), ["a", "b"]),
        (block("PS C:\\> a\nprinted", "powershell"), ["a"]),
        (block("dir C:\\\nb", "cmd"), ["dir C:\\", "b"]),
        (block("restart(\n  'db')", "python"), ["restart(\n  'db')"]),
        (numbered(step("Stop it:", "a"), step("Start it:", "b")), ["a", "b"]),
        ("To free it:\n\n" + numbered(step("Stop it:", "a"), step("Start it:", "b")), ["a", "b"]),
        ("Look:\n\n" + block("a") + "\n- If it is red, wait.\n- If it is green, stop.", ["a"]),
        (numbered(step("Look:", "a") + "\n   If it is red, call the smith. If it is green, stop."), ["a"]),
    ],
)
def test_code_in_a_block_of_a_shell_is_run(text: str, commands: list[str]) -> None:
    action = given(text)
    assert (list(action.commands), action.complete, action.reason) == (commands, True, "")


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        (block("a") + "\nWatch the lamp.", ["a"]),
        (block("a") + "\n" + block("printed", "text"), ["a"]),
        (numbered(step("Stop it:", "a"), "Wait.", step("Start it:", "b")), ["a"]),
        (numbered(step("Stop it:", "a"), step("Wait. Then start it:", "b")), ["a"]),
    ],
)
def test_after_what_else_is_to_be_done_nothing_is_run(text: str, commands: list[str]) -> None:
    action = given(text)
    assert (list(action.commands), action.complete) == (commands, False)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Run `a`.", NO_CODE),
        (block("a", ""), NO_CODE),
        ("Run:\n\n    a", NO_CODE),
        (block('{"a": 1}', "json") + "\n" + block("a: 1", "yaml"), NO_CODE),
        (block("# nothing"), NO_CODE),
        (block("a", "{.sh}"), NO_CODE),
        ("````md\n" + block("a") + "````", NO_CODE),
        ("````\n" + block("a"), NO_CODE),
        ("Close the valve. Then run:\n\n" + block("a"), BEFORE),
        ("> " + block("a").replace("\n", "\n> "), BEFORE),
        ("| Lamp |\n|---|\n| red |\n\n" + block("a"), BEFORE),
        ("Do not run this:\n\n" + block("a"), DENIED),
        ("Auf keinen Fall:\n\n" + block("a"), DENIED),
        ("On Debian:\n\n" + block("a") + "\nOn Fedora:\n\n" + block("b"), SEVERAL),
        (block("a") + "\n- On Fedora:\n\n" + block("b", indent="  "), SEVERAL),
        ("- On Debian:\n\n" + block("a", indent="  ") + "- On Fedora:\n\n" + block("b", indent="  "), POINTS),
        (block("# Debian\na\n# Fedora\nb"), REMARKS),
        (block("active\n# 3 units", "console"), OUTPUT),
        ("~~Run this:~~\n\n" + block("a"), STRUCK),
        ("Wait.\n\n<!--\n" + block("a") + "-->", ""),
        ("If it is red, run:\n\n" + block("a"), ""),
        ("If it is red, wait. If it is green, run:\n\n" + block("a"), ""),
        ("Wait.", ""),
    ],
)
def test_any_other_code_is_the_persons(text: str, reason: str) -> None:
    action = given(text)
    assert (action.commands, action.complete, action.reason) == ((), False, reason)


def test_nothing_is_run_of_a_step_for_which_the_guide_warns() -> None:
    inside = given(block("a") + "\n> [!WARNING]\n> It is loud.")
    assert (inside.commands, inside.reason) == ((), "the guide warns")
    [unit] = units_of("# Pump\n\n## Free it\n\n" + block("a"))
    told = action_of(screen_at(unit), state=SessionState(), warned=["> [!WARNING]\n> It is loud."])
    assert (told.commands, told.reason) == ((), "the guide warns: It is loud.")


def test_nothing_is_run_of_what_a_model_wrote() -> None:
    [unit] = units_of("# Pump\n\n## Free it\n\n" + block("a"))
    rewritten = action_of(screen_at(unit.model_copy(update={"rewritten": True})), state=SessionState())
    assert (rewritten.commands, rewritten.reason) == ((), REWRITTEN)


def test_parameters_have_what_was_said_of_them_last() -> None:
    free = block("ctl free <rotor>")
    assert given(free, "rotor: 3", "the rotor is called 4").commands == ("ctl free 4",)
    missing = given(free, "rotor: 3; reboot and more")
    assert given(free).missing == ("<rotor>",) and "reboot" not in missing.commands[0]


def test_an_action_is_the_same_for_the_same_turn_and_place_alone() -> None:
    state = SessionState(turn=3)
    [unit] = units_of("# Pump\n\n## Free it\n\n" + block("a"))
    [edited] = units_of("# Pump\n\n## Free it\n\nFree it:\n\n" + block("a"))
    action, other = (action_of(screen_at(one), state=state) for one in (unit, edited))
    assert unit.id != edited.id and action.key == other.key
    assert action_of(screen_at(unit), state=state.replace(turn=4)).key != action.key
    assert action_of(screen_at(unit), state=state.replace(id=f"{state.id}/fork")).key == action.key


def test_nothing_is_run_of_code_that_a_unit_has_a_part_of() -> None:
    text = "# Pump\n\nRun this:\n\n" + block("\n".join(f"open {at}" for at in range(9)))
    units = RuleExtractor(max_tokens=20).extract(Document("a.md", text)).units
    actions = [action_of(screen_at(unit), state=SessionState()) for unit in units]
    assert {(action.commands, action.reason) for action in actions} == {((), IN_PARTS)}
    assert len(actions) > 1
