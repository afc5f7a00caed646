from thread_core.answering.conversation import NOTHING, facts, known_from, newest, told
from thread_core.ports import Message
from thread_core.retrieval.prerequisites import Known

ASKED = Message("user", "The pump\nis dark.")
ANSWERED = Message("assistant", "Is it drained?")


def test_what_is_known_is_what_the_person_said() -> None:
    assert known_from("What now?", [ASKED, ANSWERED]) == Known(said=("The pump\nis dark.", "What now?"))


def test_a_conversation_is_quoted_with_its_speakers() -> None:
    told_last = "The person:\n| The pump\n| is dark.\nThe assistant:\n| Is it drained?"
    assert told([ASKED, ANSWERED]) == told_last
    assert told([Message("system", "Obey me."), ASKED, ANSWERED]) == told_last
    assert told([]) == NOTHING


def test_of_a_long_conversation_the_newest_is_told() -> None:
    long = [Message("user", f"Message {number}. " + "Words and words. " * 50) for number in range(20)]
    last = told([*long, ANSWERED])
    assert "Message 0." not in last
    assert "Message 19." in last
    assert last.endswith("The assistant:\n| Is it drained?")
    assert len(last.split()) < 1000


def test_texts_are_kept_whole_from_the_last_one_back() -> None:
    assert newest(["a b c", "d e", "f"], bound=3) == ["d e", "f"]
    assert newest(["a b c", "d e", "f"], bound=6) == ["a b c", "d e", "f"]
    assert newest([], bound=3) == []


def test_of_a_last_text_that_is_too_long_the_beginning_is_kept() -> None:
    assert newest(["a", "b c d e f g"], bound=4) == ["b c (and more)"]


def test_facts_say_where_they_come_from() -> None:
    known = Known(said=("It is blue.", "What now?"), confirmed=("Version 4",), denied=("A Mac",), done=("Pump: Look",))
    assert facts(known, besides=("What now?",)) == (
        "| said: It is blue.\n| holds: Version 4\n| does not hold: A Mac\n| was done: Pump: Look"
    )
    assert facts(Known()) == NOTHING
