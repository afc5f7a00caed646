"""What is asked of a system for one case, and how that is scored: a kind for each sort of data set.

What a system gave is JSON, so that it can be kept and scored again; only a judge is asked then.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pydantic import TypeAdapter

from thread_core.plan import Plan
from thread_eval import judges
from thread_eval.datasets.flows import FlowTask
from thread_eval.datasets.gold import Branch, Quote, Task
from thread_eval.datasets.how_to import HowToTask
from thread_eval.datasets.inscoqa import Conversation
from thread_eval.datasets.two_wiki import MultiHopQuestion
from thread_eval.metrics.inscoqa import character_rouge_l, word_rouge_l
from thread_eval.metrics.retrieval import BUDGETS, retrieved_tokens, score_retrieval
from thread_eval.metrics.walks import TRUST, score_walk
from thread_eval.scores import Score
from thread_eval.system import Answer, AnsweringSystem
from thread_eval.walking import WIDE, Explored, continues, explore

_EXPLORED, _ANSWER = TypeAdapter(Explored), TypeAdapter(Answer)

Given = Mapping[str, Any]
"""What a system gave, as JSON."""


@dataclass(frozen=True, slots=True)
class Case:
    """One thing that is asked of all systems."""

    id: str
    record: Any
    documents: Mapping[str, str]
    """What it is answered from, by id; the same object for all cases that share it."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One thing that a person who looks at a bad case sees."""

    said: str
    wanted: str
    """The guide's line, with its place; or the true answer."""
    got: str
    is_right: bool


class Kind(ABC):
    """How one sort of data set is measured."""

    metrics: ClassVar[tuple[str, ...]]
    """What a report shows of the scores, in order."""
    brief: ClassVar[Mapping[str, str]]
    """What a terminal shows, with what it is called there."""
    good: ClassVar[tuple[str, ...]]
    """What says how good a case is: shares of 1, the more the better."""
    pooled: ClassVar[frozenset[str]]
    """Metrics whose mean weighs things alike, and not cases."""
    calls: ClassVar[tuple[float, float, float]]
    """Calls of a case about: of ours with a model, of another system with one, of a judge."""

    @abstractmethod
    def ask(self, system: AnsweringSystem, case: Case) -> Given:
        """What a system gives."""

    @abstractmethod
    def score(self, case: Case, given: Given, *, judged: bool) -> Plan[dict[str, Score]]:
        """The scores of that; with a judge, those that it takes, too."""

    @abstractmethod
    def shown(self, case: Case, given: Given) -> Iterator[Shown]:
        """What was asked, what should have come and what came."""


class Walks(Kind):
    """Tasks with steps and branches: what a question gives at once, and a walk."""

    metrics = (
        *("entry_right", "entry_menu", "entry_none", "entry_wrong", "right", "menu", "stuck", "wrong", "branch"),
        *("endings", "walk_recall", "prerequisites", "recall@250", "recall@500", "recall@1000", "recall@2000"),
        *("unit_tokens", "retrieved_tokens", "walk_tokens"),
    )
    brief: ClassVar[Mapping[str, str]] = {
        **{"entry_right": "entry", "branch": "branch", "right": "right", "menu": "menu", "stuck": "stuck"},
        **{"wrong": "wrong", "retrieved_tokens": "tokens"},
    }
    good = ("entry_right", "right", "branch", "recall@2000")
    pooled = frozenset(("unit_tokens", "prerequisites", "branch", "branch_strict", "branch_first", "endings", *TRUST))
    calls = (6.6, 0, 0)  # 113 calls for 17 tasks in benchmarks/with_model.py

    def ask(self, system: AnsweringSystem, case: Case) -> Given:
        """What the question gives, and the walk."""
        walked: dict[str, Any] = _EXPLORED.dump_python(explore(system, case.record), mode="json")
        return {"retrieved": system.retrieve(case.record.question), **walked}

    def score(self, case: Case, given: Given, *, judged: bool) -> Plan[dict[str, Score]]:
        """By quotes: no judge is asked."""
        yield from ()
        retrieved = score_retrieval(given["retrieved"], case.record.step_quotes)
        return retrieved | score_walk(_explored(given), case.record)

    def shown(self, case: Case, given: Given) -> Iterator[Shown]:
        """The question and what it gave first, then each outcome and what was said to it."""
        task, found = case.record, _explored(given)
        wanted = " / ".join(_place(step, case.documents) for step in task.steps)
        yield Shown(task.question, wanted, found.turns[0].text, found.entry in ("right", "menu", None))
        for branch, reply in zip(task.branches, found.replies, strict=True):
            if isinstance(branch.next, Quote):
                is_right = continues(reply, branch.next.quote, WIDE)
                wanted = _place(branch.next, case.documents)
            else:
                is_right = reply is not None and reply.status == branch.next
                wanted = f"the end: {branch.next}"
            got = reply.text if reply else "(the step at which one could report it was never shown)"
            yield Shown(branch.outcome, wanted, got, is_right)


