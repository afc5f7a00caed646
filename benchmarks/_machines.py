"""Machines that are namespaces of Linux: each with an address, processes and scratch folders of its own, on one switch.

`alone` begins a program again inside a namespace that is the switch, so nothing of this is seen by the host, nothing
leaves, and all of it is gone with the program. It needs root, `unshare`, `nsenter` and `ip`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NETWORK = "10.77.0"
"""The beginning of every address."""
_INSIDE = "THREAD_RAG_SWITCH"
_SCRATCH = ("/tmp/ray", "/dev/shm")
"""Folders in which Ray keeps what is one machine's."""
_BEGIN = """
mount -t proc proc /proc
for folder in {scratch}; do mount -t tmpfs tmpfs $folder; done
hostname {name}; ip link set lo up; echo ready; read -r _
ip addr add {address}/24 dev eth0; ip link set eth0 up; echo ready
while :; do sleep 1000; done
"""


def alone(main: Callable[[], None]) -> None:
    """Run a program's `main` at the switch."""
    if os.environ.get(_INSIDE):
        _ip("link set lo up")
        _ip("link add switch type bridge")
        _ip(f"addr add {NETWORK}.254/24 dev switch")
        _ip("link set switch up")
        main()
        return
    if os.geteuid():
        raise SystemExit("machines are made of namespaces, which only root may make; run it as root")
    for folder in _SCRATCH:
        Path(folder).mkdir(parents=True, exist_ok=True)
    inside = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    first = ["bash", "-c", '"$@"; exit $?', "switch"]  # takes in whoever loses his parent
    os.execvpe(inside[0], [*inside, *first, sys.executable, *sys.argv], {**os.environ, _INSIDE: "1"})


class Machine:
    """A machine at the switch."""

    def __init__(self, name: str, number: int) -> None:
        self.name = name
        self.address = f"{NETWORK}.{number}"
        self._port = f"to-{name}"
        self._begin()

    def start(self, program: Sequence[object], environment: Mapping[str, str] = os.environ, **given: Any) -> Any:
        """Have a process begin there."""
        enter = ["nsenter", "--target", str(self._first), "--net", "--mount", "--pid", "--uts", "--ipc", "--"]
        return subprocess.Popen([*enter, *map(str, program)], env=environment, **given)

    def cut(self) -> None:
        """Pull its cable."""
        _ip(f"link set {self._port} down")

    def mend(self) -> None:
        """Put it in again, if the machine has power."""
        if self._holder.poll() is None:
            _ip(f"link set {self._port} up")

    def kill(self) -> None:
        """Take its power: all its processes are gone, and nothing more is said to anybody."""
        self.cut()
        self.end()

    def begin_again(self) -> None:
        """Switch it on after its power was taken."""
        self.end()
        self._begin()

    def _begin(self) -> None:
        script = _BEGIN.format(name=self.name, address=self.address, scratch=" ".join(_SCRATCH))
        own = ["unshare", "--net", "--mount", "--pid", "--uts", "--ipc", "--fork", "--kill-child"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self._holder = subprocess.Popen([*own, "bash", "-c", script], text=True, **pipes)
        self._wait()
        self._first = int(Path(f"/proc/{self._holder.pid}/task/{self._holder.pid}/children").read_text())
        _ip(f"link add {self._port} master switch type veth peer name eth0 netns {self._first}")
        _ip(f"link set {self._port} up")
        assert self._holder.stdin is not None
        self._holder.stdin.write("\n")
        self._holder.stdin.flush()
        self._wait()

    def end(self) -> None:
        """Have its processes end; its cable goes with them."""
        if self._holder.poll() is None:
            os.kill(self._first, signal.SIGKILL)
            self._holder.wait()
        subprocess.run(["ip", "link", "delete", self._port], stderr=subprocess.DEVNULL)  # the kernel does so, but later

    def _wait(self) -> None:
        assert self._holder.stdout is not None
        if self._holder.stdout.readline() != "ready\n":
            raise SystemExit(f"the machine {self.name} could not be made; is this a container that may not?")


@contextmanager
def machines(*names: str) -> Iterator[list[Machine]]:
    """Some machines, numbered from 1."""
    made: list[Machine] = []
    try:
        for number, name in enumerate(names, 1):
            made.append(Machine(name, number))
        yield made
    finally:
        for machine in made:
            machine.end()


def _ip(command: str) -> None:
    subprocess.run(["ip", *command.split()], check=True)
