"""What the core asks of the world. Small protocols; an adapter turns a framework's object into one of them.

`thread_core.testing` has an in-memory store and the suite that a new store must pass.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, field_validator

from thread_core.models import LogicUnit, Model

Vector = Sequence[float]
SHORTEST = 1e-5
"""A vector that is not longer has no direction: it is like nothing."""
Where = Mapping[str, Any]
"""What a row's metadata must be: each key with its value, and under `$and` a list of such. A store may know more.

Keys are those of `layout` and of the document's own metadata; Chroma's stores know Chroma's operators besides.
"""


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


@runtime_checkable
class UnitStore(Protocol):
    """Logic units by header vector, by document, by id. Other rows of the same collection are never touched."""

    def search(self, vector: Vector, k: int, where: Where | None = None) -> list[Hit]:
        """The k units whose headers are nearest, best first; score is the cosine similarity."""

    def documents(
        self, document_ids: Sequence[str], where: Where | None = None, *, vectors: bool = False
    ) -> dict[str, list[Stored]]:
        """The units of some documents, all or those that meet a filter, each document's in reading order.

        A document without any is left out. Vectors cost a store time, and are given where they are asked for.
        """

    def get(self, ids: Sequence[str], where: Where | None = None) -> list[LogicUnit]:
        """Units by id, in the order of `ids`; missing ones are left out, and those that do not meet a filter."""

    def ids(self, document_ids: Sequence[str] | None = None) -> list[str]:
        """The ids of all units, or of those of some documents."""

    def version(self) -> str:
        """`versioning.version_of` the ids of all units, whoever wrote them; empty when there is none."""

    def write(
        self,
        units: Sequence[LogicUnit] = (),
        vectors: Sequence[Vector] = (),
        *,
        moved: Sequence[LogicUnit] = (),
        gone: Sequence[str] = (),
    ) -> None:
        """Turn some documents' units into their present ones, for readers at one stroke.

        A reader sees of each document what it was or what it is, never both and never neither, as far as the store can
        do that; what it cannot, its class says. Killed at any moment, it leaves the documents as they were or as they
        are, and what `sweep` removes.

        Args:
            units: Units that come, or that replace the ones with their ids.
            vectors: Their headers' vectors, one each.
            moved: Units that are there and say the same, of which all but the vector is written anew; others are
                passed over.
            gone: Ids of units that go; missing ones are fine.
        """

    def sweep(self) -> int:
        """Remove what writes that were cut short have left behind; the number of rows. No reader saw them."""


def rows_of(store: UnitStore, document_id: str, where: Where | None = None) -> list[Stored]:
    """The units of one document with their vectors, in reading order, all or those that meet a filter."""
    return store.documents([document_id], where, vectors=True).get(document_id, [])


class Message(NamedTuple):
    """One message of a conversation with a model."""

    role: Literal["system", "user", "assistant"]
    text: str


class Usage(Model):
    """What some questions to models cost."""

    calls: int = 0
    """Requests that were made, those that failed among them."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    """Of the prompt tokens, those that the provider had cached."""
    recalled: int = 0
    """Replies that were taken from our own cache instead of a call."""

    def __add__(self, other: Usage) -> Usage:
        """Both together."""
        return Usage(**{name: value + getattr(other, name) for name, value in self})

    def __sub__(self, other: Usage) -> Usage:
        """This one without the other."""
        return Usage(**{name: value - getattr(other, name) for name, value in self})


class Reply(Model):
    """What a model said; of a stream, one piece."""

    text: str
    usage: Usage = Usage()
    """As the provider counted; of a stream, in its last piece."""
    end: Literal["", "complete", "length", "refused"] = "complete"
    """How it ended: by itself, cut at the longest reply, or refused; empty for a stream's pieces before the last."""

    @field_validator("text")
    @classmethod
    def _whole_characters(cls, text: str) -> str:
        """JSON can spell half a character, which no file, store or service takes."""
        return text.encode(errors="replace").decode()


class Form(BaseModel):
    """What a model's reply must look like, as JSON; fields that are not known are passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        """The JSON schema as services take it that keep to schemas strictly: every field required, no others."""
        schema: dict[str, Any] = _strict(cls.model_json_schema())
        return schema


def _strict(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    strict = {key: _strict(part) for key, part in schema.items() if key not in _NOT_STRICT}
    if "properties" in strict:
        strict |= {"required": list(strict["properties"]), "additionalProperties": False}
    return strict


_NOT_STRICT = ("default", "title", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern")
"""What such services refuse or ignore; it is checked when the reply is read."""


class LLM(Protocol):
    """A language model that is asked and answers in text; parsing, checking and asking again are the caller's.

    An adapter's object translates what its framework raises into `ModelError`, or `ModelBusy` where asking again may
    help, or `TooLong`, or `CallRefused`; see `thread_core.llm.errors.translate`. A call that is refused is made again
    without a schema, or with another limit, and what works is kept to.
    """

    @property
    def name(self) -> str:
        """The model's own name, as in the reports and in the key of cached replies."""

    @property
    def settings(self) -> str:
        """What tells it from the same model set up otherwise, or at another address; see `thread_core.llm.setups`."""

    @property
    def context_window(self) -> int | None:
        """Tokens that it reads and writes at once; None where that is not known."""

    def complete(
        self, messages: Sequence[Message], schema: type[Form] | None = None, limit: int | None = None
    ) -> Reply:
        """The reply to a conversation.

        Args:
            messages: The conversation.
            schema: What the reply must look like, for services that keep to one.
            limit: The tokens that the reply may have at most, thoughts among them, where the service can be told.
        """

    async def acomplete(
        self, messages: Sequence[Message], schema: type[Form] | None = None, limit: int | None = None
    ) -> Reply:
        """`complete`, on the caller's event loop."""

    def stream(self, messages: Sequence[Message], limit: int | None = None) -> Iterator[Reply]:
        """The reply in pieces. A stream that breaks off raises ModelBusy."""

    def astream(self, messages: Sequence[Message], limit: int | None = None) -> AsyncIterator[Reply]:
        """`stream`, on the caller's event loop."""


class ReplyCache(Protocol):
    """Replies of models that were found good, by a key that says everything that was asked, and whom."""

    def get(self, key: str) -> str | None:
        """The reply that was kept, or None."""

    def put(self, key: str, text: str) -> None:
        """Keep a reply; one that is there already is replaced."""


@runtime_checkable
class LexicalIndex(Protocol):
    """Words -> units, by BM25 over header and body; and the names of the units' documents.

    `thread_core.store.lexical.bring_into_step` keeps one in step with a store.
    """

    def search(self, words: str, k: int) -> list[Hit]:
        """The k best units, best first; empty when no word is known."""

    def called(self, key: str) -> Collection[str]:
        """The documents that go by a key of `linking.keys_of`; a look-up, whatever the number of documents."""

    def names(self) -> Iterable[DocumentNames]:
        """The documents of the units that are held."""

    def ids(self) -> set[str]:
        """The units that are held."""

    def version(self) -> str:
        """`versioning.version_of` the units that are held: the store's, where both hold the same."""

    def update(self, added: Iterable[Sequence[LogicUnit]], removed: Collection[str] = (), version: str = "") -> None:
        """Take units in and drop others; on failure the old content stays.

        Of a unit that is held already nothing changes but its document's names. Missing ids are fine.

        Args:
            added: The units that come, in pages, read while nobody else can change the index.
            removed: The ids of those that go.
            version: What the index will be at; where it is already, nothing is read.
        """
