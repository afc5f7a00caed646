"""A guide as a skill of agents (agentskills.io): a folder with `SKILL.md`, its decisions as links between its parts.

What is longer than a skill should be goes into `references/`, and `SKILL.md` begins with links to each part in there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from thread_core.answering.cards import purpose
from thread_core.documents.blocks.fences import closed
from thread_core.documents.leaning import joined
from thread_core.layout import intent, is_next
from thread_core.models import LogicUnit
from thread_core.shelf import Leads, Shelf, Way, listed
from thread_core.text.quoting import escaped, seen
from thread_core.text.words import count_tokens
from thread_export.chart import is_inside, one_line, said_of

DESCRIPTION = 1024
"""Characters of a description at most, as the specification has it."""
LINES, TOKENS = 500, 5000
"""Of a `SKILL.md` at most, as the specification advises; of each file that it links as well."""
_HEAD_LINES, _HEAD_TOKENS = 20, 300
"""What front matter, title and the first words take of them."""
MAIN = "SKILL.md"


def write(shelf: Shelf, document_id: str, names: Mapping[str, str]) -> dict[str, str]:
    """Write a guide as the files of a skill.

    Args:
        shelf: Holds the guide.
        document_id: Of the guide.
        names: Of the skills that are written together, by document; the guide's own is among them.

    Returns:
        Texts by the files' paths below the folder that has the skill's name.

    Raises:
        IndexError: the guide has no units.
    """
    return _Skill(shelf, document_id, names).files()


class _Skill:
    def __init__(self, shelf: Shelf, document_id: str, names: Mapping[str, str]) -> None:
        self._shelf = shelf
        self._id = document_id
        self._names = names
        self._units = shelf.units(document_id)
        self._called = _called(self._units)
        self._files = _divided(self._units)

    def files(self) -> dict[str, str]:
        ways: dict[str, list[Way]] = {}
        for way in self._shelf.ways(self._id):
            ways.setdefault(way.unit.id, []).append(way)
        texts: dict[str, list[str]] = {MAIN: []}
        for unit in self._units:
            file = self._files[unit.id]
            texts.setdefault(file, []).append("\n\n".join(self._part(unit, ways.get(unit.id, ()), file)))
        title = escaped(self._units[0].title or self._id)
        heads: dict[str, tuple[str, ...]] = {file: (f"# {title}: more",) for file in texts}
        heads[MAIN] = (self._front(), f"# {title}", *self._contents())
        return {file: "\n\n".join((*heads[file], *parts)) + "\n" for file, parts in texts.items()}

    def _front(self) -> str:
        """The front matter."""
        title, about = self._units[0].title or self._id, purpose(self._units)
        said = f"How to: {one_line(title)}. {one_line(about)}".strip().rstrip(".") + "."
        asked = "; ".join(dict.fromkeys(one_line(name) for unit in self._units for name in unit.section[:1]))
        said = f"{said} Use it step by step when that is the task. Sections: {asked}." if asked else said
        # Some readers of skills refuse what may be a tag.
        said = _shortened(said.replace("<", "(").replace(">", ")"), DESCRIPTION)
        fields = (f"name: {self._names[self._id]}", f"description: {_quoted(said)}")
        return "\n".join(("---", *fields, "metadata:", f"  source: {_quoted(self._id)}", "---"))

    def _contents(self) -> Iterator[str]:
        yield (
            "Do one part at a time. Below each part are its outcomes, and where they lead: follow the link of the"
            " outcome that applies. If none applies, ask the person."
        )
        others = [unit for unit in self._units if self._files[unit.id] != MAIN]
        if others:
            yield "More of this guide is in other files:"
            named = ((self._called[one.id], self._address(one, MAIN), escaped(intent(one))) for one in others)
            yield "\n".join(f"- [{name}]({address}): {what}" for name, address, what in named)

    def _part(self, unit: LogicUnit, ways: Sequence[Way], file: str) -> Iterator[str]:
        yield f"## {self._called[unit.id]}"
        yield f"**{escaped(intent(unit))}** ({escaped(str(unit.lines_of(1, unit.body.count(chr(10)) + 1)))})"
        if unit.prerequisites:
            yield "\n".join(("Needed first:", "", *(f"- {escaped(one_line(text))}" for text in unit.prerequisites)))
        yield closed(unit.body)
        led = [f"- {self._way(way, file)}" for way in ways if not is_next(way.link)]
        led += [f"- Then: {self._goal(way, file)}" for way in ways if is_next(way.link)]
        if led:
            yield "\n".join(("Where it leads:", "", *led))

    def _way(self, way: Way, file: str) -> str:
        word, condition = joined(one_line(way.link.condition))
        case = f"{word.capitalize()} {escaped(condition)}" if condition else "In any case"
        said = escaped(said_of(way.link))
        if is_inside(way):
            return f"{case}: {said}"
        return f"{case}: {said} ({self._goal(way, file)})"

    def _goal(self, way: Way, file: str) -> str:
        goal = way.destination
        match goal.leads:
            case Leads.STEP | Leads.INSIDE if goal.unit is not None:
                return self._to_unit(goal.unit, file)
            case Leads.END:
                return f"the end: {'handed over' if way.link.action.value == 'ESCALATE' else 'solved'}"
            case Leads.AMBIGUOUS:
                return f"one of these guides: {escaped(listed(goal.candidates))}"
            case Leads.DANGLING:
                return "a place that does not exist"
            case Leads.OUTSIDE:
                return f"another page: {escaped(way.link.target.document if way.link.target else '')}"
        return "look for a guide about that"

    def _to_unit(self, unit: LogicUnit, file: str) -> str:
        if unit.id in self._called:
            return f"[{self._called[unit.id]}]({self._address(unit, file)})"
        title = escaped(f"{one_line(unit.title)}: {intent(unit)}")
        if (name := self._names.get(unit.document_id)) is None:
            return f"another guide, {escaped(unit.document_id)}: {title}"
        up = "../" * (file.count("/") + 1)
        return f"another skill, [{title}]({up}{name}/{MAIN})"

    def _address(self, unit: LogicUnit, file: str) -> str:
        anchor = self._called[unit.id].lower().replace(" ", "-")
        goal = self._files[unit.id]
        if goal == file:
            return f"#{anchor}"
        return f"{'../' * file.count('/')}{goal}#{anchor}"


def _called(units: Sequence[LogicUnit]) -> dict[str, str]:
    """What units are called, in one row of numbers; "step 3" is what the guide itself calls something."""
    return {unit.id: f"Part {at}" for at, unit in enumerate(units, start=1)}


def _divided(units: Sequence[LogicUnit]) -> dict[str, str]:
    """The file of each unit: as many as fit in `SKILL.md`, beside a line for each of the others, the next in a part."""
    sizes = [_size(unit) for unit in units]
    lines, tokens = map(sum, zip(*sizes, strict=True))
    is_long = lines + _HEAD_LINES > LINES or tokens + _HEAD_TOKENS > TOKENS
    contents = len(units) if is_long else 0
    found, file, number = dict[str, str](), MAIN, 1
    used = (_HEAD_LINES + contents, _HEAD_TOKENS + 30 * contents)
    for unit, size in zip(units, sizes, strict=True):
        if is_long and (used[0] + size[0] > LINES or used[1] + size[1] > TOKENS):
            number += 1
            file, used = f"references/part-{number}.md", (2, 20)
        found[unit.id] = file
        used = (used[0] + size[0], used[1] + size[1])
    return found


def _size(unit: LogicUnit) -> tuple[int, int]:
    """Lines and tokens that a unit takes about, with what stands around it."""
    said = [unit.body, *unit.prerequisites, *(f"{link.condition} {link.query}" for link in unit.links)]
    lines = 10 + unit.body.count("\n") + len(unit.prerequisites) + len(unit.links)
    return lines, sum(map(count_tokens, said)) + 40 + 30 * len(unit.links)


def _quoted(text: str) -> str:
    """A text in quotes, as JSON and YAML have them."""
    return json.dumps(seen(one_line(text)), ensure_ascii=False)


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 3].rsplit(' ', 1)[0]}..."
