"""Files -> documents, one at a time. What cannot be read is said, with what to do about it, and never stops the others.

Markdown and plain text are taken as they stand. HTML and reStructuredText, also in plain text, become Markdown first
(`converting`), and so do drawings (`drawn`), Word, PDFs, tables and notebooks (`office/`); the lines that units and
citations name are those of the converted text. Of the last four, the document knows its pages or paragraphs by line.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from thread_core.documents import markup
from thread_core.documents.printed import PRINTED
from thread_core.errors import BadDocument, BadFile
from thread_core.extraction import corrections
from thread_core.models import Document, changed, encodable
from thread_rag import drawn
from thread_rag.encodings import as_on_the_web, guess
from thread_rag.office.limits import check_size
from thread_rag.sources import DRAWN, ENDINGS, OFFICE, SourceFile

if TYPE_CHECKING:
    from thread_rag.office.pieces import Converted

_OTHER_OFFICE = {
    **dict.fromkeys((".doc", ".docm", ".dotx", ".odt", ".rtf", ".pages"), ".docx"),
    **dict.fromkeys((".xls", ".xlsm", ".xlsb", ".ods", ".numbers"), ".xlsx"),
    **dict.fromkeys((".ppt", ".pptx", ".odp", ".xps"), ".pdf"),
}
"""Endings of other programs' files, and as what to save those."""
_PLAIN = ".txt"
"""The ending of texts in any markup."""
_WIDE = {
    codecs.BOM_UTF32_LE: "utf-32",  # before that of UTF-16, with which it begins
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_SHIFTS = re.compile(rb"\x1b\$[@-D()]")
"""How texts in ISO-2022 go over to letters of more than one byte; all their bytes are ASCII."""
_MISSING = 'needs a converter; install it with: pip install "thread-rag[{}]"'
_DEEP = "is nested too deeply to convert; save it as Markdown"
_SAVED = "save it as UTF-8"
_ZERO = "is binary (it has a zero byte); export it as text in UTF-8"


def read(files: Iterable[SourceFile]) -> Iterator[Document | BadDocument]:
    """Read files one after the other: each as a document, or the reason why it is none."""
    for file in files:
        try:
            if file.trouble:
                raise BadDocument(file.document_id, file.trouble)
            yield _corrected(_document(file.path, file.document_id), file.path)
        except BadDocument as failure:
            yield failure


def document(file: Path, document_id: str = "") -> Document:
    """Read a file by itself, whatever form it has that can be read.

    Args:
        file: Where it is.
        document_id: What it will be called; the file's name unless told otherwise.

    Raises:
        BadDocument: the file cannot be read; it says why, and what to do about it.

    Example:
        >>> document(Path("manual.docx")).metadata["printed"]  # doctest: +SKIP
        'paragraph 1:1 3:2 5:3'
    """
    return _document(file, document_id or encodable(file.name))


def _corrected(document: Document, file: Path) -> Document:
    """A document with what people have said about its links, in a file beside its own."""
    beside = corrections_of(file)
    try:
        if beside.stat().st_size > corrections.LARGEST:
            raise BadDocument(
                document.id,
                f"{beside.name} has more than {corrections.LARGEST:,} bytes; delete some of its corrections",
            )
        found = corrections.parsed(beside.read_text("utf-8"))
    except FileNotFoundError:
        return document
    except OSError as error:
        raise BadDocument(document.id, f"{beside.name} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadDocument(document.id, f"{beside.name} is not UTF-8 text; {_SAVED}") from error
    except BadFile as error:
        raise BadDocument(document.id, f"{beside.name} {error}") from error
    return changed(document, {"corrections": found})


def corrections_of(file: Path) -> Path:
    """The file beside a document's in which stands what people have said about its links."""
    return file.with_name(file.name + corrections.ENDING)


def _document(file: Path, document_id: str) -> Document:
    ending = file.suffix.lower()
    try:
        if file.is_dir():
            raise BadDocument(document_id, "is a folder; name one of its files")
        if ending not in ENDINGS:
            raise BadDocument(document_id, _of_another_kind(file))
        if file.exists() and not file.is_file():
            raise BadDocument(document_id, "is neither a file nor a folder")
        check_size(file.stat().st_size, document_id)
        data = file.read_bytes()
    except OSError as error:
        raise BadDocument(document_id, f"cannot be read: {error.strerror}") from error
    if not data.strip():
        return Document(document_id, "")
    if ending in OFFICE:
        return _from_office(data, document_id, ending)
    if ending in markup.HTML.endings or ending in markup.RESTRUCTURED_TEXT.endings:
        return _converted(data, document_id, ending in markup.HTML.endings)
    text = _decoded(data, document_id)
    if ending == _PLAIN and (kind := markup.written_in(text)) in (markup.HTML, markup.RESTRUCTURED_TEXT):
        return _converted(data, document_id, kind is markup.HTML)
    return drawn.as_document(text, document_id) if ending in DRAWN else Document(document_id, text)


def _of_another_kind(file: Path) -> str:
    ending = file.suffix.lower()
    if ending == ".zip":
        return "is an archive; unpack it, and name the folder"
    if ending in _OTHER_OFFICE:
        return f"has a format that is not supported; save it as {_OTHER_OFFICE[ending]}"
    kind = markup.by_ending(file.name)
    how = f": convert {kind.name} to Markdown, {kind.mend}" if kind else ""
    return f"has a format that is not supported; convert it to one of {', '.join(ENDINGS)}{how}"


def _from_office(data: bytes, document_id: str, ending: str) -> Document:
    """A document through a converter of `office/`."""
    with _converting(document_id, "office"):
        made = _as_markdown(data, document_id, ending)
    if not made.text.strip():
        raise BadDocument(document_id, "has no text")
    printed = {} if made.printed is None else {PRINTED: str(made.printed)}
    return Document(document_id, made.text, made.title, printed, made.problems)


def _as_markdown(data: bytes, document_id: str, ending: str) -> Converted:
    match ending:
        case ".docx":
            from thread_rag.office.word import word_to_markdown

            return word_to_markdown(data, document_id)
        case ".pdf":
            from thread_rag.office.apart import pdf_read_apart

            return pdf_read_apart(data, document_id)
        case ".xlsx":
            from thread_rag.office.sheets import workbook_to_markdown

            return workbook_to_markdown(data, document_id)
        case ".csv":
            from thread_rag.office.sheets import csv_to_markdown

            return csv_to_markdown(_decoded(data, document_id), document_id)
        case _:
            from thread_rag.office.notebooks import notebook_to_markdown

            return notebook_to_markdown(_decoded(data, document_id), document_id)


def _converted(data: bytes, document_id: str, is_html: bool) -> Document:
    """A document through the converter of pages, or of reStructuredText."""
    with _converting(document_id, "html"):
        if is_html:
            from thread_rag.converting import charset, html_to_markdown

            page = html_to_markdown(_decoded(data, document_id, charset(data)))
        else:
            from thread_rag.restructured import rst_to_markdown

            page = rst_to_markdown(_decoded(data, document_id))
    if not page.text.strip():
        raise BadDocument(document_id, "has no text; if a script fills the page, save it from a browser")
    return Document(document_id, page.text, page.title)


@contextmanager
def _converting(document_id: str, extra: str) -> Iterator[None]:
    """Say what is wrong where a converter, which meets anything, fails, or is not installed."""
    try:
        yield
    except ImportError as error:
        raise BadDocument(document_id, _MISSING.format(extra)) from error
    except RecursionError as error:
        raise BadDocument(document_id, _DEEP) from error
    except BadDocument:
        raise
    except Exception as error:
        what = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
        raise BadDocument(document_id, f"could not be converted ({what})") from error


def _decoded(data: bytes, document_id: str, declared: str = "") -> str:
    """Text in UTF-8, or in the encoding that it declares."""
    if declared:
        return _in_charset(data, document_id, declared)
    if wide := next((name for mark, name in _WIDE.items() if data.startswith(mark)), ""):
        raise BadDocument(document_id, f"is {wide.upper()} text; {_saved_from(wide)}")
    if b"\0" in data:
        found = guess(data)
        raise BadDocument(document_id, f"looks like {found}; {_saved_from(found)}" if found else _ZERO)
    if _SHIFTS.search(data):
        raise BadDocument(document_id, f"is ISO-2022 text; {_saved_from('iso-2022-jp')}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found = guess(data)
        how = f"it looks like {found}; {_saved_from(found)}" if found else _SAVED
        reason = f"is not UTF-8 text (byte 0x{data[error.start]:02x} in line {line}); {how}"
        raise BadDocument(document_id, reason) from error


def _saved_from(encoding: str) -> str:
    return f"{_SAVED}, or convert it: iconv -f {encoding} -t utf-8"


def _in_charset(data: bytes, document_id: str, declared: str) -> str:
    try:
        text = data.decode(as_on_the_web(declared))
    except LookupError as error:
        raise BadDocument(document_id, f"declares the unknown encoding {declared}; {_SAVED}") from error
    except UnicodeError as error:
        raise BadDocument(document_id, f"is not text in {declared}, which it declares; {_SAVED}") from error
    if "\0" in text:
        raise BadDocument(document_id, _ZERO)
    return text
