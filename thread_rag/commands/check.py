"""`thread-rag check`: a health check of a store, for people and monitors."""

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

EXAMPLES = """\
thread-rag check
thread-rag check --report last.json --max-age 26  # in a monitor"""

ROOM = 200_000_000
"""Bytes that an ingest needs to have free: four times its largest call, with rows of 8.5 kB."""
_BUSY = "an ingest is running"

Look = tuple[str, Callable[[], str]]
"""The name of an item, and a function that returns what it found, or raises `_Trouble` or a `ThreadError`."""


class _Trouble(Exception):
    """Says what is wrong and what to do."""


def check(
    store: StoreOption = STORE,
    server: ServerOption = "",
    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="FILE", help="Check this report of `thread-rag ingest --report` too."),
    ] = None,
    max_age: Annotated[
        float | None,
        typer.Option("--max-age", metavar="HOURS", min=0, help="How old the report may be. Default: any age."),
    ] = None,
) -> None:
    """Check the health of a store; exit with 1 if there is a problem.

    One line per item:

    - units: the store has units, and they can be read.
    - embedding: the units were embedded with this release's embedding.
    - words, ledger: the lexical index and the ledger belong to these units.
    - disk: an ingest has enough space.
    - last ingest, with --report: it finished, no document failed, and it is less than --max-age hours old.

    A line with NOT WELL says what to do. While an ingest is running, what it changes is not checked. Nothing is
    written, and no model is asked.
    """
    if max_age is not None and report is None:
        raise typer.BadParameter(
            "found --max-age without a report; name the report with --report", param_hint="--report"
        )
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

    return f"{count_of(version):,}" if version else _not_well("the store is empty; run `thread-rag ingest PATH`")


def _embedding(units: UnitStore) -> str:
    from thread_core import default_embedding
    from thread_core.store.library import Library

    complaint = Library(units, default_embedding()).complaint()
    return _not_well(complaint) if complaint else "fits"


def _words(place: Place, version: str) -> str:
    if not place.has_words():
        return "none"
    return _in_step(place, version, place.words().version(), "the next question rebuilds it")


def _ledger(place: Place, version: str) -> str:
    if not place.has_ledger():
        return "none"
    return _in_step(place, version, place.ledger().version(), "the next ingest compares every document")


def _in_step(place: Place, version: str, known: str, mended: str) -> str:
    from thread_core.store.versioning import count_of

    if known == version:
        return "up to date"
    if place.is_written():
        return _BUSY
    return _not_well(f"it has {count_of(known):,} units, the store has {count_of(version):,}, or other ones; {mended}")


def _room(directory: Path) -> str:
    there = next(one for one in (directory, *directory.absolute().parents) if one.is_dir())
    free = shutil.disk_usage(there).free
    said = f"{free / 1e9:,.1f} GB free"
    return (
        said
        if free >= ROOM
        else _not_well(f"{said} at {directory}, expected at least {ROOM / 1e9:,.1f} GB; free some space")
    )


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
