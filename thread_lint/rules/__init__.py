"""All rules, in the order of their codes."""

from __future__ import annotations

from thread_lint.rules.commands import BROKEN_COMMAND, UNWARNED_DELETION
from thread_lint.rules.drawings import ENDLESS_LOOP, OPEN_DECISION, UNREACHABLE_STEP, UNREAD_DRAWING
from thread_lint.rules.ends import DEAD_END, EMPTY_SECTION
from thread_lint.rules.lengths import LONG_STEP
from thread_lint.rules.links import AMBIGUOUS_LINK, DANGLING_LINK, MISSING_STEP, MOVED_LINK
from thread_lint.rules.prerequisites import LATE_PREREQUISITE, LATE_TERM
from thread_lint.rules.rule import Rule
from thread_lint.rules.runs import UNREADABLE_GUIDE, UNUSED_DISABLE

RULES: tuple[Rule, ...] = (
    UNREADABLE_GUIDE,
    UNUSED_DISABLE,
    DEAD_END,
    EMPTY_SECTION,
    OPEN_DECISION,
    UNREACHABLE_STEP,
    ENDLESS_LOOP,
    UNREAD_DRAWING,
    DANGLING_LINK,
    MISSING_STEP,
    AMBIGUOUS_LINK,
    MOVED_LINK,
    LATE_PREREQUISITE,
    LATE_TERM,
    BROKEN_COMMAND,
    UNWARNED_DELETION,
    LONG_STEP,
)
USUAL: tuple[Rule, ...] = tuple(rule for rule in RULES if rule.is_usual)
"""Those that are looked for where nobody selects any."""
