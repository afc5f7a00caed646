"""The fields of what is kept on disks, by the version of their form: `python -m tests.forms.fields` adds new versions.

An entry that is there is never written over: whoever changes fields raises the version of their form first.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from langchain_thread import graph, records
from llama_index_thread import workflow
from tests.thread_core.actions import action
from thread_core import layout
from thread_core.extraction import corrections, unit_lines
from thread_core.ingest import ledger
from thread_core.llm import reply_cache
from thread_core.models import LogicUnit
from thread_core.store import lexical, vector_cache
from thread_core.testing.store_suite import a_full_unit
from thread_core.walk import journal, state
from thread_core.walk.execution import Outcome, OutcomeKind
from thread_stores import names
from thread_stores import words as postgres_words

FILE = Path(__file__).with_name("fields.json")
_PROSE = ("description", "title")


def forms() -> dict[str, Any]:
    """By name and version, what each form has today."""
    kinds = {
        "ledger": ledger.KIND,
        "replies": reply_cache._KIND,
        "vectors": vector_cache._KIND,
        "words": lexical._KIND,
        "names": names.KIND,
        "words in PostgreSQL": postgres_words.KIND,
        "records": records._KIND,
    }
    return {
        f"session {state.VERSION}": _bare(state.SessionState.model_json_schema()),
        f"graph {graph.VERSION}": sorted(graph.HowToState.__annotations__),
        f"workflow of session {state.VERSION}": sorted(workflow.HowToState.model_fields),
        f"journal {journal.FORM}": _lines(),
        f"rows {layout.LAYOUT}": sorted(layout.to_metadata(a_full_unit())),
        f"corrections {corrections.VERSION}": _bare(corrections.File.model_json_schema()),
        f"export {unit_lines.VERSION}": _bare(LogicUnit.model_json_schema()),
        **{f"{name} {kind.schema}": list(kind.tables) for name, kind in kinds.items()},
    }


def known() -> dict[str, Any]:
    """What was written down of each form, of today and of before."""
    read: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return read


def _bare(schema: Any) -> Any:
    """A schema without what only people read."""
    if isinstance(schema, Mapping):
        prose = [key for key in _PROSE if isinstance(schema.get(key), str)]
        return {key: _bare(value) for key, value in schema.items() if key not in prose}
    return list(map(_bare, schema)) if isinstance(schema, list) else schema


def _lines() -> dict[str, list[str]]:
    """The keys of each line that a journal writes by itself."""
    book = journal.Journal()
    book.answered("a/1", 0, "next")
    book.begin(action("pumpctl start"))
    book.finish(action(), Outcome(kind=OutcomeKind.OBSERVED, text="green"))
    book.begin(action("pumpctl start"))
    return {entry["event"]: sorted(entry) for entry in book.entries()}


if __name__ == "__main__":
    FILE.write_text(json.dumps({**forms(), **known()}, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
