"""Who may reach the server over the network: a file of tokens, each a client's."""

from __future__ import annotations

import hashlib
import hmac
import stat
from collections.abc import Mapping
from pathlib import Path

from mcp.server.auth.provider import AccessToken

from thread_core.errors import BadFile
from thread_mcp.kept import CLIENT, LOCAL

SHORTEST = 20
"""Characters of a token."""
_ADVICE = "expected one line `name token` per client; `openssl rand -hex 32` makes a token"


class Clients:
    """Clients and their tokens: a `TokenVerifier` of the SDK. Of tokens, only digests are kept."""

    def __init__(self, tokens: Mapping[str, str]) -> None:
        """Take tokens by clients' names.

        Raises:
            ValueError: a name is none, or a token is short or another's.
        """
        for name, token in tokens.items():
            if not CLIENT.fullmatch(name):
                raise ValueError(f"found the client {name[:60]!r}, expected at most 40 letters, digits, - and _")
            if name == LOCAL:
                raise ValueError(f"{LOCAL} is the name of the client without a token; choose another name")
            if len(token) < SHORTEST or not token.isascii():
                raise ValueError(f"the token of {name} could be guessed; expected at least {SHORTEST} ASCII characters")
        self._clients = {_digest(token): name for name, token in tokens.items()}
        if len(self._clients) < len(tokens):
            raise ValueError("two clients have the same token; give each its own")

    @classmethod
    def read(cls, path: Path) -> Clients:
        """The tokens in a file that its owner alone can read.

        Raises:
            BadFile: it cannot be read, others can read it, or a line is none of `name token`.
        """
        try:
            mode, text = stat.S_IMODE(path.stat().st_mode), path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise BadFile(f"{path} cannot be read ({getattr(error, 'strerror', 'no text')}); {_ADVICE}") from error
        if mode & 0o077:
            raise BadFile(f"{path} can be read by others (mode {mode:o}); run: chmod 600 {path}")
        found: dict[str, str] = {}
        for number, line in enumerate(text.splitlines(), 1):
            words = line.split()
            if words and not line.startswith("#"):
                if len(words) != 2 or words[0] in found:
                    raise BadFile(f"{path}: line {number} has no token, or a name that was used before; {_ADVICE}")
                found[words[0]] = words[1]
        if not found:
            raise BadFile(f"{path} has no tokens; {_ADVICE}")
        try:
            return cls(found)
        except ValueError as error:
            raise BadFile(f"{path}: {error}; {_ADVICE}") from error

    async def verify_token(self, token: str) -> AccessToken | None:
        """Whose token it is; None where it is nobody's. How long that takes tells nothing of the tokens."""
        digest = _digest(token)
        names = [name for known, name in self._clients.items() if hmac.compare_digest(known, digest)]
        return AccessToken(token=token, client_id=names[0], scopes=[]) if names else None


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
