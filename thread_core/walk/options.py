"""A unit -> its screens, and what each offers: the outcomes that it states, in the guide's words.

A screen ends where a decision ends: what stands below is seen when an outcome was chosen. Cases that follow one another
are one decision; items of a numbered list are so only where all of them are cases.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from thread_core.documents import directions
from thread_core.documents.cases import heading_condition
from thread_core.documents.leaning import OPPOSITE, joined
from thread_core.documents.promises import Role, promise
from thread_core.documents.steps import step_named
from thread_core.layout import leads_inside
from thread_core.models import Link, LinkAction, LogicUnit, Passage
from thread_core.text import header
from thread_core.text.scripts import COLONS
from thread_core.text.words import count_tokens
from thread_core.walk.labels import NONE_OF_THEM, OTHERWISE, by_itself, clip, is_else, is_question, labels_of
from thread_core.walk.state import Act, Choice

OPTIONS = 20
"""Outcomes that are listed; that there are more is said."""
SCREENFUL = 600
"""Tokens of a unit's lines that are shown at once, unless a decision or a passage is larger."""
_SENTENCE = re.compile(r"[.!?;]\W{0,3}\s")


@dataclass(frozen=True, slots=True)
class Case:
    """An outcome that a unit states, and the lines of its body that tell what to do then."""

    link: Link
    first: int
    last: int
    """With what stands inside of it; both 0 where no lines of the body say it."""
    said: str = ""
    """What of those lines is said of it, where they tell other cases too; empty where all of it is."""


@dataclass(frozen=True, slots=True)
class Screen:
    """Lines of a unit's body that are shown together."""

    unit: LogicUnit
    first: int
    last: int
    cases: tuple[Case, ...] = ()
    """What it asks the person to tell; none where there is nothing to decide."""
    onward: Link | None = None
    """Where it sends the reader whatever is the case."""
    then: tuple[int, int] | None = None
    """Of a case that was taken, the lines that follow in any case."""
    ahead: tuple[Choice, ...] = ()
    """Where it asks nothing: the outcomes of the decision that follows it, see `ahead`."""
    until: int = 0
    """The last line of what belongs here, where one screen does not hold it; else 0."""

    @property
    def choices(self) -> tuple[Choice, ...]:
        """Its options: its outcomes, where it sends the reader besides, and what comes where none is the case."""
        if not self.cases:
            return (*self.ahead, Choice(label=NONE_OF_THEM, act=Act.NEXT)) if self.ahead else ()
        labels = list(labels_of([case.link.condition for case in self.cases]))
        told = [
            label if labels.count(label) == 1 else clip(f"{label}: {case.link.query}")
            for case, label in zip(self.cases, labels, strict=True)
        ]
        listed = [case_choice(self.unit, case, label) for case, label in zip(self.cases, told, strict=True)][:OPTIONS]
        if self.onward is not None and self.onward.action is LinkAction.CROSS:
            at = self.onward.evidence
            line = (self.unit.line_in_body(at.start) if at else None) or 0
            listed.append(_following(self.unit, self.onward, line, line, clip(self.onward.query)))
        listed += self.ahead
        if not self.is_complete:
            listed.append(Choice(label=OTHERWISE if len(self.cases) == 1 else NONE_OF_THEM, act=Act.NEXT))
        return tuple(listed)

    @property
    def ends(self) -> bool:
        """Whether it says that nothing follows, whatever is the case."""
        ends = [one.evidence for one in self.unit.links if one.action.ends and not one.condition and one.evidence]
        lines = (self.unit.line_in_body(evidence.start) for evidence in ends)
        shown = any(line is not None and self.first <= line <= self.last for line in lines)
        return shown or (self.unit.rewritten and bool(ends))

    @property
    def passages(self) -> list[str]:
        """Its paragraphs, items and rows, each as text."""
        return [self.unit.text_of(*one[:2]) for one in self.unit.passages if self.first <= one.first <= self.last]

    @property
    def is_complete(self) -> bool:
        """Whether its outcomes are all that there can be: a condition and its opposite, or one for all the rest."""
        conditions = [case.link.condition for case in self.cases]
        return any(is_else(condition, conditions) for condition in conditions)