class Retrievals(Kind):
    """Questions with supporting facts: how many of them are retrieved, in how much text."""

    metrics = (
        *("recall@250", "recall@500", "recall@1000", "recall@2000", "complete@2000"),
        *("unit_tokens", "retrieved_tokens"),
    )
    brief: ClassVar[Mapping[str, str]] = {
        **{f"recall@{tokens}": f"{tokens}" for tokens in BUDGETS},
        "retrieved_tokens": "tokens",
    }
    good = ("recall@2000", "recall@500")
    pooled = frozenset(("unit_tokens",))
    calls = (0, 0, 0)

    def ask(self, system: AnsweringSystem, case: Case) -> Given:
        """What the question gives."""
        return {"retrieved": system.retrieve(case.record.question)}

    def score(self, case: Case, given: Given, *, judged: bool) -> Plan[dict[str, Score]]:
        """By quotes: no judge is asked."""
        yield from ()
        return score_retrieval(given["retrieved"], _facts(case.record))

    def shown(self, case: Case, given: Given) -> Iterator[Shown]:
        """The facts, and what was retrieved."""
        facts, found = _facts(case.record), "\n\n".join(given["retrieved"])
        yield Shown(case.record.question, "\n".join(facts), found, all(fact in found for fact in facts))


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
    pooled = frozenset[str]()
    calls = (2, 1, 4)

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
        yield Shown(case.record.question, _reference(case.record), given["text"], False)


def cases_of(dataset: str, records: Sequence[Any]) -> tuple[Kind, list[Case]]:
    """How a data set is measured, and its cases; gold has its documents elsewhere, see `task_cases`.

    Raises:
        ValueError: it is not measured by these systems.
    """
    forms: Mapping[str, tuple[Kind, Callable[[Any], list[Case]]]] = {
        "how-to": (Answers(), how_to_cases),
        "inscoqa": (Answers(), inscoqa_cases),
        "2wiki": (Retrievals(), two_wiki_cases),
        "flows": (Walks(), flow_cases),
    }
    if dataset not in forms:
        where = "planners on web pages are measured by thread_eval.systems.web.runs"
        raise ValueError(f"{dataset!r} is not answered from documents as gold, {', '.join(forms)} are; {where}")
    kind, cases = forms[dataset]
    return kind, _told_apart(cases(records))


def task_cases(tasks: Iterable[Task], documents: Mapping[str, str]) -> list[Case]:
    """Gold tasks, or such as are made of one's own guides."""
    return _told_apart([Case(task.id, task, documents) for task in tasks])


def how_to_cases(records: Sequence[HowToTask]) -> list[Case]:
    """Each is answered from its own documents."""
    return [
        Case(f"how-to {number}", one, _named((page.title, page.text) for page in one.documents))
        for number, one in enumerate(records, 1)
    ]


def inscoqa_cases(records: Sequence[Conversation]) -> list[Case]:
    """Each is answered from its own documents, which have no titles."""
    return [
        Case(
            f"conversation {number}", one, _named((f"document {at}", page) for at, page in enumerate(one.documents, 1))
        )
        for number, one in enumerate(records, 1)
    ]


def two_wiki_cases(records: Sequence[MultiHopQuestion]) -> list[Case]:
    """Each is answered from its own paragraphs."""
    return [
        Case(one.id, one, _named((title, f"# {title}\n\n{' '.join(lines)}\n") for title, lines in one.context))
        for one in records
    ]


def flow_cases(records: Sequence[FlowTask]) -> list[Case]:
    """Each graph as a guide of numbered steps, all guides together; what is said off the procedure is left out."""
    documents: dict[str, str] = {}
    tasks = [_flow_task(record, documents) for record in records]
    return task_cases((task for task in tasks if task.branches), documents)


def _flow_task(record: FlowTask, documents: dict[str, str]) -> Task:
    """A graph as a task, whose guide is put among the documents."""
    flow, name = record.flow, f"{record.flow.id}.md"
    number = {node: at for at, node in enumerate(flow.nodes, 1)}
    lines = {node: f"{at}. {flow.nodes[node]}" for node, at in number.items()}
    for start, label, end in flow.edges:
        lines[start] += f" If {label}, go to step {number[end]}." if label else f" Then go to step {number[end]}."
    documents[name] = "\n".join([f"# {flow.title}", "", *lines.values(), ""])
    quotes = {node: Quote(document=name, quote=text) for node, text in flow.nodes.items()}
    branches = tuple(
        Branch(after_step=number[said.from_node] - 1, outcome=said.said, next=quotes[said.to_node])
        for conversation in record.conversations
        for said in conversation.turns
        if said.kind == "outcome"
    )
    return Task(id=flow.id, question=flow.title, steps=tuple(quotes.values()), branches=branches)


def _told_apart(cases: Iterable[Case]) -> list[Case]:
    """Cases of which no two have the same id: several may begin at one line."""
    seen: Counter[str] = Counter()
    told = []
    for case in cases:
        seen[case.id] += 1
        told.append(replace(case, id=f"{case.id} ({seen[case.id]})") if seen[case.id] > 1 else case)
    return told


def _named(pages: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Documents by their titles; one whose title another has gets a number."""
    named: dict[str, str] = {}
    for title, text in pages:
        name = f"{title}.md" if f"{title}.md" not in named else f"{title} ({len(named) + 1}).md"
        named[name] = text
    return named


def _explored(given: Given) -> Explored:
    return _EXPLORED.validate_python({name: given[name] for name in ("turns", "replies", "ends", "entry")})


def _reference(record: HowToTask | Conversation) -> str:
    return "\n".join(record.steps) if isinstance(record, HowToTask) else record.answer


def _facts(record: MultiHopQuestion) -> list[str]:
    """The sentences that matter, of those that are there."""
    pages = dict(record.context)
    found = ((pages.get(title, ()), at) for title, at in record.supporting_facts)
    return [lines[at] for lines, at in found if 0 <= at < len(lines)]


def _place(quote: Quote, documents: Mapping[str, str]) -> str:
    """A quote with the line at which it begins, where it stands there word for word."""
    before, found, _ = documents.get(quote.document, "").partition(quote.quote)
    line = f":{before.count(chr(10)) + 1}" if found else ""
    return f"{quote.document}{line}: {' '.join(quote.quote.split())}"
