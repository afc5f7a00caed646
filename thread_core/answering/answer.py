"""A whole plan in one answer.

Without a model: the steps in order, each with its citation, then the open outcomes (`answer`). With one: units are
chosen and spoken from, and what was spoken is checked (`answer_question`); where a model fails, the steps stand in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from thread_core import layout
from thread_core.answering import generating
from thread_core.answering.conversation import known_from
from thread_core.answering.followup import ask_standalone
from thread_core.answering.guides import plan_first, plan_of, said_between
from thread_core.answering.instructions import Instruction, instructions
from thread_core.answering.selecting import Selection, select_or_search
from thread_core.documents.blocks.fences import closed
from thread_core.documents.blocks.shape import outdented
from thread_core.documents.cases import IF
from thread_core.documents.printed import cited, printed_at
from thread_core.errors import BadReply, BudgetSpent, ModelError
from thread_core.llm.asking import Role, Say, Spent, Who
from thread_core.llm.prompting import Prompt
from thread_core.models import Link, LinkAction, LogicUnit, LogicUnitType, Model, Span
from thread_core.plan import Plan
from thread_core.ports import Message, Usage
from thread_core.retrieval.entrance import TO_DO
from thread_core.retrieval.prerequisites import Known
from thread_core.retrieval.retrieve import Found, applies, retrieve
from thread_core.retrieval.terminology import Term, explaining, note, terms
from thread_core.store.one_version import in_one_version
from thread_core.text.header import spaced
from thread_core.text.scripts import words_of
from thread_core.walk.memory import Recall, Recalled, StepMemory, recall_nothing

NOTHING = "No logic unit fits this question. Try other words, or name the product, alert or error."

_IF = re.compile(rf"\A{IF}\b\s*", re.IGNORECASE)
_VERBS = {
    LinkAction.CONTINUE: "",
    LinkAction.CROSS: "",
    LinkAction.RESOLVED: " (resolved)",
    LinkAction.ESCALATE: " (escalate)",
}


class AnswerStep(Model):
    """One step of a plan."""

    text: str
    """The unit's body, as it stands in the document."""
    filled: str = ""
    """The same with the parameters in its code filled in; empty where there are none, or nothing was said."""
    header: str
    heading: str = ""
    """What the text says over it: the header without first words, which the body has."""
    above: str = ""
    """What the text says above it: that another guide begins, or that it stands before the steps that were told."""
    unit_id: str
    prerequisites: tuple[str, ...] = ()
    citation: Span
    printed: str = ""
    """Where that is in the file that the document was made of, such as "page 3"."""


class Answer(Model):
    """A plan: its text, its steps, and the outcomes that lead elsewhere."""

    text: str
    question: str = ""
    """What was looked for: the question as it stands alone, with what it leans on in the conversation."""
    steps: tuple[AnswerStep, ...] = ()
    """What it was answered from, in order: `[2]` in the words of a model is the second."""
    outcomes: tuple[str, ...] = ()
    """One line for each condition under which another way is taken than the next step; of other guides none."""
    terms: tuple[Term, ...] = ()
    """What the prerequisites name and the documents explain. Their units are numbered after the steps."""
    instructions: tuple[Instruction, ...] = ()
    """The same as a flat list: paragraphs, items and tables in order, each with its lines, of the steps that the words
    of a model cite. What another guide says is for the case that this one is meant."""
    questions: tuple[str, ...] = ()
    """What the person is asked first: prerequisites that nothing said so far decides."""
    warnings: tuple[str, ...] = ()
    """What to check against the documents, and where a model was done without; the text has them too."""
    model: str = ""
    """Who put it into words; empty where the steps are given as the documents have them."""
    usage: Usage = Usage()

    @property
    def unit_ids(self) -> tuple[str, ...]:
        """The units that it is made of, those of the steps first."""
        ids = (*(step.unit_id for step in self.steps), *(term.unit_id for term in self.terms))
        return tuple(dict.fromkeys(ids))