def screen_at(unit: LogicUnit, line: int = 1) -> Screen:
    """Show a unit from a line of its body on, 1-based, to the end of its first decision or as far as a screen holds."""
    return _as_far_as_fits(_decided_at(unit, line))


def screen_holding(unit: LogicUnit, line: int) -> Screen:
    """Show a unit where somebody is who has read it screen by screen up to a line of its body, or to its end."""
    at = screen_at(unit)
    while at.last < line and (following := line_after(unit, at.last)):
        at = screen_at(unit, following)
    return at


def _decided_at(unit: LogicUnit, line: int = 1, taken: str = "") -> Screen:
    """A unit from a line on up to the end of the first decision there, however much that is."""
    passages, end = unit.passages, unit.body.count("\n") + 1
    index = next((at for at, one in enumerate(passages) if one.last >= line), None)
    cases = [case for case in cases_of(unit) if case.link.condition != taken]
    if index is None or unit.rewritten:
        return Screen(unit, 1, end, tuple(cases) if line == 1 else (), _onward(unit, 1, end))
    group = _decision(unit, index, [case for case in cases if not _is_boxed(unit, case)])
    last = max((case.last for case in group), default=end)
    last = end if not any(one.first > last for one in passages) else last
    if line == 1 and last == end:
        group = [*group, *(case for case in cases if not case.first)]
    return Screen(unit, line, last, tuple(group), _onward(unit, line, last))


def _as_far_as_fits(at: Screen) -> Screen:
    """A screen up to a passage's end that fits and parts no decision; one that begins with a large one is whole."""
    unit, lines = at.unit, at.unit.body.split("\n")
    if unit.rewritten or count_tokens("\n".join(lines[at.first - 1 : at.last])) <= SCREENFUL:
        return at
    parting = (case for case in at.cases if case.first and _parts_ways(unit, case))
    before = min((case.first for case in parting), default=at.last + 1)
    held, line, end = 0, at.first, 0
    for one, upcoming in pairwise(unit.passages):
        if not (at.first <= one.last < min(at.last, before)):
            continue
        held += count_tokens("\n".join(lines[line - 1 : one.last]))
        line = one.last + 1
        if held > SCREENFUL and end:
            break
        announces = upcoming.indent > one.indent or lines[one.last - 1].rstrip().endswith(COLONS)
        if not announces and not any(case.first <= one.last < case.last for case in at.cases):
            end = one.last
    if not end:
        return at
    inside = tuple(case for case in at.cases if case.first and case.last <= end)
    return Screen(unit, at.first, end, inside, _onward(unit, at.first, end), until=at.last)


def screen_of(unit: LogicUnit, first: int, last: int, taken: str = "", then: tuple[int, int] | None = None) -> Screen:
    """Show lines of a unit's body, 1-based, such as those of a case that was chosen, up to the first decision there.

    The condition that led there (`taken`) is not asked again. The lines that follow in any case (`then`) are shown too
    where nothing is to be decided before.
    """
    whole = _decided_at(unit, first, taken)
    is_case = any((case.first, case.link.condition) == (first, taken) for case in cases_of(unit))
    begins = first + 1 if is_case else first  # beside the case that was taken, its paragraph tells others
    inside = tuple(case for case in whole.cases if not case.first or (begins <= case.first and case.last <= last))
    end = min(last, max((case.last for case in inside if case.first), default=last))
    onward = _onward(unit, first, end)
    alone = _as_far_as_fits(Screen(unit, first, end, inside, onward))
    if then is None or inside or onward is not None or alone.until:
        return alone
    following = screen_at(unit, then[0])
    return Screen(unit, first, end, following.cases, following.onward, (then[0], min(then[1], following.last)))


def after_decision(unit: LogicUnit, last: int) -> int:
    """Find the line with which a unit goes on after the decision that a case is of, which ends at a line.

    Returns:
        A line of the body; 0 where nothing follows.
    """
    covering = _decided_at(unit)
    while covering.last < last and (line := line_after(unit, covering.last)):
        covering = _decided_at(unit, line)
    return line_after(unit, max(covering.last, last))


def line_after(unit: LogicUnit, last: int) -> int:
    """Find the line of the first passage after another line; 0 where there is none."""
    return next((one.first for one in unit.passages if one.first > last), 0) if not unit.rewritten else 0


