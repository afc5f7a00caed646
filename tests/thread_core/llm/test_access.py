from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import pytest

from thread_core.errors import BadCache, BudgetSpent, CallRefused, ModelBusy, ModelError, TooLong
from thread_core.llm import calls
from thread_core.llm.access import ModelAccess
from thread_core.llm.asking import Ask, Keep, Kept, Role, Say, Speak, Spent, Who, Window
from thread_core.llm.calls import ATTEMPTS, FIRST_WAIT, LONGEST_WAIT
from thread_core.llm.costs import Budget, Price, text_tokens, tokens
from thread_core.llm.errors import SettingRefused
from thread_core.llm.habits import THOUGHT
from thread_core.plan import Plan
from thread_core.ports import Form, Message, Reply, Usage
from thread_core.testing.model import ScriptedModel

LOOK = (Message("user", "Look at the disk."),)
ASK = Ask(Role.EXTRACTOR, LOOK, expected=100)
SPEAK = Speak(Role.GENERATOR, LOOK, expected=100)
COUNTED = Usage(calls=1, prompt_tokens=40, completion_tokens=7, cached_tokens=30)

hows = pytest.mark.parametrize("how", ["run", "arun"])
ways = pytest.mark.parametrize("way", ["whole", "awhole", "pieces", "apieces"])


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that were waited; nobody waits for them."""
    seconds: list[float] = []

    async def asleep(wait: float) -> None:
        seconds.append(wait)

    monkeypatch.setattr(calls.time, "sleep", seconds.append)
    monkeypatch.setattr(calls.asyncio, "sleep", asleep)
    return seconds


def asking(request: Any) -> Plan[Any]:
    return (yield request)


def answered(access: ModelAccess, request: Any, how: str) -> Any:
    return access.run(asking(request)) if how == "run" else asyncio.run(access.arun(asking(request)))


def said(access: ModelAccess, request: Speak | Say, way: str) -> list[str]:
    """What is passed on of a spoken reply; whole, it is one piece."""
    if way in ("whole", "awhole"):
        return [answered(access, request, way.replace("whole", "run"))]
    if way == "pieces":
        return list(access.tell(asking(request)))[:-1]

    async def pieces() -> list[str]:
        return [piece async for piece in access.atell(asking(request))][:-1]

    return asyncio.run(pieces())


# -- what is answered ----------------------------------------------------------------------------------------------


@hows
def test_each_role_is_answered_by_its_model(how: str) -> None:
    access = ModelAccess(
        {
            Role.EXTRACTOR: ScriptedModel(("", "units"), name="big", context_window=8000),
            Role.GENERATOR: ScriptedModel(("", "words"), name="small"),
        }
    )
    assert answered(access, ASK, how) == Reply(text="units")
    assert answered(access, SPEAK, how) == "words"
    assert answered(access, Say("as it stands"), how) == "as it stands"
    assert answered(access, Window(Role.EXTRACTOR), how) == 8000
    assert answered(access, Window(Role.GENERATOR), how) is None
    assert [answered(access, Who(role), how) for role in (Role.GENERATOR, Role.SELECTOR)] == ["small", None]
    for request in (Ask(Role.SELECTOR, LOOK), Window(Role.SELECTOR)):
        with pytest.raises(ValueError, match="there is no model for the role selector"):
            answered(access, request, how)


@hows
def test_one_model_has_all_roles_and_is_given_the_schema(how: str) -> None:
    model = ScriptedModel(*[("", "yes")] * len(Role))
    access = ModelAccess(model)
    for role in Role:
        answered(access, Ask(role, LOOK, Answer), how)
    assert model.schemas == [Answer] * len(Role)
    model.finished()


@hows
def test_a_plan_is_driven_and_its_cost_told(how: str) -> None:
    def plan() -> Plan[list[Usage]]:
        yield ASK
        first = yield Spent()
        yield ASK
        return [first, (yield Spent())]

    access = ModelAccess(ScriptedModel(*[("", Reply(text="yes", usage=COUNTED))] * 4))
    for _ in range(2):
        result = access.run(plan()) if how == "run" else asyncio.run(access.arun(plan()))
        assert result == [COUNTED, COUNTED + COUNTED], "each run has a bill of its own"
    assert access.usage.calls == 4


def test_half_a_character_is_replaced() -> None:
    assert Reply(text="a\ud83d b\U0001f600").text == "a? b\U0001f600"


def test_a_model_is_asked_at_least_once() -> None:
    with pytest.raises(ValueError, match="attempts=0"):
        ModelAccess(ScriptedModel(), attempts=0)


# -- what it cost --------------------------------------------------------------------------------------------------


@ways
def test_what_the_service_does_not_count_is_estimated(way: str) -> None:
    access = ModelAccess(ScriptedModel(("", "all is well"), ("", Reply(text="yes", usage=Usage(prompt_tokens=9)))))
    said(access, SPEAK, way)
    assert access.usage == Usage(calls=1, prompt_tokens=tokens(LOOK), completion_tokens=3)
    said(access, SPEAK, way)
    assert access.usage == Usage(calls=2, prompt_tokens=tokens(LOOK) + 9, completion_tokens=4)


def test_code_does_not_count_for_less_than_it_costs() -> None:
    assert tokens([Message("user", "Look at it.")]) == 4 + 4
    assert tokens([Message("user", "x" * 400)]) == 100 + 4
    assert tokens([Message("user", "\ud800")]) == 1 + 4


@ways
def test_of_a_call_that_failed_the_prompt_is_paid_for_if_it_was_read(way: str, waited: list[float]) -> None:
    timed_out = ModelBusy("no answer in time")
    timed_out.was_read = True
    access = ModelAccess(ScriptedModel(("", timed_out), ("", ModelError("no key"))))
    with pytest.raises(ModelError, match="no key"):
        said(access, SPEAK, way)
    assert access.usage == Usage(calls=2, prompt_tokens=tokens(LOOK))


# -- patience ------------------------------------------------------------------------------------------------------


@ways
def test_a_busy_model_is_asked_again(way: str, waited: list[float]) -> None:
    model = ScriptedModel(
        ("", ModelBusy("later", retry_after=0.0)), ("", ModelBusy("later", retry_after=7)), ("", "yes")
    )
    assert "".join(said(ModelAccess(model), SPEAK, way)) == "yes"
    assert waited == [0.0, 7]
    model.finished()


@ways
def test_where_it_does_not_say_how_long_each_wait_is_longer(way: str, waited: list[float]) -> None:
    model = ScriptedModel(*[("", ModelBusy("later"))] * 9, ("", "yes"))
    assert "".join(said(ModelAccess(model, attempts=10), SPEAK, way)) == "yes"
    for number, seconds in enumerate(waited):
        longest = min(LONGEST_WAIT, FIRST_WAIT * 2**number)
        assert longest / 2 <= seconds <= longest
    assert len(waited) == 9


@ways
@pytest.mark.parametrize("attempts", [1, ATTEMPTS])
def test_the_last_attempt_raises(attempts: int, way: str, waited: list[float]) -> None:
    busy = [ModelBusy(f"busy {number}", retry_after=1.0) for number in range(attempts)]
    model = ScriptedModel(*(("", error) for error in busy))
    with pytest.raises(ModelBusy, match=f"busy {attempts - 1}"):
        said(ModelAccess(model, attempts=attempts), SPEAK, way)
    assert waited == [1.0] * (attempts - 1)
    model.finished()


@ways
def test_who_asks_for_too_long_a_wait_is_given_up(way: str, waited: list[float]) -> None:
    model = ScriptedModel(("", ModelBusy("in an hour", retry_after=LONGEST_WAIT + 1)))
    with pytest.raises(ModelBusy, match="in an hour"):
        said(ModelAccess(model), SPEAK, way)
    assert waited == []


@ways
@pytest.mark.parametrize("error", [ModelError("no"), CallRefused("no"), TooLong("9 of 8"), RuntimeError("a bug")])
def test_what_asking_again_cannot_help_is_raised_at_once(error: Exception, way: str, waited: list[float]) -> None:
    access = ModelAccess(ScriptedModel(("", error)))
    with pytest.raises(type(error), match=str(error)):
        said(access, SPEAK, way)
    assert waited == []
    assert access._calls.reserved == Usage()


# -- the budget ----------------------------------------------------------------------------------------------------


@hows
def test_a_call_that_could_exceed_the_tokens_is_not_made(how: str) -> None:
    needed = tokens(LOOK) + 100
    model = ScriptedModel(("", Reply(text="yes", usage=Usage(prompt_tokens=8, completion_tokens=2))))
    access = ModelAccess(model, budget=Budget(tokens=needed + 9))
    answered(access, ASK, how)
    with pytest.raises(BudgetSpent) as caught:
        answered(access, ASK, how)
    assert str(caught.value) == (
        f"the budget is spent: the next call may need {needed} tokens, and {needed - 1} of {needed + 9} are left;"
        " raise it; with cache=SqliteReplyCache(path), finished calls would cost nothing"
    )
    assert (len(model.seen), access.usage.calls) == (1, 1)


@ways
def test_a_budget_may_be_in_money(way: str) -> None:
    price = Price(prompt=1.0, completion=10.0)
    usage = Usage(prompt_tokens=1000, completion_tokens=100)
    access = ModelAccess(ScriptedModel(("", Reply(text="yes", usage=usage))), budget=Budget(cost=0.0025, price=price))
    said(access, SPEAK, way)
    assert price.of(access.usage) == pytest.approx(0.002)
    with pytest.raises(BudgetSpent, match=r"the next call may cost 0\.0010, but only 0\.0005 of 0\.0025 is left"):
        said(access, SPEAK, way)


def test_a_budget_in_money_needs_a_price() -> None:
    with pytest.raises(ValueError, match="needs price=Price"):
        Budget(cost=1.0)


@ways
def test_the_next_attempt_must_fit_too(way: str, waited: list[float]) -> None:
    """Nothing stays reserved for the one that failed."""
    needed = tokens(LOOK) + 100
    model = ScriptedModel(("", ModelBusy("later")), ("", "yes"))
    assert "".join(said(ModelAccess(model, budget=Budget(tokens=needed)), SPEAK, way)) == "yes"


@ways
@pytest.mark.parametrize(
    ("budget", "limits"),
    [
        (Budget(), [None] * 3),
        (Budget(tokens=1_000_000), [100 + THOUGHT] * 3),
        (Budget(tokens=10_000), [2_497, 2_470, 2_443]),
        (Budget(tokens=300), [100, 100]),
        (Budget(cost=0.1, price=Price(prompt=1.0, completion=10.0)), [2_499, 2_474, 2_449]),
        (Budget(tokens=10_000, cost=1.0, price=Price(prompt=1.0, completion=0.0)), [2_497, 2_470, 2_443]),
    ],
)
def test_a_reply_may_be_as_long_as_the_budget_leaves_room_for_thought(
    budget: Budget, limits: list[int | None], way: str
) -> None:
    used = Usage(prompt_tokens=8, completion_tokens=100)
    model = ScriptedModel(*[("", Reply(text="yes", usage=used))] * 3)
    access = ModelAccess(model, budget=budget)
    for _ in limits:
        said(access, SPEAK, way)
    assert model.limits == limits
    assert access._calls.reserved == Usage()


@hows
def test_what_is_reserved_is_what_a_reply_may_have(how: str) -> None:
    class Looking(ScriptedModel):
        def complete(self, messages: Any, schema: Any = None, limit: int | None = None) -> Reply:
            held = access._calls.reserved
            assert (held.prompt_tokens, held.completion_tokens) == (tokens(LOOK), limit)
            return super().complete(messages, schema, limit)

    model = Looking(("", "yes"))
    access = ModelAccess(model, budget=Budget(tokens=5000))
    answered(access, ASK, how)
    assert model.limits != [100]


@hows
def test_a_reply_that_is_cut_off_where_the_budget_ends_is_not_mended_but_the_end(how: str) -> None:
    def cut(completion_tokens: int) -> Reply:
        return Reply(text="ye", end="length", usage=Usage(prompt_tokens=8, completion_tokens=completion_tokens))

    access = ModelAccess(ScriptedModel(("", cut(2_497))), budget=Budget(tokens=10_000))
    with pytest.raises(BudgetSpent, match="a reply was cut off at the 2497 tokens that were left for it; raise it"):
        answered(access, ASK, how)
    assert access.usage.completion_tokens == 2_497
    shorter = ModelAccess(ScriptedModel(("", cut(1_000))), budget=Budget(tokens=10_000))
    assert answered(shorter, ASK, how).end == "length", "the model's own limit"
    ample = ModelAccess(ScriptedModel(("", cut(100 + THOUGHT))), budget=Budget(tokens=1_000_000))
    assert answered(ample, ASK, how).end == "length", "no larger budget would have left it more"


class Waiting(ScriptedModel):
    """A model that answers when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.go = threading.Event()

    def complete(
        self, messages: Sequence[Message], schema: type[Form] | None = None, limit: int | None = None
    ) -> Reply:
        assert self.go.wait(30)
        return Reply(text="yes")


