"""Where a collection comes from: a directory, a server, or the user's own; each is looked at before it is used.

The index keeps Chroma's settings. With 100,000 rows of 256 dimensions, writing it to disk every 1,000 rows (as it is),
10,000 or 50,000 took 122, 122 and 155 s of processor time, and the first query after a start 0.3, 0.9 and 2.1 s. Half
the neighbours made 10,000 rows a quarter cheaper and lost 5 of the 100 nearest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from thread_chroma.store import COSINE, IN_COSINE, ChromaUnitStore, space_of
from thread_chroma.telling import in_our_words, reason
from thread_core.errors import BadStore

if TYPE_CHECKING:
    from chromadb import Collection
    from chromadb.api import ClientAPI
    from chromadb.api.collection_configuration import CreateCollectionConfiguration

C = TypeVar("C")

COLLECTION = "thread"
"""Name of the collection that is opened where none is named; the command keeps this one."""
_INGEST = "run `thread-rag ingest PATH --store {}`, or choose another directory"
TIMEOUT = 120.0
"""Seconds that a server may be silent. To write 5,400 rows of 1,536 dimensions took 16."""


def open_store(directory: str | Path, *, collection: str = COLLECTION, create: bool = False) -> ChromaUnitStore:
    """The store in a directory, such as the command keeps; with `create`, made where it is missing.

    Raises:
        BadStore: there is no such store, it cannot be opened, or it was not made with cosine distances.
    """
    _, rows, batch = open_rows(Path(directory), collection, create=create)
    return ChromaUnitStore(rows, batch=batch)


@contextmanager
def writing_store(directory: str | Path, *, collection: str = COLLECTION) -> Iterator[ChromaUnitStore]:
    """The store in a directory that this process follows (`follow_store`), to be written once and let go of.

    Whoever follows it has to be asked something before, so that what others have written is known; and learns after
    it of this write.

    Raises:
        BadStore: as of `open_store`.
    """
    client: Any
    client, rows, batch = open_rows(Path(directory), collection)
    try:
        yield ChromaUnitStore(rows, batch=batch)
    finally:
        client.close()


def open_rows(path: Path, collection: str, *, create: bool = False) -> tuple[ClientAPI, Collection, int]:
    """A directory's client, its collection, and how many rows a call takes at most; see `open_store`."""
    check_directory(path, create=create)
    missing = f"{path} is a Chroma directory without a collection {collection!r}; {_INGEST.format(path)}"
    client = _embedded(path)
    return client, *_opened(client, collection, missing, create=create)


def check_directory(path: Path, *, create: bool = False) -> None:
    """Raise BadStore where a directory is none of Chroma's, and is not to become one."""
    if path.exists() and not path.is_dir():
        raise BadStore(f"{path} is a file, expected a directory; choose another one")
    if not create and not (path / "chroma.sqlite3").is_file():
        raise BadStore(f"{path} {'holds no store' if path.exists() else 'does not exist'}; {_INGEST.format(path)}")


def open_server(
    url: str,
    *,
    collection: str = COLLECTION,
    create: bool = False,
    headers: Mapping[str, str] | None = None,
    tenant: str = "default_tenant",
    database: str = "default_database",
    timeout: float | None = TIMEOUT,
) -> ChromaUnitStore:
    """The store of a Chroma server (`chroma run`), which any number of processes may write and read.

    Args:
        url: Where it listens, such as `http://localhost:8000`.
        collection: The collection's name.
        create: Make the collection where it is missing.
        headers: Sent with each request, such as a token.
        tenant: Chroma's tenant.
        database: Chroma's database.
        timeout: Seconds that the server may be silent before a call is given up; None waits for ever.

    Raises:
        ValueError: the URL is not one of http or https with a host and no path.
        BadStore: there is no such server, tenant, database or collection, or it was not made with cosine distances.
    """
    client = _served(url, dict(headers or {}), tenant, database)
    in_time(client, timeout)
    missing = f"{url} has no collection {collection!r}; ingest first, open it with create=True, or choose another one"
    rows, batch = _opened(client, collection, missing, create=create)
    return ChromaUnitStore(rows, batch=batch)


def in_time(client: C, seconds: float | None) -> C:
    """Have each call of a Chroma server's client be given up when the server is silent for so long.

    Chroma's client waits for ever, has no setting for it, and makes one session of httpx: its time limit is set.

    Returns:
        The client.

    Raises:
        TypeError: it is no such client, but perhaps an embedded one.

    Example:
        store = Chroma("guides", embeddings, client=in_time(chromadb.HttpClient("localhost", 8000), 30))
    """
    import httpx

    session = getattr(getattr(client, "_server", None), "_session", None)
    if not isinstance(session, httpx.Client):
        raise TypeError(f"found a {type(client).__name__}, expected a chromadb.HttpClient, which asks a server")
    session.timeout = seconds
    return client


def check(collection: Any) -> None:
    """See that a `chromadb.Collection` measures cosine distances, as units need it.

    Raises:
        BadStore: it measures others. That is fixed when a collection is made: Chroma ignores what is said later.
    """
    if (space := space_of(collection)) != COSINE:
        raise BadStore(f"the collection {collection.name!r} uses {space} distances, expected cosine; {IN_COSINE}")


def _opened(client: ClientAPI, name: str, missing: str, *, create: bool) -> tuple[Collection, int]:
    with in_our_words():
        if name not in {collection.name for collection in client.list_collections()}:
            if not create:
                raise BadStore(missing)
            configuration: CreateCollectionConfiguration = {"hnsw": {"space": "cosine"}}
            client.create_collection(name, configuration=configuration, embedding_function=None, get_or_create=True)
        collection = client.get_collection(name, embedding_function=None)
        batch = client.get_max_batch_size()
    check(collection)
    return collection, batch


def _embedded(path: Path) -> ClientAPI:
    import chromadb
    from chromadb.config import Settings

    try:
        return chromadb.PersistentClient(path, settings=Settings(anonymized_telemetry=False))
    except Exception as error:
        raise BadStore(f"{path} cannot be opened as a Chroma directory: {reason(error) or error}") from error


def _served(url: str, headers: dict[str, str], tenant: str, database: str) -> ClientAPI:
    import chromadb
    from chromadb.config import Settings

    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/"):
        raise ValueError(f"found {url!r}, expected the address of a Chroma server, such as http://localhost:8000")
    secure = parts.scheme == "https"
    try:
        return chromadb.HttpClient(
            parts.hostname,
            parts.port or (443 if secure else 8000),
            ssl=secure,
            headers=headers,
            settings=Settings(anonymized_telemetry=False),
            tenant=tenant,
            database=database,
        )
    except Exception as error:
        said = " ".join(str(error).split())
        raise BadStore(
            f"{url} cannot be opened as a Chroma server ({said}); check that `chroma run` listens there"
        ) from error
