"""Which units a question leads to. Clear cases only: what is asserted holds whatever the weights are."""

from __future__ import annotations

import itertools
from functools import partial

import pytest

from tests.thread_core.guides import library_of
from thread_core import Document, LogicUnit, RuleExtractor
from thread_core.layout import render
from thread_core.models import LogicUnitType
from thread_core.plan import run
from thread_core.retrieval.prerequisites import Known
from thread_core.retrieval.retrieve import (
    QUERIES,
    find_entries,
    fit,
    retrieve,
    shared_names,
    shared_words,
)
from thread_core.store.library import Library
from thread_core.text.words import count_tokens

AGENT = """\
# Install the monitoring agent

The agent reports the load of a node.

## Download

Fetch the package with `agent fetch`.

## Install on the node

Unpack it with `agent unpack`. If the disk is full, follow [Disk full](disk.md).

## Rotate the log files

Set the size at which log files rotate with `agent rotate`.

### Keep fewer log files

Set the number of log files with `agent keep`.
"""
DISK = "# Disk full\n\n## Look\n\nList what is large.\n\n## Free\n\nRemove old packages.\n"
PRINTER = "# Printer offline\n\n## Windows\n\nStart the spooler.\n\n## macOS\n\nResume the queue.\n"
QUEUE = "# Queue stuck\n\n## Agent 2.3 and later\n\nRestart it.\n\n## Before Agent 2.3\n\nReinstall it.\n"


TEA = f"""\
# Tea machine: questions

## How do I get hot water?

Pull the red lever. {"Wait for the light. " * 30}

## How do I move the machine to another room?

1. Empty the tank. {"Let it drip. " * 40}
2. Pull the plug. {"Wind up the cord. " * 40}

### The cord is too short

Ask for a longer one.

## How do I clean the filter?

Rinse it.
"""


library = partial(library_of, None)


@pytest.fixture(scope="module")
def guides() -> Library:
    return library(agent=AGENT, disk=DISK, printer=PRINTER, queue=QUEUE)


def found(among: Library, question: str, **options: int) -> list[LogicUnit]:
    return [one.unit for one in run(retrieve(question, **options), among.answer)]  # type: ignore[arg-type]


def names(units: list[LogicUnit], document: str = "") -> list[str]:
    """The units' last headings; all, or those of one document."""
    return [unit.section[-1] if unit.section else "" for unit in units if document in unit.document_id]


def test_a_document_is_entered_at_its_first_step_and_read_in_order(guides: Library) -> None:
    units = found(guides, "How do I install the monitoring agent?", entries=1)
    assert names(units) == [
        "Download",
        "Install on the node",
        "Rotate the log files",
        "Keep fewer log files",
        "Look",
        "Free",
        "",
    ]


def test_a_question_about_a_later_section_enters_there_and_the_steps_before_come_after(guides: Library) -> None:
    units = found(guides, "rotate the log files: set the size at which log files rotate", entries=1)
    assert names(units, "agent")[:4] == [
        "Rotate the log files",
        "Keep fewer log files",
        "Download",
        "Install on the node",
    ]


def test_an_entry_in_the_midst_of_a_document_tells_what_must_hold_before_its_first_step() -> None:
    text = "# The press\n\nWarning: The belt is hot.\n\n## Start\n\n1. Turn it on.\n\n## Clean the plate\n\n1. Wipe.\n"
    entry, *others = found(library(press=text), "How do I clean the plate of the press?")
    assert (entry.section, entry.prerequisites) == (("Clean the plate",), ("Warning: The belt is hot.",))
    assert [unit.section for unit in others] == [("Start",), ()]


def test_what_the_steps_link_to_follows_them(guides: Library) -> None:
    documents = [unit.document_id for unit in found(guides, "How do I install the monitoring agent?", entries=1)]
    assert [name for name, _ in itertools.groupby(documents)] == ["agent.md", "disk.md", "agent.md"]


def test_background_comes_last(guides: Library) -> None:
    units = found(guides, "How do I install the monitoring agent?")
    kinds = [unit.type == LogicUnitType.STEP for unit in units]
    assert units[-1].body == "The agent reports the load of a node."
    assert kinds == sorted(kinds, reverse=True)


def test_an_answer_to_a_question_is_found_by_itself_and_read_to_its_end() -> None:
    answers = found(library(tea=TEA), "How do I move the tea machine to another room?")
    assert answers[0].type == LogicUnitType.FAQ
    assert [unit.body[:8] for unit in answers[:3]] == ["1. Empty", "2. Pull ", "Ask for "]
    steps = library(tea=TEA.replace("## How do I get hot water?", "## Get hot water"))
    assert found(steps, "How do I move the tea machine to another room?")[0].body.startswith("1. Empty")


