import json
import uuid

import pytest
from llama_index.core.agent.workflow import AgentWorkflow, FunctionAgent, ToolCallResult
from llama_index.core.base.llms.types import ToolCallBlock
from llama_index.core.llms import ChatMessage, MockFunctionCallingLLM
from llama_index.core.workflow import Context

from llama_index_thread import HowToSession, create_howto_tool
from tests.conformance.walking import WALKS
from thread_core.walk import agents

# LlamaIndex's agents use fields of Pydantic by their old names, and leave their memory out of what they save.
pytestmark = [
    pytest.mark.filterwarnings("ignore::pydantic.warnings.PydanticDeprecationWarning"),
    pytest.mark.filterwarnings("ignore::workflows.context.state_store.UnserializableKeyWarning"),
]

QUESTION = "Service A cannot reach Service B"


def call(*arguments):
    """A reply that calls the tool, once for each."""
    blocks = [ToolCallBlock(tool_call_id=uuid.uuid4().hex, tool_name="howto", tool_kwargs=one) for one in arguments]
    return ChatMessage(role="assistant", blocks=blocks)


def agent(retriever, *replies, kind=FunctionAgent):
    script = iter(replies)
    llm = MockFunctionCallingLLM(response_generator=lambda messages, **_: next(script))
    if kind is AgentWorkflow:
        return AgentWorkflow.from_tools_or_functions([create_howto_tool(retriever)], llm=llm)
    return FunctionAgent(tools=[create_howto_tool(retriever)], llm=llm)


async def told(agent, ctx):
    """What the tool says in a run."""
    handler = agent.run("help", ctx=ctx)
    said = [event.tool_output.content async for event in handler.stream_events() if isinstance(event, ToolCallResult)]
    await handler
    return said


@pytest.mark.slow
@pytest.mark.parametrize("kind", [FunctionAgent, AgentWorkflow])
@pytest.mark.parametrize("walk", [walk.said for walk in WALKS[:2]], ids=lambda walk: walk[1])
async def test_an_agent_walks_as_a_session_does(guides, walk, kind):
    session = HowToSession(guides)
    calls = [call({"question": walk[0]}), *(call({"outcome": words}) for words in walk[1:])]
    walker = agent(guides, *calls, ChatMessage("done", role="assistant"), kind=kind)

    steps = await told(walker, Context(walker))

    turns = [session.start(walk[0]), *map(session.respond, walk[1:])]
    assert [step.rpartition("\n\nSource: ")[0] for step in steps] == [str(turn) for turn in turns]
    assert all(str(turn.citations[0]) in step for step, turn in zip(steps, turns, strict=True))


async def test_the_walk_goes_on_in_another_run_and_in_another_process(guides):
    session = HowToSession(guides)
    session.start(QUESTION)
    end = ChatMessage("do this", role="assistant")
    walker = agent(guides, call({"question": QUESTION}), end, call({"outcome": "2"}), end)
    ctx = Context(walker)
    await told(walker, ctx)
    kept = json.dumps(ctx.to_dict())
    expected = str(session.respond("2"))

    assert expected in (await told(walker, ctx))[0]
    other = agent(guides, call({"outcome": "2"}), end)
    assert expected in (await told(other, Context.from_dict(other, json.loads(kept))))[0]


async def test_two_agents_have_a_walk_each(guides):
    end = ChatMessage("do this", role="assistant")
    tool = create_howto_tool(guides)
    texts = []
    for question in (QUESTION, "How do I collect diagnostics for a service?"):
        script = iter([call({"question": question}), end, call({"outcome": "where am I?"}), end])
        llm = MockFunctionCallingLLM(response_generator=lambda messages, script=script, **_: next(script))
        walker = FunctionAgent(tools=[tool], llm=llm)
        texts.append((walker, ctx := Context(walker), await told(walker, ctx)))
    for walker, ctx, first in texts:
        assert await told(walker, ctx) == first
    one, two = [await ctx.store.get("thread_session_howto") for _, ctx, _ in texts]
    assert json.loads(one)["id"] != json.loads(two)["id"]


async def test_a_question_begins_anew_whatever_went_before(guides):
    end = ChatMessage("do this", role="assistant")
    walker = agent(guides, call({"outcome": "2"}), call({"question": QUESTION}), end)
    ctx = Context(walker)
    await ctx.store.set("thread_session_howto", '{"version": 0}')

    refused, begun = await told(walker, ctx)

    assert "a session of version 0 cannot be resumed" in refused
    assert str(HowToSession(guides).start(QUESTION)) in begun


