"""The extractor's rules, each with an example and what comes of it; `docs/rules.md` is written from them.

    make docs

The rules stand in `rule_examples/*.toml`, one file for each group; the fields are those of `Rule`.
"""

from __future__ import annotations

import importlib
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path
from typing import Any

from thread_core import Document, Link, LogicUnit, RuleExtractor, Span, Target
from thread_core.linking import Catalog, LinkState
from thread_core.places import place_in
from thread_core.text.headings import slug

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).with_suffix("")
PAGE = ROOT / "docs" / "rules.md"
EXAMPLE = "guide.md"
"""What the document of an example is called."""
_WORDS = re.compile(r"<(\d+) words>")
_FILLED = re.compile(r"\bword(?: word)+\b")

INTRODUCTION = """\
# The rules of the extractor

`RuleExtractor` turns a document into logic units without a model. It reads in one direction; no stage looks back:

```text
text -> blocks -> sections -> drafts -> units -> links   -> nothing lost
        markdown  outline     drafts    rules    linkers    fidelity
```

A rule is a small function over blocks, or a pattern over the words of one sentence. It knows no document, no product
and no subject. What no rule can read is left as it stands, and every line ends up in a unit all the same.

**How to read an example.** On the left of the document stand its line numbers; `<90 words>` stands for so many words.
Below it stand the units that come of it:

```text
1. step "Title: Section: First words", lines 5-6, steps 1 2    kind, header, lines of the body, its numbered steps
   needs: what must hold first                                 a prerequisite
   fill in: <name>, else default                               a parameter of the code, with the default that is stated
   if condition -> CONTINUE "what to do" (here)                a link: what to do stands in this unit
   if condition -> CONTINUE "what to do" (step 4, unit 2)      ... elsewhere: the target as written, and its unit
   if condition -> CROSS "what to do" (other.md#part)          ... in another document
   if condition -> RESOLVED "all is well"                      the end; ESCALATE hands the case to other people
   then -> CONTINUE "what to do" (unit 3)                      the way on whatever the outcome
```

**How to add a rule.** Write an example into its group in `tests/thread_core/rule_examples/`, with the result that a
reader would expect. See `make test` fail, write the function, run `make docs`. The tests run every example of this page
and compare the page with them, so it is never edited by hand.

## All rules
"""


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that the extractor does."""

    name: str
    does: str
    """In one sentence."""
    where: Sequence[str]
    """Its functions, as `module.function` of thread_core."""
    example: str
    result: str
    """What `Reading` says of the example."""
    others: Mapping[str, str] = field(default_factory=dict)
    """More documents of the same store by id, for links between documents."""
    all_lines: bool = False
    """Whether the result says for which lines a unit accounts, besides those of its body."""

    def reading(self) -> str:
        """What the extractor makes of the example."""
        lines = Reading({EXAMPLE: self.example, **self.others}, self.all_lines).lines()
        return "".join(_FILLED.sub("...", line) + "\n" for line in lines)


@dataclass(frozen=True, slots=True)
class Group:
    """Rules about the same thing."""

    title: str
    about: str
    rule: Sequence[Rule]


class Reading:
    """The units of an example in words, its links resolved against the documents beside it."""

    def __init__(self, texts: Mapping[str, str], all_lines: bool = False) -> None:
        self._units = {name: extracted(name, text) for name, text in texts.items()}
        self._catalog = Catalog.of(unit for units in self._units.values() for unit in units)
        self._all_lines = all_lines

    def lines(self) -> Iterator[str]:
        """The document's other names, then each unit with its prerequisites and links."""
        units = self._units[EXAMPLE]
        yield from _names(units[0])
        for number, unit in enumerate(units, start=1):
            yield f'{number}. {unit.type} "{unit.header}", {self._extent(unit)}'
            yield from (f"   needs: {prerequisite}" for prerequisite in unit.prerequisites)
            yield from (
                f"   fill in: {name}{default and f', else {default}'}" for name, default in unit.parameters.items()
            )
            yield from (f"   {self._link(link, unit)}" for link in unit.links)

    def _extent(self, unit: LogicUnit) -> str:
        steps = f", {_counted('step', ' '.join(map(str, unit.steps)))}" if unit.steps else ""
        whole = f", in all {_lines(unit.spans)}" if self._all_lines else ""
        return f"{_lines(unit.body_spans)}{steps}{whole}"

    def _link(self, link: Link, unit: LogicUnit) -> str:
        case = f"if {link.condition}" if link.condition else "then"
        target = f" ({self._target(link.target, unit)})" if link.target else ""
        return f'{case} -> {link.action} "{link.query}"{target}'

    def _target(self, target: Target, unit: LogicUnit) -> str:
        """A target as the text names it, and the unit that it means."""
        if target.place == unit.place:
            return "here" if target.step is None else f"here, step {target.step}"
        if not target.document:
            return ", ".join(filter(None, (_written(target, unit), self._number(target, EXAMPLE))))
        return f"{_written(target, unit)}{self._other(target) if len(self._units) > 1 else ''}"

    def _other(self, target: Target) -> str:
        found = self._catalog.resolve(target.document, EXAMPLE)
        if found.leads:
            moved = "moved to " if found.state is LinkState.MOVED else ""
            return f" is {moved}{found.document_id}, {self._number(target, found.document_id)}"
        return f" is {found.state.value}{': ' if found.candidates else ''}{' or '.join(found.candidates)}"

    def _number(self, target: Target, document_id: str) -> str:
        units = self._units[document_id]
        unit = place_in(target, units)
        return f"unit {units.index(unit) + 1}" if unit else "not there"


