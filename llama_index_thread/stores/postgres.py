"""LlamaIndex's `PGVectorStore`: where in PostgreSQL its rows lie."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import sqlalchemy as sa
from llama_index.vector_stores.postgres import PGVectorStore
from pgvector.sqlalchemy import HALFVEC, VECTOR
from sqlalchemy.dialects.postgresql import JSON, JSONB

from llama_index_thread.stores.form import Opened, over
from thread_stores.postgres import PostgresRows, Table

T = TypeVar("T")


def opened(store: PGVectorStore, writing: bool) -> Opened:
    """The units of a table; nothing is asked of the database yet."""
    text, node_id = sa.column("text", sa.Text), sa.column("node_id", sa.Text)
    metadata = sa.column("metadata_", JSONB if store.use_jsonb else JSON)
    vector = sa.column("embedding", HALFVEC if store.use_halfvec else VECTOR)
    table = sa.table(f"data_{store.table_name}", node_id, text, metadata, vector, schema=store.schema_name)

    def run(work: Callable[[sa.Connection], T]) -> T:
        store.add([])  # It connects, and makes its table, when it is first used.
        with store.client.begin() as connection:
            return work(connection)

    return over(PostgresRows(Table(run, table, node_id, text, vector, metadata)))
