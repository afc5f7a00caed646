"""When PostgreSQL and a client of it take each other for lost: who was cut off must not keep what others wait for.

By themselves they wait for two hours. A transaction that writes is given up sooner than a session: so what somebody who
was cut off has begun is undone before the locks are let go of that the session holds.
"""

from __future__ import annotations

SESSION = 45
"""Seconds of silence after which a session is lost, and"""
WRITING = 25
"""seconds of it within a transaction that writes."""
_IDLE, _INTERVAL = 10, 5
"""Seconds after which the other side is asked whether it is there, at first and again."""


def of_client() -> dict[str, int]:
    """What tells libpq when to take the server for lost."""
    return {
        "keepalives_idle": _IDLE,
        "keepalives_interval": _INTERVAL,
        "keepalives_count": _count(SESSION),
        "tcp_user_timeout": 1000 * SESSION,
    }


def told(seconds: int, *, local: bool = True) -> str:
    """Columns of a SELECT that tell the server when the client is lost: in this transaction, or from now on."""
    settings = {
        "tcp_keepalives_idle": _IDLE,
        "tcp_keepalives_interval": _INTERVAL,
        "tcp_keepalives_count": _count(seconds),
        "tcp_user_timeout": 1000 * seconds,
    }
    return ", ".join(f"set_config('{name}', '{value}', {str(local).lower()})" for name, value in settings.items())


def _count(seconds: int) -> int:
    return (seconds - _IDLE) // _INTERVAL
