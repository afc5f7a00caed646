"""`thread-rag ask` and `thread-rag resume`: a walk through a guide."""

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

ASK_EXAMPLES = """\
thread-rag ask "The disk of a node is full, what do I do?"
thread-rag ask "The disk of a node is full" --session incident.json
thread-rag ask "The disk of a node is full" --json < answers.txt"""
RESUME_EXAMPLES = "thread-rag resume incident.json"


def ask(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="What you want to do, or what is wrong.")],
    store: StoreOption = STORE,
    server: ServerOption = "",
    model: ModelOption = "",
    base_url: BaseUrlOption = "",
    session: Annotated[
        Path | None, typer.Option("--session", metavar="FILE", help="Save the walk here, to resume it later.")
    ] = None,
    as_json: JsonTurnsOption = False,
) -> None:
    """Ask a how-to question and walk through the answer step by step.

    Each step is shown verbatim, with its line numbers and its possible outcomes. Answer with an option's number or with
    what you see, or type `next`, `back`, `skip`, `why`, `start over`, `I give up` or `quit`. You can also ask a
    question about the step.

    You can pipe in answers, one per line. The exit code is then 4 if nothing fits the question.

    With --session, the walk is saved after each turn: `thread-rag resume FILE` continues it.

    With --model, a language model reads the guide, interprets what you say and chooses an option. Steps are still shown
    verbatim. If the model fails, the walk continues without it and says so.

    With --json, each turn is one line of JSON. Its `status` is awaiting, asking, resolved, escalated (given up) or
    unknown (nothing fits).
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
    session: Annotated[Path, typer.Argument(metavar="FILE", help="A file written by `thread-rag ask --session`.")],
    store: StoreOption = STORE,
    server: ServerOption = "",
    model: ModelOption = "",
    base_url: BaseUrlOption = "",
    as_json: JsonTurnsOption = False,
) -> None:
    """Resume a saved walk.

    The current step is shown again, in the documents' current version. If somebody else has answered it meanwhile, the
    command tells you.
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
    """Continue from a turn, with a person or with piped lines."""
    from thread_rag import rendering, walking

    console = rendering.a_console()
    interactive = walking.stdin_is_terminal()
    person = walking.piped_lines if as_json or not interactive else walking.a_person
    keep = kept.write if kept is not None else lambda state: None
    screen = walking.JsonLines(console) if as_json else walking.Screen(console)
    if not walking.walk(session, first, screen, person(screen), keep, is_resumed=is_resumed) and not interactive:
        raise typer.Exit(NOTHING_FITS)
