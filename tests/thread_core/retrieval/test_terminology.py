"""What a prerequisite names is explained where some glossary has it: in retrievals, answers and walks."""

from __future__ import annotations

import json
import time

import pytest

from tests.thread_core.guides import library_of
from thread_core import Document, LogicUnit, RuleExtractor, Span, default_embedding
from thread_core.answering.answer import answer, answer_question
from thread_core.layout import render
from thread_core.models import LogicUnitType
from thread_core.retrieval.retrieve import retrieve
from thread_core.retrieval.terminology import (
    UNITS,
    asked_about,
    explain,
    explaining,
    note,
    terms,
)
from thread_core.store.library import Library
from thread_core.testing.model import ScriptedModel
from thread_core.testing.store import MemoryStore
from thread_core.text.words import count_tokens
from thread_core.walk.session import HowToSession

LINK = """\
# Link down

**Prerequisites**

- The MTU of both ends is the same.
- You can reach the jump hosts.

## Look

1. Run `ip link`.

## Restart

1. Run `ip link set eth0 up`. The jump host stays up.

## Glossary

**MTU** (maximum transmission unit): the largest packet that a link carries. It is 1500 mostly.

Quorum: more than half of the members.
"""
TERMS = """\
# Glossary

- Jump host: the machine from which others are reached.
- MTU: another meaning of it.
- Jump: a leap.
"""
QUESTION = "The link is down, what do I do?"
MTU = "MTU (maximum transmission unit): the largest packet that a link carries"
JUMP_HOST = "Jump host: the machine from which others are reached"


def extracted(text: str, document_id: str = "link.md") -> tuple[LogicUnit, ...]:
    return RuleExtractor().extract(Document(document_id, text)).units


def library(*documents: tuple[str, str]) -> Library:
    store = MemoryStore()
    for document_id, text in documents:
        units = extracted(text, document_id)
        store.write(units, default_embedding().embed([unit.header for unit in units]))
    return Library(store, default_embedding())


BOTH = (("link.md", LINK), ("glossary.md", TERMS))


def needing(*prerequisites: str) -> LogicUnit:
    return extracted(LINK)[0].model_copy(update={"prerequisites": prerequisites})


def named(prerequisite: str, glossary: str) -> list[str]:
    """The terms of a glossary that a prerequisite names."""
    found = terms([needing(prerequisite)], extracted(f"# Glossary\n\n{glossary}\n", "glossary.md"))
    return [term.name for term in found]


@pytest.mark.parametrize(
    ("glossary", "term", "line"),
    [
        ("MTU: the largest packet.", "MTU: the largest packet", 3),
        ("**MTU**: the largest packet.", "MTU: the largest packet", 3),
        ("**MTU** the largest packet.", "MTU: the largest packet", 3),
        ("MTU - the largest packet.", "MTU: the largest packet", 3),
        ("MTU – the largest packet.", "MTU: the largest packet", 3),
        ("MTU means the largest packet.", "MTU: the largest packet", 3),
        ("- one\n- `MTU`: the largest packet. Not more.", "MTU: the largest packet", 4),
        (
            "Maximum transmission unit (MTU): the largest packet.",
            "Maximum transmission unit (MTU): the largest packet",
            3,
        ),
        (
            "| Term | Meaning |\n|---|---|\n| BGP | a protocol |\n| MTU | the largest packet |",
            "MTU: the largest packet",
            6,
        ),
        (
            "| Term | For | Meaning | See |\n|---|---|---|---|\n| MTU | a unit | The largest packet. Not more. | |",
            "MTU: a unit. The largest packet",
            5,
        ),
        ("## MTU\n\nThe largest packet. Not more.", "MTU: The largest packet", 5),
    ],
)
def test_a_definition_is_read_however_it_is_written(glossary: str, term: str, line: int) -> None:
    [found] = terms([needing("The MTU is known.")], extracted(f"# Glossary\n\n{glossary}\n", "glossary.md"))
    assert (str(found), found.citation) == (term, Span("glossary.md", line, line))


