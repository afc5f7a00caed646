"""A model behind HTTP that says what its script says, for tests with the frameworks' real clients.

The fixture `server` of tests/conftest.py starts one, and fails the test where the script and the questions differ:

    def test_a_fenced_reply_is_read(server: ScriptedServer) -> None:
        server.reply('{"units": []}', to="Which lines", fault=faults.FENCED)
        model = ChatOpenAI(model="scripted", base_url=server.url, api_key="test", max_retries=0)
        ...
        assert server.requests[0].schema is not None
"""

from tests.scripted.faults import Fault
from tests.scripted.server import ScriptedServer
from tests.scripted.wire import Request, Usage

__all__ = ["Fault", "Request", "ScriptedServer", "Usage"]
