"""What a body tells the reader to do: its items and sentences that say so, flat, with the code that belongs to them.

Notes, what programs print and sentences that only announce steps tell nothing. Of a body that is not English, all
paragraphs, items and rows are told as they stand, for nothing says which of them are such.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from textwrap import dedent

from thread_core.extraction.drafts import is_picture
from thread_core.text import conditions, directions
from thread_core.text.bulleted import SIGNS
from thread_core.text.header import unnumbered
from thread_core.text.markdown import Block, parse, parts
from thread_core.text.scripts import COLONS
from thread_core.text.sentences import cut, is_aside, tells
from thread_core.text.shape import outdented
from thread_core.text.source import Source
from thread_core.text.tables import parted, says_nothing

DEEPEST = 20
"""Levels of lists and quotations that are read."""
ENDING = 200
"""Characters at the end of a sentence in which it announces something."""

_MARKER = re.compile(rf"\A\s*(?:[-*+{SIGNS}]|\d{{1,9}}\\?[.)])\s+(?:\[[ xX]\]\s+)?")
_QUOTED = re.compile(r"^[ \t]*>[ \t>]*", re.MULTILINE)
_STRUCK = re.compile(r"~~(?=[^\s~])[^~]++~~|<(?P<tag>s|del|strike)\b[^<>]*>[^<]*+</(?P=tag)>", re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>")
_CELLS = re.compile(r"(?<!\\)\|")
_CIRCUMSTANCE = re.compile(
    r"(?!for (?:example|instance)\b)(?:in|on|at|under|from|for|to|after|before|when|once|while|then|next|finally|lastly"
    r"|using|with|by|as|if|until|regardless|alternatively|first|second|third|also|again|otherwise)\b[^,:]*[,:]\s+"
    r"(?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)
"""What may stand before an instruction: "In the Open box, type regedit"."""
_ADVISED = re.compile(
    r"(?:you|we)\s+(?P<modal>should|must|(?:will )?need to|have to|can|may|might want to)\s+"
    r"(?!(?:also\s+)?(?:see|find|not|never|be|have|receive|get|notice)\b)",
    re.IGNORECASE,
)
_OPTIONAL = ("can", "may")
_VERB = re.compile(
    r"\W*(?:(?:please|and|then|now|next|first|finally|also|again|\w+ly),?\s+)*(?P<verb>[a-z]{2,}(?:-[a-z]+)?)"
    r"(?:\s+(?:out|off|on|up|down|in|back|away))?\s+(?:(?:the|an?|it|them|this|these|those|all|any|each|every|your|its"
    r"|their|one|another)\b|[`*\"“])",
    re.IGNORECASE,
)
"""A word with an object right behind it: "Read the display", which is an instruction unless it is one of these."""
_NO_VERBS = frozenset(
    """
    in on at by for from to of with without under over after before when while once if unless until since because as
    though although whether that than about into onto through during between among per via like despite except
    the an this these those it they we you he she there here all any each every both some most many few several no none
    one another such other what which who whose where why how not only just even whatever whichever everything anything
    something nothing everyone someone anyone
    is are was were be been do does did has have had can could may might must shall should will would
    so thus hence maybe perhaps often always never sometimes still yet but and or nor either neither else otherwise
    then now next first finally also again
    whenever against underneath below above back however therefore almost doing using being
    note notice given assume consider suppose thanks please sorry warning important caution tip example figure see half
    """.split()
)
_NO_ENDING = re.compile(r"(?:\w{3}ing|\w{2}[^e]ed|ly|[^s]s)\Z", re.IGNORECASE)
"""No verb as an instruction has it: "restarting", "failed", "usually", "pods"."""
_PRINTED = re.compile(
    r"\b(?:outputs?|examples?(?=:)|returns?|prints?|shows?|looks? like|similar to|examples? of"
    r"|logs?(?=:|\s+(?:\w+\s+)?(?:has|have|says?|reads?|contains?|it|the|this|an?|entry|entries|lines?|messages?)\b))\b",
    re.IGNORECASE,
)
"""Of what announces code that is read and not run."""
_ASKED = re.compile(
    r"\b(?:commands?|quer(?:y|ies)|(?:run|type|enter|execut)(?:ing)?)\b|\byou (?:can|could)\b(?! (?:see|find|get)\b)"
    r"|\A\W*(?:(?:and|then|now|next|finally|also)\W+)?to\s+\w+",
    re.IGNORECASE,
)
"""Of what announces code that is to be run, where it may be anything: "You can look at it with:"."""
_CODE_ALONE = re.compile(r"`[^`\s]+\s[^`]+`")
"""A command with what it is given."""
_MAY_BE_RUN = ("", "console", "text")
"""What is said to be in a code block that may be anything."""
_OUTPUT = ("output", "log")
"""What is said to be in one that is no more than read."""
_PROMPTS = ("$ ", "# ", "> ", "PS ", "C:\\")
_ANNOUNCES = re.compile(r"\b(?:follow(?:ing|s)?|these|below|steps?|as follows)\b[^.]*:$", re.IGNORECASE)
"""Of a sentence that only says that steps come."""


@dataclass(slots=True)
class Told:
    """Something that a body tells the reader to do, with its lines in the body, 1-based."""

    text: str
    when: str
    first: int
    last: int

    def add(self, text: str, last: int) -> None:
        """Put something behind it, which ends on some line."""
        self.text, self.last = f"{self.text}{text}", max(self.last, last)


@lru_cache(maxsize=1024)
def told_in(body: str, when: str = "", english: bool = True, heading: str = "") -> tuple[Told, ...]:
    """What a body tells the reader to do, in order.

    Args:
        body: Markdown; it may begin inside of a list.
        when: The condition under which all of it holds.
        english: Whether its sentences can be read.
        heading: What it stands right below. Where that says what to do and the body does not, it is told.
    """
    reading = _Reading(Source(outdented(body)))
    blocks = parse(reading.source.text).blocks
    if english:
        reading.read_below(heading, blocks, when)
    else:
        reading.take(blocks, when)
    return tuple(reading.told)


@dataclass(slots=True)
class _Reading:
    """One reading of a body."""

    source: Source
    told: list[Told] = field(default_factory=list)
    lead: Told | None = None
    """The sentence right above, whether it tells anything or not."""
    announcing: Told | None = None
    """The item in which this stands, where it announces what comes in it."""
    heading: Told | None = None
    """What it stands right below, where that says what to do and nothing has done so yet."""
    depth: int = 0

    def read_below(self, heading: str, blocks: Sequence[Block], when: str) -> None:
        """Take in what some blocks tell, or else the heading above them."""
        step = unnumbered(heading)
        self.heading = self.lead = Told(step, when, 1, 1) if _does(step) else None
        self.read(blocks, when)
        if self.heading and not self.told and (step != heading or _has_object(step)):
            self.told.append(self.heading)

    def read(self, blocks: Sequence[Block], when: str) -> None:
        """Take in what some blocks tell."""
        self.depth += 1
        for block in blocks if self.depth <= DEEPEST else ():
            match block.kind:
                case "paragraph" if not (is_picture(block) or _is_note(block)):
                    self._sentences(block, when)
                case "code":
                    self._code(block, when)
                case "list":
                    self._list(block, when)
                case "table":
                    self._table(block, when)
                case "quote" if not _is_note(block):
                    self.read(block.children, when)
                case "heading":
                    self.lead = None
                    self._heading(block, when)
        self.depth -= 1

    def take(self, blocks: Sequence[Block], when: str) -> None:
        """Take in all paragraphs, items and rows of some blocks; code belongs to what stands above it."""
        for block in parts(blocks):
            match block.kind:
                case "paragraph" if not is_picture(block):
                    said = _QUOTED.sub("", self._written(block))
                    self.told.append(Told(" ".join(said.split()), when, block.start, block.end))
                case "code" if self.told:
                    self.told[-1].add(f"\n\n{_fenced(block)}", block.end)
                case "code":
                    self.told.append(Told(_fenced(block), when, block.start, block.end))
                case "table":
                    self.told += [self._row(row, when) for row in parted(block)[1]]

    def _sentences(self, block: Block, when: str) -> None:
        said = list(cut(self._written(block)))
        does = [_does(sentence.text) for sentence in said]
        if self.announcing and _is_told(self.announcing, self.told) and not any(does):
            self.announcing.add(_listed(self.announcing, [sentence.text for sentence in said]), block.end)
            return
        if self._code_alone(block):
            return
        for sentence, tells_it in zip(said, does, strict=True):
            self.lead = Told(sentence.text, when, block.start + sentence.first, block.start + sentence.last)
            if tells_it:
                self.told.append(self.lead)

    def _code_alone(self, block: Block) -> bool:
        """Whether a paragraph is code without words, of what announces it or of the heading right above."""
        code, lead = self._written(block).strip(), self.lead
        is_told = lead is not None and _is_told(lead, self.told) and lead.text.endswith(COLONS)
        if not (lead and (is_told or lead is self.heading) and _CODE_ALONE.fullmatch(code)):
            return False
        lead.add(f"\n\n{code}", block.end)
        self.told += [] if is_told else [lead]
        return True

    def _heading(self, block: Block, when: str) -> None:
        """A heading in a body has nothing below it that says what is to be done."""
        text = unnumbered(block.flat)
        if _does(text):
            self.told.append(Told(text, when, block.start, block.end))

    def _code(self, block: Block, when: str) -> None:
        lead, self.lead = self.lead, None
        if lead and not _is_told(lead, self.told):
            if lead is not self.heading and not _is_to_be_run(block, lead.text):
                lead = self.heading if not self.told and block.language in _MAY_BE_RUN else None
            if lead is None:
                return
            self.told.append(lead)
        elif not lead and (self.told or not _is_carried_out(block)):
            return  # code that nothing announces shows something
        code = _fenced(block)
        if lead:
            lead.add(f"\n\n{code}", block.end)
            self.lead = lead
        else:
            self.told.append(Told(code, when, block.start, block.end))

    def _list(self, block: Block, when: str) -> None:
        lead, self.lead = self.lead, None
        items = [(item, list(cut(self._written(item.children[0])))) for item in block.children if item.children]
        does = sum(any(_does(one.text) for one in said) for _, said in items)
        steps = any(item.number is not None for item, _ in items) or 2 * does >= max(1, len(items))
        if not (steps or does or any(part.kind == "code" for item, _ in items for part in item.walk())):
            if lead and _is_told(lead, self.told) and lead.text.endswith(COLONS):
                for _, said in items:
                    lead.add(_listed(lead, [one.text for one in said]), block.end)
            return
        if lead and lead.text.endswith(COLONS):
            when = "; ".join(filter(None, (when, conditions.announced(lead.text))))
            if _is_told(lead, self.told) and (
                _ANNOUNCES.search(lead.text[-ENDING:]) or conditions.announced(lead.text)
            ):
                self.told.pop()
        for item, said in items:
            self._item(item, [one.text for one in said if not is_aside(one.text)], when, steps)
        last = self.told[-1] if self.told else None
        is_step = items[-1:] != [] and items[-1][0].number is not None
        self.lead = last if last and (is_step or last.text.endswith(COLONS)) else None

    def _item(self, item: Block, said: Sequence[str], when: str, step: bool) -> None:
        """An item is one instruction; what stands in it besides its first paragraph is read as anything else.

        What is no `step` for sure is one from the first sentence that tells something to the last.
        """
        first, *rest = item.children
        self.lead = None
        if first.kind != "paragraph":
            self.read(item.children, when)
            return
        does = [at for at, sentence in enumerate(said) if _does(sentence)]
        kept = said if step else said[does[0] : does[-1] + 1] if does else ()
        own = Told(" ".join(kept or said), when, first.start, first.end)
        if kept:
            self.told.append(own)
        before, outer = len(self.told), self.announcing
        self.lead = own if own.text else None
        self.announcing = own if kept and own.text.endswith(COLONS) else None
        self.read(rest, when)
        self.announcing = outer
        if kept and first.bold and len(self.told) > before and own.last == first.end:
            self.told.remove(own)  # what the steps in it are called

    def _table(self, block: Block, when: str) -> None:
        """Rows that tell something are instructions; other tables belong to the sentence that announces them."""
        lead, self.lead = self.lead, None
        found = []
        for row in parted(block)[1]:
            if any(map(_does, self._cells(row)[1:])):
                found.append(self._row(row, when))
        if not found and lead and _is_told(lead, self.told) and lead.text.endswith(COLONS):
            lead.add(f"\n\n{dedent(self.source.slice(block.start, block.end))}", block.end)
        self.told += found

    def _row(self, row: Block, when: str) -> Told:
        return Told(": ".join(self._cells(row)), when, row.start, row.end)

    def _cells(self, row: Block) -> list[str]:
        written = self.source.slice(row.start, row.end).strip().strip("|")
        return [cell for cell in map(str.strip, _CELLS.split(written)) if not says_nothing(cell)]

    def _written(self, block: Block) -> str:
        """A paragraph as it stands in the body, without what makes it an item, and without what is struck out."""
        if block.kind != "paragraph":
            return ""
        written = _MARKER.sub("", self.source.slice(block.start, block.end))
        return _BREAK.sub(" ", _STRUCK.sub(lambda struck: "\n" * struck[0].count("\n"), written))


def _fenced(code: Block) -> str:
    fence = "~~~" if "```" in code.text else "```"
    return f"{fence}{code.language}\n{code.text}\n{fence}"


def _listed(lead: Told, sentences: Sequence[str]) -> str:
    """Something that a sentence announces, as it stands behind it."""
    return f"{' ' if lead.text.endswith(':') else '; '}{' '.join(sentences).rstrip('.;,')}"


def _is_carried_out(code: Block) -> bool:
    """Whether code is for the reader to run or to write, and not what a program printed."""
    return code.language not in (*_MAY_BE_RUN, *_OUTPUT) or code.text.startswith(_PROMPTS)


def _is_to_be_run(code: Block, announced: str) -> bool:
    """Whether code is for the reader to run below words that tell nothing."""
    is_asked = announced.endswith(COLONS) and _ASKED.search(announced) is not None
    is_meant = _is_carried_out(code) or (code.language in _MAY_BE_RUN and is_asked)
    return is_meant and _PRINTED.search(announced) is None


def _is_told(told: Told, those: Sequence[Told]) -> bool:
    return bool(those) and those[-1] is told


def _is_note(block: Block) -> bool:
    said = block.words.lstrip()
    return said.startswith("[!") or is_aside(said)


@lru_cache(maxsize=1024)
def _does(sentence: str) -> bool:
    """Whether a sentence tells the reader to do something; that something can be done tells it only for a case."""
    if is_aside(sentence) or directions.refers(sentence):
        return False
    advised = _ADVISED.match(sentence)
    if _commands(sentence) or directions.directs(sentence) or (advised and advised["modal"].lower() not in _OPTIONAL):
        return True
    clause = conditions.clause(sentence)
    cases = [clause.consequence] if clause else []
    while after := _CIRCUMSTANCE.match(sentence):
        cases.append(sentence := after["rest"])
    return any(_commands(case) or _ADVISED.match(case) is not None for case in cases)


def _commands(sentence: str) -> bool:
    """Whether it begins with a verb as an instruction has it, a usual one or one with its object."""
    return tells(sentence) or _has_object(sentence)


def _has_object(sentence: str) -> bool:
    """Whether it begins with a verb as an instruction has it and what is to be done to what."""
    found = None if sentence.endswith("?") else _VERB.match(sentence)
    return found is not None and not (found["verb"].lower() in _NO_VERBS or _NO_ENDING.search(found["verb"]))
