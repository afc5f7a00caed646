"""`thread-rag record`: how a walk went, for whoever looks at it later."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from thread_rag.ending import errors_in_one_line

EXAMPLE = "Example: thread-rag record incident.json --out incident.md"


def record(
    session: Annotated[Path, typer.Argument(metavar="FILE", help="What `thread-rag ask --session` has written.")],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="Write it here; - prints it.", show_default=False)
    ] = Path("-"),
) -> None:
    """Tell how a walk went, as Markdown.

    What was asked, each step with its lines and what came of it, what was said and when, what was run and who had
    allowed it, what had to hold, and what is open. It is made of the session's file and of the journal beside it; no
    store is needed, and nothing of the walk is changed. What was said stands in it as code, without what looks like a
    secret.
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
            typer.echo(f"Recorded {one_line(str(session))} in {one_line(str(out))}.")