@pytest.mark.parametrize(
    ("prerequisite", "glossary", "found"),
    [
        ("The MTUs are equal.", "MTU: the largest packet.", ["MTU"]),
        ("The mtu command is there.", "MTU: the largest packet.", []),
        ("The MTUX is equal.", "MTU: the largest packet.", []),
        ("You can reach the jump hosts.", "Jump host: a machine.", ["Jump host"]),
        ("The host can jump.", "Jump host: a machine.", []),
        ("Restarting is allowed.", "Restart: an end and a beginning.", ["Restart"]),
        ("The members have a quorum.", "Quorum (Q): more than half.", ["Quorum (Q)"]),
        ("Press Q.", "Quorum (Q): more than half.", []),
        ("It is on.", "On: not off.", []),
        ("The maximum transmission unit is known.", "MTU (maximum transmission unit): the largest packet.", None),
        ("Nothing is named.", "MTU: the largest packet.\n\nQuorum: more than half.", []),
    ],
)
def test_a_term_is_named_as_it_is_written_or_in_its_inflections(
    prerequisite: str, glossary: str, found: list[str] | None
) -> None:
    assert named(prerequisite, glossary) == (["MTU (maximum transmission unit)"] if found is None else found)


def test_a_term_is_explained_once_by_the_first_that_has_it() -> None:
    found = terms([needing("The MTU of the jump host")], [*extracted(LINK), *extracted(TERMS, "glossary.md")])
    assert [str(term) for term in found] == [MTU, JUMP_HOST]
    assert note(found) == f"\n\nTerms:\n- {MTU} [link.md:18]\n- {JUMP_HOST} [glossary.md:3]"
    assert note([]) == ""


def test_a_long_meaning_is_cut() -> None:
    for meaning, shown in (("word " * 50, "word " * 40), ("x" * 400, "x" * 300 + " ")):
        [term] = terms([needing("The MTU")], extracted(f"# Glossary\n\nMTU: {meaning}\n", "glossary.md"))
        assert term.meaning == f"{shown}..."


@pytest.mark.parametrize("piece", ["a ", " ", "a:", "a (", "**a** ", "| a ", "- a\n", "a\n: b\n"])
def test_no_glossary_takes_long(piece: str) -> None:
    unit = extracted(TERMS)[0].model_copy(update={"body": f"MTU {(piece * 20_000)[:20_000]} x"})
    started = time.process_time()
    terms([needing("The MTU", piece * 100)], [unit])
    assert time.process_time() - started < 2


def test_only_units_of_terminology_explain() -> None:
    other = [unit.model_copy(update={"type": LogicUnitType.APPENDIX}) for unit in extracted(TERMS)]
    assert terms([needing("The jump host")], other) == ()


def test_other_documents_are_searched_after_what_is_at_hand() -> None:
    guides = library(*BOTH)
    units = extracted(LINK)
    supplement = guides.run(explain(units, units))
    assert [unit.document_id for unit in supplement] == ["link.md", "glossary.md"]
    assert explaining(units, supplement) == supplement
    assert [str(term) for term in terms(units, supplement)] == [MTU, JUMP_HOST]
    assert guides.within({"lu_document": "link.md"}).run(explain(units, units)) == supplement[:1]
    assert guides.run(explain([needing()])) == ()


@pytest.mark.parametrize(
    ("question", "term"), [("what's an MTU?", MTU), ("whats an mtu", MTU), ("what are jump hosts", JUMP_HOST)]
)
def test_a_question_names_a_term_however_it_is_typed(question: str, term: str) -> None:
    assert [str(found) for found in library(*BOTH).run(asked_about(question, extracted(LINK)))] == [term]


def test_what_is_brought_along_is_bounded() -> None:
    many = "".join(f"\n## Kind {number}\n\nA thing. {'It is long. ' * 12}\n" for number in "abcdefgh")
    guides = library(("kinds.md", f"# Glossary\n{many}"))
    asked = needing(*(f"There is a kind {number}." for number in "abcdefgh"))
    supplement = guides.run(explain([asked]))
    assert 1 <= len(supplement) <= UNITS


