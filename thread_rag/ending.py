"""How a command ends that does not come to its own end: it is told to stop, or something goes wrong."""

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

# typer is imported late: the command says what is missing where it is not there.
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
"""What else the extras bring, imported late."""
SOME_FAILED = 3
"""Exit code where some documents were taken in and others failed, or did not have their turn; or for broken links."""
NOTHING_FITS = 4
"""Exit code where a question finds nothing and nobody is there to put it in other words."""
NOBODY_READS = 141
"""Exit code where what is printed is read no further, as by `head`: what shells have for SIGPIPE."""
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


@contextmanager
def told_when_stopped() -> Iterator[None]:
    """Say after Ctrl-C, or when asked to end, that nothing is lost; exit with what shells expect then."""
    import typer

    try:
        with _ending_politely():
            yield
    except KeyboardInterrupt as stopped:
        typer.secho("stopped; run the same command again to go on from here", fg=typer.colors.YELLOW, err=True)
        raise typer.Exit(_exit_code(stopped)) from None


@contextmanager
def failure_reported(file: Path | None, store: str) -> Iterator[None]:
    """Write into the file of the report why a run did not come to its end: the one before it would seem to be its."""
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
    """Say what went wrong on stderr and exit with 1; a person needs no traceback for what is not a bug."""
    import typer

    from thread_core.errors import ThreadError
    from thread_core.text.safe import one_line

    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()  # what cannot be written is told here, and not by Python when it ends
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
            message = f"{error.filename}: the name is too long for a file or a folder; give a shorter one"
        elif error.errno in _FULL:
            message = f"{error.filename or 'the output'} cannot be written ({error.strerror}); make room"
            _mute()
        else:
            raise
    else:
        return
    typer.secho(f"error: {one_line(message)}", fg=typer.colors.RED, err=True)
    raise typer.Exit(1)


def _mute() -> None:
    """Have what is still to be printed go nowhere: there is nobody, or no room, to print it to."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


class _Stopped(KeyboardInterrupt):
    """Somebody ends the process with a signal other than Ctrl-C's."""


@contextmanager
def _ending_politely() -> Iterator[None]:
    """Have SIGTERM raise `_Stopped`, so that what was opened is closed as it is after a Ctrl-C."""
    before = signal.signal(signal.SIGTERM, _stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _exit_code(stopped: KeyboardInterrupt) -> int:
    """What shells expect of a process that a signal has ended."""
    return 128 + (signal.SIGTERM if isinstance(stopped, _Stopped) else signal.SIGINT)


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    raise _Stopped
