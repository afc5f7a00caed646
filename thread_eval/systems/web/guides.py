"""What was done on a web site before as a how-to document, for systems that retrieve from guides."""

from __future__ import annotations

from thread_core.models import Document
from thread_eval.systems.web.situation import Turn


def tutorial(id: str, turn: Turn) -> Document:
    r"""A task and its actions as a page with numbered steps; of a task of the training data, its trajectory.

    Example:
        Path(f"tutorials/{id}.md").write_text(f"# {page.title}\\n\\n{page.text}")  # page = tutorial(id, task)
    """
    title, *steps = (" ".join(said.split()) for said in (turn.confirmed_task, *turn.action_reprs))
    listed = "\n".join(f"{number}. {step}" for number, step in enumerate(steps, start=1))
    return Document(id, f"{listed}\n", title=title)
