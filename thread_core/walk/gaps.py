"""Where a reply finds a guide wanting (`gap`): said of a turn, and collected over the journals of many walks."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from thread_core.errors import BadJournal
from thread_core.executors.redacting import without_secrets
from thread_core.models import Model, Span
from thread_core.plan import Plan
from thread_core.walk.gap import Gap, GapKind
from thread_core.walk.journal import FORM
from thread_core.walk.positions import screen_shown, unit_at
from thread_core.walk.state import Asked, SessionState
from thread_core.walk.states import READING, Event, Status

IN_WORDS = (GapKind.NOT_COVERED, GapKind.ASKED, GapKind.NOT_ANSWERED, GapKind.NO_GUIDE)
"""Kinds of which the reply itself says what is missing."""
_ONE_REPORT = (GapKind.NOT_COVERED, GapKind.NONE)
"""Kinds that one report may come to, one after the other, until the walk goes on."""


def gap_of(state: SessionState, event: Event, text: str, reached: Status, kinds: Sequence[GapKind]) -> Plan[Gap | None]:
    """Say where a reply finds a guide wanting; what comes of one report counts once.

    Args:
        state: In which the reply was given.
        event: What the person meant.
        text: Their words.
        reached: The status that was reached.
        kinds: That were noted on the way; the first one counts.
    """
    if event in READING or event is Event.EXECUTED:
        return state.gap
    if event is Event.START:
        return Gap(kind=GapKind.NO_GUIDE, said=text) if reached is Status.UNKNOWN else None
    pending = state.pending
    about = pending.about if pending is not None and pending.kind is Asked.OUTCOME else ""
    kind = next(iter(kinds), None)
    if kind is None or (kind is GapKind.NONE and state.gap is not None and state.gap.kind in _ONE_REPORT and about):
        return None
    said = state.question if kind is GapKind.NO_GUIDE else text if kind in IN_WORDS else about
    at = pending.at if pending is not None and pending.at is not None else state.step
    if at is None:
        return Gap(kind=kind, said=said)
    where = at.model_dump(include={"document_id", "unit_id", "header", "first", "last", "start", "end"})
    unit, units = yield from unit_at(at)
    cases = screen_shown(at, unit, units).cases if unit is not None else ()
    known = tuple(dict.fromkeys(case.link.condition for case in cases if case.link.condition))
    return Gap(kind=kind, said=said, known=known, **where)


class Wanting(Model):
    """What several walks missed at one place in the same words."""

    gap: Gap
    """As it was met last."""
    count: int
    """How often; a walk may meet it more than once."""
    sessions: int
    """In how many walks."""
    first: str
    last: str
    """When, in ISO 8601."""

    @property
    def citation(self) -> str:
        """The lines of the step, as `disk.md:4-9`; empty where there was none."""
        if not self.gap.document_id or not self.gap.start:
            return self.gap.document_id
        return str(Span(self.gap.document_id, self.gap.start, max(self.gap.start, self.gap.end)))


@dataclass(slots=True)
class _Met:
    gap: Gap
    first: str
    last: str
    sessions: Counter[str] = field(default_factory=Counter)


def collect(entries: Iterable[Mapping[str, Any]]) -> list[Wanting]:
    """Collect the gaps that the entries of journals tell of: by guide and in reading order, the most frequent first.

    Args:
        entries: Of any journals, in the order of each; what is none, or tells of no gap, is passed over.

    Returns:
        With a mark in the place of what looks like a secret.
    """
    met: dict[tuple[str, ...], _Met] = {}
    counted: set[tuple[str, int]] = set()
    for entry in entries:
        gap, walk = _gap_in(entry), (str(entry.get("session")), entry.get("turn"))
        if gap is None or not isinstance(walk[1], int) or walk in counted:
            continue
        counted.add((walk[0], walk[1]))
        at = str(entry.get("at", ""))
        # A step that was edited is another one; that it was moved within its document makes no difference.
        key = (gap.document_id, gap.unit_id, str(gap.last), gap.kind, " ".join(gap.said.casefold().split()))
        one = met.setdefault(key, _Met(gap, at, at))
        one.gap, one.first, one.last = gap, min(one.first, at), max(one.last, at)
        one.sessions[walk[0]] += 1
    found = [
        Wanting(gap=one.gap, count=one.sessions.total(), sessions=len(one.sessions), first=one.first, last=one.last)
        for one in met.values()
    ]
    return sorted(found, key=lambda one: (one.gap.document_id, one.gap.start, -one.count, one.gap.kind, one.gap.said))


def _gap_in(entry: Mapping[str, Any]) -> Gap | None:
    if entry.get("event") != "reached" or not entry.get("gap"):
        return None
    try:
        gap = Gap.model_validate(entry["gap"])
    except ValidationError:
        return None
    return gap.model_copy(update={"said": without_secrets(gap.said)})


def entries_of(path: Path) -> Iterator[dict[str, Any]]:
    """Read the entries of a journal's file, without a lock and without a change of it.

    A last line that is still being written is left out.

    Raises:
        BadJournal: it cannot be read, a line of it is no entry, or one is of a newer form.
    """
    try:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                if not line.endswith("\n"):
                    return
                yield _entry(path, number, line)
    except (OSError, UnicodeDecodeError) as error:
        raise BadJournal(f"{path} cannot be read ({error}); expected a journal") from error


def _entry(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        entry = json.loads(line)
        is_known = isinstance(entry, dict) and {"at", "event"} <= entry.keys()
    except (ValueError, RecursionError):
        is_known = False
    if not is_known:
        raise BadJournal(f"{path}: line {number}: {line[:60]!r} is not an entry of a journal; expected a journal")
    if entry.get("form", FORM) != FORM:
        raise BadJournal(f"{path}: line {number} has format {entry['form']}, but this release reads format {FORM}")
    return entry  # type: ignore[no-any-return]
