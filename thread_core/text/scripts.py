"""Texts in any script: in the one form in which they are compared, and cut by words where no space parts these."""

from __future__ import annotations

import re
import unicodedata

SPACELESS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Myanmar, Khmer
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f"  # kana
    "\uac00-\ud7af"  # Hangul, whose words hold particles
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
)
"""Within a pattern's brackets: the letters of scripts that put no space between words."""
COLONS = (":", "：")
"""What announces: of Latin text, and of Chinese and Japanese."""
LETTERS = 2
"""Of these letters make as much as a word does."""

_TOKEN = re.compile(r"[^\W_]+")
_SPACELESS = re.compile(f"[{SPACELESS}]")
_RUN = re.compile(f"[{SPACELESS}]+")
_SPACED_WORD = r"\s*\S+"
_ANY_WORD = rf"\s*(?:[{SPACELESS}]{{1,{LETTERS}}}|[^\s{SPACELESS}]+)"
_FORMS = {
    **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff\ufe0e\ufe0f", ""),  # not seen
    **dict.fromkeys("™℠", " "),  # no letters of the name before them
    **{"İ": "i", "ł": "l", "Ł": "l", "ø": "o", "Ø": "o", "đ": "d", "Đ": "d"},  # which no form takes apart
}
"""What the forms of Unicode leave, or take for something else."""
_TO_FORM = re.compile(f"[{''.join(_FORMS)}]")


def is_spaceless(text: str) -> bool:
    """Whether a text has letters of a script that puts no space between words."""
    return not text.isascii() and _SPACELESS.search(text) is not None


def composed(text: str) -> str:
    """A text whose letters and marks are one character where there is one (NFC), as file names often are not."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def is_mark(sign: str) -> bool:
    """Whether a character stands on the letter before it, and is no sign of how an emoji is shown."""
    return unicodedata.category(sign) in ("Mn", "Mc") and sign not in _FORMS


def bare(text: str) -> str:
    """A text in one case and without marks on its letters.

    Example:
        >>> bare("Łódź, Gerät")
        'lodz, gerat'
    """
    known = _TO_FORM.sub(lambda sign: _FORMS[sign[0]], composed(text))
    return "".join(sign for sign in unicodedata.normalize("NFKD", known.casefold()) if not is_mark(sign))


def folded(text: str) -> str:
    """A text as its words are compared: in one form and case, and in pairs of letters where no space parts words.

    Example:
        >>> folded("Straße: 墨盒不足")
        'strasse:  墨盒 盒不 不足 '
    """
    if text.isascii():
        return text.lower()
    known = _TO_FORM.sub(lambda sign: _FORMS[sign[0]], composed(text))
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", known).casefold())
    return _RUN.sub(_in_pairs, plain)


def _in_pairs(run: re.Match[str]) -> str:
    letters = run[0]
    return f" {' '.join(letters[at : at + 2] for at in range(max(1, len(letters) - 1)))} "


def words_of(text: str) -> list[str]:
    """Its words as `folded`, in order: letters, digits and the marks on them."""
    plain = folded(text)
    signs = set() if plain.isascii() else {sign for sign in set(plain) if not sign.isalnum()}
    marks = set(filter(is_mark, signs))
    if not marks:
        return _TOKEN.findall(plain)
    return plain.translate(dict.fromkeys(map(ord, signs - marks), " ")).split()


def beginning(text: str, words: int) -> str:
    """The first words of a text, its lines as they are; of a script without spaces, as much as so many words say."""
    word = _ANY_WORD if is_spaceless(text) else _SPACED_WORD
    found = re.match(f"(?:{word}){{0,{words}}}", text)
    return found[0] if found else ""
