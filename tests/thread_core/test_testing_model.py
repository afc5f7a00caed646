from __future__ import annotations

import pytest

from thread_core.errors import ModelBusy
from thread_core.ports import LLM, Message, Reply
from thread_core.testing.model import ScriptedModel

FITS = [Message("system", "s"), Message("user", "Which fits?")]


async def test_it_replies_in_order_and_remembers_what_it_was_asked() -> None:
    model = ScriptedModel(("fits", "unit 3"), ("next", "done"))
    llm: LLM = model
    assert llm.complete(FITS).text == "unit 3"
    assert (await llm.acomplete([Message("user", "What next?")])).text == "done"
    model.finished()
    assert [conversation[-1].text for conversation in model.seen] == ["Which fits?", "What next?"]


async def test_it_speaks_word_by_word() -> None:
    model = ScriptedModel(("fits", Reply(text="the third unit", end="length")), ("fits", "one two"))
    assert [(piece.text, piece.end) for piece in model.stream(FITS)] == [
        ("the ", ""),
        ("third ", ""),
        ("unit", "length"),
    ]
    assert [piece.text async for piece in model.astream(FITS)] == ["one ", "two"]


def test_it_fails_where_the_script_says_so() -> None:
    model = ScriptedModel(("fits", ModelBusy("later", retry_after=2.0)))
    with pytest.raises(ModelBusy, match="later"):
        model.complete(FITS)


def test_it_refuses_surprises() -> None:
    model = ScriptedModel(("fits", "unit 3"))
    with pytest.raises(AssertionError, match="expects a question with 'fits'"):
        model.complete([Message("user", "Hello?")])
    with pytest.raises(AssertionError, match="the script has ended"):
        model.complete(FITS)


def test_a_reply_that_was_never_asked_for_is_an_error() -> None:
    with pytest.raises(AssertionError, match="never asked for"):
        ScriptedModel(("fits", "unit 3")).finished()
