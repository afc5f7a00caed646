"""A list of findings, each with what to do about it in a list of its own -> the case that an item states."""

from __future__ import annotations

from collections.abc import Mapping

from thread_core.documents.blocks.markdown import Block
from thread_core.text import sentences


def findings(block: Block) -> Mapping[int, str]:
    r"""Find the items that only say what is the case, with the remedies in a list below them, where there are several.

    Returns:
        The case that each states, by the line of its first paragraph.

    Example:
        >>> from thread_core.documents.blocks.markdown import parse
        >>> findings(parse("- No ink.\n  - Fill the tank.\n- No paper.\n  - Open the tray.\n").blocks[0])
        {1: 'No ink', 3: 'No paper'}
    """
    if block.number is not None:
        return {}
    stated = [(item, case) for item in block.children if (case := _case(item))]
    told = sum(_tells(item.children[1]) for item, _ in stated)
    is_one = told > 1 and 2 * told >= len(block.children)
    return {item.children[0].start: case for item, case in stated} if is_one else {}


def _case(item: Block) -> str:
    """The first sentence of an item that has nothing but a list below it, where that is neither told nor asked."""
    if [part.kind for part in item.children] != ["paragraph", "list"]:
        return ""
    said = item.children[0]
    first = next((sentence.text for sentence in sentences.cut(said.text, said.code)), "")
    is_name = " " not in first
    return "" if is_name or first.endswith((":", "?")) or sentences.instructs(first) else first.rstrip(" .")


def _tells(remedies: Block) -> bool:
    return any(sentences.instructs(part.text) for one in remedies.children for part in one.children[:1])
