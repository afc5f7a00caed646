"""Files that a person names: read as text, and written whole or not at all. `-` is what is piped in or out."""

from __future__ import annotations

import io
import json
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from thread_core.errors import BadFile
from thread_core.store.replacing import replacing
from thread_core.text.safe import json_line

PIPE = Path("-")
IN_MEMORY = 10_000_000
"""Bytes of what is piped in that are kept in memory, and not in a file of the system's."""


def write(path: Path, lines: Iterable[str]) -> int:
    """Put lines of JSON in the place of what a file held; what breaks off leaves that. How many there were.

    Raises:
        BadFile: it cannot be written.
    """
    if path == PIPE:
        is_unicode = sys.stdout.encoding.lower().startswith("utf")
        return _pour(lines if is_unicode else map(_in_ascii, lines), sys.stdout)
    try:
        with replacing(path) as file:
            return _pour(lines, file)
    except OSError as error:
        raise BadFile(f"{path} cannot be written ({error.strerror}); name another file, or make room") from error


@contextmanager
def text_of(path: Path) -> Iterator[IO[str]]:
    """A file's text, which may be read twice; what is piped in is kept for that.

    Raises:
        BadFile: it cannot be read, or is no text in UTF-8.
    """
    try:
        with _opened(path) as file:
            yield file
    except OSError as error:
        raise BadFile(f"{path} cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise BadFile(f"{path} is no text in UTF-8 ({error.reason} at byte {error.start})") from error


@contextmanager
def _opened(path: Path) -> Iterator[IO[str]]:
    if path != PIPE:
        with open(path, encoding="utf-8-sig") as file:
            yield file
        return
    with tempfile.SpooledTemporaryFile(IN_MEMORY) as kept:
        shutil.copyfileobj(sys.stdin.buffer, kept)  # its bytes: what is piped in is UTF-8, whatever the locale is
        kept.seek(0)
        with io.TextIOWrapper(kept, encoding="utf-8-sig") as file:
            yield file


def _pour(lines: Iterable[str], file: IO[str]) -> int:
    count = 0
    for count, line in enumerate(lines, start=1):  # noqa: B007
        file.write(f"{json_line(line)}\n")
    return count


def _in_ascii(line: str) -> str:
    return json.dumps(json.loads(line))
