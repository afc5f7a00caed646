"""Logic units in a Chroma collection: one store for the command and for both adapters."""

from thread_chroma.following import follow_store
from thread_chroma.opening import check, in_time, open_server, open_store
from thread_chroma.rows import RowForm
from thread_chroma.store import ChromaUnitStore, Rows, WritableRows

__all__ = [
    "ChromaUnitStore",
    "RowForm",
    "Rows",
    "WritableRows",
    "check",
    "follow_store",
    "in_time",
    "open_server",
    "open_store",
]
