import asyncio
import json
import signal
import sys

import pytest
from llama_index.core.prompts import PromptTemplate
from llama_index.core.workflow import Context, HumanResponseEvent
from workflows.errors import ContextSerdeError, WorkflowTimeoutError

from llama_index_thread import HowToSession, HowToWorkflow, ThreadRetriever
from llama_index_thread.workflow import AnswerEvent, ExecutedEvent, HowToEndEvent, TurnEvent
from tests.conformance.walking import WALKS
from tests.forked import Forks
from tests.llama_index_thread.conftest import retriever_over
from tests.llama_index_thread.hands import Hands, WatchedMemory, seen
from thread_core.errors import AnsweredAlready, BadJournal
from thread_core.executors import Allow, CommandExecutor
from thread_core.walk.execution import OutcomeKind
from thread_core.walk.journal import Journal
from thread_core.walk.rendering import Turn
from thread_core.walk.session import AUTOMATIC
from thread_core.walk.state import VERSION
from thread_core.walk.states import Status

QUESTION = "Service A cannot reach Service B"
MODULES = "Which kernel modules are there?"


@pytest.fixture
def workflow(guides):
    return HowToWorkflow(guides)


async def streamed(handler):
    """What a run says until it is the person's turn, or the end."""
    said = []
    async with asyncio.timeout(60):
        async for event in handler.stream_events():
            said.append(event)
            if isinstance(event, TurnEvent | HowToEndEvent):
                return said
        return [await handler]  # raises what went wrong


async def asked(handler):
    return (await streamed(handler))[-1]


async def saved(handler):
    """The context as it would lie in a file, and no run any more."""
    kept = json.dumps(handler.ctx.to_dict())
    await handler.cancel_run()
    return kept


async def begun(workflow, question=QUESTION):
    handler = workflow.run(question=question)
    await asked(handler)
    return await saved(handler)


def resumed(workflow, kept):
    return workflow.run(ctx=Context.from_dict(workflow, json.loads(kept)))


async def answered(workflow, kept, text):
    """The turn that follows an answer, and the context after it."""
    ctx = Context.from_dict(workflow, json.loads(kept))
    if ctx.is_running:
        handler = workflow.run(ctx=ctx)
        handler.ctx.send_event(AnswerEvent(text=text))
    else:
        handler = workflow.run(ctx=ctx, answer=text)
    event = await asked(handler)
    return event, await saved(handler)


# -- runs -----------------------------------------------------------------------------------------------------------


async def test_a_walk_in_one_run_ends_with_the_last_turn(guides, workflow):
    session = HowToSession(guides)
    handler = workflow.run(question=QUESTION)
    assert (await asked(handler)).turn == session.start(QUESTION)
    handler.ctx.send_event(AnswerEvent(text="I give up"))

    end = await handler

    assert end.turn == session.respond("I give up")
    assert (end.turn.status, end.number, str(end)) == (Status.ESCALATED, 2, end.turn.text)


async def test_a_question_with_the_context_of_a_walk_begins_another_of_the_same_session(workflow):
    handler = workflow.run(question=QUESTION)
    first = await asked(handler)
    handler.ctx.send_event(first.answer("I give up"))
    await handler

    again = workflow.run(ctx=handler.ctx, question="How do I clear disk pressure on a node?")

    second = await asked(again)
    assert (second.session, second.number) == (first.session, 3)
    assert second.turn.citations[0].document_id == "node-disk-pressure.md"
    await again.cancel_run()


@pytest.mark.parametrize("given", [{}, {"question": " "}, {"question": QUESTION, "answer": "2"}])
async def test_a_run_takes_a_question_or_an_answer(workflow, given):
    with pytest.raises(ValueError, match="run needs question=, or answer= and the ctx"):
        await workflow.run(**given)


