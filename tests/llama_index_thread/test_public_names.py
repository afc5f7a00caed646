import llama_index_thread


def test_what_users_may_rely_on():
    assert llama_index_thread.__all__ == [
        "AnswerEvent",
        "CachedEmbedding",
        "DefaultEmbedding",
        "HowToEndEvent",
        "HowToSession",
        "HowToWorkflow",
        "LogicUnitNodeParser",
        "PrerequisitePostprocessor",
        "StepMemoryBlock",
        "ThreadChatEngine",
        "ThreadIngest",
        "ThreadQuery",
        "ThreadQueryEngine",
        "ThreadRetriever",
        "TurnEvent",
        "create_howto_tool",
        "default_prompts",
        "node_to_unit",
        "to_access",
        "unit_to_node",
    ]