def test_a_link_leads_to_all_of_an_answer() -> None:
    caller = "# Broken wire\n\nFollow [the move](tea.md#how-do-i-move-the-machine-to-another-room).\n"
    bodies = [unit.body[:8] for unit in found(library(tea=TEA, wire=caller), "The wire is broken")]
    assert bodies[:4] == ["Follow [", "1. Empty", "2. Pull ", "Ask for "]


def test_a_link_enters_the_other_document_where_it_says() -> None:
    among = library(agent="# Agent silent\n\nRestart it. If the disk is full, [free some](disk.md#free).\n", disk=DISK)
    assert names(found(among, "The agent is silent", entries=1)) == ["", "Free"]


def test_what_a_link_without_a_target_says_to_look_for_follows_the_steps() -> None:
    told = "# Agent silent\n\n## Step\n### Header\nRestart\n### Body\nRestart it.\n### Linker\n{}\n"
    entries = "- If the disk is full, then free the disk. [CROSS]\n"
    assert names(found(library(agent=told.format(entries), disk=DISK), "The agent is silent", entries=1)) == [
        "Step",
        "Free",
    ]
    idle = "".join(f"- If lamp {number} is red, then paint the wall {number}. [CROSS]\n" for number in range(QUERIES))
    units = found(library(agent=told.format(idle + entries), disk=DISK), "The agent is silent", entries=1)
    assert names(units) == ["Step"]


def test_links_that_lead_nowhere_or_back_add_nothing() -> None:
    among = library(
        alpha="# Alpha silent\n\nSee if [gone](gone.md) runs, or follow [Beta](beta.md).\n",
        beta="# Beta silent\n\nRestart beta, then follow [Alpha](alpha.md).\n",
    )
    units = found(among, "alpha is silent")
    assert [unit.document_id for unit in units] == ["alpha.md", "beta.md"]


@pytest.mark.parametrize("k", [1, 2, 5])
def test_no_more_units_come_than_allowed(k: int, guides: Library) -> None:
    question = "How do I install the monitoring agent?"
    assert found(guides, question, k=k) == found(guides, question)[:k]


@pytest.mark.parametrize("budget", [0, 1, 40, 60, 100])
def test_no_more_tokens_come_than_allowed(budget: int, guides: Library) -> None:
    question = "How do I install the monitoring agent?"
    units = found(guides, question, budget=budget)
    assert units == found(guides, question)[: len(units)]
    assert sum(count_tokens(render(unit)) for unit in units) <= budget


def test_of_a_first_unit_that_is_longer_comes_its_beginning() -> None:
    rows = "\n".join(f"   - Oil wheel {number}." for number in range(50))
    guides = library(mill=f"# Mill is loud\n\n1. Stop the mill and oil these:\n{rows}\n")
    whole = found(guides, "The mill is loud")
    [unit] = found(guides, "The mill is loud", budget=60)
    assert count_tokens(render(unit)) <= 60
    *lines, last = unit.body.split("\n")
    assert (last, lines) == ("...", whole[0].body.split("\n")[: len(lines)])
    assert (unit.id, str(unit.body_spans[-1])) == (whole[0].id, f"mill.md:3-{2 + len(lines)}")
    assert found(guides, "The mill is loud", budget=3) == []

    endless = library(mill=f"# Mill is loud\n\nOil it {'again and ' * 5000}again.\n")
    [unit] = found(endless, "The mill is loud", budget=60)
    assert count_tokens(render(unit)) <= 60
    assert unit.body.endswith("again and again ...") or unit.body.endswith("again and ...")


@pytest.mark.parametrize(
    ("question", "guide", "kept"),
    [
        ("My printer is offline, I have a Mac", "printer", ["macOS"]),
        ("My printer is offline", "printer", ["Windows", "macOS"]),
        ("The queue is stuck, agent 2.4", "queue", ["Agent 2.3 and later"]),
        ("The queue is stuck with agent 2.1", "queue", ["Before Agent 2.3"]),
    ],
)
def test_what_is_for_another_platform_or_version_does_not_come(
    question: str, guide: str, kept: list[str], guides: Library
) -> None:
    assert names(found(guides, question), guide) == kept


def test_what_is_known_besides_the_question_counts(guides: Library) -> None:
    known = Known(said=("My printer is offline",), denied=("Windows",))
    units = [one.unit for one in run(retrieve("My printer is offline", known=known), guides.answer)]
    assert names(units, "printer") == ["macOS"]


@pytest.mark.parametrize("question", ["bake a chocolate cake", "the moon is made of cheese", "qqq zzz"])
def test_where_nothing_is_related_nothing_comes(question: str, guides: Library) -> None:
    assert found(guides, question) == []
    assert not fit(run(find_entries(question), guides.answer))


@pytest.mark.parametrize(
    ("question", "is_found"),
    [
        ("my oven shows E71", True),
        ("what about e71?", True),
        ("there is E99 on the display", False),
        ("my oven cost 71 euros", False),
    ],
)
def test_a_code_in_a_header_is_related_however_little_else_is_said(question: str, is_found: bool) -> None:
    among = library(heat="# Error E71: no heat\n\n1. Turn the dial.\n")
    assert bool(found(among, question)) is is_found


