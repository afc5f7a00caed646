"""What a draft has lost of its document, and what it says that the lines it names do not say.

Nothing is believed, for whatever stands in a body is shown to people and to models. Facts, code and most words have to
stand in the unit's own lines; what a reader does not see, such as a comment, has to stand there as it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Set
from dataclasses import dataclass

from thread_core.extraction.pages import Lines, Page
from thread_core.extraction.paper_form import is_part
from thread_core.extraction.rewriting import MARK, Draft, Written, definitions, is_goal, is_unit, parsed, runs
from thread_core.models import Target
from thread_core.text import difference
from thread_core.text.difference import Finding
from thread_core.text.facts import Kind
from thread_core.text.statements import Reading
from thread_core.text.templates import template_of
from thread_core.text.words import content_words

SHOWN = 200
"""Characters of what was lost or invented that are shown."""

_UNLESS = re.compile(r"\b(?:unless|otherwise|else|except|until|without)\b", re.IGNORECASE)
"""After one of these, the opposite of what a text says is said."""
_DENIAL = re.compile(rf"{_UNLESS.pattern}|\b(?:not|no|none|nothing|never)\b|n['’]t\b", re.IGNORECASE)
"""After one of these, a condition may be the opposite of the one before it: "if it has not, ..."."""
_EXPECTED = "and its code has neither, or its lines do not say the value"
_SPECIAL = re.compile(r"[\\`*_<>\[\]&~|#]")
_UNSEEN = re.compile(
    r"<!--.*?(?:-->|\Z)|</?[A-Za-z!?][^<>]*(?:>|\Z)|!\[[^\]]*\]\([^()]*\)|\]\([^()\s]+\s[^()]*\)|^[ >]*\[[^\]]+\]:.*$",
    re.DOTALL | re.MULTILINE,
)
"""Comments, tags, pictures, titles of links and where links lead that are named elsewhere."""
_CODE = (Kind.CODE, Kind.COMMAND, Kind.INLINE)
_FORM = content_words(
    "continue follow go next proceed return issue problem resolved solved done finished not no none other anything else"
    " otherwise case"
)
"""Words with which any outcome and what comes next may be said."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What a draft has lost, what it says that its source does not, and which lines it passes over."""

    lost: dict[int, list[str]]
    """By line of the document."""
    invented: tuple[str, ...]
    missed: tuple[int, ...]
    """Lines that no unit names."""

    def __bool__(self) -> bool:
        """Whether there is anything to mend."""
        return bool(self.lost or self.invented or self.missed)

    def told(self) -> Iterator[str]:
        """One sentence for each."""
        yield from self.invented
        for line, texts in self.lost.items():
            yield from (f"line {line}: the draft has lost the {text}" for text in texts)
        yield from (f"no unit is written from lines {lines}" for lines in runs(self.missed))


def check(draft: Draft, page: Page, part: Lines, context: str) -> Findings:
    """Hold a draft against the lines from which it was written.

    Bodies and conditions have to stand in the unit's own lines, headers, prerequisites and what comes next anywhere in
    the document; all of them may say what the context says. All that the document says has to stand in some unit.
    """
    named = {line for written in draft.units for line in written.numbers}
    shown = range(part.start, part.end + 1)
    shared = _shared(page)
    source = Reading(_masked(page, shared | set(shown)))
    lost: dict[int, list[str]] = {}
    for finding in difference.lost(source, Reading(_said(draft, page))):
        if finding.line in named and finding.line not in shared:
            lost.setdefault(finding.line, []).append(f"{finding.kind} {_clip(finding.text)}")
    allowed = f"\n\n{page.plan.title}\n\n{context}"
    everything = page.source.text + allowed
    anywhere = Reading(everything)
    invented: list[str] = []
    for written in draft.units:
        own = whole(page, written.numbers)
        around = _masked(page, own | shared) + allowed
        faults = [*_beyond_its_lines(written, _masked(page, own), around, definitions(page))]
        faults += _beyond(written, page, around, everything, anywhere)
        invented += (f'"{written.name}" {fault}' for fault in dict.fromkeys(faults))
    missed = tuple(line for line in page.required_in(part) if line not in named)
    return Findings(lost, tuple(invented), missed)


def _beyond_its_lines(written: Written, own: str, around: str, links: str) -> Iterator[str]:
    """What a unit's body and conditions say and its lines do not, nor what goes with them."""
    conditions = [link.condition for link in written.links if link.condition]
    stated = "\n\n".join(f"If {_escaped(condition)}, then continue." for condition in conditions)
    source = Reading(around)
    found = [one for one in _invented(source, f"{written.unit.body}\n\n{links}") if not _is_opposite(one, _UNLESS, own)]
    found += [one for one in _exact(source, stated) if not _is_opposite(one, _DENIAL, own)]
    for finding in found:
        yield f"says the {finding.kind} {_clip(finding.text)}, and its lines do not"
    for text in conditions:
        if _is_strange(text, around):
            yield f"says {_clip(text)}, and its lines do not"
    for text in _hidden(written.unit.body, around):
        yield f"holds {_clip(text)}, and its lines do not"
    filled = {slot.name for slot in template_of(written.unit).slots}
    for name, default in written.unit.parameters.items():
        if name not in filled or default not in around:
            yield f"has the default parameter {_clip(f'{name}: {default}')}, {_EXPECTED}"


