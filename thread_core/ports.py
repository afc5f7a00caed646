"""What the core asks of the world. Small protocols; an adapter turns a framework's object into one of them.

`thread_core.testing` has an in-memory store and the suite that a new store must pass.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, Protocol

from thread_core.models import LogicUnit, Scalar

Vector = Sequence[float]


class Hit(NamedTuple):
    """A unit found by a search; a higher score is better, and scores of one search compare."""

    unit_id: str
    document_id: str
    score: float


class Stored(NamedTuple):
    """A unit as the store holds it, with its header's vector where the store gives it out."""

    unit: LogicUnit
    vector: Vector | None


class DocumentNames(NamedTuple):
    """A document and what others may call it when they link to it."""

    document_id: str
    title: str
    aliases: tuple[str, ...]


class Embedder(Protocol):
    """Texts -> vectors, all of one length."""

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector for each text, in order; an empty list for no texts."""

    def embed_query(self, text: str) -> list[float]:
        """The vector of a question, where a model tells questions from passages."""


class UnitStore(Protocol):
    """Logic units by header vector, by document, by id. Other rows of the same collection are never touched."""

    def search(self, vector: Vector, k: int, where: Mapping[str, Scalar] | None = None) -> list[Hit]:
        """The k units whose headers are nearest, best first; score is the cosine similarity."""

    def document(self, document_id: str) -> list[Stored]:
        """All units of one document in reading order; empty when there is none."""

    def get(self, ids: Sequence[str]) -> list[LogicUnit]:
        """Units by id, in the order of `ids`; missing ones are left out."""

    def ids(self) -> list[str]:
        """The ids of all units."""

    def version(self) -> str:
        """Changes whenever a unit is added or removed, by whomever."""

    def upsert(self, units: Sequence[LogicUnit], vectors: Sequence[Vector]) -> None:
        """Write units with their headers' vectors, every metadata key every time."""

    def update_metadata(self, units: Sequence[LogicUnit]) -> None:
        """Rewrite all but the vectors of units that are there."""

    def delete(self, ids: Sequence[str]) -> None:
        """Remove units; missing ids and an empty list are fine."""


class Message(NamedTuple):
    """One message of a conversation with a model."""

    role: Literal["system", "user", "assistant"]
    text: str


class LLM(Protocol):
    """A language model that is asked and answers in text; parsing and checking are the caller's."""

    def complete(self, messages: Sequence[Message]) -> str:
        """The reply to a conversation. What the model's client raises comes through."""


class LexicalIndex(Protocol):
    """Words -> units, by BM25 over header and body; and the names of the units' documents.

    `thread_core.lexical.bring_into_step` keeps one in step with a store.
    """

    def search(self, words: str, k: int) -> list[Hit]:
        """The k best units, best first; empty when no word is known."""

    def names(self) -> Iterable[DocumentNames]:
        """The documents of the units that are held."""

    def ids(self) -> set[str]:
        """The units that are held."""

    def version(self) -> str:
        """The marker: the store's version at which both held the same units; empty when they may differ."""

    def update(self, added: Iterable[Sequence[LogicUnit]], removed: Collection[str], version: str) -> None:
        """Take units in, drop others and set the marker; on failure the old content stays.

        Of a unit that is held already nothing changes but its document's names. Missing ids are fine.
        """
