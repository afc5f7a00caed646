"""The pages over HTTP, for the person at this machine: what may be asked for, and what each answer is."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from mimetypes import guess_type
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from thread_core.errors import NothingFound, ThreadError
from thread_core.shelf import Leads
from thread_core.walk.session import HowToSession
from thread_view.addresses import Served
from thread_view.desk import CannotCorrect, Desk, Sheet, digest
from thread_view.guarding import COOKIE, Browsers, Guard
from thread_view.guide import Guide
from thread_view.pages import ASSETS, LONGEST, Pages, asset, problem
from thread_view.walks import MOST, Walks

APPROVABLE = (Leads.STEP, Leads.INSIDE, Leads.END, Leads.OUTSIDE)
HEADINGS = {400: "Not understood", 403: "Refused", 404: "Page not found", 409: "Not possible"}


@dataclass
class _Notes:
    """What is remembered of a browser besides its walk."""

    told: str = ""
    """What has just been done, to be said once."""
    name: str = ""
    """Who says what is said about links."""


class _View:
    """Answers requests."""

    def __init__(self, read: Callable[[], Pages], walks: Walks, desk: Desk | None) -> None:
        self._read = read
        self._walks = walks
        self._desk = desk
        self._to = Served()
        self._browsers = Browsers()
        self._notes: OrderedDict[str, _Notes] = OrderedDict()

    def home(self, request: Request) -> Response:
        browser = self._browsers.of(request)
        return self._answer(browser, self._read().home(self._browsers.token(browser)))

    def guide(self, request: Request) -> Response:
        pages, browser = self._read(), self._browsers.of(request)
        guide, notes = _guide(pages, request.query_params.get("id", "")), self._note(browser)
        told, notes.told, closed = notes.told, "", ""
        try:
            sheet = Sheet.of(self._desk, guide) if self._desk else None
        except CannotCorrect as error:
            sheet, closed = None, str(error)
        page = pages.guide(
            guide,
            verdicts=sheet.verdicts if sheet else {},
            kept=list(sheet.kept()) if sheet else (),
            corrects=sheet is not None,
            token=self._browsers.token(browser),
            told=told,
            closed=closed,
        )
        return self._answer(browser, page)

    def compare(self, request: Request) -> Response:
        pages = self._read()
        guide = _guide(pages, request.query_params.get("id", ""))
        return self._answer(self._browsers.of(request), pages.compare(guide))

    def walk(self, request: Request) -> Response:
        pages, browser = self._read(), self._browsers.of(request)
        walk = self._walks.of(browser)
        guide = pages.read(walk.document_id) if walk and walk.document_id in pages.shelf.titles else None
        numbers = guide.numbers() if guide else {}
        page = pages.walk(
            walk.turn if walk else None,
            question=walk.question if walk else "",
            before=walk.answers if walk else (),
            guide=guide,
            path=[numbers[one] for one in walk.path() if one in numbers] if walk else (),
            token=self._browsers.token(browser),
        )
        return self._answer(browser, page)

    def say(self, request: Request, fields: dict[str, str]) -> Response:
        browser = self._browsers.of(request)
        question, answer = fields.get("question", "").strip(), fields.get("choice") or fields.get("answer", "")
        if len(question) > LONGEST or len(answer) > LONGEST:
            raise HTTPException(400, f"Please use at most {LONGEST:,} characters.")
        walk = self._walks.of(browser)
        if question:
            self._walks.begin(browser, question)
        elif walk is not None and answer.strip():
            walk.say(answer)
        return self._answer(browser, RedirectResponse(self._to.walk(), 303))

    def form(self, request: Request) -> Response:
        pages, browser = self._read(), self._browsers.of(request)
        sheet = self._sheet(pages, request.query_params.get("id", ""))
        name = request.query_params.get("link", "")
        if name not in sheet.keys:
            raise HTTPException(404, "This guide no longer has this link. Reload the guide.")
        page = pages.correct(
            sheet.guide,
            name,
            quoted=sheet.quoted(name),
            said=sheet.verdicts.get(name),
            approvable=APPROVABLE,
            file=sheet.file,
            name=self._note(browser).name,
            token=self._browsers.token(browser),
        )
        return self._answer(browser, page)

    def correct(self, request: Request, fields: dict[str, str]) -> Response:
        sheet = self._sheet(self._read(), fields.get("id", ""))
        name = fields.get("link", "")
        seen = (fields.get("quoted", "").replace("\r\n", "\n"), fields.get("condition", ""))
        if name not in sheet.keys or sheet.keys[name][:2] != seen:
            raise HTTPException(409, "The guide has changed since the page was opened. Look at the link again.")
        goal = None if fields.get("verdict") == "approved" else fields.get("goal", "")
        said = sheet.correction(name, goal, fields.get("by", "")[:100])
        self._note(self._browsers.of(request)).name = said.by
        return self._kept(request, sheet, {said.key: said}, f"step-{name.partition('-')[0]}")

    def withdraw(self, request: Request, fields: dict[str, str]) -> Response:
        sheet = self._sheet(self._read(), fields.get("id", ""))
        return self._kept(request, sheet, {one.key: None for one in sheet.said if digest(one.key) == fields.get("key")})

    def asset(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in ASSETS:
            raise HTTPException(404, "This file does not exist.")
        return Response(asset(name).read_bytes(), media_type=guess_type(name)[0] or "text/plain")

    def problem(self, request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 409
        status = 404 if isinstance(error, NothingFound) else status
        said = error.detail if isinstance(error, HTTPException) else str(error)
        return HTMLResponse(problem(self._to, HEADINGS.get(status, "Something went wrong"), said), status)

    def posted(self, answer: Callable[[Request, dict[str, str]], Response]) -> Callable[[Request], Awaitable[Response]]:
        """What is answered to a form of a page of ours."""

        async def answered(request: Request) -> Response:
            return await run_in_threadpool(answer, request, dict(await self._browsers.form(request)))

        return answered

    def _kept(self, request: Request, sheet: Sheet, said: dict[Any, Any], anchor: str = "") -> Response:
        assert self._desk is not None  # there is a sheet
        browser = self._browsers.of(request)
        self._note(browser).told = self._desk.keep(sheet.guide.document_id, said)
        return self._answer(browser, RedirectResponse(self._to.guide(sheet.guide.document_id, anchor), 303))

    def _sheet(self, pages: Pages, document_id: str) -> Sheet:
        if self._desk is None:
            raise CannotCorrect("Links cannot be corrected here.")
        return Sheet.of(self._desk, _guide(pages, document_id))

    def _note(self, browser: str) -> _Notes:
        notes = self._notes.setdefault(browser, _Notes())
        self._notes.move_to_end(browser)
        while len(self._notes) > MOST:
            self._notes.popitem(last=False)
        return notes

    def _answer(self, browser: str, page: str | Response) -> Response:
        response = HTMLResponse(page) if isinstance(page, str) else page
        response.set_cookie(COOKIE, browser, httponly=True, samesite="strict")
        return response


def app(read: Callable[[], Pages], new_session: Callable[[], HowToSession], desk: Desk | None = None) -> Starlette:
    """The server, as any ASGI server runs it.

    Args:
        read: Gives the pages of the guides as they are now.
        new_session: Makes a session for a walk over them.
        desk: Keeps what is said about links; without one, nothing may be said.
    """
    view = _View(read, Walks(new_session), desk)
    routes = [
        Route("/", view.home),
        Route("/guide", view.guide),
        Route("/compare", view.compare),
        Route("/walk", view.walk),
        Route("/walk", view.posted(view.say), methods=["POST"]),
        Route("/correct", view.form),
        Route("/correct", view.posted(view.correct), methods=["POST"]),
        Route("/withdraw", view.posted(view.withdraw), methods=["POST"]),
        Route("/assets/{name:path}", view.asset),
    ]
    handlers: dict[Any, Any] = {HTTPException: view.problem, ThreadError: view.problem}
    return Starlette(routes=routes, middleware=[Middleware(Guard)], exception_handlers=handlers)


def _guide(pages: Pages, document_id: str) -> Guide:
    if document_id not in pages.shelf.titles:
        raise NothingFound("The store has no such guide.")
    return pages.read(document_id)
