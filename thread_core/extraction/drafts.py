"""Sections -> drafts: what must not be torn apart is kept together, and small neighbours are packed to one unit."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from thread_core.documents import directions
from thread_core.documents.blocks.markdown import Block, parts, visible
from thread_core.documents.blocks.source import Source
from thread_core.documents.drawings import procedure
from thread_core.documents.forms.flowchart import Flowchart
from thread_core.documents.forms.tables import Table, numbered_rows, parted
from thread_core.documents.promises import Role, promise
from thread_core.documents.sections import Outline, Section
from thread_core.documents.steps import step_named
from thread_core.text import sentences
from thread_core.text.header import unnumbered
from thread_core.text.scripts import COLONS

PACKED = 700
"""Characters that small neighbours are packed to: some 170 tokens, what a person reads at once."""
LARGEST = 1000
"""Characters from which a list item or a table is taken apart."""
DEEPEST = 3
"""Levels of nested lists that are taken apart; deeper ones stay with their item."""

_PICTURE = re.compile(r"<(?:img|picture|svg|video|audio|iframe|object|embed)\b", re.IGNORECASE)
_ANSWER = re.compile(r"\W*a(?:nswer)?(?: ?\d+)?\s*:\s", re.IGNORECASE)


@dataclass(slots=True)
class Atom:
    """Lines that belong together: a step with its code, a sentence with the list that it announces."""

    start: int
    end: int
    blocks: list[Block]
    size: int
    number: int | None = None
    lead: tuple[int, int] | None = None
    """Lines above that it cannot be read without: a table's head."""
    table: Table | None = None
    """Of which it is a row."""
    charts: tuple[Flowchart, ...] = ()
    """The procedures that are drawn in it."""

    def steps(self) -> Iterator[tuple[int, int]]:
        """Lines and numbers of the steps in it: a list item's own, a table's rows, and what a line calls a step."""
        if self.number is not None:
            yield next((block.start for block in self.blocks if block.kind == "item"), self.start), self.number
        for block in self.blocks:
            if block.kind == "table":
                yield from numbered_rows(block).items()
            elif block.kind == "paragraph" and "step" in block.text.lower():
                named = enumerate(map(step_named, block.text.split("\n")), start=block.start)
                yield from ((line, number) for line, number in named if number is not None)

    def join(self, other: Atom) -> None:
        """Take in the atom after it."""
        self.end = max(self.end, other.end)
        self.blocks += other.blocks
        self.size += other.size


@dataclass(slots=True)
class Draft:
    """A unit in the making."""

    section: Section
    atoms: list[Atom]
    headings: list[tuple[int, int]] = field(default_factory=list)
    steps: tuple[int, ...] = ()
    """Numbers of the steps in it, those that its headings name first."""
    prerequisites: list[str] = field(default_factory=list)

    charts: tuple[Flowchart, ...] = field(init=False)
    """The procedures that are drawn in it."""
    blocks: list[Block] = field(init=False)
    """All blocks in reading order, each before the blocks in it."""
    said: list[str] = field(init=False)
    """The words of each of the blocks in lower case, of those that are no paragraph none."""
    all_said: str = field(init=False)
    """The words of all its paragraphs in lower case: what they do not have, none of them has."""

    def __post_init__(self) -> None:
        self.blocks = parts([block for atom in self.atoms for block in atom.blocks])
        self.charts = tuple([chart for atom in self.atoms for chart in atom.charts])
        self.said = [sentences.lowered(block.text) if block.kind == "paragraph" else "" for block in self.blocks]
        self.all_said = "\n".join(self.said)

    @property
    def start(self) -> int:
        """Its first line."""
        return self.atoms[0].start

    @property
    def end(self) -> int:
        """Its last line."""
        return self.atoms[-1].end

    @property
    def leads(self) -> Iterable[tuple[int, int]]:
        """Lines above that its atoms cannot be read without."""
        return dict.fromkeys([atom.lead for atom in self.atoms if atom.lead])


