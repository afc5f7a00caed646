"""Both adapters pass the suite that a new one would have to pass."""

from __future__ import annotations

import pytest

from tests.conformance.conftest import (
    langchain_in_memory,
    langchain_pipeline,
    llama_index_in_memory,
    llama_index_pipeline,
)
from thread_core.testing.adapter_suite import DOCUMENTS, Adapter, AdapterSuite


class TestLangChain(AdapterSuite):
    @pytest.fixture
    def adapter(self) -> Adapter:
        return langchain_pipeline(DOCUMENTS)


class TestLangChainInMemory(AdapterSuite):
    @pytest.fixture
    def adapter(self) -> Adapter:
        return langchain_in_memory(DOCUMENTS)


class TestLlamaIndex(AdapterSuite):
    @pytest.fixture
    def adapter(self) -> Adapter:
        return llama_index_pipeline(DOCUMENTS)


class TestLlamaIndexInMemory(AdapterSuite):
    @pytest.fixture
    def adapter(self) -> Adapter:
        return llama_index_in_memory(DOCUMENTS)
