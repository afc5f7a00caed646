"""Documents -> units in a store, again and again, so that nothing is lost and nothing is done twice."""

from thread_core.ingest.report import Failure, IngestReport, Progress
from thread_core.ingest.run import ThreadIngest

__all__ = ["Failure", "IngestReport", "Progress", "ThreadIngest"]