def pack(plan: Outline, source: Source) -> Iterator[Draft]:
    """Pack each section's atoms; a heading over others goes to the next unit, which has it in its header.

    One over nothing at all says itself what is to be done.
    """
    above: list[Section] = []
    for section, upcoming in itertools.pairwise((*plan.sections, None)):
        assert section is not None
        atoms = _with_charts(_atoms(section.blocks, source), source)
        if section.heading and section.title and not any(map(_has_words, atoms)) and not _is_over(section, upcoming):
            atoms = [_heading(section.heading, section.title, source), *atoms]
            section = replace(section, role=Role.APPENDIX) if _only_promises(section.title) else section
        else:
            above.append(section)
        alone = section.role if section.role in (Role.TERMINOLOGY, Role.FAQ) else None
        for packed in _packs(atoms, None if section.title.endswith("?") else alone):
            inside = [number for atom in packed for _, number in atom.steps()]
            yield under(above, section, packed, inside)
            above = []


def _with_charts(atoms: list[Atom], source: Source) -> list[Atom]:
    for atom in atoms:
        atom.charts = tuple([one for block in parts(atom.blocks) if (one := procedure(block, source)) is not None])
    return atoms


def _is_over(section: Section, upcoming: Section | None) -> bool:
    """Whether the next section is one in a section, whose words then stand in the headers of all below it."""
    return upcoming is not None and upcoming.path[: len(section.path)] == section.path != upcoming.path


def _only_promises(title: str) -> bool:
    """Whether a heading says nothing by itself: "Resolution", "Method 2"."""
    if directions.is_counted_alone(title):
        return True
    return promise(title) is not None and step_named(title) is None and not sentences.instructs(unnumbered(title))


def _has_words(atom: Atom) -> bool:
    return any(block.kind == "code" or not is_picture(block) for block in parts(atom.blocks) if not block.children)


def _heading(lines: tuple[int, int], title: str, source: Source) -> Atom:
    """A heading with nothing below it that says more: a step whose heading says all that there is to do."""
    return Atom(*lines, [Block("paragraph", *lines, unnumbered(title))], source.size(*lines), step_named(title))


def under(above: Iterable[Section], section: Section, atoms: list[Atom], steps: Sequence[int]) -> Draft:
    """The draft of a section with the headings above that its header repeats; those of steps count among its steps."""
    headed = [one for one in above if one.heading and section.path[: len(one.path)] == one.path]
    named = [number for one in headed if (number := step_named(one.title)) is not None and number not in steps]
    return Draft(section, atoms, [one.heading for one in headed if one.heading], (*named, *steps))


def steps_of(section: Section, source: Source) -> list[tuple[int, int]]:
    """Lines and numbers of the steps in a section."""
    return [step for atom in _atoms(section.blocks, source) for step in atom.steps()]


def _atoms(blocks: Sequence[Block], source: Source, depth: int = 0) -> list[Atom]:
    atoms: list[Atom] = []
    counted = 0
    for block in blocks:
        if block.kind == "list":
            ones = _all_ones(block)
            announced = bool(atoms) and _announces(atoms[-1])
            numbers = _numbers(block, counted if ones and not announced else 0)
            counted = (numbers[-1] or 0) if ones else 0
            pieces = [
                p
                for item, number in zip(block.children, numbers, strict=True)
                for p in _item(item, number, source, depth)
            ]
            if announced and pieces and atoms[-1].size + pieces[0].size <= LARGEST:
                number = pieces[0].number
                atoms[-1].join(pieces[0])
                atoms[-1].number = number
                pieces = pieces[1:]
            atoms += pieces
        elif block.kind == "table" and _is_long(block, source) and procedure(block, source) is None:
            atoms += _rows(block, source)
        elif block.kind in ("rule", "html", "heading") and not visible(block.text):
            if atoms and _is_seen(block):
                atoms[-1].end = max(atoms[-1].end, block.end)
        else:
            atom = Atom(block.start, block.end, [block], _size(block, source))
            if atoms and _belongs_to_previous(block, atoms[-1]):
                atoms[-1].join(atom)
            else:
                atoms.append(atom)
                counted = 0
    return atoms


