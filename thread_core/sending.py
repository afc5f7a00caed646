"""Whether a value can go to another process; where it cannot, one error says why and what to do."""

from __future__ import annotations

import pickle

from thread_core.errors import kind_of


def check_sendable(value: object, what: str, instead: str) -> None:
    """See that a value can be pickled, before pickle meets in it what nobody knows.

    Raises:
        TypeError: it cannot.

    Example:
        >>> check_sendable(print.__self__, "the printer", "make one there")
        Traceback (most recent call last):
        ...
        TypeError: the printer is a module, which can neither be pickled nor copied deeply; make one there
    """
    try:
        pickle.dumps(value)
    except Exception as error:
        raise TypeError(f"{what} is a {kind_of(value)}, which cannot be pickled or deep-copied; {instead}") from error