@pytest.mark.parametrize("number", ["2", 2])
async def test_a_run_that_has_failed_is_gone_on_with_by_an_answer(guides, tmp_path, number):
    folder = tmp_path / "journals"
    folder.mkdir()
    workflow = HowToWorkflow(guides, journal=Journal(folder / "journal.jsonl"))
    handler = workflow.run(question=QUESTION)
    first = await asked(handler)
    folder.rename(tmp_path / "away")
    handler.ctx.send_event(first.answer(number))
    with pytest.raises(BadJournal):
        await asked(handler)
    (tmp_path / "away").rename(folder)

    again = await asked(workflow.run(ctx=handler.ctx, answer=number))

    session = HowToSession(guides)
    session.start(QUESTION)
    assert (again.turn, again.number) == (session.respond(2), 2)


async def test_a_walk_whose_context_was_not_saved_goes_on_with_the_answer_that_counts(guides, tmp_path):
    journal = tmp_path / "journal.jsonl"
    kept = await begun(HowToWorkflow(guides, journal=Journal(journal)))
    lost, _ = await answered(HowToWorkflow(guides, journal=Journal(journal)), kept, "no, an instance is Evicted")
    workflow = HowToWorkflow(guides, journal=Journal(journal))

    with pytest.raises(AnsweredAlready) as refused:
        await answered(workflow, kept, "2")
    again, _ = await answered(workflow, kept, refused.value.answer)

    assert again == lost


# -- the context ---------------------------------------------------------------------------------------------------


async def test_what_is_saved_is_plain_and_holds_no_bodies(workflow, guides):
    kept = await begun(workflow)

    names = [value for key, value in walked(json.loads(kept)) if key in ("qualified_name", "state_type")]
    assert names == ["HowToState", "llama_index_thread.workflow.HowToState"]
    assert "curl --silent" in HowToSession(guides).start(QUESTION).text
    assert "curl --silent" not in kept


async def test_what_is_asked_is_plain_data(guides, workflow):
    handler = workflow.run(question=QUESTION)
    event = await asked(handler)
    turn = HowToSession(guides).start(QUESTION).model_dump(mode="json")
    assert json.loads(json.dumps(event.model_dump(mode="json"))) == {
        "turn": turn,
        "session": event.session,
        "number": 1,
        "refused": "",
    }
    await handler.cancel_run()


async def test_a_run_that_waits_holds_no_step(workflow):
    """`wait_for_event` would replay its step, and time out."""
    workers = json.loads(await begun(workflow))["workers"]

    assert {
        (*worker["queue"], *worker["in_progress"], *worker["collected_waiters"]) for worker in workers.values()
    } == {()}


@pytest.mark.slow
async def test_a_run_waits_as_long_as_it_is_told_and_else_for_ever(guides, workflow):
    assert workflow._timeout is None
    handler = HowToWorkflow(guides, timeout=0.05).run(question=QUESTION)
    with pytest.raises(WorkflowTimeoutError):
        await handler


def walked(data):
    """All keys and values of some JSON, and of the JSON in its strings."""
    if isinstance(data, str) and data.startswith(("{", "[")):
        data = json.loads(data)
    if isinstance(data, dict):
        for key, value in data.items():
            yield key, value
            yield from walked(value)
    if isinstance(data, list):
        for value in data:
            yield from walked(value)


FOREIGN = json.dumps({"__is_pydantic": True, "value": {}, "qualified_name": "foreign_module.Foreign"})


def of_state(context):
    context["state"]["state_data"] = FOREIGN
    context["state"]["state_module"], context["state"]["state_type"] = "foreign_module", "Foreign"


def of_queued_event(context):
    context["workers"]["respond"]["queue"] = [{"event": FOREIGN}]


def of_event_in_progress(context):
    context["workers"]["execute"]["in_progress"] = [{"event": FOREIGN}]


def of_component(context):
    component = {"__is_component": True, "value": {}, "qualified_name": "foreign_module.Foreign"}
    context["workers"]["respond"]["queue"] = [{"event": json.dumps(component)}]


