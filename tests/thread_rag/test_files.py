"""Files that a person names are written whole or not at all; what is no file is written into."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from thread_core.errors import BadFile
from thread_core.walk.saving import SessionFile
from thread_core.walk.state import SessionState
from thread_rag import files

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links, pipes and modes are POSIX's")


def test_a_pipe_is_written_into(tmp_path: Path) -> None:
    pipe = tmp_path / "report"
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as readers:
        read = readers.submit(pipe.read_text)
        assert files.write(pipe, ['{"ok": true}']) == 1
        assert read.result(timeout=10) == '{"ok": true}\n'
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert list(tmp_path.iterdir()) == [pipe]


@pytest.mark.parametrize("there", [True, False], ids=["a file", "nothing"])
def test_of_a_link_what_it_leads_to_is_replaced(tmp_path: Path, there: bool) -> None:
    (tmp_path / "reports").mkdir()
    report, link = tmp_path / "reports" / "today.json", tmp_path / "last.json"
    link.symlink_to(Path("reports") / "today.json")
    if there:
        report.write_text("before")
    files.write(link, ["{}"])
    assert link.is_symlink()
    assert (report.read_text(), list(report.parent.iterdir())) == ("{}\n", [report])


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_a_file_keeps_its_mode(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "guides.jsonl"
    file.write_text("before")
    file.chmod(mode)
    files.write(file, ["{}"])
    SessionFile(session := tmp_path / "session.json").write(SessionState())
    assert stat.S_IMODE(session.stat().st_mode) == 0o600
    session.chmod(mode)
    SessionFile(session).write(SessionState())
    assert {stat.S_IMODE(one.stat().st_mode) for one in (file, session)} == {mode}
    assert file.read_text() == "{}\n"


def test_what_breaks_off_leaves_what_was_there(tmp_path: Path) -> None:
    def lines() -> Iterator[str]:
        yield "{}"
        raise RuntimeError

    file = tmp_path / "guides.jsonl"
    file.write_text("before")
    with pytest.raises(RuntimeError):
        files.write(file, lines())
    assert (file.read_text(), list(tmp_path.iterdir())) == ("before", [file])


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="cannot be written"):
        files.write(tmp_path, ["{}"])


def test_what_is_piped_in_is_utf_8_whatever_the_locale_is(monkeypatch: pytest.MonkeyPatch) -> None:
    given = io.BytesIO('\ufeff{"text": "grün"}\n'.encode())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(given, encoding="ascii"))
    with files.text_of(files.PIPE) as file:
        assert file.read() == '{"text": "grün"}\n'
        file.seek(0)
        assert file.read() == '{"text": "grün"}\n'


def test_of_what_is_piped_in_and_no_text_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"gr\xfcn"), encoding="latin-1"))
    with pytest.raises(BadFile, match="is not UTF-8 text"), files.text_of(files.PIPE) as file:
        file.read()


def test_of_what_cannot_be_written_nothing_stays_behind(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="surrogates"):
        SessionFile(tmp_path / "session.json").write(SessionState(question="gr\udcfcn"))
    assert list(tmp_path.iterdir()) == []
