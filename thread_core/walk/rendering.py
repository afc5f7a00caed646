"""What a person reads in one turn, and where it stands in the documents: made anew from the store each time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from thread_core import layout
from thread_core.documents.blocks.fences import closed, inlined
from thread_core.documents.blocks.plain import plain
from thread_core.documents.blocks.references import LABEL, with_links
from thread_core.documents.blocks.shape import outdented
from thread_core.documents.printed import printed_at
from thread_core.models import LogicUnit, Model, Span
from thread_core.places import text_at
from thread_core.plan import Plan
from thread_core.ports import Usage
from thread_core.retrieval import prerequisites
from thread_core.retrieval.above import needed
from thread_core.retrieval.prerequisites import is_for_a_person
from thread_core.retrieval.terminology import Term, terms
from thread_core.text import sentences
from thread_core.text.quoting import block
from thread_core.text.scripts import beginning
from thread_core.text.words import content_words, count_tokens, first_tokens
from thread_core.walk.actions import action_of
from thread_core.walk.execution import Action, Outcome, OutcomeKind
from thread_core.walk.options import SCREENFUL, Screen, case_of, cases_of, line_after
from thread_core.walk.positions import screen_shown, undecided, unit_at, units_of
from thread_core.walk.state import Asked, Choice, Position, SessionState, find
from thread_core.walk.states import STEPPED, TABLE, Event, Status

MORE = "There are {} more outcomes than are listed. Say what you see."
FURTHER = "{} more lines follow. Say next."
ONE_FURTHER = "1 more line follows. Say next."
ANSWER = "Answer with a number, or in your own words:"
BEFORE = "Before you start: {}"
TERM = "Term: {}"
EDITED = "The guide has been edited since this step was shown. This is the new version:"
GONE = "The step that was shown is no longer in the store. Say next to continue."
AGAIN = f"{sentences.WARNING} this was run before: {{}}"
GUESSED = f"{sentences.WARNING} this step was guessed: {{}}"
SHORT = 600
"""Characters of an output that are shown, its last ones."""
PREVIEW = 40
"""Words of what an option of a menu leads to."""
SAID = {
    Event.BACK: "back",
    Event.SKIP: "skip",
    Event.RESTART: "start over",
    Event.HAND_OVER: "I give up",
    Event.WHY: "why?",
}
"""What a person may say besides what is asked, for whoever makes buttons of it."""
_LABELS = content_words(" ".join(sentences.ALARMS))
"""Words with which a warning begins."""
_DID = {
    OutcomeKind.OBSERVED: "Done: {}",
    OutcomeKind.HANDED: "Not run, so please do it yourself: {}",
    OutcomeKind.APPROVAL: "Not run yet: {}",
    OutcomeKind.FAILED: "Failed: {}",
    OutcomeKind.UNCERTAIN: "Started, and it is not known how it ended: {}",
}


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
    printed: str = ""
    """Where that is in the file that the document was made of, such as "page 3"."""
    ran: tuple[Ran, ...] = ()
    """What an executor did since the person spoke last; the text says so too."""
    notes: tuple[str, ...] = ()
    """Where a model was to be asked and was done without, and why."""
    usage: Usage = Usage()
    """What the turn cost."""

    @property
    def lists_options(self) -> bool:
        """Whether the text lists the options by their numbers already, as a menu does."""
        lines = set(self.text.split("\n"))
        return all(f"{number}. {option}" in lines for number, option in enumerate(self.options, 1))

    @property
    def plain(self) -> str:
        """The text for a chat, in which no site's generator has its boxes, tabs and places: see `text.plain.plain`."""
        return plain(self.text)

    def __str__(self) -> str:
        """All of it as one plain text, the known outcomes below by their numbers, where nothing else shows them.

        A line tells them from the steps above, which may have numbers of their own.
        """
        options = [f"{number}. {option}" for number, option in enumerate(self.options, 1)]
        return self.plain if self.lists_options else "\n".join((self.plain, "", ANSWER, *options))


def after_running(ran: Sequence[Ran], shown: Turn, spent: Usage | None = None) -> Turn:
    """Put what an executor did above a turn's text, and what the turns before it have cost on its bill."""
    done = "\n\n".join(map(_told, ran))
    text = f"{done}\n\n{shown.text}" if done else shown.text
    return shown.model_copy(update={"text": text, "ran": (*ran, *shown.ran), "usage": (spent or Usage()) + shown.usage})