def test_callers_at_once_cannot_exceed_it_together() -> None:
    needed = tokens(LOOK) + 100
    model = Waiting()
    access = ModelAccess(model, budget=Budget(tokens=3 * needed + 1))
    refusals = threading.Semaphore(0)

    def ask(_: int) -> str:
        try:
            return str(access.run(asking(ASK)).text)
        except BudgetSpent:
            refusals.release()
            return "refused"

    with ThreadPoolExecutor(8) as pool:
        replies = pool.map(ask, range(8))
        refused = [refusals.acquire(timeout=30) for _ in range(5)]
        model.go.set()
        assert refused == [True] * 5
        assert sorted(replies) == ["refused"] * 5 + ["yes"] * 3
    assert access.usage.calls == 3


def test_a_stream_holds_its_share_until_it_has_ended() -> None:
    needed = tokens(LOOK) + 100
    access = ModelAccess(ScriptedModel(("", "one two three"), ("", "yes")), budget=Budget(tokens=2 * needed - 1))
    pieces = access.tell(asking(SPEAK))
    assert next(pieces) == "one "
    with pytest.raises(BudgetSpent):
        access.run(asking(ASK))
    assert list(pieces) == ["two ", "three", "one two three"]
    assert access.run(asking(ASK)).text == "yes"


