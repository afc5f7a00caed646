"""A unit of which there is more than a reader has room for -> the beginning of it, which says that it goes on."""

from __future__ import annotations

from thread_core import layout
from thread_core.documents import passages
from thread_core.models import LogicUnit, Span, changed
from thread_core.text.words import count_tokens, first_tokens

MORE = "..."
"""At the end of a body that is not the whole one."""


def shortened(unit: LogicUnit, budget: int) -> LogicUnit:
    """A unit that fits in so many tokens, with the first lines of its body, or the first words of a longer line.

    It is cited by those lines. What stands around the body is left whole, so the result may be too long even so.
    """
    excess = count_tokens(layout.render(unit)) - budget
    room = count_tokens(unit.body)
    found = unit
    while excess > 0 and room > 0:
        room = max(0, room - excess - (count_tokens(MORE) if found is unit else 0))
        found = _with_beginning(unit, first_tokens(unit.body, room))
        excess = count_tokens(layout.render(found)) - budget  # a heading says what the body does not say any more
    return found


def _with_beginning(unit: LogicUnit, beginning: str) -> LogicUnit:
    whole = beginning if unit.body[len(beginning) :].startswith("\n") else beginning.rpartition("\n")[0]
    body = f"{whole.rstrip()}\n{MORE}" if whole.strip() else f"{beginning} {MORE}".strip()
    lines = body.count("\n") + (not whole.strip())
    fields = {"body": body, "body_spans": unit.body_spans if unit.rewritten else tuple(_first_lines(unit, lines))}
    return changed(unit, fields | {"passages": passages.cut(body)})


def _first_lines(unit: LogicUnit, lines: int) -> list[Span]:
    """The first lines of a body, with what stands above its own."""
    found: list[Span] = []
    for span in unit.body_spans:
        if lines > 0:
            found.append(Span(span.document_id, span.start, min(span.end, span.start + lines - 1)))
            lines -= span.end - span.start + 1
    return found
