"""The example documents, as (path, text) pairs: how-to guides of an invented company, in many shapes."""

from pathlib import Path

FOLDER = Path(__file__).parent / "documents"


def read() -> list[tuple[str, str]]:
    """Paths relative to the folder, so that the documents' links to each other resolve."""
    return [(path.name, path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.md"))]
