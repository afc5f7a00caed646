"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def replacing(path: Path, opener: Callable[[str, int], int] | None = None) -> Iterator[IO[str]]:
    """What is written takes the place of a file, where all of it could be, and has the mode that the file had.

    A link stays, and what it leads to is replaced. What is no file (a device, a pipe) is written into.

    Args:
        path: Of the file, which need not be there.
        opener: As `open` takes it, for a file that was not there.
    """
    if path.exists() and not path.is_file():
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            yield file
        return
    path = Path(os.path.realpath(path))
    beside = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        with open(beside, "w", encoding="utf-8", newline="\n", opener=opener) as file:
            if path.exists():
                os.chmod(beside, stat.S_IMODE(path.stat().st_mode))
            yield file
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)
