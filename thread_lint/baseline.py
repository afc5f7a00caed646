"""The findings that a project knows already: kept in a file, so that a run reports what has come since."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from pydantic import ValidationError

from thread_core.errors import BadFile
from thread_core.models import Model, faults_in
from thread_lint.findings import Finding

VERSION = 1


class _Baseline(Model):
    version: int
    findings: dict[str, str]
    """By fingerprint; the words are for whoever reads the file."""


def to_lines(findings: Iterable[Finding]) -> Iterator[str]:
    """A baseline as lines of JSON text: a finding a line and in order, so that a repository shows what has changed."""
    known = sorted((one.document_id, one.rule, one.fingerprint, one.name) for one in findings)
    yield f'{{"version": {VERSION}, "findings": {{'
    for at, (document_id, rule, fingerprint, name) in enumerate(known, start=1):
        told = json.dumps(f"{document_id}: {rule} {name}", ensure_ascii=False)
        yield f'"{fingerprint}": {told}{"," if at < len(known) else ""}'
    yield "}}"


def without_known(findings: Sequence[Finding], text: str, name: str) -> list[Finding]:
    """The findings that a baseline does not have.

    Args:
        findings: Those of a run.
        text: The baseline's.
        name: What the file is called in messages.

    Raises:
        BadFile: it is no baseline, or of another version.
    """
    try:
        known = _Baseline.model_validate_json(text)
    except ValidationError as error:
        raise BadFile(f"{name} is not a baseline ({faults_in(error)[0]}); write one with --write-baseline") from error
    if known.version != VERSION:
        raise BadFile(f"{name} has version {known.version}, expected {VERSION}; write it again with --write-baseline")
    return [one for one in findings if one.fingerprint not in known.findings]
