"""What goes well with a model behind HTTP: both adapters ask the same and do the same with it."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import langchain_thread.prompts
import llama_index_thread.prompts
from tests.conformance.modelled import (
    ANSWERING,
    EXTRACTING,
    KEY,
    STREAMED_ASYNC,
    LangChain,
    LlamaIndex,
    Modelled,
)
from tests.scripted import Fault, Request, ScriptedServer, Usage
from tests.scripted.wire import Answer, error
from thread_core import Document
from thread_core.errors import BudgetSpent
from thread_core.extraction.extractor import LLMExtractor
from thread_core.llm import prompting
from thread_core.llm.asking import Role
from thread_core.llm.costs import Budget
from thread_core.llm.reply_cache import SqliteReplyCache
from thread_core.testing.model import ScriptedModel
from thread_core.walk.states import Status

pytestmark = [pytest.mark.slow, pytest.mark.enable_socket]

DOCUMENTS = Path("examples/documents")
REPLIES = Path("tests/replies")
GROUNDED = sorted(path.stem for path in REPLIES.glob("grounded/*.json"))
REWRITTEN = ("collect-diagnostics", "queue-backlog")
FAILOVER = "database-failover.md"
QUESTION = "How do I fail over the orders database? The primary does not answer."


def text_of(name: str) -> str:
    return (DOCUMENTS / name).read_text(encoding="utf-8")


def reply(name: str) -> str:
    return (REPLIES / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def langchain() -> LangChain:
    return LangChain({FAILOVER: text_of(FAILOVER)})


@pytest.fixture(scope="module")
def llama_index() -> LlamaIndex:
    return LlamaIndex({FAILOVER: text_of(FAILOVER)})


@pytest.fixture(params=["langchain", "llama_index"])
def adapter(request: pytest.FixtureRequest) -> Modelled:
    made: Modelled = request.getfixturevalue(request.param)
    return made


@pytest.fixture
def both(langchain: LangChain, llama_index: LlamaIndex) -> tuple[Modelled, Modelled]:
    return langchain, llama_index


def choosing(request: Request) -> str:
    """The choice of `tests/replies/answering/select.json`, with all prerequisites met."""
    return json.dumps({"prerequisites": judged(request), "units": ["1"], "query": []})


def judged(request: Request) -> list[dict[str, Any]]:
    lines = [line for line in request.text.splitlines() if line.startswith("Prerequisite ")]
    return [{"number": number, "verdict": "met", "question": ""} for number in range(1, len(lines) + 1)]


ANSWER = "First ping the primary with `lumenctl db ping orders --member primary` [1]."


@pytest.fixture
def script(server: ScriptedServer) -> ScriptedServer:
    """Answers as often as it is asked."""
    server.reply(choosing, to="You choose", times=None)
    server.reply(ANSWER, to="You answer", times=None)
    return server


# -- extraction ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GROUNDED)
def test_a_division_gives_the_same_units_in_both(name: str, both: Any, server: ScriptedServer) -> None:
    server.reply(reply(f"grounded/{name}.json"), to="You divide", times=4)
    texts = {f"{name}.md": text_of(f"{name}.md")}
    found = [adapter.units(adapter.client(server.url), texts, way) for adapter in both for way in EXTRACTING]
    assert found[0] == found[1] == found[2] == found[3]
    assert len(found[0]) >= len(json.loads(reply(f"grounded/{name}.json"))["units"])
    assert server.requests[0].messages == server.requests[2].messages


@pytest.mark.parametrize("name", REWRITTEN)
def test_a_document_that_is_written_anew_gives_the_cores_units_in_both(
    name: str, both: Any, server: ScriptedServer
) -> None:
    draft, refined = (reply(f"paper/{name}.{stage}.md") for stage in ("reformulate", "refine"))
    server.reply(draft, to="You write a how-to document anew", usage=Usage(1000, 500), times=None)
    server.reply(refined, to="You compare a document with a draft", usage=Usage(1500, 10), times=None)
    texts = {f"{name}.md": text_of(f"{name}.md")}
    core = LLMExtractor(ScriptedModel(("", draft), ("", refined)), reformulate=True)
    expected = core.extract(Document(f"{name}.md", texts[f"{name}.md"])).units
    assert all(unit.rewritten for unit in expected if unit.type == "step")
    for adapter, way in product(both, EXTRACTING):
        (extraction,) = adapter.extract(adapter.client(server.url), texts, way, reformulate=True)
        assert (extraction.units, extraction.report.problems) == (expected, ())
        usage = extraction.report.usage
        assert (usage.calls, usage.prompt_tokens, usage.completion_tokens) == (2, 2500, 510)
        assert tuple(adapter.units(adapter.client(server.url), texts, way, reformulate=True)) == expected


def test_a_model_is_asked_only_where_the_rules_leave_a_condition_open(both: Any, server: ScriptedServer) -> None:
    server.reply(reply("grounded/queue-backlog.json"), to="You divide", times=4)
    texts = {name: text_of(name) for name in ("agent-not-reporting.md", "queue-backlog.md")}
    for adapter, way in product(both, EXTRACTING):
        extractions = adapter.extract(adapter.client(server.url), texts, way, llm_for="auto")
        assert [extraction.report.extractor for extraction in extractions] == ["rules", "grounded"]
        assert [extraction.report.usage.calls for extraction in extractions] == [0, 1]
        plain, divided = (extraction.report for extraction in extractions)
        assert (plain.conditions_linked_by_model, plain.unlinked) == (0, ())
        assert 0 < divided.conditions_linked_by_model <= divided.conditions_linked
        with pytest.raises(ValueError, match=r"all.*auto"):
            adapter.extract(adapter.client(server.url), texts, way, llm_for="some")


def test_the_wire_is_cool_strict_and_of_one_form(adapter: Modelled, server: ScriptedServer) -> None:
    server.reply(reply("grounded/queue-backlog.json"), usage=Usage(700, 300, cached=256), times=2)
    texts = {"queue-backlog.md": text_of("queue-backlog.md")}
    (extraction,) = adapter.extract(adapter.client(server.url), texts)
    used = extraction.report.usage
    assert (used.calls, used.prompt_tokens, used.completion_tokens, used.cached_tokens) == (1, 700, 300, 256)
    adapter.extract(adapter.client(server.url, temperature=0.7), texts)
    cool, own = (request.body for request in server.requests)
    assert (cool["temperature"], own["temperature"], cool["model"]) == (0.0, 0.7, "scripted")
    assert cool["top_p"] == 1.0
    form = cool["response_format"]
    assert (form["type"], form["json_schema"]["name"], form["json_schema"]["strict"]) == (
        "json_schema",
        "Division",
        True,
    )
    assert form["json_schema"]["schema"]["additionalProperties"] is False
    assert "stream" not in cool or not cool["stream"]


SET = {"response_format", "temperature", "top_p"}
"""What a call sends beside the question."""


def refusal(name: str, status: int, body: str) -> Fault:
    return Fault(name, lambda answer: replace(answer, status=status, instead=body))


def refusing(name: str) -> Fault:
    body = error(f"Unsupported parameter: '{name}' is not supported with this model.", "invalid_request_error", None)
    return refusal(f"refuses {name}", 400, body)


@pytest.mark.parametrize("setting", sorted(SET))
def test_a_setting_that_is_refused_is_left_out_from_then_on_and_only_it(
    setting: str, adapter: Modelled, server: ScriptedServer
) -> None:
    server.reply("", fault=refusing(setting))
    server.reply(reply("grounded/queue-backlog.json"), times=2)
    models = adapter.access(adapter.client(server.url))
    texts = {"queue-backlog.md": text_of("queue-backlog.md")}
    for _ in range(2):
        (extraction,) = adapter.extract(models, texts)
        assert extraction.report.extractor == "grounded"
    first, *others = (request.body for request in server.requests)
    assert first.keys() >= SET
    for body in others:
        assert body.keys() >= SET - {setting}
        assert setting not in body or (setting, body[setting]) == ("temperature", 0.1)  # LlamaIndex's own


@pytest.mark.parametrize(
    "words",
    [
        "The provided JSON schema contains features not supported by xgrammar.",
        "This model does not support structured outputs",
        "'response_format.type' must be 'text'",
    ],
)
@pytest.mark.parametrize("way", EXTRACTING)
def test_a_schema_that_is_refused_in_whatever_words_costs_one_request_more(
    words: str, way: str, adapter: Modelled, server: ScriptedServer
) -> None:
    server.reply("", fault=refusal(words, 400, error(words, "invalid_request_error", None)))
    server.reply(reply("grounded/queue-backlog.json"), times=2)
    models = adapter.access(adapter.client(server.url), attempts=1)
    for _ in range(2):
        (extraction,) = adapter.extract(models, {"queue-backlog.md": text_of("queue-backlog.md")}, way)
        assert extraction.report.extractor == "grounded"
    assert [request.schema is not None for request in server.requests] == [True, False, False]


def test_another_refusal_drops_no_setting(adapter: Modelled, server: ScriptedServer) -> None:
    server.reply("", fault=refusing("logprobs"), times=2)
    server.reply(reply("grounded/queue-backlog.json"))
    models = adapter.access(adapter.client(server.url))
    texts = {"queue-backlog.md": text_of("queue-backlog.md")}
    (extraction,) = adapter.extract(models, texts)
    assert "refused the call (HTTP 400): Unsupported parameter: 'logprobs'" in extraction.report.problems[0]
    adapter.extract(models, texts)
    assert server.requests[2].body.keys() >= SET


@pytest.mark.parametrize("way", EXTRACTING)
def test_a_budget_ends_before_the_call_and_says_so(way: str, adapter: Modelled, server: ScriptedServer) -> None:
    models = adapter.access(adapter.client(server.url), budget=Budget(tokens=50))
    with pytest.raises(BudgetSpent, match="the budget is spent: the next call may need"):
        adapter.extract(models, {"queue-backlog.md": text_of("queue-backlog.md")}, way)
    assert server.requests == []


LIMITS = ("max_tokens", "max_completion_tokens")


def limits(server: ScriptedServer) -> list[Any]:
    return [next((request.body[name] for name in LIMITS if name in request.body), None) for request in server.requests]


@pytest.mark.parametrize("way", ANSWERING)
def test_under_a_budget_the_service_is_told_how_long_a_reply_may_be(
    way: str, adapter: Modelled, script: ScriptedServer
) -> None:
    for options, longest in (({}, 2_500), ({"max_tokens": 300}, 300), ({"max_tokens": 90_000}, 2_500)):
        script.requests.clear()
        models = adapter.access(adapter.client(script.url, **options), budget=Budget(tokens=10_000))
        adapter.answer(models, QUESTION, way)
        assert [limit is not None and 250 < limit <= longest for limit in limits(script)] == [True] * 2
    script.requests.clear()
    adapter.answer(adapter.client(script.url), QUESTION, way)
    assert limits(script) == [None] * 2


def test_a_limit_that_the_service_refuses_is_lowered_and_then_left_out(
    adapter: Modelled, server: ScriptedServer
) -> None:
    words = "max_tokens is too large: 13000. This model supports at most 4096 completion tokens."
    server.reply("", fault=refusal(words, 400, error(words, "invalid_request_error", None)), times=2)
    server.reply(reply("grounded/queue-backlog.json"), times=2)
    models = adapter.access(adapter.client(server.url), budget=Budget(tokens=100_000), attempts=1)
    for _ in range(2):
        (extraction,) = adapter.extract(models, {"queue-backlog.md": text_of("queue-backlog.md")})
        assert extraction.report.extractor == "grounded"
    ample, expected, *none = limits(server)
    assert ample > expected > 500
    assert none == [None, None]
    assert all(request.schema is not None for request in server.requests)


def test_a_run_costs_no_more_than_its_budget_however_long_a_model_thinks(
    adapter: Modelled, server: ScriptedServer
) -> None:
    """A service that keeps to the limit, and a model that would go on for ever."""

    def cut(answer: Answer) -> Answer:
        usage = Usage(answer.usage.prompt if answer.usage else 0, limits(server)[-1])
        return replace(answer, text="<think>Hm.", finish_reason="length", usage=usage)

    server.reply("", fault=Fault("thinks for ever", cut), times=None)
    texts = {f"{number}.md": text_of("queue-backlog.md").replace("queue", f"queue{number}") for number in range(6)}
    models = adapter.access(adapter.client(server.url), budget=Budget(tokens=60_000))
    with pytest.raises(BudgetSpent, match="the budget is spent: "):
        adapter.extract(models, texts, concurrency=1)
    assert 10_000 < models.usage.prompt_tokens + models.usage.completion_tokens <= 60_000


@pytest.mark.parametrize("way", EXTRACTING)
def test_what_was_extracted_before_the_budget_ended_is_in_the_error(
    way: str, adapter: Modelled, server: ScriptedServer
) -> None:
    server.reply(reply("grounded/queue-backlog.json"), usage=Usage(4_000, 1_000), times=None)
    texts = {f"{number}.md": text_of("queue-backlog.md") for number in range(6)}
    models = adapter.access(adapter.client(server.url), budget=Budget(tokens=14_000))
    for units_of in (adapter.extract, adapter.units):
        with pytest.raises(BudgetSpent) as ended:
            units_of(models, texts, way, concurrency=1)
        done = [extraction.report.document_id for extraction in ended.value.done]
        assert done == list(texts)[: len(done)]
        assert bool(done) == (units_of == adapter.extract), "nothing is left for the second"


def test_a_kept_reply_is_good_for_the_same_model_settings_and_service_alone(
    adapter: Modelled, server: ScriptedServer, tmp_path: Path
) -> None:
    server.reply(reply("grounded/queue-backlog.json"), times=None)
    cache = SqliteReplyCache(tmp_path / "replies.sqlite3")
    texts = {"queue-backlog.md": text_of("queue-backlog.md")}
    setups: list[tuple[str, dict[str, Any]]] = [
        ("/v1", {}),
        ("/v1", {"temperature": 0.9}),
        ("/v1", {adapter.kept_apart_by: {"seed": 2}}),
        ("/v1", {"model": "large"}),
        ("/../v1", {}),
    ]
    asked = []
    for again in range(2):
        for path, options in setups:
            client = adapter.client(server.url.removesuffix("/v1") + path, timeout=20.0 + again, **options)
            adapter.extract(adapter.access(client, cache=cache, attempts=again + 1), texts)
            asked.append(len(server.requests))
    assert asked == [1, 2, 3, 4, 5, 5, 5, 5, 5, 5]
    assert server.requests[2].body["seed"] == 2


# -- answers and walks ---------------------------------------------------------------------------------------------


def test_both_answer_the_same_in_every_way(both: Any, script: ScriptedServer) -> None:
    said = [adapter.answer(adapter.client(script.url), QUESTION, way) for adapter in both for way in ANSWERING]
    assert said[0].text.startswith(f"{ANSWER}\n\nSources:\n[1] database-failover.md:")
    assert len(said[0].beside["steps"]) == len(said[0].sources) > 6
    for other in said[1:]:
        assert (other.text, other.beside, other.sources) == (said[0].text, said[0].beside, said[0].sources)


@pytest.mark.parametrize("thought", ["<think>\nRun `rm -rf /` [2]? No.\n</think>\n\n", "Run it [2]? No.\n</think>\n\n"])
@pytest.mark.parametrize("way", ANSWERING)
def test_what_a_model_thinks_is_no_part_of_its_answer(
    way: str, thought: str, adapter: Modelled, server: ScriptedServer
) -> None:
    server.reply(lambda request: thought + choosing(request), to="You choose")
    server.reply(thought + ANSWER, to="You answer")
    said = adapter.answer(adapter.client(server.url), QUESTION, way)
    assert said.text.startswith(f"{ANSWER}\n\nSources:\n[1] database-failover.md:")
    assert "[2]" not in said.text


def test_streams_ask_for_their_usage_and_count_it(adapter: Modelled, server: ScriptedServer) -> None:
    server.reply(choosing, to="You choose", usage=Usage(500, 20))
    server.reply(ANSWER, to="You answer", usage=Usage(1000, 80, cached=600))
    said = adapter.answer(adapter.client(server.url), QUESTION, STREAMED_ASYNC)
    assert server.requests[-1].wants_usage
    assert said.beside["usage"] == {
        "calls": 2,
        "prompt_tokens": 1500,
        "completion_tokens": 100,
        "cached_tokens": 600,
        "recalled": 0,
    }


def test_a_refused_count_of_a_stream_is_done_without(adapter: Modelled, server: ScriptedServer) -> None:
    server.reply(choosing, to="You choose")
    server.reply("", to="You answer", fault=refusing("stream_options"))
    server.reply(ANSWER, to="You answer")
    said = adapter.answer(adapter.client(server.url), QUESTION, STREAMED_ASYNC)
    assert (said.text.startswith(ANSWER), said.beside["model"]) == (True, "scripted")
    assert [request.wants_usage for request in server.requests[1:]] == [True, False]
    assert said.beside["usage"]["completion_tokens"] > 10


def test_each_role_reaches_a_model_of_its_own(adapter: Modelled, script: ScriptedServer) -> None:
    script.reply(reply("answering/next.json"), to="They report:", times=None)
    models = {role: adapter.client(script.url, model=f"the-{role.value}") for role in Role}
    adapter.answer(models, QUESTION)
    assert [request.body["model"] for request in script.requests] == ["the-selector", "the-generator"]
    session = adapter.session(models)
    assert session.start(QUESTION).status is Status.AWAITING
    turn = session.respond("no answer at all, the command times out")
    assert (turn.notes, turn.usage.calls) == ((), 1)
    assert [request.body["model"] for request in script.requests[2:]] == ["the-selector", "the-query_generator"]


def test_a_role_without_a_model_is_done_without(adapter: Modelled, script: ScriptedServer) -> None:
    said = adapter.answer({Role.GENERATOR: adapter.client(script.url)}, QUESTION)
    assert said.text.startswith(ANSWER)
    assert len(script.requests) == 1


@pytest.mark.parametrize("way", ANSWERING)
def test_a_prompt_of_ones_own_is_what_the_server_gets(way: str, adapter: Modelled, server: ScriptedServer) -> None:
    server.reply(choosing, to="You choose")
    server.reply(ANSWER, to="Antwoord")
    prompts = {"answer": adapter.template("Antwoord in het Nederlands.", "{units}\n\nVraag:\n{question}")}
    adapter.answer(adapter.client(server.url), QUESTION, way, prompts)
    system, user = server.requests[-1].messages
    assert system.text == "Antwoord in het Nederlands."
    assert user.text.startswith("Unit [1]:\n| ")
    assert user.text.endswith(f"Vraag:\n| {QUESTION}")


def test_a_prompt_for_dividing_is_too_and_is_another_question(
    adapter: Modelled, server: ScriptedServer, tmp_path: Path
) -> None:
    server.reply(reply("grounded/queue-backlog.json"), times=2)
    models = adapter.access(adapter.client(server.url), cache=SqliteReplyCache(tmp_path / "replies.sqlite3"))
    texts = {"queue-backlog.md": text_of("queue-backlog.md")}
    own = {"extract": adapter.template("Verdeel.", "{lines}")}
    for prompts in ({}, own, own, {}):
        adapter.extract(models, texts, prompts=prompts)
    assert server.requests[1].messages[0].text == "Verdeel."
    assert server.requests[1].messages[1].text.startswith("1| # Message queue backlog\n")


@pytest.mark.parametrize(
    ("name", "user", "error"),
    [
        ("answr", "{question}", "found 'answr', expected a prompt: answer, "),
        ("answer", "{query}", "the prompt 'answer' has the fields facts, history, .*, but yours also uses query"),
    ],
)
def test_a_wrong_prompt_is_refused_at_once(
    name: str, user: str, error: str, adapter: Modelled, server: ScriptedServer
) -> None:
    with pytest.raises(ValueError, match=error):
        adapter.answer(adapter.client(server.url), QUESTION, prompts={name: adapter.template("Be short.", user)})


# -- the key -------------------------------------------------------------------------------------------------------


def test_the_key_shows_up_nowhere(
    adapter: Modelled, server: ScriptedServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    told = error(f"Incorrect API key provided: {KEY}.", "invalid_request_error", "invalid_api_key")
    for status in (401, 400, 500):
        server.reply(fault=refusal(f"tells the key with {status}", status, told), times=1 if status < 500 else None)
    client = adapter.client(server.url)
    cache = tmp_path / "replies.sqlite3"
    models = adapter.access(client, attempts=1, cache=SqliteReplyCache(cache))
    texts = {"queue-backlog.md": text_of("queue-backlog.md")}
    shown: list[Any] = [adapter.extract(models, texts) for _ in range(3)]
    shown += [adapter.answer(models, QUESTION, way) for way in ANSWERING]
    session = adapter.session(models)
    shown += [session.start(QUESTION), session.respond("no answer at all"), session.state.model_dump_json()]
    shown += [session.why(), session, models, models._llms, caplog.text, cache.read_bytes()]
    assert server.requests
    assert KEY not in repr(shown)
    assert "sk-key" not in repr(shown)


@pytest.mark.parametrize("name", prompting.names())
@pytest.mark.parametrize("prompts", [langchain_thread.prompts, llama_index_thread.prompts])
def test_the_packages_prompts_as_templates_say_what_they_said_before(prompts: Any, name: str) -> None:
    original = prompting.prompt(name)
    fields = {field: f'{{"{field}": {{question}}}}' for field in original.fields}
    template = prompts.to_prompts(prompts.default_prompts())[name]
    assert tuple(template.messages(fields)) == original.messages(fields)