def answer(units: Sequence[LogicUnit], said: Sequence[str] = (), *, question: str = "") -> Answer:
    """The units as numbered steps with citations, then the open outcomes; an honest sentence when there is none.

    The plan is that of the first step's document with those that it leads to; what other documents say is told behind
    it, as what may be meant instead. What units say in the background (meaning, impact, references) is left out where
    there are steps; of terminology, what comes first is told, for it fits the question best, and what the prerequisites
    of the steps name.

    Args:
        units: What is answered, in order.
        said: What the person said, the oldest first: parameters in code are filled in from it, else from their
            defaults. Where nothing was said, code stays as it stands in the document.
        question: What was looked for.
    """
    return _told(plan_first(units), said, question, plan_of(units))


def _told(units: Sequence[LogicUnit], said: Sequence[str], question: str, plan: frozenset[str]) -> Answer:
    """`answer`, of units whose plan is that of some documents."""
    steps = [unit for unit in units if unit.type in TO_DO]
    begun = [unit for unit in units[:1] if unit.type == LogicUnitType.TERMINOLOGY]
    chosen = [*begun, *steps] if steps else units
    whole = _of(chosen, said, [unit for unit in units if unit not in chosen], plan)
    text = "".join(render(whole.steps, whole.outcomes, whole.terms))
    return whole.model_copy(update={"text": text, "question": question})


@in_one_version
def answer_question(
    question: str,
    *,
    history: Sequence[Message] = (),
    find: Callable[[str], Plan[Sequence[LogicUnit]]] | None = None,
    known: Known | None = None,
    memory: StepMemory | None = None,
    prompts: Mapping[str, Prompt] | None = None,
    announce: Callable[[Answer], Plan[None]] | None = None,
) -> Plan[Answer]:
    """Find units, choose those that answer, speak from them, check what was spoken. Streamed, the pieces are the text.

    A role that no model has, or whose model fails, is done without: all units that were found are taken, and the steps
    are given as the documents have them.

    Args:
        question: What the person asks.
        history: The conversation before it; of a long one the newest messages are taken.
        find: Finds what may answer to some words, in order; without it, the library is asked as `retrieve` does.
        known: What the prerequisite gate may use; what the person said where it is not given.
        memory: Tells the models what matters of the conversation and of earlier ones, instead of its newest messages.
        prompts: The user's own prompts instead of the package's: `follow_up`, `select`, `answer`, `rationale`.
        announce: Is told what the answer is made of, before the first word of it is said.

    Example:
        answer = library.run(answer_question("The disk of a node is full, what do I do?"))
        print(answer.text, answer.usage.calls)
    """
    facts = known or known_from(question, history)
    said = tuple(dict.fromkeys((*facts.said, *known_from(question, history).said)))
    seen: list[LogicUnit] = []

    def retrieved(words: str) -> Plan[Sequence[LogicUnit]]:
        found: list[Found] = yield from retrieve(words, known=facts)
        return [one.unit for one in found]

    def looked_up(words: str) -> Plan[Sequence[LogicUnit]]:
        found = yield from (find or retrieved)(words)
        seen.extend(found)
        return found

    asked = yield from ask_standalone(question, history, prompts)

    def recall() -> Plan[Recalled]:
        return recall_nothing() if memory is None else memory.recall_talk(asked, history, prompts=prompts)

    chosen, plan, doubts = yield from _chosen(asked, history, looked_up, seen, facts, recall, prompts)
    supplement = [unit for unit in explaining(chosen.units, seen) if unit not in chosen.units]
    sources = (*chosen.units, *supplement)
    questions = tuple(one.question for one in chosen.open)
    name: str | None = yield Who(Role.GENERATOR)
    speaker = name if chosen.units else None
    whole = _told(sources, said, asked, plan) if speaker is None else _of(chosen.units, said, supplement, plan)
    whole = whole.model_copy(update={"question": asked, "questions": questions, "warnings": doubts})
    if announce is not None:
        yield from announce(whole)
    first = yield from _say(_asked(questions))
    if speaker is None:
        yield from _say(*render(whole.steps, whole.outcomes, whole.terms))
    else:
        units = [generating.filled(unit, said) for unit in sources]
        speech = generating.speak(asked, history, units, known=facts, asked=questions, recall=recall, prompts=prompts)
        whole = yield from _put_into_words(speech, speaker, whole, sources, said)
    last = yield from _say(_to_check(whole.warnings))
    usage: Usage = yield Spent()
    return whole.model_copy(update={"text": f"{first}{whole.text}{last}", "usage": usage})


