"""What a walk shows, and what becomes of what a person reports in it."""

from __future__ import annotations

from typing import get_args

from thread_core.text.words import count_tokens
from thread_eval.datasets.gold import Quote, Task
from thread_eval.metrics.retrieval import step_recall
from thread_eval.scores import Score, mean_of, not_applicable
from thread_eval.system import Reply
from thread_eval.walking import WIDE, End, Entry, Explored, continues, read

NARROW = 200
"""Tokens of the reply to an outcome in which the next step must stand, where it is taken strictly."""
TRUST: tuple[End, ...] = get_args(End)
ENTRIES: tuple[Entry, ...] = get_args(Entry)


def score_walk(found: Explored, task: Task) -> dict[str, Score]:
    """Of one walk through one task, as `walking.explore` gives it."""
    texts = [read(turn) for turn in found.turns]
    tried = list(zip(task.branches, found.replies, strict=True))
    ways = [(branch.next.quote, reply) for branch, reply in tried if isinstance(branch.next, Quote)]
    ends = [
        reply is not None and reply.status == branch.next for branch, reply in tried if isinstance(branch.next, str)
    ]
    came = [end for end in found.ends if end]
    return {
        "walk_recall": step_recall(texts, task.step_quotes),
        "walk_tokens": Score(value=sum(count_tokens(turn.text) for turn in found.turns), reason="shown"),
        "prerequisites": step_recall(texts, [one.quote for one in task.prerequisites]),
        "branch": mean_of([continues(reply, quote, WIDE) for quote, reply in ways], "branches"),
        "branch_strict": mean_of([continues(reply, quote, NARROW) for quote, reply in ways], "branches"),
        "branch_first": mean_of([continues(_first(reply), quote, NARROW) for quote, reply in ways], "branches"),
        "endings": mean_of(ends, "endings"),
        **{end: mean_of([one == end for one in came], "outcomes whose step was shown") for end in TRUST},
        **{f"entry_{entry}": _entry(found, entry) for entry in ENTRIES},
    }


def _entry(found: Explored, entry: Entry) -> Score:
    if found.entry is None:
        return not_applicable("the system does not say where it stands")
    return Score(value=float(found.entry == entry), reason=f"the question led {found.entry}")


def _first(reply: Reply | None) -> Reply | None:
    """The passage that a reply cites first, as a reply of its own."""
    return None if reply is None else Reply(reply.first or reply.text, reply.status if reply.goes_on else "unknown")