def groups() -> list[Group]:
    """All rules, in the order of the files' names."""
    return [_group(tomllib.loads(path.read_text(encoding="utf-8"))) for path in sorted(FOLDER.glob("*.toml"))]


def _group(data: Mapping[str, Any]) -> Group:
    return Group(data["title"], data["about"], [Rule(**rule) for rule in data["rule"]])


def extracted(document_id: str, text: str) -> tuple[LogicUnit, ...]:
    """The units of a document, in which `<90 words>` stands for so many words."""
    filled = _WORDS.sub(lambda match: " ".join(["word"] * int(match[1])), text)
    return RuleExtractor().extract(Document(document_id, filled)).units


def function(where: str) -> object:
    """What `module.function` of thread_core names."""
    module, *names = where.split(".")
    return reduce(getattr, names, importlib.import_module(".".join(file_of(module).with_suffix("").parts)))


def file_of(module: str) -> Path:
    """Where a module of the extraction is, from the project's folder on."""
    [found] = (ROOT / "thread_core").rglob(f"{module}.py")
    return found.relative_to(ROOT)


# -- the words of a reading ----------------------------------------------------------------------------------------


def _names(unit: LogicUnit) -> Iterator[str]:
    if unit.aliases:
        yield f"also called: {', '.join(unit.aliases)}"
    if unit.date:
        yield f"dated: {unit.date}"


def _lines(spans: Sequence[Span]) -> str:
    return _counted("line", " ".join(_range(span.start, span.end) for span in spans))


def _range(start: int, end: int) -> str:
    return f"{start}-{end}" if end > start else str(start)


def _counted(noun: str, numbers: str) -> str:
    return f"{noun}{'' if numbers.isdigit() else 's'} {numbers}"


def _written(target: Target, unit: LogicUnit) -> str:
    section = f"{target.document}#{target.anchor}" if target.anchor else target.document
    if target.step is None:
        return section
    return f"step {target.step}" if target.anchor == unit.place.anchor else f"step {target.step} of {section}"


# -- the page ------------------------------------------------------------------------------------------------------


def page() -> str:
    """`docs/rules.md`."""
    return "\n".join([INTRODUCTION, *_overview(groups()), *(line for group in groups() for line in _chapter(group))])


def _overview(found: Sequence[Group]) -> Iterator[str]:
    yield "| Rule | What it does | Where |\n|---|---|---|"
    for group in found:
        yield f"| **[{group.title}](#{slug(group.title)})** | | |"
        for rule in group.rule:
            yield f"| [{rule.name}](#{slug(rule.name)}) | {rule.does} | {_where(rule)} |"
    yield ""


def _where(rule: Rule) -> str:
    return "<br>".join(f"[`{where}`](../{file_of(where.split('.')[0])})" for where in rule.where)


def _chapter(group: Group) -> Iterator[str]:
    yield f"## {group.title}\n\n{group.about}"
    for rule in group.rule:
        yield f"### {rule.name}\n\n{rule.does}\n"
        yield _block(_numbered(rule.example))
        for document_id, text in rule.others.items():
            yield f"Beside it, `{document_id}`:\n\n{_block(_numbered(text))}"
        yield _block(rule.result)


def _block(text: str) -> str:
    """A fence that holds fences."""
    return f"````text\n{text}````\n"


def _numbered(text: str) -> str:
    return "".join(f"{number:>3}  {line}".rstrip() + "\n" for number, line in enumerate(text.splitlines(), start=1))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
