from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Literal

import pytest
from pydantic import Field

from thread_core.errors import BadReply
from thread_core.llm.access import ModelAccess
from thread_core.llm.asking import (
    COMPLAINTS,
    ECHOED,
    OBJECT,
    SHOWN,
    STARTS,
    Ask,
    Role,
    ask_for,
    ask_until,
    complaint,
    read,
)
from thread_core.plan import Plan
from thread_core.ports import Form, Message, Reply, Usage
from thread_core.testing.model import ScriptedModel


class Part(Form):
    kind: Literal["step", "note"] = "step"
    lines: tuple[int, ...] = ()


class Answer(Form):
    units: tuple[Part, ...]
    title: str = ""


QUESTION = Ask(Role.EXTRACTOR, (Message("system", "Take it apart."), Message("user", "1| Look.")))
GOOD = '{"units": [{"kind": "step", "lines": [1, 2]}], "title": "Disk"}'
VALUE = Answer(units=(Part(kind="step", lines=(1, 2)),), title="Disk")

hows = pytest.mark.parametrize("how", ["run", "arun"])


class Kept(dict[str, str]):
    """A reply cache in memory."""

    def put(self, key: str, text: str) -> None:
        self[key] = text


def asked(access: ModelAccess, plan: Plan[Answer], how: str) -> Answer:
    return access.run(plan) if how == "run" else asyncio.run(access.arun(plan))


# -- reading a reply -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"\ufeff  {GOOD}\n",
        f"```json\n{GOOD}\n```",
        f"```\n{json.dumps(json.loads(GOOD), indent=2)}\n```",
        f"Sure, here it is:\n\n{GOOD}\n\nTell me if {{that}} is not what you wanted.",
        f"A unit has the form {{a, b}}, so:\n{GOOD}",
        f'It begins with {{"kind": ...}} and so on:\n{GOOD}\nEach of them is a {{"kind": ...}}.',
        f'<think>First {{"units": []}}, then more.</think>\n{GOOD}',
        f'Draft: {{"units": []}}\n\nBetter: {GOOD}',
        f'{GOOD}\n\nConfidence: {{"high": true}}',
        GOOD.replace('"title"', '"mood": "good", "more": {"units": 3}, "title"'),
        f"[{GOOD}]",
    ],
)
def test_the_value_is_found_wherever_it_stands(text: str) -> None:
    assert read(text, Answer) == (VALUE, [])


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "the reply is empty"),
        ("I cannot do that.", "the reply holds no JSON object with the fields units, title"),
        ("{}", "the reply holds no JSON object with the fields units, title"),
        (
            '{"units": [{"kind": "step"}, {"ki',
            "the JSON is broken at line 1, column 31: Unterminated string starting at",
        ),
        ('{"units": [{"kind": "step"}', "the JSON is broken at line 1, column 28: Expecting ',' delimiter"),
        ('{"units": [],}', "the JSON is broken at line 1, column 1"),  # 3, from Python 3.13 on, or 4
        ('Here:\n{"units": [1 2]}', "the JSON is broken at line 2, column 14: Expecting ',' delimiter"),
        ('{"title": "Disk"}', "units: Field required"),
        ('{"units": [{"kind": "leap"}]}', "units.0.kind: Input should be 'step' or 'note'"),
        (
            '{"units": [{"lines": ["x"]}]}',
            "units.0.lines.0: Input should be a valid integer, unable to parse string as an",
        ),
        ('{"units": [], "title": NaN}', "title: Input should be a valid string"),
        ('{"units": [], "title": "\\ud800"}', "Invalid JSON: "),
        (f'{{"units": [{{"lines": [{"9" * 5000}]}}]}}', "Invalid JSON: number out of range"),
    ],
)
def test_what_is_wrong_is_said(text: str, wrong: str) -> None:
    value, [said] = read(text, Answer)
    assert value is None
    assert said.startswith(wrong)


def test_a_reply_is_not_searched_for_ever() -> None:
    assert read("{}" * (STARTS - 1) + GOOD, Answer) == (VALUE, [])
    assert read("{}" * STARTS + GOOD, Answer)[0] is None
    assert read('{"a" }' * (STARTS - 1) + GOOD, Answer) == (VALUE, [])
    assert read('{"a" }' * STARTS + GOOD, Answer)[0] is None


