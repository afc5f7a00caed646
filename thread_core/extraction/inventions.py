"""What a draft has lost of its document, and what it says that the lines it names do not say.

Nothing is believed, for whatever stands in a body is shown to people and to models. Facts, code and most words have to
stand in the unit's own lines; what a reader does not see, such as a comment, has to stand there as it is. What units
say besides is for `claims` to judge.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from thread_core.documents.templates import template_of
from thread_core.extraction import difference
from thread_core.extraction.claims import CODES, UNLESS, Basis, Fault, Part, faults, unsaid
from thread_core.extraction.difference import Finding, clip
from thread_core.extraction.pages import Lines, Page, runs
from thread_core.extraction.rewriting import (
    Draft,
    Written,
    claims_of,
    definitions,
    forgotten_in,
    goal_of,
)
from thread_core.extraction.statements import Reading, bare, denied
from thread_core.text.facts import Kind

_EXPECTED = "and its code has neither, or its lines do not say the value"
_MARKS = re.compile(r"[*_`]")
_UNSEEN = re.compile(
    r"<!--.*?(?:-->|\Z)|</?[A-Za-z!?][^<>]*(?:>|\Z)|!\[[^\]]*\]\([^()]*\)|\]\([^()\s]+\s[^()]*\)|^[ >]*\[[^\]]+\]:.*$",
    re.DOTALL | re.MULTILINE,
)
"""Comments, tags, pictures, titles of links and where links lead that are named elsewhere."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What a draft has lost, what it says that its source does not, and which lines it passes over."""

    lost: dict[int, list[str]]
    """By line of the document."""
    invented: tuple[str, ...]
    """In bodies: the draft cannot be used so."""
    parts: tuple[tuple[int, Fault], ...]
    """In other parts of units, given by their place in the draft: it can be used without them."""
    forgotten: tuple[Lines, ...]
    """Lines that say where to go on, and no Linker does."""
    missed: tuple[Lines, ...]
    """Lines that no unit names."""

    def __bool__(self) -> bool:
        """Whether there is anything to mend."""
        return bool(self.lost or self.invented or self.parts or self.forgotten or self.missed)

    def told(self, draft: Draft) -> Iterator[str]:
        """One sentence for each."""
        yield from self.invented
        yield from (f'"{draft.units[at].name}", {fault.told}' for at, fault in self.parts)
        for line, texts in self.lost.items():
            yield from (f"line {line}: the draft has lost {text}" for text in texts)
        yield from (
            f"{lines.named}: no Linker has an entry for what is said about where to go on" for lines in self.forgotten
        )
        yield from (f"no unit is written from lines {lines}" for lines in self.missed)


def check(draft: Draft, page: Page, part: Lines, context: str) -> Findings:
    """Hold a draft against the lines from which it was written.

    Bodies have to stand in the unit's own lines, or say what the context says. All that the document says has to stand
    in some unit.
    """
    named = {line for written in draft.units for line in written.numbers}
    shown = range(part.start, part.end + 1)
    source = Reading(page.masked(page.shared | set(shown)))
    lost: dict[int, list[str]] = {}
    invented: list[str] = []
    told = _said(draft, page)
    said = Reading(told)
    written_out = _even(told)
    for finding in difference.lost(source, said):
        if finding.line in named and finding.line not in page.shared and _even(finding.text) not in written_out:
            lost.setdefault(finding.line, []).append(str(finding))
            if finding.kind is Kind.NEGATION and _is_affirmed(finding.text, said):
                invented.append(f"the draft says the opposite of {clip(finding.text)} in line {finding.line}")
    basis = Basis(page, context)
    parts: list[tuple[int, Fault]] = []
    for at, written in enumerate(draft.units):
        beyond = dict.fromkeys(_beyond_its_lines(written, basis))
        invented += (f'"{written.name}" {text}' for text in beyond)
        found = [*faults(claims_of(written, page), basis), *_beyond(written, basis)]
        parts += ((at, fault) for fault in dict.fromkeys(found))
    missed = tuple(runs(page.required_in(part), named))
    left = forgotten_in(draft.units, page)
    unnamed = dict.fromkeys(Lines.of(link.evidence) for _, link in left if link.evidence)
    return Findings(lost, tuple(invented), tuple(parts), tuple(unnamed), missed)


def _is_affirmed(denial: str, draft: Reading) -> bool:
    """Whether a sentence of a draft says all that another one denies, of which it has lost the denial."""
    return any(sentence.words.issuperset(scope) for scope in denied(denial) for sentence in draft.sentences)


def _beyond_its_lines(written: Written, basis: Basis) -> Iterator[str]:
    """What a unit's body says and its lines do not, nor what goes with them."""
    page = basis.page
    own = page.words_of(page.whole(written.numbers))
    around = basis.around(written.numbers)
    found = difference.invented(Reading(around), Reading(f"{written.unit.body}\n\n{definitions(page)}"))
    verbatim = _even(around)  # whatever the same words are as Markdown, in a list item or out of it
    for finding in found:
        is_said = _even(finding.text) in verbatim or (finding.kind is Kind.NEGATION and UNLESS.search(own))
        if not is_said:
            yield f"says {finding}, and its lines do not"
    for text in _hidden(written.unit.body, around):
        yield f"holds {clip(text)}, and its lines do not"


def _beyond(written: Written, basis: Basis) -> Iterator[Fault]:
    """What other parts of a unit say and the document does not, besides what they claim: code, defaults, addresses."""
    for finding in difference.unfounded(basis.reading, written.beside):
        if finding.kind in CODES and (part := _part_of(finding, written)):
            yield Fault(*part, unsaid(str(finding)))
    around = basis.around(written.numbers)
    filled = {slot.name for slot in template_of(written.unit).slots}
    for at, (name, default) in enumerate(written.unit.parameters.items()):
        if name not in filled or default not in around:
            yield Fault(Part.PARAMETER, at, f"is {clip(f'{name}: {default}')}, {_EXPECTED}")
    for at, target in enumerate(link.target for link in written.links):
        if target and target.step is None and goal_of(target) not in basis.page.destinations:
            href = f"{target.document}#{target.anchor}" if target.anchor else target.document
            if href not in basis.text:
                yield Fault(Part.LINK, at, f"links to {clip(href)}, and the document does not")


def _part_of(finding: Finding, written: Written) -> tuple[Part, int] | None:
    """The part of a unit that says something, as its words alone."""
    sought = " ".join(bare(finding.text))
    named = ((part, at, text) for part, texts in written.said.items() for at, text in enumerate(texts))
    return next(((part, at) for part, at, text in named if sought in " ".join(bare(text))), None)


def _even(text: str) -> str:
    """A text without its marks and its layout."""
    return " ".join(_MARKS.sub("", text).split())


def _hidden(body: str, own: str) -> Iterator[str]:
    """What no reader of a body sees, and does not stand in the source as it is."""
    known = " ".join(own.split())
    seen = (" ".join(match[0].split()) for match in _UNSEEN.finditer(body))
    return (text for text in seen if text not in known)


def _said(draft: Draft, page: Page) -> str:
    """What the units of a draft say, their parameters left out."""
    texts = [definitions(page)]
    for written in draft.units:
        before, behind = written.said[Part.PREREQUISITE], written.said[Part.LINK]
        hrefs = [page.destinations.get(goal_of(link.target), "") for link in written.links]
        linked = [f"- {text} {href}" for text, href in zip(behind, hrefs, strict=True)]
        texts += [*(f"- {text}" for text in before), f"## {written.intent}", written.unit.body, *linked]
    return "\n\n".join(texts)
