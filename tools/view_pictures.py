"""Draws docs/assets/view_guide.png and view_walk.png: a guide and a walk, as `thread-rag view` shows them.

python tools/view_pictures.py; needs a Chromium that is installed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
ASSETS = ROOT / "docs" / "assets"
SIZE = {"width": 1280, "height": 860}
QUESTION = "An alert says that a node has disk pressure, what do I do?"
SAID = ("2", "done", "/var/log/journal is larger than 2 GB")


def main() -> None:
    """Draw both."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        print("no Chromium is installed: docs/assets/view_*.png stay as they are")
        return
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        run = [sys.executable, "-m", "thread_rag"]
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        ingest = [*run, "ingest", str(ROOT / "examples" / "documents"), "--store", "guides"]
        subprocess.run(ingest, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
        serve = [*run, "view", "--store", "guides", "--no-browser"]
        with subprocess.Popen(serve, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            address = server.stdout.readline().split()[1]
            page = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"]).new_page(viewport=SIZE)
            draw(page, address)
            server.terminate()


def draw(page: Page, address: str) -> None:
    """Go where there is something to be seen."""
    page.goto(f"{address}guide?id=node-disk-pressure.md#step-9")
    page.evaluate("window.scrollTo({top: 420, behavior: 'instant'})")
    _keep(page, "view_guide.png")
    page.goto(address)
    page.fill("#question", QUESTION)
    page.press("#question", "Enter")
    for said in SAID:
        page.wait_for_selector("#turn")
        page.wait_for_timeout(500)
        page.fill("#answer", said)
        page.press("#answer", "Enter")
    page.wait_for_timeout(500)
    page.evaluate("window.scrollTo({top: 0, behavior: 'instant'})")
    _keep(page, "view_walk.png")


def _keep(page: Page, name: str) -> None:
    page.wait_for_timeout(300)
    page.screenshot(path=ASSETS / name)
    print(f"wrote {(ASSETS / name).relative_to(ROOT)}")


if __name__ == "__main__":
    main()
