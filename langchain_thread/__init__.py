"""Thread for LangChain: logic units in the place of chunks, and ingest, retriever, chain, session, graph and tool."""

from thread_core.errors import missing

try:
    from langchain_thread.chain import create_howto_chain
    from langchain_thread.convert import to_document as unit_to_document
    from langchain_thread.convert import to_unit as document_to_unit
    from langchain_thread.embeddings import CachedEmbeddings, DefaultEmbeddings, HeaderEmbeddings
    from langchain_thread.graph import aanswering, answering, create_howto_graph
    from langchain_thread.ingest import ThreadIngest, unit_key
    from langchain_thread.memory import StoredStepMemory
    from langchain_thread.models import to_access
    from langchain_thread.prerequisites import PrerequisiteFilter
    from langchain_thread.prompts import default_prompts
    from langchain_thread.records import SqliteRecordManager
    from langchain_thread.retriever import ThreadRetriever
    from langchain_thread.session import HowToSession
    from langchain_thread.splitter import LogicUnitTextSplitter
    from langchain_thread.team import create_howto_team
    from langchain_thread.tool import create_howto_tool
except ModuleNotFoundError as error:
    raise missing(error, "langchain") from error

__all__ = [
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
    "create_howto_team",
    "create_howto_tool",
    "default_prompts",
    "document_to_unit",
    "to_access",
    "unit_key",
    "unit_to_document",
]