def of_waiter(context):
    waiter = {"waiter_id": "1", "event": FOREIGN, "waiting_for_event": "foreign_module.Foreign"}
    context["workers"]["respond"]["collected_waiters"] = [waiter]


@pytest.mark.parametrize("named", [of_state, of_queued_event, of_event_in_progress, of_component, of_waiter])
async def test_a_saved_context_that_names_other_types_is_refused_and_nothing_is_imported(
    workflow, named, tmp_path, monkeypatch
):
    (tmp_path / "foreign_module.py").write_text("from pydantic import BaseModel\nclass Foreign(BaseModel): pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    context = json.loads(await begun(workflow))
    named(context)

    with pytest.raises((ContextSerdeError, ValueError), match="not in the serializer's allowed types"):
        resumed(workflow, json.dumps(context))
    assert "foreign_module" not in sys.modules


async def test_a_context_of_another_version_is_refused(workflow):
    kept = await begun(workflow)

    with pytest.raises(ValueError, match="a session of version 0 cannot be resumed"):
        resumed(workflow, kept.replace(rf"\"session\": {{\"version\": {VERSION}", r"\"session\": {\"version\": 0"))


# -- who answers ---------------------------------------------------------------------------------------------------


async def test_a_second_answer_to_a_turn_is_refused_and_told(workflow):
    handler = workflow.run(question=QUESTION)
    first = await asked(handler)
    handler.ctx.send_event(first.answer("2"))
    handler.ctx.send_event(first.answer("1"))

    second, third = await asked(handler), await asked(handler)

    assert (second.number, second.refused) == (2, "")
    assert (third.turn, third.number) == (second.turn, 2)
    assert third.refused == "Turn 1 was already answered."
    handler.ctx.send_event(third.answer("I give up"))
    assert (await handler).turn.status is Status.ESCALATED


@pytest.mark.parametrize(
    "answer",
    [
        AnswerEvent(response="no, an instance is Evicted"),
        HumanResponseEvent(response="no, an instance is Evicted"),
        HumanResponseEvent(text="no, an instance is Evicted", number=1),
    ],
    ids=["AnswerEvent", "HumanResponseEvent", "with a number"],
)
async def test_an_answer_counts_as_it_is_called_in_llama_indexs_examples(guides, workflow, answer):
    session = HowToSession(guides)
    session.start(QUESTION)
    handler = workflow.run(question=QUESTION)
    await asked(handler)
    handler.ctx.send_event(answer)

    assert (await asked(handler)).turn == session.respond("no, an instance is Evicted")
    await handler.cancel_run()


async def test_an_answer_of_llama_index_to_another_turn_is_refused(workflow):
    handler = workflow.run(question=QUESTION)
    first = await asked(handler)
    handler.ctx.send_event(HumanResponseEvent(response="2", number=7))

    again = await asked(handler)

    assert (again.turn, again.refused) == (first.turn, "Turn 7 was already answered.")
    await handler.cancel_run()


async def test_an_answer_without_words_is_an_error_and_not_done(workflow):
    with pytest.raises(ValueError, match=r"found answer, number, expected text= or response="):
        AnswerEvent(answer="no, stop", number=1)
    handler = workflow.run(question=QUESTION)
    await asked(handler)
    handler.ctx.send_event(HumanResponseEvent(answer="no, stop"))
    with pytest.raises(ValueError, match="found answer"):
        await handler


async def test_an_answer_while_an_executor_is_at_work_is_refused_and_told(kernel):
    hands = Hands(seen("Linux"), held=True)
    handler = HowToWorkflow(kernel, executor=hands).run(question=MODULES)
    await hands.begun.wait()
    handler.ctx.send_event(AnswerEvent(text="it is solved"))
    async with asyncio.timeout(60):
        while not (await handler.ctx.store.get_state()).refused:
            await asyncio.sleep(0)
    hands.go.set()

    turn = await asked(handler)

    assert turn.refused == "An earlier answer was still being processed."
    assert (turn.turn.status, turn.turn.ran[0].outcome) == (Status.AWAITING, seen("Linux"))
    await handler.cancel_run()


@pytest.mark.slow
@pytest.mark.parametrize("answers", [("2", "1"), ("2", "2")], ids=["different", "the same"])
async def test_two_people_resume_at_once_and_nothing_runs_twice(guides, tmp_path, answers):
    kept = await begun(HowToWorkflow(guides))
    hands = [Hands(seen("an instance is Evicted"), seen("done")) for _ in answers]

    async def person(hand, text):
        workflow = HowToWorkflow(guides, executor=hand, journal=Journal(tmp_path / "journal.jsonl"))
        handler = resumed(workflow, kept)
        handler.ctx.send_event(AnswerEvent(text=text))
        await asked(handler)
        await handler.cancel_run()

    told = await asyncio.gather(*map(person, hands, answers), return_exceptions=True)

    if len(set(answers)) == 1:
        assert told == [None, None]
    else:
        (loser,) = [one for one in told if one is not None]
        assert isinstance(loser, AnsweredAlready)
    entries = Journal(tmp_path / "journal.jsonl").entries()
    ran = [entry["key"] for entry in entries if entry["event"] == "finished" and entry["kind"] == "observed"]
    assert len(ran) == len(set(ran)) > 0


# -- executors -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
async def test_what_an_executor_does_is_streamed_and_stands_in_the_turn(kernel):
    outcomes = seen("Linux"), RuntimeError("no such host")
    session, hands = HowToSession(kernel, executor=Hands(*outcomes)), Hands(*outcomes)
    handler = HowToWorkflow(kernel, executor=hands).run(question=MODULES)

    *ran, turn = await streamed(handler)

    assert [type(event) for event in ran] == [ExecutedEvent, ExecutedEvent]
    assert [event.ran.outcome.kind for event in ran] == [OutcomeKind.OBSERVED, OutcomeKind.FAILED]
    assert [event.ran.header for event in ran] == [action.header for action in hands.had]
    assert turn.turn == session.start(MODULES)
    assert turn.turn.ran == tuple(event.ran for event in ran)
    await handler.cancel_run()


@pytest.mark.slow
async def test_a_command_that_was_approved_in_another_process_is_run_once(kernel, tmp_path):
    def workflow():
        journal = Journal(tmp_path / "journal.jsonl")
        executor = CommandExecutor([Allow("uname", options={"-s": None})], journal=journal)
        return HowToWorkflow(kernel, executor=executor, journal=journal)

    handler = workflow().run(question=MODULES)
    first, kept = await asked(handler), await saved(handler)
    assert (first.turn.status, first.turn.options) == (Status.ASKING, ("Run it", "I do it myself"))

    for _ in range(2):  # the second time as after a crash
        second, _kept = await answered(workflow(), kept, "Run it")
        assert second.turn.ran[0].outcome == seen("Linux")
        assert "List the modules" in second.turn.text
    entries = Journal(tmp_path / "journal.jsonl").entries()
    assert [entry["kind"] for entry in entries if entry["event"] == "finished"].count("observed") == 1


@pytest.mark.slow
async def test_a_person_is_asked_after_so_many_steps_without_one():
    steps = (f"## Step {number}: Turn\n\nTurn wheel number {number} by hand.\n" for number in range(1, AUTOMATIC + 5))
    wheels = retriever_over({"wheels.md": "\n".join(("# Wheels", *steps))})
    always = [seen("done")] * (AUTOMATIC + 5)
    session, hands = HowToSession(wheels, executor=Hands(*always)), Hands(*always)
    handler = HowToWorkflow(wheels, executor=hands).run(question="How do I turn the wheels?")

    assert (await asked(handler)).turn == session.start("How do I turn the wheels?")
    assert len(hands.had) == AUTOMATIC
    handler.ctx.send_event(AnswerEvent(text="where am I?"))
    assert (await asked(handler)).turn == session.respond("where am I?")
    assert len(hands.had) == AUTOMATIC
    await handler.cancel_run()


async def test_a_context_that_is_saved_while_an_executor_is_at_work_runs_nothing_again(guides, tmp_path):
    hands = Hands(seen("never told"), held=True)
    handler = HowToWorkflow(guides, executor=hands, journal=Journal(tmp_path / "j")).run(question=QUESTION)
    await hands.begun.wait()
    kept = await saved(handler)

    other = Hands()
    handler = resumed(HowToWorkflow(guides, executor=other, journal=Journal(tmp_path / "j")), kept)
    turn = await asked(handler)

    assert [ran.outcome.kind for ran in turn.turn.ran] == [OutcomeKind.UNCERTAIN]
    assert (turn.turn.status, other.had) == (Status.AWAITING, [])
    events = [entry["event"] for entry in Journal(tmp_path / "j").entries()]
    assert events == ["answered", "reached", "begun", "repeated", "reached"]
    await handler.cancel_run()


def event_of(name, **values):
    qualified = f"llama_index_thread.workflow.{name}"
    return {"event": json.dumps({"__is_pydantic": True, "value": values, "qualified_name": qualified})}


async def test_a_step_that_is_run_again_after_it_has_written_gives_what_it_gave(kernel):
    """As from a context that was saved between the end of a step and the next one."""
    hands = Hands(seen("Linux"))
    handler = HowToWorkflow(kernel, executor=hands).run(question=MODULES)
    event = await asked(handler)
    state = await handler.ctx.store.get_state()
    context = json.loads(await saved(handler))
    executed = {"header": "", "commands": [], "outcome": {"kind": "observed", "text": "it is solved"}}

    for worker, again in (
        ("begin", event_of("HowToStartEvent", question=MODULES, id=state.heard)),
        ("respond", event_of("AnswerEvent", text="1", id=state.heard)),
        ("match", event_of("ExecutedEvent", ran=executed, number=1)),
        ("execute", event_of("ExecuteEvent")),
    ):
        workers = context["workers"] | {worker: context["workers"][worker] | {"queue": [again]}}
        handler = resumed(HowToWorkflow(kernel, executor=Hands()), json.dumps(context | {"workers": workers}))
        shown = await asked(handler)
        assert (shown.number, shown.turn.unit_ids) == (event.number, event.turn.unit_ids), worker
        assert (await handler.ctx.store.get_state()).session == state.session
        await handler.cancel_run()


async def test_a_step_that_is_run_again_before_its_executor_has_begun_has_it_begin(kernel):
    hands = Hands(held=True)
    handler = HowToWorkflow(kernel, executor=hands).run(question=MODULES)
    await hands.begun.wait()
    heard = (await handler.ctx.store.get_state()).heard
    workers = (context := json.loads(await saved(handler)))["workers"]
    workers["execute"]["in_progress"], workers["execute"]["queue"] = [], []
    workers["begin"]["queue"] = [event_of("HowToStartEvent", question=MODULES, id=heard)]

    other = Hands(seen("Linux"))
    handler = resumed(HowToWorkflow(kernel, executor=other), json.dumps(context))

    assert (await asked(handler)).turn.ran[0].outcome == seen("Linux")
    assert len({action.unit_id for action in other.had}) == len(other.had) == 2
    await handler.cancel_run()


# -- processes -----------------------------------------------------------------------------------------------------


@pytest.fixture
def in_a_process(tmp_path):
    with Forks("tests.llama_index_thread.one_turn") as forks:
        yield lambda text, hands="alone": forks.run(str(tmp_path), text, hands)


@pytest.mark.slow
def test_a_process_that_is_killed_while_an_executor_runs_has_run_it_once(index, in_a_process, tmp_path):
    def kinds():
        events = [entry["event"] for entry in Journal(tmp_path / "journal.jsonl").entries()]
        return [event for event in events if event != "reached"]

    in_a_process("The disk is full, where are the large files?")
    assert kinds() == ["answered"]
    killed = in_a_process("the disk is still full", "dies")
    assert (killed.returncode, killed.stdout) == (-signal.SIGKILL, "")
    assert kinds() == ["answered", "answered", "begun"]

    rerun = in_a_process("the disk is still full", "runs")

    turn = Turn.model_validate_json(rerun.stdout)
    assert [ran.outcome.kind for ran in turn.ran] == [OutcomeKind.UNCERTAIN]
    assert "it is not known how it ended" in turn.text
    assert turn.status is Status.AWAITING
    assert (tmp_path / "ran").read_text() == "Volumes: Extend: Run volume extend +10G\n"
    assert kinds() == ["answered", "answered", "begun", "repeated"]
    other = in_a_process("I give up", "runs")
    assert Turn.model_validate_json(other.stdout).status is Status.ESCALATED


@pytest.mark.slow
async def test_runs_at_once_do_not_mix(guides):
    workflow = HowToWorkflow(guides)
    walks = [walk.said[:2] for walk in WALKS[:4]]

    async def walked(question, answer):
        handler = workflow.run(question=question)
        handler.ctx.send_event((await asked(handler)).answer(answer))
        event = await asked(handler)
        await handler.cancel_run()
        return event.turn

    sessions = [HowToSession(guides) for _ in walks]
    expected = [session.start(question) and session.respond(answer) for session, (question, answer) in
                zip(sessions, walks, strict=True)]  # fmt: skip
    assert await asyncio.gather(*(walked(*walk) for walk in walks)) == expected


# -- the rest ------------------------------------------------------------------------------------------------------


async def test_runs_are_traced(workflow, events):
    handler = workflow.run(question=QUESTION)
    event = await asked(handler)
    handler.ctx.send_event(event.answer("I give up"))
    await handler
    assert [name for name in events if "output" in name] == ["step.output", "step.output", "workflow.output"]


async def test_a_model_chooses_and_is_asked_with_the_users_prompt(index, embedding, llm):
    met = {"number": 1, "verdict": "met", "question": ""}
    llm.replies = [json.dumps({"prerequisites": [met], "units": ["1"], "query": []}), '{"way": "1"}']
    prompts = {"select": PromptTemplate("MINE {question} {guides}")}
    memory = WatchedMemory()
    workflow = HowToWorkflow(ThreadRetriever(index, embed_model=embedding), llm, memory=memory, prompts=prompts)

    handler = workflow.run(question="The disk is full, where are the large files?")

    assert (await asked(handler)).turn.usage.calls == 1
    assert "MINE | The disk is full" in llm.prompts[0]
    handler.ctx.send_event(AnswerEvent(text="there is hardly any room"))
    assert (await asked(handler)).turn.usage.calls == 1
    assert memory.asked == 2
    await handler.cancel_run()


async def test_a_turn_costs_what_all_its_steps_cost(index, embedding, llm):
    met = {"number": 1, "verdict": "met", "question": ""}
    llm.replies = [json.dumps({"prerequisites": [met], "units": ["1"], "query": []}), '{"way": ""}'] * 2
    retriever, question = ThreadRetriever(index, embed_model=embedding), "The disk is full, where are the large files?"
    session, hands = HowToSession(retriever, llm, Hands(seen("40 GB"))), Hands(seen("40 GB"))
    handler = HowToWorkflow(retriever, llm, hands).run(question=question)

    turn = (await asked(handler)).turn

    assert len(turn.ran) == len(hands.had) == 1
    assert turn.usage.calls == 2
    assert turn.usage == session.start(question).usage
    await handler.cancel_run()
