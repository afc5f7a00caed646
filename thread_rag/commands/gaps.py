"""`thread-rag gaps`: what people met in walks that the guides do not cover."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from thread_rag.ending import errors_in_one_line

if TYPE_CHECKING:
    from rich.console import Console

    from thread_core.models import Document
    from thread_core.walk.gaps import Wanting

EXAMPLES = """\
thread-rag gaps incidents
thread-rag gaps incidents --documents guides --draft missing.diff"""

JOURNALS = (".journal", ".jsonl")
"""Extensions of the files that are read in a folder."""
_FIRST = '{"at": "'
"""How a journal begins."""
_AS_WRITTEN = (".md", ".mdx", ".markdown", ".txt")
"""Extensions of documents whose lines are those of their files."""


def gaps(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="PATH", help="Journals, or folders of them. `ask --session` writes one beside each session."
        ),
    ],
    documents: Annotated[
        list[Path] | None,
        typer.Option(
            "--documents", metavar="PATH", help="The guides' files, as you name them for `ingest`; for --draft."
        ),
    ] = None,
    draft: Annotated[
        Path | None,
        typer.Option(
            "--draft", metavar="FILE", help="Write a diff of the guides that adds what is missing; - prints only that."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print only JSON, one gap per line.")] = False,
) -> None:
    """List what people met in walks that the guides do not cover.

    For each guide and step: reports that the guide says nothing about, and steps at which people chose "none of these",
    skipped, gave up or asked; with their words, how often, and when last. Then the questions that no guide fits.
    Anything that looks like a secret is left out.

    --draft writes a diff that adds the reported outcomes to their steps, marked TODO. Read it, say what to do in each
    case, and apply it with `git apply`. Steps that have been edited since are listed and not in the diff.
    """
    if draft is not None and not documents:
        raise typer.BadParameter(
            "found --draft without the guides; name their files with --documents", param_hint="--documents"
        )
    with errors_in_one_line():
        from thread_core.walk import gaps as walked
        from thread_rag import files, rendering

        found = walked.collect(entry for path in _journals(paths) for entry in walked.entries_of(path))
        console = rendering.a_console(stderr=draft == files.PIPE)
        if as_json:
            rendering.show_json(console, found)
        else:
            _show(console, found)
        if draft is not None:
            _write(console, found, documents or [], draft)


def _journals(paths: Sequence[Path]) -> Iterator[Path]:
    from thread_core.errors import NothingFound

    for path in paths:
        if not path.is_dir():
            yield path
            continue
        inside = sorted(file for file in path.rglob("*") if file.suffix in JOURNALS and _begins(file))
        if not inside:
            raise NothingFound(f"{path} has no journal; expected files that end in {' or '.join(JOURNALS)}")
        yield from inside


def _begins(file: Path) -> bool:
    try:
        with open(file, encoding="utf-8", errors="replace") as opened:
            return opened.read(len(_FIRST)) == _FIRST
    except OSError:
        return False


def _show(console: Console, found: Sequence[Wanting]) -> None:
    from thread_core.text.safe import one_line
    from thread_rag.rendering import say

    if not found:
        say(console, "No gaps were found in these walks.")
    for document_id, of_guide in groupby(found, key=lambda one: one.gap.document_id):
        say(console, one_line(document_id) or "No guide", "bold")
        for (start, header), of_step in groupby(of_guide, key=lambda one: (one.gap.start, one.gap.header)):
            if header:
                say(console, f"  line {start}: {one_line(header)}" if start else f"  {one_line(header)}")
            for one in of_step:
                said = f': "{one_line(one.gap.said)}"' if one.gap.said else ""
                times = "once" if one.count == 1 else f"{one.count} times in {one.sessions} walks"
                say(console, f"    {one.gap.kind.value} {times}, last {one.last[:10]}{said}")


def _write(console: Console, found: Sequence[Wanting], guides: Sequence[Path], to: Path) -> None:
    from thread_core.text.safe import one_line
    from thread_core.walk.additions import draft
    from thread_rag import files
    from thread_rag.rendering import say

    wanted = {one.gap.document_id for one in found}
    drafted = draft(found, _documents(guides, wanted))
    files.write_text(to, drafted.diff)
    for one in drafted.left:
        say(console, f"not in the draft: {one_line(one.citation)} has changed since", "yellow")


def _documents(guides: Sequence[Path], wanted: set[str]) -> Iterator[Document]:
    """Yield the guides with gaps, if their lines are those of their files."""
    from thread_core.models import Document as Read
    from thread_rag import reading, sources

    chosen = (file for root in sources.find(guides) for file in root.files if file.document_id in wanted)
    for one in reading.read(file for file in chosen if file.path.suffix.lower() in _AS_WRITTEN):
        if isinstance(one, Read):
            yield one
        else:
            raise one
