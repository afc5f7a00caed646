"""Evaluators as openevals has them and LangSmith calls them: functions of inputs, outputs and reference outputs.

Neither of both is imported.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from langchain_thread.models import Models, to_access
from thread_core.llm.access import ModelAccess
from thread_eval.evaluators.measures import Case, measure_named
from thread_eval.scores import Score

Fields = Mapping[str, Any] | str
"""By name; or, where it is one text, the question or the answer."""
Result = dict[str, Any]
"""`key`, `score` (None where the measure does not apply, or the judge `failed` in `metadata`), and `comment`."""


Evaluator = Callable[..., Result]
AsyncEvaluator = Callable[..., Awaitable[Result]]
"""By name: `inputs`, `outputs` and `reference_outputs`; what else other evaluators take is passed over."""


def create_howto_evaluator(measure: str, llm: Models | None = None) -> Evaluator:
    """One measure of `MEASURES`.

    Read are `question` of the inputs, `answer` and `contexts` (texts or documents) of the outputs, and `answer` and
    `steps` of the reference outputs; each may be one text, the question or the answer.

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

    def evaluator(
        *, inputs: Fields | None = None, outputs: Fields, reference_outputs: Fields | None = None, **kwargs: Any
    ) -> Result:
        return _result(measure, access.run(chosen.score(_case(inputs, outputs, reference_outputs))))

    evaluator.__name__ = measure
    return evaluator


def create_async_howto_evaluator(measure: str, llm: Models | None = None) -> AsyncEvaluator:
    """`create_howto_evaluator`, for `langsmith.aevaluate`."""
    access = ModelAccess({}) if llm is None else to_access(llm)
    chosen = measure_named(measure, access)

    async def evaluator(
        *, inputs: Fields | None = None, outputs: Fields, reference_outputs: Fields | None = None, **kwargs: Any
    ) -> Result:
        return _result(measure, await access.arun(chosen.score(_case(inputs, outputs, reference_outputs))))

    evaluator.__name__ = measure
    return evaluator


def _case(inputs: Fields | None, outputs: Fields, reference_outputs: Fields | None) -> Case:
    asked, given, right = _named(inputs, "question"), _named(outputs, "answer"), _named(reference_outputs, "answer")
    if "answer" not in given:
        raise ValueError(f"the outputs have the fields {sorted(given)}; expected 'answer' among them")
    if asked and "question" not in asked:
        raise ValueError(f"the inputs have the fields {sorted(asked)}; expected 'question' among them")
    return Case(
        asked.get("question") or "",
        given["answer"],
        tuple(getattr(one, "page_content", one) for one in given.get("contexts") or ()),
        right.get("answer") or "",
        tuple(right.get("steps") or ()),
    )


def _named(fields: Fields | None, only: str) -> Mapping[str, Any]:
    return {only: fields} if isinstance(fields, str) else fields or {}


def _result(measure: str, score: Score) -> Result:
    metadata = {"failed": score.failed, "of": score.of}
    return {"key": measure, "score": score.value, "comment": score.reason, "metadata": metadata}
