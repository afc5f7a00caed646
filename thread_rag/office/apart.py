"""A PDF read in a process of its own. It may unpack to more than any memory holds, or never come to an end.

That process has a bound of memory, and of seconds for each page; where it dies, one document fails.
"""

from __future__ import annotations

import contextlib
import json
import resource
import signal
import subprocess
import sys

from thread_core.documents.printed import Printed
from thread_core.errors import BadDocument
from thread_rag.office.limits import MOST_MEMORY, MOST_SECONDS
from thread_rag.office.pieces import Converted

_HARMFUL = "; it may be malicious. Print it to a new PDF, and use that"


def pdf_read_apart(data: bytes, document_id: str) -> Converted:
    """Convert a PDF, as `pdf_to_markdown` does.

    Raises:
        BadDocument: it cannot be opened, has no text, takes more memory or time than a document does, or its steps
            would not come out in order.
        ImportError: pdfplumber is not there.
    """
    import pdfplumber  # noqa: F401  # what is missing is told here, and not by a process

    command = [sys.executable, "-P", "-m", "thread_rag.office.apart", document_id]
    done = subprocess.run(command, input=data, capture_output=True, check=False)
    if done.returncode == -signal.SIGPROF:
        raise BadDocument(document_id, f"takes more than {MOST_SECONDS} seconds for one page{_HARMFUL}")
    try:
        said = json.loads(done.stdout)
    except ValueError:
        if done.returncode < 0 or b"MemoryError" in done.stderr:
            raise BadDocument(document_id, f"takes more than {MOST_MEMORY >> 30} GB of memory{_HARMFUL}") from None
        reason = (done.stderr.decode(errors="replace").strip().splitlines() or ["no reason was given"])[-1][:200]
        raise BadDocument(document_id, f"could not be converted ({reason})") from None
    if "refused" in said:
        raise BadDocument(document_id, said["refused"])
    return Converted(said["text"], said["title"], Printed.read(said["printed"]), tuple(said["problems"]))


def main() -> None:
    """Read a PDF from the input and print what came of it as JSON."""
    from thread_rag.office.pdf import pdf_to_markdown

    with contextlib.suppress(ValueError, OSError):  # not every system has such a bound
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    data = sys.stdin.buffer.read()
    _allow_a_page()
    try:
        made = pdf_to_markdown(data, sys.argv[1], on_page=_allow_a_page)
    except BadDocument as failure:
        said: dict[str, object] = {"refused": failure.reason}
    else:
        said = {"text": made.text, "title": made.title, "printed": made.printed and str(made.printed)}
        said["problems"] = made.problems
    sys.stdout.write(json.dumps(said))


def _allow_a_page() -> None:
    """End this process once it has worked for as long as a page may take; waiting for a busy machine does not count."""
    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)


if __name__ == "__main__":
    main()