# -- what the service refuses --------------------------------------------------------------------------------------


class Answer(Form):
    unit: str


SHAPED = Ask(Role.EXTRACTOR, LOOK, Answer, expected=100)
NO_SCHEMA = CallRefused("the service refused the call (HTTP 400): the grammar has features that are not supported")
TOO_MANY = CallRefused("the service refused the call (HTTP 400): max_tokens is too large: 12100")


@hows
@pytest.mark.parametrize("error", [NO_SCHEMA, ModelBusy("HTTP 500: response_format?", retry_after=0)])
def test_a_schema_that_is_refused_in_whatever_words_costs_one_request(error: ModelError, how: str) -> None:
    model = ScriptedModel(("", error), *[("", "yes")] * 2)
    access = ModelAccess(model, attempts=1)
    assert [answered(access, SHAPED, how).text for _ in range(2)] == ["yes"] * 2
    assert model.schemas == [Answer, None, None]
    assert access.usage.calls == 3
    assert access.usage.prompt_tokens == 2 * tokens(LOOK)


@hows
def test_a_schema_is_sent_again_where_leaving_it_out_did_not_help(how: str) -> None:
    model = ScriptedModel(*[("", NO_SCHEMA)] * 2, ("", "yes"))
    access = ModelAccess(model, attempts=1)
    with pytest.raises(CallRefused, match="not supported"):
        answered(access, SHAPED, how)
    answered(access, SHAPED, how)
    assert model.schemas == [Answer, None, Answer]


