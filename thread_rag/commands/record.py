"""`thread-rag record`: how a walk went, as Markdown."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from thread_rag.ending import errors_in_one_line

EXAMPLES = "thread-rag record incident.json --out incident.md"


def record(
    session: Annotated[Path, typer.Argument(metavar="FILE", help="A file written by `thread-rag ask --session`.")],
    out: Annotated[
        Path,
        typer.Option("--out", "-o", metavar="FILE", help="The file to write; default: print it.", show_default=False),
    ] = Path("-"),
) -> None:
    """Write a record of a walk, as Markdown.

    It has the question, each step with its lines and outcome, what was said and when, what was run and who approved it,
    the prerequisites, and what is open. It is made from the session file and the journal beside it, without a store,
    and changes neither. What people said is quoted as code; anything that looks like a secret is left out.
    """
    with errors_in_one_line():
        from thread_core.text.safe import one_line
        from thread_core.walk import record as records
        from thread_core.walk.gaps import entries_of
        from thread_core.walk.saving import SessionFile
        from thread_rag import files

        kept = SessionFile(session)
        state = kept.read()
        files.write_text(out, records.write(state, entries_of(kept.journal_path) if kept.journal_path.exists() else ()))
        if out != files.PIPE:
            typer.echo(f"Wrote the record of {one_line(str(session))} to {one_line(str(out))}.")
