"""Which blocks head what follows, on which level and by which name.

Real documents head their sections in more ways than `##`: a line in bold, a `<summary>`, "Method 2: Use the keys".
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from thread_core.documents import cases, directions
from thread_core.documents.applicability.gates import gate_of
from thread_core.documents.blocks.dialects import FOLD, TAB
from thread_core.documents.blocks.markdown import Block, visible
from thread_core.documents.promises import Role, promise
from thread_core.text import sentences
from thread_core.text.scripts import COLONS, composed, is_mark

PSEUDO_LEVEL = 7
"""Below every real heading."""
HALF_A_LEVEL = 0.5
"""So far a tab stands below the heading above it, and above all headings in it."""
A_FOLD = 2
"""How far a fold in another stands below that, and below all pseudo headings in it."""
DEEPEST_FOLD = 20
"""The level below which folds stand side by side."""
LONGEST_LABEL = 90
"""Characters; a longer bold line is emphasis, not a heading."""
PLAIN_WORDS = 2
"""Words of a heading that no mark sets apart but the colon at its end."""
LONGEST_NAME = 200
"""Characters of a heading that are read; each unit under it repeats them."""

_NOT_A_LABEL = re.compile(
    r"(?:note|notes|important|warning|caution|tip|attention|danger|info|example|see also)(?:\W*$|\s*:)",
    re.IGNORECASE,
)
_SUMMARY = re.compile(r"<summary\b[^<>]*>", re.IGNORECASE)
_SUMMARY_END = re.compile(r"</summary\b[^<>]*>", re.IGNORECASE)
_HTML_HEADING = re.compile(r"\s*<h(?P<level>[1-6])\b[^<>]*>", re.IGNORECASE)
_HTML_HEADING_END = re.compile(r"</h[1-6]\s*>", re.IGNORECASE)
_FOLD = re.compile(r"<(/?)details\b", re.IGNORECASE)
OPENS, ENDS = "+", "-"
_TEMPLATE = re.compile(r"<%[^<>]*%>|\{\{[^{}]*\}\}|\{%[^{}]*%\}")
_QUOTE = re.compile(r"\"([^\"]*)\"")
_ATTRIBUTES = re.compile(r"\s*\{[:/*\s]*+(?=[#.])(?:#(?P<id>[\w:.-]+))?[^{}]*\}\s*$")
"""What a generator is told of a heading, at its end: `{#anchor}`, `{: .class }`."""
_NOT_IN_SLUG = re.compile(r"[^\w\- ]")


class Heading(NamedTuple):
    """A level, 1 to 6 of real headings and more below them, and the words."""

    level: float
    text: str


def slug(heading: str) -> str:
    """A heading's anchor, as code hosts make it: `Method 2: use the CLI` -> `method-2-use-the-cli`."""
    words = composed(heading).strip().lower()
    return _NOT_IN_SLUG.sub(lambda sign: sign[0] if is_mark(sign[0]) else "", words).replace(" ", "-")


def of_block(block: Block, before: Block | None, above: Heading) -> Heading | None:
    """What a block heads the following with, if it does.

    Args:
        block: It is asked of this one.
        before: The block before it.
        above: The heading under which both stand.
    """
    if block.kind == "heading":
        label = _called(block)
        return Heading(block.level, label) if label else None
    if block.kind == "html":
        level, label, _ = html_heading(block.text)
        return Heading(level, label) if label else None
    if block.kind == "paragraph" and block.bold and len(block.text) <= LONGEST_LABEL and "\n" not in block.text:
        announced = before is not None and before.text.endswith((*COLONS, ",", "，"))
        if (
            not announced
            and not block.text.endswith((".", ",", "!", "。", "，", "！"))
            and not _NOT_A_LABEL.match(block.text)
            and not is_line_of_contents(block)
        ):
            label = block.flat.rstrip(" :：")
            return Heading(_pseudo_level(label, above), label) if label else None
    if block.kind == "paragraph" and _is_plain_heading(block.text):
        label = block.flat.rstrip(" :")
        return Heading(_pseudo_level(label, above), label)
    return None


def is_line_of_contents(block: Block) -> bool:
    """Whether a paragraph is one link into its own document, and nothing else."""
    return block.kind == "paragraph" and [one.text for one in block.links if one.href.startswith("#")] == [block.text]


def captions(blocks: Sequence[Block]) -> dict[int, Heading]:
    """Plain lines that head what follows by a name and a number, where there are several, by their indices.

    "Method 1: Use the menu", its steps, "Method 2: Use the keyboard", its steps. Where nothing stands between, they are
    the steps themselves.
    """
    named = [index for index, block in enumerate(blocks) if block.kind == "paragraph" and _is_caption(block.text)]
    heads = [index for index in named if index + 1 < len(blocks) and index + 1 not in named]
    return {index: Heading(PSEUDO_LEVEL + 1, blocks[index].flat.rstrip(" :")) for index in heads if len(heads) > 1}


