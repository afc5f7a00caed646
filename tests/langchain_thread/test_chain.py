from collections.abc import Callable
from typing import Any

import pytest
from langchain_chroma import Chroma
from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel, FakeListChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import ConfigurableField, Runnable, RunnableLambda
from langchain_core.utils.function_calling import convert_to_openai_tool

from langchain_thread import ThreadRetriever, create_howto_chain
from langchain_thread.convert import to_retrieved, to_unit
from tests.langchain_thread.test_models import CHOSEN, saying
from thread_core.answering import answer as answering
from thread_core.walk.memory import Snippet, StepMemory

INPUTS = {"question": "The agent is silent", "chat_history": [("user", "We run agent 2.1")]}


def read(units: list[Document]) -> list[Document]:
    """A splitter's documents as the retriever gives them."""
    return [to_retrieved(to_unit(unit)) for unit in units]


@pytest.fixture
def chain(store: Chroma) -> Runnable[dict[str, Any], dict[str, Any]]:
    return create_howto_chain(ThreadRetriever(vectorstore=store, entries=1))


def test_the_answer_is_the_cores_over_the_units_that_apply(chain: Any, units: list[Document]) -> None:
    expected = answering.answer([to_unit(units[1])])
    reply = chain.invoke(INPUTS)
    assert list(reply) == ["question", "context", "steps", "answer", "instructions"]
    assert reply["question"] == "The agent is silent"
    assert reply["context"] == read(units[1:2])
    assert reply["answer"] == expected.text
    assert reply["steps"] == [step.model_dump(mode="json") for step in expected.steps]
    assert reply["steps"][0]["citation"] == {"document_id": "agent.md", "start": 10, "end": 11}
    assert reply["instructions"] == [one.model_dump(mode="json") for one in expected.instructions]


@pytest.mark.parametrize(
    "history",
    [[HumanMessage("We run agent 2.1"), AIMessage("Agent 2.4?")], [("human", "agent 2.1")], ["agent 2.1"]],
    ids=["messages", "pairs", "strings"],
)
def test_the_history_may_be_messages_pairs_or_strings(history: list[Any], chain: Any, units: list[Document]) -> None:
    reply = chain.invoke({"question": "The agent is silent", "chat_history": history})
    assert reply["context"] == read(units[1:2])


@pytest.mark.parametrize("inputs", [{}, {"chat_history": None}, {"chat_history": []}])
def test_without_history_the_undecided_is_marked(inputs: dict[str, Any], chain: Any) -> None:
    reply = chain.invoke({"question": "The agent is silent", **inputs})
    assert ["lu_ask" in document.metadata for document in reply["context"]] == [True, True, False]
    assert len(reply["steps"]) == 3


def test_the_answer_is_streamed_step_by_step(chain: Any) -> None:
    inputs = {"question": "The agent is silent"}
    context, *pieces, instructions = list(chain.stream(inputs))
    reply = chain.invoke(inputs)
    assert context == {**inputs, "context": reply["context"], "steps": [], "answer": ""}
    assert instructions == {"answer": "", "steps": [], "instructions": reply["instructions"]}
    assert [len(piece["steps"]) for piece in pieces] == [1, 1, 1, 0]
    assert [step["text"] in piece["answer"] for piece in pieces for step in piece["steps"]] == [True] * 3
    assert "".join(piece["answer"] for piece in pieces) == reply["answer"]


async def test_every_way_to_run_it_gives_the_same(chain: Any) -> None:
    expected = chain.invoke(INPUTS)
    assert await chain.ainvoke(INPUTS) == expected
    assert chain.batch([INPUTS, INPUTS]) == await chain.abatch([INPUTS, INPUTS]) == [expected, expected]
    assert [piece async for piece in chain.astream(INPUTS)] == list(chain.stream(INPUTS))


@pytest.mark.parametrize("llm", [None, FakeListChatModel(responses=["No."])], ids=["rules", "model"])
def test_its_schema_says_what_it_takes(llm: BaseChatModel | None, store: Chroma) -> None:
    chain = create_howto_chain(ThreadRetriever(vectorstore=store), llm)
    taken = chain.get_input_jsonschema()
    assert (taken["required"], set(taken["properties"])) == (["question"], {"question", "chat_history"})
    assert chain.get_output_jsonschema()
    assert chain.get_name() == "howto"


@pytest.mark.filterwarnings("ignore:This API is in beta")
@pytest.mark.parametrize("llm", [None, FakeListChatModel(responses=["No."])], ids=["rules", "model"])
def test_as_a_tool_it_is_asked_a_question_and_gives_the_text(llm: BaseChatModel | None, store: Chroma) -> None:
    chain = create_howto_chain(ThreadRetriever(vectorstore=store), llm)
    tool = chain.pick("answer").as_tool(name="plan", description="Gives a whole plan.")
    asked = convert_to_openai_tool(tool)["function"]["parameters"]
    assert (asked["required"], set(asked["properties"])) == (["question"], {"question"})
    question = {"question": INPUTS["question"]}
    assert tool.invoke(question) == chain.invoke(question)["answer"]


