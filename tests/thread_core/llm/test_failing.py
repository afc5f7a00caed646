"""What the log says where models fail."""

import logging

import pytest

from tests.thread_core.llm.test_access import LOOK, answered, hows, said, ways
from thread_core.errors import BadReply, BudgetSpent, ModelBusy, ModelError
from thread_core.llm import failing
from thread_core.llm.access import ModelAccess
from thread_core.llm.asking import Ask, Role, Speak, ask_for
from thread_core.llm.costs import Budget
from thread_core.llm.failing import AGAIN, Rarely
from thread_core.ports import Form, Reply
from thread_core.testing.model import ScriptedModel

SELECT, SPEAK = Ask(Role.SELECTOR, LOOK), Speak(Role.GENERATOR, LOOK)


class Unit(Form):
    unit: int


@pytest.fixture(autouse=True)
def log(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """The log of a process in which nothing has failed yet."""
    monkeypatch.setattr(failing, "_rarely", Rarely(logging.getLogger(failing.__name__)))
    return caplog


def test_each_kind_of_trouble_is_told_at_once_and_then_at_intervals(log: pytest.LogCaptureFixture) -> None:
    now = [5.0]
    rarely = Rarely(logging.getLogger("somebody"), lambda: now[0])
    for kind in ("busy", "busy", "refused", "busy"):
        rarely.warning(kind, f"it is {kind}")
    now[0] += AGAIN
    rarely.warning("busy", "it is busy still")
    assert log.messages == ["it is busy", "it is refused", "it is busy still (2 times since the last message)"]


@hows
def test_a_model_that_fails_for_everybody_is_told_once(how: str, log: pytest.LogCaptureFixture) -> None:
    for _ in range(3):
        with pytest.raises(ModelBusy):
            answered(ModelAccess(ScriptedModel(("", ModelBusy("HTTP 503"))), attempts=1), SELECT, how)
    assert [(one.name, one.levelname, one.getMessage()) for one in log.records] == [
        ("thread_core.llm.failing", "WARNING", "the selector works without a model: HTTP 503")
    ]


@ways
@pytest.mark.parametrize("end", ["length", "refused", ""])
def test_an_answer_that_breaks_off_is_told(way: str, end: str, log: pytest.LogCaptureFixture) -> None:
    with pytest.raises(ModelError) as raised:
        said(ModelAccess(ScriptedModel(("", Reply(text="Turn the", end=end)))), SPEAK, way)
    assert log.messages == [f"the generator works without a model: {raised.value}"]


@hows
def test_a_spent_budget_is_told(how: str, log: pytest.LogCaptureFixture) -> None:
    with pytest.raises(BudgetSpent) as raised:
        answered(ModelAccess(ScriptedModel(), budget=Budget(tokens=0)), SELECT, how)
    assert log.messages == [f"the selector works without a model: {raised.value}"]


def test_a_reply_of_no_use_is_told_and_not_shown(log: pytest.LogCaptureFixture) -> None:
    access = ModelAccess(ScriptedModel(("", "My password is 1234."), ("", "Still 1234.")))
    with pytest.raises(BadReply):
        access.run(ask_for(Ask(Role.QUERY_GENERATOR, LOOK), Unit))
    [told] = log.messages
    assert told == "the query generator works without a model: the reply holds no JSON object with the fields unit"


@hows
def test_nothing_is_told_where_all_is_well_or_a_report_tells(how: str, log: pytest.LogCaptureFixture) -> None:
    answered(ModelAccess(ScriptedModel(("", "yes"))), SELECT, how)
    with pytest.raises(ModelError):
        answered(ModelAccess(ScriptedModel(("", ModelError("no")))), Ask(Role.EXTRACTOR, LOOK), how)
    assert log.messages == []
