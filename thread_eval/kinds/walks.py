"""Tasks with steps and branches: what a question gives at once, and a walk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from pydantic import TypeAdapter

from thread_core.plan import Plan
from thread_eval.datasets.flows import FlowTask
from thread_eval.datasets.gold import Branch, Quote, Task
from thread_eval.kinds.kind import Case, Given, Kind, Shown, told_apart
from thread_eval.metrics.retrieval import score_retrieval
from thread_eval.metrics.walks import TRUST, score_walk
from thread_eval.scores import Score
from thread_eval.system import AnsweringSystem
from thread_eval.walking import End, Explored, explore

_EXPLORED = TypeAdapter(Explored)
_CAME: Mapping[End, str] = {
    **{"right": "right", "menu": "by an option", "stuck": "led nowhere", "wrong": "led elsewhere"}
}


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

    def calls(self, case: Case, *, is_ours: bool) -> float:
        """113 calls for 17 tasks in benchmarks/with_model.py; others are not asked to walk by a model."""
        return 6.6 if is_ours else 0

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
        first = _lines(task.steps[0], case.documents)
        wanted = "\n".join(step.quote for step in task.steps)
        led = {"right": "right", "menu": "by an option", "none": "nothing found", "wrong": "another guide", None: ""}
        is_found = found.turns[0].status != "unknown"
        came = led[found.entry] if is_found or found.entry != "menu" else "only among the nearest"
        is_right = is_found and found.entry in ("right", "menu", None)
        yield Shown("Question", task.question, wanted, found.turns[0].text, is_right, came, first)
        for branch, reply, end in zip(task.branches, found.replies, found.ends, strict=True):
            got = reply.text if reply else "(the step where it is reported was never shown)"
            if isinstance(branch.next, Quote):
                told = _CAME[end] if end else "not reached" if is_right else "not reached from there"
                place = _lines(branch.next, case.documents)
                yield Shown("Outcome", branch.outcome, branch.next.quote, got, end in ("right", "menu"), told, place)
            else:
                is_end = reply is not None and reply.status == branch.next
                told = "right" if is_end else "the end is not announced"
                yield Shown("Outcome", branch.outcome, f"the end: {branch.next}", got, is_end, told, first)


def task_cases(tasks: Iterable[Task], documents: Mapping[str, str]) -> list[Case]:
    """Gold tasks, or such as are made of one's own guides."""
    return told_apart([Case(task.id, task, documents) for task in tasks])


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


def _explored(given: Given) -> Explored:
    return _EXPLORED.validate_python({name: given[name] for name in ("turns", "replies", "ends", "entry")})


def _lines(quote: Quote, documents: Mapping[str, str]) -> str:
    """The place of a quote, with the line at which it begins where it stands there word for word."""
    before, found, _ = documents.get(quote.document, "").partition(quote.quote)
    return f"{quote.document}:{before.count(chr(10)) + 1}" if found else quote.document
