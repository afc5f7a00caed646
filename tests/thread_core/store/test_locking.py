"""Whoever reads for a moment keeps nobody from holding a lock, and comes in only where nobody does."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from thread_core.store.locking import Held, holding, unheld


def test_nobody_holds_it_as_long_as_somebody_reads(tmp_path: Path) -> None:
    path = tmp_path / "lock"

    def held() -> float:
        with holding(path, patience=0):
            return time.monotonic()

    with ThreadPoolExecutor() as pool:
        with unheld(path) as is_calm, unheld(path) as others_read_too:
            assert is_calm and others_read_too
            coming = pool.submit(held)
            time.sleep(0.2)
            assert not coming.done()
            end = time.monotonic()
        assert coming.result(timeout=5) >= end


def test_where_somebody_holds_it_nobody_reads(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with holding(path, patience=0):
        with unheld(path) as is_calm:
            assert not is_calm
        with pytest.raises(Held, match="process"), holding(path, patience=0):
            pass
    path.write_text("a process that was killed")
    with unheld(path) as is_calm:
        assert is_calm and path.read_text() == ""
