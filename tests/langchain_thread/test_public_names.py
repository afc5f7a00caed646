import langchain_thread


def test_what_users_may_rely_on() -> None:
    assert langchain_thread.__all__ == [
        "CachedEmbeddings",
        "DefaultEmbeddings",
        "HeaderEmbeddings",
        "HowToSession",
        "LogicUnitTextSplitter",
        "PrerequisiteFilter",
        "SqliteRecordManager",
        "StoredStepMemory",
        "ThreadIngest",
        "ThreadRetriever",
        "aanswering",
        "answering",
        "create_howto_chain",
        "create_howto_graph",
        "create_howto_tool",
        "default_prompts",
        "document_to_unit",
        "to_access",
        "unit_key",
        "unit_to_document",
    ]
