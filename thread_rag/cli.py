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
"""Columns of a terminal below which Typer has to be told the width, or help would be too wide."""

EPILOG = """\
\b
Examples:
  thread-rag ingest guides
  thread-rag ask "The disk is full, what now?"

\b
Exit codes:
  0         success
  1         failure, no document ingested, or check found a problem
  2         usage error
  3         ingest, eval: some failed; lint: findings; ingest --strict:
            broken links
  4         ask, resume: nothing fits the question
  5         eval: a figure is below --min
  130, 143  stopped by a signal
  141       the reader of the output has closed it"""

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Answer how-to questions from your own documents, one step at a time. Ingest a folder of guides, then ask.",
    epilog=EPILOG,
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
    """Handle the options that belong to no command."""


for _name, _function, _examples in (
    ("ingest", ingest.ingest, ingest.EXAMPLES),
    ("ask", ask.ask, ask.ASK_EXAMPLES),
    ("resume", ask.resume, ask.RESUME_EXAMPLES),
    ("show", show.show, show.SHOW_EXAMPLES),
    ("text", show.text, show.TEXT_EXAMPLES),
    ("view", view.view, view.EXAMPLES),
    ("export", export.export, export.EXAMPLES),
    ("import", import_.import_units, import_.EXAMPLES),
    ("record", record.record, record.EXAMPLES),
    ("gaps", gaps.gaps, gaps.EXAMPLES),
    ("eval", eval.evaluate, eval.EXAMPLES),
    ("lint", lint.lint, lint.EXAMPLES),
    ("check", check.check, check.EXAMPLES),
    ("mcp", mcp.mcp, mcp.EXAMPLES),
):
    app.command(_name, cls=PlainCommand, epilog=_examples)(_function)


def main() -> None:
    """Run the command. Characters that the encoding of the input or output does not have become question marks."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # it was closed: read nothing and drop what is written
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            with contextlib.suppress(io.UnsupportedOperation):  # a program that calls this has read from it
                stream.reconfigure(errors="replace")
    columns = shutil.get_terminal_size().columns
    app(**({"terminal_width": columns - 2} if columns < NARROW else {}))
