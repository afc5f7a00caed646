import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from thread_core import Document
from thread_core.errors import BadDocument
from thread_rag import reading
from thread_rag.sources import find


def write(folder: Path, **files: bytes) -> None:
    for name, data in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


class Reading(NamedTuple):
    documents: list[Document]
    failures: list[BadDocument]


def read(paths: Sequence[Path]) -> Reading:
    taken = list(reading.read(file for root in find(paths) for file in root.files))
    return Reading(
        [one for one in taken if isinstance(one, Document)], [one for one in taken if isinstance(one, BadDocument)]
    )


def reasons(folder: Path) -> dict[str, str]:
    return {failure.document_id: failure.reason for failure in read([folder]).failures}


def test_a_folder_is_read_with_all_below_it_in_order(tmp_path: Path) -> None:
    write(tmp_path, z_md=b"# Z", a__b_MDX=b"# B", a__a_markdown=b"# A", c_txt=b"C", d_py=b"no", e_rst=b"E")
    documents, failures = read([tmp_path])
    assert [(document.id, document.text) for document in documents] == [
        ("a/a.markdown", "# A"),
        ("a/b.MDX", "# B"),
        ("c.txt", "C"),
        ("e.rst", "E\n"),
        ("z.md", "# Z"),
    ]
    assert failures == []


def test_hidden_files_and_folders_are_left_out_unless_they_are_named(tmp_path: Path) -> None:
    write(tmp_path, a_md=b"# A")
    for name in (".notes/lib/b.md", ".c.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("# Hidden")
    assert [document.id for document in read([tmp_path]).documents] == ["a.md"]
    assert read([tmp_path / ".notes"]).documents == [Document("lib/b.md", "# Hidden")]
    assert read([tmp_path / ".notes/lib/b.md"]).documents == [Document("b.md", "# Hidden")]


def test_a_file_that_is_named_twice_is_read_once(tmp_path: Path) -> None:
    write(tmp_path, deep__a_md=b"# A")
    documents, failures = read([tmp_path, tmp_path / "deep", tmp_path / "deep/a.md", tmp_path])
    assert [document.id for document in documents] == ["deep/a.md"]
    assert failures == []


def test_utf_8_with_and_without_a_mark(tmp_path: Path) -> None:
    write(tmp_path, a_md="# Größe 🗑\r\nZeile".encode("utf-8-sig"), b_md="# Größe".encode())
    assert [document.text for document in read([tmp_path]).documents] == ["# Größe 🗑\r\nZeile", "# Größe"]


def test_what_cannot_be_read_is_said_and_stops_nothing(tmp_path: Path) -> None:
    write(
        tmp_path,
        binary_md=b"\x89PNG\0\0\0",
        utf16_md="# A".encode("utf-16"),
        latin_md=b"# A\n\nGr\xf6\xdfe\n",
        empty_md=b" \n",
        good_md=b"# Good",
    )
    assert [document.text for document in read([tmp_path]).documents] == ["", "# Good"]
    assert reasons(tmp_path) == {
        "binary.md": "is binary (it has a zero byte); export it as text in UTF-8",
        "utf16.md": "is UTF-16 text; save it as UTF-8, or convert it: iconv -f utf-16 -t utf-8",
        "latin.md": "is not UTF-8 text (byte 0xf6 in line 3); it looks like cp1252; "
        "save it as UTF-8, or convert it: iconv -f cp1252 -t utf-8",
    }


def test_links_and_pipes_that_hold_nothing_are_said(tmp_path: Path) -> None:
    write(tmp_path, good_md=b"# Good")
    (tmp_path / "gone.md").symlink_to(tmp_path / "nowhere.md")
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "folder.md").mkdir()
    assert reasons(tmp_path) == {
        "gone.md": "cannot be read: No such file or directory",
        "pipe.md": "is neither a file nor a folder",
    }


def test_a_named_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    write(tmp_path, guide_png=b"PNG", good_md=b"# Good")
    documents, [failure] = read([tmp_path / "guide.png", tmp_path / "good.md"])
    assert [document.id for document in documents] == ["good.md"]
    assert str(failure).startswith("guide.png: has a format that is not supported; convert it to one of .md")
    write(tmp_path, guide_org=b"* Disk")
    [failure] = read([tmp_path / "guide.org"])[1]
    assert str(failure).endswith(": convert Org mode's markup to Markdown, with `pandoc -f org -t gfm`")


def test_plain_text_in_a_markup_that_is_converted_is_read_as_such(tmp_path: Path) -> None:
    page, rst = b"<html><h1>Pump</h1></html>", b"Pump\n====\n\n.. _stop:\n\n.. note:: Wait.\n"
    write(tmp_path, page_txt=page, pump_txt=rst, plain_txt=b".. and then?\n")
    documents, failures = read([tmp_path])
    assert not failures
    assert [document.text.split("\n")[0] for document in documents] == ["# Pump", ".. and then?", "# Pump"]


