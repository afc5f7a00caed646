import pickle

import pytest

from thread_core.errors import (
    AnsweredAlready,
    BadDocument,
    BadIndex,
    BadReply,
    BadStore,
    IllegalStep,
    ModelBusy,
    NothingFound,
    ThreadError,
)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (BadDocument("a.md", "is not text"), "a.md: is not text"),
        (BadStore("no logic units"), "no logic units"),
        (BadIndex("is damaged"), "is damaged"),
        (NothingFound("no document"), "no document"),
        (IllegalStep("answer", "new", "start first"), "cannot answer a session that is new: start first"),
        (BadReply("not JSON", raw="{"), "not JSON"),
        (ModelBusy("ask later", retry_after=3.0), "ask later"),
        (AnsweredAlready("a1", 3), str(AnsweredAlready("a1", 3))),
    ],
)
def test_every_error_is_a_thread_error_with_a_message_and_travels(error: ThreadError, message: str) -> None:
    assert isinstance(error, ThreadError)
    assert str(error) == message
    other = pickle.loads(pickle.dumps(error))
    assert (type(other), str(other), vars(other)) == (type(error), message, vars(error))


@pytest.mark.parametrize(("answer", "said"), [("done", ", with 'done'; "), (None, "; ")])
def test_a_late_answer_is_told_of_the_first_where_that_is_known(answer: str | None, said: str) -> None:
    error = AnsweredAlready("a1", 3, answer)
    assert str(error).startswith(f"turn 3 of session a1 has been answered already{said}load the session again")
    assert (error.session, error.turn, error.answer) == ("a1", 3, answer)


def test_errors_carry_what_one_needs_to_act() -> None:
    document, step, reply = BadDocument("a.md", "why"), IllegalStep("back", "new", "x"), BadReply("why", raw="{")
    assert (document.document_id, document.reason) == ("a.md", "why")
    assert (step.event, step.status) == ("back", "new")
    assert reply.raw == "{"
