"""What turns documents into units or chunks: ours in both frameworks, and what the frameworks bring."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from _breaks import Chunk
from langchain_core.documents import Document as LangChainDocument
from langchain_text_splitters import MarkdownHeaderTextSplitter, RecursiveCharacterTextSplitter
from llama_index.core import Document as LlamaIndexDocument
from llama_index.core.node_parser import MarkdownNodeParser, NodeParser, SentenceSplitter
from llama_index.core.schema import BaseNode

from langchain_thread import LogicUnitTextSplitter
from langchain_thread.convert import to_unit
from llama_index_thread import LogicUnitNodeParser
from llama_index_thread.convert import from_node
from thread_core import Document, LogicUnit, RuleExtractor, layout
from thread_eval.systems.chunks_langchain import HEADINGS

Chunks = Mapping[str, Sequence[Chunk]]
"""The pieces of each document, in order."""


class Splitter(NamedTuple):
    """One that is compared."""

    hand: Callable[[str, str], Any]
    """A path and a text -> the document as its framework has it."""
    split: Callable[[list[Any]], Sequence[Any]]
    """Documents -> pieces."""
    chunks: Callable[[Sequence[Any]], Chunks]
    """Pieces -> what lies in a store."""

    def handed(self, documents: Mapping[str, str]) -> list[Any]:
        """Documents as the framework has them."""
        return [self.hand(path, text) for path, text in documents.items()]


def on_langchain(path: str, text: str) -> LangChainDocument:
    return LangChainDocument(text, id=path, metadata={"source": path})


def on_llama_index(path: str, text: str) -> LlamaIndexDocument:
    return LlamaIndexDocument(text=text, id_=path)


def by_headings(documents: Iterable[LangChainDocument]) -> list[LangChainDocument]:
    """What one writes around a splitter that takes texts alone."""
    splitter = MarkdownHeaderTextSplitter(HEADINGS, strip_headers=False)
    pieces = []
    for document in documents:
        for piece in splitter.split_text(document.page_content):
            piece.metadata.update(document.metadata)
            pieces.append(piece)
    return pieces


def recursively(documents: list[LangChainDocument]) -> list[LangChainDocument]:
    return RecursiveCharacterTextSplitter(chunk_size=1000, chunk_overlap=100).split_documents(documents)


def parsed_by(parser: Callable[[], NodeParser]) -> Callable[[list[LlamaIndexDocument]], list[BaseNode]]:
    """Each time by a new parser."""
    return lambda documents: parser().get_nodes_from_documents(documents)


# -- pieces as they lie in a store ---------------------------------------------------------------------------------


def of_units(units: Iterable[tuple[LogicUnit, str, Mapping[str, Any]]]) -> Chunks:
    """Units, each with its row's text and metadata. They name the places that their links lead to."""
    by_document: dict[str, list[tuple[LogicUnit, str, Mapping[str, Any]]]] = defaultdict(list)
    for one in units:
        by_document[one[0].document_id].append(one)
    chunks = {}
    for path, rows in by_document.items():
        chunks[path] = [
            Chunk(text, _values(metadata), frozenset(_goals(unit, [other for other, _, _ in rows])))
            for unit, text, metadata in rows
        ]
    return chunks


def _goals(unit: LogicUnit, units: Sequence[LogicUnit]) -> Iterator[int]:
    """The units of its own document that a unit's links lead to, by their places or the numbers of their steps."""
    for target in (link.target for link in unit.links if link.target and not link.target.document):
        for index, other in enumerate(units):
            same_section = other.place.anchor == (target.anchor or unit.place.anchor)
            if other.place == target.place or (same_section and target.step in other.steps):
                yield index


def of_documents(pieces: Iterable[LangChainDocument]) -> Chunks:
    chunks: dict[str, list[Chunk]] = defaultdict(list)
    for piece in pieces:
        chunks[piece.metadata["source"]].append(Chunk(piece.page_content, _values(piece.metadata)))
    return chunks


def of_nodes(nodes: Iterable[BaseNode]) -> Chunks:
    """Nodes name their neighbours."""
    by_document: dict[str, list[BaseNode]] = defaultdict(list)
    for node in nodes:
        by_document[node.ref_doc_id or ""].append(node)
    chunks = {}
    for path, own in by_document.items():
        at = {node.node_id: index for index, node in enumerate(own)}
        chunks[path] = [
            Chunk(
                node.get_content(),
                _values(node.metadata),
                frozenset({at[node.next_node.node_id]} if node.next_node else ()),
            )
            for node in own
        ]
    return chunks


def _values(metadata: Mapping[str, Any]) -> str:
    return "\n".join(str(value) for value in metadata.values())


SPLITTERS = {
    "RuleExtractor": Splitter(
        Document,
        lambda documents: [unit for document in documents for unit in RuleExtractor().extract(document).units],
        lambda units: of_units((unit, layout.render(unit), layout.to_metadata(unit)) for unit in units),
    ),
    "LogicUnitTextSplitter": Splitter(
        on_langchain,
        lambda documents: LogicUnitTextSplitter().split_documents(documents),
        lambda pieces: of_units((to_unit(piece), piece.page_content, piece.metadata) for piece in pieces),
    ),
    "LogicUnitNodeParser": Splitter(
        on_llama_index,
        parsed_by(LogicUnitNodeParser),
        lambda nodes: of_units((from_node(node), node.get_content(), node.metadata) for node in nodes),
    ),
    "MarkdownNodeParser": Splitter(on_llama_index, parsed_by(MarkdownNodeParser), of_nodes),
    "SentenceSplitter, 512 tokens": Splitter(
        on_llama_index, parsed_by(lambda: SentenceSplitter(chunk_size=512, chunk_overlap=50)), of_nodes
    ),
    "MarkdownHeaderTextSplitter": Splitter(on_langchain, by_headings, of_documents),
    "RecursiveCharacterTextSplitter, 1,000": Splitter(on_langchain, recursively, of_documents),
}