@ways
@pytest.mark.parametrize(
    ("errors", "limits"),
    [
        ([TOO_MANY], [100 + THOUGHT, 100, 100]),
        ([TooLong("12160 of 8192 tokens")], [100 + THOUGHT, None, None]),
        ([TOO_MANY, TOO_MANY], [100 + THOUGHT, 100, None, None]),
    ],
)
def test_a_limit_that_is_refused_is_lowered_and_then_left_out(
    errors: list[ModelError], limits: list[int | None], way: str
) -> None:
    model = ScriptedModel(*(("", error) for error in errors), *[("", "yes")] * 2)
    access = ModelAccess(model, budget=Budget(tokens=1_000_000), attempts=1)
    for _ in range(2):
        said(access, SPEAK, way)
    assert model.limits == limits
    assert access._calls.reserved == Usage()


@hows
def test_where_a_shorter_question_leaves_room_the_limit_is_sent(how: str) -> None:
    long = Ask(Role.EXTRACTOR, (Message("user", "Look at it. " * 1000),), expected=100)
    model = ScriptedModel(("", TooLong("16104 of 16000 tokens")), *[("", "yes")] * 3)
    access = ModelAccess(model, budget=Budget(tokens=1_000_000))
    for ask in (long, ASK, long):
        answered(access, ask, how)
    assert model.limits == [100 + THOUGHT, None, 100 + THOUGHT, None]


