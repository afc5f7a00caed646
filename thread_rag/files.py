"""Files that a person names: read as text, written completely or not at all. `-` is standard input or output."""

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
"""Bytes of standard input that are kept in memory; more goes into a temporary file."""


def write(path: Path, lines: Iterable[str]) -> int:
    """Replace a file with lines of JSON and return their number. If writing fails, the old file stays.

    Raises:
        BadFile: It cannot be written.
    """
    if path == PIPE:
        is_unicode = sys.stdout.encoding.lower().startswith("utf")
        return _pour(lines if is_unicode else map(_in_ascii, lines), sys.stdout)
    with _told_of(path), replacing(path) as file:
        return _pour(lines, file)


def write_text(path: Path, text: str) -> None:
    """Replace a file with a text, or print it without terminal escapes.

    Raises:
        BadFile: It cannot be written.
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
        raise BadFile(
            f"{path} cannot be written ({error.strerror}); choose another file, or free some space"
        ) from error


def write_all(folder: Path, texts: Mapping[str, str]) -> None:
    """Write files into a folder, which is created if needed: all of them, or none if one cannot be written.

    Args:
        folder: Where they go. Other files in it stay.
        texts: The files' texts, by their paths below it.

    Raises:
        BadFile: They cannot be written.
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
        what = f"{folder} cannot be written to ({error.strerror})"
        raise BadFile(f"{what}; choose another folder, or free some space") from error


@contextmanager
def text_of(path: Path) -> Iterator[IO[str]]:
    """Open a file's text so that it can be read twice; standard input is buffered for that.

    Raises:
        BadFile: It cannot be read, or is not UTF-8 text.
    """
    try:
        with _opened(path) as file:
            yield file
    except OSError as error:
        raise BadFile(f"{path} cannot be read ({error.strerror}); check its name and permissions") from error
    except UnicodeDecodeError as error:
        raise BadFile(f"{path} is not UTF-8 text ({error.reason} at byte {error.start}); save it as UTF-8") from error


@contextmanager
def _opened(path: Path) -> Iterator[IO[str]]:
    if path != PIPE:
        with open(path, encoding="utf-8-sig") as file:
            yield file
        return
    with tempfile.SpooledTemporaryFile(IN_MEMORY) as kept:
        shutil.copyfileobj(sys.stdin.buffer, kept)  # as bytes: the input is UTF-8 whatever the locale is
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
