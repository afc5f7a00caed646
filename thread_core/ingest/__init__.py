"""Documents -> units in a store, again and again, so that nothing is lost and nothing is done twice."""

from thread_core.ingest.extracting import Extractor
from thread_core.ingest.ledger import Ledger
from thread_core.ingest.report import Failure, IngestReport, Progress
from thread_core.ingest.run import Ingest, ThreadIngest

__all__ = ["Extractor", "Failure", "Ingest", "IngestReport", "Ledger", "Progress", "ThreadIngest"]
