"""What a person reads in one turn, and where it stands in the documents."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from thread_core import layout
from thread_core.answering.telling import told_in
from thread_core.models import Link, LogicUnit, LogicUnitType, Model, Place, Span
from thread_core.ports import Usage
from thread_core.retrieval import prerequisites
from thread_core.retrieval.terminology import Term
from thread_core.text import header
from thread_core.text.cases import heading_condition
from thread_core.text.dialects import boxes_and_tabs
from thread_core.text.leaning import OPPOSITE
from thread_core.text.plain import plain
from thread_core.text.scripts import COLONS
from thread_core.text.sentences import tells
from thread_core.text.shape import outdented
from thread_core.text.source import Source
from thread_core.text.steps import step_named
from thread_core.walking import ways
from thread_core.walking.execution import Action, Outcome, OutcomeKind
from thread_core.walking.states import Status
from thread_core.walking.taking import Case
from thread_core.walking.trail import Asked, Position

OPTIONS = 20
"""Outcomes that are listed; that there are more is said."""
MORE = "{} more outcomes are known than are listed: say what you see."
OPTION_WORDS = 14
ANSWER = "Answer with one of these numbers, or in words of your own:"
OTHERS = 2
"""Other ways on that are shown below a step."""
LONG = 1600
"""Characters; a reply is not made longer than this by other ways."""
MOST = 4
"""Units that a turn shows at most."""
BEFORE = "Before you start: {}"
_ASKED = re.compile(r"(?:is|are|was|were|do|does|did|has|have|can|could|will)\b", re.IGNORECASE)
"""How a condition begins that is a question."""
_COUNTED = re.compile(r"\s{0,3}(?P<number>\d{1,2})[.)]\s+(?P<said>.+)")
_MARKS = re.compile(r"[*_`]+")
_WORD = re.compile(r"\w+")
SHORT = 600
"""Characters; of a unit's end shorter than this the next one is shown too."""


class Ran(Model):
    """What an executor did with a step."""

    header: str
    commands: tuple[str, ...] = ()
    outcome: Outcome


class Turn(Model):
    """One reply of a session."""

    text: str
    """What the person reads: the documents' own words, Markdown as it stands there. See `plain`."""
    status: Status
    unit_ids: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    """The known outcomes: answer with a number (1-based), in these words, or in words of your own."""
    asked: Asked | None = None
    """What is asked, where the status is `asking`: an approval, say, is to look another way than a choice."""
    also: tuple[str, ...] = ()
    """What else may be said now, in these words: "back", "skip" and such."""
    citations: tuple[Span, ...] = ()
    """Where it stands: the shown lines first."""
    ran: tuple[Ran, ...] = ()
    """What an executor did since the person spoke last; the text says so too."""
    notes: tuple[str, ...] = ()
    """Where a model was to be asked and was done without, and why."""
    usage: Usage = Usage()
    """What the turn cost."""

    @property
    def plain(self) -> str:
        """The text for a chat, in which no site's generator has its boxes, tabs and places: see `text.plain.plain`."""
        return plain(self.text)


def shown_from(unit: LogicUnit, line: int, units: Sequence[LogicUnit]) -> list[LogicUnit]:
    """What a turn shows: a unit from a line on, and the step after it where that leaves little to do.

    That is where it leaves only the unit's end, or where the unit only says which case it is.
    """
    if line > unit.start:
        follower = _adjoining(unit, units) if len(body_from(unit, line)) < SHORT else None
        return [unit] if follower is None else [unit, follower]
    shown = [unit]
    while len(shown) < MOST and (follower := _dealing_with(shown, units)) is not None:
        shown.append(follower)
    return shown