def refused(shown: Turn, reason: Exception) -> Turn:
    """Put above a turn that is shown again why what the person said was not done."""
    return shown.model_copy(update={"text": f"{reason}\n\n{shown.text}"})


def _told(ran: Ran) -> str:
    """What an executor did, with its output."""
    said = clipped(ran.outcome.text)
    did = _DID[ran.outcome.kind].format(", ".join(ran.commands) or ran.header)
    return f"{did}\n{block(said)}" if said else did


def clipped(output: str) -> str:
    """Give the end of an output, of a long one; what matters is said last."""
    text = output.strip("\n")
    return text if len(text) <= SHORT else "...\n" + text[-SHORT:].partition("\n")[2]


def present(state: SessionState) -> Plan[Turn]:
    """Show what a person sees in a state, and may say; where it is handed over, with what was tried."""
    shown = yield from _seen(state)
    offered = yield from choices(state)
    fits = {Event.BACK: bool(state.past), Event.SKIP: state.status in STEPPED}
    also = tuple(words for event, words in SAID.items() if (state.status, event) in TABLE and fits.get(event, True))
    asked = state.pending.kind if state.pending is not None else None
    options = tuple(choice.label for choice in offered)
    shown = shown.model_copy(update={"asked": asked, "also": also, "options": options, "status": state.status})
    if state.status is not Status.ESCALATED:
        return shown
    return shown.model_copy(update={"text": f"{shown.text}\n\n{tried(state)}"})


def choices(state: SessionState) -> Plan[tuple[Choice, ...]]:
    """List what the person may choose from."""
    if state.pending is not None:
        return state.pending.choices
    if state.status is not Status.AWAITING or state.message or state.step is None:
        return ()
    current, units = yield from unit_at(state.step)
    return screen_shown(state.step, current, units).choices if current is not None else ()


def _seen(state: SessionState) -> Plan[Turn]:
    pending = state.pending
    if pending is not None and pending.kind is Asked.APPROVAL:
        step = yield from _step(state)
        would = yield from action(state)
        if would is not None and would.needs:
            step = _below_heading(step, [BEFORE.format(text) for text in would.needs])
        return step.model_copy(update={"text": f"{step.text}\n\n{_to_approve(would)}"})
    if pending is not None and pending.kind is Asked.OUTCOME and not pending.question:
        return (yield from _step(state))
    if pending is not None:
        return (yield from _question(state, pending.question))
    if state.message or state.step is None:
        return Turn(text=state.message, status=state.status)
    return (yield from _ending(state.step, state) if state.step.ending else _step(state))


def _question(state: SessionState, question: str) -> Plan[Turn]:
    """A question, with where the step stands that waits for the answer."""
    at = (state.pending.at if state.pending else None) or state.step
    unit, _ = (yield from unit_at(at)) if at is not None else (None, ())
    cited = _cited(screen_shown(at, unit)) if at is not None and unit is not None else ()
    ids = (unit.id,) if unit is not None else ()
    if state.pending is not None and state.pending.about and state.pending.kind is Asked.OUTCOME:
        question = "\n".join((question, "", *(yield from _previewed(state.pending.choices))))
    return Turn(text=question, status=state.status, unit_ids=ids, citations=cited[:1])


def _previewed(offered: Sequence[Choice]) -> Plan[list[str]]:
    """A menu's options by their numbers; below each, how what it leads to begins, where it does not say so itself."""
    lines = []
    for number, choice in enumerate(offered, 1):
        lines.append(f"{number}. {choice.label}")
        unit = (yield from unit_at(choice))[0] if choice.unit_id and choice.first else None
        if unit is not None:
            case = case_of(choice, unit)
            body = case.said if case and case.said else unit.text_of(choice.first, choice.last)
            said = beginning(inlined(body).removeprefix("> "), PREVIEW)
            if not content_words(said) <= content_words(choice.label):
                lines.append(f"   > {said}")
    return lines


