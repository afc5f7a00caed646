"""Findings as SARIF 2.1.0, which code hosts and editors read; nothing is in it but what they need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import quote

from thread_lint.findings import Finding
from thread_lint.rules.rule import Rule

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
HOME = "https://thread-rag.readthedocs.io/lint/"
FINGERPRINT = "threadLint/v1"


def log(
    findings: Sequence[Finding],
    rules: Sequence[Rule],
    path: Callable[[str], str],
    *,
    has_lines: Callable[[str], bool],
    version: str,
) -> dict[str, Any]:
    """The findings of a run, with the rules that were looked for.

    Args:
        findings: Those of the run.
        rules: What was looked for; of each finding the rule is among them.
        path: Gives a document's path in the repository.
        has_lines: Tells whether the lines of a finding are those of the document's file.
        version: Of the program.
    """
    places = {rule.code: at for at, rule in enumerate(rules)}
    driver = {"name": "thread-rag lint", "version": version, "informationUri": HOME, "rules": [*map(_rule, rules)]}
    results = [_result(one, places[one.rule], path(one.document_id), has_lines(one.document_id)) for one in findings]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": f"{rule.summary}."},
        "help": {"text": rule.why.strip(), "markdown": rule.page()},
        "helpUri": f"{HOME}#{rule.anchor}",
        "defaultConfiguration": {"level": rule.severity.value},
    }


def _result(found: Finding, index: int, path: str, has_lines: bool) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": {"uri": quote(path), "uriBaseId": "%SRCROOT%"}}
    if has_lines:
        location["region"] = {"startLine": found.first, "endLine": found.last}
    return {
        "ruleId": found.rule,
        "ruleIndex": index,
        "level": found.severity.value,
        "message": {"text": found.message},
        "locations": [{"physicalLocation": location}],
        "partialFingerprints": {FINGERPRINT: found.fingerprint},
    }
