"""The core and the exports work with no framework, no store and nothing that downloads; and the public names."""

import json
import subprocess
import sys
from importlib import import_module
from types import ModuleType
from unittest.mock import patch

import pytest

import langchain_thread
import llama_index_thread
import thread_core
import thread_eval
import thread_lint
import thread_mcp
import thread_telemetry

BLOCKED = """
chromadb docx huggingface_hub langchain langchain_chroma langchain_classic langchain_community langchain_core
langchain_openai langchain_text_splitters langgraph llama_index llama_index.core llama_index_instrumentation mcp openai
openpyxl opentelemetry pdfplumber psycopg ray rich torch transformers typer workflows
""".split()
PROGRAM = """
import json, pkgutil, sys
blocked, text = json.load(sys.stdin)
sys.modules.update(dict.fromkeys(blocked))
import thread_core
from thread_core import Document, RuleExtractor, default_embedding
for module in pkgutil.walk_packages(thread_core.__path__, "thread_core."):
    if not module.name.startswith("thread_core.testing"):
        __import__(module.name)
units = RuleExtractor().extract(Document("disk.md", text)).units
default_embedding().embed([unit.header for unit in units])
loaded = set(sys.modules)
import thread_export
for module in pkgutil.walk_packages(thread_export.__path__, "thread_export."):
    __import__(module.name)
above = (
    "langchain_thread llama_index_thread thread_chroma thread_eval thread_lint thread_mcp thread_ray thread_rag"
    " thread_stores thread_telemetry thread_view"
).split()
there = [name for name in above if name in sys.modules] + ["thread_export"] * ("thread_export" in loaded)
print(json.dumps([[unit.header for unit in units], there]))
"""


def test_the_core_extracts_and_exports_load_where_no_framework_is_installed() -> None:
    text = "# Disk full\n\n1. Look.\n2. If it is full, free some space.\n"
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], input=json.dumps([BLOCKED, text]), capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert json.loads(done.stdout) == [["Disk full: Look"], []]


@pytest.mark.parametrize(
    ("package", "blocked", "extra"),
    [
        ("langchain_thread", "langgraph", "langchain"),
        ("langchain_thread.models", "langchain_core", "langchain"),
        ("llama_index_thread", "llama_index.core", "llama-index"),
        ("thread_eval.metrics.inscoqa", "rapidfuzz", "eval"),
        ("thread_telemetry", "opentelemetry.metrics", "telemetry"),
        ("thread_mcp", "mcp", "mcp"),
        ("thread_stores.ledger", "psycopg", "postgres"),
    ],
)
def test_an_adapter_without_its_framework_says_what_to_install(package: str, blocked: str, extra: str) -> None:
    ours = package.partition(".")[0]
    with patch.dict(sys.modules):
        for name in [name for name in sys.modules if f"{name}.".startswith((f"{ours}.", f"{blocked}."))]:
            del sys.modules[name]
        sys.modules[blocked] = None  # type: ignore[assignment]
        with pytest.raises(ModuleNotFoundError) as refused:
            import_module(package)
    assert str(refused.value).endswith(f'; it comes with: pip install "thread-rag[{extra}]"')


PINNED = {
    thread_core: """
        Document Extraction LLMExtractor Link LinkAction LogicUnit LogicUnitType Place Report RuleExtractor Span Target
        default_embedding identify
    """,
    langchain_thread: """
        CachedEmbeddings DefaultEmbeddings HeaderEmbeddings HowToSession LogicUnitTextSplitter PrerequisiteFilter
        SqliteRecordManager StoredStepMemory ThreadIngest ThreadRetriever aanswering answering create_howto_chain
        create_howto_graph create_howto_team create_howto_tool default_prompts document_to_unit to_access unit_key
        unit_to_document
    """,
    llama_index_thread: """
        AnswerEvent CachedEmbedding DefaultEmbedding HowToEndEvent HowToSession HowToWorkflow LogicUnitNodeParser
        PrerequisitePostprocessor StepMemoryBlock ThreadChatEngine ThreadIngest ThreadQuery ThreadQueryEngine
        ThreadRetriever TurnEvent WholeUnits create_howto_team create_howto_tool default_prompts node_to_unit
        to_access unit_to_node whole_unit
    """,
    thread_telemetry: "instrument",
    thread_mcp: "Clients create_app create_server",
    thread_lint: "RULES Finding Found Guide Rule Severity check",
    thread_eval: "DATASETS BadDataset Score compare load load_from_hub macro micro summarise",
}


@pytest.mark.parametrize("package", PINNED, ids=lambda package: package.__name__)
def test_the_public_names_are_pinned(package: ModuleType) -> None:
    assert package.__all__ == PINNED[package].split()
    assert all(hasattr(package, name) for name in package.__all__)
