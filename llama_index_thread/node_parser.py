"""Documents -> logic units, in the place of a sentence splitter."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any, Self

from llama_index.core.callbacks import CallbackManager
from llama_index.core.node_parser import NodeParser
from llama_index.core.node_parser.interface import IdFuncCallable
from llama_index.core.node_parser.node_utils import default_id_func
from llama_index.core.schema import BaseNode, Document, NodeRelationship
from llama_index.core.utils import get_tokenizer, get_tqdm_iterable
from pydantic import ConfigDict, Field, PrivateAttr, computed_field, model_validator

from llama_index_thread.convert import AS_IT_STANDS, is_unit, to_document, to_node
from llama_index_thread.models import Models, to_access
from llama_index_thread.prompts import to_prompts
from thread_core import Document as SourceDocument
from thread_core import Extraction, RuleExtractor
from thread_core.extraction.extractor import CONCURRENCY, LLMExtractor, LLMFor
from thread_core.ingest.dividing import Divider
from thread_core.ingest.parts import Whole, arrived, in_place
from thread_core.llm.access import VERSION
from thread_core.llm.asking import Role
from thread_core.models import encodable
from thread_core.sending import check_sendable

READING = "Reading logic units"

_logger = logging.getLogger(__name__)


class LogicUnitNodeParser(NodeParser):
    r"""Splits how-to documents into logic units. Use it in place of a parser that makes chunks.

    A node's text is the unit's header, and only that is embedded. A model also sees prerequisites, body and linker. Ids
    are made from the document's id and the unit's content, so give documents stable ids
    (`SimpleDirectoryReader(..., filename_as_id=True)`): then adding a document twice adds nothing, and links between
    documents are found. Changes that keep the id, such as a tag or moved lines, reach a store that has the unit only
    through `ThreadIngest`, `update_ref_doc` or a pipeline that upserts. A document that occurs twice in one call is
    split once, and a node that is already a logic unit is returned unchanged. Text is read as Markdown; convert HTML
    first.

    Example:
        >>> document = Document(id_="disk.md", text="# Disk full\n\n1. Free space.")
        >>> nodes = LogicUnitNodeParser().get_nodes_from_documents([document])
        >>> nodes[0].get_content(), nodes[0].metadata["body"]
        ('Disk full: Free space', '1. Free space.')
    """

    model_config = ConfigDict(hide_input_in_errors=True)  # There would be the model, which shows its key.

    include_prev_next_rel: bool = Field(
        default=False,
        description="Whether to relate neighbouring nodes. Each row then holds copies of two other bodies.",
    )
    id_func: IdFuncCallable = Field(
        default=default_id_func,
        exclude=True,  # As it is dumped (a name), it could not be loaded again.
        description="Has no effect: a unit's id is made from its content.",
    )

    llm: Any = Field(
        default=None,
        exclude=True,  # As it is dumped or shown, it would show its key.
        repr=False,
        description="The model that splits the documents, or what `to_access` makes from it. Without one, rules do.",
    )
    llm_for: LLMFor = Field(
        default="all",
        description='"all": ask the model about every document. "auto": only if the rules leave a condition without a'
        " link, or the document is not in English.",
    )
    reformulate: bool = Field(default=False, description="Whether the model rewrites documents first, as in the paper.")
    domain: str = Field(default="", description="What the documents are about, in a sentence or two.")
    search: Callable[[str], str] | None = Field(
        default=None,
        exclude=True,
        description="Where reformulating may look things up: a function from a question to what is known.",
    )
    prompts: dict[str, Any] = Field(
        default_factory=dict, exclude=True, description="Your own prompts, by name, instead of the package's."
    )
    concurrency: int = Field(
        default=CONCURRENCY, exclude=True, description="How many documents the model is asked about at once."
    )
    merge_chains: int = Field(
        default=0,
        ge=0,
        description="Join steps that only lead to the next one, into units of up to this many tokens. 0 joins none.",
    )
    chunk_size: int | None = Field(
        default=None,
        ge=1,
        description="The most tokens in a unit's body, as LlamaIndex's tokenizer counts them. A longer single line"
        " causes a warning. None: 800 tokens, as in `RuleExtractor`. Small parts are joined to about 170 tokens.",
    )
    chunk_overlap: int = Field(
        default=0, ge=0, exclude=True, description="Has no effect except a warning: units do not overlap."
    )
    _extractor: RuleExtractor | LLMExtractor = PrivateAttr()

    @model_validator(mode="after")
    def _open(self) -> Self:
        if self.chunk_overlap:
            _logger.warning("chunk_overlap=%s has no effect: logic units do not overlap", self.chunk_overlap)
        bound: dict[str, Any] = {} if self.chunk_size is None else {"max_tokens": self.chunk_size, "count": _tokens}
        self._extractor = RuleExtractor(**bound)
        if self.llm is not None:
            models = to_access(self.llm)
            self._extractor = LLMExtractor(
                models,
                llm_for=self.llm_for,
                reformulate=self.reformulate,
                domain=self.domain,
                search=self.search,
                prompts=to_prompts(self.prompts),
                **bound,
            )
        return self

    @computed_field  # type: ignore[prop-decorator]
    @property
    def extractor(self) -> str:
        """Who divides documents, and how it is asked: a pipeline's cache tells by it whose nodes it holds."""
        if isinstance(self._extractor, RuleExtractor):
            return "rules"
        models = self._extractor.models
        templates = (f"{name} {template.get_template()}" for name, template in sorted(self.prompts.items()))
        asked = [VERSION, models.settings(Role.EXTRACTOR), *templates]
        return f"{models.name(Role.EXTRACTOR)} {hashlib.sha256(repr(asked).encode()).hexdigest()[:8]}"

    @property
    def divided_by(self) -> RuleExtractor | LLMExtractor:
        """What divides documents."""
        return self._extractor

    @classmethod
    def class_name(cls) -> str:
        """The name under which LlamaIndex serialises it."""
        return "LogicUnitNodeParser"

    def __getstate__(self) -> dict[str, Any]:
        """As it goes to another process.

        Raises:
            TypeError: a part of it that decides how documents are divided cannot go there.
        """
        # LlamaIndex leaves out what cannot be pickled, of this very object too.
        for name in ("llm", "prompts", "search"):
            check_sendable(
                getattr(self, name),
                f"a LogicUnitNodeParser's {name}",
                "a budget, a cache or a connection cannot be shared with another process; leave out num_workers,"
                " because a model is asked about several documents at once (concurrency=), or pass what can be pickled",
            )
        return super().__getstate__()

    @classmethod
    def from_dict(cls, data: dict[str, Any], **kwargs: Any) -> Self:
        """As it was dumped; a model is not dumped, because its key would be, so it is given again: `llm=...`.

        Raises:
            ValueError: it was dumped with a model, and none is given.
        """
        extractor = data.get("extractor", "rules")
        if extractor != "rules" and "llm" not in kwargs:
            raise ValueError(f"this parser was dumped with the model {extractor.split()[0]}; pass it again: llm=...")
        return super().from_dict(data, **kwargs)

    @classmethod
    def from_defaults(
        cls,
        include_metadata: bool = True,
        include_prev_next_rel: bool = False,
        callback_manager: CallbackManager | None = None,
        llm: Models | None = None,
        llm_for: LLMFor = "all",
        reformulate: bool = False,
        domain: str = "",
        chunk_size: int | None = None,
        chunk_overlap: int = 0,
    ) -> Self:
        """As LlamaIndex's own parsers are made; the other fields can be given to the class itself."""
        return cls(
            include_metadata=include_metadata,
            include_prev_next_rel=include_prev_next_rel,
            callback_manager=callback_manager or CallbackManager([]),
            llm=llm,
            llm_for=llm_for,
            reformulate=reformulate,
            domain=domain,
            chunk_size=chunk_size,
            chunk_overlap=chunk_overlap,
        )

    def extract(self, documents: Sequence[BaseNode]) -> list[Extraction]:
        """The units of each document with the report of what they cover and cost, in order."""
        return list(self._divider.each(_documents(self._wholes(documents))))

    async def aextract(self, documents: Sequence[BaseNode]) -> list[Extraction]:
        """`extract`, for callers with an event loop."""
        return [extraction async for extraction in self._divider.aeach(_documents(self._wholes(documents)))]

    def _parse_nodes(self, nodes: Sequence[BaseNode], show_progress: bool = False, **kwargs: Any) -> list[BaseNode]:
        wholes = self._wholes(nodes)
        read = self._divider.each(_documents(wholes))
        extractions = get_tqdm_iterable(read, show_progress, READING, total=len(wholes))
        return _joined(nodes, wholes, list(extractions))

    async def _aparse_nodes(
        self, nodes: Sequence[BaseNode], show_progress: bool = False, **kwargs: Any
    ) -> list[BaseNode]:
        if isinstance(self._extractor, RuleExtractor):
            return await asyncio.to_thread(self._parse_nodes, nodes, show_progress, **kwargs)
        wholes = self._wholes(nodes)
        sources = _documents(wholes)
        shown = iter(get_tqdm_iterable(sources, show_progress, READING, total=len(sources)))
        extractions = []
        next(shown, None)
        async for extraction in self._divider.aeach(sources):
            extractions.append(extraction)
            next(shown, None)
        return _joined(nodes, wholes, extractions)

    def _wholes(self, nodes: Sequence[BaseNode]) -> list[Whole]:
        """The documents that are no units, as the core reads them, those that came in parts joined."""
        given = (to_document(node, include_metadata=self.include_metadata) for node in nodes if not is_unit(node))
        return [whole for whole in arrived(given, AS_IT_STANDS) if isinstance(whole, Whole)]

    @property
    def _divider(self) -> Divider:
        return Divider(self._extractor, self.concurrency, self.merge_chains, _logger, self.chunk_size)

    def _postprocess_parsed_nodes(self, nodes: list[BaseNode], parent_doc_map: dict[str, Document]) -> list[BaseNode]:
        """Neighbours on demand. What LlamaIndex adds besides is in the unit already, or would be in every row of it."""
        if self.include_prev_next_rel:
            for one, other in pairwise(nodes):
                if one.ref_doc_id == other.ref_doc_id:
                    one.relationships[NodeRelationship.NEXT] = other.as_related_node_info()
                    other.relationships[NodeRelationship.PREVIOUS] = one.as_related_node_info()
        return nodes


def _tokens(text: str) -> int:
    return len(get_tokenizer()(text))


def _documents(wholes: Iterable[Whole]) -> list[SourceDocument]:
    return [whole.document for whole in wholes]


def _joined(nodes: Sequence[BaseNode], wholes: Sequence[Whole], extractions: Iterable[Extraction]) -> list[BaseNode]:
    """The units of each document in its place, each once; a node that is a unit already stays as it is."""
    origins = {encodable(node.node_id): node.ref_doc_id or encodable(node.node_id) for node in nodes}

    def units(whole: Whole, extraction: Extraction) -> list[BaseNode]:
        # A unit is related to the part with which it begins, so that what replaces that part replaces the unit.
        parts = [whole.part_of(unit.start) for unit in extraction.units]
        return [to_node(unit, origins.get(part, part)) for unit, part in zip(extraction.units, parts, strict=True)]

    first: dict[str, BaseNode] = {}
    for unit in in_place(nodes, is_unit, wholes, extractions, units):
        first.setdefault(unit.node_id, unit)
    return list(first.values())