async def test_another_retriever_of_our_documents_does_too(store: Chroma, units: list[Document]) -> None:
    chain = create_howto_chain(store.as_retriever(search_kwargs={"k": 3}))
    reply = chain.invoke(INPUTS)
    assert {document.id for document in reply["context"]} == {units[1].id, units[2].id}
    assert await chain.ainvoke(INPUTS) == reply
    canned = create_howto_chain(RunnableLambda(lambda question: units))
    assert canned.invoke(INPUTS)["context"] == units[1:]


def fails(question: str) -> list[Document]:
    raise ConnectionError


WRAPPED: dict[str, Callable[[Any, Any], Any]] = {
    "config": lambda ours, plain: ours.with_config(tags=["mine"]),
    "retry": lambda ours, plain: ours.bind(k=1).with_retry(),
    "fallbacks": lambda ours, plain: ours.with_fallbacks([plain]),
    "a fallback": lambda ours, plain: RunnableLambda(fails).with_fallbacks([ours]),
    "fields": lambda ours, plain: ours.configurable_fields(k=ConfigurableField(id="k")),
    "alternatives": lambda ours, plain: ours.configurable_alternatives(WHICH, plain=plain),
    "an alternative": lambda ours, plain: plain.configurable_alternatives(WHICH, ours=lambda: ours).with_config(OURS),
    "sequence": lambda ours, plain: ours | (lambda documents: documents),
}
WHICH = ConfigurableField(id="which")
OURS: Any = {"configurable": {"which": "ours"}}


@pytest.mark.parametrize("wrapped", WRAPPED.values(), ids=WRAPPED)
async def test_the_history_counts_whatever_is_around_the_retriever(
    wrapped: Callable[[Any, Any], Any], store: Chroma, units: list[Document]
) -> None:
    retriever = wrapped(ThreadRetriever(vectorstore=store, k=1), store.as_retriever())
    reply = create_howto_chain(retriever).invoke(INPUTS)
    assert reply["context"] == read(units[1:2])
    assert await create_howto_chain(retriever).ainvoke(INPUTS) == reply
    said = create_howto_chain(retriever, saying(CHOSEN, "Run `control status` [1].")).invoke(INPUTS)
    assert said["context"] == read(units[1:2])


def test_a_memory_may_compare_whatever_is_around_the_retriever(store: Chroma) -> None:
    retriever, because = ThreadRetriever(vectorstore=store).with_config(tags=["mine"]), '{"rationales": ["So."]}'
    model, memory = (
        saying(because, CHOSEN, "Run `control status` [1]."),
        StepMemory([Snippet(question="?", action="Wait")]),
    )
    assert create_howto_chain(retriever, model, memory=memory).invoke(INPUTS)["usage"]["calls"] == 3


def test_another_retriever_is_not_told_the_history(make_store: Callable[..., Chroma], store: Chroma) -> None:
    plain, empty = store.as_retriever(search_kwargs={"k": 3}), ThreadRetriever(vectorstore=make_store([]))
    expected = create_howto_chain(plain).invoke(INPUTS)
    chosen = empty.configurable_alternatives(WHICH, plain=plain).with_config(configurable={"which": "plain"})
    for retriever in (empty.with_fallbacks([plain]), chosen):
        assert create_howto_chain(retriever).invoke(INPUTS) == expected


@pytest.mark.parametrize("llm", [None, FakeListChatModel(responses=["no choice"])], ids=["no model", "model"])
def test_a_unit_that_two_retrievers_found_is_shown_once(llm: BaseChatModel | None, store: Chroma) -> None:
    ours, theirs = ThreadRetriever(vectorstore=store), store.as_retriever()
    # index() gives rows ids of its own.
    renamed = theirs | (lambda found: [one.model_copy(update={"id": f"row {one.id}"}) for one in found])
    merged = RunnableLambda(lambda question: [*ours.invoke(question), *renamed.invoke(question)])
    reply, expected = (create_howto_chain(one, llm).invoke({"question": "The disk is full"}) for one in (merged, ours))
    assert (reply["steps"][0], len(reply["context"])) == (
        expected["steps"][0],
        len({d.metadata["lu_place"] for d in reply["context"]}),
    )


def test_where_there_is_no_unit_it_says_so() -> None:
    chunks = [Document("Lunch is at noon.")]
    reply = create_howto_chain(RunnableLambda(lambda question: chunks)).invoke({"question": "Lunch?"})
    nothing = {"context": chunks, "steps": [], "answer": answering.NOTHING, "instructions": []}
    assert reply == {"question": "Lunch?", **nothing}


@pytest.mark.parametrize("inputs", ["The agent is silent", {"input": "The agent is silent"}, {"question": None}])
def test_other_inputs_are_refused(inputs: Any, chain: Any) -> None:
    with pytest.raises(ValueError, match="the chain takes"):
        chain.invoke(inputs)
