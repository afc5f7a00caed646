"""Programs that leave a mark whenever they are started."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


class Programs:
    """A folder of scripts that is searched for programs before all others."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.mark = folder / "started"
        (folder / "bin").mkdir()

    def add(self, name: str, script: str = "") -> None:
        path = self.folder / "bin" / name
        path.write_text(f'#!/bin/sh\necho "{name} $*" >> "{self.mark}"\n{script}\n')
        path.chmod(0o755)

    @property
    def started(self) -> list[str]:
        return self.mark.read_text().splitlines() if self.mark.exists() else []


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Programs:
    made = Programs(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    return made
