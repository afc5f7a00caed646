"""What a run finds besides the guides' own faults: files that are no guides, comments that disable nothing."""

from __future__ import annotations

from collections.abc import Iterator

from thread_lint.findings import Severity
from thread_lint.rules.rule import Found, Guide, Rule


def _nothing(guide: Guide) -> Iterator[Found]:
    """Find nothing in a guide: `checking` and whoever reads files find it beside them."""
    return iter(())


UNREADABLE_GUIDE = Rule(
    code="TR001",
    name="unreadable-guide",
    severity=Severity.ERROR,
    summary="A file cannot be read as a guide",
    why="""\
The file is not UTF-8 text, is binary, or needs a converter that is not installed. The message says which, and what to
do. The other guides are still checked, and links to this one count as dangling.
""",
    bad="",
    good="",
    check=_nothing,
)
UNUSED_DISABLE = Rule(
    code="TR002",
    name="unused-disable",
    severity=Severity.WARNING,
    summary="A comment disables a rule that finds nothing there, or that does not exist",
    why="""\
The comment would hide the next mistake at its place. Comments for rules that are not selected in this run are not
reported.
""",
    bad="""\
# Lamp

<!-- thread-rag-disable-next-line dangling-link -->
1. Look at the lamp.
""",
    good="""\
# Lamp

1. Look at the lamp.
""",
    check=_nothing,
)
