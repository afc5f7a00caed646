"""Thread for LlamaIndex: logic units in the place of chunks, and a retriever, an engine and a session over them."""

from thread_core.errors import missing

try:
    from llama_index_thread.chat_engine import ThreadChatEngine
    from llama_index_thread.convert import from_node as node_to_unit
    from llama_index_thread.convert import to_node as unit_to_node
    from llama_index_thread.embeddings import CachedEmbedding, DefaultEmbedding
    from llama_index_thread.ingest import ThreadIngest
    from llama_index_thread.memory import StepMemoryBlock
    from llama_index_thread.models import to_access
    from llama_index_thread.node_parser import LogicUnitNodeParser
    from llama_index_thread.prerequisites import PrerequisitePostprocessor, ThreadQuery
    from llama_index_thread.prompts import default_prompts
    from llama_index_thread.query_engine import ThreadQueryEngine
    from llama_index_thread.retriever import ThreadRetriever
    from llama_index_thread.session import HowToSession
    from llama_index_thread.team import create_howto_team
    from llama_index_thread.tool import create_howto_tool
    from llama_index_thread.whole import WholeUnits, whole_unit
    from llama_index_thread.workflow import AnswerEvent, HowToEndEvent, HowToWorkflow, TurnEvent
except ModuleNotFoundError as error:
    raise missing(error, "llama-index") from error

__all__ = [
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
    "WholeUnits",
    "create_howto_team",
    "create_howto_tool",
    "default_prompts",
    "node_to_unit",
    "to_access",
    "unit_to_node",
    "whole_unit",
]
