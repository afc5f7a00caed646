"""Encodings other than UTF-8: what pages mean by a name, and what a file that names none looks like."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable

LOOKED_AT = 100_000
"""Bytes of a file by which its encoding is guessed."""
ENOUGH = 0.7
"""The share of Chinese characters that are in daily use."""

_ON_THE_WEB = {
    **dict.fromkeys(("ascii", "iso8859-1"), "cp1252"),
    **{"iso8859-9": "cp1254", "shift_jis": "cp932", "euc_kr": "cp949"},
    **dict.fromkeys(("gb2312", "gbk"), "gb18030"),
}
_KANA = re.compile(r"[\u3040-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7a3]")
_HAN = re.compile(r"[\u4e00-\u9fff\u3000-\u303f\uff00-\uffef]")
_OF_MANY_BYTES = (
    *(("cp932", _KANA, 0.2), ("euc-jp", _KANA, 0.2), ("cp949", _HANGUL, 0.9)),
    *(("gb18030", _HAN, 0.9), ("big5", _HAN, 0.9)),
)
"""Encodings with characters that are in their texts, and their least share of what is not ASCII."""
_COMMON = {"gb18030": range(0xB0, 0xD8), "big5": range(0xA4, 0xC7)}
"""The first bytes of the characters in daily use, which both encodings have before the others."""
_CYRILLIC = (("cp1251", "\u0430-\u044f"), ("koi8-r", "\u0430-\u044f"))
_CENTRAL = "ąćęłńóśźżáčďéěíňřšťúůýž"
_LATIN = (("cp1252", "äöüßéèêëàâîïôûùœçñáíóúãõåøæ’–"), ("cp1250", _CENTRAL), ("iso8859-2", _CENTRAL))
"""Encodings of one byte a letter, with those that their texts are full of."""
_RUN = re.compile(rb"[\x80-\xff]{3,}")


def as_on_the_web(name: str) -> str:
    """What pages mean by the name of an encoding, as Python calls it: browsers read the larger one."""
    return _ON_THE_WEB.get(name, name)


def is_utf_8(data: bytes) -> bool:
    """Whether a page in Latin letters is UTF-8, whatever it declares: "Ã¼" and the like are in no word."""
    try:
        return not data.isascii() and not data.decode("utf-8").isascii()
    except UnicodeDecodeError:
        return False


def guess(data: bytes) -> str:
    """The encoding that a text looks like which is not UTF-8; empty where none is likely."""
    piece = data[:LOOKED_AT]
    if b"\0" in piece:
        return _wide(piece)
    broken = piece.decode("utf-8", "replace")
    if sum(not sign.isascii() for sign in broken) > 2 * broken.count("\N{REPLACEMENT CHARACTER}"):
        return ""  # UTF-8 all the same, with a bad place
    if found := next((name for name, sign, share in _OF_MANY_BYTES if _is_likely(piece, name, sign, share)), ""):
        return found
    in_runs = sum(map(len, _RUN.findall(piece)))
    return _fullest(piece, _CYRILLIC if 2 * in_runs > sum(byte > 0x7F for byte in piece) else _LATIN)


def _wide(data: bytes) -> str:
    """UTF-16 without a mark: every other byte of what is ASCII is zero."""
    first, second = data[::2].count(0), data[1::2].count(0)
    least = max(4, len(data) // 8)
    return "utf-16le" if second > least and not first else "utf-16be" if first > least and not second else ""


def _text(data: bytes, name: str) -> str:
    try:
        return codecs.getincrementaldecoder(name)().decode(data)
    except UnicodeDecodeError:
        return ""


def _is_likely(data: bytes, name: str, expected: re.Pattern[str], share: float) -> bool:
    other = "".join(sign for sign in _text(data, name) if not sign.isascii())
    if not other or len(expected.findall(other)) < share * len(other):
        return False
    return name not in _COMMON or _share_of_common(other, name) > ENOUGH


def _share_of_common(text: str, name: str) -> float:
    first = [sign.encode(name)[0] for sign in text if sign.isalpha()]
    return sum(byte in _COMMON[name] for byte in first) / len(first) if first else 0.0


def _fullest(data: bytes, among: Iterable[tuple[str, str]]) -> str:
    """Of some encodings the first one in which a text has most of the letters that are expected."""
    counts = {name: len(re.findall(f"[{letters}]", _text(data, name))) for name, letters in among}
    best = max(counts, key=counts.__getitem__)
    return best if counts[best] else ""
