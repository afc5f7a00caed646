"""What the server shows, to whom, and what it takes."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest

from tests.thread_view.served import GUIDES, Notebook, a_browser, a_server, token
from thread_core.models import Goal
from thread_core.shelf import Leads

FINDING = SimpleNamespace(
    rule="T1",
    name="no-<end>",
    severity="error",
    document_id="lamp.md",
    first=14,
    last=14,
    message="<i>mend</i>",
    unit_id="",
)


class Elements(HTMLParser):
    """The elements of a page, with their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def addresses(self) -> list[str]:
        return [str(attributes["href"]) for tag, attributes in self.found if tag == "a"]


def words(page: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).split())


# -- guides --------------------------------------------------------------------------------------------------------


def test_a_guide_is_shown_with_its_lines_what_it_needs_and_where_it_leads() -> None:
    page = a_browser().get("/guide?id=lamp.md").text
    assert "7 1. Look at the relay: 8 9 ```sh 10 relayctl status" in words(page)
    assert "Before you start You need a ladder." in words(page)
    said = words(page)
    for condition, goal in [("it is hot", "step 1: Switch"), ("it is cold", "the problem is solved")]:
        assert re.search(rf"{condition} (line 1[34] )?→ (leads to )?{goal}", said), said
    assert "old.md is not a guide in this store" in said
    assert any(address.startswith("/guide?id=fuse.md#step-") for address in Elements(page).addresses())


def test_the_list_has_every_guide_and_how_much_was_found_in_it() -> None:
    page = a_browser(a_server(findings=[FINDING])).get("/").text
    assert "The lamp is dark lamp.md 1 finding" in words(page)
    assert "T1 no-<end> <i>mend</i> line 14" in words(
        a_browser(a_server(findings=[FINDING])).get("/guide?id=lamp.md").text
    )


def test_no_words_of_a_document_become_part_of_a_page() -> None:
    browser = a_browser()
    browser.post("/walk", data={"question": "pull the fuse", "token": token(browser.get("/").text)})
    for path in ("/", "/guide?id=fuse.md", "/guide?id=lamp.md", "/correct?id=fuse.md&link=1-0", "/walk"):
        page = browser.get(path)
        assert page.status_code == 200
        elements = Elements(page.text).found
        assert all("src" in attributes for tag, attributes in elements if tag == "script")
        assert not {tag for tag, _ in elements} & {"style", "img", "iframe"}
        assert not [name for _, attributes in elements for name in attributes if name.startswith(("on", "style"))]
        assert not [one for one in Elements(page.text).addresses() if not one.startswith(("/", "#", "https://example"))]
    assert "Pull </script></pre><style>*{display:none}</style> the" in words(browser.get("/guide?id=fuse.md").text)


def test_every_answer_says_what_a_browser_may_do() -> None:
    browser = a_browser()
    for path in ("/", "/guide?id=lamp.md", "/nowhere", "/assets/view.css"):
        policy = browser.get(path).headers["content-security-policy"]
        assert "script-src 'self'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy


@pytest.mark.parametrize("path", ["/guide?id=gone.md", "/guide", "/assets/../server.py", "/assets/desk.py", "/nowhere"])
def test_what_is_not_there_is_said(path: str) -> None:
    assert a_browser().get(path).status_code == 404


# -- who may ask ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "[::1]"])
def test_another_name_than_this_machines_is_refused(host: str) -> None:
    answer = a_browser().get("/", headers={"host": host})
    assert answer.status_code == 421
    assert "lamp" not in answer.text


@pytest.mark.parametrize("path", ["/walk", "/correct", "/withdraw"])
def test_a_form_of_another_page_is_refused(path: str) -> None:
    browser = a_browser()
    fields = {"question": "the lamp", "id": "lamp.md", "link": "2-0", "token": token(browser.get("/").text)}
    assert browser.post(path, data=fields, headers={"origin": "http://evil.example"}).status_code == 403
    assert browser.post(path, data=fields, headers={"origin": "null"}).status_code == 403
    assert browser.post(path, data={**fields, "token": "0" * 64}).status_code == 403
    assert browser.post(path, data={**fields, "token": ""}).status_code == 403
    other = a_browser()
    other.get("/")
    assert other.post(path, data=fields).status_code == 403
    assert browser.get("/walk").text.count("The lamp is dark") == 0


def test_what_is_too_large_is_refused() -> None:
    browser = a_browser()
    sent = {"token": token(browser.get("/").text), "question": "a" * 3000}
    assert browser.post("/walk", data=sent).status_code == 400
    assert browser.post("/walk", data={**sent, "more": "a" * 70_000}).status_code == 413
    assert browser.post("/walk", data={**sent, **{f"f{one}": "" for one in range(30)}}).status_code == 400