@hows
def test_what_is_too_long_whatever_the_limit_is_too_long(how: str) -> None:
    model = ScriptedModel(*[("", TooLong("9 of 8 tokens"))] * 4)
    access = ModelAccess(model, budget=Budget(tokens=1_000_000))
    for _ in range(2):
        with pytest.raises(TooLong):
            answered(access, ASK, how)
    assert model.limits == [100 + THOUGHT, None] * 2


@ways
def test_settings_that_are_refused_one_by_one_are_no_attempts(way: str, waited: list[float]) -> None:
    refused = [("", SettingRefused(f"the service does not take setting {number}")) for number in range(5)]
    access = ModelAccess(ScriptedModel(*refused, ("", "yes")), attempts=1)
    assert "".join(said(access, SPEAK, way)) == "yes"
    assert (waited, access.usage.calls) == ([], 6)


# -- thoughts ------------------------------------------------------------------------------------------------------

THINKING = "<think>\nRun it [3]? No.\n</think>\n\n"
BARE = "Run it [3]? No.\n</think>\n\n"


@ways
def test_what_a_model_thinks_is_paid_for_and_not_said(way: str) -> None:
    access = ModelAccess(ScriptedModel(("", f"{THINKING}Look at it.")))
    assert "".join(said(access, SPEAK, way)) == "Look at it."
    assert access.usage.completion_tokens == text_tokens(f"{THINKING}Look at it.")


@ways
@pytest.mark.parametrize(("end", "why"), [("complete", "is empty"), ("length", "was cut off")])
def test_a_thought_without_an_answer_is_no_answer(end: Any, why: str, way: str) -> None:
    reply = Reply(text="<think>\nRun it? It may be that it", end=end)
    with pytest.raises(ModelError, match=f"the model's answer {why}") as caught:
        said(ModelAccess(ScriptedModel(("", reply))), SPEAK, way)
    assert caught.value.said == ""


