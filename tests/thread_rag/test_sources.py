import os
import subprocess
import unicodedata
from pathlib import Path

import pytest

from thread_core.errors import BadDocument, NothingFound
from thread_rag.reading import read
from thread_rag.sources import SourceFile, find


def make(folder: Path, *names: str, **texts: str) -> None:
    for name, text in {**dict.fromkeys(names, "# A"), **texts}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def ids(*paths: Path) -> list[str]:
    return [file.document_id for root in find(paths) for file in root.files]


def test_an_id_is_the_same_whichever_form_a_system_writes_names_in(tmp_path: Path) -> None:
    name = "größe/ガイド.md"
    make(tmp_path, unicodedata.normalize("NFD", name))
    [root] = find([tmp_path])
    assert [(file.document_id, file.path.exists()) for file in root.files] == [(name, True)]
    assert ids(tmp_path / "*" / "ガ*.md") == [name]
    assert ids(root.files[0].path) == ["ガイド.md"]


def test_a_root_has_the_same_name_however_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "docs/a.md")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "alias").symlink_to("docs")
    named = ["docs", "./docs/", tmp_path / "docs", "docs/../docs", "alias"]
    assert {find([Path(name)])[0].name for name in named} == {str(tmp_path / "docs")}
    assert find([Path("docs/a.md")])[0].name == str(tmp_path / "docs/a.md")
    assert find([Path("docs/*.md")])[0].name == str(tmp_path / "docs/*.md")


def test_a_file_belongs_to_the_path_that_is_named_first_and_is_there_in_both(tmp_path: Path) -> None:
    make(tmp_path, "deep/a.md", "b.md")
    whole, deep = find([tmp_path, tmp_path / "deep"])
    assert [file.document_id for file in whole.files] == ["b.md", "deep/a.md"]
    assert (deep.files, deep.ids) == ((), {"deep/a.md"})


def test_of_two_files_with_one_id_the_second_cannot_be_read_and_is_still_there(tmp_path: Path) -> None:
    make(tmp_path, "one/a.md", "two/a.md")
    first, second = find([tmp_path / "one", tmp_path / "two"])
    assert first.files == (SourceFile(tmp_path / "one/a.md", "a.md"),)
    assert "would have the same id as another file" in second.files[0].trouble
    assert first.ids == second.ids == {"a.md"}


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("*.md", ["a.md"]),
        ("**/*.md", ["a.md", "b/a.md", "b/c/a.md"]),
        ("b/**/*.md", ["a.md", "c/a.md"]),
        ("*/a.*", ["b/a.md", "b/a.txt"]),
        ("**/c/*", ["b/c/a.md"]),
        ("b/[ac].md", ["a.md"]),
        ("**", ["a.md", "b/a.md", "b/a.txt", "b/c/a.md"]),
    ],
)
def test_a_pattern_names_files_below_its_first_wildcard(tmp_path: Path, pattern: str, found: list[str]) -> None:
    make(tmp_path, "a.md", "b/a.md", "b/a.txt", "b/c/a.md", "b/a.py", "b/.c.md")
    assert ids(tmp_path / pattern) == found


def test_a_file_whose_name_looks_like_a_pattern_is_a_file(tmp_path: Path) -> None:
    make(tmp_path, "a[1].md", "a1.md")
    assert ids(tmp_path / "a[1].md") == ["a[1].md"]


IGNORE = """# what tools make
*.txt
!keep.txt
/build
node_modules/
tmp/*
!tmp/kept.md
"""
IGNORED_TREE = (
    "a.md a.txt keep.txt build/a.md deep/build/a.md deep/node_modules/x/a.md tmp/a.md tmp/kept.md"
    " deep/draft.md deep/a.txt deep/more/a.txt deep/more/keep.txt"
).split()


def test_what_git_ignores_is_left_out(tmp_path: Path) -> None:
    make(tmp_path, *IGNORED_TREE, **{".gitignore": IGNORE, "deep/.gitignore": "!a.txt\ndraft.md\nkeep.txt\n"})
    expected = "a.md deep/a.txt deep/build/a.md deep/more/a.txt keep.txt tmp/kept.md".split()
    assert ids(tmp_path) == expected
    assert ids(tmp_path / "**/*") == expected
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    listed = ["git", "-C", tmp_path, "ls-files", "--others", "--exclude-standard"]
    by_git = subprocess.run(listed, capture_output=True, text=True, check=True).stdout.split()
    assert sorted(name for name in by_git if not name.endswith(".gitignore")) == expected


def test_the_rules_of_the_repository_hold_in_its_folders_but_not_for_what_is_named(tmp_path: Path) -> None:
    make(tmp_path, "docs/a.md", "docs/out/b.md", **{".gitignore": "out/\n"})
    (tmp_path / ".git").mkdir()
    assert ids(tmp_path / "docs") == ["a.md"]
    assert ids(tmp_path / "docs/out") == ["b.md"]
    assert ids(tmp_path / "docs/out/b.md") == ["b.md"]


def test_the_rules_of_the_repository_hold_for_a_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "docs/a.md", "docs/out/b.md", "docs/c.md", **{".gitignore": "out/\n", "docs/.gitignore": "c.md\n"})
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    assert ids(Path("docs")) == ["a.md"]
    assert ids(Path("docs/**/*.md")) == ["a.md"]


