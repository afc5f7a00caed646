"""Reads guides at random while they are written, in a process on another machine, until its input ends.

It takes one order, `{"at": {...}, "folder": "..."}`, and prints a line each time that a guide is read as it was not
before, and how often it has read: `{"name": "...", "units": [...]}`, ..., `{"reads": 900, "failed": 2}`.
"""

from __future__ import annotations

import json
import select
import sys
from pathlib import Path
from random import Random

from _ray_worker import At

from thread_core.errors import ThreadError
from thread_core.ingest.guarded import guarded
from thread_core.ports import rows_of

PAUSE = 0.02
"""Seconds between two reads."""


def main() -> None:
    """Read, and say what was there."""
    order = json.loads(sys.argv[1])
    folder, random = Path(order["folder"]), Random(0)
    store = guarded(At(**order["at"]).store())
    seen: set[tuple[str, ...]] = set()
    reads = failed = 0
    while not select.select([sys.stdin], [], [], PAUSE)[0]:
        name = random.choice(sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*.md")))
        try:
            found = [row.unit.id for row in rows_of(store, name)]
        except ThreadError:
            failed += 1
            continue
        reads += 1
        if (line := (name, *found)) not in seen:
            seen.add(line)
            print(json.dumps({"name": name, "units": found}), flush=True)
    print(json.dumps({"reads": reads, "failed": failed}), flush=True)


if __name__ == "__main__":
    main()
