"""A small document, and drafts of it as a model might write them."""

from __future__ import annotations

from thread_core import Document, LogicUnit
from thread_core.documents.blocks.markdown import parse
from thread_core.extraction.fidelity import complete
from thread_core.extraction.inventions import Findings, check
from thread_core.extraction.pages import Lines, Page
from thread_core.extraction.rewriting import Draft, read_draft, units

PUMP = """\
---
title: The pump
date: 2026-02-03
---

# The pump stands still

You need the key of the pump room. Ask the pump with `pump ask --wait 5`, and wait 5 minutes.
If it answers `dry`, fill in 20 litres of water. Never open the blue valve. If it answers
`stuck`, follow [Free the rotor](rotor.md#tools). Otherwise call the plumber.

## Filling in water

   ```sh
   pump open --inlet
   pump fill 20
   ```

The pump is *primed* when water has reached the rotor.
"""

FAITHFUL = """\
## Step (lines 8-10)
### Prerequisite
- You need the key of the pump room.
### Header
Ask the pump
### Body
Ask the pump with `pump ask --wait 5`, and wait 5 minutes. Never open the blue valve.
### Linker
- If it answers `dry`, then fill in 20 litres of water. [CONTINUE]
- If it answers `stuck`, then follow [Free the rotor](rotor.md#tools). [CROSS]
- If it answers anything else, then call the plumber. [MITIGATE]

## Step (lines 14-17)
### Prerequisite
- The pump answers `dry`.
### Header
Fill in 20 litres of water
### Body
```sh
pump open --inlet
pump fill 20
```

## Terminology (line 19)
### Header
When the pump is primed
### Body
The pump is *primed* when water has reached the rotor.
"""


def page(text: str = PUMP) -> Page:
    return Page(Document("pump.md", text, metadata={"team": "op"}), parse(text))


def read(reply: str, text: str = PUMP, part: Lines | None = None) -> tuple[Draft | None, list[str]]:
    shown = page(text)
    return read_draft(reply, shown, part or Lines(1, len(shown)))


def draft(reply: str, text: str = PUMP) -> Draft:
    found, wrong = read(reply, text)
    assert (wrong, found is not None) == ([], True)
    assert found is not None
    return found


def findings(reply: str, text: str = PUMP, context: str = "") -> Findings:
    shown = page(text)
    return check(draft(reply, text), shown, Lines(1, len(shown)), context)


def extracted(reply: str = FAITHFUL, text: str = PUMP) -> tuple[LogicUnit, ...]:
    shown = page(text)
    lost = shown.whole(findings(reply, text).lost)
    return complete(shown.document, parse(text), units(shown, [draft(reply, text)])[0], "paper", lost).units


def changed(*pairs: tuple[str, str]) -> str:
    """The faithful draft with some of its words changed."""
    text = FAITHFUL
    for before, after in pairs:
        assert text.count(before) == 1, before
        text = text.replace(before, after)
    return text
