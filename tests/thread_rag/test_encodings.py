import pytest

from thread_rag.encodings import guess

DE = "# Prüfung\n\n1. Gerät öffnen.\n2. Größe prüfen.\n"
PL = "# Łączność\n\n1. Sprawdź.\n"
RU = "# Принтер\n\n1. Включить питание.\n"
JA = "# プリンター\n\n1. 電源を入れる。\n"
ZH = "# 打印机\n\n1. 打开电源。\n"
TW = "# 印表機\n\n1. 打開電源。\n"
KO = "# 프린터\n\n1. 전원을 켭니다.\n"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        *((DE, "cp1252"), (DE, "utf-16le"), (DE, "utf-16be"), (PL, "cp1250"), (PL, "iso8859-2")),
        *((RU, "cp1251"), (RU, "koi8-r"), (JA, "cp932"), (JA, "euc-jp"), (ZH, "gb18030"), (TW, "big5"), (KO, "cp949")),
    ],
)
def test_a_text_looks_like_what_it_is(text: str, encoding: str) -> None:
    assert guess(text.encode(encoding)) == encoding
    assert guess((text * 9000).encode(encoding)) == encoding


@pytest.mark.parametrize("data", [b"\xff", b"\x89PNG\0\0\0", DE.encode() + b"\xff", b""])
def test_what_looks_like_nothing_is_left_open(data: bytes) -> None:
    assert guess(data) == ""
