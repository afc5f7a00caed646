"""Whether an ingest that is killed, again and again, ends where one that was never killed does.

python benchmarks/crash.py                          200 kills: some 15 minutes on two cores
python benchmarks/crash.py --kills 1000 --seed 7

A store lives through some rounds. In each, documents are edited, deleted, added, renamed and put back as they once
were; runs of an ingest over them are killed (SIGKILL) at random moments, sometimes the Chroma server is killed instead;
then one run comes to its end. What the store then holds is compared with a fresh ingest of the same documents. With a
model, a stand-in behind HTTP counts what it is asked.
"""

from __future__ import annotations

import argparse
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
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, Self

import _guides
from _crash_worker import COMPLAINED, LOG, REPLIES, SEEN, STAGE, STAGES, Target
from _table import show
from cost import division

from thread_core import Document, RuleExtractor, layout
from thread_core.extraction.pages import Lines, Page
from thread_core.text.markdown import parse

sys.path.append(str(Path(__file__).parents[1]))

from tests.scripted import Request, ScriptedServer

KILLS = 200
DOCUMENTS = 15
"""In a folder, at first."""
ROUNDS = 5
"""That a store lives through."""
PATIENCE = 120.0
"""Seconds after which a run that was not killed counts as hanging."""
NEAR = 0.03
"""Seconds after the beginning of a stage within which a kill that waits for it comes."""

ROUNDING = 1e-6
"""By which the numbers of a vector may differ: they depend a little on the texts that are embedded together."""
SHOWN = 20
"""Differences that are printed."""
HUNG = 124
"""Instead of the exit status of a process that did not come to its end."""

_NUMBER = re.compile(r"(?m)^\d+\| ?")
_SPACE = str.maketrans("01", " \t")
WORKER = Path(__file__).with_name("_crash_worker.py")


class Way(NamedTuple):
    """How documents are taken in."""

    served: bool
    model: bool
    command: bool = False

    def __str__(self) -> str:
        """As in the table."""
        by = "thread-rag ingest" if self.command else "ThreadIngest"
        return f"{by}, {'chroma run' if self.served else 'embedded'}{', model' * self.model}"


WAYS = (
    Way(served=False, model=False),
    Way(served=True, model=False),
    Way(served=False, model=True),
    Way(served=True, model=True),
    Way(served=False, model=False, command=True),
    Way(served=True, model=True, command=True),
)
"""One store after the other, in turns; half of them served."""


@dataclass
class Tally:
    """What came out."""

    kills: Counter[Way] = field(default_factory=Counter)
    rounds: Counter[Way] = field(default_factory=Counter)
    seconds: Counter[Way] = field(default_factory=Counter)
    servers: Counter[Way] = field(default_factory=Counter)
    """Kills of the Chroma server."""
    hit: Counter[str] = field(default_factory=Counter)
    """The stage in which a process was killed."""
    differences: list[tuple[Way, str]] = field(default_factory=list)
    asked: int = 0
    """Requests to the model."""
    again: int = 0
    """Of them, those for what it had been asked before."""
    repeated: int = 0
    """Of them, those whose good reply was kept already."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Print what was killed where, and what was different. Exits with 1 where anything was."""
    parser = argparse.ArgumentParser(description="Kill ingests at random, and look what the store holds in the end.")
    parser.add_argument("--kills", type=int, default=KILLS)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    tally = rehearse(given.kills, given.seed, told=True)
    print(f"{sum(tally.kills.values())} kills, seed {given.seed}\n")
    show([row(way, tally) for way in dict.fromkeys(WAYS)])
    print()
    show([{"killed while": stage, "kills": str(tally.hit[stage])} for stage in (*STAGES, SERVER, ENDED)])
    asked = f"The model was asked {tally.asked} times, {tally.again} times again"
    print(f"\n{asked}, {tally.repeated} times although its reply was kept")
    if tally.differences or tally.repeated:
        for way, what in tally.differences[:SHOWN]:
            print(f"{way}: {what}")
        raise SystemExit(f"not as a fresh ingest; repeat it with --kills {given.kills} --seed {given.seed}")


SERVER = "the Chroma server was killed"
ENDED = "no kill: the run had ended before"


def row(way: Way, tally: Tally) -> dict[str, str]:
    """One line of the table."""
    return {
        "": str(way),
        "kills": str(tally.kills[way]),
        "of the server": str(tally.servers[way]),
        "rounds": str(tally.rounds[way]),
        "differences": str(sum(one == way for one, _ in tally.differences)),
        "seconds": f"{tally.seconds[way]:.0f}",
    }


def rehearse(kills: int, seed: int, *, rounds: int = ROUNDS, told: bool = False) -> Tally:
    """Kill so often; each store lives through some rounds. Choices are the seed's, moments also the machine's."""
    random = Random(seed)
    tally = Tally()
    with Worker() as worker, ScriptedServer() as model:
        number = 0
        while sum(tally.kills.values()) < kills:
            way = WAYS[number % len(WAYS)]
            number += 1
            began = time.perf_counter()
            with TemporaryDirectory(prefix="thread-crash-") as folder:
                life = Life(way, Path(folder), random, worker, model, tally)
                with life:
                    for _ in range(rounds):
                        if sum(tally.kills.values()) < kills:
                            life.round(kills)
            tally.seconds[way] += time.perf_counter() - began
            if told:
                print(
                    f"{sum(tally.kills.values())} of {kills}: {way}, {len(tally.differences)} different",
                    file=sys.stderr,
                )
    return tally


# -- one store -----------------------------------------------------------------------------------------------------


