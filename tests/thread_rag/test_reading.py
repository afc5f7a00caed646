import os
from pathlib import Path

import pytest

from thread_core import Document
from thread_core.errors import NothingFound
from thread_rag.reading import read


def write(folder: Path, **files: bytes) -> None:
    for name, data in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def reasons(folder: Path) -> dict[str, str]:
    return {failure.document_id: failure.reason for failure in read([folder]).failures}


def test_a_folder_is_read_with_all_below_it_in_order(tmp_path: Path) -> None:
    write(tmp_path, z_md=b"# Z", a__b_MDX=b"# B", a__a_markdown=b"# A", c_txt=b"C", d_py=b"no", e_html=b"no")
    documents, failures = read([tmp_path])
    assert [(document.id, document.text) for document in documents] == [
        ("a/a.markdown", "# A"),
        ("a/b.MDX", "# B"),
        ("c.txt", "C"),
        ("z.md", "# Z"),
    ]
    assert failures == []


def test_hidden_files_and_folders_are_left_out(tmp_path: Path) -> None:
    write(tmp_path, a_md=b"# A")
    for name in (".venv/lib/b.md", ".c.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("# Hidden")
    assert [document.id for document in read([tmp_path]).documents] == ["a.md"]


def test_a_hidden_folder_that_is_named_is_read(tmp_path: Path) -> None:
    write(tmp_path / ".notes", a_md=b"# A")
    assert [document.id for document in read([tmp_path / ".notes"]).documents] == ["a.md"]


def test_a_file_is_known_by_its_name(tmp_path: Path) -> None:
    write(tmp_path, deep__a_md=b"# A")
    assert read([tmp_path / "deep/a.md"]).documents == [Document("a.md", "# A")]


def test_a_file_that_is_named_twice_is_read_once(tmp_path: Path) -> None:
    write(tmp_path, deep__a_md=b"# A")
    documents, failures = read([tmp_path, tmp_path / "deep", tmp_path / "deep/a.md", tmp_path])
    assert [document.id for document in documents] == ["deep/a.md"]
    assert failures == []


def test_two_files_never_share_an_id(tmp_path: Path) -> None:
    write(tmp_path, one__a_md=b"# One", two__a_md=b"# Two")
    documents, [failure] = read([tmp_path / "one", tmp_path / "two"])
    assert documents == [Document("a.md", "# One")]
    assert failure.document_id == "a.md"
    assert "name the folder above both" in failure.reason


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
    assert [document.id for document in read([tmp_path]).documents] == ["good.md"]
    assert reasons(tmp_path) == {
        "binary.md": "is binary (it has a zero byte); export it as text in UTF-8",
        "utf16.md": "is UTF-16 text; save it as UTF-8",
        "latin.md": "is not UTF-8 text (byte 0xf6 in line 3); save it as UTF-8",
        "empty.md": "is empty; what the store holds of it stays until there is text again",
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
    write(tmp_path, guide_pdf=b"%PDF", good_md=b"# Good")
    documents, [failure] = read([tmp_path / "guide.pdf", tmp_path / "good.md"])
    assert [document.id for document in documents] == ["good.md"]
    assert str(failure).startswith("guide.pdf: is no document that can be read; convert it to one of .md")


def test_a_missing_path_and_an_empty_folder_stop_the_run(tmp_path: Path) -> None:
    write(tmp_path, a_py=b"no")
    with pytest.raises(NothingFound, match="missing does not exist"):
        read([tmp_path / "missing"])
    with pytest.raises(NothingFound, match="holds no document; expected files"):
        read([tmp_path])
