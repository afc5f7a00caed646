"""Questions that are answered at once, beside true steps or a true answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from pydantic import TypeAdapter

from thread_core.plan import Plan
from thread_eval import judges
from thread_eval.datasets.how_to import HowToTask
from thread_eval.datasets.inscoqa import Conversation
from thread_eval.kinds.kind import Case, Given, Kind, Shown, named
from thread_eval.metrics.inscoqa import character_rouge_l, word_rouge_l
from thread_eval.metrics.retrieval import retrieved_tokens
from thread_eval.scores import Score
from thread_eval.system import Answer, AnsweringSystem

_ANSWER = TypeAdapter(Answer)


class Answers(Kind):
    """Questions that are answered at once, beside true steps or a true answer."""

    metrics = (
        *("solved", "f1", "precision", "recall", "task_completion", "rating", "word_rouge_l", "character_rouge_l"),
        "retrieved_tokens",
    )
    brief: ClassVar[Mapping[str, str]] = {
        **{"solved": "solved", "f1": "F1", "task_completion": "steps", "rating": "rating", "word_rouge_l": "ROUGE-L"},
        "retrieved_tokens": "tokens",
    }
    good = ("solved", "f1", "task_completion", "word_rouge_l")
    judgements = 4

    def calls(self, case: Case, *, is_ours: bool) -> float:
        """Guides are chosen first."""
        return 2 if is_ours else 1

    def ask(self, system: AnsweringSystem, case: Case) -> Given:
        """The answer, after what was said before."""
        answer = system.answer(case.record.question, getattr(case.record, "history", ()))
        given: dict[str, Any] = _ANSWER.dump_python(answer, mode="json")
        return given

    def score(self, case: Case, given: Given, *, judged: bool) -> Plan[dict[str, Score]]:
        """ROUGE-L, and what a judge says: of true steps whether they solve it and item by item, else a rating."""
        record, text = case.record, given["text"]
        reference = _reference(record)
        scores = {
            "word_rouge_l": word_rouge_l(text, reference),
            "character_rouge_l": character_rouge_l(text, reference),
            "retrieved_tokens": retrieved_tokens(given["contexts"]),
        }
        if not judged:
            return scores
        if isinstance(record, HowToTask):
            scores["solved"] = yield from judges.solved(record.question, text, record.steps)
            return scores | (yield from judges.plan_scores(text, record.steps))
        scores["rating"] = yield from judges.rating(record.question, text, reference)
        scores["task_completion"] = yield from judges.steps_covered(given["instructions"], record.instructions)
        return scores

    def shown(self, case: Case, given: Given) -> Iterator[Shown]:
        """The true answer and the given one."""
        yield Shown("Question", case.record.question, _reference(case.record), given["text"], False)


def how_to_cases(records: Sequence[HowToTask]) -> list[Case]:
    """Each is answered from its own documents."""
    return [
        Case(f"how-to {number}", one, named((page.title, page.text) for page in one.documents))
        for number, one in enumerate(records, 1)
    ]


def inscoqa_cases(records: Sequence[Conversation]) -> list[Case]:
    """Each is answered from its own documents, which have no titles."""
    return [
        Case(f"conversation {number}", one, named((f"document {at}", page) for at, page in enumerate(one.documents, 1)))
        for number, one in enumerate(records, 1)
    ]


def _reference(record: HowToTask | Conversation) -> str:
    return "\n".join(record.steps) if isinstance(record, HowToTask) else record.answer
