"""The same measures through LlamaIndex's runner and through LangSmith's local mode."""

from __future__ import annotations

import logging
from typing import Any

import langsmith
import pytest
from langchain_core.documents import Document as LangChainDocument
from langchain_core.language_models import FakeListChatModel
from llama_index.core import Document
from llama_index.core.base.response.schema import Response
from llama_index.core.evaluation import BatchEvalRunner
from llama_index.core.llms import CompletionResponse, CustomLLM, LLMMetadata
from llama_index.core.schema import NodeWithScore, TextNode

from llama_index_thread import LogicUnitNodeParser
from tests.thread_eval.kettle import FIRST, GUIDE, SECOND
from thread_core.errors import ModelError
from thread_core.llm.access import ModelAccess
from thread_core.llm.asking import Role
from thread_core.testing.model import ScriptedModel
from thread_eval.evaluators.langsmith import create_async_howto_evaluator, create_howto_evaluator
from thread_eval.evaluators.llama_index import HowToEvaluator
from thread_eval.evaluators.measures import MEASURES

SOLVED = '{"reason": "All is there.", "solved": true}'


def judge(*replies: str | Exception) -> ModelAccess:
    return ModelAccess(ScriptedModel(*(("", reply) for reply in replies)), attempts=1)


class Says(CustomLLM):
    """A model of LlamaIndex that says one thing."""

    said: str = SOLVED

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(model_name="says")

    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        return CompletionResponse(text=self.said)

    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> Any:
        raise NotImplementedError


# -- LlamaIndex ----------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:asyncio_module:DeprecationWarning")  # LlamaIndex's own, of LlamaIndex's runner
async def test_a_batch_runner_takes_all_of_them_with_what_each_needs() -> None:
    runner = BatchEvalRunner({name: HowToEvaluator(name, Says()) for name in ("solved", "word_rouge_l", "step_recall")})
    found = await runner.aevaluate_response_strs(
        ["Why?", "How?"],
        ["Push the plug.", "Wait."],
        [[f"{FIRST}."], [f"{SECOND}."]],
        solved={"steps": [["Push."], ["Wait."]]},
        word_rouge_l={"reference": ["Push the plug", "Press reset"]},
        step_recall={"steps": [[FIRST], [FIRST, SECOND]]},
    )
    assert {name: [(one.score, one.passing) for one in results] for name, results in found.items()} == {
        "solved": [(1, True), (1, True)],
        "word_rouge_l": [(1, True), (0, False)],
        "step_recall": [(1, True), (0.5, False)],
    }
    assert found["solved"][0].feedback == "All is there."


def test_what_does_not_apply_is_no_failure_and_a_judge_that_fails_is_invalid() -> None:
    nothing = HowToEvaluator("solved", judge()).evaluate("Why?", "So.")
    assert (nothing.score, nothing.passing, nothing.invalid_result) == (None, None, False)
    assert nothing.feedback == "there are no true steps"
    failed = HowToEvaluator("solved", judge(ModelError("out of order"))).evaluate("Why?", "So.", steps=["Push."])
    assert (failed.score, failed.passing, failed.invalid_result) == (None, None, True)
    assert "out of order" in (failed.invalid_reason or "")


@pytest.mark.parametrize(("passes_at", "passing"), [(None, False), (8, True)])
def test_a_rating_passes_at_10_or_at_what_is_given(passes_at: float | None, passing: bool) -> None:
    rated = HowToEvaluator("rating", judge('{"reason": "", "rating": 8}'), passes_at=passes_at)
    assert rated.evaluate("Why?", "So.", reference="So it is.").passing is passing


async def test_the_sources_of_a_response_count_with_their_bodies() -> None:
    nodes = LogicUnitNodeParser().get_nodes_from_documents([Document(text=GUIDE, id_="kettle.md")])
    response = Response("", source_nodes=[NodeWithScore(node=node) for node in [*nodes, TextNode(text="Else.")]])
    evaluator = HowToEvaluator("step_recall")
    found = await evaluator.aevaluate_response("Why?", response, steps=[FIRST, SECOND, "Else."])
    assert (found.score, found.feedback) == (1, "3 of 3 steps")
    assert evaluator.evaluate_response("Why?", response, steps=[FIRST, SECOND, "Else."]) == found


# -- LangSmith -----------------------------------------------------------------------------------------------------

INPUTS = {"question": "Why?"}
OUTPUTS = {"answer": "Push the plug.", "contexts": [LangChainDocument(f"{FIRST}."), "Else."]}
REFERENCE = {"answer": "Push the plug", "steps": [FIRST, SECOND]}


