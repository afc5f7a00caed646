"""The page about several writers says what runs."""

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.pages import blocks
from tests.postgres import Postgres

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

from _crash_scene import Chroma


@pytest.mark.slow
@pytest.mark.enable_socket
@pytest.mark.filterwarnings("ignore")
def test_a_folder_is_taken_in_by_several_writers(tmp_path: Path, postgres: Postgres) -> None:
    ray = pytest.importorskip("ray", reason="thread-rag[ray] is not installed")
    guides = tmp_path / "guides"
    guides.mkdir()
    for name in ("lamp", "fan", "pump"):
        (guides / f"{name}.md").write_text(f"# The {name} is dead\n\n1. Reset the {name}.\n2. Replace the {name}.\n")
    server = Chroma(tmp_path / "served")
    server.start()
    page: dict[str, Any] = {}
    exec("\n".join(blocks("docs/scale.md")), page)
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        with postgres.database() as url:
            address = url.replace("postgresql+psycopg", "postgresql")
            for unchanged in (0, 3):
                report = page["take_in"](str(guides), server.url, address, 2)
                assert (report.ok, report.unchanged) == (True, unchanged)
    finally:
        ray.shutdown()
        server.kill()
