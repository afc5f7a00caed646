from __future__ import annotations

import pytest

from thread_core.ports import LLM, Message
from thread_core.testing.model import ScriptedModel


def test_it_replies_in_order_and_remembers_what_it_was_asked() -> None:
    model = ScriptedModel(("fits", "unit 3"), ("next", "done"))
    llm: LLM = model
    assert llm.complete([Message("system", "s"), Message("user", "Which fits?")]) == "unit 3"
    assert llm.complete([Message("user", "What next?")]) == "done"
    model.finished()
    assert [conversation[-1].text for conversation in model.seen] == ["Which fits?", "What next?"]


def test_it_refuses_surprises() -> None:
    model = ScriptedModel(("fits", "unit 3"))
    with pytest.raises(AssertionError, match="expects a question with 'fits'"):
        model.complete([Message("user", "Hello?")])
    with pytest.raises(AssertionError, match="the script has ended"):
        model.complete([Message("user", "Which fits?")])


def test_a_reply_that_was_never_asked_for_is_an_error() -> None:
    with pytest.raises(AssertionError, match="never asked for"):
        ScriptedModel(("fits", "unit 3")).finished()
