"""How a block is cut into sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thread_core.text.sentences import BREAK, cut, instructs, tells, without_remark


class TestSentences:
    @pytest.mark.parametrize(
        ("text", "found"),
        [
            ("One. Two! Three?", ["One.", "Two!", "Three?"]),
            ("Version 4.16 is new. See a.sh.", ["Version 4.16 is new.", "See a.sh."]),
            ("Use one, e.g. The first. Next.", ["Use one, e.g. The first.", "Next."]),
            ("Press A. If it hums, press B.", ["Press A.", "If it hums, press B."]),
            ("It hums? Yes: press A. No: press B.", ["It hums?", "Yes: press A.", "No: press B."]),
            ("Ask Dr. A. Iffley first.", ["Ask Dr.", "A. Iffley first."]),
            ("Say “ja”. Then go.", ["Say “ja”.", "Then go."]),
            ('Say "go." Then go. (See below.) End.', ['Say "go."', "Then go.", "(See below.)", "End."]),
            *(("No. 5 is alive.", ["No. 5 is alive."]), ("Run a. Then b.", ["Run a.", "Then b."])),
            ("Ask J. Doe. Then go.", ["Ask J. Doe.", "Then go."]),
            ("打开设置。选择网络！完成了吗？“是”的。", ["打开设置。", "选择网络！", "完成了吗？", "“是”的。"]),
            ("「はい」を\n押す。」 次に進む。", ["「はい」を 押す。」", "次に進む。"]),
            ("Gerät öffnen. Über das Menü gehen. é gilt.", ["Gerät öffnen.", "Über das Menü gehen. é gilt."]),
            ("Abra todo. ¿Sigue igual? ¡Cuidado!", ["Abra todo.", "¿Sigue igual?", "¡Cuidado!"]),
            ("Klicken. „Weiter.“ Откройте. Закройте.", ["Klicken.", "„Weiter.“", "Откройте.", "Закройте."]),
            *(("Größe, z. B. A4, Nr. 5 bzw. Brief.", ["Größe, z. B. A4, Nr. 5 bzw. Brief."]), ("a\n  b\tc", ["a b c"])),
            *(("", []), (" \n ", []), (". . . .", [". . . ."])),
        ],
    )
    def test_a_text_is_cut_where_a_sentence_ends(self, text: str, found: list[str]) -> None:
        assert [sentence.text for sentence in cut(text)] == found

    def test_a_sentence_may_begin_with_code_in_small_letters(self) -> None:
        text = "It is off. lamp says so, e.g. bulb does (see on.). lamp is new"
        code = [(at, at + 4) for at in range(len(text)) if text.startswith(("lamp", "bulb"), at)]
        assert [sentence.text for sentence in cut(text, code)] == [
            "It is off.",
            "lamp says so, e.g. bulb does (see on.).",
            "lamp is new",
        ]

    @given(st.text(st.sampled_from("aAzÄé1.?!。！？「」“”„¿( \n電开")))
    def test_no_letter_is_lost_in_any_script(self, text: str) -> None:
        found = list(cut(text))
        assert "".join("".join(sentence.text.split()) for sentence in found) == "".join(text.split())
        for sentence in found:
            said = text[sentence.start : sentence.stop]
            assert sentence.text == " ".join(said.split())
            assert (sentence.first, sentence.last) == (
                text.count("\n", 0, sentence.start),
                text.count("\n", 0, sentence.stop),
            )

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("Look{br}If it is red, stop.{br}Wait.", ["Look", "If it is red, stop.", "Wait."]),
            ("Do it:{br}1. Stop{br}2. Start.{br}- Look", ["Do it:", "Stop", "Start.", "Look"]),
            ("Press the red,{br}Large button{br}with care.", ["Press the red, Large button with care."]),
            ("{br}Look{br}{br}\nIf it is red{br}", ["Look", "If it is red"]),
        ],
    )
    def test_a_break_ends_a_sentence(self, text: str, expected: list[str]) -> None:
        assert [sentence.text for sentence in cut(text.format(br=BREAK))] == expected

    def test_a_break_ends_no_line(self) -> None:
        text = f"Stop.{BREAK}\n2. Start.{BREAK}Look\nat it."
        assert [(one.text, one.first, one.last) for one in cut(text)] == [
            ("Stop.", 0, 0),
            ("Start.", 1, 1),
            ("Look at it.", 1, 2),
        ]


class TestRemarks:
    @pytest.mark.parametrize(
        ("text", "rest"),
        [
            ("Note: The lamp is red.", "The lamp is red."),
            ("[!TIP] Wait.", "Wait."),
            ("⚠️ Wait.", "Wait."),
            ("✅ Note: The lamp is red.", "The lamp is red."),
            ("→ Wait.", "→ Wait."),
            ("If the status is Warning: Not updated, wait.", "If the status is Warning: Not updated, wait."),
        ],
    )
    def test_what_a_note_begins_with_is_left_out_and_nothing_further_on(self, text: str, rest: str) -> None:
        assert without_remark(text) == rest


@pytest.mark.parametrize(
    ("text", "told"),
    [
        *(("Check the logs.", True), ("3. Please reconnect the cable.", True), ("**Navigate** to the panel", True)),
        *(("Make a note of the number.", True), ("Make sure that it is dry.", True)),
        *(("Reach out to the vendor.", True), ("Make and model", False), ("Reach", False), ("Update failed", False)),
        *(("Disk full", False), ("Submitted by the team", False)),
    ],
)
def test_a_text_tells_to_do_something_by_its_first_word(text: str, told: bool) -> None:
    assert tells(text) is told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        *(("Check the logs.", True), ("Ping the server.", True), ("Then power-cycle it", True), ("Press a key", True)),
        *(("Above the lid", False), ("Shows a lamp", False), ("Closing the lid", False), ("Opened a lid", False)),
        *(("Usually the lid", False), ("You press the lid", False), ("Fence", False), ("Option A", False)),
        ("fence " * 100_000, False),
    ],
)
def test_a_text_instructs_by_a_verb_and_what_it_is_done_to(text: str, told: bool) -> None:
    assert instructs(text) is told
