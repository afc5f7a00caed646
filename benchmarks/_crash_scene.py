"""What is around the store of `crash.py`: who edits, who answers as a model, the server, the processes."""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import re
import select
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
import zlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Self

import _guides
from _crash_worker import LOG, SEEN, STAGE, STAGES, Target
from cost import division

from thread_core import Document, RuleExtractor
from thread_core.documents.blocks.markdown import parse
from thread_core.extraction.pages import Lines, Page

sys.path.append(str(Path(__file__).parents[1]))

from tests.scripted import Request, ScriptedServer

if TYPE_CHECKING:
    from crash import Tally

DOCUMENTS = 15
"""In a folder, at first."""
PATIENCE = 120.0
"""Seconds after which a run that was not killed counts as hanging."""
NEAR = 0.03
"""Seconds after the beginning of a stage within which a kill that waits for it comes."""
HUNG = 124
"""Instead of the exit status of a process that did not come to its end."""

_NUMBER = re.compile(r"(?m)^\d+\| ?")
_SPACE = str.maketrans("01", " \t")
WORKER = Path(__file__).with_name("_crash_worker.py")


class Guides:
    """A folder of documents that somebody works on, and all that they have ever said."""

    def __init__(self, folder: Path, random: Random, documents: int = DOCUMENTS) -> None:
        self.folder = folder
        self.past: dict[str, list[str]] = {}
        """All texts that each name has ever had."""
        self._random = random
        self._documents = documents
        self._next = 0
        self._texts: dict[str, str] = {}
        for _ in range(documents):
            self._add()

    def change(self, most: int = 6) -> None:
        """A few edits of any kind."""
        ways = (self._add, self._delete, self._rename, self._put_back, self._edit, self._edit, self._edit)
        for _ in range(self._random.randint(1, most)):
            self._random.choice(ways)()

    def _add(self) -> None:
        guide = _guides.guide(self._next, self._documents)
        self._next += 1
        self._write(guide.id, guide.text)

    def _delete(self) -> None:
        if len(self._texts) > 1:
            self._remove(self._any())

    def _rename(self) -> None:
        name = self._any()
        text = self._texts[name]
        self._remove(name)
        self._write(name.replace("guide", "renamed"), text)

    def _put_back(self) -> None:
        """A document as it once was, also one that is gone."""
        name = self._random.choice(sorted(self.past))
        self._write(name, self._random.choice(self.past[name]))

    def _edit(self) -> None:
        """Some lines of a document: another word in one, one twice, two in the other order, or a section less."""
        name = self._any()
        lines = self._texts[name].split("\n")
        at = self._random.randrange(2, len(lines))
        match self._random.randrange(5):
            case 0:
                lines[at] = lines[at].replace("a", "o", 1)
            case 1:
                lines[at:at] = ["", f"Mind the figure {self._random.randint(1, 999)}.", ""]
            case 2:
                lines[at:at] = lines[at : at + 20]
            case 3:
                lines[0] = f"# {_guides.title(self._random.randrange(1000, 2000))}"
            case 4:
                del lines[at : at + 12]
        self._write(name, "\n".join(lines))

    def _any(self) -> str:
        return self._random.choice(sorted(self._texts))

    def _write(self, name: str, text: str) -> None:
        self._texts[name] = text
        self.past.setdefault(name, []).append(text)
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def _remove(self, name: str) -> None:
        del self._texts[name]
        (self.folder / name).unlink()


class StandIn:
    """A model that divides documents as the rules do, and notes what it was asked."""

    def __init__(self, server: ScriptedServer, replies: Path, tally: Tally) -> None:
        self.url = server.url
        self._counting = True
        self._replies = replies
        self._tally = tally
        self._asked: set[str] = set()
        server.forget()
        server.reply(self._say, times=None)

    @contextlib.contextmanager
    def uncounted(self) -> Iterator[None]:
        """Answer what is asked meanwhile without noting it."""
        self._counting = False
        yield
        self._counting = True

    def _say(self, request: Request) -> str:
        # The outline comes before the document, and also begins with line 1.
        text = request.messages[1].text
        document = Document("guide.md", _NUMBER.sub("", text[text.rindex("\n1|") + 1 :].rstrip("\n")))
        part = Lines(1, len(document.text.split("\n")))
        divided = division(RuleExtractor().extract(document).units, part, Page(document, parse(document.text)))
        # Two versions of a document may be divided alike: space at the end tells the replies apart.
        reply = divided + f"{zlib.crc32(request.text.encode()):032b}".translate(_SPACE)
        if self._counting:
            self._tally.asked += 1
            self._tally.again += request.text in self._asked
            self._tally.repeated += self._is_kept(reply)
            self._asked.add(request.text)
        return reply

    def _is_kept(self, reply: str) -> bool:
        """Whether the reply had been found good and was on the disk when it was asked for."""
        if not self._replies.exists():
            return False
        with contextlib.closing(sqlite3.connect(f"file:{self._replies}?mode=ro", uri=True)) as database:
            [[tables]] = database.execute("SELECT count(*) FROM sqlite_master")
            return bool(tables and database.execute("SELECT 1 FROM replies WHERE text = ?", (reply,)).fetchall())


