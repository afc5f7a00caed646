"""A step as it was shown -> the action that an executor may carry out.

What is run is decided by how the step is built, not by what its words mean: the code of a fenced block whose language
is a shell's, or Python for tools, with a sentence at most before it, above the step's first outcome. Where there may be
several ways (several blocks, points, remarks among commands), where somebody warns, and where other words stand first,
it is the person's. Inline code is never run: documents name commands that they do not order.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Sequence
from itertools import takewhile

from thread_core import layout
from thread_core.documents import cases, templates
from thread_core.documents.blocks.fences import Fence, closing
from thread_core.documents.blocks.markdown import Block, parse, parts
from thread_core.documents.blocks.shape import outdented
from thread_core.documents.blocks.source import Source
from thread_core.documents.code import codes
from thread_core.documents.shells import PROMPT, SESSIONS, SHELLS, WINDOWS, language
from thread_core.models import NAMESPACE, LogicUnit
from thread_core.text import sentences
from thread_core.text.denials import denies, may_deny
from thread_core.walk.execution import Action
from thread_core.walk.options import Screen, cases_of
from thread_core.walk.state import SessionState

_RUN = SHELLS | {"python"}
"""Languages of blocks whose code may be run."""
_REMARK = re.compile(r"\s*#")
_CONTINUED = re.compile(r"^(?!\s*#)((?:[^'\\\n]|'[^'\n]*'|\\.)*+)\\\n", re.MULTILINE)
"""A line of a shell that goes on in the next one: no remark, and not within single quotes."""
_BOXED = re.compile(r"^\s*>\s*|\[!\w+\]|\*\*", re.MULTILINE)
"""The marks of a box, and of what is set in bold."""
_STRUCK = re.compile(r"(?<!~)~~(?!~)|<(?:s|del|strike)\b", re.IGNORECASE)

NO_CODE = "it has no fenced block of shell code"
BEFORE = "there is more than a plain sentence before its code"
DENIED = "there is a negation before its code"
SEVERAL = "it has several code blocks, which may be alternatives"
POINTS = "its code is in list items, which may be alternatives"
REMARKS = "there are comments among its commands, which may be alternatives"
OUTPUT = "its block is a terminal session in which no line begins with a prompt"
STRUCK = "some of it is struck out"
REWRITTEN = "a model rewrote it"
IN_PARTS = "its code block does not begin and end in it"
WARNED = "the guide warns"
_BEHIND = "there is text after its code"


def action_of(at: Screen, *, state: SessionState, needs: Sequence[str] = (), warned: Sequence[str] = ()) -> Action:
    """Read what a screen says to run.

    Args:
        at: The screen.
        state: Of the walk: its turn names the action, and what was said in it gives parameters their values.
        needs: What only the person can vouch for.
        warned: The words of the warnings that hold for the unit, as far as they are known.

    Returns:
        An action; without commands, and with a reason where there is code, where it is the person's.
    """
    unit = at.unit
    found = templates.values_in(unit, state.said)
    values = {name: value for name, value in found.items() if templates.is_safe(value)}
    unsaid = {name: templates.placeholder(name) for name, value in found.items() if not value}
    body = templates.template_of(unit).fill(unsaid | values).split("\n")
    told = outdented("\n".join(body[at.first - 1 : _above_outcomes(at, state)]))
    commands, left = _commands(parse(told).blocks)
    if refused := _refused(at, told, warned):
        commands, left = [], refused
    elif commands and _is_within_code(unit):
        commands, left = [], IN_PARTS
    # by its place: an edit gives a unit another id, and what was begun there must not be begun again for that
    step = (unit.document_id, unit.place.anchor, unit.place.number, at.first)
    return Action(
        key=str(uuid.uuid5(NAMESPACE, json.dumps([state.root, state.turn, step, commands]))),
        session=state.root,
        turn=state.turn,
        began=state.began,
        unit_id=unit.id,
        header=unit.header,
        text=f"{layout.heading(unit)}\n{outdented(chr(10).join(body[at.first - 1 : at.last]))}",
        commands=tuple(commands),
        complete=bool(commands) and not left and at.then is None,
        reason=left if not commands and codes(Source(told)) else "",
        branches=bool(at.cases),
        parameters=values,
        missing=tuple(name for name in templates.marked(told) if any(name in command for command in commands)),
        citation=unit.lines_of(at.first, at.last),
        needs=(*_unchosen(at, state), *needs),
        approved=state.approved,
    )


def _refused(at: Screen, told: str, warned: Sequence[str]) -> str:
    """Why nothing of a step is run, however it is built; empty where nothing speaks against it."""
    if warned or at.unit.warnings:
        words = " ".join(_BOXED.sub("", "\n".join(warned[:1])).split())
        return f"{WARNED}: {words[:200]}" if words else WARNED
    if at.unit.rewritten:
        return REWRITTEN
    return STRUCK if _STRUCK.search(told) else ""


def _is_within_code(unit: LogicUnit) -> bool:
    """Whether a unit begins or ends within a block of code, of which it then has the first line, or no last one."""
    has_lead = len(unit.body_spans) > 1 and Fence().reads(unit.body.split("\n", 1)[0])
    return has_lead or bool(closing(unit.body))


def _unchosen(at: Screen, state: SessionState) -> tuple[str, ...]:
    """The heading that says in which case a step is for the reader, where nobody has said that it is so."""
    path = cases.case_of(at.unit.section)
    if not path or path[-1] in state.confirmed:
        return ()
    here = takewhile(lambda step: step.place.anchor == at.unit.place.anchor, reversed(state.trail))
    stated = cases.heading_condition(path[-1])
    is_chosen = any(step.condition for step in here) or any(step.condition == stated for step in state.trail)
    return () if is_chosen else (path[-1],)


def _above_outcomes(at: Screen, state: SessionState) -> int:
    """The last line above all outcomes but the one that led to the screen; above the screen if one has no place."""
    taken = state.step.condition if state.step is not None and not state.step.jumped else ""
    last = at.last
    for case in cases_of(at.unit):
        if (case.link.condition, case.first) == (taken, at.first):
            continue
        line = at.unit.line_in_body(case.link.evidence.start) if case.link.evidence is not None else None
        if line is None:
            return at.first - 1
        if at.first <= line <= at.last:
            last = min(last, line - 1)
    return last


def _commands(blocks: Sequence[Block]) -> tuple[list[str], str]:
    """The commands of some blocks up to what is a person's, and what that is; empty where nothing is."""
    lead = next((at for at, block in enumerate(blocks) if block.kind != "paragraph"), len(blocks))
    said = [sentence.text for block in blocks[:lead] for sentence in sentences.cut(block.text)]
    if not _has_code(blocks):
        return [], NO_CODE
    own, *behind = blocks[lead:]
    if len(said) > 1 or own.kind not in ("code", "list") or not _has_code([own]):
        return [], BEFORE
    if any(denies(text) or may_deny(text) for text in said):
        return [], DENIED
    if _has_code(behind):
        return [], SEVERAL
    commands, left = _in_order(own.children) if own.kind == "list" else _lines(own)
    return commands, left or (_BEHIND if behind else "")


