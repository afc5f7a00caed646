"""The graph walks as the session does, and keeps what LangGraph alone would lose, run twice or mix up."""

from __future__ import annotations

import json
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore
from langgraph.store.sqlite import AsyncSqliteStore
from langgraph.types import Command
from pydantic import SecretStr, ValidationError

from langchain_thread import ThreadRetriever, graph
from langchain_thread.graph import App, answering, create_howto_graph
from langchain_thread.models import to_access
from tests.forked import Forks
from tests.langchain_thread.lamp import (
    BULB,
    CHOSEN,
    CONFIG,
    EARLIER,
    LOOK,
    QUESTION,
    SWITCH,
    Asking,
    Marking,
    of,
    over_the_lamp,
    section,
    selecting,
    told,
)
from tests.scripted import ScriptedServer
from thread_core.errors import AnsweredAlready, IllegalStep
from thread_core.testing.model import ScriptedModel
from thread_core.walk.execution import Action, Outcome, OutcomeKind
from thread_core.walk.journal import Journal
from thread_core.walk.memory import Snippet, StepMemory


@pytest.fixture
def retriever() -> ThreadRetriever:
    return over_the_lamp()


@pytest.fixture
def app(retriever: ThreadRetriever) -> App:
    return create_howto_graph(retriever).compile(checkpointer=InMemorySaver())


def ask(app: App, question: str = QUESTION) -> Any:
    return app.invoke({"question": question}, CONFIG)


def answer(app: App, text: str, **options: Any) -> Any:
    return app.invoke(answering(app, CONFIG, text, **options), CONFIG)


def step(given: Any) -> str:
    return section(given["turn"]["text"])


def test_threads_do_not_know_of_each_other(app: App) -> None:
    here, there = ({"configurable": {"thread_id": name}} for name in ("here", "there"))
    first, second = (app.invoke({"question": QUESTION}, config) for config in (here, there))  # type: ignore[arg-type]
    assert first["session"]["id"] != second["session"]["id"]
    assert section(app.invoke(Command(resume="it prints fine"), here)["turn"]["text"]) == BULB  # type: ignore[arg-type]
    assert section(app.invoke(Command(resume="it prints off"), there)["turn"]["text"]) == SWITCH  # type: ignore[arg-type]


# -- the pause -----------------------------------------------------------------------------------------------------


def test_the_pause_has_the_turn_and_its_number(app: App) -> None:
    given = ask(app)
    (pause,) = given["__interrupt__"]
    assert pause.value == given["turn"] | {"number": 1, "session": given["session"]["id"]}
    assert pause.value["options"][:2] == ['it prints "off"', 'it prints "fine"']
    assert {one.get("type") for one in pause.response_schema["anyOf"]} == {"string", "integer", None}


@pytest.mark.parametrize(
    "bad",
    [True, ["done"], {"text": "done"}, {"answer": "done", "by": "me"}, {"answer": None}, {"answer": "x", "number": ""}],
)
def test_an_answer_of_another_shape_is_refused_and_the_pause_stays(
    bad: Any, retriever: ThreadRetriever, saver: BaseCheckpointSaver[Any]
) -> None:
    app = create_howto_graph(retriever).compile(checkpointer=saver)
    ask(app)
    with pytest.raises(ValidationError):
        app.invoke(Command(resume=bad), CONFIG)
    assert step(app.invoke(Command(resume="it prints off"), CONFIG)) == SWITCH


@pytest.mark.parametrize(
    ("good", "shown"),
    [
        *(("it prints off", SWITCH), ("1", SWITCH), (1, SWITCH), ("", LOOK)),
        *(({"answer": "1"}, SWITCH), ({"answer": 1}, SWITCH), ({"answer": "it prints off", "number": 1}, SWITCH)),
    ],
)
def test_an_answer_is_a_text_or_a_number_with_or_without_the_turns(good: Any, shown: str, app: App) -> None:
    ask(app)
    assert step(app.invoke(Command(resume=good), CONFIG)) == shown


@pytest.mark.parametrize("given", [None, Command(resume={})], ids=["none", "no ids"])
def test_no_answer_at_all_shows_the_pause_again(given: Any, app: App) -> None:
    (pause,) = ask(app)["__interrupt__"]
    assert app.invoke(given, CONFIG)["__interrupt__"] == [pause]
    assert step(answer(app, "it prints off")) == SWITCH


