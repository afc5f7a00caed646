"""What a walk promises, as talks over small guides: `transcripts.jsonl` whole talks, `replies.jsonl` single replies.

A turn says what must hold of it: `shows` / `hides` texts (of a list within, one is enough), `status` (any of these),
`option` / `no_option` texts within one of the options, `cites` documents, `stays`: it asks, or answers "where are we"
as before (a branch may be of the same unit). `may_stay`: if it stays, only its status counts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from thread_core import Document, RuleExtractor, default_embedding
from thread_core.store.library import Library
from thread_core.testing.store import MemoryStore
from thread_core.walk.reply import parse
from thread_core.walk.session import HowToSession

HERE = Path(__file__).parent
WHERE = "where are we"
"""Changes nothing."""


def read(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


TRANSCRIPTS, REPLIES = read("transcripts.jsonl"), read("replies.jsonl")
REPLY_IDS = [f"{number}: {reply['say']}" for number, reply in enumerate(REPLIES, 1)]


@cache
def library(*names: str) -> Library:
    store = MemoryStore()
    for name in names:
        text = (HERE / "guides" / name).read_text(encoding="utf-8")
        units = RuleExtractor().extract(Document(name, text)).units
        store.write(units, default_embedding().embed([unit.header for unit in units]))
    return Library(store, default_embedding())


def either(wanted: str | list[str]) -> list[str]:
    return [text.casefold() for text in ([wanted] if isinstance(wanted, str) else wanted)]


def faults(turn: Any, wanted: dict[str, Any], stays: bool) -> Iterator[str]:
    """What falls short of what is wanted of a turn, and whether the walk is where it was before it."""
    status, text, options = str(turn.status), turn.text.casefold(), "\n".join(turn.options).casefold()
    if "status" in wanted and status not in wanted["status"]:
        yield f"status {status}, not {' or '.join(wanted['status'])}"
    if stays and wanted.get("may_stay"):
        return
    if wanted.get("stays") and not stays:
        yield f"moved on ({status})"
    for shown in wanted.get("shows", ()):
        if not any(each in text for each in either(shown)):
            yield f"does not show {shown!r}"
    for hidden in wanted.get("hides", ()):
        if any(each in text for each in either(hidden)):
            yield f"shows {hidden!r}"
    for offered in wanted.get("option", ()):
        if not any(each in options for each in either(offered)):
            yield f"no option {offered!r} in {turn.options}"
    for kept in wanted.get("no_option", ()):
        if any(each in options for each in either(kept)):
            yield f"option {kept!r} in {turn.options}"
    for document in set(wanted.get("cites", ())).difference(span.document_id for span in turn.citations):
        yield f"does not cite {document}"


def told(talk: list[dict[str, Any]], question: str, session: HowToSession) -> Iterator[str]:
    """The faults of a whole talk; after one the talk goes on, so that all are told."""
    for number, wanted in enumerate(talk):
        said = wanted.get("say", question)
        here = session.respond(WHERE).text if wanted.keys() & {"stays", "may_stay"} else None
        turn = session.respond(said) if number else session.start(said)
        is_same = here is not None and str(turn.status) == "awaiting" and session.respond(WHERE).text == here
        stays = is_same or str(turn.status) == "asking"
        if found := list(faults(turn, wanted, stays)):
            yield f"turn {number} ({said!r}): {'; '.join(found)}\n    {turn.text!r}"


@pytest.mark.parametrize(
    "transcript",
    [
        pytest.param(each, marks=[pytest.mark.xfail(reason="its form is not read")] * each["id"].endswith("-form"))
        for each in TRANSCRIPTS
    ],
    ids=[each["id"] for each in TRANSCRIPTS],
)
def test_a_talk_goes_as_a_careful_person_expects(transcript: dict[str, Any]) -> None:
    session = HowToSession(library(*transcript["guides"]))
    found = list(told(transcript["talk"], transcript["question"], session))
    assert not found, "\n".join([transcript["kind"], *found])


@pytest.mark.parametrize("reply", REPLIES, ids=REPLY_IDS)
def test_a_reply_is_parsed_as_what_it_is(reply: dict[str, Any]) -> None:
    assert parse(reply["say"]).event in either(reply["intent"])


@pytest.mark.parametrize("reply", REPLIES, ids=REPLY_IDS)
def test_a_reply_has_its_consequence(reply: dict[str, Any]) -> None:
    talk = [{}, *({"say": said} for said in reply["before"]), {"say": reply["say"], **reply["then"]}]
    found = list(told(talk, reply["question"], HowToSession(library(*reply["guides"]))))
    assert not found, "\n".join(found)
