"""Tests of what fails below the store: each is named in one line, and a second write repairs it."""

import math
import textwrap
from pathlib import Path

import chromadb
import pytest
from chromadb.config import Settings

from tests.programs import Programs
from thread_chroma import ChromaUnitStore, open_store
from thread_core.errors import BadStore
from thread_core.ports import rows_of
from thread_core.testing.store_suite import GUIDE, NORTH, a_unit

pytestmark = pytest.mark.slow
UNITS = [a_unit(f"Step {line}", line, body="x" * 2000) for line in range(1, 1001)]
VECTORS = [(math.cos(unit.start / 400), math.sin(unit.start / 400)) for unit in UNITS]
"""No two alike: of many equal vectors, Chroma's index does not find all."""


def elsewhere(programs: Programs, directory: Path, code: str) -> str:
    """What a process of its own prints that works on a store; it ends without closing anything."""
    program = f"""
        import os, resource, signal, sys
        from pathlib import Path
        from tests.thread_chroma.test_failing import *
        directory = Path({str(directory)!r})
        store = open_store(directory, create=True)
        store.write([a_unit("Before", 1)], [NORTH])
        try:
            {code}
        except BadStore as error:
            print(error, flush=True)
        os._exit(0)
    """
    ended = programs.run("-c", textwrap.dedent(program))
    return ended.stdout.strip() or ended.stderr.strip()


def repaired(directory: Path) -> None:
    store = open_store(directory)
    store.sweep()
    store.write(UNITS, VECTORS, gone=[a_unit("Before", 1).id])
    assert [stored.unit for stored in rows_of(store, GUIDE)] == UNITS
    assert [store.search(VECTORS[place], 1)[0].unit_id for place in range(0, 1000, 50)] == [
        unit.id for unit in UNITS[::50]
    ]


def test_a_full_disk(programs: Programs, tmp_path: Path) -> None:
    said = elsewhere(
        programs,
        tmp_path,
        "limit = os.path.getsize(directory / 'chroma.sqlite3') + 500_000;"
        " resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit));"
        " store.write(UNITS, [NORTH] * len(UNITS), gone=[a_unit('Before', 1).id])",
    )
    assert "disk is full" in said and "run it again" in said and "\n" not in said
    assert open_store(tmp_path).get(open_store(tmp_path).ids()) == [a_unit("Before", 1)]
    repaired(tmp_path)


def test_a_directory_that_can_only_be_read(programs: Programs, tmp_path: Path) -> None:
    for directory in (tmp_path, *list(tmp_path.parents)[:3]):
        directory.chmod(0o755)
    said = elsewhere(
        programs,
        tmp_path,
        "os.chmod(directory / 'chroma.sqlite3', 0o444); os.getuid() or os.setuid(65534);"
        " store.write(UNITS, [NORTH] * len(UNITS))",
    )
    assert "read-only; give this user write access" in said and "\n" not in said
    (tmp_path / "chroma.sqlite3").chmod(0o644)
    repaired(tmp_path)


@pytest.mark.parametrize("calls", range(1, 7))
def test_a_process_that_is_killed_has_written_what_had_returned(programs: Programs, tmp_path: Path, calls: int) -> None:
    """A new version of a document, and another one: killed after each call of Chroma's (add, change, delete)."""
    elsewhere(
        programs,
        tmp_path,
        f"left = [{calls}];"
        " kill = lambda call: lambda **given: (call(**given), left.append(left.pop() - 1),"
        " left[0] or os.kill(os.getpid(), signal.SIGKILL));"
        " rows = store._rows;"
        " store._rows = type('Rows', (), dict(get=staticmethod(rows.get), query=staticmethod(rows.query),"
        " **{name: staticmethod(kill(getattr(rows, name))) for name in ('add', 'update', 'delete')}))();"
        " store.write(UNITS[:50], VECTORS[:50], gone=[a_unit('Before', 1).id]);"
        " store.write(UNITS[50:100], VECTORS[50:100], gone=[unit.id for unit in UNITS[:50]])",
    )
    expected = [[a_unit("Before", 1)], UNITS[:50], UNITS[:50], UNITS[:50], UNITS[50:100], UNITS[50:100]][calls - 1]
    store = open_store(tmp_path)
    assert [stored.unit for stored in rows_of(store, GUIDE)] == expected
    assert sorted(store.ids()) == sorted(hit.unit_id for hit in store.search(NORTH, 100))
    assert store.sweep() == [50, 1, 0, 50, 50, 0][calls - 1]
    repaired_ids = {unit.id for unit in UNITS[50:100]}
    store.write(
        UNITS[50:100], VECTORS[50:100], gone=[unit_id for unit_id in store.ids() if unit_id not in repaired_ids]
    )
    assert {unit.id for unit in store.get(store.ids())} == repaired_ids


def test_a_collection_that_was_deleted_meanwhile(tmp_path: Path) -> None:
    client = chromadb.PersistentClient(tmp_path, settings=Settings(anonymized_telemetry=False))
    store = ChromaUnitStore(client.create_collection("guides", embedding_function=None))
    client.delete_collection("guides")
    for call in (lambda: store.write(UNITS[:1], [NORTH]), lambda: store.search(NORTH, 1), store.ids, store.sweep):
        with pytest.raises(BadStore, match=r"the collection is gone .*; open the store again"):
            call()
    client.close()


def test_a_damaged_database(programs: Programs, tmp_path: Path) -> None:
    said = elsewhere(
        programs,
        tmp_path,
        "store.write(UNITS, [NORTH] * len(UNITS));"
        " content = bytearray((directory / 'chroma.sqlite3').read_bytes());"
        " content[4096:-4096] = b'x' * (len(content) - 8192);"
        " (directory / 'chroma.sqlite3').write_bytes(content);"
        " store.write([a_unit('After', 1)], [NORTH])",
    )
    assert "damaged" in said and "delete chroma.sqlite3 and the folders beside it" in said and "\n" not in said
