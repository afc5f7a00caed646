"""Findings as annotations of GitHub's actions: a line of text each, which the runner reads as a command."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from thread_lint.findings import Finding, Severity

_KINDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def commands(
    findings: Iterable[Finding], path: Callable[[str], str], *, has_lines: Callable[[str], bool]
) -> Iterator[str]:
    """A line for each finding.

    Args:
        findings: Those of a run.
        path: Gives a document's path in the repository.
        has_lines: Tells whether the lines of a finding are those of the document's file.
    """
    for one in findings:
        lines = f",line={one.first},endLine={one.last}" if has_lines(one.document_id) else ""
        where = f"file={_property(path(one.document_id))}{lines},title={_property(f'{one.rule} {one.name}')}"
        yield f"::{_KINDS[one.severity]} {where}::{_escaped(one.message)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