def test_documents_are_read_one_at_a_time(tmp_path: Path) -> None:
    write(tmp_path, a_md=b"# A", b_md=b"# B", c_md=b"# C")
    [root] = find([tmp_path])
    taken = reading.read(root.files)
    assert next(taken) == Document("a.md", "# A")
    write(tmp_path, b_md=b"# Written since")
    (tmp_path / "c.md").unlink()
    changed, gone = taken
    assert changed == Document("b.md", "# Written since")
    assert str(gone) == "c.md: cannot be read: No such file or directory"


def test_without_the_converters_pages_are_refused_and_the_others_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("thread_rag.converting", "thread_rag.restructured", "bs4.builder"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setitem(sys.modules, "bs4", None)
    write(tmp_path, a_html=b"<p>A", b_rst=b"B", c_md=b"# C")
    documents, failures = read([tmp_path])
    assert documents == [Document("c.md", "# C")]
    assert [str(failure) for failure in failures] == [
        'a.html: needs a converter; install it with: pip install "thread-rag[html]"',
        'b.rst: needs a converter; install it with: pip install "thread-rag[html]"',
    ]


def test_a_page_is_read_in_the_encoding_that_it_declares(tmp_path: Path) -> None:
    head = '<meta charset="{}"><p>'
    write(
        tmp_path,
        declared_html=head.format("iso-8859-1").encode() + b"Gr\xf6\xdfe \x80",
        eastern_html=head.format("koi8-r").encode() + "Диск".encode("koi8-r"),
        mark_html="<p>Größe".encode("utf-16"),
        none_html="<p>Größe 🗑".encode(),
        unknown_html=head.format("klingon").encode() + b"a",
        untrue_html=head.format("utf-8").encode() + b"Gr\xf6\xdfe",
        wrong_html=head.format("shift_jis").encode() + b"\xfc\xff",
    )
    assert {one.id: one.text for one in read([tmp_path]).documents} == {
        "declared.html": "Größe €\n",
        "eastern.html": "Диск\n",
        "mark.html": "Größe\n",
        "none.html": "Größe 🗑\n",
    }
    assert reasons(tmp_path) == {
        "unknown.html": "declares the unknown encoding klingon; save it as UTF-8",
        "untrue.html": "is not UTF-8 text (byte 0xf6 in line 1); it looks like cp1252; "
        "save it as UTF-8, or convert it: iconv -f cp1252 -t utf-8",
        "wrong.html": "is not text in shift_jis, which it declares; save it as UTF-8",
    }


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<meta charset=iso-8859-1><p>Größe".encode("utf-8-sig"), "Größe"),
        ("<meta charset=iso-8859-1><p>Größe".encode(), "Größe"),
        ("<meta charset=Shift_JIS><p>①手順 ～ ㈱".encode("cp932"), "①手順 ～ ㈱"),
        ("<meta charset=x-sjis><p>電源".encode("cp932"), "電源"),
        ("<meta charset=gb2312><p>打印机 囍".encode("gbk"), "打印机 囍"),
        ("<meta charset=euc-kr><p>똠방각하".encode("cp949"), "똠방각하"),
        ("<meta charset=iso-2022-jp><p>電源".encode("iso2022_jp"), "電源"),
    ],
)
def test_a_page_is_read_as_browsers_read_it(tmp_path: Path, page: bytes, text: str) -> None:
    write(tmp_path, a_html=page)
    assert [one.text for one in read([tmp_path]).documents] == [f"{text}\n"]


@pytest.mark.parametrize("ending", ["md", "html", "rst"])
def test_text_whose_letters_are_behind_escapes_is_refused(tmp_path: Path, ending: str) -> None:
    write(tmp_path, **{f"a_{ending}": "# プリンター\n".encode("iso2022_jp")})
    reason = "is ISO-2022 text; save it as UTF-8, or convert it: iconv -f iso-2022-jp -t utf-8"
    assert reasons(tmp_path) == {f"a.{ending}": reason}


def test_colours_of_a_terminal_are_no_other_encoding(tmp_path: Path) -> None:
    write(tmp_path, a_md=b"# A\n\n\x1b[31mred\x1b(B\x1b[m\n")
    assert reasons(tmp_path) == {}


def test_the_text_that_lines_are_counted_in_can_be_seen(tmp_path: Path) -> None:
    write(tmp_path, a_html=b"<h1>A</h1>\n\n\n<ol><li>One<li>Two</ol>", b_md=b"# B\n")
    assert reading.document(tmp_path / "a.html").text == "# A\n\n1. One\n2. Two\n"
    assert reading.document(tmp_path / "b.md").text == "# B\n"
    with pytest.raises(BadDocument, match=r"c.md: cannot be read"):
        reading.document(tmp_path / "c.md")


def test_a_folder_may_have_a_name_that_is_not_utf_8(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"\xff")
    write(folder, a_md=b"# A")
    (root,) = find([folder])
    assert root.name == str(tmp_path / "\ufffd")
    assert [document.id for document in read([folder]).documents] == ["a.md"]
