"""A language model for the command, and how it is reached."""

from __future__ import annotations

import os

from langchain_openai import ChatOpenAI

from langchain_thread.models import ChatModel
from thread_core.errors import ModelError
from thread_core.ports import LLM

KEY = "OPENAI_API_KEY"
TIMEOUT = 300.0
"""Seconds that a reply may take."""


def open_model(name: str, base_url: str = "", *, asked: bool = True) -> LLM:
    """A model of a service that speaks OpenAI's protocol; the key is in the environment.

    Args:
        name: The model's name.
        base_url: Where the service is, if it is not OpenAI's own.
        asked: Whether it will be asked; else no key is needed.

    Raises:
        ModelError: there is no key.
    """
    key = os.environ.get(KEY, "")
    if asked and not key.strip():
        raise ModelError(f"found no key for {name}; set {KEY} (to any word if the service needs none)")
    # The core has the patience, and counts each attempt.
    return ChatModel(
        ChatOpenAI(model=name, base_url=base_url or None, api_key=key or "none", max_retries=0, timeout=TIMEOUT)
    )
