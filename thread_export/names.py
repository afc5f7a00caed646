"""Documents -> names of files and folders that every system takes, none of them twice."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath

LONGEST = 64
"""Characters of a name: as many as the name of a skill may have."""
_OTHER = re.compile(r"[^a-z0-9]+")
_TAG = 12


def names(document_ids: Sequence[str]) -> dict[str, str]:
    """Name each of some documents with lower letters, digits and single hyphens: its path without the ending.

    Where two would have one name, or nothing of a name is left, a part of a digest of the id tells them apart; so a
    document has the same name whatever the others are, unless one of them would have the same.

    Example:
        >>> names(["ops/Disk full.md", "log.md"])
        {'ops/Disk full.md': 'ops-disk-full', 'log.md': 'log'}
    """
    found = {document_id: _short(document_id) for document_id in document_ids}
    while twice := {name for name, count in Counter(found.values()).items() if count > 1 or not name}:
        new = {one: _tagged(name, one) for one, name in found.items() if name in twice}
        if all(found[one] == name for one, name in new.items()):
            break
        found |= new
    return found


def _short(document_id: str) -> str:
    path = PurePosixPath(document_id)
    plain = unicodedata.normalize("NFKD", str(path.with_suffix("") if path.name else path)).encode("ascii", "ignore")
    name = _OTHER.sub("-", plain.decode().lower()).strip("-")
    return name if len(name) <= LONGEST else _tagged(name, document_id)


def _tagged(name: str, document_id: str) -> str:
    tag = hashlib.sha256(document_id.encode()).hexdigest()[:_TAG]
    return f"{(name or 'guide')[: LONGEST - _TAG - 1].strip('-')}-{tag}"
