"""What models are asked, word for word: rendered prompts, kept in `snapshots/` so that a change of one is seen.

make snapshots
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.thread_core.guides import STANDS_STILL, units_of
from thread_core import Document
from thread_core.answering.followup import ask_standalone
from thread_core.answering.generating import speak
from thread_core.answering.selecting import select
from thread_core.errors import ModelError
from thread_core.extraction.extractor import LLMExtractor
from thread_core.ingest.sameness import judged
from thread_core.plan import Plan
from thread_core.ports import Message
from thread_core.retrieval.prerequisites import Known
from thread_core.testing.model import ScriptedModel
from thread_core.walk.memory import Snippet, rationales
from thread_core.walk.numbered import numbered
from thread_core.walk.options import screen_at
from thread_core.walk.querying import find_next

FOLDER = Path(__file__).parent / "snapshots"

KETTLE = """\
# Descale the kettle

You need 50 ml of vinegar.

## If the water stays cold

1. Fill the kettle and run it:

   ```sh
   kettlectl boil --minutes 3
   ```

2. If the lamp blinks, see [Lamps](lamps.md).
"""

UNFAITHFUL = """\
## Step (lines 7-13)
### Prerequisite
- The water stays cold.
### Header
Fill the kettle and run it
### Body
Fill the kettle and run it:

```sh
kettlectl boil --minutes 5
```
"""
"""A draft that changes a number, loses a condition and passes over a line."""


def _extract() -> Sequence[Message]:
    """How a document is shown for its lines to be named, and how a bad reply is complained of."""
    model = ScriptedModel(("", '{"units": []}'), ("", ModelError("enough was asked")))
    LLMExtractor(model, domain="kitchen appliances").extract(Document("kettle.md", KETTLE))
    return model.seen[-1]


def _rewriting() -> list[tuple[Message, ...]]:
    """What is asked while a document is written anew: what to look up, for a draft, and for the draft mended."""
    model = ScriptedModel(("", '{"queries": ["descaling"]}'), ("", UNFAITHFUL), ("", ModelError("enough was asked")))
    search = {"descaling": "Vinegar dissolves scale.\nRinse afterwards."}.__getitem__
    extractor = LLMExtractor(model, reformulate=True, domain="kitchen appliances", search=search)
    extractor.extract(Document("kettle.md", KETTLE))
    return model.seen


def asked(plan: Plan[Any]) -> Sequence[Message]:
    """The first thing that a plan asks of a model, after what was kept."""
    next(plan)
    return plan.send(None).messages  # type: ignore[no-any-return]


HISTORY = [Message("user", "The pump of the well."), Message("assistant", "What does it do?")]
KNOWN = Known(said=("The pump of the well.", STANDS_STILL), confirmed=("It has power.",), done=("Well: Look into it",))
STEPS = tuple(unit for unit in units_of() if unit.type == "step")


def _follow_up() -> Sequence[Message]:
    """How a question that leans on the conversation is shown."""
    plan = ask_standalone("And on Windows?", [Message("user", STANDS_STILL), Message("assistant", "Drain the tank.")])
    next(plan)
    plan.send("scripted")  # who has the role; then what was kept is asked for
    return plan.send(None).messages  # type: ignore[no-any-return]


def _select() -> Sequence[Message]:
    """How guides are shown to be chosen from."""
    return asked(select(STANDS_STILL, HISTORY, STEPS, known=KNOWN))


def _answer() -> Sequence[Message]:
    """How units are shown to be spoken from."""
    return asked(speak(STANDS_STILL, HISTORY, STEPS, known=KNOWN, asked=["Is the tank drained?"]))


def _next() -> Sequence[Message]:
    """How a guide is shown to say where a report leads."""
    guide = numbered(screen_at(STEPS[1]), STEPS, [screen_at(STEPS[0])])
    return asked(find_next("E and a number", guide, question=STANDS_STILL, known=KNOWN))


def _same() -> Sequence[Message]:
    """How two similar units are shown."""
    plan = judged()(STEPS[0], STEPS[1])
    next(plan)
    plan.send("scripted")  # who has the role; then what was kept is asked for
    return plan.send(None).messages  # type: ignore[no-any-return]


def _rationale() -> Sequence[Message]:
    """How steps are shown whose reasons are wanted."""
    first = Snippet(question=STANDS_STILL, action="Pump: Check the display", outcome="It shows E17.")
    then = Snippet(
        question=STANDS_STILL,
        done=("Pump: Check the display",),
        seen="It shows E17.",
        action="Pump: Free the rotor",
        rationale="it shows E17",
    )
    plan = rationales([first, then])
    return asked(plan)


PROMPTS: dict[str, Callable[[], Sequence[Message]]] = {
    "extract": _extract,
    "look_up": lambda: _rewriting()[0],
    "reformulate": lambda: _rewriting()[1],
    "refine": lambda: _rewriting()[2],
    "follow_up": _follow_up,
    "select": _select,
    "answer": _answer,
    "next": _next,
    "same": _same,
    "rationale": _rationale,
}
"""By the names of the files in `thread_core/prompts` and `snapshots`."""


def rendered(name: str) -> str:
    """A conversation as its snapshot has it."""
    return spoken(PROMPTS[name]())


def spoken(messages: Sequence[Message]) -> str:
    """A conversation, word for word."""
    return "".join(f"=== {message.role}\n{message.text}\n" for message in messages)


def write(folder: Path, prompts: Mapping[str, Callable[[], Sequence[Message]]]) -> None:
    """Write the snapshots of some prompts."""
    folder.mkdir(exist_ok=True)
    for name, messages in prompts.items():
        (folder / f"{name}.txt").write_text(spoken(messages()), encoding="utf-8")


if __name__ == "__main__":
    write(FOLDER, PROMPTS)
