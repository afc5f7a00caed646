"""The pages of a shelf as files, to be opened from a disk or put on any server. A walk goes from option to option."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from thread_core.errors import BadFile
from thread_core.shelf import Shelf
from thread_view.addresses import Files
from thread_view.findings import Finding
from thread_view.pages import ASSETS, Pages, asset


def write(
    folder: Path,
    shelf: Shelf,
    *,
    findings: Sequence[Finding] = (),
    other: Shelf | None = None,
    other_name: str = "",
) -> int:
    """Write a page for each guide, their list and what they are drawn with; how many pages. Other files stay.

    Raises:
        BadFile: they cannot be written.
    """
    to = Files(shelf.ids)
    pages = Pages(shelf, to, findings=findings, other=other, other_name=other_name)
    written = 0
    try:
        for name in ASSETS:
            _write(folder / to.asset(name), asset(name).read_bytes())
        for document_id in shelf.ids:
            guide = pages.read(document_id)
            _write(folder / to.guide(document_id), pages.guide(guide).encode())
            if other is not None:
                _write(folder / to.compare(document_id), pages.compare(guide).encode())
                written += 1
            written += 1
        _write(folder / to.home(), pages.home().encode())
    except OSError as error:
        raise BadFile(f"{error.filename} cannot be written ({error.strerror}); choose another folder") from error
    return written + 1


def _write(file: Path, data: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
