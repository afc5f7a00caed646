"""`thread-rag ingest --ray`."""

import os
import sys
from pathlib import Path

import pytest

from tests.thread_rag.test_cli import call

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

from _crash_scene import Chroma


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--ray", "local"], "found --ray without --server"),
        (["--shards", "3"], "found --shards without --ray"),
    ],
)
def test_options_that_miss_others_say_which(tmp_path: Path, options: list[str], said: str) -> None:
    result = call("ingest", tmp_path, "--store", tmp_path / "store", *options)
    assert (result.exit_code, said in " ".join(result.stderr.split())) == (2, True)


@pytest.mark.slow
@pytest.mark.enable_socket
@pytest.mark.filterwarnings("ignore")
def test_what_writers_on_ray_take_in_is_there_to_be_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray", reason="thread-rag[ray] is not installed")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    guides = tmp_path / "guides"
    guides.mkdir()
    for name in ("lamp", "fan", "pump"):
        (guides / f"{name}.md").write_text(f"# The {name} is dead\n\n1. Reset the {name}.\n2. Replace the {name}.\n")
    server = Chroma(tmp_path / "served")
    server.start()
    where = ["--store", tmp_path / "store", "--server", server.url]
    try:
        for told in ("3 ingested", "0 ingested, 3 unchanged"):
            result = call("ingest", guides, *where, "--ray", "local", "--shards", "2")
            assert result.exit_code == 0, result.stderr
            assert told in " ".join(result.stdout.split())
        assert "Reset the lamp" in call("ask", "The lamp is dead", *where).stdout
    finally:
        server.kill()
