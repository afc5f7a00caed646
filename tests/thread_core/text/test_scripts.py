import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thread_core.text.header import clip
from thread_core.text.scripts import beginning, composed, folded, words_of
from thread_core.text.words import content_words, count_tokens

ZH = "检查打印机墨盒是否安装正确。"
JA = "プリンターの電源を入れ直してください。"
TH = "รีสตาร์ทเครื่องพิมพ์"
SCRIPTS = st.text(st.sampled_from(f"Gerät ẞßſİıΣ{ZH}{JA}{TH}प्रिंटर ﬁ½①™ＶＰＮ８﷽\u0301\u0345\u200b\u00ad가각ㄱ _-.\n"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Gerät", unicodedata.normalize("NFD", "Gerät")),
        ("ガイド", unicodedata.normalize("NFD", "ガイド")),
        ("ＶＰＮ　８０９", "vpn 809"),
        ("ﾌﾟﾘﾝﾀｰ", "プリンター"),
        ("Druck\u00adwarte\u200bschlange", "Druckwarteschlange"),
        ("Straße ﬁnden", "STRASSE finden"),
        ("İnternet", "internet"),
        ("Łącze", "łącze"),
    ],
)
def test_words_written_otherwise_are_the_same(one: str, other: str) -> None:
    assert words_of(one) == words_of(other)


def test_where_no_space_parts_words_they_are_found_in_pairs_of_letters() -> None:
    assert words_of("VPNに接続。赤") == ["vpn", "に接", "接続", "赤"]
    assert content_words("墨盒") <= content_words(ZH)
    assert content_words("電源") <= content_words(JA)


def test_marks_belong_to_their_words() -> None:
    assert words_of("प्रिंटर को") == ["प्रिंटर", "को"]


def test_a_sign_of_a_trade_mark_is_no_part_of_the_name() -> None:
    assert words_of("Lumen™ is on") == ["lumen", "is", "on"]


@given(SCRIPTS)
def test_folding_twice_changes_nothing(text: str) -> None:
    assert folded(folded(text)).split() == folded(text).split()
    assert words_of(folded(text)) == words_of(text)


@given(SCRIPTS)
def test_one_text_in_two_forms_is_one_text(text: str) -> None:
    assert words_of(unicodedata.normalize("NFD", text)) == words_of(composed(text))


@pytest.mark.parametrize(("text", "tokens"), [(ZH, 14), (JA, 19), ("VPNに接続", 4), ("Gerät öffnen.", 3)])
def test_a_letter_of_a_script_without_spaces_is_a_token(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


def test_a_text_without_spaces_is_clipped() -> None:
    assert clip(ZH * 20, 3) == ZH[:6]
    assert clip("VPN に接続します", 2) == "VPN に接"
    assert beginning(f"{ZH}\n{ZH}", 9) == f"{ZH}\n{ZH[:2]}"


def test_a_beginning_keeps_its_lines() -> None:
    assert beginning("one  two\n\nthree four", 3) == "one  two\n\nthree"
    assert beginning("one two\n", 3) == "one two"
    assert beginning("", 3) == ""
