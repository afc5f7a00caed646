"""What is hostile, broken or something else is refused with one clear reason, and harms no other document."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.thread_rag.office.made import docx, item, packed, paragraph
from thread_core.errors import BadDocument
from thread_rag import reading
from thread_rag.office import limits
from thread_rag.sources import find

BOMB = '<!DOCTYPE w:document [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
REFUSED = {
    "cut.docx": (docx(item("Open"))[:-40], "is not a complete .docx file"),
    "page.docx": (b"<html><p>Hello", "is not a .docx file but .html"),
    "old.docx": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"WordDocument", "old binary format"),
    "locked.docx": (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"),
        "is encrypted; remove its password",
    ),
    "other.docx": (packed({"a.txt": "a"}), "is an archive, not a .docx file"),
    "entities.docx": (packed({"word/document.xml": BOMB}), "defines XML entities"),
    "wide.docx": (packed({"word/document.xml": BOMB.encode("utf-16")}), "defines XML entities"),
    "bomb.docx": (packed({"word/document.xml": b"", "word/media/a": bytes(30 << 20)}), "which no document needs"),
    "deep.docx": (docx("<w:tbl><w:tr><w:tc>" * 60 + "</w:tc></w:tr></w:tbl>" * 60), "nested too deeply"),
    "book.xlsx": (b"PK\x03\x04", "is not a complete .xlsx file"),
    "book.pdf": (b"PK\x03\x04", "is not a PDF"),
    "notes.ipynb": (b'{"cells": [', "is not a complete notebook"),
    "other.ipynb": (b'{"a": 1}', "is not a notebook of nbformat 3 or 4"),
}


def test_each_is_refused_with_its_reason_and_the_others_are_read(tmp_path: Path) -> None:
    for name, (data, _) in REFUSED.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "good.docx").write_bytes(docx(item("Open") + item("Close")))
    taken = list(reading.read(file for root in find([tmp_path]) for file in root.files))
    failed = {one.document_id: one.reason for one in taken if isinstance(one, BadDocument)}
    assert sorted(failed) == sorted(REFUSED)
    assert [name for name, reason in failed.items() if REFUSED[name][1] not in reason] == []
    assert [one.text for one in taken if not isinstance(one, BadDocument)] == ["1. Open\n2. Close\n"]


def test_what_is_too_large_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_BYTES", 10)
    (tmp_path / "a.docx").write_bytes(docx(item("Open")))
    with pytest.raises(BadDocument, match="; split it"):
        reading.document(tmp_path / "a.docx")


def test_pictures_from_elsewhere_are_not_fetched(tmp_path: Path) -> None:
    """The network is shut in tests; a fetch would fail."""
    picture = '<w:r><w:pict><v:imagedata xmlns:v="urn:schemas-microsoft-com:vml" r:link="p"/></w:pict></w:r>'
    link = (
        '<Relationship Id="p" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image"'
        ' Target="http://127.0.0.1:9/a.png" TargetMode="External"/>'
    )
    (tmp_path / "a.docx").write_bytes(docx(paragraph(picture) + paragraph("Open."), links=link))
    assert reading.document(tmp_path / "a.docx").text == "Open.\n"


@pytest.mark.parametrize(
    ("name", "reason"),
    [("export.zip", "unpack it"), ("a.doc", r"save it as \.docx"), ("a.docm", r"save it as \.docx")],
)
def test_other_files_are_refused_with_what_to_do(name: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"PK")
    with pytest.raises(BadDocument, match=reason):
        reading.document(tmp_path / name)
