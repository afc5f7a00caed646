"""Generated examples are the same in every run, so that a red test is red again; and a model behind HTTP."""

import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.scripted import ScriptedServer

settings.register_profile("same", deadline=None, derandomize=True, max_examples=40, database=None)
settings.load_profile("same")

# Where the tests run in the background a shell has Ctrl-C ignored, and so would every process that a test interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def server(socket_enabled: None) -> Iterator[ScriptedServer]:
    """A scripted model, to be reached at `server.url`."""
    with ScriptedServer() as server:
        yield server
    server.finished()
