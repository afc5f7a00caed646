"""What a call to a model is for, told to whoever traces it: adapters put it on their framework's spans."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

_LABELS: ContextVar[Mapping[str, str]] = ContextVar("labels", default={})  # noqa: B039  # Nobody writes into it.


def labels() -> Mapping[str, str]:
    """Give the labels of the call that is being made: `role`, and in a walk `guide` and `step`, which are ids.

    Example:
        >>> with labelled({"role": "selector"}):
        ...     labels()["role"]
        'selector'
    """
    return _LABELS.get()


@contextmanager
def labelled(given: Mapping[str, str]) -> Iterator[None]:
    """Label the calls that are made within."""
    token = _LABELS.set(given)
    try:
        yield
    finally:
        _LABELS.reset(token)
