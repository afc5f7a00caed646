"""How a command ends early: it is told to stop, or something goes wrong."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import NoReturn

# typer is imported late: if it is missing, the command says so.
ADVICE = '{} is missing; install the command with: pip install "thread-rag[{}]"'
EXTRAS = {
    "cli": ("chromadb", "opentelemetry", "rich"),
    "mcp": ("limits", "mcp", "starlette", "uvicorn"),
    "cli,eval": ("rapidfuzz", "jinja2", "markupsafe"),
    "cli,view": ("starlette", "uvicorn", "tomlkit"),
    "cli,eval,llama-index": ("llama_index",),
    "cli,lint": ("tree_sitter", "tree_sitter_bash"),
    "cli,ray": ("ray", "fsspec"),
    "cli,langchain,openai": ("langchain_chroma", "langchain_core", "langchain_openai", "langchain_text_splitters"),
}
"""Modules that are imported late, by the extra that brings them."""
SOME_FAILED = 3
"""Exit code if some documents were ingested and others failed or were not reached; or for broken links."""
NOTHING_FITS = 4
"""Exit code if nothing fits a question and nobody is there to rephrase it."""
NOBODY_READS = 141
"""Exit code if the reader of the output has closed it, like `head`: what shells return for SIGPIPE."""
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


@contextmanager
def told_when_stopped() -> Iterator[None]:
    """Say after Ctrl-C or SIGTERM that nothing is lost, and exit with the code that shells expect."""
    import typer

    try:
        with _ending_politely():
            yield
    except KeyboardInterrupt as stopped:
        typer.secho("stopped; run the same command again to continue", fg=typer.colors.YELLOW, err=True)
        raise typer.Exit(_exit_code(stopped)) from None


@contextmanager
def failure_reported(file: Path | None, store: str) -> Iterator[None]:
    """Write into the report why a run failed, so that nobody takes the previous report for this run's."""
    try:
        yield
    except (Exception, KeyboardInterrupt) as error:
        import typer

        from thread_core.errors import ThreadError
        from thread_core.ingest import IngestReport
        from thread_core.models import encodable
        from thread_rag import files

        if file is not None and not isinstance(error, typer.Exit):
            said = "it was stopped" if isinstance(error, KeyboardInterrupt) else str(error) or type(error).__name__
            with suppress(ThreadError):
                files.write(file, [IngestReport(store=store, stopped=encodable(said)).model_dump_json()])
        raise


@contextmanager
def errors_in_one_line() -> Iterator[None]:
    """Print an error as one line on stderr and exit with 1. Only bugs get a traceback."""
    import typer

    from thread_core.errors import ThreadError
    from thread_core.text.safe import one_line

    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()  # report here what cannot be written, not when Python exits
    except ThreadError as error:
        message = str(error)
    except BrokenPipeError:
        _mute()
        raise typer.Exit(NOBODY_READS) from None
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        extra = next((extra for extra, brought in EXTRAS.items() if missing in brought), None)
        if extra is None:
            raise
        message = ADVICE.format(missing, extra)
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            message = f"{error.filename}: the name is too long for a file or folder; choose a shorter one"
        elif error.errno in _FULL:
            message = f"{error.filename or 'the output'} cannot be written ({error.strerror}); free some space"
            _mute()
        else:
            raise
    else:
        return
    typer.secho(f"error: {one_line(message)}", fg=typer.colors.RED, err=True)
    raise typer.Exit(1)


def _mute() -> None:
    """Discard what is still to be printed: nobody reads it, or there is no space for it."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


class _Stopped(KeyboardInterrupt):
    """The process was told to end by a signal other than Ctrl-C's."""


@contextmanager
def _ending_politely() -> Iterator[None]:
    """Let SIGTERM raise `_Stopped`, so that everything is closed as after Ctrl-C."""
    before = signal.signal(signal.SIGTERM, _stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _exit_code(stopped: KeyboardInterrupt) -> int:
    """Return the exit code that shells expect from a process ended by a signal."""
    return 128 + (signal.SIGTERM if isinstance(stopped, _Stopped) else signal.SIGINT)


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    raise _Stopped
