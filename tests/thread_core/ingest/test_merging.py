"""Chains of steps become one unit; the same step in several documents is found."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pytest

from tests.thread_core.guides import library_of
from thread_core import Document, Extraction, LinkAction, LogicUnit, RuleExtractor, Target, default_embedding
from thread_core.documents.blocks.source import Source
from thread_core.ingest.merging import LEAST, TWINS, Twinned, find_twins, merge_chains
from thread_core.layout import is_next, leads_inside, render
from thread_core.models import Link, Place, Span, Twin
from thread_core.places import line_of_step, place_in
from thread_core.plan import Plan, run
from thread_core.store.library import Library
from thread_core.text.words import count_tokens

LONG = "Watch the number that stands at the top of the page while you do so, and write it down for later. " * 4
PRESS = Document(
    "press.md",
    f"""# Start the press

## Heat it

1. Turn the main switch to the right. {LONG}

2. Wait until the green lamp is lit. {LONG}

3. Close the cover. {LONG}

4. Look at the gauge. If the gauge is red, follow [the cooling guide](cool.md). {LONG}

5. Press the pedal. {LONG}

## Clean it

1. Wipe the table. {LONG}

2. Oil the rails. {LONG}
""",
)


def extract(document: Document) -> Extraction:
    return RuleExtractor().extract(document)


def merged(document: Document, limit: int = 2000) -> Extraction:
    return merge_chains(extract(document), document, limit)


def steps_of(extraction: Extraction) -> list[tuple[int, ...]]:
    return [unit.steps for unit in extraction.units]


def test_steps_that_only_lead_on_become_one_up_to_the_first_with_another_way() -> None:
    assert steps_of(extract(PRESS)) == [(1,), (2,), (3,), (4,), (5,), (1,), (2,)]
    assert steps_of(merged(PRESS)) == [(1, 2, 3, 4), (5,), (1, 2)]


def test_a_merged_body_is_cut_from_the_source() -> None:
    first = merged(PRESS).units[0]
    (span,) = first.body_spans
    assert first.body == Source(PRESS.text).slice(span.start, span.end)
    assert (span.start, span.end) == (5, 11)
    assert first.spans == (Span("press.md", 1, 1), Span("press.md", 3, 3), Span("press.md", 5, 11))


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_white_space_between_two_steps_stays_as_it_is(ending: str) -> None:
    text = ending.join(PRESS.text.replace("\n\n2. Wait", "\n \t\n2. Wait").split("\n"))
    document = Document("press.md", text)
    first = merged(document).units[0]
    assert first.body == Source(text).slice(5, 11)
    assert f"{ending} \t{ending}2. Wait" in first.body


def test_every_line_stays_in_some_unit() -> None:
    def lines(extraction: Extraction) -> set[int]:
        return {line for unit in extraction.units for span in unit.spans for line in range(span.start, span.end + 1)}

    assert lines(extract(PRESS)) <= lines(merged(PRESS))


def test_the_merged_unit_has_the_header_of_the_first_and_the_links_of_the_last() -> None:
    before, after = extract(PRESS).units, merged(PRESS).units
    assert after[0].header == before[0].header
    assert [link.condition for link in after[0].links] == ["the gauge is red", ""]
    assert [link.query for link in after[0].links] == [link.query for link in before[3].links]


def test_places_are_counted_anew_and_links_follow_them() -> None:
    units = merged(PRESS).units
    assert [unit.place for unit in units] == [Place("heat-it", 1), Place("heat-it", 2), Place("clean-it", 1)]
    onward = [link.target for unit in units for link in unit.links if is_next(link)]
    assert onward == [Target(place=Place("heat-it", 2)), Target(place=Place("clean-it", 1))]


def test_the_limit_is_what_a_reader_sees_in_tokens() -> None:
    longest = count_tokens(render(merged(PRESS).units[2]))
    assert [unit.steps for unit in merged(PRESS, longest).units] == [(1,), (2,), (3,), (4,), (5,), (1, 2)]
    assert merge_chains(extract(PRESS), PRESS, longest - 1) == extract(PRESS)


def test_a_limit_of_nothing_leaves_the_extraction_as_it_is() -> None:
    extraction = extract(PRESS)
    assert merge_chains(extraction, PRESS, 0) is extraction
    assert merge_chains(extraction, PRESS, 1) is extraction
    with pytest.raises(ValueError, match="found limit=-1"):
        merge_chains(extraction, PRESS, -1)


def test_the_report_says_what_was_merged() -> None:
    before, after = extract(PRESS), merged(PRESS)
    first, second = after.report.merges
    assert first.into == after.units[0].id
    assert first.units == tuple(unit.id for unit in before.units[:4])
    assert first.tokens_before > first.tokens_after == count_tokens(render(after.units[0]))
    assert second.spans == after.units[2].spans
    assert str(second).startswith("press.md:15, press.md:17-19: 2 units, ")
    assert str(second).endswith("tokens: each only leads to the next")


@pytest.mark.parametrize(
    ("anchor", "step", "line"),
    [("heat-it", None, 5), ("heat-it", 3, 9), ("heat-it", 5, 13), ("clean-it", 2, 19), ("", 4, 11)],
)
def test_links_of_other_documents_find_a_swallowed_step(anchor: str, step: int | None, line: int) -> None:
    target = Target(document="press.md", anchor=anchor, step=step)
    for units in (extract(PRESS).units, merged(PRESS).units):
        found = place_in(target, units)
        assert found is not None
        begun = line_of_step(found, step)
        assert found.lines_of(begun, begun).start == line


def test_a_step_that_is_jumped_to_begins_a_unit() -> None:
    text = PRESS.text.replace("Wipe the table.", "Wipe the table. If the lamp goes out, go to step 3 of Heat it.")
    jumping = Document("press.md", PRESS.text.replace("Press the pedal.", "If nothing moves, go to step 3."))
    assert steps_of(merged(jumping)) == [(1, 2), (3, 4), (5,), (1, 2)]
    assert steps_of(merged(Document("press.md", text)))[-1] != (1, 2)


def test_the_numbers_of_a_list_within_a_step_are_not_the_steps() -> None:
    listing = "Turn the main switch:\n\n   1. Loosen it.\n   2. Turn it.\n\n   "
    nested = Document("press.md", PRESS.text.replace("Turn the main switch to the right. ", listing))
    first = merged(nested).units[0]
    assert first.steps == (1, 2, 3, 4)
    assert first.body.splitlines()[line_of_step(first, 2) - 1].startswith("2.")


def test_a_link_into_the_unit_itself_goes_along() -> None:
    text = PRESS.text.replace("Close the cover.", "Close the cover. If it sticks, lift it.")
    units = merged(Document("press.md", text)).units
    (lift,) = [link for link in units[0].links if link.condition.startswith("it sticks")]
    assert leads_inside(units[0], lift)
    assert lift.evidence == Span("press.md", 9, 9)
    assert [unit.steps for unit in units] == [(1, 2, 3), (4,), (5,), (1, 2)]


def test_what_holds_for_one_of_two_steps_alone_keeps_them_apart() -> None:
    extraction = extract(PRESS)
    first, second, *rest = extraction.units

    def joins(**fields: object) -> bool:
        units = [first, second.model_copy(update=fields), *rest]
        return len(merge_chains(Extraction(units, extraction.report), PRESS, 2000).units[0].steps) > 1

    def joins_first(**fields: object) -> bool:
        units = [first.model_copy(update=fields), second, *rest]
        return len(merge_chains(Extraction(units, extraction.report), PRESS, 2000).units[0].steps) > 1

    assert joins(parameters={"host": "a"})
    assert joins_first(prerequisites=("You have gloves.",))
    assert not joins_first(prerequisites=("Windows 11",))
    assert not joins(prerequisites=("You have gloves.",))
    assert not joins(type="warning")
    assert not joins(steps=(1,))
    assert not joins(body="said in other words")


def test_parameters_are_joined_unless_their_defaults_differ() -> None:
    extraction = extract(PRESS)
    first, second, *rest = extraction.units

    def parameters(default: str) -> list[dict[str, str]]:
        units = [
            first.model_copy(update={"parameters": {"host": "a"}}),
            second.model_copy(update={"parameters": {"host": default, "port": "80"}}),
            *rest,
        ]
        return [dict(unit.parameters) for unit in merge_chains(Extraction(units, extraction.report), PRESS, 2000).units]

    assert parameters("a")[0] == {"host": "a", "port": "80"}
    assert parameters("b")[:2] == [{"host": "a"}, {"host": "b", "port": "80"}]


# -- the same step in several documents ------------------------------------------------------------------------------

SIGN_IN = """\
## Sign in