def cases_of(unit: LogicUnit) -> tuple[Case, ...]:
    """Find the outcomes that a unit states, with the lines that tell what to do then; at one place each once."""
    stated: dict[tuple[str, int | None], Link] = {}
    for link in unit.links:
        if link.condition:
            key = link.condition.casefold(), passage_index(unit, link)
            first = stated.setdefault(key, link)
            if leads_inside(unit, first) and not leads_inside(unit, link):
                stated[key] = link
    found = []
    for (_, at), link in stated.items():
        if at is None:
            found.append(Case(link, 0, 0))
            continue
        beside = [one for (_, other), one in stated.items() if other == at]
        others = {other for (condition, other) in stated if condition != link.condition.casefold()}
        said = _part(unit.text_of(*unit.passages[at][:2]), link, beside) if len(beside) > 1 else ""
        found.append(Case(link, unit.passages[at].first, unit.passages[_end(unit, at, others)].last, said))
    return tuple(found)


def _part(text: str, link: Link, beside: Sequence[Link]) -> str:
    """What a paragraph says of one of its cases: from the sentence that states it up to that of the next."""
    flat = " ".join(text.split())
    begins = sorted({0, *(mark.end() for mark in _SENTENCE.finditer(flat))})
    at = {id(one): _stands_at(flat, one) for one in beside}
    first = max((start for start in begins if start <= at[id(link)]), default=0)
    later = (max(start for start in begins if start <= place) for place in at.values() if place > at[id(link)])
    end = min((start for start in later if start > first), default=len(flat))
    said = flat[first:end].strip()
    shared = [one for one in beside if one is not link and first <= at[id(one)] < end]
    return _stated(link) if shared or at[id(link)] < 0 else said


def _stated(link: Link) -> str:
    """A case by itself, where no sentence of its own states it."""
    word, stated = joined(link.condition)
    if is_question(stated):
        return f"{stated.rstrip('?')}? {'Yes' if word == 'if' else 'No'}: {link.query}"
    return f"{word.capitalize()} {stated}: {link.query}"


def _stands_at(flat: str, link: Link) -> int:
    """Where a link is stated in a paragraph: at its condition, or where that leans on another at what follows."""
    at = found_at(flat, link.condition.removeprefix(OPPOSITE))
    return at if at >= 0 else found_at(flat, link.query)


def found_at(flat: str, words: str) -> int:
    """Find where some words stand in a paragraph, by the first six of them; -1 where they do not."""
    return flat.casefold().find(" ".join(words.split()[:6]).casefold())


def passage_index(unit: LogicUnit, link: Link) -> int | None:
    """Find which passage of a unit states a link, from 0 on; None where none does."""
    line = unit.line_in_body(link.evidence.start) if link.evidence is not None else None
    if line is None:
        return None
    return next((at for at, one in enumerate(unit.passages) if one.first <= line <= one.last), None)


def _end(unit: LogicUnit, at: int, starts: set[int | None]) -> int:
    """The last passage of a case: what stands inside of it, or what it announces and states no case beside it."""
    own, end = unit.passages[at], at
    announces = unit.text_of(*own[:2]).rstrip(" *_").endswith(COLONS)
    for index in range(at + 1, len(unit.passages)):
        one = unit.passages[index]
        is_inside = own.kind == "item" and one.indent > own.indent
        is_announced = announces and own.kind == "text" and one.kind == "item" and index not in starts
        if not (is_inside or is_announced):
            break
        end = index
    return end


def _decision(unit: LogicUnit, index: int, cases: Sequence[Case]) -> list[Case]:
    """The cases from a passage on, up to the end of the first that part the ways.

    Those are items and rows, and cases that lead away; of them, all that follow one another. What is to be done besides
    in some case, in running text, stops nobody: it is read on.
    """
    start = unit.passages[index].first
    located = sorted((case for case in cases if case.first >= start), key=lambda case: case.first)
    group: list[Case] = []
    parting: Case | None = None
    for case in located:
        if any(other.first < case.first <= other.last for other in group):
            continue
        if parting is not None and case.first != parting.first and not _follows(unit, parting, case, located):
            break
        group.append(case)
        parting = case if parting is not None or _parts_ways(unit, case) else None
    return group


def stays_inside(unit: LogicUnit, link: Link) -> bool:
    """Tell whether a link leads to what stands around it in its unit, and not to a step by its number."""
    return leads_inside(unit, link) and not (link.target and link.target.step)