class TestARetrieval:
    def test_ends_with_what_explains_its_prerequisites(self) -> None:
        found = [one.unit for one in library(*BOTH).run(retrieve(QUESTION, entries=1))]
        assert [unit.type for unit in found[-2:]] == [LogicUnitType.TERMINOLOGY] * 2
        assert [unit.document_id for unit in found[-2:]] == ["link.md", "glossary.md"]
        assert len({unit.id for unit in found}) == len(found)

    def test_makes_room_for_it_but_keeps_the_first(self) -> None:
        guides = library(*BOTH)
        found = [one.unit for one in guides.run(retrieve(QUESTION, entries=1))]
        whole = sum(count_tokens(render(unit)) for unit in found)
        less = [one.unit for one in guides.run(retrieve(QUESTION, entries=1, budget=whole - 1))]
        assert (less[0], less[-2:]) == (found[0], found[-2:])
        assert sum(count_tokens(render(unit)) for unit in less) < whole
        assert [one.unit for one in guides.run(retrieve(QUESTION, entries=1, k=1))] == found[:1]
        assert [one.unit for one in guides.run(retrieve(QUESTION, entries=1, k=2))] == [found[0], found[-2]]


class TestAnAnswer:
    def test_tells_the_terms_below_the_steps(self) -> None:
        given = answer([*extracted(LINK), *extracted(TERMS, "glossary.md")])
        assert [step.text[:2] for step in given.steps] == ["1.", "1."]
        assert given.text.endswith(f"\n\nTerms:\n- {MTU} [link.md:18]\n- {JUMP_HOST} [glossary.md:3]")
        assert given.unit_ids == (*(step.unit_id for step in given.steps), *(term.unit_id for term in given.terms))

    @pytest.mark.parametrize("breaks", [False, True], ids=["spoken", "steps instead"])
    def test_of_a_model_is_given_them_as_sources(self, breaks: bool) -> None:
        judged = [{"number": number, "verdict": "met"} for number in (1, 2)]
        spoken = "Run `ip link` [1]. The MTU is the largest packet [3]. Others are reached from a machine [5]."
        model = ScriptedModel(
            ("", json.dumps({"prerequisites": judged, "units": ["1"]})),
            ("machine from which others are reached", "" if breaks else spoken),
        )
        units = [unit for unit in (*extracted(LINK), *extracted(TERMS, "g.md")) if unit.type != "background"]

        def find(_: str):  # type: ignore[no-untyped-def]
            return units
            yield

        given = library_of(model).run(answer_question(QUESTION, find=find))
        assert given.text.endswith(f"\n\nTerms:\n- {JUMP_HOST} [g.md:3]"), "what the guide defines itself is a source"
        assert ("[3] link.md:18\n[5] g.md:3" in given.text) is not breaks


class TestAWalk:
    def walk(self) -> HowToSession:
        return HowToSession(library(("link.md", TWICE), BOTH[1]))

    def test_explains_and_cites_below_what_must_hold(self) -> None:
        first = self.walk().start(QUESTION)
        before = "Before you start: You can reach the jump hosts."
        assert first.text.splitlines()[2:5] == [before, f"Term: {MTU}", f"Term: {JUMP_HOST}"]
        assert {Span("link.md", 20, 20), Span("glossary.md", 3, 3)} <= set(first.citations[1:])
        assert first.citations[0].document_id == "link.md"
        assert len(first.unit_ids) == 1

    def test_explains_each_term_once_and_again_where_the_step_is_shown_again(self) -> None:
        guides = library(("link.md", TWICE), BOTH[1])
        session = HowToSession(guides)
        first = session.start(QUESTION)
        session.respond("next")
        second = session.respond("next")
        assert "You must be on the jump host." in second.text
        assert "Term:" not in second.text
        session.back()
        assert session.back().text == first.text
        resumed = HowToSession(guides).resumed(session.state.model_dump_json())
        assert resumed.show().text == first.text
        resumed.respond("next")
        assert "Term:" not in resumed.respond("next").text

    def test_keeps_no_text_of_the_glossary(self) -> None:
        session = self.walk()
        session.start(QUESTION)
        assert "largest packet" not in session.state.model_dump_json()


TWICE = LINK.replace("## Restart\n", "## Restart\n\nYou must be on the jump host.\n").replace(
    "1. Run `ip link`.", f"1. Run `ip link`. {'It takes a while. ' * 40}"
)


ABBREVIATIONS = """\
# Glossary

| Abbreviation | Stands for | Meaning |
| --- | --- | --- |
| CA | certificate authority | Signs certificates. |
| MW | maintenance window | An agreed time in which a change may disturb users. |
| OD | on-duty engineer | The person who holds the phone. |
"""