@ways
def test_a_model_that_only_ends_its_thoughts_is_known_by_a_whole_reply(way: str) -> None:
    access = ModelAccess(ScriptedModel(("", f"{BARE}1"), ("", f"{BARE}Look at it."), ("", "Look again.")))
    assert answered(access, ASK, "run").text == "1"
    assert "".join(said(access, SPEAK, way)) == "Look at it."
    assert "".join(said(access, SPEAK, way)) == "Look again.", "it need not think"


# -- speaking ------------------------------------------------------------------------------------------------------


class Stream(ScriptedModel):
    """A model whose streams are given; an error in one is raised there."""

    def __init__(self, *streams: Sequence[Reply | Exception]) -> None:
        super().__init__()
        self._streams = list(streams)
        self.closed = 0

    def stream(self, messages: Sequence[Message], limit: int | None = None) -> Generator[Reply, None, None]:
        try:
            for piece in self._streams.pop(0):
                if isinstance(piece, Exception):
                    raise piece
                yield piece
        finally:
            self.closed += 1

    async def astream(self, messages: Sequence[Message], limit: int | None = None) -> AsyncIterator[Reply]:
        with closing(self.stream(messages, limit)) as pieces:
            for piece in pieces:
                yield piece


def piece(text: str, end: Any = "", usage: Usage | None = None) -> Reply:
    return Reply(text=text, end=end, usage=usage or Usage())


streaming = pytest.mark.parametrize("way", ["pieces", "apieces"])


@streaming
def test_pieces_come_as_they_are_and_empty_ones_do_not(way: str) -> None:
    model = Stream(
        [piece(""), piece("Look "), piece(""), piece("again."), piece("", "complete"), piece("", "", COUNTED)]
    )
    access = ModelAccess(model)
    assert said(access, SPEAK, way) == ["Look ", "again."]
    assert access.usage == COUNTED
    assert said(access, Say("Well."), way) == ["Well."]
    assert said(access, Say(""), way) == [""], "it tells who streams that words are about to come"
    assert access.usage == COUNTED


@streaming
@pytest.mark.parametrize("silent", [[], [piece(""), piece("")]])
def test_a_stream_without_words_and_end_is_asked_for_again(
    silent: list[Reply | Exception], way: str, waited: list[float]
) -> None:
    whole = [piece("Look."), piece("", "complete")]
    assert said(ModelAccess(Stream(silent, whole)), SPEAK, way) == ["Look."]
    assert len(waited) == 1
    with pytest.raises(ModelBusy, match="is empty; check its address"):
        said(ModelAccess(Stream(silent, silent), attempts=2), SPEAK, way)


@streaming
@pytest.mark.parametrize(
    ("stream", "error", "had"),
    [
        ([piece("", "complete")], "the model's answer is empty", ""),
        ([piece(" \n", "complete")], "the model's answer is empty", " \n"),
        ([piece("Look "), piece("at")], "the model's answer broke off", "Look at"),
        ([piece("Look "), piece("at", "length")], "was cut off at the longest that the model writes", "Look at"),
        ([piece("Lo"), piece("", "refused")], "the model's answer was refused", "Lo"),
        ([piece("", "refused")], "the model's answer was refused", ""),
        ([piece("Look "), ModelBusy("reset", retry_after=0.0)], "reset", "Look "),
        ([piece("Look "), ModelError("died")], "died", "Look "),
    ],
)
def test_an_answer_that_is_none_or_not_whole_is_an_error_with_what_had_come(
    stream: list[Reply | Exception], error: str, had: str, way: str, waited: list[float]
) -> None:
    access = ModelAccess(Stream(stream))
    with pytest.raises(ModelError, match=error) as caught:
        said(access, SPEAK, way)
    assert type(caught.value) is ModelError
    assert caught.value.said == had
    assert access.usage == Usage(calls=1, prompt_tokens=tokens(LOOK), completion_tokens=len(had.split()))
    assert waited == []


