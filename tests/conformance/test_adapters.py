"""Both adapters pass the suite that a new one would have to pass, over each store that they know."""

from __future__ import annotations

import pytest

from tests.conformance.conftest import (
    langchain_in_memory,
    langchain_pipeline,
    llama_index_in_memory,
    llama_index_pipeline,
)
from thread_core.testing.adapter_suite import DOCUMENTS, Adapter, AdapterSuite


class TestBoth(AdapterSuite):
    @pytest.fixture(params=[langchain_pipeline, langchain_in_memory, llama_index_pipeline, llama_index_in_memory])
    def adapter(self, request: pytest.FixtureRequest) -> Adapter:
        made: Adapter = request.param(DOCUMENTS)
        return made