# -- a walk --------------------------------------------------------------------------------------------------------


def test_a_walk_is_a_browsers_own_and_shows_its_way_on_the_map() -> None:
    served = a_server()
    browser, another = a_browser(served), a_browser(served)

    def say(**fields: str) -> str:
        sent = {**fields, "token": token(browser.get("/walk").text)}
        return browser.post("/walk", data=sent).text

    page = say(question="The lamp is dark, what do I look at?")
    assert "relayctl status" in page
    assert 'name="choice" value="1"' in page
    page = say(answer="it is hot")
    assert "Switch the power off" in words(page)
    path = re.search(r'data-path="([\d ]+)"', page)
    assert path is not None and len(path[1].split()) == 2
    assert "it is hot" in words(page)
    assert "relayctl" in say(choice="back")
    assert "relayctl" not in another.get("/walk").text


# -- links ---------------------------------------------------------------------------------------------------------


def a_form(browser: object, condition: str) -> dict[str, str]:
    """The fields of the form of the link with a condition, as the page has them."""
    page = browser.get("/guide?id=lamp.md").text  # type: ignore[attr-defined]
    for address in Elements(page).addresses():
        if address.startswith("/correct"):
            form = browser.get(unescape(address)).text  # type: ignore[attr-defined]
            fields = {
                str(a["name"]): str(a["value"]) for tag, a in Elements(form).found if tag == "input" and "value" in a
            }
            if fields["condition"] == condition:
                return fields
    raise AssertionError(page)


def test_a_link_is_approved_by_somebody() -> None:
    desk = Notebook()
    browser = a_browser(a_server(desk))
    page = browser.post("/correct", data={**a_form(browser, "it is hot"), "by": "Mara", "verdict": "approved"}).text
    (said,) = desk.said.values()
    assert (said.by, said.verdict, said.leads, said.to) == ("Mara", "approved", Goal.STEP, "1. Switch the power off.")
    assert "approved by Mara" in words(page)
    assert a_form(browser, "it is hot")["by"] == "Mara"


def test_a_link_is_corrected_and_taken_back() -> None:
    desk = Notebook()
    browser = a_browser(a_server(desk))

    def goal() -> Leads:
        ways = {way.link.condition: way.destination.leads for way in desk.shelf().ways("lamp.md")}
        return ways["it is hot"]

    sent = {**a_form(browser, "it is hot"), "by": "Mara", "verdict": "corrected", "goal": "escalate"}
    page = browser.post("/correct", data=sent).text
    assert goal() is Leads.END
    assert "it is hot : hand it over corrected by Mara" in words(page)
    fields = {str(a["name"]): str(a["value"]) for tag, a in Elements(page).found if tag == "input" and "value" in a}
    browser.post("/withdraw", data=fields)
    assert goal() is Leads.STEP
    assert desk.said == {}


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"by": " "}, 409),
        ({"goal": ""}, 409),
        ({"goal": "step 99"}, 409),
        ({"goal": "anywhere"}, 409),
        ({"link": "99-0"}, 409),
        ({"quoted": "Other words."}, 409),
        ({"id": "gone.md"}, 404),
    ],
)
def test_what_cannot_be_kept_is_said_and_nothing_is(changes: dict[str, str], status: int) -> None:
    desk = Notebook()
    browser = a_browser(a_server(desk))
    sent = {**a_form(browser, "it is hot"), "by": "Mara", "verdict": "corrected", "goal": "resolved", **changes}
    assert browser.post("/correct", data=sent).status_code == status
    assert desk.said == {}


def test_what_is_stale_is_told_below_its_guide() -> None:
    desk = Notebook()
    browser = a_browser(a_server(desk))
    browser.post("/correct", data={**a_form(browser, "it is hot"), "by": "Mara", "verdict": "approved"})
    desk.documents["lamp.md"] = GUIDES["lamp.md"].replace("If it is hot", "If it is warm")
    desk.keep("lamp.md", {})
    assert "stale" in words(browser.get("/guide?id=lamp.md").text)


# -- two readings --------------------------------------------------------------------------------------------------


def test_two_readings_are_shown_side_by_side() -> None:
    other = Notebook({**GUIDES, "lamp.md": GUIDES["lamp.md"].replace("go to [Replace](#replace)", "wait")}).shelf()
    page = words(a_browser(a_server(other=other)).get("/compare?id=lamp.md").text)
    assert "1 only in this store, 1 only in another" in page.partition("links with the same")[2]
    assert a_browser().get("/compare?id=lamp.md").status_code == 404
