"""Who carries steps out: the person, Python functions and framework tools, or programs that are allowed by name."""

from thread_core.executors.allowing import Allow, Among, Matching, Number, Within
from thread_core.executors.callables import CallableExecutor
from thread_core.executors.commands import CommandExecutor
from thread_core.executors.redacting import without_secrets
from thread_core.walk.execution import ManualExecutor

__all__ = [
    "Allow",
    "Among",
    "CallableExecutor",
    "CommandExecutor",
    "ManualExecutor",
    "Matching",
    "Number",
    "Within",
    "without_secrets",
]
