"""What begins a paragraph and is set off from the rest -> the case that it states, where it states one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from thread_core.text import cases, conditions, directions, header, sentences
from thread_core.text.markdown import Block
from thread_core.text.messages import begins_with_code, message_of
from thread_core.text.promises import Role, promise
from thread_core.text.roles import names_readers
from thread_core.text.scripts import COLONS, is_spaceless
from thread_core.text.steps import step_named

LONGEST = 10
"""Words of a label at most; what is longer is a sentence."""
LONGEST_LISTED = 14
"""The same of an item in a list that does not count."""

_YES_OR_NO = re.compile(r"(?:yes|no)\s*:", re.IGNORECASE)
_SET_OFF = re.compile(r"(?<=[:：.?–—-])|\s*(?:[:：(（–—]|-+\s)|[^\S\n]*\n")
"""What stands between a label in bold and the rest: a mark or a line's end."""
TELLING = frozenset((Role.PREREQUISITE, Role.BACKGROUND, Role.APPENDIX, Role.TERMINOLOGY))
"""What is promised by a label that says something about the whole: "Severity", "Owner"."""
_CIRCUMSTANCE = re.compile(r"(?:after|before|during|only|without)\b", re.IGNORECASE)
"""How a label begins that says when a step is taken."""
_ADVISING = re.compile(r"(?:please )?(?:do not|don['\u2019]t|never|avoid)\b", re.IGNORECASE)
"""How what is only advised begins: "Do not try it twice: it locks"."""
_NAMING = frozenset(("command", "commands", "output", "usage", "syntax", "path", "file", "url", "link", "scope"))
"""Labels of what is written out after them."""
_FIELD = re.compile(
    r"(?:.*\s)?(?:names?|types?|values?|data|keys?|ids?|paths?|files?|folders?|numbers?|address(?:es)?|ports?)",
    re.IGNORECASE,
)
"""A label of what is filled in."""
_CALLED = re.compile(r"\W*\+?\(?\d[\d\s()./-]{5,}")
"""A number that is called."""
_ADDRESS = re.compile(r"<?\w+://\S+")
"""What a label only introduces."""
_WORD = re.compile(r"[^\W\d_]{2}")
_SHOWING = re.compile(
    r"(?:for )?examples?|.*\b(?:format|follows|like this|looks? like)|.*\bfollowing\b.*", re.IGNORECASE
)
"""A label of what is only shown."""


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
    lead = block.lead or (message_of(block) if is_listed else "")
    rest = sentence.text.removeprefix(lead).lstrip(" :：-–—")
    found: conditions.Clause | None = None
    if lead and rest and rest != sentence.text and _SET_OFF.match(block.text, len(lead)):
        found = conditions.Clause(lead.strip(" :：.-"), rest)
    elif _may_begin_label(text := sentences.without_signs(sentence.text), block, is_listed):
        found = conditions.label(text)
    longest = LONGEST_LISTED if is_listed else LONGEST
    if found is None or header.clip(found.condition, longest) != " ".join(found.condition.split()):
        return None
    if (
        sentences.is_aside(found.condition)
        or sentences.instructs(found.condition)
        or _ADVISING.match(found.condition)
        or _SHOWING.fullmatch(found.condition)
        or (not block.links and _ADDRESS.fullmatch(found.consequence))
        or _is_data(found)
    ):
        return None
    if step_named(found.condition) is not None:
        return conditions.clause(found.consequence)
    if directions.is_counted(found.condition):
        return conditions.clause(found.consequence) or found
    if is_step and not block.lead and not (_CIRCUMSTANCE.match(found.condition) or conditions.compares(found)):
        return conditions.clause(found.consequence)
    promised = promise(found.condition)
    if promised is Role.STEP and " " not in found.condition:
        return conditions.clause(found.consequence)
    tells = promised in TELLING or found.condition.lower() in _NAMING or names_readers(found.condition)
    return None if tells else found


def _is_data(labelled: conditions.Clause) -> bool:
    """Whether a label is of something that is filled in or called: "Value type: DWORD", "By phone: 0800 555 0123"."""
    if _CALLED.match(labelled.consequence):
        return True
    said = sentences.instructs(labelled.consequence) or sentences.explains(labelled.consequence)
    return _FIELD.fullmatch(labelled.condition) is not None and not (said or directions.ending(labelled.consequence))


def _may_begin_label(text: str, block: Block, is_listed: bool) -> bool:
    text = text.lstrip(sentences.QUOTES)
    if text[:1].isupper() or is_spaceless(text.lstrip("*")[:1]) or _YES_OR_NO.match(text):
        return True
    found = conditions.label(text)
    if is_listed and (sentences.explains(text) or (found and _is_case(found, block))):
        return True
    return found is not None and conditions.compares(found)


def _is_case(labelled: conditions.Clause, block: Block) -> bool:
    """Whether a label in small letters is for all the rest, or the words behind it say what to do, or where to go."""
    then = labelled.consequence
    told = sentences.instructs(then) or directions.directs(then) or directions.ending(then) is not None
    leads = bool(block.links) and directions.sends_on(then)
    return cases.is_rest(labelled.condition) or ((told or leads) and not begins_with_code(block))


def with_its_case(lead: str, cut: Iterator[sentences.Sentence]) -> Iterator[sentences.Sentence]:
    """Sentences, of which the second belongs to a label in bold that is the first one.

    "**Version 2**<br>Press A." and "**The phone asks for a PUK.** Go to [Unlock](#unlock)." say one thing.
    """
    first = next(cut, None)
    if first is None:
        return
    if first.text == lead and _WORD.search(lead) and (second := next(cut, None)):
        if not lead.endswith(".") or sentences.instructs(second.text) or directions.directs(second.text):
            yield second._replace(text=f"{lead} {second.text}", first=first.first, start=first.start)
        else:
            yield from (first, second)
    else:
        yield first
    yield from cut


def are_answers(asked: Block | None, block: Block) -> bool:
    """Whether a numbered list holds the answers to a question right above it: no item says what to do first."""
    if asked is None or asked.kind != "paragraph" or not asked.text.rstrip().endswith("?"):
        return False
    items = [item.children[0] for item in block.children if item.number is not None and item.children]
    firsts = [next(sentences.cut(item.text), None) for item in items if item.kind == "paragraph"]
    told = [first is None or sentences.tells(first.text) for first in firsts]
    return block.kind == "list" and 1 < len(told) == len(block.children) and not any(told)


def answering(block: Block, sentence: sentences.Sentence) -> conditions.Clause | None:
    """The answer that an item begins with, and what to do then, as in "It is broken. Send it back."."""
    rest = block.text[sentence.stop :].strip()
    return conditions.Clause(sentence.text.strip(" .:"), rest) if rest else None


def lists_steps(blocks: Sequence[Block]) -> bool:
    """Whether a numbered list among some blocks is one of steps: instructions, or names with commands."""
    items = (
        part for block in blocks if block.kind == "item" and block.number is not None for part in block.children[:1]
    )
    return any(part.kind == "paragraph" and (sentences.tells(part.text) or _is_named_command(part)) for part in items)


def _is_named_command(part: Block) -> bool:
    """`Fence the primary: fence db1`, the command in inline code."""
    if not part.code or not any(colon in part.text[: part.code[0][0]] for colon in COLONS):
        return False
    before, after = part.text[: part.code[0][0]], part.text[part.code[-1][1] :]
    return before.rstrip().endswith(COLONS) and not after.strip(" .")
