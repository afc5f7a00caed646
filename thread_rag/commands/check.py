"""`thread-rag check`: whether a store is well, for people and for what watches a service."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from thread_rag.ending import errors_in_one_line
from thread_rag.options import STORE, ServerOption, StoreOption

if TYPE_CHECKING:
    from thread_core.ports import UnitStore
    from thread_rag.place import Place

EXAMPLE = "Example: thread-rag check --store /var/lib/guides --report last.json --max-age 26"

ROOM = 200_000_000
"""Bytes that are to be free where an ingest writes: four times the largest call, of rows of 8.5 kB."""
_BUSY = "an ingest is under way"

Look = tuple[str, Callable[[], str]]
"""What is looked at, and what says what it has found, or raises `_Trouble` or a `ThreadError`."""


class _Trouble(Exception):
    """What is wrong, and what to do."""


def check(
    store: StoreOption = STORE,
    server: ServerOption = "",
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE", help="What `thread-rag ingest --report` has written.")
    ] = None,
    max_age: Annotated[
        float | None,
        typer.Option("--max-age", metavar="HOURS", min=0, help="How old the report may be; without it, of any age."),
    ] = None,
) -> None:
    """Say whether a store is well; exits with 1 where it is not.

    A line for each thing. units: there are some, and they can be read. embedding: they were embedded as this release
    embeds. words, ledger: they are those of these units. disk: an ingest has room there. With --report, last ingest: it
    came to its end, no document failed, and it ended less than --max-age hours ago.

    A line with NOT WELL says what to do. What an ingest under way is changing is not looked at. Nothing is written,
    and no model is asked.
    """
    if max_age is not None and report is None:
        raise typer.BadParameter("name the report; the other option says how old it may be", param_hint="--report")
    with errors_in_one_line():
        from thread_core.errors import ThreadError
        from thread_core.text.safe import one_line
        from thread_rag.place import Place

        is_well = True
        for name, look in _looks(Place(store, server), report, max_age):
            try:
                said = look()
            except (_Trouble, ThreadError) as trouble:
                is_well, said = False, f"NOT WELL: {trouble}"
            typer.echo(f"{name:<12}{one_line(said)}")
        if not is_well:
            raise typer.Exit(1)


def _looks(place: Place, report: Path | None, max_age: float | None) -> Iterator[Look]:
    from thread_core.errors import BadStore, StoreBusy

    try:
        units = place.units(patience=0)
        version = units.version()
    except StoreBusy:
        yield "units", lambda: _BUSY
    except BadStore as error:
        broken = str(error)
        yield "units", lambda: _not_well(broken)
    else:
        yield "units", lambda: _held(version)
        yield "embedding", lambda: _embedding(units)
        yield "words", lambda: _words(place, version)
        yield "ledger", lambda: _ledger(place, version)
    yield "disk", lambda: _room(place.directory)
    if report is not None:
        yield "last ingest", lambda: _last(report, max_age)


def _held(version: str) -> str:
    from thread_core.store.versioning import count_of

    return f"{count_of(version):,}" if version else _not_well("there are none; run `thread-rag ingest PATH`")


def _embedding(units: UnitStore) -> str:
    from thread_core import default_embedding
    from thread_core.store.library import Library

    complaint = Library(units, default_embedding()).complaint()
    return _not_well(complaint) if complaint else "fits"


def _words(place: Place, version: str) -> str:
    if not place.has_words():
        return "none here"
    return _in_step(place, version, place.words().version(), "the next question or ingest reads them anew")


def _ledger(place: Place, version: str) -> str:
    if not place.has_ledger():
        return "none here"
    return _in_step(place, version, place.ledger().version(), "the next ingest compares every document")


def _in_step(place: Place, version: str, known: str, mended: str) -> str:
    from thread_core.store.versioning import count_of

    if known == version:
        return "in step"
    if place.is_written():
        return _BUSY
    return _not_well(f"of {count_of(known):,} units, and the store holds {count_of(version):,} or others; {mended}")


def _room(directory: Path) -> str:
    there = next(one for one in (directory, *directory.absolute().parents) if one.is_dir())
    free = shutil.disk_usage(there).free
    said = f"{free / 1e9:,.1f} GB free"
    return said if free >= ROOM else _not_well(f"{said} at {directory}, and {ROOM / 1e9:,.1f} are needed; make room")


def _last(path: Path, max_age: float | None) -> str:
    from pydantic import ValidationError

    from thread_core.ingest import IngestReport
    from thread_rag import files

    with files.text_of(path) as file:
        try:
            report = IngestReport.model_validate_json(file.read())
            age = (datetime.now(UTC) - datetime.fromisoformat(report.at)).total_seconds() / 3600
        except (ValidationError, ValueError, TypeError):
            return _not_well(f"{path} is no report of `thread-rag ingest --report`")
    said = f"at {report.at}: {'; '.join(str(report).splitlines())}"
    if not report.ok:
        return _not_well(said)
    if max_age is not None and age > max_age:
        return _not_well(f"{age:.1f} hours ago, and {max_age:g} are allowed; see that `thread-rag ingest` is run")
    return said


def _not_well(said: str) -> str:
    raise _Trouble(said)
