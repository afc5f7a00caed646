"""How-to documents that nobody wrote: as many as one wants, different from each other, the same in every run.

Each is a guide of the usual kind: what must hold first, a diagnosis whose outcomes lead to other steps, sections and
guides, mitigations with commands, and a check at the end. A guide is made from its number alone, so any part of a
large corpus can be made at any time.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from thread_core import Document

UNITS = 10.3
"""Of a guide, on average, as the rules divide it."""

SYLLABLES = (
    "ba be bo da de do fa fe ga go ka ke ko la le lo ma me mo na ne no pa pe ra re ro sa se so ta te to va ve za"
)
_THINGS = (
    "queue broker database cache gateway proxy scheduler volume index mailer resolver balancer registry"
    " certificate replica snapshot journal pipeline collector dashboard firewall printer router agent"
)
_TROUBLES = (
    "does not start|answers late|is full|rejects writes|loses connections|reports stale data|is out of step"
    "|restarts again and again|uses too much memory|cannot be reached|drops messages|refuses the certificate"
)
_LOOKS = "Read|Look at|Compare|Write down|Ask for|Count"
_DOES = "Restart|Drain|Resize|Replace|Rotate|Empty|Detach|Rebuild|Throttle|Isolate"
_MEASURES = "backlog|lag|error rate|free space|connection count|heap|load|age of the last entry|retry count|latency"
_ROLES = "operator|administrator|owner|reviewer"
_REMARKS = (
    "The figure is an average of the last minutes.|Others may do the same at this moment.|It takes effect at once."
    "|Nothing is lost by it.|The output may take a while.|It is safe to do this twice.|Users notice a short pause."
)


def guides(units: int) -> Iterator[Document]:
    """Guides with about so many units in all, one after the other."""
    count = max(1, round(units / UNITS))
    return (guide(number, count) for number in range(count))


def guide(number: int, count: int, version: int = 0) -> Document:
    """One of `count` guides, whose links lead to others of them. The version stands in the body of one step."""
    return Document(name(number), "\n".join(_lines(number, count, version)))


def name(number: int) -> str:
    """The id of a guide: a path, in folders of a hundred."""
    return f"area-{number // 100}/guide-{number}.md"


def title(number: int) -> str:
    """The title of a guide."""
    random = Random(number)
    return f"{_thing(random)} {_pick(random, _TROUBLES)}"


def _lines(number: int, count: int, version: int) -> Iterator[str]:
    random = Random(number)
    thing, trouble = _thing(random), _pick(random, _TROUBLES)
    tool = f"{thing.split()[1].lower()}ctl"
    yield f"# {thing} {trouble}\n"
    yield f"{_remark(random)} The {_pick(random, _MEASURES)} of {thing} is the first thing that people notice.\n"
    yield "**Prerequisites**\n"
    yield f"- You hold the role `{tool}-{_pick(random, _ROLES)}`."
    yield f"- {thing} has version {random.randint(2, 9)}.{random.randint(0, 20)} or later.\n"
    yield "## Diagnosis\n"
    yield from _diagnosis(random, tool, count, version)
    for way in range(1, random.randint(3, 5)):
        yield f"## Mitigation {way}\n"
        yield from _mitigation(random, tool)
    yield "## Verify\n"
    yield f"1. Run `{tool} verify --all`. If it prints `ok`, the issue is resolved."
    yield f"2. If it prints anything else, escalate to the team of {thing}.\n"
    yield "## See also\n"
    yield from (f"- {_hyperlink(random, count)}" for _ in range(2))


def _diagnosis(random: Random, tool: str, count: int, version: int) -> Iterator[str]:
    steps = random.randint(3, 6)
    for step in range(1, steps + 1):
        measure = _pick(random, _MEASURES)
        yield f"{step}. {_pick(random, _LOOKS)} the {measure} of {_word(random)} {_word(random)}:\n"
        yield f"   ```sh\n   {tool} {measure.split()[0]} --of {_word(random)} \\"
        yield f"     --last {random.randint(1, 90)}m\n   ```\n"
        minutes = 10 + (random.randrange(90) + (version if step == 1 else 0)) % 90
        yield f"   {_remark(random)} Wait {minutes} minutes.\n"
        limit = random.randint(10, 5000)
        yield f"   - If it is above {limit}, go to [Mitigation 1](#mitigation-1)."
        if step < steps:
            yield f"   - If it is below {limit // 10}, go to step {random.randint(step + 1, steps)}."
        yield f"   - If nothing is printed, see {_hyperlink(random, count)}.\n"


def _mitigation(random: Random, tool: str) -> Iterator[str]:
    for step in range(1, random.randint(3, 5)):
        thing = f"{_word(random)} {_pick(random, _THINGS.replace(' ', '|'))}"
        yield f"{step}. {_pick(random, _DOES)} the {thing} with `{tool} fix {_word(random)} --{_word(random)}`."
        yield f"   {_remark(random)} If the {_pick(random, _MEASURES)} falls, continue with [Verify](#verify).\n"


def _hyperlink(random: Random, count: int) -> str:
    """A link to some guide, by its path from a folder beside its own."""
    other = random.randrange(count)
    return f"[{title(other)}](../{name(other)}{random.choice(('', '#diagnosis', '#mitigation-1'))})"


def _thing(random: Random) -> str:
    return f"{_pick(random, _THINGS.replace(' ', '|')).capitalize()} {_word(random).capitalize()}"


def _word(random: Random) -> str:
    """A word that is in no dictionary: one of 40,000."""
    return "".join(random.choices(SYLLABLES.split(), k=3))


def _remark(random: Random) -> str:
    return _pick(random, _REMARKS)


def _pick(random: Random, words: str) -> str:
    return random.choice(words.split("|"))
