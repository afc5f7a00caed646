"""Extraction as in the paper: a model writes the document anew as units, and its draft is held against the document.

Stage 1 writes a draft in the paper's form, then refines it: the model compares it with the document, told what a
comparison of the words has found. What a body still invents after that keeps the draft from being used, and what is
invented besides is left out alone. Stage 2 reads the units from the draft without a model; lines from which something
is still lost are kept as they stand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Annotated

from pydantic import Field

from thread_core.documents.blocks.markdown import Markdown
from thread_core.errors import BadDocument, BadReply
from thread_core.extraction import fidelity, forgotten, inventions, rewriting
from thread_core.extraction.bound import Bound
from thread_core.extraction.fidelity import Extraction
from thread_core.extraction.inventions import Findings
from thread_core.extraction.pages import Lines, Page, in_parts, room_for
from thread_core.extraction.rewriting import Draft
from thread_core.llm.asking import Ask, Keep, LookUp, Role, ask_for, ask_until
from thread_core.llm.costs import tokens
from thread_core.llm.prompting import Prompt, prompt, quoted
from thread_core.plan import Plan
from thread_core.ports import Form, Usage

QUERIES = 3
"""Things at most that are looked up for a part of a document."""
LONGEST_ANSWER = 2000
"""Characters of what is known about each."""
ROUNDS = 2
"""How often a draft is refined at most."""
TOLD = 30
"""Findings that the model is told at once."""
NAMED = 3
"""Inventions that an error names."""

LONGEST_PART = 4_000
"""Tokens of a document that are shown at once, so that the draft is not cut off at what models write at most."""
SHARE = 1.5
"""Tokens of a draft for each token of the document, hardly more."""
BESIDES = 300
"""Tokens of a reply to the shortest document."""

WANTED = "all of it"
"""What is to be given again instead of a draft in another form."""

_Checked = tuple[Draft, Findings]
_UNCHANGED = "UNCHANGED"
_NOTHING = "(nothing)"


class Wanted(Form):
    """What a model wants to look up before it writes."""

    queries: Annotated[tuple[str, ...], Field(max_length=50)] = ()


def extract(
    page: Page,
    markdown: Markdown,
    *,
    domain: str = "",
    search: Callable[[str], str] | None = None,
    prompts: Mapping[str, Prompt] | None = None,
    bound: Bound | None = None,
) -> Plan[Extraction]:
    """A document's units as a model wrote them. A document that is too long to be shown at once is shown in parts.

    Args:
        page: The document.
        markdown: The document, parsed.
        domain: What the documents are about.
        search: Where a model may look up terms and linked documents before it writes.
        prompts: Other prompts than the package's, by their names: `reformulate`, `refine`, `look_up`.
        bound: How much a unit's body holds at most.

    Raises:
        BadDocument: the draft still says what the document does not.
        BadReply: a reply could not be used, nor the one after the complaint.
        ModelError: the model gave no reply.
        BudgetSpent: the next call was not made.
    """
    writing = _Writing(page, domain, search, prompts or {})
    parts: list[_Checked] = yield from in_parts(page, (yield from writing.room()), writing.draft)
    lost = {line: texts for _, findings in parts for line, texts in findings.lost.items()}
    kept = [f"line {line} is kept unchanged, because the draft has lost {text}" for line in lost for text in lost[line]]
    made, added = rewriting.units(page, [draft for draft, _ in parts])
    problems = [*writing.problems, *map(forgotten.added, added), *kept]
    extraction = fidelity.complete(page.document, markdown, made, "paper", page.whole(lost), added, bound)
    report = extraction.report.model_copy(update={"problems": (*extraction.report.problems, *problems)})
    return Extraction(extraction.units, report)


def estimate(
    page: Page, *, domain: str = "", looks_up: bool = False, prompts: Mapping[str, Prompt] | None = None
) -> Plan[Usage]:
    """What `extract` will cost where every reply is good and the first draft is refined once.

    Asks only how much the model reads at once.
    """
    writing = _Writing(page, domain, None, prompts or {})
    cost = Usage()
    room: int = yield from writing.room()
    for part in page.parts(room):
        for name in ("look_up", "reformulate", "refine")[not looks_up :]:
            ask = writing.ask(name, part, {})
            draft = int(SHARE * page.cost(part)) if name == "refine" else 0
            cost += Usage(calls=1, prompt_tokens=tokens(ask.messages) + draft, completion_tokens=ask.expected)
    return cost


@dataclass(slots=True)
class _Writing:
    """One document on its way to a draft."""

    page: Page
    domain: str
    search: Callable[[str], str] | None
    prompts: Mapping[str, Prompt]
    problems: list[str] = field(default_factory=list)

    def room(self) -> Plan[int]:
        """How many tokens of the document can be shown at once, with their draft, the draft mended, and a complaint."""
        besides = tokens(self.ask("refine", Lines(1, 0), {}).messages) + TOLD * 50
        besides += QUERIES * LONGEST_ANSWER // 4 if self.search else 0
        return (yield from room_for(LONGEST_PART, besides, 1 + 3 * SHARE))

    def draft(self, part: Lines) -> Plan[_Checked]:
        """The draft of a part, refined, and what is lost in it."""
        known: list[str] = yield from self._known(part)
        context = "\n\n".join((self.domain, *known))
        fields = {"knowledge": _quoted("\n\n".join(known))}

        def reading(reply: str) -> tuple[_Checked | None, list[str]]:
            draft, wrong = rewriting.read_draft(reply, self.page, part)
            return (draft, inventions.check(draft, self.page, part, context)) if draft else None, wrong

        def is_faithful(one: _Checked) -> bool:
            return not one[1].invented

        asked = self.ask("reformulate", part, fields)
        draft, found = written = yield from ask_until(asked, reading, WANTED, keep=is_faithful)
        mended: list[Keep] = []
        for _ in range(ROUNDS):
            if found.invented:
                mended.append(Keep(asked, draft.text))
            before = written

            def refined(reply: str, before: _Checked = before) -> tuple[_Checked | None, list[str]]:
                return (before, []) if reply.strip().strip("*`.") == _UNCHANGED else reading(reply)

            shown = {"draft": quoted(draft.text), "findings": _listed(found.told(draft))}
            asked = self.ask("refine", part, fields | shown)
            try:
                draft, found = written = yield from ask_until(asked, refined, WANTED, keep=is_faithful)
            except BadReply as error:
                if found.invented:
                    raise
                self.problems.append(f"a draft was not refined, because the model's reply could not be used: {error}")
                break
            if written is before or not found:
                break
        if found.invented:
            named = "; ".join(found.invented[:NAMED])
            reason = f"the model's text is not used, because it says what the document does not: {named}"
            raise BadDocument(self.page.document.id, f"{reason}; extract it again, or with reformulate=False")
        yield from mended  # with these replies too the same document costs nothing the next time
        if found.parts:
            self.problems += (f'"{draft.units[at].name}", {fault.mended}' for at, fault in found.parts)
            draft = rewriting.without(draft, found.parts, self.page)
            found = inventions.check(draft, self.page, part, context)
        return draft, found

    def _known(self, part: Lines) -> Plan[list[str]]:
        """What the search says of what the model wants to know."""
        if self.search is None:
            return []
        try:
            wanted: Wanted = yield from ask_for(self.ask("look_up", part, {}), Wanted, keep=True)
        except BadReply as error:
            self.problems.append(f"nothing was looked up, because the model's reply could not be used: {error}")
            return []
        known = []
        for query in list(dict.fromkeys(text for query in wanted.queries if (text := query.strip())))[:QUERIES]:
            try:
                found: str = yield LookUp(self.search, query)
                answer = found.strip()[:LONGEST_ANSWER]
            except Exception as error:  # whatever the user's function raises, the document can be written without it
                self.problems.append(f"the search for {query!r} failed: {error!r}")
                continue
            if answer:
                known.append(f"{query}\n{answer}")
        return known

    def ask(self, name: str, part: Lines, fields: Mapping[str, str]) -> Ask:
        """What a model is asked about a part; fields that are not given are empty."""
        filled = {
            "domain": _quoted(self.domain),
            **self.page.fields(part),
            "most": str(QUERIES),
            **dict.fromkeys(("knowledge", "draft", "findings"), _NOTHING),
            **fields,
        }
        expected = BESIDES if name == "look_up" else BESIDES + int(SHARE * self.page.cost(part))
        return Ask(Role.EXTRACTOR, tuple(self.prompts.get(name, prompt(name)).messages(filled)), expected=expected)


def _quoted(text: str) -> str:
    return quoted(text) if text.strip() else _NOTHING


def _listed(findings: Iterable[str]) -> str:
    return _quoted("\n".join(islice(findings, TOLD)))
