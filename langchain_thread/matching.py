"""LangChain's rerankers in the place of the matcher that orders a walk's menus."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.cross_encoders import BaseCrossEncoder
from langchain_core.documents import BaseDocumentCompressor, Document

from thread_core.walk.matcher import OutcomeMatcher

Matcher = OutcomeMatcher | BaseCrossEncoder | BaseDocumentCompressor
"""What may order a menu: a matcher of the core, a cross-encoder, or a compressor that reranks."""
_AT = "passage"


class _CrossEncoded:
    def __init__(self, model: BaseCrossEncoder) -> None:
        self._model = model

    def score(self, report: str, passages: Sequence[str]) -> Sequence[float]:
        """Score passages by the cross-encoder."""
        return [float(score) for score in self._model.score([(report, passage) for passage in passages])]


class _Compressed:
    def __init__(self, compressor: BaseDocumentCompressor) -> None:
        self._compressor = compressor

    def score(self, report: str, passages: Sequence[str]) -> Sequence[float]:
        """Score passages by the order in which the compressor gives them; what it leaves out comes last."""
        documents = [Document(passage, metadata={_AT: at}) for at, passage in enumerate(passages)]
        scores = [-1.0] * len(passages)
        for rank, document in enumerate(self._compressor.compress_documents(documents, report)):
            scores[document.metadata[_AT]] = 1 / (1 + rank)
        return scores


def to_matcher(given: Matcher | None) -> OutcomeMatcher | None:
    """Turn a reranker into a matcher.

    Raises:
        TypeError: it is none of those.
    """
    if isinstance(given, BaseCrossEncoder):
        return _CrossEncoded(given)
    if isinstance(given, BaseDocumentCompressor):
        return _Compressed(given)
    if given is not None and not callable(getattr(given, "score", None)):
        kinds = "an OutcomeMatcher, a BaseCrossEncoder or a BaseDocumentCompressor"
        raise TypeError(f"found a {type(given).__name__} as matcher, expected {kinds}")
    return given