def test_the_same_question_finds_the_same(guides: Library) -> None:
    question = "How do I install the monitoring agent?"
    twice = [run(retrieve(question), guides.answer) for _ in range(2)]
    again = run(retrieve(question), library(agent=AGENT, disk=DISK, printer=PRINTER, queue=QUEUE).answer)
    assert twice[0] == twice[1] == again


def test_a_score_is_of_a_document_and_what_its_links_bring_from_0_to_1(guides: Library) -> None:
    def scores(question: str) -> dict[str, float]:
        found = run(retrieve(question, entries=2), guides.answer)
        by_document = {(one.unit.document_id, one.score) for one in found}
        assert len(by_document) == len(dict(by_document))
        return dict(by_document)

    same, weak = scores("Install the monitoring agent: Install on the node"), scores("How do I get an agent?")

    assert 0.8 < same["agent.md"] <= 1
    assert 1 / 3 < weak["agent.md"] < same["agent.md"]
    assert same["disk.md"] == same["agent.md"]
    printers = scores("My printer is offline")
    assert 0 < min(printers.values()) < printers["printer.md"] < 1


@pytest.mark.parametrize("question", ["", "?", "AND (b* NEAR", "\ud800", "é 😀 中文", "disk " * 5000])
def test_any_question_can_be_asked(question: str, guides: Library) -> None:
    assert isinstance(found(guides, question), list)


# -- the parts -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "question", ["Printer offline", "KB100231: printer offline?", "What do I do with: Printer offline"]
)
def test_a_document_s_name_leads_to_its_first_step(question: str) -> None:
    printer = (
        "# Printer offline\n\nKB 100231\n\n## Resolution\n\nPull the plug.\n\n## Workaround\n\nPrint offline later.\n"
    )
    codes = "# Printer codes\n\nIf the printer is offline, see [Printer offline](printer.md).\n"
    entry = run(find_entries(question), library(printer=printer, codes=codes).answer)[0].unit
    assert (entry.document_id, entry.section) == ("printer.md", ("Resolution",))


@pytest.mark.parametrize(
    ("question", "section"),
    [
        ("forgot my password", "Open your email"),
        ("the new password", "Sign in with the new password"),
        ("i forgot my name", "I forgot my name"),
    ],
)
def test_who_says_words_of_the_title_alone_begins_at_the_first_step(question: str, section: str) -> None:
    password = (
        "# I forgot my password or my name\n\n## Open your email\n\nClick the link.\n\n"
        "## I forgot my name\n\nCall us.\n\n## Sign in with the new password\n\nSign in.\n"
    )
    entry = run(find_entries(question), library(password=password).answer)[0].unit
    assert entry.section == (section,)


@pytest.mark.parametrize(
    ("question", "spoken_for"),
    [
        ("setup ends with 0x80070005", [0.5, 0.5, 0.0, 0.0]),
        ("SERVFAIL and 0x80070005 on 4.14", [0.5, 1.0, 0.0, 0.0]),
        ("setup of the agent", [0.0] * 4),
        ("0x8007", [0.0] * 4),
        ("version v2", [0.0] * 4),
    ],
)
def test_codes_and_names_speak_for_the_few_documents_that_have_them(question: str, spoken_for: list[float]) -> None:
    texts = ["0x80070005 means no.", "0x80070005 or SERVFAIL on v2.", "Setup of the agent v2.", "Agent v2."]
    documents = {text: RuleExtractor().extract(Document(text, f"# Setup\n\n{text}\n")).units for text in texts}
    assert list(shared_names(question, documents).values()) == spoken_for


@pytest.mark.parametrize(
    ("question", "said", "share"),
    [
        ("Which policy was denied?", "All policies deny it.", 1.0),
        ("Stopping the pod", "It has stopped. Podman runs.", 0.5),
        ("Node not ready", "See KubeNodeNotReady.", 1.0),
        ("Zurück zum Gerät", "GERÄTE: ZURU\u0308CK.", 2 / 3),
        ("of the", "of the", 0.0),
    ],
)
def test_a_share_of_the_words_is_found_in_any_form(question: str, said: str, share: float) -> None:
    units = RuleExtractor().extract(Document("a.md", f"# Setup\n\nNothing.\n\n{said}\n")).units
    assert shared_words(question, units) == (pytest.approx(share), pytest.approx(share))


def test_words_that_several_units_have_are_no_one_s() -> None:
    units = RuleExtractor().extract(Document("a.md", "# Pump\n\n## Stop\n\nPress red.\n\n## Oil\n\nDrip.\n")).units
    assert shared_words("stop the oil, red lamp", units) == (3 / 4, 2 / 4)