def _step(state: SessionState) -> Plan[Turn]:
    """The step at hand: heading, what must hold, warnings from elsewhere, terms, its lines."""
    step = state.step
    current, units = (yield from unit_at(step)) if step is not None else (None, ())
    if step is None or current is None:
        return Turn(text=GONE, status=Status.AWAITING)
    at = screen_shown(step, current)
    parts = [layout.heading(current)]
    parts += [BEFORE.format(text) for text in _to_hold(state, current, units)]
    warned = list(_warned(state, current, units, at))
    parts += [text for text, _ in warned]
    explained = yield from _terms(current, step)
    parts += [TERM.format(term) for term in explained]
    parts.append(body_of(at, step.condition))
    if at.last < step.until and not at.cases:
        more = step.until - line_after(current, at.last) + 1
        parts.append(f"\n{FURTHER.format(more) if more > 1 else ONE_FURTHER}")
    if (more := len(at.cases) - len([choice for choice in at.choices if choice.condition])) > 0:
        parts += ["", MORE.format(more)]
    cited = (*_cited(at), *(span for _, span in warned), *(term.citation for term in explained), *current.spans)
    return Turn(
        text="\n".join(filter(None, parts)),
        status=Status.AWAITING,
        unit_ids=(current.id,),
        citations=tuple(dict.fromkeys(cited)),
        printed=printed_at(current),
    )


def body_of(at: Screen, taken: str = "") -> str:
    """Give the lines of a screen; of a case that shares its lines with others, what it says alone."""
    shown = [outdented("\n".join((*_head_of_row(at), at.unit.text_of(at.first, at.last)))).rstrip()]
    case = next((one for one in cases_of(at.unit) if (one.link.condition, one.first) == (taken, at.first)), None)
    if case is not None and case.said:
        inside = [one for one in at.unit.passages if one.first > case.first and one.last <= at.last]
        shown = [case.said, *(outdented(at.unit.text_of(one.first, at.last)) for one in inside[:1])]
    if at.then is not None:
        shown.append(outdented(at.unit.text_of(*at.then)).rstrip())
    return "\n\n".join(closed("\n".join(map(_shortened, _linked(text).split("\n")))) for text in shown)


def _linked(text: str) -> str:
    """A text with the links that only a site's generator understands as Markdown has them."""
    return with_links(text).replace(f"]({LABEL}", "](#")


def _shortened(line: str) -> str:
    """A line, and of one that no screen holds its first words."""
    if len(line) <= SCREENFUL or count_tokens(line) <= SCREENFUL:
        return line
    return f"{first_tokens(line, SCREENFUL)} ..."


def _head_of_row(at: Screen) -> Sequence[str]:
    """The head of the table of which a screen begins with a row below it."""
    kinds = {one.first: one.kind for one in at.unit.passages}
    rows = [one for one in at.unit.passages if one.kind == "row" and one.first <= at.first]
    if kinds.get(at.first) != "row" or not rows or rows[0].first == at.first:
        return ()
    begun = rows[-1]
    for one in reversed(rows[:-1]):
        if one.last + 1 != begun.first:
            break
        begun = one
    return [at.unit.text_of(*begun[:2])] if begun.first != at.first else ()


def _to_hold(state: SessionState, unit: LogicUnit, units: Sequence[LogicUnit]) -> list[str]:
    """What must hold for a step and was not told at one before: its own, and what stands above it in the guide."""
    told = [found for step in state.trail[:-1] if (found := find(step, units)) is not None]
    begun = any(step.document_id == unit.document_id for step in state.trail[:-1])
    open_gates = undecided(unit, state)
    own = (text for text in unit.prerequisites if text in open_gates or not prerequisites.decidable(text))
    before = {text for one in told for text in one.prerequisites}
    said = unit.body if unit.passages else ""
    asked = dict.fromkeys((*(() if begun else needed(unit, units)), *own))
    return [text for text in asked if text not in before and text not in said]


def _warned(state: SessionState, unit: LogicUnit, units: Sequence[LogicUnit], at: Screen) -> Iterator[tuple[str, Span]]:
    """The warnings that hold for a step, stand elsewhere, and were not shown at one before."""
    shown = _cited(at)[0]
    told = {span for step in state.trail[:-1] if (one := find(step, units)) is not None for span in one.warnings}
    for span in unit.warnings:
        if not (shown.start <= span.start <= shown.end) and span not in told:
            text = text_at(span, units)
            words = content_words(text) - _LABELS
            is_said = any(words <= content_words(needed_text) for needed_text in unit.prerequisites)
            yield ("" if is_said else text), span


def _terms(unit: LogicUnit, step: Position) -> Plan[list[Term]]:
    """What a step explains, as far as it is in the store."""
    among: list[LogicUnit] = []
    for one in step.explained:
        units = yield from units_of(one.document_id)
        among += [unit for unit in units if unit.id == one.unit_id]
    names = {one.name for one in step.explained}
    return [term for term in terms([unit], among) if term.name in names]


