"""What docs/team.md says of backups: each is made by its commands, and after a loss a walk and an ingest go on."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from langchain_thread import DefaultEmbeddings, HowToSession, ThreadIngest, ThreadRetriever
from tests.deploy.composed import ROOT, a_team
from tests.pages import blocks
from tests.postgres import Postgres
from tests.thread_mcp.conftest import FUSES, PUMP, QUESTION
from thread_core.ingest import IngestReport
from thread_core.store.locking import holding

pytestmark = pytest.mark.slow
COPY, DUMP, RESTORE = blocks("docs/team.md", "bash")
GUIDES = {"pump.md": PUMP, "fuses.md": FUSES}


@pytest.fixture
def guides(tmp_path: Path) -> Path:
    folder = tmp_path / "guides"
    folder.mkdir()
    for name, text in GUIDES.items():
        (folder / name).write_text(text)
    return folder


def run(*words: str | Path, said: str = "", code: int = 0) -> str:
    command = [sys.executable, "-m", "thread_rag", *map(str, words)]
    done = subprocess.run(command, input=said, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == code, done.stderr
    return done.stdout


def shell(script: str, folder: Path, **environment: str) -> None:
    subprocess.run(["bash", "-eu", "-c", script.replace("/srv", str(folder))], check=True, env=os.environ | environment)


def nothing_anew(guides: Path, report: Path, *where: str | Path) -> None:
    """An ingest finds all of it there."""
    run("ingest", guides, *where, "--report", report)
    read = IngestReport.model_validate_json(report.read_text())
    assert read.ok and not read.changed and not read.embedded, str(read)
    run("check", *where, "--report", report)


def test_a_directory_that_is_read(guides: Path, tmp_path: Path) -> None:
    store, session = tmp_path / "store", tmp_path / "sessions" / "ann" / "pump.json"
    session.parent.mkdir(parents=True)
    where = ("--store", store)
    run("ingest", guides, *where)
    run("ask", QUESTION, *where, "--session", session, said="2\n")
    ask = [sys.executable, "-m", "thread_rag", "ask", QUESTION, *map(str, where)]
    pipe = subprocess.PIPE
    with subprocess.Popen(ask, stdin=pipe, stdout=pipe, text=True) as reader:
        assert reader.stdin and reader.stdout and reader.stdout.readline()
        shell(COPY, tmp_path)
        reader.stdin.write("2\n")
        reader.stdin.close()
        assert "fuse --read pump" in reader.stdout.read()
    shutil.rmtree(store)
    shutil.rmtree(tmp_path / "sessions")

    shutil.copytree(tmp_path / "backup", store)
    shutil.copytree(tmp_path / "backup-sessions", tmp_path / "sessions")
    assert "Take the blown fuse out" in run("resume", session, *where, said="1\n")
    nothing_anew(guides, tmp_path / "last.json", *where)


def test_a_directory_is_not_copied_while_an_ingest_writes(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    (tmp_path / "sessions").mkdir()
    with holding(tmp_path / "store" / "ledger.sqlite3.lock", 0), pytest.raises(subprocess.CalledProcessError):
        shell(COPY.replace("600", "1"), tmp_path)
    assert not (tmp_path / "backup").exists()


def test_a_server(guides: Path, tmp_path: Path, socket_enabled: None) -> None:
    with a_team(tmp_path) as team:
        chroma = team.start("chroma")
        chroma.wait()
        where: Sequence[str | Path] = ("--store", tmp_path / "data", "--server", team.store)
        run("ingest", guides, *where)
        mcp = team.start("mcp")
        mcp.wait()
        step = team.call("start", question=QUESTION)
        lines = run("export", "-", *where)
        mcp.kill()
        chroma.kill()
        for name in ("chroma", "data"):
            shutil.rmtree(tmp_path / name)
            (tmp_path / name).mkdir()

        chroma.start()
        chroma.wait()
        run("import", "-", *where, said=lines)
        mcp.start()
        mcp.wait()
        step = team.call("respond", session=step["session"], turn=step["turn"], answer="2")
        assert "fuse --read pump" in step["text"]
        nothing_anew(guides, tmp_path / "last.json", *where)


def test_postgres(postgres: Postgres, tmp_path: Path) -> None:
    langchain_postgres = pytest.importorskip("langchain_postgres")
    import sqlalchemy as sa
    from langchain_core.documents import Document

    documents = [Document(text, id=name) for name, text in GUIDES.items()]
    path = f"{postgres.programs}{os.pathsep}{os.environ['PATH']}"

    def opened(url: str) -> tuple[Any, Any]:
        engine = sa.create_engine(url)
        return engine, langchain_postgres.PGVector(DefaultEmbeddings(), connection=engine, collection_name="guides")

    with postgres.database() as first, postgres.database() as second:
        engine, store = opened(first)
        ThreadIngest(store).run(documents)
        shell(DUMP, tmp_path, DATABASE=first.replace("+psycopg", ""), PATH=path)
        engine.dispose()
        shell(RESTORE, tmp_path, DATABASE=second.replace("+psycopg", ""), PATH=path)
        engine, store = opened(second)
        session = HowToSession(ThreadRetriever(vectorstore=store))
        session.start(QUESTION)
        assert "fuse --read pump" in session.respond("2").text
        report = ThreadIngest(store).run(documents)
        assert report.ok and not report.changed and not report.embedded
        engine.dispose()
