"""Files -> documents for a framework. What cannot be read is warned of, and the others go on."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path

from thread_core.errors import BadDocument
from thread_core.models import Document
from thread_rag.reading import read
from thread_rag.sources import find


def loaded(paths: Iterable[str | Path]) -> Iterator[Document]:
    """Read files and folders. Warns of each document that cannot be read, and of what others have lost.

    Raises:
        NothingFound: a path is missing, or a folder holds no document.
    """
    for one in read(file for root in find([Path(path) for path in paths]) for file in root.files):
        if isinstance(one, BadDocument):
            warnings.warn(f"{one}; it is skipped", UserWarning, stacklevel=2)
            continue
        for problem in one.problems:
            warnings.warn(f"{one.id}: {problem}", UserWarning, stacklevel=2)
        if one.text.strip():
            yield one
