"""A document -> facts by a model, each held against the line that it names."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from thread_core.documents.blocks.source import Source
from thread_core.llm.asking import Ask, Role, ask_for
from thread_core.llm.prompting import numbered, prompt, quoted
from thread_core.models import Document
from thread_core.plan import Plan
from thread_core.ports import Form
from thread_core.text.words import count_tokens
from thread_eval.shown import normalised
from thread_eval.systems.relations.facts import Fact, Titles


class _Stated(Form):
    line: int = Field(ge=1)
    entity: str = Field(min_length=1)
    relation: str = Field(min_length=1)
    value: str = Field(min_length=1)


class _Facts(Form):
    facts: tuple[_Stated, ...]


def asked_facts(document: Document, titles: Titles) -> Plan[list[Fact]]:
    """What a document states, as a model says it; a value that is another document's title leads there.

    Raises:
        BadReply: the reply cannot be used, nor the one after the complaint.
        ModelError: there is none.
        BudgetSpent: the model was not asked.
    """
    lines = Source(document.text).lines
    known = normalised(f"{document.title} {document.text}")

    def faults(reply: _Facts) -> Iterator[str]:
        for number, fact in enumerate(reply.facts, start=1):
            if fact.line > len(lines):
                yield f"fact {number} is of line {fact.line}, and there are {len(lines)} lines"
            elif normalised(fact.value) not in normalised(lines[fact.line - 1]):
                yield f"fact {number} has the value {fact.value!r}, which does not stand in line {fact.line}"
            elif normalised(fact.entity) not in known:
                yield f"fact {number} is about {fact.entity!r}, which does not stand in the document"

    fields = {"title": quoted(document.title or document.id), "lines": numbered(lines)}
    messages = prompt("relations", "thread_eval").messages(fields)
    ask = Ask(Role.EXTRACTOR, messages, expected=count_tokens(document.text))
    reply: _Facts = yield from ask_for(ask, _Facts, lambda reply: list(faults(reply)), keep=True)
    return sorted(_fact(one, document, titles) for one in reply.facts)


def _fact(one: _Stated, document: Document, titles: Titles) -> Fact:
    entity, relation, value = (" ".join(said.split()) for said in (one.entity, one.relation, one.value))
    goal = next((other for other, _ in titles.named_in(value) if other != document.title), "")
    return Fact(one.line, one.line, entity, relation, value, goal)