def step_turn(
    shown: Sequence[LogicUnit],
    line: int,
    open_gates: Sequence[str] = (),
    terms: Sequence[Term] = (),
    case: Case | None = None,
) -> Turn:
    """The turn that shows some units, the first from a line on: header, what must hold, bodies.

    Args:
        shown: The units, in reading order.
        line: 1-based, of their document.
        open_gates: Prerequisites that nobody asked about and nothing decides.
        terms: What is explained of what must hold.
        case: What the first unit says of the outcome that was seen, where that alone is shown of it.
    """
    first = shown[0]
    parts = [layout.heading(first)]
    told = (text for text in first.prerequisites if text in open_gates or not prerequisites.decidable(text))
    parts += (BEFORE.format(text) for text in told if not _only_says(first, text))
    parts += [f"Term: {term}" for term in terms]
    parts.append(outdented(case.text if case else body_from(first, line)))
    for before, unit in pairwise(shown):
        parts += [unit.section[-1]] if unit.section[len(before.section) :] else []
        parts.append(outdented(unit.body))
    if (more := len(ways.outcomes(shown[-1], shown[-1].links)) - OPTIONS) > 0:
        parts += ["", MORE.format(more)]
    return Turn(
        text="\n".join(parts),
        status=Status.AWAITING,
        unit_ids=tuple(unit.id for unit in shown),
        options=tuple(listed_options(shown[-1])),
        citations=(*([case.cited] if case else ()), *_citations(shown, line), *(term.citation for term in terms)),
    )


def _only_says(unit: LogicUnit, prerequisite: str) -> bool:
    """Whether a unit says a prerequisite in its words, and nothing to do: then it need not be said above it too."""
    needed, said = (" ".join(_WORD.findall(text)) for text in (prerequisite, unit.body))
    return f" {needed} " in f" {said} " and not told_in(unit.body)


def listed(shown: Turn) -> str:
    """A turn as one plain text, the known outcomes below it by their numbers: for a chat, which shows nothing else.

    A line tells them from the steps above, which may have numbers of their own.
    """
    options = "\n".join(f"{number}. {option}" for number, option in enumerate(shown.options, 1))
    return f"{shown.plain}\n\n{ANSWER}\n{options}" if options else shown.plain


def after_running(ran: Sequence[Ran], shown: Turn, spent: Usage | None = None) -> Turn:
    """A turn with what an executor did before it above its text, and what the turns before it have cost besides."""
    done = "\n\n".join(map(_told, ran))
    text = f"{done}\n\n{shown.text}" if done else shown.text
    return shown.model_copy(update={"text": text, "ran": (*ran, *shown.ran), "usage": (spent or Usage()) + shown.usage})


def refused(shown: Turn, reason: Exception) -> Turn:
    """A turn that is shown again, and above its text why what the person said was not done."""
    return shown.model_copy(update={"text": f"{reason}\n\n{shown.text}"})


def to_approve(action: Action | None) -> str:
    """What would be run, to the letter, and whether it shall be."""
    commands = action.commands if action is not None else ()
    given = action.parameters.items() if action is not None else ()
    unsaid = (f"{name} = {value}" for name, value in given if not any(value in command for command in commands))
    would = "\n".join((*commands, *unsaid))
    return f"{_fenced(would)}\n\nShall this be run for you?" if would else "Shall this be run for you?"


def _told(ran: Ran) -> str:
    """What an executor did, with its output."""
    said = clipped(ran.outcome.text)
    did = _DID[ran.outcome.kind].format(", ".join(ran.commands) or ran.header)
    return f"{did}\n{_fenced(said)}" if said else did


def _fenced(text: str) -> str:
    """A text as a code block, so that no line of it can pass for ours."""
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", text)), 3)
    return f"{fence}text\n{text}\n{fence}"


_DID = {
    OutcomeKind.OBSERVED: "Done: {}",
    OutcomeKind.HANDED: "Not run, it is yours to do: {}",
    OutcomeKind.APPROVAL: "Not run yet: {}",
    OutcomeKind.FAILED: "Failed: {}",
    OutcomeKind.UNCERTAIN: "Begun, and it is not known how it ended: {}",
}


def clipped(output: str) -> str:
    """The end of an output, of a long one; what matters is said last."""
    text = output.strip("\n")
    return text if len(text) <= SHORT else "...\n" + text[-SHORT:].partition("\n")[2]


def tried(question: str, trail: Sequence[Position], confirmed: Sequence[str], denied: Sequence[str]) -> str:
    """What was done and what came of it, for whoever takes over."""
    steps = [step for step in trail if not step.ending]
    lines = [f"What was tried for: {question}"]
    for number, step in enumerate(steps, start=1):
        came = "not done" if step.skipped else step.outcome or "no outcome was reported"
        lines.append(f"{number}. {step.header} ({step.document_id}:{step.line}): {came}")
    lines += [f"It holds: {text}" for text in confirmed] + [f"It does not hold: {text}" for text in denied]
    return "\n".join(lines)


