"""Evaluators as LangSmith and openevals call them: a function of inputs, outputs and reference outputs.

Neither of both is imported.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from langchain_thread.models import Models, to_access
from thread_core.llm.access import ModelAccess
from thread_eval.evaluators.measures import Case, measure_named
from thread_eval.scores import Score

Fields = Mapping[str, Any]
Result = dict[str, Any]
"""`key`, `score` (None where the measure does not apply or the judge failed) and `comment`."""
Evaluator = Callable[[Fields, Fields, Fields | None], Result]
AsyncEvaluator = Callable[[Fields, Fields, Fields | None], Awaitable[Result]]


def create_howto_evaluator(measure: str, llm: Models | None = None) -> Evaluator:
    """One measure of `MEASURES`.

    Read are `question` of the inputs, `answer` and `contexts` (texts or documents) of the outputs, and `answer` and
    `steps` of the reference outputs.

    Args:
        measure: One of `MEASURES`.
        llm: The judge, for those that need one.

    Raises:
        ValueError: there is no such measure, or it needs a model.

    Example:
        langsmith.evaluate(target, data=examples, evaluators=[create_howto_evaluator("solved", llm)])
    """
    access = ModelAccess({}) if llm is None else to_access(llm)
    chosen = measure_named(measure, access)

    def evaluator(inputs: Fields, outputs: Fields, reference_outputs: Fields | None = None) -> Result:
        return _result(measure, access.run(chosen.score(_case(inputs, outputs, reference_outputs))))

    evaluator.__name__ = measure
    return evaluator


def create_async_howto_evaluator(measure: str, llm: Models | None = None) -> AsyncEvaluator:
    """`create_howto_evaluator`, for `langsmith.aevaluate`."""
    access = ModelAccess({}) if llm is None else to_access(llm)
    chosen = measure_named(measure, access)

    async def evaluator(inputs: Fields, outputs: Fields, reference_outputs: Fields | None = None) -> Result:
        return _result(measure, await access.arun(chosen.score(_case(inputs, outputs, reference_outputs))))

    evaluator.__name__ = measure
    return evaluator


def _case(inputs: Fields, outputs: Fields, reference_outputs: Fields | None) -> Case:
    for name, fields, wanted in (("inputs", inputs, "question"), ("outputs", outputs, "answer")):
        if wanted not in fields:
            raise ValueError(f"the {name} have the fields {sorted(fields)}; expected {wanted!r} among them")
    right = reference_outputs or {}
    return Case(
        inputs["question"],
        outputs["answer"],
        tuple(getattr(one, "page_content", one) for one in outputs.get("contexts") or ()),
        right.get("answer") or "",
        tuple(right.get("steps") or ()),
    )


def _result(measure: str, score: Score) -> Result:
    return {"key": measure, "score": score.value, "comment": score.reason}
