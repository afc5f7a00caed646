"""What is named on the command line -> the files to read. Names only: no document is opened here.

A folder is searched as git and its users see it: hidden files are left out, and so is what a `.gitignore` names.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from thread_core.errors import NothingFound
from thread_core.extraction.corrections import ENDING
from thread_core.models import encodable
from thread_core.text.scripts import composed
from thread_rag.ignoring import GITIGNORE, Ignored, is_ignored

OFFICE = (".docx", ".pdf", ".xlsx", ".csv", ".ipynb")
"""Endings of the files that other programs than editors of text write."""
DOT = (".dot", ".gv")
DRAWN = (".mmd", ".mermaid", *DOT)
"""Endings of the files that are one drawing."""
ENDINGS = (".md", ".mdx", ".markdown", ".txt", ".rst", ".html", ".htm", *DRAWN, *OFFICE)
"""Endings of the files that can be read, in lower case."""
_DATA = (".csv",)
"""Endings of files that are seldom documents: of a folder without a pattern they are not taken."""


_NOT_UTF_8 = "has a name that is not UTF-8; rename it, or use a UTF-8 locale (LC_ALL=C.UTF-8)"


class SourceFile(NamedTuple):
    """A file that was found, and what it will be called."""

    path: Path
    document_id: str
    trouble: str = ""
    """Why it cannot be read, where that is known before it is opened."""


@dataclass(frozen=True, slots=True)
class Root:
    """One of the paths that were named, with what was found there."""

    name: str
    """The resolved absolute path (of a pattern: its folder's, then the pattern), the same from run to run."""
    files: tuple[SourceFile, ...]
    """The files to read, ordered by id, without those that a path named before has brought already."""
    ids: frozenset[str]
    """The ids of all files that are there, those that another root brings or that cannot be read included."""
    unlisted: tuple[str, ...] = ()
    """Folders below it whose files nobody may list, each ending in a slash."""
    others: Mapping[str, int] = field(default_factory=dict)
    """How many files there are of kinds that are not read, by the ending of their names in lower case."""

    def may_hold(self, document_id: str) -> bool:
        """Whether a document has not vanished from here, as far as can be seen."""
        return document_id in self.ids or document_id.startswith(self.unlisted)


def find(paths: Sequence[Path]) -> list[Root]:
    """Find the documents of files, folders with all below them, and patterns such as `docs/**/*.md`.

    A document's id is its path below the folder that was named, or below the part of a pattern that has no wildcard
    (with slashes, on every system), so that links between the documents of a folder find each other; that of a file
    named by itself is the file's name. A file that is named twice is found once, where it was named first. Symbolic
    links to files count as files where they stay within what was named; those to folders are not followed unless they
    are named.

    Raises:
        NothingFound: a path is missing, or a folder or a pattern holds no document.
    """
    return list(_roots(paths))


def _roots(paths: Sequence[Path]) -> Iterator[Root]:
    called: dict[Path, str] = {}
    """Files by what they really are, with their ids."""
    holders: dict[str, Path] = {}
    named = [_real(path) for path in paths]
    for path in dict.fromkeys(paths):
        name, found, walk = _found(path, named)
        files, ids = [], set()
        for file in map(_named_in_utf_8, found):
            real = _real(file.path)
            ids.add(called.get(real, file.document_id))
            if real in called:
                continue
            called[real] = file.document_id
            if holders.setdefault(file.document_id, real) != real:
                trouble = f"{file.path} would have the same id as another file; name the folder above both"
                files.append(file._replace(trouble=trouble))
            else:
                files.append(file)
        unlisted, others = (tuple(walk.unlisted), walk.others) if walk else ((), {})
        yield Root(encodable(name), tuple(files), frozenset(ids), unlisted, others)


def has_left(file: SourceFile, root: str) -> bool:
    """Whether nothing but this very file is left of what a root of that name had under the file's id."""
    path = file_in(root, file.document_id)
    return not path.exists() or _real(path) == _real(file.path)


def file_in(root: str, document_id: str) -> Path:
    """The file that a root of that name has under a document's id, if it is there."""
    path = Path(root)
    if path.is_file():
        return path
    return (path if path.is_dir() else _split(path)[0]) / document_id


def of_other_kinds(roots: Iterable[Root]) -> dict[str, int]:
    """How many files of some roots are of kinds that are not read, by the ending of their names."""
    return dict(sum((Counter(root.others) for root in roots), Counter[str]()))


def _real(path: Path) -> Path:
    """What a path really is; of links that lead in a circle, `Path.resolve` raises errors."""
    return Path(os.path.realpath(path))


def _found(path: Path, named: Sequence[Path]) -> tuple[str, list[SourceFile], _Walk | None]:
    """A root's name, its files by id, and what the search through a folder tells besides."""
    if path.is_dir():
        folder, pattern = path, tuple[str, ...]()
    elif os.path.lexists(path):
        return str(_real(path)), [SourceFile(path, composed(path.name))], None
    else:
        folder, pattern = _split(path)
        if not pattern or not folder.is_dir():
            raise NothingFound(f"{path} does not exist; name a document or a folder of documents")
    walk = _Walk(folder, pattern, named)
    found = sorted(walk.files(), key=lambda file: file.document_id)
    if not found and not walk.unlisted:
        raise NothingFound(f"{path} has no documents; expected files that end in {', '.join(ENDINGS)}")
    return str(folder.resolve().joinpath(*pattern)), found, walk


def _named_in_utf_8(file: SourceFile) -> SourceFile:
    r"""A file with an id that can be written down: of a name that is not UTF-8, the bytes are shown: `\xff.md`."""
    name = os.fsencode(file.document_id).decode(errors="backslashreplace")
    return file if name == file.document_id else file._replace(document_id=name, trouble=_NOT_UTF_8)


def _split(path: Path) -> tuple[Path, tuple[str, ...]]:
    """The folders above a pattern's first wildcard, and the pattern below them; empty where there is none."""
    wild = next((at for at, part in enumerate(path.parts) if any(sign in part for sign in "*?[")), len(path.parts))
    return Path(*path.parts[:wild]), path.parts[wild:]


def _matches(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    """Whether a path fits a pattern, part by part; `**` stands for any number of folders."""
    if not pattern:
        return not parts
    first, *rest = pattern
    if first == "**":
        return any(_matches(parts[skipped:], rest) for skipped in range(len(parts) + 1))
    return bool(parts) and fnmatchcase(parts[0], first) and _matches(parts[1:], rest)


class _Walk:
    """One search through a folder."""

    def __init__(self, folder: Path, pattern: tuple[str, ...], named: Sequence[Path]) -> None:
        self._folder = folder
        self._real = folder.resolve()
        """Where rules apply: those of the folders above know it by this path."""
        self._pattern = tuple(map(composed, pattern))
        self._open = (self._real, *named)
        """Where links may lead."""
        self.unlisted: list[str] = []
        self.others: Counter[str] = Counter()

    def files(self) -> Iterator[SourceFile]:
        """Its files that can be read and fit the pattern; of a folder that cannot be listed, the folder."""
        waiting: list[tuple[str, list[Ignored]]] = [("", _above(self._folder))]
        while waiting:
            below, rules = waiting.pop()
            folder = self._folder / below
            try:
                with os.scandir(folder) as listed:
                    entries = [entry for entry in listed if not entry.name.startswith(".") or entry.name == GITIGNORE]
            except OSError as error:
                self.unlisted.append(below)
                yield SourceFile(folder, below or folder.name, f"cannot be listed: {error.strerror}")
                continue
            if any(entry.name == GITIGNORE for entry in entries):
                rules = [Ignored.by(self._real / below), *rules]
                if rules[0].trouble:
                    yield SourceFile(folder / GITIGNORE, below + GITIGNORE, rules[0].trouble)
            for entry in entries:
                path, inner = folder / entry.name, below + entry.name
                is_folder = _is_folder(entry)
                if entry.name == GITIGNORE or is_ignored(self._real / inner, is_folder, rules):
                    continue
                if not is_folder and self._is_wanted(inner):
                    is_outside = entry.is_symlink() and not any(map(_real(path).is_relative_to, self._open))
                    yield SourceFile(
                        path, composed(inner), "is a link out of the folder; name the file itself" * is_outside
                    )
                elif is_folder and not entry.is_symlink():
                    waiting.append((f"{inner}/", rules))

    def _is_wanted(self, document_id: str) -> bool:
        if self._pattern and not _matches(composed(document_id).split("/"), self._pattern):
            return False
        is_read = document_id.lower().endswith(ENDINGS) and (
            bool(self._pattern) or not document_id.lower().endswith(_DATA)
        )
        if not is_read and not document_id.endswith(ENDING):
            self.others[Path(document_id).suffix.lower()] += 1
        return is_read


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link in a circle
        return False


def _above(folder: Path) -> list[Ignored]:
    """The rules of a repository that a folder stands in; none where they leave the folder itself out: it was named."""
    resolved = folder.resolve()
    above = resolved.parents
    top = next((at for at, parent in enumerate(above) if (parent / ".git").exists()), None)
    if top is None or (resolved / ".git").exists():
        return []
    rules = [Ignored.by(parent) for parent in above[: top + 1] if (parent / GITIGNORE).exists()]
    inside = [resolved, *above[:top]]
    return [] if any(is_ignored(one, True, [r for r in rules if r.folder in one.parents]) for one in inside) else rules