def test_an_answer_to_an_earlier_turn_is_refused_and_the_pause_stays(
    retriever: ThreadRetriever, saver: BaseCheckpointSaver[Any]
) -> None:
    app = create_howto_graph(retriever).compile(checkpointer=saver)
    ask(app)
    answer(app, "it prints off", number=1)
    late = {"answer": "it prints fine", "number": 1}
    for attempt in (lambda: app.invoke(Command(resume=late), CONFIG), lambda: answer(app, "it prints fine", number=1)):
        with pytest.raises(AnsweredAlready, match="turn 1 of session"):
            attempt()
    assert step(answer(app, "the lamp stays dark", number=2)) == BULB


def test_the_answer_to_an_old_pause_is_not_taken_for_one_to_the_next(app: App) -> None:
    (old,) = ask(app)["__interrupt__"]
    answer(app, "it prints off")
    again = app.invoke(Command(resume={old.id: "it prints off"}), CONFIG)
    (pause,) = again["__interrupt__"]
    assert (section(pause.value["text"]), pause.value["number"]) == (SWITCH, 2)


# -- dead ends of LangGraph that say so ----------------------------------------------------------------------------


def test_without_a_checkpointer_it_says_so(retriever: ThreadRetriever) -> None:
    with pytest.raises(ValueError, match="compile"):
        ask(create_howto_graph(retriever).compile())


@pytest.mark.parametrize("given", [Command(resume="done"), {"answer": "done"}], ids=["resume", "answer"])
def test_an_unknown_thread_is_not_begun_by_an_answer(given: Any, app: App) -> None:
    with pytest.raises(IllegalStep, match="thread_id"):
        app.invoke(given, CONFIG)
    with pytest.raises(IllegalStep, match="thread_id"):
        answering(app, CONFIG, "done")
    assert step(ask(app)) == LOOK


@pytest.mark.parametrize("given", [{"question": 7}, {"answer": None}])
def test_other_input_is_refused(given: Any, app: App) -> None:
    for begin in (str, ask):
        begin(app)
        with pytest.raises(ValueError, match=r'with \{"question": text\} .* not with (7|None)'):
            app.invoke(given, CONFIG)


def test_an_answer_to_a_turn_that_has_not_come_is_refused(app: App) -> None:
    ask(app)
    later: Any = Command(resume={"answer": "it prints off", "number": 9})
    for attempt in (lambda: app.invoke(later, CONFIG), lambda: answer(app, "it prints off", number=9)):
        with pytest.raises(IllegalStep, match="cannot answer turn 9 of a session that is at turn 1"):
            attempt()
    assert step(answer(app, "it prints off", number="1")) == SWITCH
    with pytest.raises(ValidationError):
        answering(app, CONFIG, 2.5)  # type: ignore[arg-type]


def test_a_question_on_a_paused_thread_begins_anew(app: App) -> None:
    first = ask(app)["session"]
    answer(app, "it prints off")
    again = ask(app)
    assert (step(again), again["session"]["turn"], len(again["session"]["trail"])) == (LOOK, 1, 1)
    assert again["session"]["id"] != first["id"]
    assert step(answer(app, "it prints fine")) == BULB


def test_a_walk_that_has_ended_is_reopened_by_an_answer(app: App) -> None:
    ask(app)
    answer(app, "it prints fine")
    assert answer(app, "the lamp is lit")["turn"]["status"] == "resolved"
    assert app.get_state(CONFIG).next == ()
    assert answering(app, CONFIG, "back") == {"answer": "back", "number": 3}
    for words in ("why?", "skip"):  # what changes nothing leaves the turn to whoever answers it
        assert answer(app, words)["turn"]["status"] == "resolved"
    reopened = answer(app, "back")
    assert (step(reopened), "__interrupt__" in reopened) == (BULB, True)


