"""The pages in a browser, by keyboard alone: no error in its console, and nothing that its policy refuses."""

from __future__ import annotations

import shutil
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.thread_view.served import GUIDES, Notebook, a_server
from thread_view.static import write

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.enable_socket,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed, and the tests download none"),
]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(params=[{"width": 1400, "height": 900}, {"width": 400, "height": 800}], ids=["wide", "narrow"])
def page(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page whose console stays empty."""
    said: list[str] = []
    context = chromium.new_context(viewport=request.param, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(5000)
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page
    context.close()
    assert said == []


@pytest.fixture
def desk() -> Notebook:
    return Notebook()


@pytest.fixture
def address(desk: Notebook) -> Iterator[str]:
    """The server at a free port of this machine."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(a_server(desk), log_level="error", lifespan="off"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        thread.join()


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def tab_to(page: Page, name: str) -> None:
    """Press the tab key until what has that name has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if name in str(page.evaluate("document.activeElement.textContent")):
            return
    raise AssertionError(f"the tab key does not come to {name}")


def test_a_guide_is_found_read_and_left_by_another_door(page: Page, address: str) -> None:
    page.goto(address)
    press(page, "Tab")
    expect(page.locator(":focus")).to_have_text("Skip to the content")
    page.locator("#filter").focus()
    page.keyboard.type("lamp dark")
    expect(page.get_by_role("status")).to_have_text("1 guide")
    tab_to(page, "The lamp is dark")
    press(page, "Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("The lamp is dark")
    tab_to(page, "Look at the relay")
    press(page, "ArrowDown", "ArrowDown", "Enter")
    expect(page.locator(":focus")).to_contain_text("Switch the power off")
    expect(page.locator(".detail:visible")).to_have_count(1)
    press(page, "Escape", "ArrowUp", "ArrowUp", "Enter")
    expect(page.locator(":focus")).to_contain_text("Look at the relay")
    tab_to(page, "alert(1)")
    press(page, "Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("alert(1) &")


def test_the_map_shows_the_ways_and_its_sections_close(page: Page, address: str) -> None:
    page.goto(f"{address}/guide?id=lamp.md")
    page.get_by_role("button", name="Map").press("Enter")
    expect(page.locator(".edge")).to_have_count(1)
    expect(page.locator(".label")).to_have_text("it is hot")
    first, second = (page.locator(f".step[data-step='{number}']").bounding_box() for number in (2, 3))
    assert first and second and first["y"] + first["height"] < second["y"]
    section = page.get_by_role("button", name="Replace")
    section.press("Enter")
    expect(section).to_have_attribute("aria-expanded", "false")
    expect(page.locator(".step[data-step='3']")).to_be_hidden()
    page.get_by_role("button", name="List").press("Enter")
    expect(page.locator(".edge")).to_have_count(0)


def test_a_walk_is_gone_through(page: Page, address: str) -> None:
    page.goto(address)
    page.locator("#question").focus()
    page.keyboard.type("The lamp is dark, what do I look at?")
    press(page, "Enter")
    expect(page.get_by_role("log")).to_contain_text("relayctl status")
    tab_to(page, "it is hot")
    press(page, "Enter")
    expect(page.get_by_role("log")).to_contain_text("Switch the power off")
    expect(page.locator(":focus")).to_have_attribute("id", "turn")
    expect(page.locator(".visited")).to_have_count(2)
    tab_to(page, "back")
    press(page, "Enter")
    expect(page.get_by_role("log")).to_contain_text("relayctl status")


def test_a_link_is_corrected(page: Page, address: str, desk: Notebook) -> None:
    page.goto(f"{address}/guide?id=lamp.md#step-2")
    page.get_by_role("link", name="Approve or correct it hums").press("Enter")
    page.locator("#by").focus()
    page.keyboard.type("Mara")
    press(page, "Tab", "Tab")
    page.keyboard.type("Hand it over")
    press(page, "Tab", "Enter")
    expect(page.locator(".told")).to_have_text("Kept.")
    expect(page.locator(".detail.current")).to_contain_text("corrected by Mara")
    assert [one.condition for one in desk.said.values()] == ["it hums"]


def test_pages_open_from_a_disk(page: Page, tmp_path: Path) -> None:
    write(tmp_path, Notebook(GUIDES).shelf())
    page.goto((tmp_path / "index.html").as_uri())
    page.get_by_role("link", name="The lamp is dark").press("Enter")
    page.get_by_role("button", name="Map").press("Enter")
    expect(page.locator(".edge")).to_have_count(1)
    expect(page.locator(".detail:visible")).to_have_count(1)


@pytest.mark.parametrize("path", ["/", "/guide?id=lamp.md", "/walk", "/correct?id=lamp.md&link=2-0"])
def test_nothing_stands_beyond_the_side_of_a_page(page: Page, address: str, path: str) -> None:
    page.goto(address + path)
    wide = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert wide[0] <= wide[1]
