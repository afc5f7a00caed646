"""Evaluators for LlamaIndex: for a `BatchEvalRunner`, or to be called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llama_index.core.base.response.schema import Response
from llama_index.core.evaluation import BaseEvaluator, EvaluationResult
from llama_index.core.prompts.mixin import PromptDictType
from llama_index.core.schema import BaseNode

from llama_index_thread.convert import from_node, is_unit
from llama_index_thread.models import Models, to_access
from thread_core import layout
from thread_core.llm.access import ModelAccess
from thread_eval.evaluators.measures import Case, measure_named
from thread_eval.scores import Score


class HowToEvaluator(BaseEvaluator):
    """One measure of `MEASURES`.

    What does not apply has no score and does not say whether it passes; a judge that fails makes an invalid result. So
    a `BatchEvalRunner` never meets an error that it would try again.

    Example:
        runner = BatchEvalRunner({"solved": HowToEvaluator("solved", llm)})
        runner.evaluate_response_strs(questions, answers, steps=[["Press reset."], ...])
    """

    def __init__(self, measure: str, llm: Models | None = None, *, passes_at: float | None = None) -> None:
        """Choose what is measured.

        Args:
            measure: One of `MEASURES`.
            llm: The judge, for those that need one.
            passes_at: The score from which an answer passes; the best one that there is, unless given.

        Raises:
            ValueError: there is no such measure, or it needs a model.
        """
        self._access = ModelAccess({}) if llm is None else to_access(llm)
        self._measure = measure_named(measure, self._access)
        self._passes_at = self._measure.best if passes_at is None else passes_at

    def _get_prompts(self) -> PromptDictType:
        return {}

    def _update_prompts(self, prompts_dict: PromptDictType) -> None:
        """The judges' prompts are the package's."""

    def evaluate(
        self,
        query: str | None = None,
        response: str | None = None,
        contexts: Sequence[str] | None = None,
        *,
        reference: str | None = None,
        steps: Sequence[str] | None = None,
        **kwargs: Any,
    ) -> EvaluationResult:
        """One answer.

        Args:
            query: The question.
            response: The answer.
            contexts: What was retrieved, best first.
            reference: The true answer.
            steps: The true steps.
            kwargs: Of other evaluators of the same runner; passed over.
        """
        case = _case(query, response, contexts, reference, steps)
        return self._result(case, self._access.run(self._measure.score(case)))

    async def aevaluate(
        self,
        query: str | None = None,
        response: str | None = None,
        contexts: Sequence[str] | None = None,
        *,
        reference: str | None = None,
        steps: Sequence[str] | None = None,
        **kwargs: Any,
    ) -> EvaluationResult:
        """`evaluate`, on the caller's event loop."""
        case = _case(query, response, contexts, reference, steps)
        return self._result(case, await self._access.arun(self._measure.score(case)))

    def evaluate_response(
        self, query: str | None = None, response: Response | None = None, **kwargs: Any
    ) -> EvaluationResult:
        """`evaluate` of a response and its sources, of which units count with their bodies."""
        return self.evaluate(query, *_said(response), **kwargs)

    async def aevaluate_response(
        self, query: str | None = None, response: Response | None = None, **kwargs: Any
    ) -> EvaluationResult:
        """`evaluate_response`, on the caller's event loop."""
        return await self.aevaluate(query, *_said(response), **kwargs)

    def _result(self, case: Case, score: Score) -> EvaluationResult:
        return EvaluationResult(
            query=case.question,
            response=case.answer,
            contexts=case.contexts,
            score=score.value,
            passing=None if score.value is None else score.value >= self._passes_at,
            feedback=score.reason,
            invalid_result=score.failed,
            invalid_reason=score.reason if score.failed else None,
        )


def _case(
    query: str | None,
    response: str | None,
    contexts: Sequence[str] | None,
    reference: str | None,
    steps: Sequence[str] | None,
) -> Case:
    return Case(query or "", response or "", tuple(contexts or ()), reference or "", tuple(steps or ()))


def _said(response: Response | None) -> tuple[str | None, list[str] | None]:
    """What was answered, and from what."""
    if response is None:
        return None, None
    return response.response, [_text(source.node) for source in response.source_nodes]


def _text(node: BaseNode) -> str:
    """What a generator was shown: the content of a unit's node is its header alone."""
    return layout.render(from_node(node)) if is_unit(node) else node.get_content()
