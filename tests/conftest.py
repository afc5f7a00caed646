"""Generated examples are the same in every run, so that a red test is red again; and a model behind HTTP."""

import gc
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree

import pytest
from hypothesis import settings

from tests.postgres import Postgres, a_server
from tests.programs import Programs
from tests.scripted import ScriptedServer

settings.register_profile("same", deadline=None, derandomize=True, max_examples=40, database=None)
settings.load_profile("same")

# All that is imported and collected stays: to look through it again and again takes seconds.
gc.disable()

# Where the tests run in the background a shell has Ctrl-C ignored, and so would every process that a test interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def new_chroma(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Path]:
    """Makes a Chroma directory with nothing in it, by copying one, because Chroma takes forty milliseconds for it."""
    import chromadb

    empty = tmp_path_factory.mktemp("chroma") / "empty"
    chromadb.PersistentClient(empty, settings=chromadb.Settings(anonymized_telemetry=False)).close()
    return lambda directory: copytree(empty, directory, dirs_exist_ok=True)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with a_server() as server:
        yield server


@pytest.fixture(scope="session")
def programs() -> Iterator[Programs]:
    """Runs programs in processes of their own."""
    with Programs() as programs:
        yield programs


@pytest.fixture
def server(socket_enabled: None) -> Iterator[ScriptedServer]:
    """A scripted model, to be reached at `server.url`."""
    with ScriptedServer() as server:
        yield server
    server.finished()
