"""Logic units in a Chroma collection: one store for the command and for both adapters."""

from thread_chroma.rows import RowForm
from thread_chroma.store import ChromaUnitStore, Rows, WritableRows, open_store

__all__ = ["ChromaUnitStore", "RowForm", "Rows", "WritableRows", "open_store"]
