"""A person's line as the lists of words read it: spelled out, and without what says nothing around it.

Only the reading is of that form. What is recorded, and what a model is given, are the person's own words.
"""

from __future__ import annotations

import re
from functools import lru_cache

from thread_core.text.denials import straight

REMEMBERED = 1024

_OWN_WORDS = r"`[^`]*`|\"[^\"]*\"|“[^”]*”|\u2018[^’]*’|(?<![\w'])'[^']*'(?!\w)"
"""Code and quotes: no word in them is the person's."""
_NOT = "do does did is are was were ca could wo would should has have had must need ai".split()
"""What "not" is contracted with."""
_SHORT = {
    **{f"{word}nt": f"{word}n't" for word in _NOT},
    **{f"{word}'nt": f"{word}n't" for word in _NOT},
    **dict.fromkeys("dosnt dosent doesent".split(), "doesn't"),
    **{f"{word}s": f"{word}'s" for word in "that what where how there here who".split()},
    **{f"{word}re": f"{word}'re" for word in "you they".split()},
    **{f"{word}ve": f"{word}'ve" for word in "i you we they".split()},
    "im": "i'm",
    **dict.fromkeys("pls plz plss pleas".split(), "please"),
    **dict.fromkeys("thx thnx tnx thanx ty tysm thankyou".split(), "thanks"),
    **dict.fromkeys("nvm nevermind".split(), "never mind"),
    **dict.fromkeys("okey okie oki okk mmk kk".split(), "ok"),
    "idk": "i don't know",
    "dunno": "don't know",
    "ofc": "of course",
    "rly": "really",
    "tho": "though",
    "u": "you",
    "ur": "your",
    "cuz": "because",
    "gonna": "going to",
    "wanna": "want to",
    "gotta": "have to",
    "lemme": "let me",
    "gimme": "give me",
}
"""Whole words of chats, and contractions without their apostrophe that are no other words: "its" and "well" are."""
_ACCENTS = re.compile(r"(?<=n)[\u00b4\u02bc\u2018`](?=t\b)")
"""What is typed in the place of the apostrophe."""
_NAMES = frozenset("IM IVE U UR TY".split())
"""What these are in capitals."""
_SPELLINGS = re.compile(
    rf"(?P<own>{_OWN_WORDS})|\b(?P<thanks>thank (?:you|u)(?: (?:so|very) much)?|many thanks|thanks (?:a lot|so much))\b"
    rf"|(?<![\w./\\@:=$#'-])(?:(?P<short>{'|'.join(_SHORT)})|(?P<it>its)(?= (?:not|now|still|just|all|the same"
    r"|an?|so|too|been|gone|back|fine|good|ok|okay|up|on|off|down|in|done|dead|worse|better|\w+ing|\w+ed)\b)"
    r"|(?P<let>lets)(?= (?:start|go|skip|try|do|see|restart|begin|move)\b)|(?P<win>win[ -]?)(?=(?:7|8|10|11)\b)"
    r")(?(win)|(?![\w/\\@=$#'-]|[.:]\w))",
    re.IGNORECASE,
)
_FIRST = {**dict.fromkeys("ye yea ya yh yas yess".split(), "yes"), "k": "ok"}
"""What a line may begin with, where it stands by itself or before such a word."""
_AFTER_FIRST = re.compile(
    r"(?P<word>[a-z]+)(?=\W*$|\s*[,!.]|\s+(?:ok|done|did|i|it|that|this|but|so|now|next|what|and|then|will|got|still"
    r"|works?|thanks|please|all|no|not|my|the|we|let|going)\b)",
    re.IGNORECASE,
)
_EMOJI = "\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\u2190-\u21ff\ufe0f\u200d"
_ONLY_SIGNS = re.compile(rf"(?:[{_EMOJI}\s]|[:;=]-?[)(DPpO/*|]|<3|[.,!~^-])+")
"""Emoji and faces, and nothing that asks."""
_THUMBS = {
    **{"\U0001f44d": "yes", "\U0001f44c": "ok"},
    **dict.fromkeys("\u2705\u2714\u2611", "done"),
    **dict.fromkeys("\U0001f44e\u274c", "no"),
}
"""What a sign says that stands by itself."""
_BEFORE = re.compile(
    r"a?ha(?:ha)+h?|he(?:he)+|l+o+l+|lmf?ao|rofl|xd|omg|wow|u+g+h+|a+r+g+h+|u+h+m?|u+m+|e+r+m?|h+m+|o+h+|a+h+|aw+|phew|yay"
    r"|hey|hi|hello|please|sorry|thanks|cheers",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"a?ha(?:ha)+h?|he(?:he)+|l+o+l+|lmf?ao|rofl|xd|omg|please|thanks|cheers|though|tbh|btw|mate|dude|bro|guys",
    re.IGNORECASE,
)
_WORD = re.compile(r"\S+")


@lru_cache(REMEMBERED)
def spelled(text: str) -> str:
    """A line with the apostrophes that it lacks, chat spelling written out; quotes, code and names stay as they are.

    Example:
        >>> spelled("it doesnt start, pls help"), spelled("it says 'cant start'"), spelled("its lamp, well.nt and IM")
        ("it doesn't start, please help", "it says 'cant start'", 'its lamp, well.nt and IM')
    """
    said = _SPELLINGS.sub(_written_out, _ACCENTS.sub("'", text.strip()))
    if _ONLY_SIGNS.fullmatch(said):
        return next((word for sign, word in _THUMBS.items() if sign in said), said)
    first = _AFTER_FIRST.match(said)
    word = _FIRST.get(first["word"].lower()) if first else None
    return straight(word + said[first.end("word") :] if first and word else said)


@lru_cache(REMEMBERED)
def plain(text: str) -> str:
    """A line spelled out, without laughter, politeness and emoji around what it says; where it says nothing, with them.

    Example:
        >>> plain("lol it doesnt work tho 😂"), plain("done, thx!"), plain("thx!")
        ("it doesn't work", 'done,', 'thanks!')
    """
    said = spelled(text)
    words = list(_WORD.finditer(said))
    first, last = 0, len(words)
    while first < last and _says_nothing(words[first][0], _BEFORE):
        first += 1
    while first < last and _says_nothing(words[last - 1][0], _BEHIND):
        last -= 1
    return said[words[first].start() : words[last - 1].end()] if first < last else said


def _says_nothing(word: str, said: re.Pattern[str]) -> bool:
    if _ONLY_SIGNS.fullmatch(word):
        return all(_THUMBS.get(sign) != "no" for sign in word)
    return said.fullmatch(word.strip(".,!~")) is not None


def _written_out(match: re.Match[str]) -> str:
    word = match[0]
    match match.lastgroup:
        case "thanks":
            return "thanks"
        case "short" if word not in _NAMES:
            whole = _SHORT[word.lower()]
            return whole[0].upper() + whole[1:] if word[0].isupper() else whole
        case "it" | "let":
            return f"{word[:-1]}'s"
        case "win":
            return "Windows "
    return word