GIVEN: Any = {"inputs": INPUTS, "outputs": OUTPUTS, "reference_outputs": REFERENCE}


def test_each_measure_is_a_function_of_inputs_outputs_and_reference() -> None:
    asked = FakeListChatModel(responses=[SOLVED])
    assert create_howto_evaluator("solved", asked)(**GIVEN, attachments={}) == {
        "key": "solved",
        "score": 1,
        "comment": "All is there.",
        "metadata": {"failed": False, "of": 1},
    }
    assert create_howto_evaluator("step_recall")(**GIVEN)["score"] == 0.5
    assert create_howto_evaluator("word_rouge_l")(inputs=INPUTS, outputs=OUTPUTS)["score"] is None
    texts = create_howto_evaluator("word_rouge_l")(inputs="Why?", outputs="Push it.", reference_outputs="Push it")
    assert texts["score"] == 1
    with pytest.raises(ValueError, match=r"the outputs have the fields \['text'\]; expected 'answer'"):
        create_howto_evaluator("word_rouge_l")(inputs=INPUTS, outputs={"text": "So."})


async def test_a_list_is_what_the_lines_of_an_answer_are() -> None:
    evaluator = create_async_howto_evaluator("task_completion", judge('{"covered": [2]}'))
    found = await evaluator(inputs=INPUTS, outputs={"answer": "Push it.\n\nWait."}, reference_outputs=REFERENCE)
    assert (found["key"], found["score"], found["comment"]) == ("task_completion", 0.5, "1 of 2 steps")


def test_action_items_are_one_measure() -> None:
    one = '{"items": [{"action": "push", "element": "plug"}]}'
    evaluator = create_howto_evaluator("item_f1", judge(one, one, '{"matches": [{"proposed": 1, "right": 1}]}'))
    assert evaluator(**GIVEN)["score"] == 1


EXAMPLE = langsmith.schemas.Example(
    id="00000000-0000-0000-0000-000000000001",
    dataset_id="00000000-0000-0000-0000-000000000002",
    inputs=INPUTS,
    outputs=REFERENCE,
)


def client() -> langsmith.Client:
    return langsmith.Client(api_key="none", api_url="http://localhost:1", auto_batch_tracing=False)


@pytest.mark.filterwarnings("ignore:.*upload_runs")  # that nothing is uploaded is new there
def test_langsmith_takes_them_and_uploads_nothing(caplog: pytest.LogCaptureFixture) -> None:
    evaluators = [
        create_howto_evaluator("word_rouge_l"),
        create_howto_evaluator("step_recall"),
        create_howto_evaluator("solved", judge(ModelError("out of order"))),
    ]
    with caplog.at_level(logging.ERROR):
        rows = list(
            langsmith.evaluate(
                lambda inputs: {"answer": "Push the plug."},
                data=[EXAMPLE],
                evaluators=evaluators,
                upload_results=False,
                client=client(),
                max_concurrency=1,
            )
        )
    assert caplog.messages == []
    results = {one.key: (one.score, one.comment) for one in rows[0]["evaluation_results"]["results"]}
    assert results["word_rouge_l"] == (1, "3 in common")
    assert results["step_recall"] == (0, "0 of 2 steps")
    assert results["solved"][0] is None and "out of order" in str(results["solved"][1])
    assert [one.metadata["failed"] for one in rows[0]["evaluation_results"]["results"]] == [False, False, True]


@pytest.mark.filterwarnings("ignore:.*upload_runs")
async def test_langsmith_awaits_them_too() -> None:
    async def target(inputs: dict[str, Any]) -> dict[str, Any]:
        return {"answer": "Push the plug."}

    evaluators = [create_async_howto_evaluator("word_rouge_l"), create_async_howto_evaluator("solved", judge(SOLVED))]
    found = await langsmith.aevaluate(
        target, data=[EXAMPLE], evaluators=evaluators, upload_results=False, client=client(), max_concurrency=1
    )
    results = [one async for row in found for one in row["evaluation_results"]["results"]]
    assert {one.key: one.score for one in results} == {"word_rouge_l": 1, "solved": 1}


# -- both ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("create", [HowToEvaluator, create_howto_evaluator, create_async_howto_evaluator])
def test_what_cannot_be_measured_is_said_at_once(create: Any) -> None:
    with pytest.raises(ValueError, match="found 'tea', expected one of step_recall, "):
        create("tea")
    for name, measure in MEASURES.items():
        for without in (None, ModelAccess({Role.SELECTOR: ScriptedModel()})):
            if measure.asks:
                with pytest.raises(ValueError, match=f"{name} needs a model that judges"):
                    create(name, without)
