"""How a unit lies in a row of LangChain's: as a document, with the rest of its source's metadata.

A unit's row holds what `LogicUnitTextSplitter` puts into it. That is the unit and the rest of its document's metadata:
lists of tags, which a unit does not carry.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Mapping
from typing import Any

from langchain_thread.convert import to_document
from thread_core import Document as SourceDocument
from thread_core import LogicUnit, layout
from thread_core.models import storable
from thread_core.ports import Vector
from thread_core.store.rows import Row

_LEFT_OUT = (
    "the documents' metadata {} is left out, so filters do not find it: rows hold strings, finite numbers, booleans"
    " and lists of one of these, under keys that no store reserves ($..., #..., chroma:...); rename or convert it"
)
_CHANGED = "thread:changed"
"""A key that no row holds."""


class Rest:
    """The metadata of one run's documents that their units do not carry."""

    def __init__(self) -> None:
        self._by_document: dict[str, dict[str, Any]] = {}

    def note(self, document: SourceDocument) -> None:
        """Take in a document. Of what is no scalar, lists of scalars of one type are kept, as Chroma keeps them.

        Warns of what no row can have; of keys that are a unit's own `to_sources` does.
        """
        metadata = document.metadata
        kept = {key: value for key, value in _besides(metadata).items() if _is_plain(key, value)}
        if lost := [key for key in layout.lost(document, kept) if not layout.is_ours(key)]:
            warnings.warn(_LEFT_OUT.format(", ".join(lost)), UserWarning, stacklevel=2)
        self._by_document[document.id] = copy.deepcopy(kept)

    def clear(self) -> None:
        """Begin another run."""
        self._by_document.clear()

    def of(self, row: Mapping[str, Any]) -> dict[str, Any] | None:
        """What belongs into a row besides the unit; None where the unit's document is not of this run."""
        return self._by_document.get(row.get(layout.DOCUMENT_ID, ""))

    def marked(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """A row, with a key of its own where it holds something else besides its unit than it should."""
        rest = self.of(row)
        return row if rest is None or _besides(row) == rest else {**row, _CHANGED: True}


class DocumentRows:
    """Units as LangChain's documents lie in its stores."""

    def __init__(self, rest: Rest | None) -> None:
        """Say what belongs into rows besides their units, where they are written."""
        self._rest = rest or Rest()

    def row(self, unit: LogicUnit, vector: Vector, old: Row | None) -> Row:
        """A unit's row. What would be removed from it stays, where it is not known what its document says."""
        document = to_document(unit)
        rest = self._rest.of(document.metadata)
        if rest is None:
            rest = _besides(old.metadata) if old else {}
        return Row(unit.id, document.page_content, {**document.metadata, **rest}, vector)

    def unit(self, row: Row) -> LogicUnit:
        """The unit of a row; one that holds something else than it should besides is not like any unit."""
        return layout.from_metadata(row.id, row.text, self._rest.marked(row.metadata))


def _besides(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """What a unit does not carry of its document's metadata, or of its row's."""
    own = layout.own_metadata(metadata)
    return {key: value for key, value in metadata.items() if key not in own and not layout.is_ours(key)}


def _is_plain(key: str, value: Any) -> bool:
    if not isinstance(value, list) or len(set(map(type, value))) != 1:
        return False
    return all(storable(key, one) for one in value)