def _cited(at: Screen) -> tuple[Span, ...]:
    first = at.unit.lines_of(at.first, at.last)
    return (first,) if at.then is None else (first, at.unit.lines_of(*at.then))


def _below_heading(shown: Turn, lines: Sequence[str]) -> Turn:
    heading, _, step = shown.text.partition("\n")
    new = [line for line in lines if line not in step.splitlines()]
    return shown.model_copy(update={"text": "\n".join((heading, *new, step))}) if new else shown


def _ending(end: Position, state: SessionState) -> Plan[Turn]:
    """The words of the document that ended the walk."""
    unit, _ = yield from unit_at(end)
    case = next((one for one in cases_of(unit) if one.link.condition == end.condition), None) if unit else None
    if unit is None or case is None:
        return Turn(text=end.header, status=state.status)
    said = case.link.query[:1].upper() + case.link.query[1:]
    if case.said:
        said = case.said
    elif case.first:
        said = outdented(unit.text_of(case.first, case.last))
    cited = unit.lines_of(case.first, case.last) if case.first else unit.body_spans[0]
    spans = tuple(dict.fromkeys((cited, *unit.spans)))
    text = f"{layout.heading(unit)}\n{said}"
    return Turn(text=text, status=state.status, unit_ids=(unit.id,), citations=spans, printed=printed_at(unit))


def action(state: SessionState) -> Plan[Action | None]:
    """Give what the step at hand says to run; what was run in this walk is asked about before it is run again."""
    step = state.step
    current, units = (yield from unit_at(step)) if step is not None else (None, ())
    if step is None or current is None:
        return None
    at = screen_shown(step, current)
    guessed = [GUESSED.format(step.why)] if step.is_guess else []
    warned = [text for span in current.warnings if (text := text_at(span, units))]
    own = dict.fromkeys((*guessed, *current.prerequisites, *needed(current, units)))
    needs = [text for text in own if is_for_a_person(text, state.known)]
    given = action_of(at, state=state, needs=needs, warned=warned)
    ran = zip(given.commands, given.digests, strict=True)
    again = {command: digest for command, digest in ran if digest in state.ran}
    needs = list(dict.fromkeys((*given.needs, *map(AGAIN.format, again))))
    return given.model_copy(update={"needs": tuple(needs), "repeats": tuple(again.values())})


def _to_approve(would: Action | None) -> str:
    """What would be run, to the letter, and whether it shall be."""
    commands = would.commands if would is not None else ()
    given = would.parameters.items() if would is not None else ()
    unsaid = (f"{name} = {value}" for name, value in given if not any(value in command for command in commands))
    lines = "\n".join((*commands, *unsaid))
    return f"{block(lines)}\n\nShould I run this for you?" if lines else "Should I run this for you?"


def noticing(state: SessionState) -> Plan[SessionState | None]:
    """Give the state with the step at hand as it is now, where the person has seen another text; None where none is.

    What is no longer in the store at all is another matter: the walk goes on without it.
    """
    step = state.step
    is_to_approve = state.asks(Asked.APPROVAL)
    if not (state.status is Status.AWAITING or is_to_approve) or state.message or step is None:
        return None
    current, _ = yield from unit_at(step)
    if current is None or current.content_hash == step.content_hash:
        return None
    if is_to_approve:
        state = state.replace(status=Status.AWAITING, pending=None, handed="the guide has been edited")
    at = screen_shown(step, current)
    lead = {"is_guess": step.is_guess, "jumped": step.jumped, "then": at.then, "until": at.until}
    fresh = Position.of(current, at.first, at.last, step.why, step.condition, **lead)
    return state.replace(trail=(*state.trail[:-1], fresh))


def tried(state: SessionState) -> str:
    """Say what was done and what came of it, for whoever takes over."""
    lines = [f"What was tried for: {state.question}"]
    for number, step in enumerate((step for step in state.trail if not step.ending), start=1):
        came = "not done" if step.skipped else step.outcome or "no outcome was reported"
        lines.append(f"{number}. {step.header} ({step.document_id}): {came}")
    lines += [f"It holds: {text}" for text in state.known.confirmed]
    lines += [f"Does not hold: {text}" for text in state.denied]
    return "\n".join(lines)
