"""Where the rules see that a document leads, and a model does not say so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from thread_core.documents import directions
from thread_core.extraction.claims import Claims, Outcome
from thread_core.extraction.difference import clip
from thread_core.extraction.pages import Lines, Page
from thread_core.models import Link, LogicUnit, LogicUnitType, Target, changed
from thread_core.text.words import content_words

_TOLD_APART = 2
"""From so many conditions on, a unit that says what to do under each tells outcomes apart."""
_READ = (LogicUnitType.STEP, LogicUnitType.FAQ)
"""What a reader goes on from."""


class Seen(NamedTuple):
    """A link that the rules see."""

    link: Link
    lines: Set[int]
    """Those that say so."""
    leads_away: bool
    """It ends the procedure or leads elsewhere, and does not only say what to do in a case."""

    @property
    def words(self) -> Set[str]:
        """What it says."""
        return content_words(f"{self.link.condition} {self.link.query}")


def forgotten(
    among: Mapping[int, Sequence[Seen]], kind: LogicUnitType, claims: Claims, refused: Set[int] = frozenset()
) -> Iterator[Link]:
    """Links that the rules see on a unit's lines and the model does not name there.

    A hyperlink, a jump and an ending count; what is only to be done in a case, where the model tells no outcomes apart,
    or on lines from which a link of the model's was `refused`.
    """
    if kind not in _READ:
        return
    own = [one for line in sorted(claims.lines) for one in among.get(line, ())]
    missing = [one for one in own if not _is_named(one, own, claims.outcomes)]
    told_apart = len([one for one in missing if one.link.condition]) >= _TOLD_APART
    all_count = told_apart and not any(outcome.condition for outcome in claims.outcomes)
    for one in missing:
        if all_count or one.leads_away or not one.lines.isdisjoint(refused):
            yield one.link


def seen(page: Page) -> dict[int, list[Seen]]:
    """All links that the rules see, by the lines in which they begin to be said; headings' are not among them."""
    found: dict[int, list[Seen]] = {}
    for unit in page.by_rules:
        for link in unit.links:
            if link.evidence is None or link.evidence.start not in page.said:
                continue
            here = link.target == Target(place=unit.place)
            counts = link.evidence.start in page.conditional if here else link.condition or _sends(link)
            if not counts:
                continue
            one = Seen(link, Lines.of(link.evidence).numbers, not here)
            found.setdefault(link.evidence.start, []).append(one)
    return found


def led(link: Link, page: Page, unit: LogicUnit, holder: Callable[[int], LogicUnit | None]) -> Link:
    """A link of the rules' as a unit's of another division, of which `holder` says the unit that holds a line."""
    target = link.target
    if target is None or target.place is None or link.evidence is None:
        return link
    rules = next(one for one in page.by_rules if one.place == target.place)
    steps = {number: line for line, number in page.steps_in(Lines(rules.start, rules.body_spans[-1].end))}
    line = steps.get(target.step or 0, rules.body_spans[-1].start)
    is_here = target.step is None and rules.start <= link.evidence.start <= rules.body_spans[-1].end
    goal = unit if is_here else holder(line)
    step = target.step if goal and target.step in goal.steps else None
    return changed(link, {"target": Target(place=goal.place, step=step) if goal else None})


def added(link: Link) -> str:
    """What a report says of a link of the rules' that a unit was given."""
    where = f"{Lines.of(link.evidence).named}: " if link.evidence else ""
    return f"{where}no link of the model's leads on, the rules' is added: {clip(link.condition or link.query)}"


def _sends(link: Link) -> bool:
    """Whether an unconditional link is a way on, and no mention."""
    return not link.query or directions.directs(link.query)


def _is_named(one: Seen, seen: Sequence[Seen], outcomes: Sequence[Outcome]) -> bool:
    """Whether a link of the model's stands for it: one for each that the rules see on its lines, or the likest one."""
    there = [outcome for outcome in outcomes if not one.lines.isdisjoint(outcome.lines)]
    beside = [other for other in seen if not one.lines.isdisjoint(other.lines)]
    return len(there) >= len(beside) or any(
        _likeness(one, outcome) >= max(_likeness(other, outcome) for other in beside) for outcome in there
    )


def _likeness(one: Seen, outcome: Outcome) -> float:
    words = content_words(f"{outcome.condition} {outcome.query}")
    return len(words & one.words) / len(words | one.words) if words | one.words else 0.0
