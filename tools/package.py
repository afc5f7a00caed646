"""Builds the release from the commit that is checked out, and uses it as whoever installs it would.

It is built from a source archive, without Git and without tags. What is in it is checked; then the wheel is installed
alone in empty environments, by pip and, where it is there, by uv, and the demo and the quickstarts run from it.

    python tools/package.py [FOLDER]      keeps the files in a folder, dist unless one is named
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from collections.abc import Iterable, Sequence
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXTRAS = "langchain,llama-index,cli"
STORIES = ("demo.py", "langchain_quickstart.py", "llama_index_quickstart.py", "langchain_ingest.py")
LARGEST = 10_000_000
"""Bytes of either file; the weights of the default embedding are half of that."""
PACKAGES = sorted(init.parent.name for init in ROOT.glob("*thread*/__init__.py"))
"""All that are here: one that `pyproject.toml` does not name would be left behind."""
LICENCES = ("LICENSE", "thread_core/data/LICENSE-APACHE", "thread_core/data/NOTICE", "thread_view/assets/dagre/LICENSE")
WITHOUT_EXTRAS = """
from thread_core import Document, RuleExtractor, default_embedding
units = RuleExtractor().extract(Document("disk.md", "# Disk full\\n\\n1. Look.\\n2. Free some space.\\n")).units
default_embedding().embed([unit.header for unit in units])
try:
    import langchain_thread
except ModuleNotFoundError as error:
    assert 'pip install "thread-rag[langchain]"' in str(error), error
else:
    raise AssertionError("a framework came along")
"""


def main() -> None:
    """Build, check and use it."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "dist").resolve()
    shutil.rmtree(folder, ignore_errors=True)
    with tempfile.TemporaryDirectory() as temporary:
        made = Path(temporary)
        source = made / "source"
        archive = _run("git", "archive", "HEAD", cwd=ROOT, stdout=subprocess.PIPE).stdout
        with tarfile.open(fileobj=BytesIO(archive)) as files:
            files.extractall(source, filter="data")
        _run(sys.executable, "-m", "build", "--outdir", str(folder), str(source), stdout=subprocess.DEVNULL)
        _run(sys.executable, "-m", "twine", "check", "--strict", *map(str, folder.iterdir()))
        (wheel,) = folder.glob("*.whl")
        (sdist,) = folder.glob("*.tar.gz")
        check(wheel, sdist)
        use_alone(wheel, made / "alone")
        for name, install in installers(made):
            use(wheel, source / "examples", made / name, install)


def check(wheel: Path, sdist: Path) -> None:
    """Raise AssertionError where a file holds what it should not, or lacks what it should hold."""
    names = set(zipfile.ZipFile(wheel).namelist())
    with tarfile.open(sdist) as files:
        sources = {name.partition("/")[2] for name in files.getnames()}
    (info,) = {name.partition("/")[0] for name in names if ".dist-info/" in name}
    assert {name.partition("/")[0] for name in names} == {*PACKAGES, info}, sorted(names)
    for package in PACKAGES:
        assert f"{package}/py.typed" in names & sources, f"{package} is not typed"
    for licence in LICENCES:
        assert f"{info}/licenses/{licence}" in names and licence in sources, f"{licence} is missing"
    for file in (wheel, sdist):
        assert file.stat().st_size < LARGEST, f"{file.name} has {file.stat().st_size} bytes"


def use_alone(wheel: Path, folder: Path) -> None:
    """The core works without an extra, and an adapter says which it needs."""
    venv.create(folder, with_pip=True)
    python = str(folder / "bin" / "python")
    _run(python, "-m", "pip", "install", "--quiet", str(wheel))
    _run(python, "-c", WITHOUT_EXTRAS, cwd=folder)


def installers(made: Path) -> Iterable[tuple[str, Sequence[str]]]:
    """What installs, by name, as a command with a place for the interpreter."""
    yield "pip", ("{python}", "-m", "pip")
    if uv := shutil.which("uv"):
        yield "uv", (uv, "pip")
    else:
        print("uv is not on PATH: only pip is tried")


def use(wheel: Path, examples: Path, folder: Path, install: Sequence[str]) -> None:
    """The extras fit one another, and the stories run, out of reach of the repository."""
    venv.create(folder, with_pip="{python}" in install)
    python = str(folder / "bin" / "python")
    tool = [word.format(python=python) for word in install]
    where = [] if "{python}" in install else ["--python", python]
    _run(*tool, "install", "--quiet", *where, f"thread-rag[{EXTRAS}] @ {wheel.as_uri()}")
    _run(*tool, "check", *where)
    shutil.copytree(examples, folder / "examples")
    for story in STORIES:
        print(f"{folder.name}: {story}", flush=True)
        _run(python, story, cwd=folder / "examples", stdout=subprocess.DEVNULL)
    _run(str(folder / "bin" / "thread-rag"), "--version")


def _run(*command: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return subprocess.run(command, check=True, env=environment, **options)


if __name__ == "__main__":
    main()
