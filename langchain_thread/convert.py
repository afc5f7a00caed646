"""The border: LangChain's documents and messages -> the core's values, and back. Pure functions."""

from __future__ import annotations

import copy
import re
import uuid
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from langchain_core.documents import Document
from langchain_core.messages import BaseMessage, HumanMessage, MessageLikeRepresentation, convert_to_messages

from thread_core import Document as SourceDocument
from thread_core import LogicUnit, layout
from thread_core.errors import kind_of
from thread_core.models import NAMESPACE, encodable
from thread_core.ports import Message
from thread_core.text.header import LEAD_WORDS

AS_IT_STANDS = "`TextLoader(path, encoding='utf-8')` does, with LogicUnitTextSplitter as the first splitter after it"
"""How LangChain loads a file without taking its marks away."""
_ROLES: dict[str, Literal["system", "user", "assistant"]] = {"system": "system", "human": "user", "ai": "assistant"}
_WORD = re.compile(r"\w[\w'-]*")
_PARTS = {"page": 0, "page_number": 1, "row": 0, "seq_num": 1}
"""Where LangChain's loaders say which part of its source a document is, and how they call the first."""
_TAKEN = "the documents' metadata {} is left out, because logic units use these keys; rename them"


def to_sources(documents: Iterable[Document]) -> Iterator[SourceDocument]:
    """Documents as the core reads them, one after the other; each gets an id of its own.

    The id is the document's, else its `source`, else one made from its text. Loaders give the pages of one file the
    same source and tell which page each is: that is a part of the id (`a.pdf#page=3`; the first is called as the file),
    and each is known again whichever others come with it. Where nothing tells them apart, the second document of an id
    is called `id#2`, so that equal texts stay two units. Warns of metadata under keys that are ours.

    Raises:
        TypeError: one of them is something else, or a document was given in the place of several.
    """
    seen: Counter[str] = Counter()
    for document in documents:
        if not isinstance(document, Document):
            raise TypeError(
                f"found a {kind_of(document)}, expected LangChain documents; for a text, pass"
                " [Document(page_content=text)]"
            )
        key = encodable(document.id or _part_of_source(document.metadata)) or _content_id(document.page_content)
        seen[key] += 1
        if not is_unit(document) and (ours := [key for key in document.metadata if layout.is_ours(str(key))]):
            warnings.warn(_TAKEN.format(", ".join(ours)), UserWarning, stacklevel=2)
        yield SourceDocument(
            id=key if seen[key] == 1 else f"{key}#{seen[key]}",
            text=document.page_content,
            title=str(document.metadata.get("title") or ""),
            metadata={key: value for key, value in document.metadata.items() if isinstance(key, str)},
        )


def to_document(unit: LogicUnit, metadata: Mapping[str, Any] | None = None) -> Document:
    """Convert a unit to a plain document for a store: a row's text, flat metadata, and the unit's id.

    Args:
        unit: The unit.
        metadata: The source document's metadata, which is deep-copied. Default: the unit's. Keys of the layout are
            replaced, and `body` is left out, because it would hide the unit's own.
    """
    own = unit.metadata if metadata is None else copy.deepcopy(dict(metadata))
    return _document(unit, layout.row_text(unit), own)


def to_retrieved(unit: LogicUnit) -> Document:
    """A unit as our retriever gives it: the text is for reading."""
    return _document(unit, layout.render(unit), unit.metadata)


def is_unit(document: Document) -> bool:
    """Whether a document is a logic unit; ordinary chunks may lie in the same collection."""
    return layout.is_of_any_layout(document.metadata)


def to_unit(document: Document) -> LogicUnit:
    """Convert a document from `to_document` or `to_retrieved` back to its unit.

    Raises:
        BadStore: the document is no logic unit, or one of another layout.
    """
    return layout.from_metadata(document.id or "", document.page_content, document.metadata)


def said_by_person(history: Sequence[MessageLikeRepresentation]) -> tuple[str, ...]:
    """What the person said in a conversation, oldest first; a plain string is theirs."""
    return tuple(message.text for message in _conversation(history) if isinstance(message, HumanMessage))


def to_messages(history: Sequence[MessageLikeRepresentation]) -> list[Message]:
    """A conversation as the core reads it; a plain string is the person's, and what tools said is left out."""
    messages = _conversation(history)
    return [Message(_ROLES[message.type], message.text) for message in messages if message.type in _ROLES]


def _conversation(history: Sequence[MessageLikeRepresentation]) -> list[BaseMessage]:
    if isinstance(history, str | Mapping):
        raise TypeError(
            "found one"
            f" {type(history).__name__}, expected a list of messages, (role, text) pairs or texts of the person"
        )
    return convert_to_messages(history)


def _document(unit: LogicUnit, text: str, own: Mapping[str, Any]) -> Document:
    kept = {key: value for key, value in own.items() if key not in layout.VISIBLE}
    return Document(id=unit.id, page_content=text, metadata=kept | layout.with_text(unit, text))


def _part_of_source(metadata: Mapping[str, Any]) -> str:
    """Where a document comes from, and which part of that it is; empty where nothing is said."""
    source = str(metadata.get("source") or "")
    parts = "&".join(f"{key}={metadata[key]}" for key, first in _PARTS.items() if metadata.get(key, first) != first)
    return f"{source}#{parts}" if source and parts else source


def _content_id(text: str) -> str:
    """A uuid of the text, and its first words: where a text has no heading, it is called by its id's last part."""
    first_line = next((line for line in text.splitlines() if _WORD.search(line)), "")
    name = uuid.uuid5(NAMESPACE, text.encode("utf-8", "replace").decode())
    return f"{name}/{' '.join(_WORD.findall(first_line)[:LEAD_WORDS])}"
