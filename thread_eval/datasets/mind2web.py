"""Mind2Web: tasks on web sites, each a row of actions on elements of pages."""

from __future__ import annotations

from pydantic import Field

from thread_eval.datasets.reading import Record


class Operation(Record):
    """What is done with an element."""

    op: str
    """`CLICK`, `TYPE` or `SELECT`."""
    value: str = ""

    @property
    def text(self) -> str:
        """As it is scored: a click has no value."""
        return self.op if self.op == "CLICK" else f"{self.op} {self.value}".rstrip()


class Candidate(Record):
    """An element of a page."""

    tag: str
    attributes: str | None = None
    """JSON, as the data set has it."""
    backend_node_id: str


class WebAction(Record):
    """One step."""

    action_uid: str
    cleaned_html: str
    raw_html: str = ""
    operation: Operation
    pos_candidates: tuple[Candidate, ...]
    """The right elements; none where the page's extract has lost them."""
    neg_candidates: tuple[Candidate, ...] = ()

    @property
    def accepted(self) -> frozenset[str]:
        """The ids of the right elements."""
        return frozenset(one.backend_node_id for one in self.pos_candidates)


class WebTask(Record):
    """One task."""

    annotation_id: str
    website: str
    domain: str
    subdomain: str
    confirmed_task: str = Field(min_length=1)
    """What the person wants."""
    action_reprs: tuple[str, ...]
    """The actions, in words."""
    actions: tuple[WebAction, ...] = Field(min_length=1)
