from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel, SecretStr

from thread_core.llm import setups
from thread_core.llm.setups import digest


class Thinking(BaseModel):
    budget: int


SETTINGS: dict[str, Any] = {
    "model_name": "small",
    "seed": 1,
    "temperature": 0,
    "stop": ["."],
    "base_url": "http://host:8000/v1",
    "extra_body": {"top_k": 3},
    "thinking": Thinking(budget=9),
}


@pytest.mark.parametrize(
    "other",
    [
        {"seed": 2},
        {"seed": None},
        {"temperature": 0.9},
        {"stop": [".", ";"]},
        {"base_url": "http://host:8001/v1"},
        {"base_url": "https://host:8000/v1"},
        {"extra_body": {"top_k": 4}},
        {"extra_body": {"top_k": 3, "min_p": 0.1}},
        {"thinking": Thinking(budget=10)},
        {"max_tokens": 100},
        {"system_prompt": "Be short."},
        {"reasoning_effort": "low"},
    ],
)
def test_what_may_change_a_reply_is_told_apart(other: dict[str, Any]) -> None:
    assert digest(SETTINGS | other) != digest(SETTINGS)


@pytest.mark.parametrize(
    "other",
    [
        {"temperature": 0.0},
        {"timeout": 3},
        {"request_timeout": 3.0},
        {"max_retries": 9},
        {"callbacks": ["a"]},
        {"tags": ["a"]},
        {"verbose": True},
        {"streaming": True},
        {"rate_limiter": 3},
        {"default_headers": {"X-Key": "secret"}},
        {"api_key": "secret"},
        {"openai_api_key": SecretStr("secret")},
        {"aws_secret_access_key": "secret"},
        {"azure_ad_token": "secret"},
        {"extra_body": {"top_k": 3, "api-key": "secret"}},
        {"base_url": "http://me:secret@host:8000/v1/?key=secret"},
        {"client": object()},
        {"seed": 1, "tokenizer": "x"},
    ],
)
def test_what_changes_no_reply_and_credentials_are_not(other: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    dumps = setups.json.dumps

    def heard(value: Any, **options: Any) -> str:
        seen.append(dumps(value, **options))
        return seen[-1]

    monkeypatch.setattr(setups.json, "dumps", heard)
    assert digest(SETTINGS | other) == digest(SETTINGS)
    assert "secret" not in "".join(seen)


def test_the_order_does_not_count() -> None:
    assert digest(dict(reversed(SETTINGS.items()))) == digest(SETTINGS)