def test_a_part_of_a_broken_answer_is_not_an_answer() -> None:
    class Loose(Form):
        kind: str = ""
        links: tuple[Part, ...] = ()

    value, _ = read('{"kind": "step", "links": [{"kind": "note"}, {"lines": [1]}, {"kind"', Loose)
    assert value is None


def test_an_alias_is_a_field() -> None:
    class Paper(Form):
        header: str = Field(alias="#header#")

    assert read('{"#header#": "Look"}', Paper) == (Paper.model_validate({"#header#": "Look"}), [])


@pytest.mark.parametrize(
    "text",
    [
        '{"a":' * 200_000,
        '{"units":[' * 100_000,
        '{"a":1,' * 150_000,
        '{"' * 500_000,
        "{}" * 500_000,
        "{ " * 500_000,
        "{" + " " * 1_000_000,
        " " * 1_000_000,
        '{"a":"' + '\\"{' * 300_000,
        '{"a":"' + "{}" * 500_000,
        '{"a":' + "9" * 1_000_000 + "}",
        '{"a":[' + "1," * 500_000,
    ],
    ids=lambda text: f"{text[:8]!r}",
)
def test_a_hostile_reply_of_a_megabyte_is_refused(text: str) -> None:
    value, wrong = read(text, Answer)
    assert value is None
    assert len(wrong) == 1 and len(wrong[0]) < 200


def test_a_great_number_of_faults_is_counted() -> None:
    wrong = [f"fault {number}" for number in range(COMPLAINTS + 7)]
    assert complaint(wrong) == (
        "That reply cannot be used:\n"
        + "".join(f"- fault {number}\n" for number in range(COMPLAINTS)).rstrip()
        + " (and 7 more)\nGive the whole JSON object again, mended."
    )


# -- asking --------------------------------------------------------------------------------------------------------


def two_lines(answer: Answer) -> Sequence[str]:
    return [] if answer.units[0].lines == (1, 2) else ["units.0.lines: line 9 is not there; the last line is 2"]


@hows
@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("I would rather not.", "- the reply holds no JSON object with the fields units, title"),
        (GOOD[:-20], "- the JSON is broken at line 1, column "),
        ('{"units": [{"kind": "x"}, {"lines": 3}]}', "- units.1.lines: Input should be a valid array"),
        (GOOD.replace("1, 2", "9"), "- units.0.lines: line 9 is not there; the last line is 2"),
        (Reply(text=GOOD, end="length"), "- the reply was cut off at the longest that the model writes"),
        (Reply(text="No.", end="refused"), "- the model refused to answer"),
        (Reply(text=GOOD, end=""), "- the reply broke off"),
    ],
)
def test_a_bad_reply_goes_back_once_with_what_is_wrong(bad: str | Reply, said: str, how: str) -> None:
    model = ScriptedModel(("1| Look.", bad), (said, GOOD))
    access = ModelAccess(model)
    assert asked(access, ask_for(QUESTION, Answer, two_lines), how) == VALUE
    text = bad if isinstance(bad, str) else bad.text
    system, user, assistant, complaint = model.seen[1]
    assert (system, user, assistant) == (*QUESTION.messages, Message("assistant", text))
    assert complaint.text.endswith("\nGive the whole JSON object again, mended.")
    assert model.schemas == [Answer, Answer]
    assert access.usage.calls == 2


@hows
@pytest.mark.parametrize("silence", ["", " \n "])
def test_a_service_that_takes_no_empty_message_is_shown_none(silence: str, how: str) -> None:
    model = ScriptedModel(("Look", silence), ("- the reply is empty", GOOD))
    assert asked(ModelAccess(model), ask_for(QUESTION, Answer), how) == VALUE
    assert model.seen[1][2] == Message("assistant", "(nothing)")


SHORT = GOOD.replace("1, 2", "9")


def asked_less_again(*, keep: bool = False) -> Plan[Answer]:
    def no_title(answer: Answer) -> list[str]:
        return [] if answer.title else ["no title"]

    return ask_until(
        QUESTION,
        lambda text: read(text, Answer, two_lines),
        OBJECT,
        last=lambda text: read(text, Answer, no_title),
        keep=(lambda _: True) if keep else None,
    )


