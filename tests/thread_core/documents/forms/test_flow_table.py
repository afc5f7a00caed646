"""Tables whose rows lead to one another: each example is a table and the ways that are read of it."""

from __future__ import annotations

import pytest

from thread_core import Document, RuleExtractor
from thread_core.documents.blocks.markdown import parse
from thread_core.documents.forms.flow_table import read_flow_table

ONE_ROW_A_WAY = """\
| Step | Outcome | Go to |
|---|---|---|
| 1. Look at `lamp 3`. Is it lit? | Yes | step 2 |
| 1. Look at `lamp 3`. Is it lit? | No | step 3 |
| 2. Open the tap. | done | The procedure ends here. |
| 3. Push the plug home. | done | step 1 |
"""
COLUMNS = """\
| No. | Check | Yes | No |
|---|---|---|---|
| 1 | Is the lamp lit? | 2 | Go to 3 |
| 2 | Is the water warm? | Pour the tea | 3 |
| 3 | Is the plug in? | Call the vendor | Push it home |
"""
ON_IN_ANY_CASE = """\
| # | Do this | Then |
|---|---|---|
| 1 | Fill the tank. | 2 |
| 2 | Light the burner. | 3 |
| 3 | Wait. | |
"""
EXAMPLES = [
    pytest.param(ONE_ROW_A_WAY, [("1", "Yes", "2"), ("1", "No", "3"), ("3", "", "1")], id="one row a way"),
    pytest.param(
        COLUMNS,
        [("1", "Yes", "2"), ("1", "No", "3"), ("2", "Yes", "2 Yes"), ("2", "No", "3"), ("3", "Yes", "3 Yes"),
         ("3", "No", "3 No")],
        id="a column an answer",
    ),
    pytest.param(ON_IN_ANY_CASE, [("1", "", "2"), ("2", "", "3")], id="in any case"),
    pytest.param("| Code | Do |\n|---|---|\n| 12 | Press Reset |\n| 14 | Call us |\n", None, id="codes are no steps"),
    pytest.param("| Step | Go to |\n|---|---|\n| 1. Stop | 7 |\n| 2. Start | 9 |\n", None, id="no such steps"),
    pytest.param("| Step | What |\n|---|---|\n| 1 | Fill |\n| 2 | Light |\n", None, id="nothing leads anywhere"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "ways"), EXAMPLES)
def test_a_table_is_read_as_the_ways_between_its_rows(text: str, ways: list[tuple[str, str, str]] | None) -> None:
    markdown = parse(text)
    chart = read_flow_table(markdown.blocks[0], markdown.source)
    assert (chart and [(edge.start, edge.label, edge.end) for edge in chart.edges]) == ways


def test_each_row_is_a_step_in_its_own_words_and_the_table_stays_whole() -> None:
    extraction = RuleExtractor().extract(Document("samovar.md", f"# Samovar\n\n{ONE_ROW_A_WAY}"))
    bodies = [unit.body for unit in extraction.units]
    assert bodies == [ONE_ROW_A_WAY.strip(), "Look at `lamp 3`. Is it lit?", "Open the tap.", "Push the plug home."]
    assert [unit.steps for unit in extraction.units] == [(), (1,), (2,), (3,)]
    assert [link.condition for link in extraction.units[1].links] == ["Is it lit?", "not: Is it lit?"]
    assert extraction.report.coverage == 1


def test_a_long_table_takes_time_in_proportion() -> None:
    rows = "".join(f"| {at}. Turn valve {at} | {at + 1} |\n" for at in range(1, 900))
    markdown = parse(f"| Step | Go to |\n|---|---|\n{rows}| 900. Stop | |\n")
    chart = read_flow_table(markdown.blocks[0], markdown.source)
    assert chart is not None and len(chart.edges) == 899
