"""What plans may ask for of a store, an embedding and an index of words; `library` answers."""

from __future__ import annotations

from dataclasses import dataclass

from thread_core.plan import Plan
from thread_core.ports import Stored, Where


@dataclass(frozen=True, slots=True)
class SearchHeaders:
    """Units whose headers are nearest to a text -> list[Hit]."""

    text: str
    k: int
    where: Where | None = None


@dataclass(frozen=True, slots=True)
class SearchAlike:
    """Units whose headers are nearest to a text that is no question but a header itself -> list[Hit].

    Where many are looked for, `Embed` asked for all of them before makes it one call of the embedding.
    """

    header: str
    k: int


@dataclass(frozen=True, slots=True)
class EmbedQuestion:
    """The vector of a question, length 1 -> numpy array. The question that was searched last costs nothing."""

    text: str


@dataclass(frozen=True, slots=True)
class SearchWords:
    """Units by their words -> list[Hit]."""

    text: str
    k: int


@dataclass(frozen=True, slots=True)
class ReadDocuments:
    """The units of some documents, each in reading order -> dict[str, list[Stored]].

    A document without units is left out. Several at once are read in half the time that one after the other takes.
    """

    document_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadVectors:
    """The vectors of a document's headers as stored, by unit id -> dict[str, Vector | None]."""

    document_id: str


@dataclass(frozen=True, slots=True)
class ReadUnits:
    """Units by id, in that order; missing ones are left out -> list[LogicUnit]."""

    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Embed:
    """Vectors of some texts, length 1 -> numpy array, one row a text."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Resolve:
    """Which document a link's document key means, as written in the document `source` -> Resolution."""

    key: str
    source: str


@dataclass(frozen=True, slots=True)
class Refresh:
    """Take in what has changed in the store since the plan began, as far as `Library.refresh` does -> None."""


OF_THE_WHOLE = (SearchHeaders, SearchAlike, SearchWords, Resolve)
"""Requests whose answers need the words and names of all documents."""
Request = (
    SearchHeaders
    | SearchAlike
    | EmbedQuestion
    | SearchWords
    | ReadDocuments
    | ReadVectors
    | ReadUnits
    | Embed
    | Resolve
    | Refresh
)


def read_document(document_id: str) -> Plan[list[Stored]]:
    """The units of one document in reading order; none where there is no such document."""
    read: dict[str, list[Stored]] = yield ReadDocuments((document_id,))
    return read.get(document_id, [])