def _beyond(written: Written, page: Page, around: str, document: str, source: Reading) -> Iterator[str]:
    """What a unit says besides and the document does not.

    What it is for and what must hold are said in words of one's own: a number may stand in another sentence there.
    """
    named = [written.intent, *written.unit.prerequisites]
    upcoming = [link.query for link in written.links]
    found = [one for one in _exact(source, written.beside) if one.kind in _CODE]
    found += _stated(source, upcoming)
    found += [one for one in _stated(source, named) if one.text not in around]
    for finding in found:
        yield f"says the {finding.kind} {_clip(finding.text)}, and the document does not"
    for text in (*named, *upcoming):
        if _is_strange(text, document):
            yield f"says {_clip(text)}, and the document does not"
    for target in (link.target for link in written.links if link.target and link.target.step is None):
        href = f"{target.document}#{target.anchor}" if target.anchor else target.document
        if not _leads_somewhere(target, page) and href not in document:
            yield f"links to {_clip(href)}, and the document does not"


def _hidden(body: str, own: str) -> Iterator[str]:
    """What no reader of a body sees, and does not stand in the source as it is."""
    known = " ".join(own.split())
    seen = (" ".join(match[0].split()) for match in _UNSEEN.finditer(body))
    return (text for text in seen if text not in known)


def _invented(source: Reading, said: str) -> list[Finding]:
    return difference.invented(source, Reading(said)) if said.strip() else []


def _exact(source: Reading, said: str) -> Iterator[Finding]:
    """What is invented in words that are put together from all over the source."""
    return (finding for finding in _invented(source, said) if finding.kind is not Kind.SENTENCE)


def _stated(source: Reading, texts: Iterable[str]) -> list[Finding]:
    """Those that are neither a condition nor a denial: what comes after an outcome is often said by its opposite."""
    found = _exact(source, "\n\n".join(map(_escaped, texts)))
    return [finding for finding in found if finding.kind not in (Kind.NEGATION, Kind.CONDITION)]


def _escaped(text: str) -> str:
    """Words as Markdown that means no more than them."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def _is_opposite(finding: Finding, opposite: re.Pattern[str], source: str) -> bool:
    """Whether a denial may be the source's: "unless it is full" says what to do if it is not full."""
    return finding.kind is Kind.NEGATION and opposite.search(source) is not None


def _is_strange(text: str, source: str) -> bool:
    """Whether most of a text's words stand nowhere in the source."""
    words = content_words(text) - _FORM
    return bool(words) and 2 * len(words & content_words(source)) <= len(words)


def _said(draft: Draft, page: Page) -> str:
    """What a draft says, without the headings of its units and their parameters."""
    markdown = parsed(draft.text, page)
    silent: set[int] = set()
    part = ""
    for block in markdown.blocks:
        match = is_part(block)
        part = match[1].lower() if match else "" if is_unit(block) else part
        if match or not part or part.startswith("default"):
            silent.update(range(block.start, block.end + 1))
    lines = enumerate(markdown.source.lines, start=1)
    return "\n".join("" if number in silent else MARK.sub("", line) for number, line in lines)


def _shared(page: Page) -> Set[int]:
    """Lines that go with whatever stands in the document: headings, and where links lead that are only named in it."""
    definitions = page.said.difference(page.required)
    headings = (section.heading for section in page.sections if section.heading)
    return definitions.union(*(range(start, end + 1) for start, end in headings))


def _masked(page: Page, lines: Collection[int]) -> str:
    """The document with nothing but some of its lines, each where it stands."""
    return "\n".join(line if number in lines else "" for number, line in enumerate(page.source.lines, start=1))


def whole(page: Page, lines: Collection[int]) -> set[int]:
    """Lines, and those of the paragraphs, rows and code blocks that they cut: a sentence may begin above."""
    found = set(lines)
    for block in page.blocks:
        inside = range(block.start, block.end + 1)
        if not block.children and not found.isdisjoint(inside):
            found.update(inside)
    return found


def _leads_somewhere(target: Target, page: Page) -> bool:
    """Whether the document has such a link, or such a section."""
    inside = not target.document and any(section.anchor == target.anchor for section in page.sections)
    return inside or any(is_goal(link.href, target) for link in page.hyperlinks(Lines(1, len(page))))


def _clip(text: str) -> str:
    flat = " ".join(text.split())
    return f'"{flat[:SHOWN]}"' + ("..." if len(flat) > SHOWN else "")
