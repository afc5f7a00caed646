"""Paths -> documents. What cannot be read is said, with what to do about it, and never stops the others."""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from thread_core.errors import BadDocument, NothingFound
from thread_core.models import Document

ENDINGS = (".md", ".mdx", ".markdown", ".txt")
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Reading(NamedTuple):
    """The documents that could be read, in order, and why the others could not."""

    documents: list[Document]
    failures: list[BadDocument]


def read(paths: Sequence[Path]) -> Reading:
    """Read files, and folders with all that is below them; a file that is named twice is read once.

    A document's id is its path below the folder that was named (with slashes, on every system), so that links
    between the documents of a folder find each other; that of a file named by itself is the file's name.

    Raises:
        NothingFound: a path is missing, or a folder holds no document. Nothing is read then.
    """
    files: dict[Path, str] = {}
    for path in paths:
        for file, document_id in _files(path):
            files.setdefault(file.resolve(), document_id)
    documents: dict[str, Document] = {}
    failures = []
    for file, document_id in files.items():
        try:
            if document_id in documents:
                raise BadDocument(document_id, f"{file} would get the id of another file; name the folder above both")
            documents[document_id] = Document(document_id, _text(file, document_id))
        except BadDocument as failure:
            failures.append(failure)
    return Reading(list(documents.values()), failures)


def _files(path: Path) -> Iterator[tuple[Path, str]]:
    """Files with their ids. Hidden ones are left out: `.git`, `.venv` and the store itself hold no guides."""
    if not path.is_dir():
        if not path.exists():
            raise NothingFound(f"{path} does not exist; name a document or a folder of documents")
        yield path, path.name
        return
    found = sorted(
        (file.relative_to(path).as_posix(), file)
        for file in path.rglob("*")
        if file.suffix.lower() in ENDINGS and not file.is_dir() and not _is_hidden(file.relative_to(path))
    )
    if not found:
        raise NothingFound(f"{path} holds no document; expected files that end in {', '.join(ENDINGS)}")
    for document_id, file in found:
        yield file, document_id


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _text(file: Path, document_id: str) -> str:
    if file.suffix.lower() not in ENDINGS:
        raise BadDocument(document_id, f"is no document that can be read; convert it to one of {', '.join(ENDINGS)}")
    try:
        if file.exists() and not file.is_file():
            raise BadDocument(document_id, "is neither a file nor a folder")
        data = file.read_bytes()
    except OSError as error:
        raise BadDocument(document_id, f"cannot be read: {error.strerror}") from error
    return _decoded(data, document_id)


def _decoded(data: bytes, document_id: str) -> str:
    if data.startswith(_UTF_16):
        raise BadDocument(document_id, "is UTF-16 text; save it as UTF-8")
    if b"\0" in data:
        raise BadDocument(document_id, "is binary (it has a zero byte); export it as text in UTF-8")
    if not data.strip():
        raise BadDocument(document_id, "is empty; what the store holds of it stays until there is text again")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadDocument(
            document_id, f"is not UTF-8 text (byte 0x{data[error.start]:02x} in line {line}); save it as UTF-8"
        ) from error