@streaming
def test_it_is_tried_again_only_before_the_first_words(way: str, waited: list[float]) -> None:
    model = Stream([ModelBusy("reset")], [piece(""), ModelBusy("reset")], [piece("Look."), ModelBusy("late")], [])
    access = ModelAccess(model)
    with pytest.raises(ModelError, match="late"):
        said(access, SPEAK, way)
    assert (len(waited), access.usage.calls) == (2, 3)


@streaming
def test_a_listener_who_leaves_ends_the_stream_and_the_tally_is_right(way: str) -> None:
    model = Stream([piece("one "), piece("two "), piece("three", "complete")])
    access = ModelAccess(model, budget=Budget(tokens=1000))
    if way == "pieces":
        pieces = access.tell(asking(SPEAK))
        assert next(pieces) == "one "
        pieces.close()
    else:

        async def leave() -> None:
            pieces = access.atell(asking(SPEAK))
            assert await anext(pieces) == "one "
            await pieces.aclose()

        asyncio.run(leave())
    assert model.closed == 1
    assert access.usage == Usage(calls=1, prompt_tokens=tokens(LOOK), completion_tokens=1)
    assert access._calls.reserved == Usage()


async def test_a_call_that_is_cancelled_holds_nothing_back() -> None:
    class Slow(ScriptedModel):
        async def acomplete(
            self, messages: Sequence[Message], schema: type[Form] | None = None, limit: int | None = None
        ) -> Reply:
            began.set()
            await asyncio.Event().wait()
            raise AssertionError

    began = asyncio.Event()
    access = ModelAccess(Slow(), budget=Budget(tokens=1000))
    task = asyncio.create_task(access.arun(asking(ASK)))
    await began.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert access._calls.reserved == Usage()
    assert access.usage == Usage(calls=1, prompt_tokens=tokens(LOOK)), "it may have been sent"


# -- kept replies --------------------------------------------------------------------------------------------------


class Replies(dict[str, str]):
    def put(self, key: str, text: str) -> None:
        self[key] = text


class Broken:
    def get(self, key: str) -> str | None:
        raise BadCache("the file is damaged")

    def put(self, key: str, text: str) -> None:
        raise BadCache("the file is damaged")


def always(text: str) -> bool:
    return True


@hows
def test_a_reply_is_kept_under_all_that_was_asked_and_whom(how: str) -> None:
    class Other(Form):
        unit: str

    kept = Replies()
    access = ModelAccess(ScriptedModel(name="a"), cache=kept)
    answered(access, Keep(ASK, "yes"), how)
    assert answered(access, Kept(ASK, always), how) == "yes"
    assert answered(access, Kept(Ask(ASK.role, LOOK, expected=999), always), how) == "yes"
    for ask in (Ask(Role.SELECTOR, LOOK), Ask(ASK.role, (*LOOK, *LOOK)), Ask(ASK.role, LOOK, Other)):
        assert answered(access, Kept(ask, always), how) is None
    warm = ScriptedModel(name="a")
    warm.settings = "temperature 0.9"
    for model in (ScriptedModel(name="b"), warm):
        assert answered(ModelAccess(model, cache=kept), Kept(ASK, always), how) is None
    assert access.usage == Usage(recalled=2)


@hows
def test_one_that_is_not_usable_counts_for_nothing(how: str) -> None:
    access = ModelAccess(ScriptedModel(), cache=Replies())
    answered(access, Keep(ASK, "yes"), how)
    assert answered(access, Kept(ASK, "no".__eq__), how) is None
    assert access.usage == Usage()


@hows
def test_a_cache_that_fails_stops_a_call_and_never_loses_a_reply(how: str, caplog: pytest.LogCaptureFixture) -> None:
    access = ModelAccess(ScriptedModel(), cache=Broken())
    with pytest.raises(BadCache, match="damaged"):
        answered(access, Kept(ASK, always), how)
    with caplog.at_level(logging.WARNING):
        answered(access, Keep(ASK, "yes"), how)
    assert caplog.messages == ["could not write a reply to the cache: the file is damaged"]
