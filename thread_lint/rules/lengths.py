"""Steps that hold more than a reader keeps in mind."""

from __future__ import annotations

from collections.abc import Iterator

from thread_core.documents.blocks.markdown import Block, parts
from thread_core.text.words import count_tokens
from thread_lint.findings import Severity
from thread_lint.rules.rule import Found, Guide, Rule

MOST_TOKENS = 200
"""Of a step's words outside code, as `thread_core.text.words` counts them: some 150 words."""


def _long_step(guide: Guide) -> Iterator[Found]:
    waiting = list(reversed(guide.markdown.blocks))
    while waiting:
        block = waiting.pop()
        if block.kind != "item" or block.number is None:
            waiting += reversed(block.children)
        elif (tokens := _tokens(block)) > MOST_TOKENS:
            told = f"step {block.number} has {tokens} tokens of text, {MOST_TOKENS} are a lot; make several steps of it"
            yield Found(block.start, block.end, told)


def _tokens(item: Block) -> int:
    return sum(count_tokens(block.text) for block in parts([item]) if block.kind != "code")


LONG_STEP = Rule(
    code="TR501",
    name="long-step",
    severity=Severity.NOTE,
    summary=f"A numbered step has more than {MOST_TOKENS} tokens of text",
    why=f"""\
A step is what is done at once and then ticked off. Counted are the tokens of its words with all that stands inside of
it, code left out; {MOST_TOKENS} tokens are some {MOST_TOKENS * 3 // 4} words.
""",
    bad="# Disk full\n\n1. " + "Look into the next folder and write down how much it holds. " * 17 + "\n",
    good="# Disk full\n\n1. Look into each folder.\n2. Write down how much it holds.\n",
    check=_long_step,
)
