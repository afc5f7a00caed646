"""Where each page is: on the server, or as a file beside the others."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Protocol
from urllib.parse import quote


class Addresses(Protocol):
    """What a page's links lead to."""

    is_served: bool
    """Whether somebody is there who answers: for walks and corrections."""

    def home(self) -> str:
        """The list of all guides."""

    def guide(self, document_id: str, anchor: str = "") -> str:
        """A guide's page, at one of its steps."""

    def compare(self, document_id: str) -> str:
        """A guide beside another store's."""

    def asset(self, name: str) -> str:
        """A file that pages are drawn with."""


class Served:
    """On the server."""

    is_served = True

    def home(self) -> str:
        """The list of all guides."""
        return "/"

    def guide(self, document_id: str, anchor: str = "") -> str:
        """A guide's page, at one of its steps."""
        return _at(f"/guide?id={quote(document_id, safe='/')}", anchor)

    def compare(self, document_id: str) -> str:
        """A guide beside another store's."""
        return f"/compare?id={quote(document_id, safe='/')}"

    def asset(self, name: str) -> str:
        """A file that pages are drawn with."""
        return f"/assets/{name}"

    def walk(self) -> str:
        """The walk of this browser."""
        return "/walk"

    def correct(self, document_id: str = "", link: str = "") -> str:
        """Where a link is approved or corrected."""
        return f"/correct?id={quote(document_id, safe='/')}&link={quote(link)}" if link else "/correct"

    def withdraw(self) -> str:
        """Where that is taken back."""
        return "/withdraw"


class Files:
    """In a folder, all beside each other, so that a link is a name."""

    is_served = False

    def __init__(self, document_ids: Iterable[str]) -> None:
        self._names = {one: f"{number:04}-{_slug(one)}" for number, one in enumerate(document_ids, 1)}

    def home(self) -> str:
        """The list of all guides."""
        return "index.html"

    def guide(self, document_id: str, anchor: str = "") -> str:
        """A guide's page, at one of its steps."""
        return _at(f"{self._names[document_id]}.html", anchor)

    def compare(self, document_id: str) -> str:
        """A guide beside another store's."""
        return f"{self._names[document_id]}-compared.html"

    def asset(self, name: str) -> str:
        """A file that pages are drawn with."""
        return f"assets/{name}"


def _at(address: str, anchor: str) -> str:
    return f"{address}#{anchor}" if anchor else address


def _slug(name: str) -> str:
    """A document's id as it may stand in a file's name on any system."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name)[-80:].strip("-.") or "guide"
