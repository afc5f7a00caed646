"""What is PostgreSQL's own: rows with one id, quotes, an index of ours, and tables that are not there."""

import pytest

from llama_index_thread import DefaultEmbedding, LogicUnitNodeParser, ThreadIngest
from llama_index_thread.stores import opened
from tests.llama_index_thread.vectorstores import table
from thread_core.errors import BadStore
from thread_core.ports import rows_of
from thread_core.testing.store_suite import NORTH, SOUTH, a_unit

sql = pytest.importorskip("sqlalchemy")


def test_rows_that_llama_index_wrote_twice_are_read_once_and_become_one(postgres, documents):
    embedding = DefaultEmbedding()
    with table(postgres, 256) as store:
        nodes = LogicUnitNodeParser().get_nodes_from_documents(documents)
        vectors = embedding.get_text_embedding_batch([node.text for node in nodes])
        for _ in range(2):
            store.add([node.model_copy(update={"embedding": one}) for node, one in zip(nodes, vectors, strict=True)])
        units, everything = opened(None, store).units, sql.text("SELECT count(*) FROM data_guides")

        assert sorted(units.ids()) == sorted(node.node_id for node in nodes)
        found = [hit.unit_id for hit in units.search(vectors[0], len(nodes))]
        assert sorted(found) == sorted(units.ids())
        assert not ThreadIngest(vector_store=store, embed_model=embedding).run(documents).changed
        units.write(moved=units.get(units.ids()))
        with store.client.connect() as connection:
            assert connection.execute(everything).scalar() == len(nodes)


def test_quotes_of_a_name_are_letters(postgres):
    """LlamaIndex's own filters put them into SQL as they are."""
    name = 'it\'s; DROP TABLE "data_guides" :x %s \\.md'
    with table(postgres, 2) as store:
        units = opened(None, store).units
        unit, other = a_unit("Look", document_id=name, metadata={"o'team": name}), a_unit("Act", document_id="its.md")
        units.write([unit, other], [NORTH, SOUTH])

        assert [stored.unit for stored in rows_of(units, name)] == [unit]
        assert [hit.unit_id for hit in units.search(NORTH, 2, {"o'team": name})] == [unit.id]
        assert [hit.unit_id for hit in units.search(NORTH, 2, {"o'team": {"$ne": name}})] == [other.id]


def test_units_are_looked_up_by_an_index(postgres):
    """Whatever the planner makes of few rows."""
    with table(postgres, 2) as store:
        units = opened(None, store).units
        units.write([a_unit("Look")], [NORTH])
        looked = []
        sql.event.listen(store.client, "before_cursor_execute", lambda *call: looked.append(call[2:4]))
        units.ids()
        units.documents(["guides/disk full.md"])
        asked = [(text, values) for text, values in looked if "data_guides" in text]

        with store.client.connect() as connection:
            connection.exec_driver_sql("SET enable_seqscan = off")
            plans = [str(connection.exec_driver_sql(f"EXPLAIN {text}", values).all()) for text, values in asked]
        assert len(plans) == 2 and all("data_guides_thread_units" in plan for plan in plans)


def test_a_table_that_is_not_there_is_named(postgres):
    with (
        table(postgres, 2, perform_setup=False) as store,
        pytest.raises(BadStore, match=r"data_guides.* does not exist"),
    ):
        opened(None, store).units.version()
