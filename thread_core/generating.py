"""Words that answer from units, and what can be checked of them once they were spoken: the paper's generator."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from thread_core import layout
from thread_core.asking import Role, Speak
from thread_core.conversation import NOTHING, facts, told
from thread_core.models import LogicUnit
from thread_core.plan import Plan
from thread_core.ports import Message
from thread_core.prerequisites import Known
from thread_core.prompting import Prompt, prompt, quoted
from thread_core.words import count_tokens

BESIDES = 300
"""Tokens that an answer may have beyond those of its units."""

_CODE = re.compile(r"^(?P<fence>```+|~~~+).*?(?:^(?P=fence)|\Z)|(?P<ticks>`+).+?(?P=ticks)", re.DOTALL | re.MULTILINE)
_CITATION = re.compile(r"\[(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\](?!\()")


def speak(
    question: str,
    history: Sequence[Message],
    units: Sequence[LogicUnit],
    *,
    known: Known,
    asked: Sequence[str] = (),
    prompts: Mapping[str, Prompt] | None = None,
) -> Plan[str]:
    """An answer that cites the units by their number, 1 for the first.

    Args:
        question: What the person asks.
        history: The conversation before it.
        units: What may be said, in order.
        known: What is known besides.
        asked: Questions that the person reads before the answer.
        prompts: The user's own instead of the package's, by name; `answer` is used here.

    Raises:
        ModelError: there is no answer, or not all of it; `said` holds what was spoken.
        BudgetSpent: the model was not asked.
    """
    shown = [layout.render(unit) for unit in units]
    fields = {
        "history": told(history),
        "facts": facts(known, besides=(question, *(message.text for message in history))),
        "units": "\n\n".join(f"Unit [{number}]:\n{quoted(text)}" for number, text in enumerate(shown, start=1)),
        "open": "\n".join(map(quoted, asked)) or NOTHING,
        "question": quoted(question),
    }
    messages = ((prompts or {}).get("answer") or prompt("answer")).messages(fields)
    expected = BESIDES + sum(map(count_tokens, shown))
    said: str = yield Speak(Role.GENERATOR, tuple(messages), expected=expected)
    return said


def citations(said: str) -> list[int]:
    """The numbers that a text cites, each once, in order of appearance; `a[1]` in code is none."""
    prose = _CODE.sub(" ", said)
    return list(
        dict.fromkeys(
            int(number) for match in _CITATION.finditer(prose) for number in match[1].replace(";", ",").split(",")
        )
    )


def warnings(said: str, units: Sequence[LogicUnit]) -> tuple[str, ...]:
    """What does not stand up in an answer that was spoken from units, a sentence each."""
    cited = citations(said)
    found = [f"[{number}] names no source" for number in cited if not 1 <= number <= len(units)]
    if not any(1 <= number <= len(units) for number in cited):
        found.append("the answer names no source")
    return tuple(found)
