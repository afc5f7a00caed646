"""Folders wherever fsspec reaches them -> documents that are read by who takes them in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from thread_core.errors import BadDocument, NothingFound, missing
from thread_core.models import Document, encodable

try:
    import fsspec
except ModuleNotFoundError as error:
    raise missing(error, "ray") from error

ENDINGS = (".md", ".mdx", ".markdown", ".txt")
"""Endings of the files that are read, in lower case."""


def as_text(data: bytes, document_id: str) -> Document:
    """The document of a file in UTF-8.

    Raises:
        BadDocument: it is in another encoding, or no text.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadDocument(document_id, f"is not UTF-8 text (byte {error.start}); save it as UTF-8") from error
    if "\0" in text:
        raise BadDocument(document_id, "is binary (it has a zero byte); export it as text in UTF-8")
    return Document(document_id, text)


@dataclass(frozen=True, slots=True)
class File:
    """A file that is read when its turn comes."""

    id: str
    address: str
    options: Mapping[str, Any] = field(default_factory=dict)
    to_document: Callable[[bytes, str], Document] = as_text

    def read(self) -> Document | BadDocument:
        """Its document, or why it is none."""
        try:
            with fsspec.open(self.address, "rb", **self.options) as file:
                return self.to_document(file.read(), self.id)
        except BadDocument as failure:
            return failure
        except Exception as error:  # whatever the client of a storage raises
            said = " ".join(str(error).split())[:200]
            return BadDocument(self.id, f"cannot be read ({type(error).__name__}: {said}); run it again")


def files(
    folder: str,
    *,
    endings: tuple[str, ...] = ENDINGS,
    to_document: Callable[[bytes, str], Document] = as_text,
    options: Mapping[str, Any] | None = None,
) -> Iterator[File]:
    """The files below a folder, folder by folder; hidden ones are left out.

    A document's id is its path below the folder. Names are listed here, and each file is read by the writer that takes
    it in: the folder is one that all of them reach.

    Args:
        folder: A path, or an address that fsspec knows, such as `s3://guides/en` (which needs `s3fs`).
        endings: Of the files that are taken, in lower case.
        to_document: Makes a document of a file's bytes and id, or raises `BadDocument`.
        options: Of the storage, for fsspec, such as `{"anon": True}`.

    Raises:
        NothingFound: there is no such folder.

    Example:
        ingest.run(files("s3://guides"), source="s3://guides", prune=True)
    """
    given = dict(options or {})
    storage, root = fsspec.core.url_to_fs(folder, **given)
    if not storage.isdir(root):
        raise NothingFound(
            f"{folder} is not a folder, or this user may not list it; choose another one, or give access"
        )
    return _below(storage, root.rstrip("/"), endings, given, to_document)


def _below(
    storage: Any, root: str, endings: tuple[str, ...], options: Mapping[str, Any], to_document: Any
) -> Iterator[File]:
    for path, folders, names in storage.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if name.startswith(".") or not name.lower().endswith(endings):
                continue
            full = f"{path.rstrip('/')}/{name}"
            document_id = encodable(full[len(root) :].lstrip("/"))
            yield File(document_id, storage.unstrip_protocol(full), options, to_document)