def render(steps: Sequence[AnswerStep], outcomes: Sequence[str], terms: Sequence[Term] = ()) -> Iterator[str]:
    """The text of an answer in pieces, one a step, so that it can be streamed."""
    if not steps:
        yield NOTHING
        return
    for number, step in enumerate(steps, start=1):
        needs = "".join(f"   Needs: {text}\n" for text in step.prerequisites)
        gap = "\n\n" if number > 1 else ""
        body = closed(outdented(step.filled or step.text))
        above = f"{step.above}\n\n" if step.above else ""
        source = cited(step.citation, step.printed)
        yield f"{gap}{above}{number}. {step.heading or step.header} [{source}]\n{needs}{body}"
    if outcomes:
        yield "\n\nDepending on the outcome:\n" + "\n".join(f"- {outcome}" for outcome in outcomes)
    if terms:
        yield note(terms)


def _of(
    units: Sequence[LogicUnit],
    said: Sequence[str],
    others: Sequence[LogicUnit] = (),
    plan: frozenset[str] | None = None,
) -> Answer:
    """The steps, outcomes and instructions of units, and the terms that others explain, with no text yet.

    Without a plan, the documents of all units are one.
    """
    asked_for = frozenset(unit.document_id for unit in units) if plan is None else plan
    filled = [generating.filled(unit, said) if unit.parameters and said else unit for unit in units]
    steps = tuple(
        AnswerStep(
            text=unit.body,
            filled=given.body if given is not unit else "",
            header=unit.header,
            heading=layout.heading(unit),
            above=above,
            unit_id=unit.id,
            prerequisites=unit.prerequisites,
            citation=_cited(unit),
            printed=printed_at(unit),
        )
        for unit, given, above in zip(units, filled, said_between(units, asked_for), strict=True)
    )
    told = (unit for unit in units if unit.document_id in asked_for)
    outcomes = tuple(dict.fromkeys(outcome for unit in told for outcome in _outcomes(unit)))
    ids = {unit.id for unit in units}
    explained = tuple(term for term in terms(units, (*units, *others)) if term.unit_id not in ids)
    listed = tuple(instructions(filled, asked_for))
    return Answer(text="", steps=steps, outcomes=outcomes, terms=explained, instructions=listed)


def _chosen(
    question: str,
    history: Sequence[Message],
    find: Callable[[str], Plan[Sequence[LogicUnit]]],
    seen: Sequence[LogicUnit],
    known: Known,
    recall: Recall,
    prompts: Mapping[str, Prompt] | None,
) -> Plan[tuple[Selection, frozenset[str], tuple[str, ...]]]:
    """The units to answer from, the documents of the plan, and what is to be said of how they were chosen.

    What `find` finds is added to what was `seen`.
    """
    found = yield from find(question)
    every = plan_first([unit for unit in found if applies(unit, known)])
    plan = plan_of(every)
    selector: str | None = yield Who(Role.SELECTOR)
    if selector is None:
        return Selection(units=tuple(every)), plan, ()
    try:
        selection: Selection = yield from select_or_search(
            question, history, found, find, known=known, recall=recall, prompts=prompts
        )
        units = tuple(_from_there(selection.units, [unit for unit in seen if applies(unit, known)]))
        chosen = selection.model_copy(update={"units": units})
        return chosen, frozenset(unit.document_id for unit in chosen.units), ()
    except (BadReply, ModelError, BudgetSpent) as error:
        return (
            Selection(units=tuple(every)),
            plan,
            (f"all units found are used, because no model chose among them: {error}",),
        )