def quoting(shown: Turn, led_by: LogicUnit, evidence: Span) -> Turn:
    """A step with the sentence that sent the reader there below its heading, as a Markdown quote.

    Args:
        shown: As `step_turn` makes it.
        led_by: The unit in which the sentence stands.
        evidence: The lines of the sentence.
    """
    said = _said(led_by, evidence)
    if not said or len(said) > SHORT or said in shown.text:
        return shown
    return _below_heading(shown, said).model_copy(update={"citations": (*shown.citations, evidence)})


def naming(shown: Turn, case: Case) -> Turn:
    """A step that is seen again, with what it says of the outcome that was reported of it below its heading."""
    return _below_heading(shown, case.text.split("\n\n")[0])


def preceded(shown: Turn, above: Sequence[str]) -> Turn:
    """A step with what must hold besides, because it is said above it in the document."""
    heading, _, step = shown.text.partition("\n")
    lines = [line for line in map(BEFORE.format, above) if line not in step.splitlines()]
    return shown.model_copy(update={"text": "\n".join((heading, *lines, step))}) if lines else shown


def _below_heading(shown: Turn, said: str) -> Turn:
    heading, _, step = shown.text.partition("\n")
    said = plain(said) if boxes_and_tabs(said) != said else said  # no box can be read within a quotation
    lines = "\n".join(f"> {line.strip()}" for line in said.splitlines())
    return shown.model_copy(update={"text": f"{heading}\n{lines}\n\n{step}"})


def _said(unit: LogicUnit, evidence: Span) -> str:
    """What a link says: in the words of the body, or where those are no longer the document's, its own."""
    if not unit.rewritten:
        return outdented(body_from(unit, evidence.start, evidence.end)).strip()
    link = next((link for link in unit.links if link.evidence == evidence and link.condition), None)
    return f"If {link.condition}, then {link.query}" if link else ""


def hedged(shown: Turn, others: Sequence[tuple[LogicUnit, Span]]) -> Turn:
    """A step with other ways on below it, the likeliest first: the person sees which one it is."""
    text, cited = shown.text, list(shown.citations)
    for unit, matched in others:
        span = _with_announced(unit, matched)
        passage = outdented(body_from(unit, span.start, span.end))
        added = f"\n\nOr, if it is rather this ({layout.heading(unit)}):\n{passage}"
        is_new = not any(_overlap(span, seen) for seen in (shown.citations[0], *cited[len(shown.citations) :]))
        if passage and is_new and len(text) + len(added) <= LONG:
            text += added
            cited.append(span)
        if len(cited) == len(shown.citations) + OTHERS:
            break
    return shown.model_copy(update={"text": text, "citations": tuple(cited)})


def _with_announced(unit: LogicUnit, span: Span) -> Span:
    """A passage of a unit, with the rest where it only announces that: "Restart the containers:"."""
    announces = body_from(unit, span.start, span.end).rstrip(" *_\n").endswith(COLONS)
    if not announces or len(body_from(unit, span.start)) > SHORT:
        return span
    return span.model_copy(update={"end": unit.body_spans[-1].end})


def _overlap(one: Span, other: Span) -> bool:
    return one.document_id == other.document_id and one.start <= other.end and other.start <= one.end


def offered(unit: LogicUnit, line: int = 1) -> list[Link]:
    """The outcomes that are listed; those that the unit counts come first, so that its numbers are theirs.

    Args:
        unit: The step.
        line: From which it is shown; what was asked before that is not asked.
    """
    known = ways.outcomes(unit, ways.stated_from(unit, line))
    lines = dict(ways.numbered_lines(unit)) if not unit.rewritten else {}
    counted: dict[int, Link] = {}
    for link in known:
        item = _COUNTED.match(lines.get(link.evidence.start, "")) if link.evidence is not None else None
        if item and _MARKS.sub("", item["said"]).casefold().startswith(link.condition.casefold()):
            counted.setdefault(int(item["number"]), link)
    first = [counted[number] for number in sorted(counted)] if sorted(counted) == [*range(1, len(counted) + 1)] else []
    return [*first, *(link for link in known if link not in first)][:OPTIONS]


