"""Links that lead nowhere, to several documents, or to one that only its file name points at."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from thread_core.documents.blocks.markdown import Hyperlink, parts
from thread_core.extraction.following import hyperlink
from thread_core.linking import SOURCES, with_mentions
from thread_core.models import Target
from thread_core.places import place_named
from thread_core.shelf import Destination, Leads, listed
from thread_lint.findings import Severity
from thread_lint.rules.rule import Found, Guide, Rule


def _dangling(guide: Guide) -> Iterator[Found]:
    for written, target, goal in _linked(guide):
        if goal.leads is not Leads.DANGLING:
            continue
        told = f"there is no guide {target.document}; correct the link, or add the guide"
        if goal.document_id:
            if guide.has_anchor(goal.document_id, target.anchor):
                continue
            where = "this guide" if goal.document_id == guide.document_id else goal.document_id
            told = f"{where} has no section {place_named(target)}; correct the link, or add the section"
        yield Found(written.line, written.line, told)


def _missing_step(guide: Guide) -> Iterator[Found]:
    """Steps that are named and are nowhere in the guide; beside a link, they may be those of what it leads to."""
    for way in guide.ways:
        link, where = way.link, way.link.evidence
        if way.destination.leads is not Leads.DANGLING or not where or not link.target or link.target.step is None:
            continue
        beside = any(where.start <= line <= where.end for line in guide.linked_lines)
        if not beside and link.target.step not in guide.numbers:
            yield Found(where.start, where.end, f"there is no step {link.target.step}; correct the number")


def _ambiguous(guide: Guide) -> Iterator[Found]:
    for written, target, goal in _linked(guide):
        if goal.leads is Leads.AMBIGUOUS:
            told = f"{target.document} may mean {listed(goal.candidates)}; write more of the path"
            yield Found(written.line, written.line, told)


def _moved(guide: Guide) -> Iterator[Found]:
    for written, target, goal in _linked(guide):
        if goal.moved:
            told = f"{target.document} does not exist, but {goal.document_id} has the same file name; correct the path"
            yield Found(written.line, written.line, told)


def _linked(guide: Guide) -> Iterator[tuple[Hyperlink, Target, Destination]]:
    """The links of a guide's text that name a place in it or another guide, and where they lead."""
    for block in parts(guide.markdown.blocks) if guide.units else ():
        for written in with_mentions(block).links if block.kind != "code" else ():
            link = hyperlink(written.href, "", written.text, None)
            if link.target and _is_judged(guide, link.target):
                unit = guide.holding(written.line) or guide.units[0]
                yield written, link.target, guide.shelf.destination(unit, link)


def _is_judged(guide: Guide, target: Target) -> bool:
    """Whether a link names a section of the guide itself, or a file such as guides are, below the folder of all.

    Where the pages of a site lead its generator knows.
    """
    document = target.document
    if not document:
        return bool(target.anchor) and target.anchor != "top" and "/" not in target.anchor
    if "://" in document or document.startswith("/") or not document.lower().endswith(SOURCES):
        return False
    return not posixpath.normpath(posixpath.join(posixpath.dirname(guide.document_id), document)).startswith("..")


DANGLING_LINK = Rule(
    code="TR201",
    name="dangling-link",
    severity=Severity.ERROR,
    summary="A link leads to a guide or section that does not exist",
    why="""\
Readers cannot get to the next step, and a walk cannot go on there.

The rule checks links to a section of the same guide, and to Markdown and reStructuredText files below the folder that
is checked. It does not check web pages, paths that begin with a slash and other files: only the site generator knows
where they lead.
""",
    bad="""\
# Disk full

1. Free some space, see [what may go](#what-may-go).
""",
    good="""\
# Disk full

1. Free some space, see [what may go](#what-may-go).

## What may go

Remove the logs of last year.
""",
    check=_dangling,
)
MISSING_STEP = Rule(
    code="TR202",
    name="missing-step",
    severity=Severity.WARNING,
    summary="The text sends the reader to a numbered step that does not exist",
    why="""\
Editing a guide moves its steps, but not the numbers in its sentences.
""",
    bad="""\
# Disk full

1. Look at the lamp. If it is red, go to step 4.
2. Free some space.
""",
    good="""\
# Disk full

1. Look at the lamp. If it is red, go to step 2.
2. Free some space.
""",
    check=_missing_step,
)
AMBIGUOUS_LINK = Rule(
    code="TR203",
    name="ambiguous-link",
    severity=Severity.WARNING,
    summary="A link may mean several guides, and nothing says which",
    why="""\
Several guides end with the path that the link names, and none is at that path. A walk asks the person, who cannot know.
In other people's guides a quarter of the findings were file names in a text that says which it means, so it runs only
if you select it.
""",
    bad="""\
# Disk full

1. Follow [the clean-up](cleanup/start.md).
""",
    good="""\
# Disk full

1. Follow [the clean-up](linux/cleanup/start.md).
""",
    check=_ambiguous,
    is_usual=False,
)
MOVED_LINK = Rule(
    code="TR204",
    name="moved-link",
    severity=Severity.WARNING,
    summary="A link names a path where nothing is, and exactly one guide has the file name",
    why="""\
The guide was probably moved. A walk finds it; a browser shows an error.
""",
    bad="""\
# Disk full

1. Follow [the clean-up](old/clean-up.md).
""",
    good="""\
# Disk full

1. Follow [the clean-up](disks/clean-up.md).
""",
    check=_moved,
)
