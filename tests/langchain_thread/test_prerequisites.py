import pytest
from langchain_core.documents import Document

from langchain_thread import PrerequisiteFilter
from thread_core.errors import BadStore

NEW, OLD, ALWAYS = "Agent 2.3 and later", "Before Agent 2.3", ""


def gates(documents: object) -> list[str]:
    assert isinstance(documents, list)
    return [document.metadata["prerequisite"] for document in documents]


def test_a_unit_of_another_layout_is_refused() -> None:
    with pytest.raises(BadStore, match="ingest the documents again"):
        PrerequisiteFilter().compress_documents([Document("x", metadata={"lu_layout": 99})], "x")


async def test_as_a_runnable_it_takes_the_history_of_the_call(units: list[Document]) -> None:
    gate = PrerequisiteFilter(facts=["agent 2.4"]).as_runnable()
    inputs = {"question": "It is silent", "chat_history": [("human", "agent 2.1")], "documents": units}
    assert gates(gate.invoke(inputs)) == gates(await gate.ainvoke(inputs)) == [OLD, ALWAYS]
    assert gates(gate.invoke({"question": "It is silent", "documents": units})) == [NEW, ALWAYS]
