"""Whether two similar units are one: by the rule, else by a model (section 3.2)."""

from __future__ import annotations

from collections.abc import Mapping

from thread_core import layout
from thread_core.errors import BadReply, BudgetSpent, ModelError
from thread_core.ingest.merging import Decide, same_words
from thread_core.llm.asking import Ask, Role, Who, ask_for
from thread_core.llm.prompting import Prompt, chosen, quoted
from thread_core.models import LogicUnit
from thread_core.plan import Plan
from thread_core.ports import Form

EXPECTED = 20
"""Tokens of a reply."""


class Sameness(Form):
    """A model's reply."""

    same: bool


def judged(prompts: Mapping[str, Prompt] | None = None) -> Decide:
    """For `merging.find_twins`: a model is asked where the rule says no, with the prompt `same`.

    Units are two where it gives no good reply, and where the budget has ended. A good reply is kept, so that the same
    pair is not paid for in every run.

    Example:
        found = library.run(find_twins(["login.md", "reset.md"], judged()))
    """
    wording = chosen("same", prompts)
    known: dict[tuple[str, ...], bool] = {}

    def decide(one: LogicUnit, other: LogicUnit) -> Plan[bool]:
        if (yield from same_words(one, other)):
            return True
        if (yield Who(Role.EXTRACTOR)) is None:
            return False
        shown = tuple(sorted(map(_shown, (one, other))))
        if shown not in known:
            known[shown] = yield from _asked(wording, *shown)
        return known[shown]

    return decide


def _asked(wording: Prompt, one: str, other: str) -> Plan[bool]:
    messages = wording.messages({"one": quoted(one), "other": quoted(other)})
    try:
        reply = yield from ask_for(Ask(Role.EXTRACTOR, tuple(messages), expected=EXPECTED), Sameness, keep=True)
    except (BadReply, BudgetSpent, ModelError):
        return False
    return reply.same


def _shown(unit: LogicUnit) -> str:
    return f"{layout.heading(unit)}\n{unit.body}"
