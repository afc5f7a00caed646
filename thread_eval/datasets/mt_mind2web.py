"""MT-Mind2Web: conversations about tasks on web sites; each turn is a wish that leans on those before it."""

from __future__ import annotations

from pydantic import Field

from thread_eval.datasets.mind2web import WebAction
from thread_eval.datasets.reading import Record


class WebTurn(Record):
    """One turn of a conversation."""

    annotation_id: str
    confirmed_task: str = Field(min_length=1)
    """What the person says."""
    action_reprs: tuple[str, ...]
    actions: tuple[WebAction, ...] = Field(min_length=1)


class WebConversation(Record):
    """One conversation."""

    task_id: str
    website: str
    domain: str
    subdomain: str
    turns: tuple[WebTurn, ...] = Field(min_length=1)
