"""What a store holds, opened for questions: its units, their words, and a model where one is named."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

import typer

from thread_core import default_embedding
from thread_core.errors import BadIndex, BadStore
from thread_core.llm import failing
from thread_core.llm.access import ModelAccess
from thread_core.ports import LexicalIndex, UnitStore
from thread_core.store.lexical import SqliteLexicalIndex
from thread_core.store.library import EMPTY, Library
from thread_core.text.safe import one_line
from thread_rag.place import Place

T = TypeVar("T")


def library(place: Place, model: str, base_url: str, units: UnitStore | None = None) -> Library:
    """What a store holds, with a model where one is named.

    Args:
        place: Where it is.
        model: Its name; empty for none.
        base_url: The service that has it; empty for OpenAI's.
        units: The units of that place, where they are opened already.
    """
    if base_url and not model:
        raise typer.BadParameter("found --base-url without a model; name it with --model", param_hint="--model")
    opened = _without_model(place, units or place.units())
    if not model:
        return opened
    from thread_rag.models import open_model

    logging.getLogger(failing.__name__).addHandler(logging.NullHandler())  # the walk says it to the person
    return opened.with_models(ModelAccess(open_model(model, base_url)))


def _without_model(place: Place, units: UnitStore) -> Library:
    """What a store holds, ready for questions; refused if that is nothing, or was written with another embedding."""
    if not units.version():
        raise BadStore(EMPTY)

    def made(words: LexicalIndex) -> Library:
        opened = Library(units, default_embedding(), words)
        if complaint := opened.complaint():
            raise BadStore(complaint)
        opened.refresh()
        return opened

    return with_words(place, made)


def with_words(place: Place, use: Callable[[LexicalIndex], T]) -> T:
    """What is made with the words of a store, which are read anew from it where their file cannot be used."""
    try:
        return use(place.words())
    except BadIndex as error:
        typer.secho(f"note: {one_line(str(error))}. Until then it is rebuilt for each command.", err=True)
        return use(SqliteLexicalIndex())