def _parts_ways(unit: LogicUnit, case: Case) -> bool:
    """Whether what comes after a case depends on it."""
    return not stays_inside(unit, case.link) or _passage(unit, case.first).kind != "text"


def _is_boxed(unit: LogicUnit, case: Case) -> bool:
    """Whether a case stands in a box: what is noted or warned of beside the steps is no outcome of theirs."""
    line = unit.line_in_body(case.link.evidence.start) if case.link.evidence is not None else None
    return line is not None and unit.text_of(line, line).lstrip().startswith(">")


def _follows(unit: LogicUnit, before: Case, case: Case, cases: Sequence[Case]) -> bool:
    """Whether a case stands beside one before it, with nothing between them."""
    one, other = (_passage(unit, each.first) for each in (before, case))
    between = any(before.last < passage.first < case.first for passage in unit.passages)
    if between or (one.kind, one.indent) != (other.kind, other.indent):
        return False
    return one.number is None or _all_are_cases(unit, one, cases)


def _all_are_cases(unit: LogicUnit, one: Passage, cases: Sequence[Case]) -> bool:
    """Whether every item of a numbered list states a case: then it numbers cases, and not steps."""
    firsts = {case.first for case in cases}
    beside = [passage for passage in unit.passages if passage.number is not None and passage.indent == one.indent]
    return all(passage.first in firsts for passage in beside)


def is_row(unit: LogicUnit, case: Case) -> bool:
    """Tell whether a case is a row of a table."""
    return bool(case.first) and _passage(unit, case.first).kind == "row"


def _passage(unit: LogicUnit, line: int) -> Passage:
    return next(one for one in unit.passages if one.first <= line <= one.last)


def _onward(unit: LogicUnit, first: int, last: int) -> Link | None:
    """Where some lines send the reader whatever is the case; what they only refer to is no such place."""
    for link in unit.links:
        if link.condition or link.target is None or link.evidence is None or leads_inside(unit, link):
            continue
        line = unit.line_in_body(link.evidence.start)
        is_meant = link.target.place is not None or directions.directs(link.query)
        if (line is None or first <= line <= last) and is_meant:
            return link
    return None


def _following(unit: LogicUnit, link: Link, first: int, last: int, label: str) -> Choice:
    return Choice.of(unit, label, Act.FOLLOW, condition=link.condition, first=first, last=last)


def link_of(choice: Choice, unit: LogicUnit) -> Link | None:
    """Find the link that an option follows."""
    case = case_of(choice, unit)
    return case.link if case is not None else _onward(unit, choice.first, max(choice.first, choice.last))


def case_of(choice: Choice, unit: LogicUnit) -> Case | None:
    """Find the case that an option takes; None of one that sends the reader on in any case."""
    same = [case for case in cases_of(unit) if choice.condition and case.link.condition == choice.condition]
    return next((case for case in same if case.first == choice.first), next(iter(same), None))


def case_choice(unit: LogicUnit, case: Case, label: str = "") -> Choice:
    """Offer an outcome that a unit states, by its condition unless it is labelled otherwise."""
    return _following(unit, case.link, case.first, case.last, label or by_itself(case.link.condition))


def section_choice(unit: LogicUnit, name: str, label: str = "{}") -> Choice:
    """Offer a section by its name, from where it begins."""
    return Choice.of(unit, label.format(clip(name)), Act.SHOW, condition=heading_condition(name))


def reads_on(current: LogicUnit, upcoming: LogicUnit) -> bool:
    """Whether a next section goes on with the task of the one at hand: it is inside of it, or the next part by name.

    Parts by name are steps ("Step 2: ...", "2. ...") and what every guide has ("Mitigation"); others are tasks of
    their own.
    """
    if upcoming.section[: len(current.section)] == current.section:
        return True
    depth = shared_path(upcoming.section, current.section)
    name = upcoming.section[depth] if depth < len(upcoming.section) else ""
    is_counted = step_named(name) is not None or header.unnumbered(name) != name
    return not name or is_counted or promise(name) is Role.STEP


def shared_path(one: Sequence[str], other: Sequence[str]) -> int:
    """How many headings two paths have in common."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (mine, theirs) in enumerate(pairs) if mine != theirs), min(len(one), len(other)))
