"""A walk's state and the lines of its journal -> a record in Markdown of how it went, for whoever looks at it later.

What people, documents and programs have said stands in it as code, so that none of it is a mark, a link, a tag or a
name that is called; what looks like a secret is replaced by a mark.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from thread_core.executors.redacting import without_secrets
from thread_core.models import Span
from thread_core.text.quoting import block, code, seen
from thread_core.walk.execution import CARRIED_OUT, OutcomeKind
from thread_core.walk.state import Asked, Position, SessionState
from thread_core.walk.states import Status

_ENDED = {
    Status.NEW: "it was not started",
    Status.AWAITING: "it is open: a step waits for its outcome",
    Status.ASKING: "it is open: a question waits for an answer",
    Status.RESOLVED: "resolved",
    Status.ESCALATED: "handed over",
    Status.UNKNOWN: "nothing fitted",
}
_CAME = {
    OutcomeKind.OBSERVED: "It was run",
    OutcomeKind.FAILED: "It was run and failed",
    OutcomeKind.UNCERTAIN: "It was started, and it is not known how it ended: completely, in part or not at all",
}
_NO_JOURNAL = "There is no journal of this walk, so the times and what was run are not known."


def write(state: SessionState, entries: Iterable[Mapping[str, Any]]) -> str:
    """Write the record of a walk, finished or not. It is made anew each time, and reads no documents.

    Args:
        state: Of the walk.
        entries: Of its journal, in order; those of other walks in it are left out. Without any, times are missing.
    """
    own = [*_own(entries, state.root)]
    parts = [_head(state, own), _steps(state), _turns(own), _run(own), _conditions(state), _open(state, own)]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _own(entries: Iterable[Mapping[str, Any]], session: str) -> Iterator[Mapping[str, Any]]:
    """The entries of a walk; an action's later ones say its key alone."""
    keys = set()
    for entry in entries:
        if entry.get("session") == session:
            keys |= {entry["key"]} if "key" in entry else set()
            yield entry
        elif "session" not in entry and entry.get("key") in keys:
            yield entry


def _head(state: SessionState, own: Sequence[Mapping[str, Any]]) -> list[str]:
    people = dict.fromkeys(str(entry["by"]) for entry in own if entry.get("by"))
    about = list({str(entry["about"]): entry["about"] for entry in own if entry.get("about")}.values())
    lines = [
        "# Record of a walk",
        "",
        f"- Question: {_code(state.question)}",
        f"- How it ended: {_ENDED[state.status]}",
    ]
    if own:
        lines.append(f"- From {_time(own[0])} to {_time(own[-1])}")
    lines += [f"- By: {', '.join(map(_code, people))}"] * bool(people)
    lines += [f"- About: {_code(json.dumps(one, ensure_ascii=False))}" for one in about]
    return [*lines, f"- Session: {_code(state.id)}", *([] if own else ["", _NO_JOURNAL])]


def _steps(state: SessionState) -> list[str]:
    """What was shown, where that stands, and what came of it."""
    shown = [step for step in state.trail if not step.ending]
    lines = []
    for number, step in enumerate(shown, start=1):
        is_at_hand = step is shown[-1] and not step.outcome
        came = (
            "not done"
            if step.skipped
            else _code(step.outcome) or ("at hand" if is_at_hand else "no outcome was reported")
        )
        lines.append(f"{number}. {_code(step.header)} ({_cited(step)}): {came}")
    return ["## Steps", "", *lines] if lines else []


def _turns(own: Sequence[Mapping[str, Any]]) -> list[str]:
    """What was said, when, and where that led."""
    lines = []
    for entry in own:
        who = f" {_code(entry['by'])}" if entry.get("by") else ""
        match entry.get("event"):
            case "answered":
                lines.append(f"- {_time(entry)}{who} said: {_code(entry.get('answer', ''))}")
            case "reached":
                lines.append(f"- {_time(entry)} {'; '.join(_reached(entry))}")
    return ["## Turn by turn", "", *lines] if lines else []


