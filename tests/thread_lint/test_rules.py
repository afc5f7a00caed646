"""Each rule finds what its own example shows, and leaves alone what only looks like it."""

from __future__ import annotations

import pytest

from thread_core import Document
from thread_lint import RULES, Finding, Rule, check

OTHERS = {
    "ambiguous-link": ("linux/cleanup/start.md", "mac/cleanup/start.md"),
    "moved-link": ("disks/clean-up.md",),
}
"""The guides to which the examples of some rules link."""
SHOWN = [rule for rule in RULES if rule.bad]


def found_in(text: str, *others: str, name: str = "guide.md") -> list[Finding]:
    beside = [Document(other, "# Clean up\n\n1. Do it.\n") for other in others]
    return [one for one in check([Document(name, text), *beside], RULES) if one.document_id == name]


def names_in(text: str) -> list[str]:
    return [one.name for one in found_in(text)]


@pytest.mark.parametrize("rule", SHOWN, ids=lambda rule: rule.name)
def test_a_rule_finds_what_its_example_shows_and_nothing_in_what_was_mended(rule: Rule) -> None:
    others = OTHERS.get(rule.name, ())
    assert [one.rule for one in found_in(rule.bad, *others)] == [rule.code]
    assert found_in(rule.good, *others) == []


def test_codes_and_names_are_of_one_rule_each_and_in_order() -> None:
    codes = [rule.code for rule in RULES]
    assert codes == sorted(set(codes))
    assert len({rule.name for rule in RULES}) == len(RULES)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("# Pump\n\n1. See [it](../other/lid.md) and [that](/lid.md) and [a page](lid.html).\n", id="out"),
        pytest.param("# Pump\n\nSee [it](#gov-uk-lids).\n\n## GOV.UK lids\n\n1. Lift it.\n", id="a generator's anchor"),
        pytest.param("# Pump\n\nSee [it](#mark).\n\n## Lid\n\n<a id='mark'></a>Lift it.\n", id="an anchor in HTML"),
        pytest.param("# Pump\n\n1. Follow steps 2-6 of [the form](https://example.org/form).\n", id="others' steps"),
        pytest.param("# Pump\n\n- First:\n\n  7. Open it.\n  8. Repeat step 7.\n", id="a step in an item"),
        pytest.param(
            "# Pump\n\n## See [the lid](https://example.org)\n\n## Restart the pump\n", id="headings that say"
        ),
        pytest.param("# Pump\n\nRun it.\n\n## A\n\n## B\n\n## C\n", id="headings that are a list"),
        pytest.param("# ADR 1\n\n# Context\n\nIt is loud.\n", id="a title"),
        pytest.param(
            '# Pump\n\n## Off\n\n{{< tabs >}}\n{{< tab "Old" >}}\nTurn it.\n{{< /tab >}}\n{{< /tabs >}}\n', id="tabs"
        ),
        pytest.param(
            "# Pump\n\n## Diagnosis\n\n1. Look.\n\n## Fix\n\n### If the diagnosis fails\n\n1. Call.\n", id="a fix"
        ),
        pytest.param("# Pump\n\n## Preparation\n\nAsk.\n\n## Steps\n\n1. Lift it.\n", id="prerequisites above"),
        pytest.param("# Pump\n\nSee Mac OS X.\n\nThe operating system (OS) is old.\n", id="a name"),
        pytest.param("# Pump\n\nThe (DLQ) grows.\n\nA dead letter queue (DLQ) holds letters.\n", id="in brackets"),
        pytest.param('```sh\nls <folder>\ncp -r ... "$(pwd)" \\\n  `# a remark` \\\n  x\n```\n', id="placeholders"),
        pytest.param("```sh\n$ ls\nlid.md (1\n$ cat <<'E'\n```\n", id="a session"),
        pytest.param("```console\nTable: (x\n```\n", id="no shell"),
        pytest.param(
            "```sh\nrm -rf build\nrm /var/log/x\nkubectl delete pod web-3\nterraform destroy\n```\n", id="deletions"
        ),
        pytest.param("```sh\nrm -rf /srv/data # make a backup before\n```\n", id="warned in the block"),
        pytest.param(
            "1. Do it:\n" + "   1. Look into the next folder and write down its size.\n" * 40, id="parts of a step"
        ),
        pytest.param("# Pump\n\nDead letter queues, or DLQs: the DLQ.\n\nA dead letter queue (DLQ).\n", id="beside it"),
        pytest.param("```sh\nscp <your file's path (.rpm)> <user@host>\n```\n", id="long placeholders"),
        pytest.param("1. Open it.\n" + "   - Look into the next folder.\n" * 80, id="a step that is divided"),
        pytest.param("```mermaid\nsequenceDiagram\nA->>B: is it lit?\n```\n", id="a drawing that asks nobody"),
        pytest.param("```mermaid\nflowchart TD\nA[Open it] --> B[Look]\nC[Lid] --> B --> A\n```\n", id="no question"),
        pytest.param(
            "```mermaid\nflowchart TD\nA{Which lamp?} --> B[Red lamp]\nA --> C[Blue lamp]\n```\n",
            id="boxes that answer",
        ),
    ],
)
def test_what_only_looks_like_a_fault_is_left_alone(text: str) -> None:
    assert names_in(text) == []


def test_an_outcome_in_a_drawing_has_to_be_named() -> None:
    text = "```mermaid\nflowchart TD\nA{Lit?} -->|yes| B[Go on]\nA --> C[Wait]\n```\n"
    assert [(one.name, one.first) for one in found_in(text)] == [("open-decision", 4)]


def test_deletions_are_seen_behind_prompts_and_sudo() -> None:
    text = "# Pump\n\n```console\n$ sudo -n rm --recursive ~/data\nrm: done\n```\n"
    assert [(one.name, one.first) for one in found_in(text)] == [("unwarned-deletion", 4)]