def _from_there(begun: Sequence[LogicUnit], found: Sequence[LogicUnit]) -> Iterator[LogicUnit]:
    """What was found of the guides that were chosen: from where the answer begins, all of it where that is first."""
    told = set[str]()
    for first in begun:
        own = [unit for unit in found if unit.document_id == first.document_id]
        is_whole = own[:1] == [first]
        for unit in own:
            if unit.id not in told and (is_whole or unit.position >= first.position):
                told.add(unit.id)
                yield unit


def _put_into_words(
    speech: Plan[str], name: str, whole: Answer, sources: Sequence[LogicUnit], heard: Sequence[str]
) -> Plan[Answer]:
    """What a model says of units, with its sources; as far as it does not, the steps as the documents have them."""
    failure = ""
    try:
        said = yield from speech
    except ModelError as error:
        said, failure = error.said, str(error)
    except BudgetSpent as error:
        said, failure = "", str(error)
    worded: dict[str, object] = {}
    if failure:
        rest = yield from _say(_instead(failure, said), *render(whole.steps, whole.outcomes, whole.terms))
    else:
        cited = [sources[number - 1] for number in _cited_in(said, len(sources))]
        rest = yield from _say(_sources(said, sources), note(whole.terms))
        worded["instructions"] = _of(cited, heard).instructions
    if said.strip():
        worded |= {"model": name, "warnings": (*whole.warnings, *generating.warnings(said, sources, heard))}
    return whole.model_copy(update=worded | {"text": f"{said}{rest}"})


def _say(*pieces: str) -> Plan[str]:
    """Say pieces of a text -> the text."""
    for piece in filter(None, pieces):
        yield Say(piece)
    return "".join(pieces)


def _asked(questions: Sequence[str]) -> str:
    listed = "".join(f"- {question}\n" for question in questions)
    return f"Before you start:\n{listed}\n" if listed else ""


def _instead(failure: str, said: str) -> str:
    """What stands before the steps where a model did not answer, or not to the end."""
    begun = f"{_gap(said)}The answer is incomplete" if said.strip() else "No model wrote the answer"
    return f"{begun} ({failure}). These are the steps as the documents state them:\n\n"


def _sources(said: str, units: Sequence[LogicUnit]) -> str:
    """Where the units that a text cites stand."""
    named = ((number, units[number - 1]) for number in _cited_in(said, len(units)))
    lines = (f"[{number}] {cited(_cited(unit), printed_at(unit))}" for number, unit in named)
    return f"{_gap(said)}Sources:\n" + "\n".join(lines)


def _cited_in(said: str, count: int) -> list[int]:
    """The numbers of the units that a text cites, of so many, in their order; all of them where it cites none."""
    known = [number for number in generating.citations(said) if 1 <= number <= count]
    return sorted(known) or [*range(1, count + 1)]


def _gap(said: str) -> str:
    """What parts a text from what comes below it."""
    return "\n" if said.endswith("\n") else "\n\n"


def _to_check(warnings: Sequence[str]) -> str:
    return "\n\nPlease check:\n" + "\n".join(f"- {warning}" for warning in warnings) if warnings else ""


def _cited(unit: LogicUnit) -> Span:
    first, last = unit.body_spans[0], unit.body_spans[-1]
    return Span(unit.document_id, first.start, max(first.end, last.end))


def _outcomes(unit: LogicUnit) -> Iterator[str]:
    for link in unit.links:
        if link.condition and not layout.leads_inside(unit, link):
            yield f"{_stated(link)}{link.query}{_VERBS[link.action]}"


def _stated(link: Link) -> str:
    """The condition of a link as it stands before what it leads to; nothing where that begins with it."""
    condition = link.condition.removeprefix("not: ")
    asked, begun = (words_of(spaced(text)) for text in (condition, _IF.sub("", link.query)))
    if asked and begun[: len(asked)] == asked:
        return ""
    return f"{'if' if condition == link.condition else 'unless'} {condition}: "