def test_a_thread_of_another_version_is_not_gone_on_with(
    retriever: ThreadRetriever, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = create_howto_graph(retriever).compile(checkpointer=InMemorySaver())
    ask(app)
    with monkeypatch.context() as later:
        later.setattr(graph, "VERSION", graph.VERSION + 1)
        for attempt in (lambda: answer(app, "done"), lambda: app.invoke(Command(resume="done"), CONFIG)):
            with pytest.raises(ValueError, match="paused by version 1 of the graph, but this is version 2"):
                attempt()
        assert app.get_state(CONFIG).next == ("ask",)
    assert step(app.invoke(Command(resume="it prints off"), CONFIG)) == SWITCH
    monkeypatch.setattr(graph, "VERSION", graph.VERSION + 1)
    assert step(ask(app)) == LOOK


def test_its_schemas_say_what_it_takes_and_gives(app: App) -> None:
    assert set(app.get_input_jsonschema()["properties"]) == {"question", "answer", "number"}
    assert set(app.get_output_jsonschema()["properties"]) == {"turn", "session"}


def test_nodes_keep_their_names(retriever: ThreadRetriever) -> None:
    """A thread that is paused at a node of another name is stranded in silence: rename none without a new version."""
    assert set(create_howto_graph(retriever).nodes) == {"turn", "ask", "execute"}


# -- the state -----------------------------------------------------------------------------------------------------


def test_the_state_is_plain_data_without_bodies(retriever: ThreadRetriever, saver: BaseCheckpointSaver[Any]) -> None:
    app = create_howto_graph(retriever).compile(checkpointer=saver)
    ask(app)
    answer(app, "it prints off")
    for snapshot in app.get_state_history(CONFIG):
        assert json.loads(json.dumps(snapshot.values)) == snapshot.values
        assert "turn" not in snapshot.values
        assert "Run `switch" not in json.dumps(snapshot.values)


def test_a_fork_may_be_made_by_an_update(retriever: ThreadRetriever, saver: BaseCheckpointSaver[Any]) -> None:
    app = create_howto_graph(retriever).compile(checkpointer=saver)
    ask(app)
    paused = app.get_state(CONFIG).config
    answer(app, "it prints off")
    for update in (None, {}, {"way": ""}):  # an earlier version did not keep it
        fork = app.update_state(paused, update)
        assert app.get_state(fork).next == ("ask",)
        with pytest.raises(IllegalStep, match=r"forked there; in that case call invoke\(None, config\)"):
            answering(app, fork, "it prints fine")
        assert step(app.invoke(Command(resume="it prints fine"), fork)) == BULB
    ended = answer(app, "the lamp is lit")
    assert (ended["turn"]["status"], app.get_state(CONFIG).next) == ("resolved", ())
    assert app.get_state(app.update_state(CONFIG, None)).next == ()
    assert app.get_state(app.update_state(CONFIG, {"way": ""})).next == ()


def test_a_fork_by_an_update_leaves_a_step_to_the_executor(retriever: ThreadRetriever) -> None:
    marks: list[str] = []
    app = create_howto_graph(retriever, executor=Marking(marks.append)).compile(checkpointer=InMemorySaver())
    first = ask(app)
    due = next(one for one in app.get_state_history(CONFIG) if one.next == ("execute",))
    assert app.invoke(None, app.update_state(due.config, None))["turn"] == first["turn"]
    assert marks == [LOOK, SWITCH]


def test_a_pause_of_the_history_that_was_answered_is_not_answered_otherwise(
    retriever: ThreadRetriever, saver: BaseCheckpointSaver[Any]
) -> None:
    app = create_howto_graph(retriever).compile(checkpointer=saver)
    ask(app)
    paused = app.get_state(CONFIG).config
    answer(app, "it prints off")
    with pytest.raises(AnsweredAlready, match=r"turn 1 .* with 'it prints off'"):
        answering(app, paused, "it prints fine")
    assert step(app.invoke(answering(app, paused, "it prints off"), paused)) == SWITCH
    app.invoke(None, paused)
    assert step(answer(app, "it prints fine")) == BULB


def test_what_was_run_is_not_run_again_in_a_fork(retriever: ThreadRetriever) -> None:
    marks: list[str] = []

    class Counted(Asking):
        def run(self, action: Action) -> Outcome:
            marks.append(action.approved)
            return super().run(action)

    app = create_howto_graph(retriever, executor=Counted()).compile(checkpointer=InMemorySaver())
    ask(app)
    paused = app.get_state(CONFIG).config
    first = answer(app, "Run it")
    marks.clear()
    app.invoke(None, paused)
    assert answer(app, "Run it")["turn"] == first["turn"]
    assert marks == [""]  # the step after it, which nobody has approved


# -- streams -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("awaited", [False, True], ids=["stream", "astream"])
async def test_each_mode_of_streaming_has_the_turn(awaited: bool, app: App) -> None:
    async def events(given: Any) -> list[tuple[str, Any]]:
        modes: list[Any] = ["updates", "values", "custom"]
        if awaited:
            return [event async for event in app.astream(given, CONFIG, stream_mode=modes)]
        return list(app.stream(given, CONFIG, stream_mode=modes))

    for given, number in (({"question": QUESTION}, 1), (Command(resume="it prints off"), 2)):
        seen = await events(given)
        (told,) = [event for mode, event in seen if mode == "custom"]
        updates = [event for mode, event in seen if mode == "updates"]
        assert next(event["turn"]["turn"] for event in updates if "turn" in event) == told
        (pause,) = updates[-1]["__interrupt__"]
        assert pause.value == told | {"number": number, "session": pause.value["session"]}
        assert [event for mode, event in seen if mode == "values"][-1]["turn"] == told


@pytest.mark.parametrize("mode", ["updates", "messages"])
async def test_a_model_is_asked_alike_in_each_mode_and_nobody_reads_what_it_decides(
    mode: Any, retriever: ThreadRetriever, server: ScriptedServer
) -> None:
    server.reply('{"prerequisites": [], "units": ["1"], "query": []}', to="You choose", times=2)
    models = to_access(ChatOpenAI(model="m", base_url=server.url, api_key=SecretStr("none"), max_retries=0))
    app = create_howto_graph(retriever, models).compile(checkpointer=InMemorySaver())
    seen: Any = list(app.stream({"question": QUESTION}, CONFIG, stream_mode=[mode, "custom"]))
    seen += [event async for event in app.astream({"question": QUESTION}, CONFIG, stream_mode=[mode, "custom"])]
    assert [event["usage"]["completion_tokens"] for kind, event in seen if kind == "custom"] == [
        6,
        6,
    ]  # as the service says
    assert [request.body.get("stream", False) for request in server.requests] == [False, False]
    assert [kind for kind, _ in seen if kind == "messages"] == []


def test_a_memory_tells_the_model_what_was_done_in_such_a_case(retriever: ThreadRetriever) -> None:
    earlier = Snippet(question=QUESTION, action="Ask the neighbour", outcome="he had the fuse")
    model = ScriptedModel(("he had the fuse", CHOSEN))
    graph = create_howto_graph(retriever, selecting(model), memory=StepMemory([earlier]))
    assert step(ask(graph.compile(checkpointer=InMemorySaver()))) == LOOK
    model.finished()


@pytest.mark.parametrize("awaited", [False, True])
async def test_in_a_later_thread_of_the_same_person_the_steps_of_the_earlier_ones_are_recalled(
    awaited: bool, retriever: ThreadRetriever, tmp_path: Path
) -> None:
    model = ScriptedModel(*[("", CHOSEN)] * 4)
    async with AsyncSqliteStore.from_conn_string(str(tmp_path / "store.sqlite3")) as kept:
        await kept.setup()
        store = kept if awaited else InMemoryStore()
        app = create_howto_graph(retriever, selecting(model)).compile(checkpointer=InMemorySaver(), store=store)
        given: Any
        for given, user_id, thread_id in (
            ({"question": QUESTION}, "ann", "1"),
            (Command(resume="it prints off"), "ann", "1"),
            ({"question": QUESTION}, "eve", "2"),
            ({"question": QUESTION}, "ann", "3"),
        ):
            if awaited:
                await app.ainvoke(given, of(user_id, thread_id))
            else:
                app.invoke(given, of(user_id, thread_id))
    assert [EARLIER in asked for asked in told(model)] == [False, False, True]
    assert "What came of it:\n| it prints off" in told(model)[-1]


def test_nothing_is_kept_of_nobody_nor_where_a_memory_is_given_or_no_model(retriever: ThreadRetriever) -> None:
    kept, saver = InMemoryStore(), InMemorySaver()
    model = ScriptedModel(*[("", CHOSEN)] * 3)
    graph = create_howto_graph(retriever, selecting(model))
    graph.compile(checkpointer=saver, store=kept).invoke({"question": QUESTION}, CONFIG)
    graph.compile(checkpointer=saver).invoke({"question": QUESTION}, of("ann", "1"))
    for other in (
        create_howto_graph(retriever, selecting(model), memory=StepMemory()),
        create_howto_graph(retriever),
    ):
        other.compile(checkpointer=saver, store=kept).invoke({"question": QUESTION}, of("ann", "1"))
    assert kept.search(()) == []
    model.finished()


class Humming:
    """Sees at the first step what no outcome quotes."""

    def run(self, action: Action) -> Outcome:
        kind = OutcomeKind.OBSERVED if LOOK in action.header else OutcomeKind.HANDED
        return Outcome(kind=kind, text="the switch hums")


def test_a_turn_costs_what_all_its_steps_cost(retriever: ThreadRetriever, server: ScriptedServer) -> None:
    server.reply('{"prerequisites": [], "units": ["1"], "query": []}', to="You choose")
    server.reply('{"way": "1.2"}', to="say where what they report leads")
    models = to_access(ChatOpenAI(model="m", base_url=server.url, api_key=SecretStr("none"), max_retries=0))
    graph = create_howto_graph(retriever, models, Humming())
    given = ask(graph.compile(checkpointer=InMemorySaver()))
    assert given["turn"]["usage"] == models.usage.model_dump(mode="json")
    assert models.usage.calls == len(server.requests) == 2


# -- executors -----------------------------------------------------------------------------------------------------


def test_an_answer_while_a_step_is_executed_is_not_taken_for_one_to_the_next_pause(retriever: ThreadRetriever) -> None:
    def mark(step: str) -> None:
        raise KeyboardInterrupt

    app = create_howto_graph(retriever, executor=Marking(mark)).compile(checkpointer=InMemorySaver())
    with pytest.raises(KeyboardInterrupt):
        ask(app)
    given = app.invoke(Command(resume="it prints fine"), CONFIG)
    assert [ran["outcome"]["kind"] for ran in given["turn"]["ran"]] == ["uncertain"]
    assert LOOK in given["__interrupt__"][0].value["text"]


async def test_an_executor_is_awaited(retriever: ThreadRetriever) -> None:
    class Awaited(Marking):
        async def arun(self, action: Action) -> Outcome:
            return self.run(action)

        def run(self, action: Action) -> Outcome:
            assert threading.current_thread() is threading.main_thread()
            return super().run(action)

    marks: list[str] = []
    app = create_howto_graph(retriever, executor=Awaited(marks.append)).compile(checkpointer=InMemorySaver())
    given = await app.ainvoke({"question": QUESTION}, CONFIG)
    assert (marks, len(given["turn"]["ran"])) == ([LOOK, SWITCH], 3)


def test_what_a_stream_tells_of_an_executor_comes_step_by_step(retriever: ThreadRetriever) -> None:
    app = create_howto_graph(retriever, executor=Marking(lambda step: None)).compile(checkpointer=InMemorySaver())
    told: Any = list(app.stream({"question": QUESTION}, CONFIG, stream_mode="custom"))
    assert [len(turn["ran"]) for turn in told] == [0, 1, 2, 3]


def test_after_so_many_steps_the_person_is_asked(retriever: ThreadRetriever, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thread_core.walk.session.AUTOMATIC", 1)
    marks: list[str] = []
    app = create_howto_graph(retriever, executor=Marking(marks.append)).compile(checkpointer=InMemorySaver())
    assert "__interrupt__" in ask(app)
    answer(app, "why?")
    assert marks == [LOOK]
    answer(app, "restart")
    assert marks == [LOOK, LOOK]


def test_a_step_left_to_a_process_without_an_executor_is_the_persons(retriever: ThreadRetriever) -> None:
    def mark(step: str) -> None:
        raise KeyboardInterrupt

    saver = InMemorySaver()
    with pytest.raises(KeyboardInterrupt):
        ask(create_howto_graph(retriever, executor=Marking(mark)).compile(checkpointer=saver))
    app = create_howto_graph(retriever).compile(checkpointer=saver)
    given: Any = app.invoke(None, CONFIG)
    assert LOOK in given["turn"]["text"]
    assert step(answer(app, "it prints off")) == SWITCH


# -- two people ----------------------------------------------------------------------------------------------------


class Meeting(Journal):
    """Two meet before either claims a turn."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.barrier = threading.Barrier(2)

    def answered(self, session: str, turn: int, answer: str) -> None:
        self.barrier.wait(timeout=30)
        super().answered(session, turn, answer)


@pytest.mark.parametrize(
    ("said", "ran"),
    [(("it prints off", "1"), [SWITCH]), (("restart", "start over"), [LOOK, SWITCH]), (("1", "1"), [SWITCH])],
    ids=["paused", "ended", "the same"],
)
def test_of_two_answers_at_once_the_first_counts_and_the_other_is_told(
    said: tuple[str, str], ran: list[str], retriever: ThreadRetriever, saver: BaseCheckpointSaver[Any], tmp_path: Path
) -> None:
    marks: list[str] = []
    alone = create_howto_graph(retriever).compile(checkpointer=saver)
    ask(alone)
    if LOOK in ran:
        answer(alone, "it prints fine")
        answer(alone, "the lamp is lit")
    journal = Meeting(tmp_path / "journal.jsonl")
    app = create_howto_graph(retriever, executor=Marking(marks.append), journal=journal).compile(checkpointer=saver)

    def person(text: str, given: Any) -> str | None:
        try:
            app.invoke(given, CONFIG, durability="sync")
        except AnsweredAlready as error:
            return error.answer
        return text

    with ThreadPoolExecutor(2) as people:
        counted = [*people.map(person, said, [answering(app, CONFIG, text) for text in said])]
    assert counted[0] == counted[1]
    assert marks == ran
    journal.barrier = threading.Barrier(1)
    assert answer(app, "the lamp is lit")["turn"]["status"] == "resolved"


def test_the_journal_says_who_moved_which_walk_and_where_it_stands(retriever: ThreadRetriever) -> None:
    journal = Journal()
    app = create_howto_graph(retriever, journal=journal).compile(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "incident-17", "user_id": "ann"}}
    session = app.invoke({"question": QUESTION}, config)["session"]["id"]
    app.invoke(answering(app, config, "give up"), config)
    entries = journal.entries()
    assert [(entry["event"], entry["turn"], entry.get("status")) for entry in entries] == [
        ("reached", 1, "awaiting"),
        ("answered", 1, None),
        ("reached", 2, "escalated"),
    ]
    assert {(entry["session"], entry["by"], entry["about"]["thread_id"]) for entry in entries} == {
        (session, "ann", "incident-17")
    }
    assert {(entry["question"], entry["document"]) for entry in entries if "status" in entry} == {(QUESTION, "lamp.md")}


# -- processes -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_kill_within_an_executor_runs_nothing_twice(tmp_path: Path) -> None:
    def turn(*words: str) -> Any:
        done = forks.run(str(tmp_path), *words)
        assert "unregistered type" not in done.stderr
        if "die" in words:
            return done.returncode
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    def marks() -> list[str]:
        return (tmp_path / "marks").read_text().splitlines()

    with Forks("tests.langchain_thread.lamp", LANGGRAPH_STRICT_MSGPACK="true") as forks:
        assert turn("ask", QUESTION, "die") == -signal.SIGKILL
        assert turn("answer", "it prints off")["error"] == "IllegalStep"
        shown = turn("go-on")
        assert marks() == [LOOK]
        events = [entry["event"] for entry in Journal(tmp_path / "journal.jsonl").entries()]
        assert [event for event in events if event != "reached"] == ["begun", "repeated"]
        assert [ran["outcome"]["kind"] for ran in shown["ran"]] == ["uncertain"]
        assert LOOK in shown["text"]
        assert turn("answer", "it prints off")["status"] == "awaiting"
        assert marks() == [LOOK, SWITCH]
