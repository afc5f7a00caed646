r"""Finds what is wrong with guides as guides: ways that lead nowhere, decisions left open, commands that do harm.

Example:
    >>> from thread_core import Document
    >>> [found.message for found in check([Document("a.md", "# Lid\n\n1. See [the lid](lid.md).\n")])]
    ['the link to lid.md leads to no guide here; correct it, or add the guide']
"""

from thread_lint.checking import check
from thread_lint.findings import Finding, Severity
from thread_lint.rules import RULES
from thread_lint.rules.rule import Found, Guide, Rule

__all__ = ["RULES", "Finding", "Found", "Guide", "Rule", "Severity", "check"]