@pytest.mark.parametrize("said", ["2", "next", "done", "back"])
async def test_a_question_that_is_an_answer_to_the_step_is_taken_as_one(guides, said):
    end = ChatMessage("done", role="assistant")
    walks = [agent(guides, call({"question": QUESTION}), call({key: said}), end) for key in ("question", "outcome")]

    one, other = [await told(walker, Context(walker)) for walker in walks]

    assert one == other


async def test_a_new_question_says_which_walk_is_left(guides):
    end = ChatMessage("do this", role="assistant")
    other = "How do I collect diagnostics for a service?"
    asked = [call({"question": QUESTION}), call({"question": other}), call({"question": other})]
    walker = agent(guides, *asked, call({"outcome": "where are we?"}), end)

    _, begun, again, where = await told(walker, Context(walker))

    assert begun == f"{agents.LEFT.format(QUESTION)}\n\n{again}"
    assert where == again


async def test_two_calls_at_once_are_one_too_many(guides):
    end = ChatMessage("do this", role="assistant")
    walker = agent(guides, call({"question": QUESTION}), call({"outcome": "2"}, {"outcome": "3"}), end)
    ctx = Context(walker)

    _, *both = await told(walker, ctx)

    assert sorted(one.startswith("Another call is still being answered") for one in both) == [False, True]
    assert json.loads(await ctx.store.get("thread_session_howto"))["turn"] == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "Pass either a question, to begin a procedure, or the outcome"),
        ({"question": "a", "outcome": "b"}, "Pass either a question, to begin a procedure, or the outcome"),
        ({"question": " ", "outcome": None}, "Pass either a question, to begin a procedure, or the outcome"),
        ({"outcome": ["done"]}, "Pass either a question, to begin a procedure, or the outcome"),
        ({"outcome": "done"}, "No procedure is under way in this conversation: pass the question first."),
    ],
)
async def test_a_call_that_does_not_fit_is_told_so(guides, arguments, said):
    walker = agent(guides, call(arguments), ChatMessage("sorry", role="assistant"))

    assert (await told(walker, Context(walker)))[0].startswith(said)


@pytest.mark.parametrize(
    "arguments", [{"outcome": 2}, {"outcome": 2.0}, {"question": None, "outcome": "2"}, {"outcome": "2", "step": 1}]
)
async def test_a_model_may_say_it_in_other_ways(guides, arguments):
    session = HowToSession(guides)
    session.start(QUESTION)
    walker = agent(
        guides,
        call(
            {"question": QUESTION},
        ),
        call(arguments),
        ChatMessage("done", role="assistant"),
    )

    assert str(session.respond("2")) in (await told(walker, Context(walker)))[-1]


async def test_two_tools_of_one_agent_have_a_walk_each(guides):
    said = [
        ("one", {"question": QUESTION}),
        ("two", {"question": "How do I collect diagnostics for a service?"}),
        ("one", {"outcome": "where am I?"}),
        ("two", {"outcome": "where am I?"}),
    ]
    blocks = [[ToolCallBlock(tool_call_id=uuid.uuid4().hex, tool_name=name, tool_kwargs=one)] for name, one in said]
    replies = [ChatMessage(role="assistant", blocks=one) for one in blocks]
    script = iter([*replies, ChatMessage("done", role="assistant")])
    llm = MockFunctionCallingLLM(response_generator=lambda messages, **_: next(script))
    walker = FunctionAgent(tools=[create_howto_tool(guides, name=name) for name in ("one", "two")], llm=llm)

    first, second, *again = await told(walker, Context(walker))

    assert again == [first, second]
    assert first != second


@pytest.mark.slow
async def test_the_agent_is_told_what_each_step_wants(guides):
    walks = {
        "Do this, or have it done": [QUESTION],
        "This is for the person": [QUESTION, "no"],
        "Call again with the number": ["the moon is made of cheese"],
        "The procedure has ended.": [QUESTION, "it is solved", "yes"],
        "somebody else has to take over": [QUESTION, "I give up"],
    }
    for advice, (question, *outcomes) in walks.items():
        calls = [call({"question": question}), *(call({"outcome": words}) for words in outcomes)]
        walker = agent(guides, *calls, ChatMessage("done", role="assistant"))
        assert advice in (await told(walker, Context(walker)))[-1].rpartition("\n\n(")[2]


def test_the_tool_says_what_it_takes(guides):
    metadata = create_howto_tool(guides, name="runbook", description="Walks.").metadata

    assert (metadata.name, metadata.description) == ("runbook", "Walks.")
    properties = metadata.get_parameters_dict()["properties"]
    assert sorted(properties) == ["outcome", "question"]
    assert all(one["type"] == "string" and one["description"] for one in properties.values())
