"""`thread-rag ask` and `thread-rag resume`: a walk through a procedure."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from thread_rag.ending import NOTHING_FITS, errors_in_one_line
from thread_rag.options import STORE, BaseUrlOption, JsonTurnsOption, ModelOption, ServerOption, StoreOption

if TYPE_CHECKING:
    from thread_core.walk.rendering import Turn
    from thread_core.walk.saving import SessionFile
    from thread_core.walk.session import HowToSession

ASK_EXAMPLE = 'Example: thread-rag ask "The disk of a node is full, what do I do?" --session incident.json'
RESUME_EXAMPLE = "Example: thread-rag resume incident.json"


def ask(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="What you want to do, or what is wrong.")],
    store: StoreOption = STORE,
    server: ServerOption = "",
    model: ModelOption = "",
    base_url: BaseUrlOption = "",
    session: Annotated[
        Path | None, typer.Option("--session", metavar="FILE", help="Keep the walk here, to go on with it later.")
    ] = None,
    as_json: JsonTurnsOption = False,
) -> None:
    """Walk through a procedure, step by step.

    Each step comes with its lines in the document and the outcomes that the document knows. Answer with a number, with
    what you see, or next for the next step; `back` undoes a step, `skip` goes past it, `why` says what led to it,
    `give up` hands over what was tried, `quit` leaves. Answers may be piped in, one a line; then the exit code is 4
    when nothing fits the question.

    With --model a language model chooses the first step and tells what an outcome means. Steps are shown as the
    documents have them in any case; where the model fails, the walk goes on without it and says so.

    With --session the walk survives: leave it at any step and go on with `thread-rag resume FILE`.

    With --json each turn is a line of JSON. The last one says how the walk stands by its `status`: awaiting or asking,
    resolved, escalated (given up), unknown (nothing fits).
    """
    with errors_in_one_line():
        from thread_core.walk.saving import SessionFile
        from thread_core.walk.session import HowToSession
        from thread_rag import opening, walking
        from thread_rag.place import Place

        kept = SessionFile(session) if session is not None else None
        if kept is not None:
            kept.is_new()
        library = opening.library(Place(store, server), model, base_url)
        walked = HowToSession(library, journal=kept.journal() if kept else None)
        with walking.counted():
            _walk(walked, walked.start(question), kept, as_json=as_json)


def resume(
    session: Annotated[Path, typer.Argument(metavar="FILE", help="What `thread-rag ask --session` has written.")],
    store: StoreOption = STORE,
    server: ServerOption = "",
    model: ModelOption = "",
    base_url: BaseUrlOption = "",
    as_json: JsonTurnsOption = False,
) -> None:
    """Go on with a walk where it was left.

    The step at hand is shown again, as the documents have it now. Where somebody else has answered it meanwhile, you
    are told so.
    """
    with errors_in_one_line():
        from thread_core.walk.saving import SessionFile
        from thread_core.walk.session import HowToSession
        from thread_rag import opening, walking
        from thread_rag.place import Place

        kept = SessionFile(session)
        state = kept.read()
        library = opening.library(Place(store, server), model, base_url)
        walked = HowToSession(library, journal=kept.journal()).resumed(state)
        with walking.counted():
            _walk(walked, walked.show(), kept, is_resumed=True, as_json=as_json)


def _walk(
    session: HowToSession, first: Turn, kept: SessionFile | None, *, is_resumed: bool = False, as_json: bool = False
) -> None:
    """Go on from a turn, with a person or with lines that are piped in."""
    from thread_rag import rendering, walking

    console = rendering.a_console()
    interactive = walking.stdin_is_terminal()
    person = walking.piped_lines if as_json or not interactive else walking.a_person
    keep = kept.write if kept is not None else lambda state: None
    screen = walking.JsonLines(console) if as_json else walking.Screen(console)
    if not walking.walk(session, first, screen, person(screen), keep, is_resumed=is_resumed) and not interactive:
        raise typer.Exit(NOTHING_FITS)