def _in_order(items: Sequence[Block]) -> tuple[list[str], str]:
    """The commands of the items of a list, one after the other as they are numbered."""
    if len(items) > 1 and any(item.number is None for item in items):
        return [], POINTS
    commands: list[str] = []
    for item in items:
        more, left = _commands(item.children)
        commands += more
        if left:
            return commands, left
    return commands, ""


def _has_code(blocks: Sequence[Block]) -> bool:
    """Whether code that may be run stands in some blocks, however deep."""
    return any(block.kind == "code" and language(block.language) in _RUN for block in parts(blocks))


def _lines(block: Block) -> tuple[list[str], str]:
    """The commands of a block, line by line; of a copied session those behind a prompt alone."""
    kind = language(block.language)
    if kind == "python":
        return [block.text], ""
    code = block.text if kind in WINDOWS else _CONTINUED.sub(r"\1 ", block.text)
    lines = [line for line in code.split("\n") if line.strip()]
    prompted = [line for line in lines if PROMPT.match(line)]
    if not prompted and kind in SESSIONS:
        return [], OUTPUT
    commands = prompted or [line for line in lines if not _REMARK.match(line)]
    if not commands:
        return [], NO_CODE
    if any(map(_REMARK.match, lines[lines.index(commands[0]) :])):
        return [], REMARKS
    return [PROMPT.sub("", line, count=1).strip() for line in commands], ""