@hows
@pytest.mark.parametrize(("first", "second"), [(SHORT, SHORT), ("bad", SHORT), (SHORT, "bad"), (SHORT, "")])
def test_a_reply_whose_faults_are_not_grave_is_used_after_the_complaint(first: str, second: str, how: str) -> None:
    kept = Kept()
    model = ScriptedModel(("", first), ("", second))
    assert asked(ModelAccess(model, cache=kept), asked_less_again(keep=True), how).units[0].lines == (9,)
    model.finished()
    assert list(kept.values()) == [SHORT]
    assert asked(ModelAccess(ScriptedModel(), cache=kept), asked_less_again(keep=True), how).units[0].lines == (9,)


@hows
def test_a_reply_with_a_grave_fault_is_not(how: str) -> None:
    untitled = SHORT.replace("Disk", "")
    model = ScriptedModel(("", untitled), ("", untitled))
    with pytest.raises(BadReply, match="no title"):
        asked(ModelAccess(model), asked_less_again(), how)


@hows
def test_the_second_bad_reply_is_an_error_that_shows_it(how: str) -> None:
    worse = "x" * 1000
    model = ScriptedModel(("", "bad"), ("", worse))
    with pytest.raises(BadReply) as caught:
        asked(ModelAccess(model), ask_for(QUESTION, Answer), how)
    assert caught.value.raw == worse
    shown = "x" * SHOWN
    assert str(caught.value) == (
        f"the reply holds no JSON object with the fields units, title; the reply began '{shown}'"
    )
    model.finished()


@hows
def test_an_error_names_three_faults_and_counts_the_others(how: str) -> None:
    bad = json.dumps({"units": [{"kind": "x"}] * 5})
    with pytest.raises(
        BadReply, match=r"units.0.kind: .*; units.1.kind: .*; units.2.kind: .* \(and 2 more\); the reply"
    ):
        asked(ModelAccess(ScriptedModel(("", bad), ("", bad))), ask_for(QUESTION, Answer), how)


@hows
def test_a_very_long_bad_reply_does_not_go_back_whole(how: str) -> None:
    model = ScriptedModel(("", "x" * 1_000_000), ("", GOOD))
    assert asked(ModelAccess(model), ask_for(QUESTION, Answer), how) == VALUE
    assert len(model.seen[1][2].text) == ECHOED


# -- keeping -------------------------------------------------------------------------------------------------------


@hows
def test_only_a_good_reply_is_kept_and_taken_again(how: str) -> None:
    kept = Kept()
    model = ScriptedModel(("", "bad"), ("", f"Sure:\n{GOOD}"))
    asked(ModelAccess(model, cache=kept), ask_for(QUESTION, Answer, two_lines, keep=True), how)
    assert list(kept.values()) == [f"Sure:\n{GOOD}"]
    again = ModelAccess(ScriptedModel(), cache=kept)
    assert asked(again, ask_for(QUESTION, Answer, two_lines, keep=True), how) == VALUE
    assert again.usage == Usage(recalled=1)


@hows
def test_no_bad_reply_is_kept(how: str) -> None:
    kept = Kept()
    for script in (("bad", "bad"), (GOOD.replace("1, 2", "9"), Reply(text=GOOD, end="length"))):
        model = ScriptedModel(*(("", reply) for reply in script))
        with pytest.raises(BadReply):
            asked(ModelAccess(model, cache=kept), ask_for(QUESTION, Answer, two_lines, keep=True), how)
    assert kept == {}


@hows
@pytest.mark.parametrize("old", ["no JSON", '{"units": "old form"}', GOOD.replace("1, 2", "9")])
def test_a_kept_reply_that_is_good_no_more_is_asked_anew_and_replaced(old: str, how: str) -> None:
    kept = Kept()
    asked(ModelAccess(ScriptedModel(("", GOOD)), cache=kept), ask_for(QUESTION, Answer, keep=True), how)
    [key] = kept
    kept[key] = old
    access = ModelAccess(ScriptedModel(("", GOOD)), cache=kept)
    assert asked(access, ask_for(QUESTION, Answer, two_lines, keep=True), how) == VALUE
    assert kept == {key: GOOD}
    assert (access.usage.calls, access.usage.recalled) == (1, 0)


@hows
def test_nothing_is_kept_or_recalled_unasked(how: str) -> None:
    kept = Kept()
    for _ in range(2):
        access = ModelAccess(ScriptedModel(("", GOOD)), cache=kept)
        asked(access, ask_for(QUESTION, Answer), how)
        assert (access.usage.calls, access.usage.recalled, kept) == (1, 0, {})
