"""What begins a paragraph and is set off from the rest -> the case that it states, where it states one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from thread_core.documents import cases, conditions, directions
from thread_core.documents.applicability.roles import names_readers
from thread_core.documents.blocks.markdown import Block
from thread_core.documents.promises import Role, promise
from thread_core.documents.steps import step_named
from thread_core.text import header, sentences
from thread_core.text.scripts import COLONS, is_spaceless

LONGEST = 10
"""Words of a label at most; what is longer is a sentence."""
LONGEST_LISTED = 14
"""The same of an item in a list that does not count."""

_SET_OFF = re.compile(r"(?<=[:：.?–—-])|\s*(?:[:：(（–—]|-+\s)|[^\S\n]*\n")
"""What stands between a label in bold and the rest: a mark or a line's end."""
TELLING = frozenset((Role.PREREQUISITE, Role.BACKGROUND, Role.APPENDIX, Role.TERMINOLOGY))
"""What is promised by a label that says something about the whole: "Severity", "Owner"."""
_NAMING = re.compile(
    r"commands?|output|usage|syntax|link|scope|(?:for )?examples?|.*\bfollowing\b.*"
    r"|(?:.*\s)?(?:names?|types?|values?|data|keys?|ids?|paths?|urls?|files?|folders?|numbers?|address(?:es)?|ports?)",
    re.IGNORECASE,
)
"""Labels of what is filled in, written out or only shown after them."""
_MEANS = re.compile(
    r"(?P<condition>(?:(?![-=]>)[^,.;:→⇒➜]){2,80}?)\s*"
    r"(?:(?<=\s)(?:indicates?|means?|suggests?|points? to)\s+(?:that\s+)?"
    r"|(?:->|=>|[→⇒➜])(?!.*(?:->|=>|[→⇒➜])))\s*(?P<then>.{4,})",
    re.IGNORECASE | re.DOTALL,
)
"""An item of a list that says what a sign means, or where it leads: by one arrow, for several are of a menu."""
_ARROW = re.compile(r"\s*(?:[-=]?>|[→⇒➜])\s*")
_GIVEN = re.compile(r"\W*\+?\(?\d[\d\s()./-]{5,}|<?\w+://\S+")
"""A number that is called, or an address."""


def labelled(
    block: Block, sentence: sentences.Sentence, is_step: bool, is_listed: bool = False
) -> conditions.Clause | None:
    """`**Certificate expired**: renew it`, `**Certificate expired** - renew it`: a label states the case.

    A label that says what it is or counts, "Solution 2: if the lamp is red, wait", does not where a condition follows.
    In a list of steps a plain label is what the step is called, "Scale up: run `scale 3`".

    Args:
        block: What the label may begin.
        sentence: Its first one.
        is_step: It is an item of such a list; see `lists_steps`.
        is_listed: It is an item of a list that does not count.
    """
    if _is_in_menus(block, sentence):
        return None
    rest = sentence.text.removeprefix(block.lead).lstrip(" :：-–—")
    found: conditions.Clause | None = None
    if block.lead and rest and rest != sentence.text and _SET_OFF.match(block.text, len(block.lead)):
        found = conditions.Clause(block.lead.strip(" :：.-"), rest)
    elif any(colon in sentence.text for colon in COLONS):
        found = _plain(sentences.without_signs(sentence.text), block, is_listed)
    elif is_listed and (match := _MEANS.match(sentence.text)):
        found = conditions.Clause(match["condition"], match["then"])
    longest = LONGEST_LISTED if is_listed else LONGEST
    if found is None or header.clip(found.condition, longest) != " ".join(found.condition.split()):
        return None
    said = found.condition
    if step_named(said) is not None:
        return conditions.clause(found.consequence)
    if directions.is_counted(said):
        return conditions.clause(found.consequence) or found
    promised = promise(said)
    if (is_step and not block.lead and not conditions.compares(found)) or (promised is Role.STEP and " " not in said):
        return conditions.clause(found.consequence)
    is_data = _GIVEN.fullmatch(found.consequence) and not block.links
    if said.isalpha() and not is_listed and not tells(found.consequence):
        return None  # a word that says what kind of remark stands behind it
    is_none = sentences.is_aside(said) or sentences.instructs(said) or _NAMING.fullmatch(said) or is_data
    return None if is_none or promised in TELLING or names_readers(said) else found


def tells(then: str) -> bool:
    """Whether a sentence says what to do in a case that is known: an instruction, a way on or an end."""
    return sentences.instructs(then) or directions.directs(then) or directions.ending(then) is not None


def _is_in_menus(block: Block, sentence: sentences.Sentence) -> bool:
    """Whether a sentence is a path of menus: an arrow stands between marked names, or within one ("*View > All*")."""
    begins, ends = {start for start, _ in block.marked}, {end for _, end in block.marked}
    for arrow in _ARROW.finditer(block.text, sentence.start, sentence.stop) if block.marked else ():
        is_within = any(start < arrow.start() and arrow.end() < end for start, end in block.marked)
        is_between = arrow.start() in ends and arrow.end() in begins
        if (is_within or is_between) and not sentences.instructs(block.text[arrow.end() : sentence.stop]):
            return True
    return False


def _plain(text: str, block: Block, is_listed: bool) -> conditions.Clause | None:
    """A label without any mark but its colon: it begins with a capital, or the words behind it say what to do."""
    found = conditions.label(text)
    first = text.lstrip(sentences.QUOTES + "*")[:1]
    if found is None or is_spaceless(first) or conditions.compares(found):
        return found
    if first.isupper() and (is_listed or " " in found.condition):
        return found
    if cases.is_rest(found.condition) or found.condition.lower() in ("yes", "no"):
        return found
    is_code = bool(block.code) and block.code[0][0] == 0
    then = found.consequence
    told = sentences.instructs(then) or directions.directs(then) or (block.links and directions.sends_on(then))
    return found if is_listed and told and not is_code else None


def lists_steps(blocks: Sequence[Block]) -> bool:
    """Whether a numbered list among some blocks is one of steps: instructions, or names with commands."""
    items = (
        part for block in blocks if block.kind == "item" and block.number is not None for part in block.children[:1]
    )
    return any(part.kind == "paragraph" and (sentences.tells(part.text) or _is_named_command(part)) for part in items)


def _is_named_command(part: Block) -> bool:
    """`Fence the primary: fence db1`, the command in inline code."""
    if not part.code or not part.text[: part.code[0][0]].rstrip().endswith(COLONS):
        return False
    return not part.text[part.code[-1][1] :].strip(" .")