class Chroma:
    """A Chroma server that can be killed."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self.url = ""

    def start(self) -> None:
        """Start it at another port than before, and wait until it answers."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        program = [Path(sys.executable).with_name("chroma"), "run", "--path", self._directory]
        self._process = subprocess.Popen(
            [*program, "--host", "127.0.0.1", "--port", str(port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until = time.monotonic() + PATIENCE
        while not self._answers():
            if time.monotonic() > until or self._process.poll() is not None:
                raise RuntimeError(f"chroma run over {self._directory} does not answer")
            time.sleep(0.02)

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/api/v2/heartbeat", timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def kill(self) -> None:
        """SIGKILL."""
        self._process.kill()
        self._process.wait()


class Worker:
    """The program that forks the processes that are killed."""

    def __enter__(self) -> Self:
        paths = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
        self._program = subprocess.Popen(
            [sys.executable, WORKER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env={**os.environ, "PYTHONPATH": paths, "TOKENIZERS_PARALLELISM": "false"},
        )
        return self

    def __exit__(self, *_: object) -> None:
        with self._program as program:
            program.stdin.close()  # type: ignore[union-attr]

    def start(self, target: Target, **order: Any) -> None:
        """Have a process begin."""
        path = target.path(STAGE)
        path.write_bytes(b"\0")
        with path.open("rb") as file:
            self._stage = mmap.mmap(file.fileno(), 1, access=mmap.ACCESS_READ)
        line = json.dumps({"target": target._asdict(), **order}, default=str)
        self._program.stdin.write(f"{line}\n".encode())  # type: ignore[union-attr]
        self._process = int(self._line(PATIENCE))

    @property
    def stage(self) -> int:
        """How far the process has come."""
        return self._stage[0]

    def wait_for_moment(self, random: Random, usual: float) -> bool:
        """Wait for a random moment, mostly near a stage of the writing; False when the process has ended before."""
        if random.random() < 0.3:
            return not self._has_ended(random.uniform(0, usual))
        wanted = random.randint(2, len(STAGES) - 1)
        later = random.uniform(0, NEAR)
        until = time.monotonic() + PATIENCE
        while self.stage < wanted and time.monotonic() < until:
            if self._has_ended(0.0002):
                return False
        return not self._has_ended(later)

    def kill(self) -> None:
        """SIGKILL."""
        os.kill(self._process, signal.SIGKILL)

    def end(self) -> int:
        """Wait for the end of the process; its exit status, below 0 where a signal has ended it."""
        try:
            return int(self._line(PATIENCE))
        except TimeoutError:
            self.kill()
            return int(self._line(PATIENCE)) and HUNG

    def run(self, target: Target, **order: Any) -> int:
        """A process from its beginning to its end."""
        self.start(target, **order)
        return self.end()

    def look(self, target: Target) -> dict[str, Any]:
        """What a store holds, seen by a process that has just begun."""
        if status := self.run(target, look=True):
            raise RuntimeError(f"a store cannot be looked at ({status}): {self.said(target)}")
        return json.loads(target.path(SEEN).read_text())  # type: ignore[no-any-return]

    def said(self, target: Target) -> str:
        """The end of what processes have said."""
        return target.path(LOG).read_text()[-600:]

    def _has_ended(self, within: float) -> bool:
        return bool(select.select([self._program.stdout], [], [], within)[0])

    def _line(self, within: float) -> bytes:
        if not self._has_ended(within):
            raise TimeoutError
        return self._program.stdout.readline()  # type: ignore[union-attr]