class Life:
    """A store from its beginning, and the folder of its documents."""

    def __init__(
        self, way: Way, folder: Path, random: Random, worker: Worker, model: ScriptedServer, tally: Tally
    ) -> None:
        self._way = way
        self._random = random
        self._worker = worker
        self._tally = tally
        self._guides = Guides(folder / "guides", random)
        self._directory = folder / "store"
        self._directory.mkdir()
        self._server = Chroma(folder / "served") if way.served else None
        self._model = StandIn(model, self._directory / REPLIES, tally) if way.model else None
        self._usual = 1.0
        """Seconds that a run takes which comes to its end."""

    def __enter__(self) -> Self:
        if self._server:
            self._server.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._server:
            self._server.kill()

    @property
    def target(self) -> Target:
        return Target(
            str(self._directory),
            self._server.url if self._server else "",
            self._model.url if self._model else "",
            self._way.command,
        )

    def round(self, kills: int) -> None:
        """Edits and killed runs, then a whole one; and what is different then."""
        self._guides.change()
        for _ in range(self._random.randint(1, 4)):
            if sum(self._tally.kills.values()) < kills:
                self._killed_run()
            if self._random.random() < 0.4:
                self._guides.change()
        began = time.perf_counter()
        status = self._worker.run(self.target, folder=self._guides.folder, prune=True)
        self._usual = time.perf_counter() - began
        self._tally.rounds[self._way] += 1
        if status:
            self._note(f"the run after the kills ended with {status}: {self._worker.said(self.target)}")
        for what in self._differences():
            self._note(what)

    def _note(self, what: str) -> None:
        print(f"{self._way}: {what}", file=sys.stderr)
        self._tally.differences.append((self._way, what))

    def _killed_run(self) -> None:
        self._worker.start(self.target, folder=self._guides.folder, prune=self._random.random() < 0.5)
        kills_server = self._server is not None and self._random.random() < 0.25
        if not self._worker.wait_for_moment(self._random, self._usual):
            self._tally.hit[ENDED] += 1
            self._end_of_run()
            return
        self._tally.kills[self._way] += 1
        if kills_server and self._server:
            self._server.kill()
            self._tally.servers[self._way] += 1
            self._tally.hit[SERVER] += 1
            self._end_of_run(said=COMPLAINED)
            self._server.start()
        else:
            self._worker.kill()
            self._tally.hit[STAGES[self._worker.stage]] += 1
            self._end_of_run()

    def _end_of_run(self, *, said: int = 0) -> None:
        """Wait for it. A run may end by itself, killed, or with the clear message that it should give."""
        status = self._worker.end()
        if status > 0 and status != said:
            self._note(f"a run ended with {status}: {self._worker.said(self.target)}")

    def _differences(self) -> Iterator[str]:
        """How the store is not what a fresh ingest of the documents makes."""
        with TemporaryDirectory(prefix="thread-crash-") as folder:
            fresh = Target(folder, model=self.target.model)
            with self._model.uncounted() if self._model else contextlib.nullcontext():
                status = self._worker.run(fresh, folder=self._guides.folder, prune=False)
            if status:
                yield f"a fresh ingest ended with {status}: {self._worker.said(fresh)}"
                return
            expected = self._worker.look(fresh)
        try:
            seen = self._worker.look(self.target)
        except RuntimeError as error:
            yield str(error)
        else:
            yield from different(seen, expected)


def different(seen: Mapping[str, Any], expected: Mapping[str, Any]) -> Iterator[str]:
    """What of a store is not as in another one."""
    rows, wanted = seen["rows"], expected["rows"]
    for row_id in sorted(rows.keys() | wanted.keys()):
        document = (rows.get(row_id) or wanted[row_id])["metadata"].get(layout.DOCUMENT_ID, "nothing")
        if row_id not in wanted:
            outdated = rows[row_id]["metadata"].get(layout.MARKER) == layout.OUTDATED
            yield f"row {row_id} of {document} is too many{', and outdated' * outdated}"
        elif row_id not in rows:
            yield f"row {row_id} of {document} is missing"
        else:
            for part in ("text", "metadata"):
                if rows[row_id][part] != wanted[row_id][part]:
                    yield f"row {row_id} of {document} differs in its {part}"
            if any(
                abs(a - b) > ROUNDING for a, b in zip(rows[row_id]["vector"], wanted[row_id]["vector"], strict=True)
            ):
                yield f"row {row_id} of {document} differs in its vector"
    for what in ("words", "in step", "intents", "not found"):
        if seen[what] != expected[what]:
            yield f"{what}: {str(seen[what])[:200]} instead of {str(expected[what])[:200]}"


# -- what is around it ---------------------------------------------------------------------------------------------


class Guides:
    """A folder of documents that somebody works on, and all that they have ever said."""

    def __init__(self, folder: Path, random: Random) -> None:
        self.folder = folder
        self._random = random
        self._next = 0
        self._texts: dict[str, str] = {}
        self._past: dict[str, list[str]] = {}
        for _ in range(DOCUMENTS):
            self._add()

    def change(self) -> None:
        """A few edits of any kind."""
        ways = (self._add, self._delete, self._rename, self._put_back, self._edit, self._edit, self._edit)
        for _ in range(self._random.randint(1, 6)):
            self._random.choice(ways)()

    def _add(self) -> None:
        guide = _guides.guide(self._next, DOCUMENTS)
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
        name = self._random.choice(sorted(self._past))
        self._write(name, self._random.choice(self._past[name]))

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
        self._past.setdefault(name, []).append(text)
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


if __name__ == "__main__":
    main()
