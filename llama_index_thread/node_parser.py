"""Documents -> logic units, in the place of a sentence splitter."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any, Self

from llama_index.core.callbacks import CallbackManager
from llama_index.core.node_parser import NodeParser
from llama_index.core.node_parser.interface import IdFuncCallable
from llama_index.core.node_parser.node_utils import default_id_func
from llama_index.core.schema import BaseNode, Document, TextNode
from llama_index.core.utils import get_tqdm_iterable
from pydantic import Field

from llama_index_thread.convert import is_unit, to_document, to_node, with_views
from thread_core import RuleExtractor


class LogicUnitNodeParser(NodeParser):
    r"""Turns how-to documents into logic units where another parser cuts them into chunks.

    A node's text, which alone is embedded, is the unit's header; a model is shown prerequisite, body and linker
    too. Ids are made from the document's id and the unit's content, so give documents ids that stay
    (`SimpleDirectoryReader(..., filename_as_id=True)`): then adding a document twice changes nothing, and links
    between documents are found. A node that already is a logic unit comes back as it is.

    Example:
        >>> document = Document(id_="disk.md", text="# Disk full\n\n1. Free space.")
        >>> nodes = LogicUnitNodeParser().get_nodes_from_documents([document])
        >>> nodes[0].get_content(), nodes[0].metadata["body"]
        ('Disk full: Free space', '1. Free space.')
    """

    include_prev_next_rel: bool = Field(
        default=False, description="Relate neighbours; each row then holds copies of two other bodies."
    )
    id_func: IdFuncCallable = Field(
        default=default_id_func,
        exclude=True,  # As it is dumped (a name), it could not be loaded again.
        description="Has no effect: a unit's id is made from its content.",
    )

    @classmethod
    def class_name(cls) -> str:
        """The name under which LlamaIndex serialises it."""
        return "LogicUnitNodeParser"

    @classmethod
    def from_defaults(
        cls,
        include_metadata: bool = True,
        include_prev_next_rel: bool = False,
        callback_manager: CallbackManager | None = None,
    ) -> Self:
        """As LlamaIndex's own parsers are made."""
        return cls(
            include_metadata=include_metadata,
            include_prev_next_rel=include_prev_next_rel,
            callback_manager=callback_manager or CallbackManager([]),
        )

    def _parse_nodes(self, nodes: Sequence[BaseNode], show_progress: bool = False, **kwargs: Any) -> list[BaseNode]:
        documents: Iterable[BaseNode] = get_tqdm_iterable(nodes, show_progress, "Reading logic units")
        return [unit for document in documents for unit in self._units(document)]

    async def _aparse_nodes(
        self, nodes: Sequence[BaseNode], show_progress: bool = False, **kwargs: Any
    ) -> list[BaseNode]:
        return await asyncio.to_thread(self._parse_nodes, nodes, show_progress, **kwargs)

    def _units(self, document: BaseNode) -> list[BaseNode]:
        if is_unit(document):
            return [document]
        source = document.as_related_node_info()
        read = to_document(document, include_metadata=self.include_metadata)
        return [to_node(unit, source) for unit in RuleExtractor().extract(read).units]

    def _postprocess_parsed_nodes(self, nodes: list[BaseNode], parent_doc_map: dict[str, Document]) -> list[BaseNode]:
        """What LlamaIndex does, which gives every node its document's metadata; none of that is shown or embedded."""
        finished = super()._postprocess_parsed_nodes(nodes, parent_doc_map)
        return [with_views(node) if isinstance(node, TextNode) else node for node in finished]
