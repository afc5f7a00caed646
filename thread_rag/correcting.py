"""Corrections of links made in `thread-rag view`: saved in a file beside the document, which is then ingested again."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path

import tomlkit
from tomlkit.exceptions import TOMLKitError

from thread_chroma import ChromaUnitStore
from thread_core import RuleExtractor, default_embedding
from thread_core.documents.blocks.source import Source
from thread_core.errors import ThreadError
from thread_core.extraction import corrections
from thread_core.extraction.corrections import Key
from thread_core.ingest import Ledger, ThreadIngest
from thread_core.ingest.intake import fingerprint, way
from thread_core.ingest.ledger import Entry
from thread_core.models import Correction, Document
from thread_core.ports import rows_of
from thread_core.store.replacing import replacing
from thread_rag import reading, sources
from thread_rag.place import Place
from thread_view.desk import CannotCorrect

HEAD = "Corrections of the links of {}, applied by `thread-rag ingest`. Lines may move, words may not."
ROW = "link"
"""The name of the file's tables, one a link."""


class BesideDocuments:
    """Saves corrections of a document's links in a file beside the document, if that is at hand."""

    def __init__(self, place: Place, units: ChromaUnitStore) -> None:
        self._place = place
        self._units = units
        self._alone = threading.Lock()

    def sheet(self, document_id: str) -> tuple[str, Source, tuple[Correction, ...]]:
        """Return the file's name, the document's text, and the corrections of its links; see `Desk`."""
        path, document, _ = self._read(document_id)
        source = Source(document.text)
        for unit in (stored.unit for stored in rows_of(self._units, document_id)):
            last = max(span.end for span in unit.body_spans)
            same = last <= len(source) and unit.body == "\n".join(source.line(number) for number in unit.numbers)
            if not (same or unit.rewritten):
                raise CannotCorrect(
                    f"{path.name} has changed since it was ingested; run thread-rag ingest, and try again."
                )
        return str(reading.corrections_of(path)), source, document.corrections

    def keep(self, document_id: str, said: Mapping[Key, Correction | None]) -> str:
        """Save corrections of links, or with None delete them, and ingest the document again; see `Desk`."""
        with self._alone:
            path, before, entry = self._read(document_id)
            file = reading.corrections_of(path)
            self._write(file, path.name, said)
            by_rules = fingerprint(way(RuleExtractor().name, 0, False), before)
            if entry.fingerprint != by_rules:
                return (
                    f"Saved in {file.name}, but not applied: the store's units were not split by the rules from this"
                    " version. Run thread-rag ingest as you did before to apply it."
                )
            return self._take_in(path, document_id, entry, file.name)

    def _take_in(self, path: Path, document_id: str, entry: Entry, name: str) -> str:
        (document,) = reading.read([sources.SourceFile(path, document_id)])
        try:
            self._units.version()  # read what an ingest of another process has left, before this one writes
            with self._place.writing() as units:
                ingest = ThreadIngest(units, default_embedding(), words=self._place.words(), ledger=self._ledger())
                report = ingest.run([document], source=entry.source)
        except ThreadError as error:
            return f"Saved in {name}, but not applied yet: {error}"
        troubles = [*map(str, report.failures), *(one for taken in report.reports for one in taken.problems)]
        return " ".join([f"Saved in {name} and applied.", *troubles])

    def _read(self, document_id: str) -> tuple[Path, Document, Entry]:
        """Return a document's file, its current content, and its entry in the ledger."""
        entry = self._ledger().entries([document_id]).get(document_id)
        path = sources.file_in(entry.source, document_id) if entry and entry.source else None
        if entry is None or path is None or not path.is_file():
            raise CannotCorrect(
                f"The file of {document_id} is not where it was ingested from. Put it back to correct its links."
            )
        (document,) = reading.read([sources.SourceFile(path, document_id)])
        if not isinstance(document, Document):
            raise CannotCorrect(str(document)) from document
        return path, document, entry

    def _ledger(self) -> Ledger:
        return self._place.ledger()

    def _write(self, file: Path, name: str, said: Mapping[Key, Correction | None]) -> None:
        """Write the corrections into the file, and leave its comments, order and blank lines as they are."""
        try:
            text = file.read_text("utf-8") if file.exists() else ""
            toml = tomlkit.parse(text) if text.strip() else _new(name)
            links = toml.setdefault(ROW, tomlkit.aot())
            for at in reversed(range(len(links))):
                if Correction.model_validate(links[at].unwrap()).key in said:
                    del links[at]
            for one in filter(None, said.values()):
                links.append(_table(one))
            rendered = tomlkit.dumps(toml)
            corrections.parsed(rendered)
            with replacing(file) as written:
                written.write(rendered)
        except OSError as error:
            raise CannotCorrect(f"{file} cannot be written ({error.strerror}); nothing was saved.") from error
        except (TOMLKitError, ThreadError, ValueError) as error:
            raise CannotCorrect(f"{file.name} cannot be extended ({error}); nothing was saved.") from error


def _new(name: str) -> tomlkit.TOMLDocument:
    toml = tomlkit.document()
    toml.add(tomlkit.comment(HEAD.format(" ".join(name.split()))))
    toml.add("version", tomlkit.item(corrections.VERSION))
    toml.add(tomlkit.nl())
    return toml


def _table(said: Correction) -> tomlkit.items.Table:
    """Return a correction as a table, without fields that have their default."""
    table = tomlkit.table()
    for field, value in said.model_dump().items():
        if value not in ("", False) and (field, value) != ("nth", 1):
            table.add(field, tomlkit.string(value, multiline="\n" in value) if isinstance(value, str) else value)
    table.add(tomlkit.nl())
    return table
