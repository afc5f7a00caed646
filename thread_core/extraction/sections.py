"""What a sentence may call the sections and steps of its document: "Method 2", "step 5", a title, the next one."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property

from thread_core import linking
from thread_core.documents import directions
from thread_core.documents.blocks.markdown import Hyperlink
from thread_core.documents.headings import slug
from thread_core.documents.promises import Role
from thread_core.documents.sections import Section
from thread_core.extraction import following
from thread_core.models import LogicUnit, Place, Target
from thread_core.text import sentences

NAMESAKES = 20
"""Sections of one name ("Method 2", once for each platform) that are told apart."""
SECTIONS = 200
"""Sections of a document that a sentence may name; more are not looked through."""

_COUNT = re.compile(r"(\d{1,3})(?:[.):]|\s+[-–—])\s")
_NUMBER = re.compile(r"(\d{1,2}(?:\.\d{1,2})*[a-h]?)[.):]?\s")


class Sections:
    """The sections of a document, and the steps of its units, by what a sentence may call them."""

    def __init__(self, sections: Sequence[Section], units: Sequence[LogicUnit]) -> None:
        self._sections = sections
        self._units = units
        self._steps: dict[str, set[int]] = {}
        for unit in units:
            self._steps.setdefault(unit.place.anchor, set()).update(unit.steps)
        self._titled: dict[str, str] = {}
        self._position: dict[str, int] = {}
        for position, section in enumerate(sections):
            self._position.setdefault(section.anchor, position)
            if " " in section.title and len(self._titled) < SECTIONS:
                self._titled.setdefault(sentences.lowered(section.title).casefold(), section.anchor)

    @cached_property
    def _numbered(self) -> dict[str, list[Section]]:
        """By "method-2", or "2.1" where the title begins with it."""
        found: dict[str, list[Section]] = {}
        for section in self._sections:
            number = _NUMBER.match(section.title)
            called = {"-".join(name.split("-", 2)[:2]) for name in (section.anchor, slug(section.title))}
            for name in (*called, number[1] if number else ""):
                named = found.setdefault(name, [])
                if name and len(named) < NAMESAKES:
                    named.append(section)
        return found

    @cached_property
    def _counted(self) -> dict[int, list[Section]]:
        """By the number with which a heading counts them: "4. Check"."""
        found: dict[int, list[Section]] = {}
        for section in self._sections:
            if number := _COUNT.match(section.title):
                named = found.setdefault(int(number[1]), [])
                if len(named) < NAMESAKES:
                    named.append(section)
        return found

    @cached_property
    def _upcoming(self) -> dict[Place, LogicUnit | None]:
        """The step after each unit."""
        return {unit.place: step for unit, step in zip(self._units, following.next_steps(self._units), strict=True)}

    def after(self, unit: LogicUnit) -> Target | None:
        """The step after a unit."""
        step = self._upcoming[unit.place]
        return Target(place=step.place) if step else None

    def of_jump(
        self, jump: directions.Jump, unit: LogicUnit, hrefs: Sequence[Hyperlink] = (), listed: Collection[int] = ()
    ) -> Target | None:
        """Where "step 5" is (of what the sentence links to, or of the unit's own section), or "Method 2".

        Args:
            jump: What the sentence names.
            unit: The unit in which it stands.
            hrefs: Its links.
            listed: Numbers in the unit's lists, with those inside its steps.
        """
        if jump.step is not None:
            for link in hrefs:
                document, anchor = linking.destination(link.href)
                if not document or f"step {jump.step}" in link.text.lower():
                    return Target(document=document, anchor=anchor, step=jump.step)
            is_listed = jump.step in listed or self._is_step(jump.step)
            if jump.section and ((part := self._part(jump.step, jump.section, unit)) or not is_listed):
                return part
            headed = None if is_listed else self._nearest(self._counted.get(jump.step, ()), unit)
            return headed or Target(anchor=unit.place.anchor, step=jump.step)
        if jump.following:
            return self._next(jump.following, unit)
        if jump.section.isdecimal():
            if any(link.text.lstrip().startswith(jump.section) for link in hrefs):
                return None  # "go to [3. Check](#3-check)"
            return self._by_number(int(jump.section), unit, listed)
        if any(jump.section.lower() in link.text.lower() for link in hrefs):
            return None  # "see [the fix for cause 2](#fix)": the link says where
        named = self._numbered.get(re.sub(r"\W+", "-", jump.section.lower()), ())
        named = named or self._numbered.get(jump.section.rpartition(" ")[2], ())
        return self._nearest(named, unit)

    def _part(self, step: int, name: str, unit: LogicUnit) -> Target | None:
        """What is called "3.2" or "4b": a section, or else an item below a heading that has the step's number."""
        if named := self._nearest([*self._numbered.get(name, ()), *self._numbered.get(f"step-{slug(name)}", ())], unit):
            return named
        last = name.removeprefix(str(step)).strip(".").partition(".")[0]
        item = int(last) if last.isdecimal() else ord(last) - ord("a") + 1
        headed = [*self._numbered.get(f"step-{step}", ()), *self._counted.get(step, ())]
        nearest = max(headed, key=lambda section: _shared(section.path, unit.section), default=None)
        is_there = nearest is not None and item in self._steps.get(nearest.anchor, ())
        return Target(anchor=nearest.anchor, step=item) if nearest and is_there else None

    def _nearest(self, named: Iterable[Section], unit: LogicUnit) -> Target | None:
        """Of sections of one name, the other one that shares most headings with the unit's own."""
        others = [section for section in named if section.anchor != unit.place.anchor]
        nearest = max(others, key=lambda section: _shared(section.path, unit.section), default=None)
        return Target(anchor=nearest.anchor) if nearest else None

    def _by_number(self, number: int, unit: LogicUnit, listed: Collection[int]) -> Target | None:
        """What "go to 3" means: a step of the unit's own section, a section that counts so, or a step elsewhere."""
        step = Target(anchor=unit.place.anchor, step=number) if self._is_step(number) else None
        if number in listed or number in self._steps.get(unit.place.anchor, ()):
            return step
        return self._nearest(self._counted.get(number, ()), unit) or step

    def _is_step(self, number: int) -> bool:
        """Whether any unit has a step of a number."""
        return any(number in steps for steps in self._steps.values())

    def _next(self, kind: str, unit: LogicUnit) -> Target | None:
        """The next section under the unit's own or beside it; of a kind that a heading above says, beside that one."""
        path = unit.section
        called = [depth for depth, name in enumerate(path) if kind in name.lower()]
        first = self._position.get(unit.place.anchor, 0) + 1
        for depth in called[-1:] or range(len(path), -1, -1):
            for section in itertools.islice(self._sections, first, first + SECTIONS):
                if section.path[:depth] != path[:depth]:
                    break
                if len(section.path) == depth + 1 and section.role is Role.STEP and section.heading:
                    return Target(anchor=section.anchor)
        return None

    def meant_by(
        self,
        sentence: str,
        jump: directions.Jump | None,
        unit: LogicUnit,
        hrefs: Sequence[Hyperlink],
        listed: Collection[int] = (),
    ) -> Target | None:
        """Where a sentence sends the reader within the document, or to a step of another one; see `of_jump`."""
        return self.of_jump(jump, unit, hrefs, listed) if jump else self.named_in(sentence, unit, hrefs)

    def named_in(self, sentence: str, unit: LogicUnit, hrefs: Sequence[Hyperlink] = ()) -> Target | None:
        """`go to "Search for drafts"`: a section by its whole title, of two words or more; a link says it better."""
        if not self.are_named_in(sentences.lowered(sentence)) or not directions.sends_on(sentence):
            return None
        said = sentences.lowered(sentence).casefold()
        linked = " ".join(link.text for link in hrefs).casefold()
        named = (
            anchor
            for title, anchor in self._titled.items()
            if title in said and title not in linked and anchor != unit.place.anchor
        )
        return next((Target(anchor=anchor) for anchor in named), None)

    def titled(self, title: str) -> Target | None:
        """The section of a title of two words or more."""
        anchor = self._titled.get(sentences.lowered(title).casefold())
        return Target(anchor=anchor) if anchor is not None else None

    def are_named_in(self, said: str) -> bool:
        """Whether the whole title of a section stands in a text in lower case."""
        return bool(self._titled) and sentences.mentions(" ".join(said.casefold().split()), self._titled)


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """How many headings two paths have in common from the top."""
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
