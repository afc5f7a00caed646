"""Files that a person names: read as text, and written whole or not at all. `-` is what is piped in or out."""

from __future__ import annotations

import io
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from thread_core.errors import BadFile
from thread_core.store.replacing import replacing
from thread_core.text.safe import clean, json_line

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
    with _told_of(path), replacing(path) as file:
        return _pour(lines, file)


def write_text(path: Path, text: str) -> None:
    """Put a text in the place of what a file held, or print it, without what a terminal obeys.

    Raises:
        BadFile: it cannot be written.
    """
    if path == PIPE:
        sys.stdout.write(clean(text))
        return
    with _told_of(path), replacing(path) as file:
        file.write(text)


@contextmanager
def _told_of(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise BadFile(f"{path} cannot be written ({error.strerror}); name another file, or make room") from error


def write_all(folder: Path, texts: Mapping[str, str]) -> None:
    """Put files into a folder, which is made where there is none: all of them, or none where one cannot be written.

    Args:
        folder: Where they go; what else is there stays.
        texts: By the files' paths below it.

    Raises:
        BadFile: they cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".export-", dir=folder) as beside:
            for name, text in texts.items():
                (Path(beside) / name).parent.mkdir(parents=True, exist_ok=True)
                (Path(beside) / name).write_text(text, encoding="utf-8", newline="\n")
            for name in texts:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                os.replace(Path(beside) / name, folder / name)
    except OSError as error:
        what = f"{folder} cannot be written into ({error.strerror})"
        raise BadFile(f"{what}; name another folder, or make room") from error


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
