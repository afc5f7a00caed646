"""The run's model as LlamaIndex's, for its components that ask one: capped, counted and kept as all others."""

from __future__ import annotations

from typing import Any

from llama_index.core.base.llms.types import CompletionResponse, CompletionResponseGen, LLMMetadata
from llama_index.core.llms import CustomLLM
from pydantic import PrivateAttr

from thread_core.llm.access import ModelAccess
from thread_core.llm.asking import Ask, Role, ask_until
from thread_core.plan import Plan
from thread_core.ports import Message
from thread_eval.systems import Setup


class AskedLLM(CustomLLM):
    """Asks with the words that a component of LlamaIndex has chosen."""

    _access: ModelAccess = PrivateAttr()

    def __init__(self, setup: Setup) -> None:
        """Take the setup's model.

        Raises:
            ValueError: it has none.
        """
        if setup.models is None:
            raise ValueError("in this system a model reads the documents; set `models` in the setup")
        super().__init__()
        self._access = setup.models

    @property
    def metadata(self) -> LLMMetadata:
        """Its name, for LlamaIndex."""
        return LLMMetadata(model_name=self._access.name(Role.EXTRACTOR) or "")

    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        """One reply; the same question is asked once."""
        return CompletionResponse(text=self._access.run(_reply(prompt)))

    async def acomplete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        """`complete`, on LlamaIndex's own event loop."""
        return CompletionResponse(text=await self._access.arun(_reply(prompt)))

    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponseGen:
        """Nothing is streamed here."""
        yield self.complete(prompt)


def _reply(prompt: str) -> Plan[str]:
    ask = Ask(Role.EXTRACTOR, (Message("user", prompt),))
    said: str = yield from ask_until(ask, lambda text: (text, []), "the reply", keep=lambda _: True)
    return said
