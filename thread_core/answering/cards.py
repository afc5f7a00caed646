"""Guides as cards: what one can choose a guide by, in a menu or in a model's prompt.

[2] | Pump stands still
for | The pump of the well does not turn though it has power.
[2.1] | Check
[2.2] | Rotor
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from thread_core.llm.costs import text_tokens
from thread_core.llm.prompting import quoted
from thread_core.models import LogicUnit, LogicUnitType
from thread_core.retrieval.entrance import TO_DO
from thread_core.text import header, sentences

BUDGET = 1500
"""Tokens of all cards of a prompt."""
WHOLE = 3
"""Guides, the likeliest ones, whose parts are all listed while there is room."""
PURPOSE, PART = 25, 12
"""Words of what a guide is for, and of the name of a part."""
_FENCE = re.compile(r"^[ \t>]*(?:```|~~~)", re.MULTILINE)
_FIELDS = re.compile(r"^[ \t>]*(?:\||\*\*[^*\n]+:\*\*.*\*\*[^*\n]+:\*\*).*$", re.MULTILINE)
"""Lines that are rows, or that name several fields."""


@dataclass(frozen=True, slots=True)
class Card:
    """A guide, or as much of it as was found."""

    units: tuple[LogicUnit, ...]
    """Where a question enters it, then all others in reading order."""
    callers: tuple[str, ...] = ()
    """Titles of the guides that send the reader to it."""

    @property
    def title(self) -> str:
        """Its title; where it has none, its document's id."""
        return self.units[0].title or self.units[0].document_id

    @property
    def parts(self) -> dict[str, LogicUnit]:
        """The headings of its steps, in reading order, each with the unit that it begins with."""
        found: dict[tuple[str, ...], LogicUnit] = {}
        for unit in sorted(self.units, key=lambda unit: unit.position):
            if unit.type in TO_DO and unit.section:
                found.setdefault(unit.section, unit)
        return {header.clip(": ".join(path[-2:]), PART): unit for path, unit in found.items()}


def cards(units: Iterable[LogicUnit], callers: Mapping[str, Sequence[str]] | None = None) -> list[Card]:
    """Group units by document, in order; the first of each is where a question enters it."""
    found: dict[str, dict[str, LogicUnit]] = {}
    for unit in units:
        found.setdefault(unit.document_id, {}).setdefault(unit.id, unit)
    return [Card(tuple(own.values()), tuple((callers or {}).get(name, ()))) for name, own in found.items()]


def purpose(units: Sequence[LogicUnit], words: int = PURPOSE) -> str:
    """Say in a few words what a guide is for: the first sentence of its background, else of a step.

    Never code, and no table or line of fields ("**Owner:** Kim **Reviewed:** May").
    """
    told = [unit for kind in (LogicUnitType.BACKGROUND, *TO_DO) for unit in units if unit.type == kind]
    words_of = (_FIELDS.sub("", _FENCE.split(unit.body, 1)[0]) for unit in told or units[:1])
    read = (sentence.text for body in words_of for sentence in sentences.cut(body))
    said = next((sentence for sentence in read if any(map(str.isalpha, sentence))), "")
    text = header.clip(" ".join(said.replace("**", "").split()), words).strip(" .:#>*-")
    return "" if text.casefold() == units[0].title.casefold() else text


def listed(shown: Sequence[Card], needs: Mapping[str, str]) -> tuple[str, dict[str, LogicUnit]]:
    """Write cards for a prompt, the likeliest first -> the text, and what each of its numbers names.

    Where `BUDGET` is too small, the parts of the last guides are left out. `needs` says how the prerequisites are
    written, by what they say; see `selecting`.
    """
    names = {str(number): card.units[0] for number, card in enumerate(shown, start=1)}
    told: set[str] = set()
    texts = [list(_head(number, card, needs, told)) for number, card in zip(names, shown, strict=True)]
    left = BUDGET - sum(text_tokens("\n".join(lines)) for lines in texts)
    parts = [list(card.parts.items()) for card in shown]
    for at, index in _turns(parts):
        name, unit = parts[at][index]
        needed = unit.prerequisites != shown[at].units[0].prerequisites
        number = f"{at + 1}.{index + 1}"
        added = (f"[{number}] {quoted(name)}", *(_needs(unit, needs, told) if needed else ()))
        left -= text_tokens("\n".join(added))
        if left < 0:
            break
        names[number] = unit
        texts[at].extend(added)
    for at, (own, lines) in enumerate(zip(parts, texts, strict=True)):
        if own and f"{at + 1}.{len(own)}" not in names:
            lines.append("(and more)")
    return "\n\n".join(map("\n".join, texts)), names


def _turns(parts: Sequence[Sequence[object]]) -> Iterator[tuple[int, int]]:
    """The order in which parts are listed: all of the likeliest guides, then one of each other guide in turn."""
    yield from ((at, index) for at, own in enumerate(parts[:WHOLE]) for index in range(len(own)))
    most = max(map(len, parts), default=0)
    yield from ((at, index) for index in range(most) for at in range(WHOLE, len(parts)) if index < len(parts[at]))


def _head(number: str, card: Card, needs: Mapping[str, str], told: set[str]) -> Iterator[str]:
    entry = card.units[0]
    yield f"[{number}] {quoted(card.title)}"
    if about := purpose(card.units):
        yield f"for {quoted(about)}"
    if entry.section and entry.type in TO_DO:
        yield f"enters at {quoted(header.clip(': '.join(entry.section[-2:]), PART))}"
    if card.callers:
        yield f"called by {quoted('; '.join(card.callers))}"
    yield from _needs(entry, needs, told)


def _needs(unit: LogicUnit, needs: Mapping[str, str], told: set[str]) -> Iterator[str]:
    """The prerequisites of a unit, each in its words where they were not told yet."""
    for text in dict.fromkeys(unit.prerequisites):
        yield needs[text] if text in told else f"{needs[text]}\n{quoted(text)}"
        told.add(text)
