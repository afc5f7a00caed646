"""The command line: which commands there are. Each is a function in a file of `commands`.

Everything heavy is imported inside the commands, so that `--help` answers at once.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import sys
from typing import Annotated

from thread_rag.ending import ADVICE

try:
    import typer
except ModuleNotFoundError as error:
    raise SystemExit(f"error: {ADVICE.format(error.name, 'cli')}") from error

from thread_rag.commands import ask, check, eval, export, gaps, import_, ingest, lint, mcp, record, show, view
from thread_rag.options import PlainCommand

NARROW = 52
"""Columns of a terminal for which help would be too wide, unless it is told how wide that is."""

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Turn how-to documents into logic units, and walk through them one step at a time.",
    epilog='Example: thread-rag ingest guides, then thread-rag ask "The disk is full, what now?". Exit codes: 0,'
    " success; 1, failure, or nothing was ingested; 2, usage error; 3, some documents failed, lint found something,"
    " or, with --strict, a link is broken; 4, nothing fits the question; 130 or 143, stopped by a signal; 141, the"
    " reader of the output has gone.",
)


def _tell_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"thread-rag {version('thread-rag')}")
        raise typer.Exit


@app.callback()
def _before(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_tell_version, help="Print the version and exit.")
    ] = False,
) -> None:
    """What holds for all commands."""


for _name, _function, _examples in (
    ("ingest", ingest.ingest, ingest.EXAMPLES),
    ("ask", ask.ask, ask.ASK_EXAMPLE),
    ("resume", ask.resume, ask.RESUME_EXAMPLE),
    ("show", show.show, show.SHOW_EXAMPLE),
    ("text", show.text, show.TEXT_EXAMPLE),
    ("view", view.view, view.EXAMPLES),
    ("export", export.export, export.EXAMPLES),
    ("import", import_.import_units, import_.EXAMPLE),
    ("record", record.record, record.EXAMPLE),
    ("gaps", gaps.gaps, gaps.EXAMPLES),
    ("eval", eval.evaluate, eval.EXAMPLES),
    ("lint", lint.lint, lint.EXAMPLES),
    ("check", check.check, check.EXAMPLE),
    ("mcp", mcp.mcp, mcp.EXAMPLES),
):
    app.command(_name, cls=PlainCommand, epilog=_examples)(_function)


def main() -> None:
    """Run the command; what the output's encoding lacks, or is no text in the input's, becomes a question mark."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # it was closed: nothing comes from there, and nobody reads it
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            with contextlib.suppress(io.UnsupportedOperation):  # whoever calls this has read from it already
                stream.reconfigure(errors="replace")
    columns = shutil.get_terminal_size().columns
    app(**({"terminal_width": columns - 2} if columns < NARROW else {}))