Open the console of the depot in a browser and sign in with your badge and the pin that the foreman gave you. The page
with the waiting parcels comes up after a short while; leave it open while you work.
"""
RETURN = f"# Take a parcel back\n\n{SIGN_IN}\n## Book it\n\nBook the parcel as returned and print its label.\n"
SEND = f"# Send a parcel\n\n{SIGN_IN}\n## Weigh it\n\nPut the parcel on the scale and type in its weight.\n"


library = partial(library_of, None)


def twins_in(**texts: str) -> list[list[str]]:
    """The documents of each group that is found."""
    found: Twinned = library(**texts).run(find_twins([f"{name}.md" for name in texts]))
    return [sorted({span.document_id for span in merge.spans}) for merge in found.merges]


def test_a_section_that_two_documents_share_is_found() -> None:
    shared = library(back=RETURN, send=SEND)
    found = shared.run(find_twins(["back.md", "send.md"]))
    one, other = found.units
    assert one.section == other.section == ("Sign in",)
    assert one.twins == (Twin("send.md", other.id),)
    assert other.twins == (Twin("back.md", one.id),)
    (merge,) = found.merges
    assert (merge.into, merge.units, merge.why) == (one.id, (one.id, other.id), TWINS)
    assert merge.spans == (*one.spans, *other.spans)
    assert merge.tokens_before > merge.tokens_after >= count_tokens(render(one))


def test_what_is_recorded_is_found_again_and_not_written_again() -> None:
    shared = library(back=RETURN, send=SEND)
    shared.store.write(moved=shared.run(find_twins(["send.md"])).units)

    def never(one: LogicUnit, other: LogicUnit) -> Plan[bool]:
        raise AssertionError(f"asked again about {one.header}")
        yield

    assert shared.run(find_twins(["back.md", "send.md"], never)) == Twinned(units=(), merges=())


def test_a_third_document_joins_the_two() -> None:
    shared = library(back=RETURN, send=SEND)
    shared.store.write(moved=shared.run(find_twins(["back.md", "send.md"])).units)
    units = extract(Document("find.md", f"# Find a parcel\n\n{SIGN_IN}")).units
    shared.store.write(units, default_embedding().embed([unit.header for unit in units]))
    found = shared.run(find_twins(["find.md"]))
    assert [sorted(twin.document_id for twin in unit.twins) for unit in found.units] == [
        ["find.md", "send.md"],
        ["back.md", "send.md"],
        ["back.md", "find.md"],
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("the pin that", "that pin which"),
        ("a short while", "10 minutes"),
        ("leave it open", "do not leave it open"),
        ("a browser", "`browser`"),
        ("the foreman", "the FOREMAN"),
        ("in a browser", "in a terminal"),
        ("while you work.", "while you work.\n\n```sh\ndepot open\n```"),
        ("# Send a parcel", "# Send a parcel on Windows 10"),
    ],
)
def test_a_difference_that_may_matter_keeps_two_steps_apart(old: str, new: str) -> None:
    assert old in SEND
    assert twins_in(back=RETURN, send=SEND.replace(old, new, 1)) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("the console", "Console"),
        ("the pin", "pin"),
        ("Open", "Now, please open"),
        ("a short while;", "a short while:"),
    ],
)
def test_articles_case_and_marks_do_not(old: str, new: str) -> None:
    assert twins_in(back=RETURN, send=SEND.replace(old, new, 1)) == [["back.md", "send.md"]]


@pytest.mark.parametrize(
    ("one", "other"),
    [("Windows 10", "Windows 11"), ("Windows", "macOS"), ("Depot 4.14", "Depot 4.15")],
)
@pytest.mark.parametrize("where", ["title", "heading", "body"])
def test_versions_and_platforms_are_never_taken_for_each_other(one: str, other: str, where: str) -> None:
    def text(name: str) -> str:
        match where:
            case "title":
                return f"# Badges on {name}\n\n{SIGN_IN}"
            case "heading":
                return f"# Badges\n\n## {name}\n\n{SIGN_IN.removeprefix('## Sign in')}"
        return f"# Badges\n\n{SIGN_IN}Use {name} for this.\n"

    assert twins_in(one=text(one), other=text(other)) == []
    assert twins_in(one=text(one), other=text(one)) != []


def test_a_model_may_decide_but_is_not_asked_about_numbers() -> None:
    asked: list[tuple[str, str]] = []

    def yes(one: LogicUnit, other: LogicUnit) -> Plan[bool]:
        asked.append((one.document_id, other.document_id))
        yield from ()
        return True

    def groups(**texts: str) -> int:
        return len(library(**texts).run(find_twins([f"{name}.md" for name in texts], yes)).merges)

    assert groups(back=RETURN, send=SEND.replace("a browser", "a terminal")) == 1
    assert asked == [("back.md", "send.md")]
    assert groups(back=RETURN, send=SEND.replace("a short while", "10 minutes")) == 0
    assert asked == [("back.md", "send.md")]


def test_a_short_step_leans_on_its_document() -> None:
    short = "# {}\n\n## Restart\n\nRestart it and wait.\n"
    assert twins_in(one=short.format("Scale"), other=short.format("Printer")) == []
    assert count_tokens("Restart it and wait.") < LEAST


def test_two_equal_steps_of_one_document_stay_two() -> None:
    twice = f"# Take a parcel back\n\n{SIGN_IN}\n{SIGN_IN}"
    shared = library(back=twice, send=SEND)
    found = shared.run(find_twins(["back.md", "send.md"]))
    assert [unit.document_id for unit in found.units] == ["back.md", "send.md"]


def test_never_all_pairs() -> None:
    """Each unit is compared with what one search finds, however many documents there are."""
    names = [f"page{number}" for number in range(40)]
    shared = library(
        **{name: f"# Page {name}\n\n## Part\n\nSort the {name} of this day by hand. {LONG}" for name in names}
    )
    searches = 0

    def answer(request: object) -> object:
        nonlocal searches
        searches += type(request).__name__ == "SearchAlike"
        return shared.answer(request)  # type: ignore[arg-type]

    run(find_twins([f"{name}.md" for name in names]), answer)
    assert searches <= len(shared.store.ids())


def test_links_of_a_twin_lead_where_they_led() -> None:
    from thread_core.retrieval.twins import extended

    help_ = Link("the badge is refused", "the guard", LinkAction.CROSS, Target(document="../guard.md"))
    again = Link("the page is empty", "the steps below", LinkAction.CONTINUE, Target(place=Place("weigh-it", 1)))
    shared = library(back=RETURN, send=SEND, **{"x": "# X\n\nX.\n"})
    mine = extract(Document("back.md", RETURN)).units[0]
    other = extract(Document("in/send.md", SEND)).units[0].model_copy(update={"links": (help_, again)})
    whole = shared.run(extended(mine.model_copy(update={"links": (help_,)}), [other]))
    assert [(link.condition, link.action, link.target) for link in whole.links] == [
        ("the badge is refused", LinkAction.CROSS, Target(document="../guard.md")),
        ("the page is empty", LinkAction.CROSS, Target(document="/in/send.md", anchor="weigh-it")),
    ]


def test_headers_are_embedded_together() -> None:
    """An embedding behind a network is asked once for many documents, not once a header."""
    names = [letter * 4 for letter in "abcdefghijklmnopqrst"]
    texts = {name: f"# Page {name}\n\n{SIGN_IN}\n## Part\n\nSort the {name} by hand. {LONG}" for name in names}
    shared = library(**texts)
    asked: list[int] = []

    class Counting:
        def embed(self, texts: Sequence[str]) -> list[list[float]]:
            asked.append(len(texts))
            return default_embedding().embed(texts)

        def embed_query(self, text: str) -> list[float]:
            raise AssertionError("a header is no question")

    counted = Library(shared.store, Counting())
    counted._looks.checked = True
    found = counted.run(find_twins([f"{name}.md" for name in names]))
    assert [len(merge.units) for merge in found.merges] == [20]
    assert len(asked) == 1
