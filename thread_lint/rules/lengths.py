"""Steps that hold more than a reader keeps in mind."""

from __future__ import annotations

from collections.abc import Iterator

from thread_core.documents.blocks.markdown import Block, parts
from thread_core.text.words import count_tokens
from thread_lint.findings import Severity
from thread_lint.rules.rule import Found, Guide, Rule

MOST_TOKENS = 200
"""Of what a step says itself, as `thread_core.text.words` counts them: some 150 words."""


def _long_step(guide: Guide) -> Iterator[Found]:
    for block in parts(guide.markdown.blocks):
        if block.kind == "item" and block.number is not None and (tokens := _tokens(block)) > MOST_TOKENS:
            told = f"step {block.number} has {tokens} tokens of text, expected at most {MOST_TOKENS}; split it"
            yield Found(block.start, block.end, told)


def _tokens(item: Block) -> int:
    """Tokens of what a step says itself: lists, code and tables inside of it left out."""
    count, waiting = 0, list(item.children)
    while waiting:
        block = waiting.pop()
        if block.kind in ("code", "table", "item"):
            continue
        count += 0 if block.text.startswith(":::") else count_tokens(block.text)
        waiting += block.children
    return count


LONG_STEP = Rule(
    code="TR501",
    name="long-step",
    severity=Severity.NOTE,
    summary=f"A numbered step has more than {MOST_TOKENS} tokens of text",
    why=f"""\
A step is something to do at once and tick off. The rule counts the tokens of its words ({MOST_TOKENS} tokens are about
{MOST_TOKENS * 3 // 4} words), without the code, tables and lists inside it. In other people's guides many findings were
numbered arguments, not steps, so it runs only if you select it.
""",
    bad="# Disk full\n\n1. " + "Look into the next folder and write down how much it holds. " * 17 + "\n",
    good="# Disk full\n\n1. Look into each folder.\n2. Write down how much it holds.\n",
    check=_long_step,
    is_usual=False,
)
