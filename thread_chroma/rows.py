"""How a unit becomes a row of a collection."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from thread_core import layout
from thread_core.models import LogicUnit, as_json

RowForm = Callable[[LogicUnit], tuple[str, Mapping[str, Any]]]
"""A unit -> its row's text and all of its metadata, as the framework lays them out that owns the collection."""
_NUMBER = 6
"""Bytes of a vector's number in a request: four, written in base 64."""


class Record(NamedTuple):
    """What a call writes of a row."""

    id: str
    document_id: str
    vector: Sequence[float]
    """Empty where it stays as it is."""
    metadata: Mapping[str, Any]
    """It is merged with what the row has; None stands for a key that goes."""
    text: str

    @property
    def size(self) -> int:
        """Bytes of a request that it takes, rather too many than too few."""
        return len(as_json((self.id, self.metadata, self.text))) + _NUMBER * len(self.vector)


def rendered(unit: LogicUnit) -> tuple[str, dict[str, Any]]:
    """The row of LangChain and of the command: its text is the rendered unit."""
    text = layout.row_text(unit)
    return text, layout.with_text(unit, text)


def written(unit: LogicUnit, vector: Sequence[float], form: RowForm, old: Mapping[str, Any]) -> Record:
    """A unit's row, in the place of one that has some metadata."""
    text, new = form(unit)
    metadata = {**dict.fromkeys(key for key in old if key not in new), **new}
    return Record(unit.id, unit.document_id, vector, metadata, text)
