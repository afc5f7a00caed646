"""Processes that need not import the frameworks, each forked from one that has done nothing but that.

`python -m tests.forked MODULE DESCRIPTOR` imports the module, calls its `prepare` if it has one, and forks a process
for each request at the socket; that process calls the module's `main` with the words of the request, and knows nothing
of those before it.
"""

from __future__ import annotations

import gc
import json
import os
import socket
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock
from typing import Self

ROOT = Path(__file__).parents[1]


class Forks:
    """Starts processes of one module.

    Example:
        with Forks("tests.conformance.walking") as forks:
            ended = forks.run("folder", "0")
    """

    def __init__(self, module: str, **environment: str) -> None:
        self._one_at_a_time = Lock()
        self._socket, theirs = socket.socketpair()
        with theirs:
            self._server = subprocess.Popen(
                [sys.executable, "-m", "tests.forked", module, str(theirs.fileno())],
                cwd=ROOT,
                # A process that has threads is better not forked.
                env=os.environ | {"OPENBLAS_NUM_THREADS": "1"} | environment,
                pass_fds=[theirs.fileno()],
            )

    def start(self, *words: str) -> Forked:
        """A process that calls `main(*words)`."""
        with self._one_at_a_time:
            return Forked(self._socket, words)

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """What became of such a process."""
        return self.start(*words).ended()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()
        self._server.wait()


class Forked:
    """A process of its own, which can be written to, read from and killed."""

    def __init__(self, server: socket.socket, words: tuple[str, ...]) -> None:
        self._words = words
        self._complaints = TemporaryFile("w+")  # noqa: SIM115
        (stdin, given), (said, stdout), (status, ended) = os.pipe(), os.pipe(), os.pipe()
        self.stdin, self.stdout, self._status = os.fdopen(given, "w"), os.fdopen(said), os.fdopen(status)
        theirs = [stdin, stdout, self._complaints.fileno(), ended]
        socket.send_fds(server, [json.dumps(words).encode()], theirs)
        assert server.recv(1), "the process that forks has ended"
        for descriptor in (stdin, stdout, ended):
            os.close(descriptor)

    def ended(self, line: str = "") -> subprocess.CompletedProcess[str]:
        """Give it its last line, and wait for its end."""
        with self.stdin, self.stdout, self._status, self._complaints:
            self.stdin.write(line)
            self.stdin.close()
            said, code = self.stdout.read(), int(self._status.read())
            self._complaints.seek(0)
            return subprocess.CompletedProcess(self._words, code, said, self._complaints.read())


def forked(connection: socket.socket) -> list[str] | None:
    """In each process that was asked for, its words; in the first one, None at the end."""
    while True:
        said, descriptors, *_ = socket.recv_fds(connection, 65536, 4)
        if not said:
            return None
        if not os.fork():
            connection.close()
            *standard, ended = descriptors
            if process := os.fork():
                _, status = os.waitpid(process, 0)
                os.write(ended, str(os.waitstatus_to_exitcode(status)).encode())
                os._exit(0)
            for number, descriptor in enumerate(standard):
                os.dup2(descriptor, number)
            # The stream of before may take a pipe for the file that was there.
            sys.stdout = os.fdopen(1, "w")
            for descriptor in descriptors:
                os.close(descriptor)
            words: list[str] = json.loads(said)
            return words
        for descriptor in descriptors:
            os.close(descriptor)
        connection.send(b".")


if __name__ == "__main__":
    gc.disable()
    module = import_module(sys.argv[1])
    if hasattr(module, "prepare"):
        module.prepare()
    # What is not looked through is not copied either.
    gc.freeze()
    gc.enable()
    words = forked(socket.socket(fileno=int(sys.argv[2])))
    if words is not None:
        module.main(*words)
