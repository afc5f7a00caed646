"""`thread-rag ingest --ray`: how each process of a cluster opens the store, and the model for all of them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from thread_core import default_embedding
from thread_core.ingest import ThreadIngest
from thread_rag.extracting import Asking
from thread_rag.place import Place

if TYPE_CHECKING:
    from thread_ray.runner import RayRunner


def runner(
    address: str,
    shards: int,
    place: Place,
    *,
    merge_chains: int,
    merge_similar: bool,
    asking: Asking | None,
) -> RayRunner:
    """Writers of a cluster, each over connections of its own to what the command keeps.

    Raises:
        ModuleNotFoundError: Ray is missing.
    """
    from thread_ray.runner import RayRunner

    here = Place(place.directory.absolute(), place.server)
    opened = partial(open_ingest, here, merge_chains, merge_similar)
    # One process asks for all writers: with one budget, and one file of replies.
    open_extractor = partial(asking.extractor, here.directory) if asking else None
    return RayRunner(opened, shards=shards, address=address, open_extractor=open_extractor)


def open_ingest(place: Place, merge_chains: int, merge_similar: bool) -> ThreadIngest:
    """The command's ingest, in a writer's process."""
    return ThreadIngest(
        place.writable(),
        default_embedding(),
        words=place.words(),
        ledger=place.ledger(),
        merge_chains=merge_chains,
        merge_similar=merge_similar,
    )
