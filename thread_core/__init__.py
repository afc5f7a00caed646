"""Thread's core: how-to documents -> logic units -> a walk. Knows no framework and no store."""

from thread_core.embedding import default_embedding
from thread_core.extraction.extractor import LLMExtractor
from thread_core.extraction.fidelity import Extraction, Report
from thread_core.extraction.rules import RuleExtractor
from thread_core.models import (
    Document,
    Link,
    LinkAction,
    LogicUnit,
    LogicUnitType,
    Place,
    Span,
    Target,
    identify,
)

__all__ = [
    "Document",
    "Extraction",
    "LLMExtractor",
    "Link",
    "LinkAction",
    "LogicUnit",
    "LogicUnitType",
    "Place",
    "Report",
    "RuleExtractor",
    "Span",
    "Target",
    "default_embedding",
    "identify",
]
