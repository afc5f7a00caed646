"""Words that answer from units, and what can be checked of them once they were spoken: the paper's generator."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from thread_core import layout
from thread_core.answering.conversation import NOTHING, facts, known_from, told
from thread_core.documents.templates import fill, values_in
from thread_core.extraction.difference import Finding, unfounded
from thread_core.llm.asking import Ask, Keep, Kept, Role, Say, Speak
from thread_core.llm.prompting import Prompt, chosen, quoted
from thread_core.models import LogicUnit
from thread_core.plan import Plan
from thread_core.ports import Message
from thread_core.retrieval.prerequisites import Known
from thread_core.text.facts import Kind
from thread_core.text.words import count_tokens
from thread_core.walk import memory

BESIDES = 300
"""Tokens that an answer may have beyond those of its units."""
WARNINGS = 5
"""Of one kind that are named; the others are counted."""

_CODE = r"^(?P<fence>```+|~~~+).*?(?:^(?P=fence)|\Z)|(?<!`)(?P<ticks>`++).+?(?<!`)(?P=ticks)(?!`)"
_CITATION = re.compile(rf"{_CODE}|\[(?P<numbers>\d{{1,3}}(?:\s*[,;]\s*\d{{1,3}})*)\](?!\()", re.DOTALL | re.MULTILINE)
"""Code, in which nothing is cited, or the numbers that are."""


def speak(
    question: str,
    history: Sequence[Message],
    units: Sequence[LogicUnit],
    *,
    known: Known,
    asked: Sequence[str] = (),
    recall: memory.Recall = memory.recall_nothing,
    prompts: Mapping[str, Prompt] | None = None,
) -> Plan[str]:
    """An answer that cites the units by their number, 1 for the first. One in which nothing is to be checked is kept.

    The person reads what is `asked` before it.

    Raises:
        ModelError: there is no answer, or not all of it; `said` holds what was spoken.
        BudgetSpent: the model was not asked.
    """
    shown = [layout.render(unit) for unit in units]
    recalled = yield from recall()
    fields = {
        "history": recalled.below(told(history, besides=recalled.replaces)),
        "facts": facts(known, besides=(question, *(message.text for message in history), *recalled.replaces)),
        "units": "\n\n".join(f"Unit [{number}]:\n{quoted(text)}" for number, text in enumerate(shown, start=1)),
        "open": "\n".join(map(quoted, asked)) or NOTHING,
        "question": quoted(question),
    }
    messages = chosen("answer", prompts).messages(fields)
    expected = BESIDES + sum(map(count_tokens, shown))
    ask = Ask(Role.GENERATOR, tuple(messages), expected=expected)
    heard = (*known.said, *known_from(question, history).said)

    def stands_up(text: str) -> bool:
        return not warnings(text, units, heard)

    kept: str | None = yield Kept(ask, stands_up)
    if kept is not None:
        yield Say(kept)
        return kept
    said: str = yield Speak(ask.role, ask.messages, ask.expected)
    if stands_up(said):
        yield Keep(ask, said)
    return said


def filled(unit: LogicUnit, said: Sequence[str]) -> LogicUnit:
    """A unit with the parameters in its code filled in from what the person said, else from their defaults."""
    return unit.model_copy(update={"body": fill(unit, values_in(unit, said))}) if unit.parameters else unit


def citations(said: str) -> list[int]:
    """The numbers that a text cites, each once, in order of appearance; `a[1]` in code is none."""
    groups = (re.findall(r"\d+", match["numbers"] or "") for match in _CITATION.finditer(said))
    return list(dict.fromkeys(int(number) for numbers in groups for number in numbers))


def warnings(text: str, units: Sequence[LogicUnit], said: Sequence[str] = ()) -> tuple[str, ...]:
    """What does not stand up in an answer that was spoken from units, a sentence each.

    Args:
        text: The answer.
        units: What it was spoken from, 1 the first; parameters in their code may be filled in or not.
        said: What the person said, the oldest first; it may be repeated.
    """
    numbers = citations(text)
    cited = [number for number in numbers if 1 <= number <= len(units)]
    found = [f"[{number}] names no source" for number in numbers if number not in cited]
    if not cited:
        found.append("the answer names no source")
    words = _CITATION.sub(lambda match: "" if match["numbers"] else match[0], text)
    sources = [units[number - 1] for number in cited] or list(units)
    found += _few(f"no source has {one}" for one in _unfounded(words, sources, said))
    for number in cited:
        found += _few(
            f"[{number}] has {one}, which is left out here" for one in _left_out(words, units[number - 1], said)
        )
    return tuple(found)


def _unfounded(words: str, sources: Sequence[LogicUnit], said: Sequence[str]) -> list[Finding]:
    """What an answer says exactly that its sources do not, whether their parameters are filled in or not."""
    shown = (sources, [filled(unit, said) for unit in sources])
    texts = dict.fromkeys("\n\n".join((*map(layout.render, units), *said)) for units in shown)
    first, *others = ([one for one in unfounded(text, words)] for text in texts)
    also = [{(one.kind, one.text) for one in other} for other in others]
    return [one for one in first if all((one.kind, one.text) in other for other in also)]


def _left_out(words: str, unit: LogicUnit, said: Sequence[str]) -> list[Finding]:
    """The commands and code blocks of a unit that an answer does not have, neither filled in nor as they stand."""
    left_out: list[Finding] = []
    for body in dict.fromkeys((unit.body, filled(unit, said).body)):
        left_out = [one for one in unfounded(words, body) if one.kind in (Kind.CODE, Kind.COMMAND)]
        if not left_out:
            break
    return left_out


def _few(warnings: Iterable[str]) -> list[str]:
    """The first warnings of a kind, and how many more there are."""
    found = list(dict.fromkeys(warnings))
    more = len(found) - WARNINGS
    return found[:WARNINGS] + ([f"and {more} more like this"] if more > 0 else [])