RULES = [
    *"*.md a* */b.md /a.md x/a.md y/ **/y x/** x/**/b.md /**/b.md ** x/***/a.md */ *a*.*d x//a.md / // x/ !".split(),
    *"?.md [ab].md [!a].md [^a].md [a-b].md [!a-y]* []-a].md [ [a [[:none:]]* [-a].md a.[l-n][d-]".split(),
    *r"\#a.md #a.md \!a.md !a.md a\*.md \ ".split(),
    *("*\n!a.md", "*\n!*/\n!x/b.md", "a.md ", "a.md\\ ", "a.md\r", "\ufeff*.md"),
]


@pytest.mark.parametrize("rules", RULES)
def test_rules_leave_out_what_git_leaves_out(tmp_path: Path, rules: str) -> None:
    names = "a.md", "b.md", "#a.md", "!a.md", "].md", "-.md", "a.md ", "a*.md"
    make(tmp_path, *(f"{folder}{name}" for folder in ("", "x/", "x/y/", "x/y/x/", "y/") for name in names))
    (tmp_path / ".gitignore").write_bytes(rules.encode())
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    listed = ["git", "-C", tmp_path, "ls-files", "-z", "--others", "--exclude-standard"]
    by_git = subprocess.run(listed, capture_output=True, text=True, check=True).stdout.split("\0")
    expected = sorted(name for name in by_git if name.endswith(".md"))
    try:
        assert ids(tmp_path) == expected
    except NothingFound:
        assert not expected


def test_rules_full_of_stars_take_no_time(tmp_path: Path) -> None:
    deep = "/".join("a" * 200)
    make(tmp_path, f"{'a' * 200}.md", f"{deep}/c.md", **{".gitignore": f"{'*a' * 90}*b\n{'**/a/' * 90}b\n"})
    assert ids(tmp_path) == sorted([f"{'a' * 200}.md", f"{deep}/c.md"])


def test_only_a_file_has_rules_and_a_huge_one_is_named(tmp_path: Path) -> None:
    make(tmp_path, "pipe/a.md", "link/a.md", "huge/a.md", rules="*.md\n")
    os.mkfifo(tmp_path / "pipe/.gitignore")
    (tmp_path / "link/.gitignore").symlink_to("../rules")
    (tmp_path / "huge/.gitignore").write_bytes(b"*.md\n" * 200_001)
    [root] = find([tmp_path])
    assert [file.document_id for file in root.files] == ["huge/.gitignore", "huge/a.md", "link/a.md", "pipe/a.md"]
    assert root.files[0].trouble == "has 1,000,005 bytes, expected at most 1,000,000; none of its rules is applied"


def test_broken_rules_stop_nothing(tmp_path: Path) -> None:
    make(tmp_path, "a.md", "b.md", **{".gitignore": "!\n\x00[\nb.md\n"})
    make(tmp_path, "c/d.md")
    (tmp_path / "c/.gitignore").mkdir()
    assert ids(tmp_path) == ["a.md", "c/d.md"]


def test_links_to_folders_are_not_followed_unless_they_are_named(tmp_path: Path) -> None:
    make(tmp_path, "docs/a.md", "other/b.md")
    (tmp_path / "docs/loop").symlink_to(tmp_path / "docs")
    (tmp_path / "docs/other").symlink_to(tmp_path / "other")
    (tmp_path / "docs/b.md").symlink_to("a.md")
    (tmp_path / "docs/c.md").symlink_to("loop/a.md")
    assert ids(tmp_path / "docs") == ["a.md"]
    assert ids(tmp_path / "docs/other") == ["b.md"]


def test_links_to_files_are_followed_within_what_is_named(tmp_path: Path) -> None:
    make(tmp_path, "docs/a.md", "other/b.md", "other/c.md")
    (tmp_path / "docs/b.md").symlink_to(tmp_path / "other/b.md")
    (tmp_path / "docs/d.md").symlink_to("../docs/../docs/a.md")
    [root] = find([tmp_path / "docs"])
    out = SourceFile(tmp_path / "docs/b.md", "b.md", "is a link out of the folder; name the file itself")
    assert root.files == (SourceFile(tmp_path / "docs/a.md", "a.md"), out)
    assert root.ids == {"a.md", "b.md"}
    assert ids(tmp_path / "docs", tmp_path / "other/b.md") == ["a.md", "b.md"]
    assert ids(tmp_path / "docs", tmp_path / "other") == ["a.md", "b.md", "c.md"]


def test_a_link_in_a_circle_is_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    make(tmp_path, "a.md")
    (tmp_path / "b.md").symlink_to("c.md")
    (tmp_path / "c.md").symlink_to("b.md")
    for path in (tmp_path, tmp_path / "b.md"):
        [*_, failure] = read(find([path])[0].files)
        assert isinstance(failure, BadDocument)
        assert "cannot be read: " in str(failure)


def test_a_missing_path_and_an_empty_folder_stop_the_run(tmp_path: Path) -> None:
    make(tmp_path, "a.py")
    with pytest.raises(NothingFound, match="missing does not exist"):
        find([tmp_path / "missing"])
    with pytest.raises(NothingFound, match="does not exist"):
        find([tmp_path / "missing/*.md"])
    for path in (tmp_path, tmp_path / "*.md"):
        with pytest.raises(NothingFound, match="has no documents; expected files"):
            find([path])


def test_tables_of_data_are_taken_where_they_are_named_alone(tmp_path: Path) -> None:
    make(tmp_path, "a.md", "data/b.csv")
    assert ids(tmp_path) == ["a.md"]
    assert ids(tmp_path / "**" / "*") == ["a.md", "data/b.csv"]
    assert ids(tmp_path / "data/b.csv") == ["b.csv"]
