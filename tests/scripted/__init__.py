"""A model behind HTTP that says what its script says, for tests with the frameworks' real clients.

The fixture `server` of tests/conftest.py starts one, and fails the test where the script and the questions differ:

    def test_a_fenced_reply_is_read(server: ScriptedServer) -> None:
        server.reply('{"units": []}', to="Which lines", fault=FENCED)
        model = ChatOpenAI(model="scripted", base_url=server.url, api_key="test", max_retries=0)
        ...
        assert server.requests[0].schema is not None
"""

from tests.scripted.faults import (
    BROKEN_OFF,
    CONTEXT_TOO_LONG,
    EMPTY,
    EMPTY_CHOICES,
    FAILED_MIDWAY,
    FAULTS,
    FENCED,
    FILTERED,
    HELD,
    MODEL_NOT_FOUND,
    NO_CHOICES,
    NO_JSON_BODY,
    NO_USAGE,
    NOT_JSON,
    NULL,
    PROSE_AROUND,
    REFUSED,
    RESET,
    RESET_MIDWAY,
    SERVER_ERROR,
    TRUNCATED,
    UNAUTHORIZED,
    UNAVAILABLE,
    UNENDED,
    WEB_PAGE,
    Fault,
    rate_limited,
)
from tests.scripted.server import ScriptedServer
from tests.scripted.wire import Request, Usage

__all__ = [
    "BROKEN_OFF",
    "CONTEXT_TOO_LONG",
    "EMPTY",
    "EMPTY_CHOICES",
    "FAILED_MIDWAY",
    "FAULTS",
    "FENCED",
    "FILTERED",
    "HELD",
    "MODEL_NOT_FOUND",
    "NOT_JSON",
    "NO_CHOICES",
    "NO_JSON_BODY",
    "NO_USAGE",
    "NULL",
    "PROSE_AROUND",
    "REFUSED",
    "RESET",
    "RESET_MIDWAY",
    "SERVER_ERROR",
    "TRUNCATED",
    "UNAUTHORIZED",
    "UNAVAILABLE",
    "UNENDED",
    "WEB_PAGE",
    "Fault",
    "Request",
    "ScriptedServer",
    "Usage",
    "rate_limited",
]
