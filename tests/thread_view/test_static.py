"""The pages as files lead to one another, ask for nothing elsewhere, and hold no forms."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

from tests.thread_view.served import GUIDES, Notebook
from thread_view.static import write


class References(HTMLParser):
    """What a page has, and leads to."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.tags: set[str] = set()
        self.ids: set[str] = set()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        fields = dict(attrs)
        self.tags.add(tag)
        self.ids.add(fields.get("id") or "")
        self.addresses += [address for name in ("href", "src") if (address := fields.get(name))]


def test_every_file_that_a_page_names_is_there(tmp_path: Path) -> None:
    names = {**GUIDES, "a b/../<ü>?#%.md": "# Odd\n\n1. See [the lamp](../../lamp.md#replace).\n"}
    shelf = Notebook(names).shelf()
    assert write(tmp_path, shelf, other=shelf, other_name="another") == 7
    pages = {file.name: References(file) for file in tmp_path.glob("*.html")}
    assert len(pages) == 7
    for page in pages.values():
        assert "form" not in page.tags
        for address in page.addresses:
            file, anchor = urldefrag(unquote(address))
            if file.startswith("https://example.com"):
                continue
            assert not file or (tmp_path / file).is_file()
            assert not anchor or not file or anchor in pages[file].ids
