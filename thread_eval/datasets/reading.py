"""Records of a data set, checked one by one: from a file of JSON or JSON lines, or from a hub."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from thread_core.errors import ThreadError

FAULTS = 3
"""Faults of a record that are named; the others are counted."""
SHOWN = 60
"""Characters that are shown of what was found."""

_EXPECTED = "one JSON object a line (.jsonl), or one JSON object or a list of them"
_BETWEEN = re.compile(r"[\s,]*")

R = TypeVar("R", bound=BaseModel)


class Record(BaseModel):
    """One record of somebody else's data set; fields that are not needed here are passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class BadDataset(ThreadError, ValueError):
    """A data set that cannot be read; the message names the file, the line and the field."""


def read_records(path: Path, form: type[R]) -> list[R]:
    """The records of a file: one JSON object a line (`.jsonl`), else one JSON object or a list of them.

    Raises:
        BadDataset: something is no record of that form, or there is none.
        OSError: the file cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadDataset(f"{path}: found bytes that are not UTF-8 ({error}); expected UTF-8 text") from error
    if path.suffix == ".jsonl":
        lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
        records = [_checked(_decoded(path, line, at), form, partial("{}:{}".format, path, at)) for at, line in lines]
    else:
        whole = _decoded(path, text, 1)
        items = enumerate(whole if isinstance(whole, list) else [whole])
        records = [_checked(item, form, partial(_place, path, at, text)) for at, item in items]
    if not records:
        raise BadDataset(f"{path}: found no record; expected at least one {form.__name__}")
    return records


def read_files(path: Path, form: type[R]) -> list[R]:
    """The records of a file, or of all files of a folder (`*.json`, `*.jsonl`) in the order of their names.

    Raises:
        BadDataset: as `read_records`, or there is no such file in the folder.
        OSError: a file cannot be read.
    """
    if not path.is_dir():
        return read_records(path, form)
    paths = sorted(file for file in path.iterdir() if file.suffix in (".json", ".jsonl"))
    if not paths:
        raise BadDataset(f"{path}: found no file, expected files that end in .json or .jsonl")
    return [record for file in paths for record in read_records(file, form)]


def read_hub(name: str, split: str, form: type[R], source: str) -> list[R]:
    """The records of a data set on a hub, by the package `datasets`.

    Raises:
        ModuleNotFoundError: `datasets` is not installed.
        BadDataset: the hub does not give it, or something is no record of that form.
    """
    advice = f"get its files from {source} and pass their path"
    try:
        from datasets import load_dataset
    except ModuleNotFoundError as error:
        what = f"the data set {name} is read from a hub by `datasets`: pip install datasets; or {advice}"
        raise ModuleNotFoundError(f"{error.msg}; {what}", name=error.name) from error
    try:
        rows: Iterable[Any] = load_dataset(name, split=split)
    except Exception as error:  # whatever it raises: no such data set or split, no network, a broken file
        raise BadDataset(f"the hub does not give {name} ({split}): {error}; {advice}") from error
    return [_checked(row, form, partial("{}[{}], record {}".format, name, split, at)) for at, row in enumerate(rows, 1)]


def _checked(data: Any, form: type[R], where: Callable[[], str]) -> R:
    try:
        return form.model_validate(data)
    except ValidationError as error:
        faults = [_fault(one) for one in error.errors(include_url=False)]
        more = f" (and {len(faults) - FAULTS} more)" if len(faults) > FAULTS else ""
        raise BadDataset(f"{where()}: {'; '.join(faults[:FAULTS])}{more}") from error


def _fault(error: Any) -> str:
    field = ".".join(map(str, error["loc"])) or "record"
    found = "nothing" if error["type"] == "missing" else _short(error["input"])
    return f"{field}: found {found}; {error['msg']}"


def _short(value: Any) -> str:
    shown = json.dumps(value, ensure_ascii=False, default=str)
    return shown if len(shown) <= SHOWN else f"{shown[:SHOWN]}..."


def _decoded(path: Path, text: str, line: int) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        at, found = line + error.lineno - 1, f"invalid JSON (column {error.colno}: {error.msg})"
        raise BadDataset(f"{path}:{at}: found {found}, expected {_EXPECTED}") from error
    except (ValueError, RecursionError) as error:  # a number of thousands of digits; lists in lists in lists
        raise BadDataset(f"{path}:{line}: found JSON that cannot be read ({error}), expected {_EXPECTED}") from error


def _place(path: Path, index: int, text: str) -> str:
    """The file and the line, from 1, at which an item of a list begins, or the one object that there is."""
    decoder, place = json.JSONDecoder(), len(text) - len(text.lstrip())
    place += text.startswith("[", place)
    for item in range(index + 1):
        place = _BETWEEN.match(text, place).end()  # type: ignore[union-attr]
        if item < index:
            place = decoder.raw_decode(text, place)[1]
    return f"{path}:{text.count(chr(10), 0, place) + 1}"
