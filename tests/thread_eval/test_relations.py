"""Facts of documents, units whose links are relations, and what follows them."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from thread_core import Document, LogicUnit, default_embedding
from thread_core.errors import BadReply
from thread_core.llm.access import ModelAccess
from thread_core.models import LinkAction, Span
from thread_core.testing.model import ScriptedModel
from thread_eval import load
from thread_eval.datasets.two_wiki import MultiHopQuestion
from thread_eval.kinds import cases_of
from thread_eval.models import WatchedAccess
from thread_eval.systems import SYSTEMS, Setup
from thread_eval.systems.relations.asking import asked_facts
from thread_eval.systems.relations.facts import Fact, Titles, mentioned_facts, stated_facts
from thread_eval.systems.relations.following import follow
from thread_eval.systems.relations.fusing import Cited, cited, fused
from thread_eval.systems.relations.passages import library_of
from thread_eval.systems.relations.units import fact_units


def stated(text: str) -> list[tuple[str, ...]]:
    return [fact[2:5] for fact in stated_facts(Document("tarn.md", f"# Tarn kettle\n\n{text}"))]


MAKER, YEAR = ("Tarn kettle", "Maker", "Ada Orrel"), ("Tarn kettle", "Year", "1931")


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("- **Maker:** Ada Orrel\n- Year: 1931", [MAKER, YEAR]),
        ("Maker: Ada Orrel\nYear: 1931", [MAKER, YEAR]),
        ("Maker\n: Ada Orrel\nYear\n: 1931", [MAKER, YEAR]),
        ("| | |\n|-|-|\n| Maker | Ada Orrel |\n| Year | 1931 |", [MAKER, YEAR]),
        ("| Part | Metal |\n|-|-|\n| Lid | tin |", [("Tarn kettle", "Lid", "tin")]),
        (
            "## Parts\n\n| Part | Maker | Metal |\n|-|-|-|\n| Lid | Bo | tin |\n| Spout | Cy | |",
            [("Lid", "Maker", "Bo"), ("Lid", "Metal", "tin"), ("Spout", "Maker", "Cy")],
        ),
        ("## Lid\n\n- Metal: tin\n- Maker: Bo", [("Lid", "Metal", "tin"), ("Lid", "Maker", "Bo")]),
        ("Note: it is hot.", []),
        ("- Maker: Ada Orrel\n- It is red.", []),
        ("1. Lid: open it.\n2. Tap: turn it.", []),
        ("| Step | Do | See |\n|-|-|-|\n| 1 | open | a |\n| 2 | turn | b |", []),
        ("See: http://a.example\nhttp://b.example", []),
    ],
)
def test_structure_states_facts(text: str, facts: list[tuple[str, ...]]) -> None:
    assert stated(text) == facts


def test_a_title_is_found_as_it_is_written_and_the_longest_counts() -> None:
    named = ["Ada Orrel", "Orrel", "It (film)", "Lowmere (town)", "Lowmere (lamp)", "Mere (lake)"]
    titles = Titles([Document(name, "x", title=name) for name in named])
    assert titles.named_in("It was Ada Orrel's, of Lowmere by Mere; an ada orrel, an Orrel") == [
        ("Ada Orrel", "Ada Orrel"),
        ("Mere (lake)", "Mere"),
        ("Orrel", "Orrel"),
    ]


TARN = Document("tarn.md", "# Tarn kettle\n\n- Maker: [Ada Orrel](people/ada.md)\n- Year: 1931\n")
ADA = Document("people/ada.md", "# Ada Orrel\n\n- Trade: engineer\n- Place of birth: Lowmere\n")
TOWNS = Document(
    "towns.md", "# Towns\n\n| Town | Country | River |\n|-|-|-|\n| Lowmere | Norland | Isk |\n| Hay | Sud | Oo |\n"
)
WORLD = [TARN, ADA, TOWNS]


def units(documents: list[Document]) -> list[LogicUnit]:
    return [unit for document in documents for unit in fact_units(document, stated_facts(document))]


def followed(question: str, **options: int) -> list[str]:
    found = library_of(units(WORLD), default_embedding()).run(follow(question, **options))
    return [str(unit.body_spans[-1]) for unit in found]


def test_a_unit_has_its_lines_and_a_link_for_each_relation() -> None:
    lowmere = units([TOWNS])[0]
    assert lowmere.header == "Towns: Lowmere: Country: Norland: River: Isk"
    assert lowmere.body == "| Town | Country | River |\n| Lowmere | Norland | Isk |"
    assert [(link.condition, link.query, link.action) for link in lowmere.links] == [
        ("Country", "Norland", LinkAction.CROSS),
        ("River", "Isk", LinkAction.CROSS),
    ]
    assert lowmere.links[0].evidence == Span("towns.md", 5, 5)
    assert cited(lowmere) == Cited(f"Towns\n{lowmere.body}", "towns.md:5")


def test_the_relation_asked_for_is_followed_by_a_link_and_by_a_search() -> None:
    question = "In which town was the maker of the Tarn kettle born, and in which country is that?"
    assert followed(question, k=1, hops=0) == ["tarn.md:3"]
    assert followed(question, k=1, hops=1) == ["tarn.md:3", "people/ada.md:4"]
    assert followed(question, k=1) == ["tarn.md:3", "people/ada.md:4", "towns.md:5"]


def test_facts_that_lead_in_a_circle_end() -> None:
    one = Document("one", "- Before: [Two](two)\n- After: [Two](two)", title="One")
    two = Document("two", "- Before: [One](one)\n- After: [One](one)", title="Two")
    library = library_of(units([one, two]), default_embedding())
    assert len(library.run(follow("What is before One?", hops=9))) == 4


def test_units_stand_beside_chunks_and_nothing_is_said_twice() -> None:
    tarn, year = units([TARN])
    chunks = [Cited("Ada Orrel was an engineer.", "wiki#4"), Cited("Maker: [Ada Orrel](people/ada.md)", "wiki#5")]
    assert [piece.source for piece in fused([tarn, year], chunks)] == ["tarn.md:3", "wiki#4", "tarn.md:4"]
    assert fused([], []) == []


# -- with a model --------------------------------------------------------------------------------------------------

PROSE = Document("tarn", "The Tarn kettle is electric.\nIt was made by Ada Orrel.", title="Tarn kettle")
TITLES = Titles([PROSE, Document("ada", "She was born in Lowmere.", title="Ada Orrel")])


def said(line: int, entity: str, relation: str, value: str) -> str:
    return json.dumps({"facts": [{"line": line, "entity": entity, "relation": relation, "value": value}]})


def asked(*script: tuple[str, str]) -> Any:
    model = ScriptedModel(*script)
    found = ModelAccess(model).run(asked_facts(PROSE, TITLES))
    model.finished()
    return found


def test_a_model_names_facts_that_stand_in_their_lines() -> None:
    good = said(2, "Tarn kettle", "maker", "Ada Orrel")
    assert asked(("2| It was made by Ada Orrel.", good)) == [
        Fact(2, 2, "Tarn kettle", "maker", "Ada Orrel", "Ada Orrel")
    ]
    elsewhere, invented = said(1, "Tarn kettle", "maker", "Ada Orrel"), said(2, "Bo's kettle", "maker", "Ada Orrel")
    for bad, complaint in (
        (elsewhere, "does not stand in line 1"),
        (invented, "is about"),
        (good.replace("2", "7"), "2 lines"),
    ):
        assert len(asked(("", bad), (complaint, good))) == 1
    with pytest.raises(BadReply):
        asked(("", elsewhere), ("", elsewhere))


# -- the data set --------------------------------------------------------------------------------------------------


def recall(question: MultiHopQuestion, model: ScriptedModel | None = None) -> dict[str, float | None]:
    """By system and tokens."""
    kind, (case,) = cases_of("2wiki", [question])
    setup = Setup(case.documents, [], models=WatchedAccess(model) if model else None)
    scores = {
        name: ModelAccess({}).run(kind.score(case, kind.ask(SYSTEMS[name].make(setup), case), judged=False))
        for name in ("facts", "relations", "relations+chunks")
    }
    return {f"{name}@{n}": one[f"recall@{n}"].value for name, one in scores.items() for n in (50, 400)}


def test_a_model_may_make_the_facts_once() -> None:
    (question,) = load("2wiki")
    assert recall(question)["relations@50"] == 1
    nothing = ("", '{"facts": []}')
    little = recall(
        question, ScriptedModel(*[("", said(4, "Tarn kettle", "maker", "Ada Orrel")), nothing, nothing] * 3)
    )
    assert (little["relations@400"], little["relations+chunks@400"]) == (0.5, 1)


def test_relations_bring_within_few_tokens_what_no_word_of_the_question_says() -> None:
    far = [f"The kettle of {name} is kept in its town's museum." for name in ("Hay", "Oo", "Isk", "Zed", "Bry")]
    question = MultiHopQuestion(
        _id="own",
        type="compositional",
        question="In which town was the maker of the Tarn kettle born?",
        context=(
            ("Tarn kettle", ("It was made by Ada Orrel.",)),
            ("Ada Orrel", ("Her birthplace is Lowmere.", f"She liked tea. {'So it went on. ' * 9}")),
            *((f"Museum {at}", (text,)) for at, text in enumerate(far)),
        ),
        supporting_facts=(("Tarn kettle", 0), ("Ada Orrel", 0)),
        answer="Lowmere",
    )
    scores = recall(question)
    assert (scores["facts@50"], scores["relations@50"]) == (0.5, 1)


def test_mentions_are_found_in_linear_time() -> None:
    titles = Titles([Document(str(size), "x", title=f"{'Ada ' * size}Orrel") for size in range(30)])
    began = time.process_time()
    mentioned_facts(Document("a", "Ada " * 20_000, title="A"), titles)
    stated_facts(Document("a", f"Term\n{': x' * 20_000}\n" + ": y\n" * 20_000))
    assert time.process_time() - began < 4
