"""Replies of a model that calls tools: what is sent in the place of a text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tests.scripted.faults import Fault
from tests.scripted.wire import Answer

Call = tuple[str, Mapping[str, Any] | str]
"""A tool's name, and its arguments, or a text that is no JSON."""


def calling(*calls: Call) -> Fault:
    """A reply that calls tools, with arguments as they are, or as text that is no JSON."""

    def change(answer: Answer) -> Answer:
        listed = [
            {"id": f"call_{at}", "type": "function", "function": {"name": name, "arguments": _text(arguments)}}
            for at, (name, arguments) in enumerate(calls)
        ]
        message = {"role": "assistant", "content": None, "tool_calls": listed}
        choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
        body = {"id": "x", "object": "chat.completion", "created": 1, "model": "scripted", "choices": [choice]}
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        return replace(answer, instead=json.dumps(body | {"usage": usage}))

    return Fault("calls", change)


def _text(arguments: Mapping[str, Any] | str) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)
