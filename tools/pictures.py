"""Draws docs/assets/walk.svg: a real walk of the command in a terminal, on a ground of its own that suits any page.

python tools/pictures.py
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "assets" / "walk.svg"
COMMAND = ("ask", "Service A cannot reach Service B, what do I do?", "--store", "guides")
SAID = ("I get a 503 from the health check", "one is Evicted")
COLUMNS = 96
LAST_LINES = 4
"""Lines of the last screen that are drawn; dots stand for the others."""
PROMPT = b"\n> "
FORMAT = """\
<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg" role="img" aria-label="A walk in the terminal">
<style>
.{unique_id}-matrix {{ font: {char_height}px Menlo, Consolas, "DejaVu Sans Mono", monospace; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal"><rect width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""
"""Rich's, without the fonts that it would fetch."""


def main() -> None:
    """Draw it."""
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(draw(walk()), encoding="utf-8")
    print(f"wrote {PICTURE.relative_to(ROOT)}")


def walk() -> str:
    """What the terminal shows, with the codes of its colours."""
    with tempfile.TemporaryDirectory() as folder:
        thread_rag = (sys.executable, "-m", "thread_rag")
        environment = os.environ | {"PYTHONPATH": str(ROOT), "TERM": "xterm-256color", "COLUMNS": str(COLUMNS)}
        ingest = (*thread_rag, "ingest", str(ROOT / "examples" / "documents"), "--store", "guides")
        subprocess.run(ingest, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
        asked = subprocess.Popen((*thread_rag, *COMMAND), cwd=folder, env=environment, stdin=theirs, stdout=theirs)
        os.close(theirs)
        shown = _until_asked(ours)
        for line in SAID:
            os.write(ours, f"{line}\n".encode())
            shown += _until_asked(ours)
        os.write(ours, b"quit\n")
        asked.wait(timeout=60)
        os.close(ours)
    words = " ".join(f'"{word}"' if " " in word else word for word in COMMAND)
    return f"$ thread-rag {words}\n{shown}"


def draw(shown: str) -> str:
    """The picture of what a terminal shows."""
    *before, last = shown.rpartition(SAID[-1])
    lines = last.splitlines(keepends=True)
    text = Text.from_ansi("".join([*before, *lines[: LAST_LINES + 1], "..."]))
    console = Console(record=True, width=COLUMNS, file=StringIO(), force_terminal=True)
    console.print(text)
    return console.export_svg(title="thread-rag", theme=MONOKAI, code_format=FORMAT, unique_id="walk")


def _until_asked(terminal: int) -> str:
    """What the command prints until it asks the person."""
    read = b""
    while not re.sub(rb"\r|\x1b\[[\d;?]*[a-zA-Z]", b"", read).endswith(PROMPT):
        read += os.read(terminal, 65536)
    return read.decode().replace("\r\n", "\n")


if __name__ == "__main__":
    main()