def _reached(entry: Mapping[str, Any]) -> Iterator[str]:
    status = str(entry.get("status", ""))
    step, asks, gap = (_mapping(entry.get(name)) for name in ("step", "asks", "gap"))
    yield _ENDED.get(Status(status), status) if status in ("resolved", "escalated", "unknown") else "shown"
    if step:
        first, last = _lines(step.get("lines"))
        at = f" ({_place(str(entry.get('document', '')), first, last)})" if first else ""
        yield f"{_code(step.get('header', ''))}{at}"
    if step.get("why"):
        yield f"why: {_code(step['why'])}"
    if asks:
        is_approval = asks.get("kind") == Asked.APPROVAL
        question = asks.get("question") or ("whether to run it" if is_approval else "")
        yield f"asked: {_code(question)}" if question else "asked which outcome applies"
    if gap:
        yield f"left open: {_code(gap.get('kind', ''))}"


def _run(own: Sequence[Mapping[str, Any]]) -> list[str]:
    """What an executor has begun, who had allowed it, and what came of it; not what it left to the person."""
    finished = {entry.get("key"): entry for entry in own if entry.get("event") == "finished"}
    lines: list[str] = []
    for entry in own:
        end = finished.get(entry.get("key"))
        came = _kind(end.get("kind")) if end else OutcomeKind.UNCERTAIN
        if entry.get("event") != "begun" or came not in CARRIED_OUT:
            continue
        by = f"approved by {_code(entry['by'])}" if entry.get("by") else "approved by the person"
        allowed = by if entry.get("approved") else "allowed by a rule, without being asked"
        commands = "\n".join(map(str, entry.get("commands") or ())) or str(entry.get("header", ""))
        lines += [f"At {_time(entry)}, {allowed}:", "", block(_said(commands)), "", f"{_CAME[came]}.", ""]
        if end and end.get("text"):
            lines += [block(_said(str(end["text"]).strip("\n"))), ""]
    return ["## What was run", "", *lines[:-1]] if lines else []


def _conditions(state: SessionState) -> list[str]:
    lines = [
        *(f"- Holds, as the person said: {_code(text)}" for text in state.known.confirmed),
        *(f"- Does not hold: {_code(text)}" for text in state.denied),
        *(f"- Left open, and not assumed to hold: {_code(text)}" for text in state.left_open),
        *(f"- Guessed step: {_code(step.header)} ({_code(step.why)})" for step in state.trail if step.is_guess),
    ]
    return ["## Prerequisites and assumptions", "", *lines] if lines else []


def _open(state: SessionState, own: Sequence[Mapping[str, Any]]) -> list[str]:
    lines = []
    if state.pending is not None:
        about = state.pending.question or state.pending.about
        lines.append(f"- Not answered yet ({state.pending.kind.value}): {_code(about) or 'the step at hand'}")
    gaps = {entry.get("turn"): _mapping(entry.get("gap")) for entry in own if entry.get("event") == "reached"}
    if not own and state.gap is not None:
        gaps = {state.turn: state.gap.model_dump(mode="json")}
    for gap in filter(None, gaps.values()):
        said = f": {_code(gap['said'])}" if gap.get("said") else ""
        at = (
            f" at {_place(str(gap['document_id']), gap.get('start', 0), gap.get('end', 0))}"
            if gap.get("document_id")
            else ""
        )
        lines.append(f"- {str(gap.get('kind', '')).capitalize()}{at}{said}")
    return ["## What is open", "", *lines] if lines else []


def _cited(step: Position) -> str:
    return _place(step.document_id, step.start, step.end)


def _place(document_id: str, first: int, last: int) -> str:
    return _code(str(Span(document_id, first, max(first, last))) if first else document_id)


def _lines(written: Any) -> tuple[int, int]:
    match written:
        case [int() as first, int() as last] if first >= 0:
            return first, last
    return 0, 0


def _kind(written: Any) -> OutcomeKind | None:
    return OutcomeKind(written) if written in list(OutcomeKind) else None


def _mapping(written: Any) -> Mapping[str, Any]:
    return written if isinstance(written, Mapping) else {}


def _time(entry: Mapping[str, Any]) -> str:
    return seen(str(entry.get("at", "")))[:40]


def _said(text: str) -> str:
    return seen(without_secrets(text))


def _code(text: Any) -> str:
    return code(without_secrets(str(text)))
