"""How much of a file is read, and which files are refused before a library opens them.

Whoever sends a document may mean ill: it may unpack to gigabytes, or name itself a thousandfold. Nothing is run, and
nothing that a document points to is fetched.
"""

from __future__ import annotations

import io
import zipfile

from thread_core.errors import BadDocument

MOST_BYTES = 200 << 20
"""Of a file as it lies on the disk."""
MOST_UNPACKED = 400 << 20
"""Bytes of all parts of an archive, as it declares them; no more than that is ever unpacked of a part."""
MOST_RATIO = 200
"""How many times larger a part may be than it is packed, from `SMALL` bytes on; text is some 20 times."""
SMALL = 10 << 20
MOST_PARTS = 10_000
MOST_PAGES = 3_000
MOST_SECONDS = 60
"""Of work for a page of a PDF; most take a fifth of one."""
MOST_MEMORY = 4 << 30
"""Bytes for reading a PDF."""
MOST_ON_A_PAGE = 40_000
"""Characters and lines of a PDF's page."""
MOST_SHEETS_BYTES = 30 << 20
"""Of the sheets of a workbook, unpacked; in memory they are some twenty times as large."""
MOST_CELLS = 200_000
"""Of a workbook, or of a table in a file."""
DEEPEST = 40
"""Tables and boxes within each other."""

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_DTD = tuple("<!DOCTYPE".encode(encoding) for encoding in ("ascii", "utf-16-le", "utf-16-be"))
_AS_OTHERS = ((b"%PDF-", ".pdf"), (b"{\\rtf", ".rtf"), (b"<html", ".html"), (b"<!DOCTYPE html", ".html"))
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")


def check_size(size: int, document_id: str) -> None:
    """Refuse a file that is larger than any document.

    Raises:
        BadDocument: it has more than `MOST_BYTES`.
    """
    if size > MOST_BYTES:
        raise BadDocument(document_id, f"has {size >> 20} MB, expected at most {MOST_BYTES >> 20}; split it")


def check_package(data: bytes, document_id: str, main: str, ending: str) -> None:
    """Refuse what is no file of Office, or one that harms whoever unpacks it.

    Args:
        data: The file's.
        document_id: What it is called in the error.
        main: The part without which it is none: `word/document.xml`.
        ending: Of such files, as the error names them.

    Raises:
        BadDocument: it is something else, encrypted, cut off, or unpacks to more than is read.
    """
    if data.startswith(_OLE):
        kind = "is encrypted; remove its password" if _ENCRYPTED in data else "is in Office's old binary format"
        raise BadDocument(document_id, f"{kind} and save it as {ending}")
    if other := next((one for sign, one in _AS_OTHERS if data[:64].lstrip().startswith(sign)), ""):
        raise BadDocument(document_id, f"is not a {ending} file but {other}; rename it to that")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            _check_parts(archive, document_id, main, ending)
    except (zipfile.BadZipFile, EOFError, OSError, NotImplementedError, ValueError, RuntimeError) as error:
        reason = f"is not a complete {ending} file ({error}); save or download it again"
        raise BadDocument(document_id, reason) from error


def _check_parts(archive: zipfile.ZipFile, document_id: str, main: str, ending: str) -> None:
    parts = archive.infolist()
    names = {part.filename for part in parts}
    if main not in names:
        raise BadDocument(document_id, f"is an archive, not a {ending} file (it has no {main}); unpack it")
    unpacked = sum(part.file_size for part in parts)
    steep = any(part.file_size > max(SMALL, MOST_RATIO * part.compress_size) for part in parts)
    if unpacked > MOST_UNPACKED or len(parts) > MOST_PARTS or steep:
        reason = f"unpacks to {unpacked >> 20} MB in {len(parts)} parts, which no document needs; it was not opened"
        raise BadDocument(document_id, reason)
    for part in parts:
        if part.flag_bits & 1:
            raise BadDocument(document_id, "is encrypted; save it without a password")
        if part.filename.lower().endswith((".xml", ".rels")):
            written = archive.read(part)  # which also finds what is cut off or damaged
            if any(sign in written for sign in _DTD):
                raise BadDocument(
                    document_id,
                    f"defines XML entities ({part.filename}), which no {ending} file needs; it was not opened",
                )
