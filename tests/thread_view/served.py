"""Guides that are hostile, a store of them in memory, and the server over it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from starlette.testclient import TestClient

from thread_core import Document, default_embedding
from thread_core.documents.blocks.source import Source
from thread_core.extraction.corrections import Key
from thread_core.ingest import ThreadIngest
from thread_core.models import Correction
from thread_core.shelf import Shelf
from thread_core.store.lexical import SqliteLexicalIndex
from thread_core.store.library import Library
from thread_core.testing.store import MemoryStore
from thread_core.walk.session import HowToSession
from thread_view.addresses import Served
from thread_view.findings import Finding
from thread_view.pages import Pages
from thread_view.server import app

LAMP = """\
# The lamp is dark

You need a ladder.

## Look

1. Look at the relay:

   ```sh
   relayctl status
   ```

   If it is hot, go to [Replace](#replace). If it hums, see [the fuse](fuse.md#pull).
   If it is cold, the issue is resolved.

> [!WARNING]
> Do not touch the bulb.

## Replace

1. Switch the power off.
2. See [the old guide](old.md).
"""
HOSTILE = """\
# <script>alert(1)</script> & {{ 7 * 7 }}

## Pull <img src=x onerror=alert(2)>

1. Pull </script></pre><style>*{display:none}</style> the [fuse](javascript:alert(3)).
   - If it is "><b onclick="alert(4)">black</b>, go to [Replace](lamp.md#replace).
   - If it is white, see [this](https://example.com/?a=1&b="2").
"""
GUIDES = {"lamp.md": LAMP, "fuse.md": HOSTILE}
ADDRESS = "http://127.0.0.1"


class Notebook:
    """A desk that keeps what is said in memory, and takes the document in again."""

    def __init__(self, documents: Mapping[str, str] = GUIDES) -> None:
        self.documents = dict(documents)
        self.said: dict[Key, Correction] = {}
        self.store, self.words = MemoryStore(), SqliteLexicalIndex()
        self.ingest = ThreadIngest(self.store, default_embedding(), words=self.words)
        self.ingest.run([Document(*one) for one in self.documents.items()])

    def sheet(self, document_id: str) -> tuple[str, Source, tuple[Correction, ...]]:
        return f"{document_id}.thread.toml", Source(self.documents[document_id]), tuple(self.said.values())

    def keep(self, document_id: str, said: Mapping[Key, Correction | None]) -> str:
        self.said = {key: one for key, one in {**self.said, **said}.items() if one is not None}
        self.ingest.run([Document(document_id, self.documents[document_id], corrections=self.said.values())])
        return "Kept."

    def shelf(self) -> Shelf:
        return Shelf.of_store(self.store, self.words)

    def session(self) -> HowToSession:
        return HowToSession(Library(self.store, default_embedding(), self.words))


def a_server(desk: Notebook | None = None, findings: Any = (), other: Shelf | None = None) -> Any:
    """The server as a browser would reach it."""
    notebook = desk or Notebook()

    def read() -> Pages:
        found: list[Finding] = list(findings)
        return Pages(notebook.shelf(), Served(), findings=found, other=other, other_name="another")

    return app(read, notebook.session, notebook)


def a_browser(served: Any = None) -> TestClient:
    """A browser that sends what browsers send."""
    return TestClient(served or a_server(), base_url=ADDRESS, headers={"origin": ADDRESS})


def token(page: str) -> str:
    """What the forms of a page send."""
    found = re.search(r'name="token" value="(\w+)"', page)
    assert found is not None
    return found[1]