def listed_options(unit: LogicUnit, line: int = 1) -> list[str]:
    """The outcomes as they are listed: of a question that the unit asks alone, yes and no."""
    links = offered(unit, line)
    asked = set(filter(_ASKED.match, (link.condition.removeprefix(OPPOSITE) for link in links)))
    return [_labelled(link.condition, asked) for link in links]


def _labelled(condition: str, asked: Collection[str]) -> str:
    question = condition.removeprefix(OPPOSITE)
    if question not in asked:
        return clip(condition)
    answer = "No" if condition.startswith(OPPOSITE) else "Yes"
    return answer if len(asked) == 1 else clip(f"{answer}: {question}?")


def clip(text: str) -> str:
    """As much of an outcome as is listed."""
    whole = " ".join(text.split())
    short = header.clip(whole, OPTION_WORDS)
    return short if short == whole else f"{short} ..."


def body_from(unit: LogicUnit, line: int, end: int | None = None) -> str:
    """The body from a line of the document on, to its end or another line; all of it when the line is not in it.

    A rewritten body is not taken apart: a part of its lines alone gives nothing.
    """
    if unit.rewritten:
        whole = end is None or (line <= unit.start and end >= unit.body_spans[-1].end)
        return unit.body if whole else ""
    source = Source(unit.body)
    before = 0
    for span in unit.body_spans:
        if span.start <= line <= span.end:
            last = len(source) if end is None else before + min(end, span.end) - span.start + 1
            return source.slice(before + line - span.start + 1, last)
        before += span.end - span.start + 1
    return unit.body if end is None else ""


def _adjoining(unit: LogicUnit, units: Sequence[LogicUnit]) -> LogicUnit | None:
    """The next unit of the same section, where it continues the same run of steps."""
    place = Place(unit.place.anchor, unit.place.number + 1)
    return next((other for other in units if other.place == place and other.type == unit.type), None)


def _dealing_with(shown: Sequence[LogicUnit], units: Sequence[LogicUnit]) -> LogicUnit | None:
    """The step after some of which the last says what is the case and not what to do: the next, or that of a section.

    There is one section below, or they are steps by their names ("Step 1: the pump").

    Example: "Case 3" says "The door is locked.", and all below it is its "Solution", whatever its "Cause" is. What
    begins with a case of its own, or has a heading like "If the key is lost", is none: it is one of several ways.
    """
    unit = shown[-1]
    depth = len(unit.section)
    steps = [other for other in units if other.type == unit.type != LogicUnitType.TERMINOLOGY]
    following = next((other for other in steps if other.position > unit.position), None)
    if following is None or not set(following.prerequisites) <= set(shown[0].prerequisites):
        return None
    if sum(len(one.body) for one in (*shown, following)) > LONG or told_in(unit.body):
        return None
    if following.section == unit.section:
        return None if _begins_a_case(following) else following
    below = {other.section[: depth + 1] for other in steps if other.section[:depth] == unit.section != other.section}
    alone = depth > 0 and below == {following.section[: depth + 1]} and not heading_condition(following.section[depth])
    counted = all(step_named(section[depth]) is not None for section in below)
    return following if alone or (below and counted) else None


def _begins_a_case(unit: LogicUnit) -> bool:
    """Whether the first line of a unit states a condition and tells what to do then."""
    stated = (link for link in unit.links if link.condition and link.evidence and link.evidence.start == unit.start)
    return any(tells(link.query) for link in stated)


def _citations(shown: Sequence[LogicUnit], line: int) -> tuple[Span, ...]:
    """The lines that are shown, as one span where they adjoin, then all others of the units."""
    first = shown[0]
    line = first.start if first.rewritten else line
    cited = [Span(first.document_id, max(span.start, line), span.end) for span in first.body_spans if span.end >= line]
    if len(shown) > 1 and cited:
        cited = [Span(first.document_id, cited[0].start, shown[-1].body_spans[-1].end)]
    rest = [span for unit in shown for span in unit.spans if span not in cited]
    return (*cited, *rest)