def _is_long(table: Block, source: Source) -> bool:
    return _size(table, source) > LARGEST and len(table.children) > 2


def _rows(table: Block, source: Source) -> Iterator[Atom]:
    """A row is read with the table's head above it, unless that is too long to be repeated."""
    head, rows = parted(table)
    whole = Table(table)
    size = _size(head, source)
    lead = (head.start, rows[0].start - 1) if size <= LARGEST else None
    if lead is None:
        yield Atom(head.start, rows[0].start - 1, [head], size)
    numbers = numbered_rows(table)
    for row in rows:
        yield Atom(row.start, row.end, [row], _size(row, source), numbers.get(row.start), lead, whole)


def _all_ones(block: Block) -> bool:
    """Whether every item of a list is written `1.`, so that its numbers are counted."""
    return bool(block.children) and all(item.number == 1 for item in block.children)


def _numbers(block: Block, counted: int = 0) -> list[int | None]:
    """The numbers of a list's items as written, or counted on where they do not rise (all `1.`).

    `counted` is the last number of such a list above that something has interrupted.
    """
    written = [item.number for item in block.children]
    if counted:
        return [counted + index for index in range(1, len(written) + 1)]
    known = [number for number in written if number is not None]
    if len(known) < len(written) or all(one < other for one, other in itertools.pairwise(known)):
        return written
    return [known[0] + index for index in range(len(written))]


def _item(item: Block, number: int | None, source: Source, depth: int) -> list[Atom]:
    """A list item is one atom with all its sub-steps, unless it is too long to be read at once."""
    whole = Atom(item.start, item.end, [item], _size(item, source), number)
    if whole.size <= LARGEST or depth >= DEEPEST or len(item.children) < 2:
        return [whole]
    parts = _atoms(item.children, source, depth + 1)
    if not parts:
        return [whole]
    parts[0].start = item.start
    parts[0].number = number
    for part in parts[1:]:
        part.number = None
    return parts


def _packs(atoms: list[Atom], alone: Role | None) -> Iterator[list[Atom]]:
    """Neighbours as far as they are small; of terms each alone, of questions each with the steps that answer it.

    What has a drawn procedure is alone: its steps come behind it.
    """
    pack: list[Atom] = []
    size = 0
    for atom in atoms:
        is_apart = alone is Role.TERMINOLOGY or (alone is Role.FAQ and atom.number is None)
        is_apart = is_apart or bool(atom.charts) or bool(pack and pack[-1].charts)
        if pack and (is_apart or size + atom.size > PACKED or atom.lead != pack[-1].lead):
            yield pack
            pack, size = [], 0
        pack.append(atom)
        size += atom.size
    if pack:
        yield pack


def _announces(atom: Atom) -> bool:
    last = atom.blocks[-1]
    return last.kind == "paragraph" and last.text.rstrip().endswith(COLONS)


def _belongs_to_previous(block: Block, atom: Atom) -> bool:
    if block.kind in ("code", "table", "quote"):
        return atom.size <= LARGEST or _announces(atom)
    if block.kind == "paragraph":
        return (
            is_picture(block) or sentences.is_aside(block.text) or bool(_ANSWER.match(block.text)) or _announces(atom)
        )
    return False


def is_picture(block: Block) -> bool:
    """A paragraph without words of its own: pictures, whatever is said of them."""
    return not block.text.strip() or block.text.startswith(":::image ")


def _is_seen(block: Block) -> bool:
    """Whether a block of HTML without words of its own is a picture, or a comment with lines of words."""
    return _PICTURE.search(block.text) is not None or any(map(visible, block.text.split("\n")))


def _size(block: Block, source: Source) -> int:
    return source.size(block.start, block.end)
