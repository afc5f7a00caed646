"""What a model thinks before it answers, told from the answer: nobody is to read it, and it is no part of a reply."""

from __future__ import annotations

import re

_ENDS = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "[THINK]": "[/THINK]",
    "<|channel|>analysis<|message|>": "<|channel|>final<|message|>",
}
"""What ends a thought, by what begins it."""
_LONGEST = max(map(len, _ENDS.values()))
_BEGUN = re.compile(rf"\s*({'|'.join(map(re.escape, _ENDS))})")
_BARE = re.compile(r"^[ \t]*</think(?:ing)?>", re.MULTILINE)
"""The end of a thought that was begun where nobody sees it: some models' templates end with `<think>`."""


def without_thought(text: str) -> str:
    """A whole reply without what the model thought before it; of a thought that is not ended nothing is left."""
    if begun := _BEGUN.match(text):
        return text[begun.end() :].partition(_ENDS[begun[1]])[2].lstrip()
    end = _bare_end(text)
    return text[end:].lstrip() if end else text


def ends_bare(text: str) -> bool:
    """Whether a whole reply ends a thought that it does not begin."""
    return _BEGUN.match(text) is None and bool(_bare_end(text))


def _bare_end(text: str) -> int:
    """Where a thought ends that was not begun; 0 where there is none, or where such marks are what is talked about."""
    end = _BARE.search(text)
    return end.end() if end and not any(mark in text[: end.start()] for mark in _ENDS) else 0


class Aloud:
    r"""What is said aloud of a reply that comes in pieces: thoughts, and what may become one, are held back.

    Example:
        aloud = Aloud()
        [aloud.take(piece) for piece in ("<th", "ink>Hm.</thi", "nk>\n\nLook", " here.")]  # "", "", "Look", " here."
    """

    def __init__(self, *, ends_bare: bool = False) -> None:
        """Begin; `ends_bare` says that this model ends thoughts that it does not begin."""
        self._held: list[str] = []
        self._near = ""
        """The end of what is held back, in which the end of a thought may stand."""
        self._begun = ""
        self._end = "</think>" if ends_bare else ""
        self._speaks = False
        self._spoke = False

    def take(self, piece: str) -> str:
        """What may be said now that another piece is here."""
        text = piece if self._speaks else self._awaited(piece)
        if not self._spoke and self._begun:
            text = text.lstrip()
        self._spoke = self._spoke or bool(text)
        return text

    def rest(self) -> str:
        """What was held back and turns out, at the end of the reply, to be no thought."""
        held = "" if self._begun else "".join(self._held)
        self._held = []
        return held

    def _awaited(self, piece: str) -> str:
        self._held.append(piece)
        self._near = self._near[-_LONGEST:] + piece
        if not self._end:
            start = "".join(self._held).lstrip()
            self._begun = next((mark for mark in _ENDS if start.startswith(mark)), "")
            if not self._begun:
                return "" if any(mark.startswith(start) for mark in _ENDS) else self._spoken("".join(self._held))
            self._end, self._near = _ENDS[self._begun], start
        _, end, said = self._near.partition(self._end)
        if not end:
            return ""
        self._begun = self._begun or self._end
        return self._spoken(said)

    def _spoken(self, text: str) -> str:
        self._speaks, self._held = True, []
        return text
