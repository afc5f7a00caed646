"""Whether the steps and decisions of a guide survive Word and PDF: twenty procedures, each beside its Markdown twin.

python benchmarks/office.py                         the 160 files are made and read: minutes on two cores
python benchmarks/office.py --keep folder           the same, and what was made and read is kept there

A step counts where it stands behind the one before it with its number, in the same step as in the twin. A decision
counts where its condition leads to the same step or section. The files of a program that is not here are left out, and
that is said.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from _table import show
from _writers import MISSING, UNLINKED, WRITERS, unlinked

from thread_core import Document, RuleExtractor
from thread_core.documents.blocks.markdown import Block, parse
from thread_core.errors import BadDocument
from thread_rag import reading

PROCEDURES = Path(__file__).parent / "procedures"

Step = tuple[tuple[int, ...], str]
"""The numbers of an item and of those around it, and its letters."""
Decision = tuple[str, str]
"""A condition, and where it leads."""


class Found(NamedTuple):
    """What was read of a document."""

    steps: list[Step]
    decisions: list[Decision]


class Score(NamedTuple):
    """How much of a twin's is there, and what is not."""

    steps: int
    of_steps: int
    decisions: int
    of_decisions: int
    lost: tuple[str, ...]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the shares for each writer, then what was lost."""
    parser = argparse.ArgumentParser(description="Compare procedures in Word and PDF with their Markdown twins.")
    parser.add_argument("--keep", type=Path, help="a folder for what is made and read")
    given = parser.parse_args(arguments)
    rows, lost = [], []
    with TemporaryDirectory() as temporary:
        for name in WRITERS:
            if name in MISSING:
                lost.append(f"{name}: left out, {MISSING[name]} is not here")
                continue
            scores = dict(scored(name, given.keep or Path(temporary)))
            rows.append(row(name, list(scores.values())))
            lost += [f"{name}, {file}: {one}" for file, score in scores.items() for one in score.lost]
    show(rows)
    print("\n".join(["", *lost]))


def row(name: str, scores: Sequence[Score]) -> dict[str, str]:
    """A line of the table."""
    steps, of_steps, decisions, of_decisions = (sum(score[at] for score in scores) for at in range(4))
    return {
        "": name,
        "files": str(len(scores)),
        "steps in order": f"{steps} of {of_steps}",
        "decisions linked": f"{decisions} of {of_decisions}",
    }


def scored(writer: str, folder: Path, files: Sequence[Path] = ()) -> Iterator[tuple[str, Score]]:
    """What one writer's files keep of the procedures."""
    ending, write = WRITERS[writer]
    own = folder / writer.replace(", ", "-").replace(" ", "-")
    own.mkdir(parents=True, exist_ok=True)
    for source in files or sorted(PROCEDURES.glob("*.md")):
        written = source.read_text(encoding="utf-8")
        text = unlinked(written) if writer in UNLINKED else written
        twin = found(Document("guide.md", text))
        file = own / source.with_suffix(ending).name
        write(text, file)
        try:
            document = reading.document(file)
        except BadDocument as failure:
            yield source.stem, compared(twin, Found([], []), str(failure))
            continue
        file.with_suffix(".md").write_text(document.text, encoding="utf-8")
        yield source.stem, compared(twin, found(document))


def found(document: Document) -> Found:
    """The steps and the decisions of a document, so that they can be compared with those of another form of it."""
    links = (link for unit in RuleExtractor().extract(document).units for link in unit.links if link.condition)
    decisions = []
    for link in links:
        goal = link.target and (link.target.step or letters(link.target.anchor))
        decisions.append((letters(link.condition), f"{link.action.value} {goal or ''}"))
    return Found(list(steps(parse(document.text).blocks, ())), decisions)


def steps(blocks: Sequence[Block], around: tuple[int, ...]) -> Iterator[Step]:
    """The numbered items, each with the numbers of those around it."""
    for block in blocks:
        inside = around
        if block.kind == "item":
            inside = (*around, block.number or 0)
            if block.number is not None:
                said = next((letters(child.text) for child in block.children if child.text), "")
                yield inside, said
        yield from steps(block.children, inside)


def letters(text: str) -> str:
    """The letters of a text, by which it is the same however it is set."""
    return "".join(sign for sign in text if sign.isalnum()).lower()[:60]


def compared(twin: Found, other: Found, reason: str = "") -> Score:
    """How much of a twin's steps is there in their order, and how many of its decisions."""
    matcher = SequenceMatcher(None, twin.steps, other.steps, autojunk=False)
    blocks = matcher.get_matching_blocks()
    kept = {at for one in blocks for at in range(one.a, one.a + one.size)}
    lost = [f"step {path}: {said}" for at, (path, said) in enumerate(twin.steps) if at not in kept]
    left = list(other.decisions)
    missing = []
    for decision in twin.decisions:
        if decision in left:
            left.remove(decision)
        else:
            missing.append(decision)
    lost += [f"decision: {condition} -> {goal}" for condition, goal in missing]
    linked = len(twin.decisions) - len(missing)
    told = (reason,) if reason else tuple(lost)
    return Score(len(kept), len(twin.steps), linked, len(twin.decisions), told)


if __name__ == "__main__":
    main()
