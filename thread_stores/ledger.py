"""A ledger in PostgreSQL, for ingests whose writers are on several machines."""

from __future__ import annotations

from thread_core.ingest.ledger import KIND, Ledger
from thread_stores.database import PostgresDatabase

SCHEMA = "thread_ledger"


def open_ledger(address: str, *, schema: str = SCHEMA) -> Ledger:
    """The ledger of a store, kept in PostgreSQL and made where it is missing.

    Args:
        address: Such as `postgresql://me:secret@host/guides`.
        schema: Where its tables lie; one for each store.

    Raises:
        BadLedger: the server cannot be reached, or the schema holds something else.

    Example:
        ThreadIngest(store, embedder, ledger=open_ledger("postgresql://host/guides")).run(documents)
    """
    return Ledger(PostgresDatabase(address, KIND, schema))
