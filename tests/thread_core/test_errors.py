import pytest

from thread_core.errors import BadDocument, BadIndex, BadReply, BadStore, IllegalStep, NothingFound, ThreadError


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (BadDocument("a.md", "is not text"), "a.md: is not text"),
        (BadStore("no logic units"), "no logic units"),
        (BadIndex("is damaged"), "is damaged"),
        (NothingFound("no document"), "no document"),
        (IllegalStep("answer", "new", "start first"), "cannot answer a session that is new: start first"),
        (BadReply("not JSON", raw="{"), "not JSON"),
    ],
)
def test_every_error_is_a_thread_error_with_a_message(error: ThreadError, message: str) -> None:
    assert isinstance(error, ThreadError)
    assert str(error) == message


def test_errors_carry_what_one_needs_to_act() -> None:
    document, step, reply = BadDocument("a.md", "why"), IllegalStep("back", "new", "x"), BadReply("why", raw="{")
    assert (document.document_id, document.reason) == ("a.md", "why")
    assert (step.event, step.status) == ("back", "new")
    assert reply.raw == "{"