def _is_caption(text: str) -> bool:
    if len(text) > LONGEST_LABEL or "\n" in text:
        return False
    named, _, rest = text.partition(":")
    return bool(rest.strip()) and directions.is_counted_alone(named) and not rest.endswith((".", ",", "!"))


def _is_plain_heading(text: str) -> bool:
    """`Prerequisites:` or `Steps:` in a line of its own."""
    if not text.endswith(COLONS) or len(text) > LONGEST_LABEL:
        return False
    label = text[:-1]
    if len(label.split()) > PLAIN_WORDS:
        return False
    return not sentences.tells(label) and promise(label) in (Role.PREREQUISITE, Role.STEP)


def _pseudo_level(label: str, above: Heading) -> float:
    """Below every real heading and every fold, but "Otherwise" stands beside the case that it denies.

    The levels of folds are even, so that those of what stands in them are odd.
    """
    if cases.heading_condition(label) == cases.OTHERWISE and cases.heading_condition(above.text):
        return above.level
    return math.ceil(above.level) | 1 if above.level > PSEUDO_LEVEL else PSEUDO_LEVEL


def is_pseudo(level: float) -> bool:
    """Whether a level is that of a line that heads what follows, neither a real heading nor a fold."""
    return level >= PSEUDO_LEVEL and level % A_FOLD == 1


def is_named(heading: Block) -> bool:
    """Whether a heading has any words."""
    return bool(heading.text[: 2 * LONGEST_NAME].strip())


def _called(heading: Block) -> str:
    return clip(filled(heading)) or clip(heading.text)


def filled(heading: Block) -> str:
    """A heading without attributes; of a template expression (`{{% heading "whatsnext" %}}`) what it quotes.

    Inline code stays as it is written.
    """
    text = heading.text[: 2 * LONGEST_NAME]
    if "{" not in text and "<%" not in text:
        return text

    def told(found: re.Match[str]) -> str:
        last = found.start() + len(found[0].rstrip()) - 1
        is_code = any(start <= last < end for start, end in heading.code)
        return found[0] if is_code else "".join(_QUOTE.findall(found[0])[: found.re is _TEMPLATE])

    return _TEMPLATE.sub(told, _ATTRIBUTES.sub(told, text))


def anchor(heading: Block, label: str) -> str:
    """Where links to a heading lead: the anchor that it gives itself (`## Repair {#mend}`), or its slug."""
    text = heading.text[: 2 * LONGEST_NAME]
    given = _ATTRIBUTES.search(text) if "{" in text else None
    return composed(given["id"]).lower() if given and given["id"] else slug(label)


def clip(text: str) -> str:
    """As much of a text as a heading is read of, on one line."""
    return " ".join(text[: 2 * LONGEST_NAME].split())[:LONGEST_NAME].strip()


def _summary(html: str) -> tuple[str, str]:
    """What stands between the first summary tags, and everything else."""
    opening = _SUMMARY.search(html)
    closing = _SUMMARY_END.search(html, opening.end()) if opening else None
    if not opening or not closing:
        return "", html
    return clip(visible(html[opening.end() : closing.start()])), html[: opening.start()] + html[closing.end() :]


def html_heading(html: str) -> tuple[int, str, str]:
    """Level and text of a heading that is written in HTML, and everything else."""
    opening = _HTML_HEADING.match(html)
    if not opening:
        return (PSEUDO_LEVEL + 1, *_summary(html))
    closing = _HTML_HEADING_END.search(html, opening.end())
    end, rest = closing.span() if closing else (len(html), len(html))
    return int(opening["level"]), clip(visible(html[opening.end() : end])), html[rest:]


def is_tab(heading: Block) -> bool:
    """Whether a heading is written as a tab: `# [Linux](#tab/linux)`. A rule ends the last of them."""
    return bool(heading.links) and heading.links[0].href.startswith((TAB, FOLD))


def tab_name(heading: Block, label: str) -> str:
    """What a tab is called: tabs side by side are cases, those for a platform or a version say so by themselves."""
    if heading.links[0].href.startswith(FOLD) or gate_of(label) or cases.heading_condition(label):
        return label
    return cases.AS_CASE + label


def is_each_fold_ended(blocks: Sequence[Block]) -> bool:
    """Whether as many folds end as begin: where the end of one was forgotten, which is in which cannot be told."""
    tags = [tag[1] for block in blocks if block.kind == "html" for tag in _FOLD.finditer(block.text)]
    return 2 * tags.count("/") == len(tags)


def folds(html: str) -> tuple[str, str]:
    """What a block of HTML opens and ends with `<details>`, in order: before the first that it names, and after it.

    Where it names none, all of it comes after.

    Example:
        >>> folds("</details><details><summary>More</summary>text</details>")
        ('-', '-')
    """
    if "details" not in html.lower():
        return "", ""
    named = _SUMMARY.search(html) if _summary(html)[0] else None
    before = "".join(ENDS if tag[1] else OPENS for tag in _FOLD.finditer(html[: named.start()] if named else ""))
    after = "".join(ENDS if tag[1] else OPENS for tag in _FOLD.finditer(html[named.end() :] if named else html))
    return before.removesuffix(OPENS), after
