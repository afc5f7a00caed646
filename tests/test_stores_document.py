"""What docs/stores.md shows runs as it stands, and its table is that of the classes."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.postgres import Postgres
from tests.stores_page import BEFORE, OWN, PAGE, STORES, Store, page

URL = "postgresql+psycopg://me:secret@localhost/guides"


def test_the_page_is_that_of_the_classes() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `make docs`"


@pytest.mark.parametrize("store", STORES, ids=lambda store: store.name)
def test_an_example(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(BEFORE[store.framework], names)
    if URL not in store.code:
        exec(store.code, names)
    else:
        postgres: Postgres = request.getfixturevalue("postgres")
        with postgres.database() as url:
            exec(store.code.replace(URL, url), names)
            close(names)
    assert "du -sh" in str(names["found"][0])
    if client := names.get("client"):
        client.close()


def close(names: dict[str, Any]) -> None:
    """Close what is connected to a database."""
    if engine := names.get("engine"):
        engine._run_as_sync(engine.close())
    elif store := names.get("vector_store"):
        asyncio.run(store.close())
    else:
        names["vectorstore"].session_maker.get_bind().dispose()


def test_the_suite_for_a_store_of_ones_own() -> None:
    names: dict[str, Any] = {}
    exec(OWN.split("```python\n")[1].split("```")[0], names)
    assert hasattr(names["TestMyStore"], "test_search_scores_are_cosines_best_first")


def test_words_in_postgresql(postgres: Postgres) -> None:
    names: dict[str, Any] = {}
    exec(BEFORE["LangChain"], names)
    exec(next(store.code for store in STORES if store.name.endswith("InMemoryVectorStore")), names)
    exec(OWN.split("```python\n")[2].split("```")[0], names)
    with postgres.database() as url:
        [found] = names["take_in_and_ask_by_words"](names["vectorstore"], url.replace("+psycopg", ""))
    assert "du -sh" in str(found)
