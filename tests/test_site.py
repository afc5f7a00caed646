"""The documentation has a place for every page, and a page for every public name. `make site` checks its links."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib import import_module

import pytest

from tests.pages import ROOT, page

sys.path.append(str(ROOT / "tools"))

import reference

DOCS = sorted(path.name for path in (ROOT / "docs").glob("*.md"))


def test_each_page_has_its_place() -> None:
    nav = tomllib.loads(page("zensical.toml"))["project"]["nav"]
    assert sorted(leaves(nav)) == DOCS


@pytest.mark.parametrize("name", DOCS)
def test_its_links_lead_to_files(name: str) -> None:
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page(f"docs/{name}"), flags=re.DOTALL)
    files = {link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link} - {""}
    assert [file for file in files if not (ROOT / "docs" / file).is_file()] == []


@pytest.mark.parametrize("name", reference.pages())
def test_make_docs_would_change_nothing(name: str) -> None:
    assert page(f"docs/{name}") == reference.pages()[name]


@pytest.mark.parametrize("package", reference.PACKAGES)
def test_each_public_name_is_explained(package: str) -> None:
    module = import_module(package)
    assert re.findall(r"^::: (\S+)$", page(f"docs/reference_{package}.md"), re.MULTILINE) == [
        f"{package}.{name}" for name in module.__all__
    ]
    assert [name for name in module.__all__ if not getattr(module, name).__doc__] == []


def leaves(nav: list[dict[str, object]]) -> list[str]:
    """The pages of a navigation."""
    entries = [entry for branch in nav for entry in branch.values()]
    return [page for one in entries for page in ([one] if isinstance(one, str) else leaves(one))]
