"""Which rules a run looks for, and which guides: by options, or by a file beside the guides."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from thread_core.errors import BadFile
from thread_core.models import Model, faults_in
from thread_lint.rules import RULES, USUAL
from thread_lint.rules.rule import Rule

OWN_FILE = ".thread-lint.toml"
PYPROJECT = "pyproject.toml"
TABLE = "thread-lint"
"""Of `[tool]` in a `pyproject.toml`."""


class Settings(Model):
    """What a project says of its guides."""

    select: tuple[str, ...] = ()
    """Rules to look for, by code, name or the beginning of codes such as `TR2`; the usual ones where there are none."""
    ignore: tuple[str, ...] = ()
    """Rules of these to leave out."""
    exclude: tuple[str, ...] = ()
    """Guides to leave out: patterns for their ids, in which `*` stands for slashes, too."""

    def leaves_out(self, document_id: str) -> bool:
        """Whether a guide is not to be checked; others' links find it all the same."""
        return any(fnmatchcase(document_id, pattern) for pattern in self.exclude)


def settings_above(folder: Path) -> Settings:
    """The settings of the nearest file, in a folder or above it; where there is none, the usual rules and all guides.

    Raises:
        BadFile: the file cannot be read, is no TOML, or has what is no setting.
    """
    for above in (folder, *folder.parents):
        for name in (OWN_FILE, PYPROJECT):
            file = above / name
            if file.is_file() and (found := _settings(file)) is not None:
                return found
    return Settings()


def _settings(file: Path) -> Settings | None:
    """The settings of a file; None of a `pyproject.toml` that has none."""
    try:
        told: Any = tomllib.loads(file.read_text(encoding="utf-8"))
        if file.name == PYPROJECT:
            tools = told.get("tool")
            told = tools.get(TABLE) if isinstance(tools, dict) else None
        return None if told is None else Settings.model_validate(told)
    except ValidationError as error:
        faults = "; ".join(faults_in(error))
        raise BadFile(f"{file}: {faults}; expected only select, ignore and exclude, each a list of strings") from error
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        if file.name == PYPROJECT and isinstance(error, UnicodeDecodeError):
            return None
        raise BadFile(f"{file} is not valid TOML ({error}); correct it") from error


def chosen(select: Iterable[str], ignore: Iterable[str]) -> Sequence[Rule]:
    """The rules that are selected, the usual ones where none is, without those that are ignored.

    Raises:
        ValueError: a name is that of no rule.
    """
    selected = [rule for name in select for rule in named(name)] or USUAL
    ignored = [rule for name in ignore for rule in named(name)]
    return [rule for rule in RULES if rule in selected and rule not in ignored]


def named(name: str) -> Sequence[Rule]:
    """The rules of a code, a name or the beginning of a code.

    Example:
        >>> [rule.name for rule in named("TR4")]
        ['broken-command', 'unwarned-deletion']

    Raises:
        ValueError: there is none.
    """
    wanted = name.strip()
    found = [rule for rule in RULES if rule.name == wanted.lower() or (wanted and rule.code.startswith(wanted.upper()))]
    if not found:
        raise ValueError(f"found {name!r}, expected a rule: {', '.join(rule.code for rule in RULES)}")
    return found
